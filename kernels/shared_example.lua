return {
  name = "shared_example", id = "K62",
  title = "Three arrays from one pool",
  about = "Floats, then unsigned shorts, then chars: 4 + 2 + 1 bytes a thread. "
    .. "The longest type comes first, so that each array begins where its "
    .. "type may: at a multiple of 4, of 2, of 1. The squares wrap at 65,536, "
    .. "as shorts do.",
  topic = "shared memory",
  lessons = { "L10" },
  source = "shared_example.cu",
  kernel = "shared_example",
  params = {
    { name = "m", default = 512, min = 1, max = 1 << 20, scale = "log2",
      help = "elements" },
    { name = "threads", default = 256, min = 1, max = 1024,
      help = "threads per block" },
  },
  partners = { "shared_static_two", "shared_extern_alias" },
  forms = {
    { name = "right" },
    { name = "shortest", title = "chars first, floats last",
      source = "shared_example.shortest.cu",
      where = "Thinking and Coding in Parallel, Example 2.10, in reverse",
      expect = { at = { threads = 33 }, verdict = "wrong",
        faults = { "misaligned" },
        unless = function(p) return p.threads % 4 == 0 end } },
    { name = "lecture", title = "each block reads the first elements",
      source = "shared_example.lecture.cu", erratum = "E90",
      where = "Thinking and Coding in Parallel, Example 2.10",
      expect = { verdict = "wrong",
        unless = function(p) return p.m <= p.threads end } },
  },

  launch = function(p)
    return {
      grid = { cdiv(p.m, p.threads), 1, 1 }, block = { p.threads, 1, 1 },
      shared = 7 * p.threads,
      args = {
        { name = "x", type = "f32", count = p.m, init = "iota" },
        { name = "y", type = "f32", count = p.m, init = "none" },
        { name = "m", type = "i32", value = p.m },
      },
    }
  end,

  check = function(p, run)
    local x, i = run.input("x"), each.index()
    local id = p.threads - 1 - i % p.threads
    local from = i - i % p.threads + id
    local sx = each.pick(each.less(from, p.m), f32(3 * each.at(x, from)), 0)
    return expect(run.output("y"), f32(f32(sx + (id * id & 0xffff)) + id % 128))
  end,
}
