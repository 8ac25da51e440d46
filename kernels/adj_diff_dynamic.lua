return {
  name = "adj_diff_dynamic", id = "K10",
  title = "Neighbor differences, shared memory sized at launch",
  about = "The array in shared memory has no size in the source: the launch "
    .. "asks for one int per thread. So one kernel serves every block size, "
    .. "and a launch that asks for too little breaks it.",
  topic = "shared memory",
  lessons = { "L10" },
  source = "adj_diff_dynamic.cu",
  kernel = "adj_diff",
  params = {
    { name = "n", default = 1024, min = 1, max = 1 << 22, scale = "log2",
      help = "elements" },
    { name = "threads", default = 256, min = 1, max = 1024,
      help = "threads per block" },
  },

  launch = function(p)
    return {
      grid = { cdiv(p.n, p.threads), 1, 1 }, block = { p.threads, 1, 1 },
      shared = 4 * p.threads,
      args = {
        { name = "result", type = "i32", count = p.n, init = "zero" },
        { name = "input", type = "i32", count = p.n, init = "mod:97" },
        { name = "n", type = "i32", value = p.n },
      },
    }
  end,

  check = function(_, run)
    local x, i = run.input("input"), each.index()
    return expect(run.output("result"),
      each.pick(each.less(0, i), x - each.at(x, i - 1), 0))
  end,
}
