return {
  name = "warp_reduce", id = "K74",
  title = "Sum over a warp by a butterfly",
  about = "In five rounds every lane adds the value of the lane whose number "
    .. "differs in one bit. All 32 end with the total, 496, without shared "
    .. "memory and without a barrier.",
  topic = "warp",
  lessons = { "L14", "L15" },
  source = "warp_reduce.cu",
  kernel = "warpReduce",
  params = {},
  forms = {
    { name = "butterfly", title = "shuffles xor: all lanes know the sum" },
    { name = "down", title = "shuffles down: lane 0 knows the sum",
      source = "warp_reduce.down.cu" },
  },

  launch = function()
    return {
      grid = { 1, 1, 1 }, block = { 32, 1, 1 }, shared = 0,
      args = {
        { name = "out", type = "i32", count = 32, init = "none" },
      },
    }
  end,

  -- Down, the total is promised to lane 0 alone: the others add values of
  -- their own where nobody lies above them.
  check = function(p, run)
    local total, out = 0, run.output("out")
    for lane = 0, 31 do
      total = total + 31 - lane
    end
    return expect(out, function(lane)
      return p.form == "down" and lane > 0 and out[lane] or total
    end)
  end,
}
