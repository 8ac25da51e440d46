return {
  name = "reduce3", id = "K58",
  title = "Reduction tree for any block size",
  about = "As reduce2, but the tree starts at the power of 2 at or above "
    .. "blockDim.x and skips partners that do not exist. With 288 threads the "
    .. "first level keeps one warp busy.",
  topic = "reduction",
  lessons = { "L14" },
  source = "reduce3.cu",
  kernel = "reduce3",
  params = {
    { name = "N", default = 4096, min = 1, max = 1 << 24, scale = "log2",
      help = "elements to add" },
    { name = "blocks", default = 4, min = 1, max = 65535, scale = "log2",
      help = "blocks of the grid, one sum each" },
    { name = "threads", default = 288, min = 1, max = 1024,
      help = "threads per block" },
  },
  lecture = { N = 1 << 24, blocks = 288, threads = 256 },
  timing = { N = 1 << 24, blocks = 2112, threads = 256 },
  forms = {
    { name = "right" },
    { name = "lecture", title = "the lecture's stride",
      source = "reduce3.lecture.cu", erratum = "E57",
      where = "Thinking and Coding in Parallel, Example 2.8",
      expect = { at = { threads = 256 }, verdict = "wrong",
        unless = function(p) return p.blocks == p.threads end } },
    { name = "noguard", title = "no test of the partner",
      source = "reduce3.noguard.cu",
      expect = { verdict = "wrong", faults = { "out_of_bounds" },
        line = "tsum[id] += tsum[id + k]",
        unless = function(p) return p.threads & (p.threads - 1) == 0 end } },
  },

  launch = function(p)
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
