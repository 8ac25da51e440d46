-- What each thread adds up: x[i], x[i + stride], x[i + 2 * stride], ...
local function sums_of(x, stride)
  local i, sum = each.index(), x
  if stride < 1 << 20 then
    return all.sum(x, i % stride, stride)
  end
  for first = stride, #x - 1, stride do
    sum = sum + each.pick(each.less(i + first, #x), each.at(x, i + first), 0)
  end
  return sum
end

return {
  name = "reduce1", id = "K56",
  title = "Partial sums, thread by thread",
  about = "Thread t adds up x[t], x[t + stride], x[t + 2 stride] and so on in "
    .. "a register and stores it in x[t]. This is the first of the lecture's "
    .. "three launches; the next ones, over fewer elements with fewer threads, "
    .. "are the same kernel with one block and then with one thread.",
  topic = "reduction",
  lessons = { "L14" },
  source = "reduce1.cu",
  kernel = "reduce1",
  params = {
    { name = "N", default = 4096, min = 1, max = 1 << 24, scale = "log2",
      help = "elements to add" },
    { name = "blocks", default = 4, min = 1, max = 65535, scale = "log2",
      help = "blocks of the grid" },
    { name = "threads", default = 256, min = 1, max = 1024,
      help = "threads per block" },
  },
  lecture = { N = 1 << 24, blocks = 288, threads = 256 },
  timing = { N = 1 << 24, blocks = 2112, threads = 256 },
  forms = {
    { name = "right" },
    { name = "lecture", title = "the lecture's stride",
      source = "reduce1.lecture.cu", erratum = "E57",
      where = "Thinking and Coding in Parallel, Example 2.6",
      expect = { verdict = "wrong",
        unless = function(p) return p.blocks == p.threads end } },
    { name = "unguarded", title = "every thread stores its sum",
      source = "reduce1.unguarded.cu", erratum = "E79",
      where = "Thinking and Coding in Parallel, Example 2.6",
      expect = { at = { N = 1000 }, faults = { "out_of_bounds" },
        verdict = "wrong", line = "x[tid] = tsum",
        unless = function(p) return p.blocks * p.threads <= p.N end } },
  },

  launch = function(p)
    return {
      grid = { p.blocks, 1, 1 }, block = { p.threads, 1, 1 }, shared = 0,
      args = {
        { name = "x", type = "f32", count = p.N, init = "random:12345678" },
        { name = "N", type = "i32", value = p.N },
      },
    }
  end,

  check = function(p, run)
    local x, stride = run.input("x"), p.blocks * p.threads
    return expect(run.output("x"), each.pick(each.less(each.index(), stride),
      sums_of(x, stride), x), { rel = 1e-5 })
  end,
}
