return {
  name = "adj_diff_shared", id = "K09",
  title = "Neighbor differences through shared memory",
  about = "A block loads each of its elements once, waits, and finds the "
    .. "neighbors in shared memory. Only thread 0 of a block goes back to "
    .. "global memory, for the last element of the block before.",
  topic = "shared memory",
  lessons = { "L10" },
  source = "adj_diff_shared.cu",
  kernel = function(p)
    return "adj_diff<" .. p.threads .. ">"
  end,
  params = {
    { name = "n", default = 1024, min = 1, max = 1 << 22, scale = "log2",
      help = "elements" },
    { name = "threads", default = 256, values = { 32, 64, 128, 256, 512 },
      help = "threads per block" },
  },
  forms = {
    { name = "right" },
    { name = "nobarrier", title = "nobody waits",
      source = "adj_diff_shared.nobarrier.cu",
      expect = { verdict = "by chance", faults = { "race" },
        line = "s_data[tx - 1]" } },
  },

  launch = function(p)
    return {
      grid = { cdiv(p.n, p.threads), 1, 1 }, block = { p.threads, 1, 1 },
      shared = 0,
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
