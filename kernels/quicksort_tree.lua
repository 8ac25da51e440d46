return {
  name = "quicksort_tree", id = "K95",
  title = "Quicksort: a kernel that launches kernels",
  about = "Dynamic parallelism: each grid parts its piece and launches a grid "
    .. "for either side, down to pieces that are sorted in place. A grid ends "
    .. "when its children have. What looks at the result is launched first, "
    .. "but into the tail stream, which begins behind all other children.",
  topic = "basics",
  lessons = { "L05", "L18" },
  source = "quicksort_tree.cu",
  params = {
    { name = "N", default = 64, min = 1, max = 1 << 14, scale = "log2",
      help = "numbers to sort" },
    { name = "least", default = 8, min = 1, max = 1024, scale = "log2",
      help = "pieces up to this size are sorted by insertion" },
  },

  sequence = function(p)
    return {
      buffers = {
        { name = "x", type = "i32", count = p.N, init = "random:7" },
        { name = "sorted", type = "i32", count = 1, init = "none" },
      },
      steps = {
        { copy = "h2d", buffer = "x" },
        { launch = "sort_and_look", grid = { 1 }, block = { 1 },
          args = { "x", "sorted", p.N, p.least } },
        { copy = "d2h", buffer = "x" },
        { copy = "d2h", buffer = "sorted" },
        { read = "x" }, { read = "sorted" },
      },
    }
  end,

  check = function(_, run)
    if run.output("sorted")[0] ~= 1 then return false, "the last kernel found them out of order" end
    return expect(run.output("x"), all.sorted(run.input("x")))
  end,
}
