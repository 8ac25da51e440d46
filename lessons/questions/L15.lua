-- Questions drawn for L15, Warp-level programming.

local function shuffled(kind, arg, width)
  return measure({ kernel = "shfl_variants", params = { kind = kind, arg = arg, width = width or 32 } }):event { kind = "shuffle" }
end

local function lanes_where(holds)
  local bits = 0
  for lane = 0, 31 do
    bits = bits | (holds(lane) and 1 << lane or 0)
  end
  return bits
end

local CALL = { idx = "__shfl_sync", up = "__shfl_up_sync", down = "__shfl_down_sync", xor = "__shfl_xor_sync" }

-- ---- who asks whom -------------------------------------------------------------------------------------------------

local FENCE = "Is that lane in the same group of {width}?"
local ELSEWHERE = {   -- who takes the number of a lane that far away
  idx = "`{arg}` names a lane, it is no distance.", up = "`up` reads from a lower lane.",
  down = "`down` reads from a higher lane.", xor = "`^` flips bits, it does not add.",
}

local function what_it_gets(d)
  local kind = d.pick { "down", "up", "xor", "idx" }
  local arg, width, lane = d.integer(1, 15), d.pick { 8, 16, 32 }, d.integer(0, 31)
  local event = shuffled(kind, arg, width)
  return {
    [[Lane i brings 100 + i to `{call}(0xffffffff, value, {arg}, {width})`.]],
    call = CALL[kind], arg = arg, width = width, lane = lane,
    class = kind,
    ask = "What does lane {lane} get?", answer = event.results[lane], unit = "",
    wrong = d.except(event.results[lane], {
      [100 + lane] = "It has a partner that is inside its group.",
      [100 + lane + arg] = kind == "down" and FENCE or ELSEWHERE[kind],
      [100 + lane - arg] = kind == "up" and FENCE or ELSEWHERE[kind],
    }),
    tips = { "Groups of {width} count their lanes from 0.", "Who asks over the fence keeps its own number." },
    because = "It reads lane {source}.", source = event.sources[lane],
  }
end

local function partner(d)
  local bits, lane = d.pick { 1, 2, 4, 8, 16, 3, 5, 31 }, d.integer(0, 31)
  local event = shuffled("xor", bits)
  return {
    [[A butterfly: lanes exchange with `lane ^ {bits}`.]], bits = bits, lane = lane,
    ask = "With which lane does lane {lane} exchange?", answer = event.sources[lane], unit = "",
    wrong = d.except(event.sources[lane], { [(lane + bits) % 64] = "`^` flips bits, it does not add.",
                                            [lane] = "A lane never swaps with itself here." }),
    tips = { "Write {lane} as five bits, and flip those of {bits}." }, because = "{lane} ^ {bits} = {answer}.",
  }
end

local function keepers(d)
  local kind, arg, width = d.pick { "up", "down" }, d.pick { 1, 2, 4, 3 }, d.pick { 8, 16, 32 }
  local event = shuffled(kind, arg, width)
  return {
    [[`{call}(0xffffffff, value, {arg}, {width})` by all 32 lanes.]], call = CALL[kind], arg = arg, width = width,
    class = kind,
    ask = "Which lanes get their own number?", kind = "mask",
    answer = lanes_where(function(lane) return event.sources[lane] == lane end),
    wrong = { [0] = "What does a lane get that asks over a fence?",
              [(1 << arg) - 1] = "There is more than one group.",
              [lanes_where(function(lane) return event.sources[lane] ~= lane end)] = "Those get another lane's." },
    tips = { "Look at one group of {width}. Who has nobody {arg} away?" },
    because = "{count} in each group of {width}.", count = arg,
  }
end

-- ---- rounds and sums -----------------------------------------------------------------------------------------------

local function rounds_for(d)
  local size = 1 << d.integer(1, 5)
  local run = measure { kernel = "cg_tiles", params = { size = size } }
  local per_tile = run:count { kind = "shuffle", warp = 0 } // (32 // size)
  return {
    [[Tiles of {size} lanes add up their numbers by a butterfly.]], size = size,
    ask = "How many exchanges does a lane make?", answer = log2i(size), unit = "exchanges",
    wrong = { [size - 1] = "All lanes add at the same time.", [size // 2] = "What is known doubles with each exchange." },
    tips = { "After one exchange a lane knows two numbers." },
    because = "2^{answer} = {size}; the run shows {seen} for one tile.", seen = per_tile,
  }
end

local function half_way(d)
  local run = measure { kernel = "warp_reduce" }
  local round, lane = d.integer(1, 3), d.integer(0, 31)
  local event = run:event { kind = "shuffle", nth = round }
  local known = { 2, 4, 8 }
  return {
    [[A butterfly over 16, 8, 4, 2 and 1. Before round {round} lane {lane} holds {own}; its partner holds {got}.]],
    round = round, lane = lane, own = event.values[lane], got = event.results[lane], known = known[round],
    ask = "What does lane {lane} hold after it?", answer = event.values[lane] + event.results[lane], unit = "",
    wrong = { [event.results[lane]] = "It adds what it gets.", [event.values[lane]] = "It has added by then." },
    because = "{own} + {got}: a sum of {known} numbers.",
  }
end

local function who_knows(d)
  local form = d.pick { "down", "butterfly", "down and shfl_sync from lane 0" }
  local run = measure { kernel = "warp_reduce", form = form == "butterfly" and "butterfly" or "down" }
  local out = run:output("out")
  local full = lanes_where(function(lane) return out[lane] == out[0] end)
  return {
    [[A warp adds up 32 different positive numbers by {how}.]],
    how = form == "butterfly" and "a butterfly (`xor`)" or form == "down" and "`__shfl_down_sync`"
      or "`__shfl_down_sync`, and then `__shfl_sync` from lane 0",
    ask = "Which lanes know the sum in the end?", kind = "choice", options = { "lane 0", "all lanes", "lane 31", "the lower half" },
    answer = (form ~= "down" or full == 0xffffffff) and "all lanes" or "lane 0",
    wrong = { ["the lower half"] = "Lane 1 misses the number of lane 0.", ["lane 31"] = "Nobody is above it." },
    tips = { "From which lanes does lane 31 hear?" }, because = "Numbers move towards lane 0; only xor, or a broadcast, tells everybody.",
  }
end

-- ---- scans ---------------------------------------------------------------------------------------------------------

local function scan_value(d)
  local run, lane = measure { kernel = "scan4" }, d.integer(1, 31)
  local event = run:event { kind = "shuffle", nth = 1 }
  local first = lane // 8 * 8
  return {
    [[Lane i begins with 31 - i. Running sums are made in groups of 8 lanes.]], lane = lane, first = first,
    ask = "What does lane {lane} end with?", answer = run:output("out")[lane], unit = "",
    wrong = { [event.values[lane]] = "That is its own number alone.", [31 - first] = "That is the first number of its group." },
    tips = { "Its group begins at lane {first}, which brings {brings}." }, brings = 31 - first,
    because = "The sum of {brings} down to {own}.", own = event.values[lane],
  }
end

local function scan_adders(d)
  local group, distance = d.pick { 4, 8, 16, 32 }, d.pick { 1, 2 }
  local event = shuffled("up", distance, group)
  return {
    [[A scan in groups of {group} lanes: `up` by {distance}, and who gets another lane's number adds it.]],
    group = group, distance = distance,
    ask = "How many of the 32 lanes add?", unit = "lanes",
    answer = popcount(lanes_where(function(lane) return event.sources[lane] ~= lane end)),
    wrong = { [32] = "The first lanes of a group have nobody below.", [32 - distance] = "That is for one group of 32.",
              [group - distance] = "That is one group." },
    tips = { "How many lanes of a group have nobody {distance} below?" },
    because = "{each} of {group} in each group.", each = group - distance,
  }
end

local function scan_work(d)
  local size = 1 << d.integer(2, 5)
  local all, step = 0, 1
  while step < size do
    all, step = all + size - step, step * 2
  end
  local of_one = d.chance(0.4)
  return {
    [[Running sums of {size} numbers, {how}.]], size = size,
    how = of_one and "by one lane, one after the other" or "by {size} lanes, which ask 1, 2, 4, ... below",
    class = of_one and "serial" or "parallel",
    ask = "How many additions in all?", unit = "additions", answer = of_one and size - 1 or all,
    wrong = { [size * log2i(size)] = "In each round some lanes have nobody below and do not add.",
              [log2i(size)] = "Those are rounds.", [size] = "The first one has nothing to add." },
    tips = { "With a distance of 1, how many have somebody below? With 2?" },
    because = "{why}.", why = of_one and "One for each number but the first" or "{size} - 1, {size} - 2, {size} - 4 and so on, added up",
  }
end

-- ---- votes ---------------------------------------------------------------------------------------------------------

local function vote_of(d)
  local period = d.pick { 4, 8, 16, 32 }
  local k = d.integer(1, period - 1)
  return measure { kernel = "vote_match", params = { period = period, k = k, keys = d.integer(2, 12) } }, period, k
end

local function ballot(d)
  local run, period, k = vote_of(d)
  local bits = run:output("ballot")[0]
  return {
    [[All lanes call `__ballot_sync(0xffffffff, laneId % {period} < {k})`.]], period = period, k = k,
    ask = "Which bits are set?", kind = "mask", answer = bits,
    wrong = { [~bits & 0xffffffff] = "Those say no.", [(1 << k) - 1] = "The pattern repeats every {period} lanes." },
    tips = { "Lane i is bit i." }, because = "{bits}: {lanes}.", bits = mask(bits), lanes = lanes_of(bits),
  }
end

local function place(d)
  local run, period, k = vote_of(d)
  local bits = run:output("ballot")[0]
  local lane = d.integer(8, 31)
  local below = popcount(bits & (1 << lane) - 1)
  return {
    [[`who` is a ballot of `laneId % {period} < {k}`. Each lane computes `__popc(who & ((1u << lane) - 1))`.]],
    period = period, k = k, lane = lane,
    ask = "What does lane {lane} get?", answer = below, unit = "",
    wrong = { [popcount(bits)] = "That is the number of all yes votes.", [below + 1] = "Lanes below it, not itself." },
    tips = { "Which of the lanes 0 to {last} say yes?" }, last = lane - 1,
    because = "{answer} lanes below it say yes.",
  }
end

local function same_key(d)
  local run = vote_of(d)
  local keys, lane = run.parameters.keys, d.integer(0, 31)
  local bits = run:output("match")[lane]
  return {
    [[The key of a lane is `laneId % {keys}`. All call `__match_any_sync`.]], keys = keys, lane = lane,
    ask = "How many bits are set in what lane {lane} gets?", answer = popcount(bits), unit = "bits",
    wrong = { [32] = "Only lanes with the same key.", [keys] = "So many keys there are." },
    tips = { "Which lanes have the key of lane {lane}?" }, because = "Lanes {lanes}.", lanes = lanes_of(bits),
  }
end

-- ---- who has to be there -------------------------------------------------------------------------------------------

local function who_is_named(d)
  local lanes = d.pick { 8, 16, 24, 32 }
  local form = d.pick { "all", "right", "outsiders" }
  local run = measure { kernel = "mask_rule", form = form, params = { lanes = lanes } }
  local code = {
    all = "if (lane < {lanes}) v = __shfl_sync(0xffffffff, v, 3);",
    right = "m = __ballot_sync(0xffffffff, lane < {lanes}); if (lane < {lanes}) v = __shfl_sync(m, v, 3);",
    outsiders = "m = __ballot_sync(0xffffffff, lane < {lanes}); v = __shfl_sync(m, v, 3);",
  }
  return {
    "`" .. code[form] .. "`", lanes = lanes,
    class = form,
    ask = "Is the mask right?", options = { "yes", "it names lanes that do not come", "lanes come that it does not name" },
    answer = #run.faults == 0 and "yes" or form == "all" and "it names lanes that do not come" or "lanes come that it does not name",
    wrong = { ["yes"] = "Who is named, and who comes?" },
    tips = { "Count the lanes of the mask, and those that run the call." },
    because = "A mask names just the lanes that execute the call.",
  }
end

local function which_barrier(d)
  local case = d.pick {
    { "32 lanes of one warp write shared memory and read each other's words", "__syncwarp()" },
    { "a block of eight warps writes shared memory and all read all words", "__syncthreads()" },
    { "lanes add up registers with __shfl_xor_sync", "none" },
    { "warp 0 reads a word that each of the other warps has written to shared memory", "__syncthreads()" },
  }
  return {
    [[{what}.]], what = (case[1]:gsub("^%l", string.upper)),
    ask = "Which barrier is needed in between, at the least?", options = { "none", "__syncwarp()", "__syncthreads()" }, answer = case[2],
    wrong = { ["none"] = "Nobody promises that lanes, or warps, walk in step.", ["__syncwarp()"] = "That waits for lanes of one warp.",
              ["__syncthreads()"] = "That works; less would do." },
    tips = { "Who writes, who reads, and are they in one warp?" }, because = "Through memory one has to wait; a shuffle waits by itself.",
  }
end

local function barriers_of_sum(d)
  local warps = 1 << d.integer(1, 5)
  local by_shuffles = d.chance(0.5)
  local run = by_shuffles and measure { kernel = "block_sum_shuffle", params = { warps = warps } }
    or measure { kernel = "reduce2", params = { N = 64, blocks = 1, threads = 32 * warps } }
  return {
    [[A block of {threads} threads adds up a number of each, {how}.]], threads = 32 * warps,
    how = by_shuffles and "warps by shuffles, then warp 0 the words of the warps"
      or "by a tree in shared memory, one level after the other",
    class = by_shuffles and "shuffles" or "tree",
    ask = "How many barriers of the block does each warp pass?", unit = "barriers", answer = run.counters.barriers // warps,
    wrong = { [5] = "Rounds of shuffles need no barrier.", [0] = "Words of other warps are read.",
              [log2i(32 * warps)] = not by_shuffles and "And one between filling and the first level." or nil },
    tips = { "How often do words go from one warp to another?" }, because = "{why}.",
    why = by_shuffles and "Words of warps cross once" or "One after filling, and one for each level",
  }
end

return {
  skill { id = "source", looks = { what_it_gets, partner, keepers } },
  skill { id = "sum", looks = { rounds_for, half_way, who_knows } },
  skill { id = "scan", family = "FQ6", looks = { scan_value, scan_adders, scan_work } },
  skill { id = "votes", family = "EQ10", looks = { ballot, place, same_key } },
  skill { id = "there", family = "EQ22", looks = { who_is_named, which_barrier, barriers_of_sum } },
}
