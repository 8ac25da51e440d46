return {
  name = "warp_rank", id = "K76",
  title = "A place for each by a vote",
  about = "Lanes with a multiple of 3 want to write, close together. A ballot "
    .. "tells every lane who votes yes; the yes votes of the lanes below are "
    .. "its place. No atomic, no memory.",
  topic = "warp",
  lessons = { "L15" },
  source = "warp_rank.cu",
  kernel = "warp_rank",
  params = {
    { name = "first", default = 0, min = 0, max = 1000000,
      help = "lane i brings first + i" },
  },
  forms = {
    { name = "right" },
    { name = "own", title = "each counts its own vote, too",
      source = "warp_rank.own.cu",
      expect = { verdict = "wrong",
        faults = { "out_of_bounds" }, line = "out[place] = value" } },
  },

  launch = function(p)
    local values, wanted = {}, 0
    for lane = 0, 31 do
      values[lane + 1] = p.first + lane
      wanted = wanted + ((p.first + lane) % 3 == 0 and 1 or 0)
    end
    return {
      grid = { 1, 1, 1 }, block = { 32, 1, 1 }, shared = 0,
      args = {
        { name = "out", type = "i32", count = wanted, init = "none" },
        { name = "in", type = "i32", count = 32, values = values },
      },
    }
  end,

  check = function(p, run)
    local least = (p.first + 2) // 3 * 3
    return expect(run.output("out"), function(i) return least + 3 * i end)
  end,
}
