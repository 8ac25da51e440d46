-- The lanes for which a condition holds, as a mask.
local function lanes_where(holds)
  local mask = 0
  for lane = 0, 31 do
    if holds(lane) then
      mask = mask | 1 << lane
    end
  end
  return mask
end

-- The first buffer that is not as expected says so.
local function check_all(run, expected)
  for name, f in pairs(expected) do
    local right, message = expect(run.output(name), f)
    if not right then
      return false, message
    end
  end
  return true
end

-- Which lanes find themselves together inside the if is up to the machine:
-- a lane is sure of itself, and that nobody is there who should not be.
local function check_inside(inside, yes)
  for lane = 0, 31 do
    local mask, mine = inside[lane], 1 << lane
    local possible = mask & ~yes == 0 and mask & mine ~= 0
    if yes & mine == 0 then
      possible = mask == 0
    end
    if not possible then
      return false, string.format("inside[%d] is 0x%08x, which cannot be", lane, mask)
    end
  end
  return true
end

return {
  name = "vote_match", id = "K76",
  title = "Votes, active lanes and matching keys",
  about = "One bit or one key from every lane, one answer for all of them: "
    .. "any, all and ballot of foo, the active lanes inside an if, and for "
    .. "each lane the lanes with its key.",
  topic = "warp",
  lessons = { "L03", "L15" },
  source = "vote_match.cu",
  kernel = "vote_match",
  params = {
    { name = "period", default = 8, values = { 1, 2, 4, 8, 16, 32 },
      help = "foo is lane % period < k: the pattern repeats so often" },
    { name = "k", default = 3, min = 0, max = 32,
      help = "lanes of a period for which foo is true" },
    { name = "keys", default = 4, min = 1, max = 32,
      help = "the key of a lane is lane % keys" },
  },

  launch = function(p)
    return {
      grid = { 1, 1, 1 }, block = { 32, 1, 1 }, shared = 0,
      args = {
        { name = "any", type = "i32", count = 32, init = "none" },
        { name = "all", type = "i32", count = 32, init = "none" },
        { name = "ballot", type = "u32", count = 32, init = "none" },
        { name = "inside", type = "u32", count = 32, init = "none" },
        { name = "match", type = "u32", count = 32, init = "none" },
        { name = "period", type = "i32", value = p.period },
        { name = "k", type = "i32", value = p.k },
        { name = "keys", type = "i32", value = p.keys },
      },
    }
  end,

  check = function(p, run)
    local yes = lanes_where(function(lane) return lane % p.period < p.k end)
    local right, message = check_all(run, {
      any = function() return yes ~= 0 and 1 or 0 end,
      all = function() return yes == 0xffffffff and 1 or 0 end,
      ballot = function() return yes end,
      match = function(i)
        return lanes_where(function(lane) return lane % p.keys == i % p.keys end)
      end,
    })
    if not right then
      return false, message
    end
    return check_inside(run.output("inside"), yes)
  end,
}
