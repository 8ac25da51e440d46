return {
  name = "loads_in_flight", id = "K111",
  title = "Enough loads under way",
  about = "The same sum with 1 to 16 loads in front of their uses, and with "
    .. "few or many threads. What counts is the product: loads of a thread "
    .. "times threads.",
  topic = "latency",
  lessons = { "L07" },
  source = "loads_in_flight.cu",
  kernel = function(p)
    return "in_flight<" .. p.loads .. ">"
  end,
  params = {
    { name = "loads", default = 4, values = { 1, 2, 4, 8, 16 },
      help = "loads of a thread before the first use" },
    { name = "threads", default = 64, min = 32, max = 1024, scale = "log2",
      help = "threads per block" },
    { name = "blocks", default = 2, min = 1, max = 128, scale = "log2",
      help = "blocks of the grid" },
    { name = "n", default = 4096, min = 1, max = 1 << 26, scale = "log2",
      help = "words to be added up" },
  },
  timing = { loads = 1, threads = 256, blocks = 128, n = 1 << 26 },

  launch = function(p)
    return {
      grid = { p.blocks, 1, 1 }, block = { p.threads, 1, 1 }, shared = 0,
      args = {
        { name = "sums", type = "u32", count = p.blocks * p.threads,
          init = "none" },
        { name = "x", type = "u32", count = p.n, init = "iota" },
        { name = "n", type = "i32", value = p.n },
      },
    }
  end,

  -- Thread id adds up id, id + step, id + 2 step, ...: a row of numbers whose
  -- sum needs no loop. Sums of 32 bits go round.
  check = function(p, run)
    local step, id = p.blocks * p.threads, each.index()
    local terms = each.max(0, (p.n - 1 - id) // step + 1)
    return expect(run.output("sums"),
      terms * id + step * (terms * (terms - 1) // 2) & 0xffffffff)
  end,
}
