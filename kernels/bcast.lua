return {
  name = "bcast", id = "K72",
  title = "Broadcast within a warp",
  about = "Only lane 0 gives value a value; in the other lanes it holds "
    .. "anything. One shuffle hands lane 0's to all 32.",
  topic = "warp",
  lessons = { "L15" },
  source = "bcast.cu",
  kernel = "bcast",
  params = {
    { name = "arg", default = 1234, min = -1000000, max = 1000000,
      help = "value that lane 0 knows" },
  },

  launch = function(p)
    return {
      grid = { 1, 1, 1 }, block = { 32, 1, 1 }, shared = 0,
      args = {
        { name = "out", type = "i32", count = 32, init = "none" },
        { name = "arg", type = "i32", value = p.arg },
      },
    }
  end,

  check = function(p, run)
    return expect(run.output("out"), function() return p.arg end)
  end,
}
