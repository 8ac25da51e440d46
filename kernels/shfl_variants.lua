-- The lane that a lane reads from, nil if there is none. first is the first
-- lane of its group.
local source = {
  idx = function(_, first, arg, width)
    return first + arg % width
  end,
  up = function(lane, first, arg)
    return lane - arg >= first and lane - arg or nil
  end,
  down = function(lane, first, arg, width)
    return lane + arg < first + width and lane + arg or nil
  end,
  -- An earlier group may be read, a later one may not.
  xor = function(lane, first, arg, width)
    return lane ~ arg < first + width and lane ~ arg or nil
  end,
}

return {
  name = "shfl_variants", id = "K77",
  title = "Shuffles: idx, up, down and xor",
  about = "Lane i brings 100 + i, so the result tells where it came from. A "
    .. "lane whose source lies outside its group keeps its own value; xor may "
    .. "also reach back into an earlier group.",
  topic = "warp",
  lessons = { "L15" },
  source = "shfl_variants.cu",
  kernel = function(p)
    return "shfl_" .. p.kind
  end,
  params = {
    { name = "kind", default = "down", values = { "idx", "up", "down", "xor" },
      help = "how the source lane is found" },
    { name = "arg", default = 4, min = 0, max = 31,
      help = "source lane, distance, or bits to flip" },
    { name = "width", default = 32, values = { 1, 2, 4, 8, 16, 32 },
      help = "lanes in a group" },
  },

  launch = function(p)
    return {
      grid = { 1, 1, 1 }, block = { 32, 1, 1 }, shared = 0,
      args = {
        { name = "out", type = "i32", count = 32, init = "none" },
        { name = "arg", type = "i32", value = p.arg },
        { name = "width", type = "i32", value = p.width },
      },
    }
  end,

  check = function(p, run)
    return expect(run.output("out"), function(lane)
      local first = lane // p.width * p.width
      return 100 + (source[p.kind](lane, first, p.arg, p.width) or lane)
    end)
  end,
}
