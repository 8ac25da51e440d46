local PATTERNS = { "order", "permuted", "pairs", "two-way", "three-way",
  "column", "xor" }

local function number_of(pattern)
  for number, name in ipairs(PATTERNS) do
    if name == pattern then
      return number
    end
  end
end

-- The words are filled with their own numbers, so these are also the values.
local word_of = {
  order = function(lane) return lane end,
  permuted = function(lane) return lane ~ 5 end,
  pairs = function(lane) return lane // 2 end,
  ["two-way"] = function(lane) return 2 * lane end,
  ["three-way"] = function(lane)
    return lane % 8 + 32 * (lane < 8 and 0 or lane < 16 and 1 or 2)
  end,
  column = function(lane) return 32 * lane end,
  xor = function(lane) return 32 * lane + (lane ~ 3) end,
}

return {
  name = "bank_patterns", id = "K37",
  title = "Bank conflicts, pattern by pattern",
  about = "One warp reads 32 words of shared memory. What counts is how many "
    .. "different words one bank has to give: 1, 1, 1, 2 and 3 for patterns "
    .. "(a) to (e), 32 down a column, and 1 for the column of a tile stored "
    .. "with an xor swizzle.",
  topic = "shared memory",
  lessons = { "L11" },
  source = "bank_patterns.cu",
  kernel = "bank_patterns",
  params = {
    { name = "pattern", default = "order", values = PATTERNS,
      help = "which word a lane reads: (a) order, (b) permuted, (c) pairs, "
        .. "(d) two-way, (e) three-way; column and xor: of 32 x 32" },
  },

  launch = function(p)
    return {
      grid = { 1, 1, 1 }, block = { 32, 1, 1 }, shared = 0,
      args = {
        { name = "out", type = "i32", count = 32, init = "none" },
        { name = "pattern", type = "i32", value = number_of(p.pattern) },
      },
    }
  end,

  check = function(p, run)
    return expect(run.output("out"), word_of[p.pattern])
  end,
}
