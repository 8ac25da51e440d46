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

  launch = function()
    return {
      grid = { 1, 1, 1 }, block = { 32, 1, 1 }, shared = 0,
      args = {
        { name = "out", type = "i32", count = 32, init = "none" },
      },
    }
  end,

  check = function(_, run)
    local total = 0
    for lane = 0, 31 do
      total = total + 31 - lane
    end
    return expect(run.output("out"), function() return total end)
  end,
}
