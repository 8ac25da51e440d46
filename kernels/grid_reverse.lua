return {
  name = "grid_reverse", id = "K101",
  title = "Numbers left for another block",
  about = "Thread i leaves i in memory and takes what its opposite left. That "
    .. "one is in another block, so a barrier of the block is not enough: all "
    .. "blocks have to meet. They can, in a cooperative launch.",
  topic = "indexing",
  lessons = { "L18" },
  source = "grid_reverse.cu",
  kernel = "grid_reverse",
  params = {
    { name = "blocks", default = 4, min = 1, max = 1056,
      help = "blocks in the grid" },
    { name = "threads", default = 256, min = 1, max = 256, scale = "log2",
      help = "threads per block" },
  },
  forms = {
    { name = "right" },
    { name = "block", title = "__syncthreads() in between",
      source = "grid_reverse.block.cu", erratum = "E07",
      where = "Threads in different blocks cannot cooperate",
      expect = { verdict = "wrong", faults = { "race", "uninitialized" },
        line = "out[i] =", unless = function(p) return p.blocks == 1 end } },
  },

  launch = function(p)
    local n = p.blocks * p.threads
    return {
      grid = { p.blocks, 1, 1 }, block = { p.threads, 1, 1 }, shared = 0,
      cooperative = true,
      args = {
        { name = "out", type = "i32", count = n, init = "none" },
        { name = "left", type = "i32", count = n, init = "none" },
      },
    }
  end,

  check = function(p, run)
    return expect(run.output("out"), p.blocks * p.threads - 1 - each.index())
  end,
}
