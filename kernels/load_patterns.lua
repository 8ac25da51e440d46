local PATTERNS = { "aligned", "permuted", "offset", "same", "scattered" }

local function number_of(pattern)
  for number, name in ipairs(PATTERNS) do
    if name == pattern then
      return number
    end
  end
end

local word_of = {
  aligned = function(lane) return lane end,
  permuted = function(lane) return lane ~ 5 end,
  offset = function(lane, offset) return lane + offset end,
  same = function(_, offset) return offset end,
  scattered = function(lane) return lane * 1237 % 4096 end,
}

return {
  name = "load_patterns", id = "K29",
  title = "Five ways to load 32 words",
  about = "One warp, one load. Aligned or permuted within a line it takes "
    .. "four sectors; an offset that is no multiple of 8 words takes a fifth; "
    .. "one word for all takes one; scattered words take a sector each.",
  topic = "global memory",
  lessons = { "L08" },
  source = "load_patterns.cu",
  kernel = "load_patterns",
  params = {
    { name = "pattern", default = "aligned", values = PATTERNS,
      help = "which word a lane loads" },
    { name = "offset", default = 1, min = 0, max = 64,
      help = "in words: start of pattern offset, word of pattern same" },
  },

  launch = function(p)
    return {
      grid = { 1, 1, 1 }, block = { 32, 1, 1 }, shared = 0,
      args = {
        { name = "out", type = "i32", count = 32, init = "none" },
        { name = "base", type = "i32", count = 4096, init = "iota" },
        { name = "pattern", type = "i32", value = number_of(p.pattern) },
        { name = "offset", type = "i32", value = p.offset },
      },
    }
  end,

  check = function(p, run)
    local base, word = run.input("base"), word_of[p.pattern]
    return expect(run.output("out"), function(lane)
      return base[word(lane, p.offset)]
    end)
  end,
}
