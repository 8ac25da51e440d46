return {
  name = "adj_diff_naive", id = "K08",
  title = "Neighbor differences, two loads",
  about = "Every thread loads its element and the one before it. The second "
    .. "load is shifted by one word and touches five sectors instead of four. "
    .. "Element 0 has no neighbor and is left as it was.",
  topic = "global memory",
  lessons = { "L08" },
  source = "adj_diff_naive.cu",
  kernel = "adj_diff_naive",
  params = {
    { name = "n", default = 1024, min = 1, max = 1 << 22, scale = "log2",
      help = "elements" },
    { name = "threads", default = 256, values = { 32, 64, 128, 256, 512, 1024 },
      help = "threads per block" },
  },
  forms = {
    { name = "right" },
    { name = "lecture", title = "n is not asked for",
      source = "adj_diff_naive.lecture.cu", erratum = "E20",
      where = "CUDA Memories, adjacent differences",
      expect = { at = { n = 1000 }, faults = { "out_of_bounds" },
        verdict = "wrong", line = "= input[i",
        unless = function(p) return p.n % p.threads == 0 end } },
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
