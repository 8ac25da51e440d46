return {
  name = "syncwarp_exchange", id = "K78",
  title = "Exchange within a warp through memory",
  about = "Each lane writes a word of shared memory and reads the word of a "
    .. "partner. Lanes need not walk in step, so __syncwarp stands between: no "
    .. "lane reads before all have written.",
  topic = "warp",
  lessons = { "L15" },
  source = "syncwarp_exchange.cu",
  kernel = "syncwarp_exchange",
  params = {
    { name = "distance", default = 1, min = 0, max = 31,
      help = "lane i reads what lane i ^ distance wrote" },
  },

  forms = {
    { name = "right" },
    { name = "nosyncwarp", title = "without __syncwarp",
      source = "syncwarp_exchange.nosyncwarp.cu", erratum = "E87",
      where = "CS 677, Independent Thread Scheduling",
      expect = { verdict = "by chance", faults = { "race" },
        line = "int other",
        unless = function(p) return p.distance == 0 end } },
  },

  launch = function(p)
    return {
      grid = { 1, 1, 1 }, block = { 32, 1, 1 }, shared = 0,
      args = {
        { name = "out", type = "i32", count = 32, init = "none" },
        { name = "distance", type = "i32", value = p.distance },
      },
    }
  end,

  check = function(p, run)
    return expect(run.output("out"), function(lane)
      return 31 - (lane ~ p.distance)
    end)
  end,
}
