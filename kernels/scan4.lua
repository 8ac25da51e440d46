return {
  name = "scan4", id = "K73",
  title = "Running sums by shuffling up",
  about = "Three rounds of shuffles turn 31 - lane into running sums within "
    .. "each group of eight lanes. Look at the arrows stop at the borders of "
    .. "the groups, and at the lanes whose source lies outside.",
  topic = "warp",
  lessons = { "L04", "L15" },
  source = "scan4.cu",
  kernel = "scan4",
  params = {},
  forms = {
    { name = "right" },
    { name = "inside", title = "the shuffle inside the if",
      source = "scan4.inside.cu",
      expect = { verdict = "wrong", faults = { "bad_mask", "inactive_source" },
        line = "__shfl_up_sync" } },
    { name = "nocondition", title = "every lane adds",
      source = "scan4.nocondition.cu", expect = { verdict = "wrong" } },
    { name = "nowidth", title = "a shuffle without a width",
      source = "scan4.nowidth.cu" },
    { name = "four", title = "steps of 1, 2, 4 and 8",
      source = "scan4.four.cu", erratum = "E126",
      where = "CS 677, Warp Shuffle, scan4" },
  },

  launch = function()
    return {
      grid = { 1, 1, 1 }, block = { 32, 1, 1 }, shared = 0,
      args = {
        { name = "out", type = "i32", count = 32, init = "none" },
      },
    }
  end,

  check = function(_, run)
    return expect(run.output("out"), function(lane)
      local sum = 0
      for other = lane - lane % 8, lane do
        sum = sum + 31 - other
      end
      return sum
    end)
  end,
}
