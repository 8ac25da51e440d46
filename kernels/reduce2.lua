local function power_of_2(n)
  return n & (n - 1) == 0
end

return {
  name = "reduce2", id = "K57",
  title = "Reduction tree in shared memory",
  about = "Every thread collects a partial sum, then the block halves them: "
    .. "the lower half adds the upper half, with a barrier at each level. "
    .. "Watch whole warps fall idle first and lanes only at the end.",
  topic = "reduction",
  lessons = { "L14" },
  source = "reduce2.cu",
  kernel = "reduce2",
  params = {
    { name = "N", default = 4096, min = 1, max = 1 << 24, scale = "log2",
      help = "elements to add" },
    { name = "blocks", default = 4, min = 1, max = 65535, scale = "log2",
      help = "blocks of the grid, one sum each" },
    { name = "threads", default = 256, min = 1, max = 1024, scale = "log2",
      help = "threads per block, a power of 2" },
  },
  lecture = { N = 1 << 24, blocks = 256, threads = 256 },
  timing = { N = 1 << 24, blocks = 2112, threads = 256 },
  forms = {
    { name = "right" },
    { name = "lecture", title = "the lecture's stride",
      source = "reduce2.lecture.cu", erratum = "E57",
      where = "Thinking and Coding in Parallel, Example 2.7",
      expect = { verdict = "wrong",
        unless = function(p) return p.blocks == p.threads end } },
    { name = "any-size", title = "threads that are no power of 2",
      erratum = "E83", where = "Thinking and Coding in Parallel, Example 2.7",
      expect = { at = { threads = 288 }, verdict = "wrong",
        unless = function(p) return power_of_2(p.threads) end } },
    { name = "nobarrier", title = "no barrier between the levels",
      source = "reduce2.nobarrier.cu",
      expect = { verdict = "by chance", faults = { "race" },
        line = "tsum[id] += tsum[id + k]" } },
    { name = "barrierinif", title = "the barrier inside the if",
      source = "reduce2.barrierinif.cu",
      expect = { faults = { "divergent_barrier" } } },
    { name = "interleaved", title = "neighbors first",
      source = "reduce2.interleaved.cu" },
  },

  launch = function(p)
    if p.form ~= "any-size" and not power_of_2(p.threads) then
      error("threads must be a power of 2: the tree halves it. "
        .. "The form any-size shows what else comes of it", 0)
    end
    return {
      grid = { p.blocks, 1, 1 }, block = { p.threads, 1, 1 },
      shared = 4 * p.threads,
      args = {
        { name = "y", type = "f32", count = p.blocks, init = "none" },
        { name = "x", type = "f32", count = p.N, init = "random:12345678" },
        { name = "N", type = "i32", value = p.N },
      },
    }
  end,

  -- Block b owns elements b * threads ... of every pass over x.
  check = function(p, run)
    local block = each.index() // p.threads % p.blocks
    return expect(run.output("y"),
      all.sum(run.input("x"), block, p.blocks), { rel = 1e-5 })
  end,
}
