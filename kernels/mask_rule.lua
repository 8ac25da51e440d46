return {
  name = "mask_rule", id = "K77",
  title = "Who has to be there",
  about = "The mask of a shuffle names just the lanes that come to it, the "
    .. "caller among them. It is computed before the lanes part: inside the "
    .. "if nobody can know who else is there.",
  topic = "warp",
  lessons = { "L15" },
  source = "mask_rule.cu",
  kernel = "mask_rule",
  params = {
    { name = "lanes", default = 16, min = 4, max = 32,
      help = "lanes that enter the if; lane 3 is asked" },
  },
  forms = {
    { name = "right" },
    { name = "all", title = "the mask names all 32 lanes", erratum = "E128",
      source = "mask_rule.all.cu", where = "CS 677, Warp Shuffle",
      expect = { faults = { "bad_mask" }, line = "__shfl_sync",
        unless = function(p) return p.lanes == 32 end } },
    { name = "outsiders", title = "lanes come that are not named",
      erratum = "E128", source = "mask_rule.outsiders.cu",
      where = "CS 677, Warp Shuffle",
      expect = { verdict = "by chance", faults = { "bad_mask" },
        line = "__shfl_sync",
        unless = function(p) return p.lanes == 32 end } },
  },

  launch = function(p)
    return {
      grid = { 1, 1, 1 }, block = { 32, 1, 1 }, shared = 0,
      args = {
        { name = "out", type = "i32", count = 32, init = "none" },
        { name = "lanes", type = "i32", value = p.lanes },
      },
    }
  end,

  check = function(p, run)
    return expect(run.output("out"), function(lane)
      return lane < p.lanes and 103 or 100 + lane
    end)
  end,
}
