demo { title = "One column nobody uses", minutes = 3, where = "CS 677, case study: transpose" }

local READ = { line = "tile[tx][ty]", kind = "load", space = "shared" }

local function reads(r)
  return r:event(READ).wavefronts
end

scene {
  kernel = "transpose_32x32", at = READ, focus = "banks", big = true, hide = true,
  say = "A warp turns a tile of 32 rows: it goes in by rows and comes out by columns.",
  note = "Do not say conflict yet. Walk one lane with the finger: lane 0 reads tile[0][ty], lane 1 the row below it.",
}
ask {
  "32 lanes read 32 words of a column. How many turns does that take?",
  options = { "1", "2", "16", "32" }, answer = reads, seconds = 40,
  note = "If under 70 % are right: let them talk for two minutes, then v asks again.",
}
reveal {
  say = "{turns} turns. All {words} words lie in one bank, which gives one at a time.",
  values = function(r)
    local read = r:event(READ)
    return { turns = read.wavefronts, words = read.distinct_words }
  end,
  note = "Space plays it again. Then: what is the smallest change to this program that helps?",
}
scene {
  kernel = "transpose_32x33", compare = "transpose_32x32", label = "32 x 32",
  at = READ, focus = "banks", big = true,
  say = "One character: a row of 33. The same column takes {turns} turn instead of {before}.",
  values = function(r, other)
    return { turns = reads(r), before = reads(other) }
  end,
  note = "Nobody ever writes the 33rd column. Wasting 128 bytes makes it faster. No times here: at this size a GPU "
    .. "measures its launch.",
}
whatif {
  param = "type", try = { "double" },
  say = "As double: {turns} turns, and {ideal} are the least for 64 words.",
  values = function(r)
    local read = r:event(READ)
    return { turns = read.wavefronts, ideal = read.ideal }
  end,
}
keep { "A row of 33: every row is one bank further." }
