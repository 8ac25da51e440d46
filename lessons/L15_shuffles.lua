-- L15: how 32 lanes tell one another something, and who has to be there when they do.

local XOR = { kind = "shuffle" }
local ADDS = "value += n"

local function shuffled(kind, arg, width)
  return measure { kernel = "shfl_variants", params = { kind = kind, arg = arg, width = width or 32 } }
end

-- Lanes for which a condition holds, as a mask.
local function lanes_where(holds)
  local bits = 0
  for lane = 0, 31 do
    bits = bits | (holds(lane) and 1 << lane or 0)
  end
  return bits
end

recall(2)

-- 1. a sum without memory --------------------------------------------------------

local butterfly = measure { kernel = "warp_reduce" }
local rounds = butterfly:count(XOR)
local first, third = butterfly:event { kind = "shuffle", nth = 1 }, butterfly:event { kind = "shuffle", nth = 3 }
local total = butterfly:output("out")[0]

show(butterfly, { at = "start" })
predict {
  id = "rounds", title = "A sum without memory",
  [[
  Lane i holds 31 - i. The lanes exchange registers, no memory is used. In one exchange each lane gets one number from one other lane.
  ]],
  ask = "After how many exchanges can every lane know the sum?", unit = "exchanges", answer = rounds,
  wrong = {
    [31] = "One after the other, yes. Here all lanes add at the same time.",
    [16] = "What is known doubles with each exchange.",
    [6] = "After the first one a lane knows two numbers.",
  },
  tips = { "After one exchange a lane knows 2 numbers. After two?" },
  because = "2, 4, 8, 16, 32 numbers: {answer} exchanges, no memory and no barrier.",
  show = { run = butterfly, at = XOR, focus = "shuffle" },
}

explain {
  title = "The butterfly",
  [[
  A *shuffle* reads a register of another lane. Here lane i swaps with lane `i ^ 16`, then with `i ^ 8`, 4, 2 and 1, and adds what
  it gets.

  In the end all {lanes} lanes hold {total}. Press `n` for the next round, and watch the arrows.
  ]],
  lanes = 32, total = total,
}

predict {
  id = "partner", title = "A partner",
  [[The third round exchanges with `i ^ 4`.]],
  ask = "With which lane does lane 13 swap?", unit = "", answer = third.sources[13],
  wrong = { [17] = "That is 4 further on. `^` flips one bit of the number.", [12] = "That is the round of 1." },
  tips = { "13 is `1101` in binary. Flip the 4." },
  because = "`1101` becomes `1001`: {answer}. And lane {answer} swaps with lane 13.",
  show = { run = butterfly, at = { kind = "shuffle", nth = 3 }, focus = "shuffle", lane = 13 },
}

predict {
  id = "halfway", title = "Half way",
  [[Back to the first round, `i ^ 16`. Lane i began with `31 - i`.]],
  ask = "What does lane 3 hold after it?", unit = "", answer = first.values[3] + first.results[3],
  wrong = {
    [first.values[3]] = "It has added lane 19's number by then.",
    [first.results[3]] = "It *adds* what it gets.",
  },
  tips = { "Who is its partner, and what does that one hold?" },
  because = "{own} and lane 19's {got}.", own = first.values[3], got = first.results[3],
}

local down = measure { kernel = "warp_reduce", form = "down" }
local sums = down:output("out")
predict {
  id = "down", title = "Downwards", kind = "mask",
  [[The same with `__shfl_down_sync`: lane i gets the number of lane `i + 16`, then of `i + 8`, and so on.]],
  ask = "Which lanes hold the whole sum in the end?",
  answer = lanes_where(function(lane) return sums[lane] == total end),
  wrong = {
    [0xffffffff] = "Only the butterfly tells all. Above lane 31 there is nobody.",
    [0x0000ffff] = "Lane 1 misses what lane 0 brought.",
  },
  tips = { "Whom does lane 31 ask?" },
  because = "Lane 0. The others hold less or more: lane 1 {one}, lane 31 {last}.", one = sums[1], last = sums[31],
  show = { run = down, at = { kind = "shuffle", nth = 1 }, focus = "shuffle" },
}

-- 2. four ways, and fences ---------------------------------------------------------

local fenced = shuffled("down", 4, 8)
local at_fence = fenced:event(XOR)

show(shuffled("down", 4, 32), { at = XOR, focus = "shuffle" })
explain {
  title = "Four ways to name a lane",
  [[
  - `__shfl_sync`: a number
  - `__shfl_up_sync`: so many lanes below me
  - `__shfl_down_sync`: so many above me
  - `__shfl_xor_sync`: bits to flip

  A last argument, the *width*, puts up fences: groups of 8, say, that count their lanes from 0.
  ]],
}

predict {
  id = "fence", title = "At the fence",
  [[`down` by 4 with width 8. Lane i brings `100 + i`.]],
  ask = "What does lane 6 get?", unit = "", answer = at_fence.results[6],
  wrong = {
    [110] = "Lane 10 is beyond the fence.", [102] = "It does not come round again.", [0] = "It keeps its own number.",
  },
  tips = { "Which lanes are in lane 6's group of 8?" },
  because = "Its own: lane 10 lies in the next group.",
  show = { run = fenced, at = XOR, focus = "shuffle", lane = 6 },
}

local up = shuffled("up", 1, 8)
local up_event = up:event(XOR)
predict {
  id = "keepers", title = "Who keeps its own?", kind = "mask",
  [[Now `up` by 1, again with width 8: lane i asks lane i - 1.]],
  ask = "Which lanes get their own number back?",
  answer = lanes_where(function(lane) return up_event.sources[lane] == lane end),
  wrong = {
    [0x00000001] = "Each group of 8 has a first lane.",
    [0x80808080] = "Those have a lane below them.",
  },
  tips = { "Whom would the first lane of a group ask?" },
  because = "0, 8, 16 and 24: the first lane of each group.",
  show = { run = up, at = XOR, focus = "shuffle" },
}

run { kernel = "shfl_variants", params = { kind = "down", arg = 4, width = 32 }, at = XOR, focus = "shuffle" }
try {
  title = "Your turn: turn it round",
  [[Lane i brings 100 + i. Change kind, arg and width; the arrows follow.]],
  goal = "Lane 0 gets 131 and lane 31 gets 100, all others in between.",
  params = { "kind", "arg", "width" }, solution = { kind = "xor", arg = 31, width = 32 },
  tips = { "Lane i wants lane 31 - i.", "What flips all five bits?" },
  reached = function(r)
    local out = r:output("out")
    for lane = 0, 31 do
      if out[lane] ~= 131 - lane then
        return false, string.format("lane %d gets %d", lane, out[lane])
      end
    end
    return true, "all of them"
  end,
}

-- 3. running sums -------------------------------------------------------------------

local scan = measure { kernel = "scan4" }

-- Lanes change from round to round on the line that adds.
local scan_rounds, additions, before = 0, 0, nil
for nth = 1, scan:count { line = ADDS } do
  local active = scan:event { line = ADDS, nth = nth }.active
  if active ~= before then
    scan_rounds, before, additions = scan_rounds + 1, active, additions + popcount(active)
  end
end

show(scan, { at = XOR, focus = "shuffle" })
explain {
  title = "A running sum",
  [[
  Each lane wants the sum of its own number and all below it, in groups of 8. `scan4` asks 1 lane below, then 2, then 4; who has
  nobody there does not add.

  Lane 3 ends with {three}: its own number and three others.
  ]],
  three = scan:output("out")[3],
}

-- As written, the first of two branches leads past the addition.
local function past(round)
  return { line = "if ((laneId & 7) >= i)", kind = "branch", nth = 2 * round - 1 }
end

trace {
  id = "scan", title = "Be the warp",
  [[Groups of eight lanes. In round i = 1, 2, 4 lanes with `(laneId & 7) >= i` add, the others go past.]],
  run = scan, ask = "taken", focus = "divergence", at = { past(1), past(2), past(3) }, question = "Which lanes go past the addition?",
  wrong = {
    [1] = { [0x00000001] = "Lanes 8, 16 and 24 are first lanes, too.", [0xfefefefe] = "Those add. Who does not?" },
    [3] = { [0xf0f0f0f0] = "Those have somebody four below them. Who has not?" },
  },
  tips = { "Write down lanes 0 to 7, then repeat." },
  because = "1, 2 and 4 lanes of each group have nobody that far below.",
}

local serial = 4 * 7
explain {
  title = "Work and steps",
  [[
  {all} additions in {rounds} rounds, {each} in each group. One lane alone makes {one} for a group, {serial} for all, but one after
  the other.

  The scan is *not work-efficient*: it adds more than needed, to be done sooner. Inside a warp that is free: idle lanes cost nothing.
  ]],
  all = additions, rounds = scan_rounds, each = additions // 4, one = serial // 4, serial = serial,
}

local inside = measure { kernel = "scan4", form = "inside" }
local wanted, given = scan:output("out")[2], inside:output("out")[2]
show(scan, { at = XOR, focus = "shuffle" })
predict {
  id = "inside", title = "An if in the wrong place", kind = "choice", sure = true,
  [[Somebody moves the shuffle into the `if`: `if ((laneId & 7) >= i) value += __shfl_up_sync(...)`. Who does not add need not ask.]],
  ask = "What comes of it?",
  options = { "the same, faster", "the same, slower", "some lanes get what is not defined", "it does not compile" },
  answer = inside.verdict == "wrong" and "some lanes get what is not defined" or "the same, faster",
  wrong = {
    ["the same, faster"] = "Lane 1 wants the number of lane 0. Is lane 0 there?",
    ["the same, slower"] = "Look at who is asked, not at who asks.",
    ["it does not compile"] = "It does.",
  },
  tips = { "Which lanes are inside when i = 1? Whom does lane 1 ask?" },
  because = "Lane 0 is not in the room, and lane 1 asks it. Lane 2 ends with {given} here, where {wanted} is right.",
  given = given, wanted = wanted,
  show = { run = inside, at = XOR, focus = "shuffle" },
}

local function ends_with(lane, number, says)
  return says:gsub("LANE", tostring(lane)):gsub("NUMBER", tostring(number))
end
local all_add = measure { kernel = "scan4", form = "nocondition" }

modify {
  id = "condition", title = "The condition",
  [[All lanes come to the shuffle; only some may add. Complete the line.]],
  kernel = "scan4", form = "nocondition", line = "value += n;",
  blank = "    if (____) value += n;", fill = "(laneId & 7) >= i", accept = { "laneId % 8 >= i", "i <= (laneId & 7)" },
  wrong = {
    ["true"] = (ends_with(0, all_add:output("out")[0], "Lane LANE gets its own number and doubles it, three times: NUMBER.")),
    ["laneId >= i"] = "The first group is right. Lanes 8, 16 and 24 are first lanes, too.",
    ["(laneId & 7) > i"] = "Then lane 1 does not add lane 0.",
  },
  offered = { "n > 0" },
  tips = { "Which lanes of a group have nobody i below them?" },
  because = "Ask all, and let those add who got something.",
}

local wide = measure { kernel = "scan4", form = "nowidth" }
local changed = 0
for lane = 0, 31 do
  changed = changed + (wide:output("out")[lane] ~= scan:output("out")[lane] and 1 or 0)
end
predict {
  id = "nowidth", title = "Without the fence", sure = true,
  [[The right condition stays, but `, 8` is left out of the shuffle.]],
  ask = "How many of the 32 results change?", unit = "", answer = changed,
  wrong = {
    [12] = "Lanes at the fence get another number now. Do they use it?",
    [8] = "Who is behind a fence does not add.",
    [24] = "Only what is added counts.",
  },
  tips = { "What becomes of a number from over the fence?" },
  because = "None. Lanes at the fence do get a neighbor's number, and the `if` throws it away.",
  show = { run = wide, at = XOR, focus = "shuffle" },
}

-- 4. votes -------------------------------------------------------------------------

local vote = measure { kernel = "vote_match" }
local ballot = vote:output("ballot")[0]

hide()
predict {
  id = "ballot", title = "A vote", kind = "mask",
  [[Every lane brings yes or no: `laneId % {period} < {k}`. `__ballot_sync` gives all of them 32 bits, one for each lane.]],
  period = vote.parameters.period, k = vote.parameters.k,
  ask = "Which bits are set?", answer = ballot,
  wrong = {
    [0x00000007] = "The pattern repeats.", [0xe0e0e0e0] = "Lane 0 is the lowest bit.",
  },
  tips = { "Which lanes say yes?" },
  because = "{bits}. `any` is true and `all` is false, for every lane.", bits = mask(ballot),
}

local rank = measure { kernel = "warp_rank" }
local places = rank:output("out")
show(rank, { at = "start" })
modify {
  id = "place", title = "A place for everybody",
  [[{n} of 32 lanes want to write, close together. `who` holds the yes votes. Which place is mine?]], n = #places,
  kernel = "warp_rank", line = "int place =", blank = "  int place = __popc(who & (____));",
  fill = "(1u << lane) - 1", accept = { "(1 << lane) - 1", "~(0xffffffff << lane)" }, runs = { {}, { first = 1 } },
  wrong = {
    ["(2u << lane) - 1"] = "You counted yourself.",
    ["1u << lane"] = "One bit is yes or no, not how many before me.",
    ["lane"] = "A number of a lane is no mask of lanes.",
  },
  offered = { "0xffffffff" },
  tips = { "How many yes votes are *below* me?" },
  because = "A mask of all lanes below me, and `__popc` counts. No atomic was needed.",
}

local match = vote:event { kind = "match" }
show(vote, { at = { kind = "match" } })
explain {
  title = "The same key?",
  [[
  `__match_any_sync` gives each lane the mask of those with its key. With `laneId % {keys}` lane 0 gets {zero}, lane 1 {one}.

  One lane of each mask can then speak for all: one atomic in place of {many}.
  ]],
  keys = vote.parameters.keys, zero = mask(match.results[0]), one = mask(match.results[1]), many = popcount(match.results[0]),
}

predict {
  id = "everybody", title = "Eyes closed", kind = "several",
  [[After some of these *every* lane knows the answer.]],
  ask = "After which?",
  options = { "a ballot", "a sum by shfl_down", "a sum by shfl_xor", "any", "shfl_sync from lane 0" },
  answer = { "a ballot", "a sum by shfl_xor", "any", "shfl_sync from lane 0" },
  wrong = { ["a sum by shfl_down"] = "Only lane 0 has the whole sum." },
  because = "A sum downwards ends in lane 0, and must be told to the others.",
}

-- 5. who has to be there -------------------------------------------------------------

local named_all = measure { kernel = "mask_rule", form = "all" }
hide()
predict {
  id = "mask", title = "Who has to be there?", kind = "choice",
  [[`if (lane < {lanes}) value = __shfl_sync(0xffffffff, value, 3);`]], lanes = named_all.parameters.lanes,
  ask = "What is to be said of it?",
  options = { "all is well", "the mask names lanes that do not come", "the others get it, too" },
  answer = #named_all.faults > 0 and "the mask names lanes that do not come" or "all is well",
  wrong = {
    ["all is well"] = "Lane 3 is there. But the mask promises 32 lanes.",
    ["the others get it, too"] = "They never run this line.",
  },
  tips = { "How many lanes does the mask name? How many come?" },
  because = "The rule, which the lecture leaves out: a mask names just the lanes that execute this call, the caller among them.",
  show = { run = named_all, at = XOR, focus = "shuffle" },
}

local ruled = measure { kernel = "mask_rule" }
show(ruled, { at = { kind = "vote" } })
explain {
  title = "Before they part",
  [[
  A ballot *before* the `if` says who will come; that mask is right inside. Here it is {bits}.

  `__activemask()` is no cure. It says who happens to be together at this moment, not who should be.
  ]],
  bits = mask(ruled:event { kind = "vote" }.results[0]),
}

-- 6. each lane for itself ---------------------------------------------------------------

local modern = measure { kernel = "warp_meeting", cut = "written" }
local stack = measure { kernel = "warp_meeting", cut = "written", sched = "stack" }
local turned = measure { kernel = "warp_meeting", form = "sets", cut = "written", sched = "stack" }

show(modern, { at = { line = "while (*flag == 0)", kind = "branch" }, focus = "divergence" })
explain {
  title = "Each lane for itself",
  [[
  Lanes 0 to 15 wait for a flag that lanes 16 to 31 set. Since Volta every lane has its own place in the program, so both
  halves go on in turns. It ends, and the answer is {verdict}.
  ]],
  verdict = modern.verdict,
}

predict {
  id = "one-place", title = "One place for all", kind = "choice",
  [[Before Volta a warp had one place in the program, and did the two sides of an `if` one after the other.]],
  ask = "What happens there?", options = { "it ends", "it never ends", "half of the lanes end" },
  answer = #stack.faults > 0 and stack.faults[1].kind == "livelock" and "it never ends" or "it ends",
  wrong = {
    ["it ends"] = "Who sets the flag, if the warp stays with those who wait?",
    ["half of the lanes end"] = "The other half is behind the loop, and the warp is in it.",
  },
  tips = { "There is one place in the program for all 32. Where is it?" },
  because = "The warp spins with the lanes that wait. The others are never turned to.",
}

explain {
  title = "Which side first?",
  [[
  With the sides exchanged, the half that sets the flag happens to go first here, and the old machine ends, too ({turned}).
  Compiled code may choose the other way.

  The lecture says that the `if` side runs first, and that lanes are together again behind it. Neither is promised.
  ]],
  turned = turned.verdict,
}

local function exchange(seed)
  return measure { kernel = "syncwarp_exchange", form = "nosyncwarp", cut = "written", seed = seed }
end
local function wrong_lanes(r)
  local out, count = r:output("out"), 0
  for lane = 0, 31 do
    count = count + (out[lane] ~= 31 - (lane ~ r.parameters.distance) and 1 or 0)
  end
  return count
end
local lucky, unlucky = exchange(0), nil
for seed = 1, 20 do
  unlucky = unlucky or wrong_lanes(exchange(seed)) > 0 and exchange(seed) or nil
end
assert(unlucky, "no seed up to 20 shows the race")

show(lucky, { at = "start" })
predict {
  id = "in-step", title = "Surely in step", sure = true,
  [[
  Each lane writes a word of shared memory and reads its neighbor's. There is no `__syncwarp()` in between. It is run once.
  ]],
  ask = "How many lanes get a wrong number in this run?", unit = "lanes", answer = wrong_lanes(lucky),
  wrong = { [32] = "The lanes happened to run in step.", [16] = "The lanes happened to run in step." },
  because = "{answer}: they happened to walk in step. The checker tells a race all the same.",
  show = { run = lucky, at = { line = "int other", kind = "load" } },
}

show(unlucky, { at = { line = "int other", kind = "load" } })
explain {
  title = "Another order",
  [[
  The same program, with lanes in another order: {wrong} are wrong.

  A right result proves nothing. `__syncwarp()` between writing and reading costs next to nothing, and makes it right in every
  order.
  ]],
  wrong = counted(wrong_lanes(unlucky), "lane"),
}

local never = measure { kernel = "divergent_barrier", form = "inside" }
hide()
predict {
  id = "barrier", title = "A barrier for some", kind = "choice",
  [[The barrier of the block stands inside `if (id < n)`, n = {n}. A warp is divided.]], n = never.parameters.n,
  ask = "What can be relied on?", options = { "it hangs", "it works", "nothing" },
  answer = #never.faults > 0 and "nothing" or "it works",
  wrong = {
    ["it hangs"] = "Some GPUs hang, others go on. Here the answer is {verdict}.",
    ["it works"] = "It happened to, here. The checker tells why it need not.",
  },
  verdict = never.verdict,
  because = "`__syncthreads()` is for all threads of a block, or for none.",
  show = { run = never, at = { kind = "barrier", warp = 1 }, focus = "barrier" },
}

-- 7. together --------------------------------------------------------------------------

local whole = measure { kernel = "block_sum_shuffle" }
local tree = measure { kernel = "reduce2", params = { N = 256, blocks = 1 } }
show(whole, { at = "start" })
predict {
  id = "block", title = "All together now",
  [[
  A block of {warps} warps: each shuffles its numbers together and leaves one word in shared memory; then warp 0 adds these words.
  A tree would pass {tree} barriers.
  ]],
  warps = whole.warps, tree = tree.counters.barriers // tree.warps,
  ask = "How many barriers does each warp pass here?", unit = "barriers", answer = whole.counters.barriers // whole.warps,
  wrong = { [2] = "One word goes one way only.", [5] = "The rounds of shuffles need none.", [0] = "Warp 0 must wait for the words." },
  tips = { "Only one word of each warp goes through shared memory." },
  because = "{answer}. Shuffles: {shuffles}, for {nine} warp sums.",
  shuffles = whole.counters.shuffles, nine = whole.counters.shuffles // rounds,
  show = { run = whole, at = { kind = "barrier" }, focus = "barrier" },
}

local tiles = measure { kernel = "cg_tiles" }
local tile_sums, listed = tiles:output("sum"), {}
for i = 0, #tile_sums - 1 do
  listed[#listed + 1] = tostring(tile_sums[i])
end
local one = measure { kernel = "reduce_sync", params = { n = 32, warps = 1 } }
show(tiles, { at = XOR, focus = "shuffle" })
explain {
  title = "Groups with a name",
  [[
  *Cooperative groups* give such lanes a name: `tiled_partition<{size}>` makes tiles with a size, ranks, shuffles and a barrier of
  their own. The sums of the lanes' numbers by tiles: {sums}.

  And since compute capability 8.0 `__reduce_add_sync` does a whole warp in {redux}.
  ]],
  size = tiles.parameters.size, sums = table.concat(listed, ", "), redux = counted(one:count { kind = "redux" }, "instruction"),
}

-- 8. to keep ---------------------------------------------------------------------------

hide()
rubric {
  id = "efficient", title = "Two sums",
  ask = "A scan of eight numbers by one lane, or by eight lanes in rounds: compare work and steps.",
  model = [[One lane makes 7 additions, one after the other: 7 steps, the least work. Eight lanes make 17 additions in 3 rounds:
more work, fewer steps. It is not work-efficient. In a warp that is fine, because lanes that are idle cost nothing; for large
arrays n log n additions would cost time.]],
  points = { "the additions of one lane", "the additions of all lanes", "steps or rounds of both", "when the extra work is free" },
}

check { draw = 5 }

recite {
  title = "From memory", ask = "What is to be kept of warps that talk? One line each.",
  [[
  - Five exchanges tell 32 lanes everything.
  - xor tells all; down tells lane 0.
  - Who asks over a fence gets its own number.
  - All shuffle, then those add who may.
  - The mask names just those who come.
  - Lanes in step are luck: `__syncwarp()`.
  ]],
}

finish {
  title = "Warps: what to keep",
  [[
  Lanes can talk without memory, if all who are named come to the call.

  Next: what happens when two threads write to one place.
  ]],
  next = "L16",
}
