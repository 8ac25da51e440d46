return {
  name = "cg_coalesced", id = "K24",
  title = "One atomic for those who are together",
  about = "Inside an if the threads that are there form a group, and its first "
    .. "adds for all of them. Who is together is up to the machine, so the "
    .. "number of atomics is, too; the sum is not.",
  topic = "warp",
  lessons = { "L15", "L16" },
  source = "cg_coalesced.cu",
  kernel = "count_even",
  params = {
    { name = "n", default = 1000, min = 1, max = 1 << 24, scale = "log2",
      help = "numbers" },
    { name = "threads", default = 128, min = 32, max = 1024, scale = "log2",
      help = "threads per block" },
  },
  timing = { n = 1 << 24 },
  forms = {
    { name = "group", title = "one adds for the group" },
    { name = "each", title = "each thread adds 1",
      source = "cg_coalesced.each.cu" },
  },

  launch = function(p)
    return {
      grid = { cdiv(p.n, p.threads), 1, 1 }, block = { p.threads, 1, 1 },
      shared = 0,
      args = {
        { name = "count", type = "i32", count = 1, init = "zero" },
        { name = "in", type = "i32", count = p.n, init = "random:12345678" },
        { name = "n", type = "i32", value = p.n },
      },
    }
  end,

  check = function(_, run)
    return expect(run.output("count"), all.sum(1 - (run.input("in") & 1)))
  end,
}
