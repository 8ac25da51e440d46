return {
  name = "race_add", id = "K20",
  title = "All threads add 1 to one cell",
  about = "Adding is three steps: load, add, store. The lanes of a warp load "
    .. "together, so they all store the same sum. Only an atomic does the three "
    .. "as one; choose the form and look at the cell.",
  topic = "atomics",
  lessons = { "L16" },
  source = "race_add.cu",
  kernel = "race_add",
  params = {
    { name = "blocks", default = 2, min = 1, max = 4096, scale = "log2",
      help = "blocks of the grid" },
    { name = "threads", default = 64, min = 1, max = 1024, scale = "log2",
      help = "threads per block, all of which add 1" },
  },
  forms = {
    { name = "atomic", title = "atomicAdd" },
    { name = "plain", title = "an ordinary +=", define = "PLAIN",
      where = "CS 677, Race Conditions",
      expect = { verdict = "wrong", faults = { "race" },
        line = "*a += 1",
        unless = function(p) return p.blocks * p.threads == 1 end } },
    { name = "volatile", title = "+= on a volatile cell", define = "VOLATILE",
      where = "CS 677, Race Conditions",
      expect = { verdict = "wrong", faults = { "lost_update" },
        line = "*a += 1",
        unless = function(p) return p.blocks * p.threads == 1 end } },
  },

  launch = function(p)
    return {
      grid = { p.blocks, 1, 1 }, block = { p.threads, 1, 1 }, shared = 0,
      args = { { name = "a", type = "i32", count = 1, init = "zero" } },
    }
  end,

  check = function(p, run)
    return expect(run.output("a"), function() return p.blocks * p.threads end)
  end,
}
