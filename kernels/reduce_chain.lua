return {
  name = "reduce_chain", id = "K57",
  title = "Two launches of one sum",
  about = "The first launch leaves a partial sum for each block, the second adds these: the end of a kernel is the only barrier "
    .. "that all blocks of a grid have.",
  topic = "reduction",
  lessons = { "L14" },
  source = "reduce_chain.cu",
  params = {
    { name = "N", default = 4096, min = 1, max = 1 << 24, scale = "log2",
      help = "elements to add" },
    { name = "blocks", default = 8, values = { 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024 },
      help = "blocks of the first launch, a power of 2" },
    { name = "threads", default = 256, values = { 32, 64, 128, 256, 512, 1024 },
      help = "threads per block of the first launch" },
  },
  lecture = { N = 1 << 24, blocks = 256, threads = 256 },

  sequence = function(p)
    return {
      buffers = {
        { name = "x", type = "f32", count = p.N, init = "random:12345678" },
        { name = "y", type = "f32", count = p.blocks, init = "none" },
        { name = "sum", type = "f32", count = 1, init = "none" },
      },
      steps = {
        { copy = "h2d", buffer = "x" },
        { launch = "reduce_chain", grid = { p.blocks }, block = { p.threads },
          shared = 4 * p.threads, args = { "y", "x", p.N } },
        { launch = "reduce_chain", grid = { 1 }, block = { p.blocks },
          shared = 4 * p.blocks, args = { "sum", "y", p.blocks } },
        { copy = "d2h", buffer = "sum" },
        { read = "sum" },
      },
    }
  end,

  check = function(p, run)
    local x, want = run.input("x"), 0.0
    for k = 0, p.N - 1 do
      want = want + x[k]
    end
    return expect(run.output("sum"), function() return want end, { rel = 1e-5 })
  end,
}
