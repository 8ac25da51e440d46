return {
  name = "reduce4", id = "K59",
  title = "Reduction tree, unrolled",
  about = "The levels are written out, and from 16 on down warp 0 goes on "
    .. "alone with __syncwarp in place of the barrier of the block. Needs 256 "
    .. "to 512 threads.",
  topic = "reduction",
  lessons = { "L14" },
  source = "reduce4.cu",
  kernel = "reduce4",
  params = {
    { name = "N", default = 4096, min = 1, max = 1 << 24, scale = "log2",
      help = "elements to add" },
    { name = "blocks", default = 4, min = 1, max = 65535, scale = "log2",
      help = "blocks of the grid, one sum each" },
    { name = "threads", default = 256, min = 256, max = 512,
      help = "threads per block" },
  },
  lecture = { N = 1 << 24, blocks = 288, threads = 256 },
  timing = { N = 1 << 24, blocks = 2112, threads = 256 },
  forms = {
    { name = "right" },
    { name = "nosyncwarp", title = "without __syncwarp",
      source = "reduce4.nosyncwarp.cu", erratum = "E87",
      where = "Thinking and Coding in Parallel, Example 2.9",
      expect = { verdict = "by chance", faults = { "race" },
        line = "tsum[id] += tsum[id + 8]" } },
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
