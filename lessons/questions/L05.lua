-- Questions drawn for L05, Blocks, SMs, waves.

local function waves(params)
  return model { "waves", params = params }
end

local function queues(launches, rule)
  return model { "queues", params = { launches = launches, rule = rule or "any stream" } }
end

-- A device and a grid that does not fit at once.
local function case(d)
  local sms, each = d.pick { 8, 15, 20, 36, 80, 108, 132 }, d.pick { 1, 2, 4, 6, 8 }
  local rest = d.integer(1, sms * each)
  local blocks = sms * each * d.integer(1, 5) + rest
  return sms, each, blocks, waves { sms = sms, per_sm = each, blocks = blocks }
end

-- ---- waves ---------------------------------------------------------------------------------------------------------

local function how_many(d)
  local sms, each, blocks, w = case(d)
  return {
    [[{blocks} equal blocks run on {sms} SMs; {each} at a time on each.]], sms = sms, each = each, blocks = blocks,
    ask = "How many waves?", answer = w.waves, unit = "waves",
    wrong = d.except(w.waves, {
      [blocks // (sms * each)] = "And the blocks that are left?",
      [cdiv(blocks, sms)] = "Each SM takes {each} at once.",
    }),
    tips = { "How many run at once?" }, because = "{blocks} / {places}, rounded up.", places = sms * each,
  }
end

local function in_the_last(d)
  local sms, each, blocks, w = case(d)
  return {
    [[{blocks} equal blocks run on {sms} SMs; {each} at a time on each.]], sms = sms, each = each, blocks = blocks,
    ask = "How many blocks does the last wave have?", answer = w.last, unit = "blocks",
    wrong = d.except(w.last, {
      [0] = "A wave without blocks is none: then the one before is the last.",
      [blocks % sms] = "Each SM takes {each} at once.",
      [sms * each] = "That is a full one.",
    }),
    tips = { "How many are left when full waves are taken away?" },
    because = "{full} full waves of {places} come before it.",
    full = w.waves - 1, places = sms * each,
  }
end

local function how_long(d)
  local sms, each, blocks, w = case(d)
  local ms = d.integer(2, 9)
  return {
    [[{blocks} blocks of {ms} ms run on {sms} SMs; {each} at a time on each, and they do not slow one another.]],
    sms = sms, each = each, blocks = blocks, ms = ms,
    ask = "How long does it take?", answer = w.seconds * ms, unit = "milliseconds",
    wrong = d.except(w.seconds * ms, {
      [w.waves] = "So many waves. How long is one?",
      [blocks * ms / (sms * each)] = "A block is not cut up: the last wave takes as long as a full one.",
      [(w.waves - 1) * ms] = "The rest needs a whole wave.",
    }),
    tips = { "How many waves, and how long is each?" }, because = "{waves} waves of {ms} ms.", waves = w.waves,
  }
end

-- ---- use -----------------------------------------------------------------------------------------------------------

local function percent_used(d)
  local sms, blocks = d.pick { 4, 5, 8, 10, 20 }, d.integer(3, 60)
  local w = waves { sms = sms, blocks = blocks }
  return {
    [[{blocks} equal blocks run on {sms} SMs, one at a time on each.]], sms = sms, blocks = blocks,
    ask = "How much of the SMs' time is used?", unit = "%", tolerance = 0.6, answer = 100 * w.used,
    wrong = d.except(100 * w.used, { [100 * w.last_full] = "That is the last wave alone." }),
    tips = { "How many blocks could run in so many waves?" }, because = "{blocks} of {could} places, in {waves}.",
    could = w.waves * sms, waves = counted(w.waves, "wave"),
  }
end

local function lost(d)
  local count, part = d.pick { 2, 4, 5, 10, 20, 25 }, d.pick { 2, 4 }
  local w = waves { sms = 8, blocks = 8 * (count - 1) + 8 // part }
  return {
    [[A grid takes {count} waves. The last one is full to {share} %.]], count = count, share = 100 // part,
    ask = "How much of the time is lost?", unit = "%", tolerance = 0.1, answer = 100 * (1 - w.used),
    wrong = d.except(100 * (1 - w.used), {
      [100 / count] = "So long is the last wave. A part of it is used.",
      [100 - 100 // part] = "That is lost in the last wave. How large a part of the time is it?",
    }),
    tips = { "What share of the time is the last wave?" }, because = "{empty} % of one wave of {count}.",
    empty = 100 - 100 // part,
  }
end

local function best_grid(d)
  local sms, each = d.pick { 20, 36, 80, 132 }, d.pick { 2, 4, 8 }
  local places, options, best = sms * each, {}, nil
  for _, blocks in ipairs(d.shuffle { places * d.integer(1, 3), places + d.integer(1, 9), sms, places // 2 * 3 }) do
    options[#options + 1] = tostring(blocks)
    if blocks % places == 0 then best = tostring(blocks) end
  end
  return {
    [[A grid-stride loop takes a grid of any size. The GPU has {sms} SMs and room for {each} blocks on each.]],
    sms = sms, each = each,
    ask = "How many blocks leave no place empty in any wave?", kind = "choice", options = options, answer = best,
    wrong = { [tostring(sms)] = "Each SM has room for {each}." },
    tips = { "How many places are there?" }, because = "{places} places: a whole multiple of that.", places = places,
  }
end

-- ---- the queue -----------------------------------------------------------------------------------------------------

local function queued(d)
  local sms, each, blocks, w = case(d)
  return {
    [[{blocks} blocks are launched on {sms} SMs, each with room for {each}.]], sms = sms, each = each, blocks = blocks,
    ask = "How many have to wait at first?", answer = w.queued, unit = "blocks",
    wrong = d.except(w.queued, {
      [w.last] = "That is the last wave. How many wait at the start?",
      [blocks - sms] = "Each SM takes {each} at once.",
      [sms * each] = "Those run.",
    }),
    tips = { "How many run at once?" }, because = "{blocks} - {sms} x {each}.",
  }
end

local function begins(d)
  local sms, ms = d.pick { 4, 6, 8, 10, 16 }, d.integer(2, 6)
  local number = d.integer(sms, 6 * sms)
  return {
    [[Blocks of {ms} ms on {sms} SMs, one at a time on each. Say they start by their numbers, from 0, at time 0.]],
    sms = sms, ms = ms,
    ask = "When does block {number} begin?", number = number, unit = "milliseconds",
    answer = (waves { sms = sms, blocks = number + 1 }.seconds - 1) * ms,
    wrong = {
      [number * ms] = "They run side by side.",
      [waves { sms = sms, blocks = number + 1 }.seconds * ms] = "Then it ends.",
      [number // sms] = "So many waves before it. How long is one?",
    },
    tips = { "In which wave is it?" }, because = "{before} waves of {ms} ms come before it.", before = number // sms,
  }
end

local function warps_on_sm(d)
  local threads, each, sms = d.pick { 40, 64, 96, 128, 200, 256 }, d.integer(2, 8), d.pick { 8, 20, 36 }
  return {
    [[Blocks of {threads} threads; each of {sms} SMs has room for {each}. Many blocks wait.]],
    threads = threads, each = each, sms = sms,
    ask = "How many warps does one SM hold?", answer = cdiv(threads, 32) * each, unit = "warps",
    wrong = d.except(cdiv(threads, 32) * each, {
      [threads * each] = "Those are threads.", [cdiv(threads, 32)] = "That is one block.",
      [threads * each / 32] = "Each block is cut by itself, and a part of a warp is a warp.",
      [cdiv(threads, 32) * each * sms] = "That is the whole GPU.",
    }),
    tips = { "How many warps is a block?" },
    because = "{warps} warps a block, {each} blocks.", warps = cdiv(threads, 32),
  }
end

-- ---- pieces, and long blocks ---------------------------------------------------------------------------------------

local function cut_up(d)
  local sms, blocks, cut = d.pick { 4, 6, 8 }, d.integer(5, 20), d.integer(2, 5)
  local w = waves { sms = sms, blocks = blocks, cut = cut }
  local whole = waves { sms = sms, blocks = blocks }
  return {
    [[
    {blocks} blocks of a second on {sms} SMs, one at a time on each.
    Now each block is cut into {cut}, of 1 / {cut} second.
    ]],
    sms = sms, blocks = blocks, cut = cut,
    ask = "How long does it take now?", answer = w.seconds, unit = "seconds", tolerance = 0.02,
    wrong = math.abs(whole.seconds - w.seconds) > 0.05 and { [whole.seconds] = "So long it took before." } or nil,
    tips = { "How many waves of {sms}? How long is one?" }, because = "{waves} waves of 1 / {cut} second.",
    waves = cdiv(blocks * cut, sms),
  }
end

local function long_one(d)
  local sms, rounds, long, first = d.pick { 4, 6, 8 }, d.integer(2, 5), d.integer(3, 8), d.chance(0.4)
  local blocks = sms * rounds + 1
  local w = waves { sms = sms, blocks = blocks, long = long, at = first and 0 or blocks - 1 }
  return {
    [[{blocks} blocks on {sms} SMs, one at a time on each. All take a second, but the {which} to start takes {long}.]],
    blocks = blocks, sms = sms, long = long, which = first and "first" or "last",
    class = first and "first" or "last",
    ask = "When is all done?", answer = w.seconds, unit = "seconds",
    wrong = d.except(w.seconds, {
      [long] = "The others also need places.", [rounds + 1] = "That is with equal blocks.",
      [rounds + long] = "It begins at once.",
    }),
    tips = { "When does the long one begin, and what do the other SMs do meanwhile?" },
    because = first and "It keeps one SM for {long} seconds; the others share the rest."
      or ("It begins at %d."):format(rounds),
  }
end

local function tail_idle(d)
  local sms, rounds, long = d.pick { 4, 6, 8, 16 }, d.integer(1, 5), d.integer(2, 9)
  local w = waves { sms = sms, blocks = sms * rounds + 1, long = long, at = sms * rounds }
  return {
    [[{blocks} blocks of a second, then one of {long} seconds, on {sms} SMs, one at a time on each.]],
    blocks = sms * rounds, long = long, sms = sms,
    ask = "For how long do most SMs have nothing to do at the end?", answer = w.tail, unit = "seconds",
    wrong = d.except(w.tail, { [1] = "The last one takes longer.", [rounds + long] = "That is the whole time." }),
    tips = { "When does the long one begin?" },
    because = "It begins at {rounds}, when all others are done.", rounds = rounds,
  }
end

-- ---- what is promised ----------------------------------------------------------------------------------------------

local TRUE = {
  "A block stays on its SM.", "A block at a barrier keeps its room.", "All warps of a block are on one SM.",
  "A block needs room for all of it.", "Two blocks may run on one SM.",
}
local FALSE = {
  "Block 0 runs before block 1.", "All blocks run at once.", "A warp moves to a free SM.",
  "A waiting block gives its room away.", "A large block is shared by SMs.",
}

local function promised(d)
  local right, wrong = d.shuffle(TRUE), d.shuffle(FALSE)
  local count = d.integer(1, 3)
  local options, answer = {}, {}
  for i = 1, 4 do
    options[i] = i <= count and right[i] or wrong[i]
    answer[i] = i <= count and right[i] or nil
  end
  return {
    [[Of blocks and SMs.]], kind = "several", class = ({ "one", "two", "three" })[count],
    ask = "Which are true?", options = d.shuffle(options), answer = answer,
    wrong = { [wrong[4]] = "Nothing promises that: think of the room it needs." },
    tips = { "Blocks are whole, stay, and have no order." },
    because = "One SM from start to end, in no promised order.",
  }
end

local function who(d)
  local job = d.pick {
    { "places a block on an SM", "the block scheduler" }, { "picks the next warp to issue", "a warp scheduler" },
    { "decides that block 5 runs behind block 4", "nobody" }, { "acts in every cycle", "a warp scheduler" },
    { "moves a warp to an idle SM", "nobody" }, { "asks whether there is shared memory left", "the block scheduler" },
  }
  return {
    [[There are two kinds of schedulers.]], kind = "choice", class = job[2] == "nobody" and "nobody" or "somebody",
    ask = "Who {job}?", job = job[1],
    options = { "the block scheduler", "a warp scheduler", "nobody" }, answer = job[2],
    wrong = { ["nobody"] = "It is done, once or all the time." },
    tips = { "One asks for room, the other asks who is ready." }, because = "That is {who}.", who = job[2],
  }
end

local function together(d)
  local sms, each = d.pick { 8, 20, 36, 80 }, d.integer(1, 8)
  local blocks = sms * each + d.pick { -5, 1, 0, 7, sms }
  local fits = waves { sms = sms, per_sm = each, blocks = blocks }.waves == 1
  return {
    [[A grid of {blocks} blocks meets at `grid.sync()`. {sms} SMs have room for {each} on each.]],
    blocks = blocks, sms = sms, each = each, kind = "choice",
    class = fits and "fits" or "refused",
    ask = "What happens?", options = { "it runs", "two waves", "the launch is refused" },
    answer = fits and "it runs" or "the launch is refused",
    wrong = { ["two waves"] = "A wave that waits for the next one never ends.",
              ["it runs"] = "All of them must be there at once. Count the places.",
              ["the launch is refused"] = "Count the places." },
    tips = { "How many blocks can be there at once?" },
    because = "{places} places for {blocks} blocks.", places = sms * each,
  }
end

-- ---- several kernels -----------------------------------------------------------------------------------------------

local function two_kernels(d)
  local sms, first, second = d.pick { 4, 8, 10 }, d.integer(3, 30), d.integer(3, 30)
  local own = d.chance(0.6)
  local function run(how)
    return waves { sms = sms, blocks = first, second = second, streams = how }.seconds
  end
  local answer = run(own and "two" or "one")
  return {
    [[Kernels of {first} and {second} blocks, a second each, on {sms} SMs, one at a time on each. {how}.]],
    first = first, second = second, sms = sms,
    how = own and "Each is in a stream of its own" or "Both are in one stream",
    class = own and "streams" or "stream",
    ask = "How long do both take?", answer = answer, unit = "seconds",
    wrong = d.except(answer, own and { [run "one"] = "The second may use the tail of the first." }
      or { [run "two"] = "The second waits for the end of the first." }),
    tips = { "May the second begin before the first has ended?" },
    because = own and ("%d blocks share the SMs."):format(first + second)
      or "Waves of the one, then waves of the other.",
  }
end

local function hurry(d)
  local rounds, ms, high = d.integer(2, 5), d.integer(2, 6), d.chance(0.6)
  local at = d.integer(1, ms - 1)
  local m = queues(("1:%dx%d %s2:8x1@%d"):format(8 * rounds, ms, high and "!" or "", at))
  local done = tonumber(m.kernels:match "(%d+)$")
  return {
    [[
    A kernel of {blocks} blocks of {ms} ms runs on 8 SMs, one on each.
    At {at} ms comes one of 8 blocks of 1 ms{how}.
    ]],
    blocks = 8 * rounds, ms = ms, at = at,
    how = high and ", with high priority" or ", in another stream, without priority",
    class = high and "hurries" or "waits",
    ask = "When is the small one done?", answer = done, unit = "milliseconds",
    wrong = d.except(done, {
      [at + 1] = "Blocks that run are not thrown out.",
      [rounds * ms + 1] = "It passes those that wait.",
      [ms + 1] = "It passes nobody.",
    }),
    tips = { "Whom may it pass?" },
    because = high and "It waits for the blocks that run, until {ms}, and passes those that wait."
      or "It comes behind all waves.",
  }
end

local function in_turns(d)
  local ms, old, turns = d.integer(1, 9), d.chance(0.5), d.chance(0.5)
  local one = "%d:4x" .. ms
  local order = turns and { 1, 2, 1, 2 } or { 1, 1, 2, 2 }
  local list = {}
  for i, stream in ipairs(order) do list[i] = one:format(stream) end
  local m = queues(table.concat(list, " "), old and "next only" or "any stream")
  return {
    [[Four kernels of 4 blocks, {ms} ms each, on 8 SMs. Two are in each of two streams, launched {how}. {rule}.]],
    ms = ms, how = turns and "in turns" or "stream by stream",
    rule = old and "The GPU is old: only the next launch in the code may join" or "The GPU has a queue for each stream",
    ask = "How long do they take?", answer = m.ms, unit = "milliseconds",
    wrong = d.except(m.ms, {
      [4 * ms] = "Two kernels have room at once.", [ms] = "A stream keeps its order.",
      [2 * ms] = "The third launch is behind the second.",
      [3 * ms] = "The third launch need not wait for the second here.",
    }),
    tips = { "Which launch may begin beside the first one?" }, because = "{rounds} rounds.", rounds = m.ms // ms,
  }
end

-- ---- a block's life ------------------------------------------------------------------------------------------------

local LIFE = {
  "it waits in the queue", "an SM has room for it", "it is cut into warps", "its warps are issued in turn",
  "its last warp ends", "its room goes to another block",
}

local function life(d)
  local left, lines, number = d.pick { 2, 3, 4, 5 }, {}, d.integer(3, 200)
  for i, line in ipairs(LIFE) do
    if i ~= left then lines[#lines + 1] = line end
  end
  local spare = d.pick { "it moves to an emptier SM", "it waits for the block before it", "a core is chosen for it" }
  return {
    [[Block {number} of a large grid.]], kind = "order", number = number,
    ask = "What happens to it, in order? One line is too many.",
    lines = lines, spare = { spare },
    wrong = { [spare] = "That never happens to a block." },
    tips = { "It stays on one SM, and keeps all its room to the end." },
    because = "Placed once, as a whole; its warps are chosen in every cycle; then its room is free.",
  }
end

local function placed(d)
  local blocks, warps = d.integer(20, 900), d.integer(2, 16)
  return {
    [[A grid of {blocks} blocks of {threads} threads.]], blocks = blocks, threads = 32 * warps,
    ask = "How often does the block scheduler act for it?", answer = blocks, unit = "times",
    wrong = d.except(blocks, { [blocks * warps] = "Those are warps. Blocks are placed whole.",
                               [1] = "Each block is placed for itself, when there is room." }),
    tips = { "What does it place?" }, because = "Once for each block; warps are the business of the SM.",
  }
end

local function why_waits(d)
  local what = d.pick {
    { "All warps of a block wait for memory", "other warps of the SM are issued" },
    { "An SM has warp slots left, but no shared memory", "the next block waits in the queue" },
    { "The last warp of a block ends", "the SM gets another block" },
    { "A warp waits at a barrier", "other warps of the SM are issued" },
    { "A block holds its registers, and all its warps wait", "other warps of the SM are issued" },
    { "Every SM is full", "the next block waits in the queue" },
  }
  return {
    [[{what}.]], what = what[1], kind = "choice", ask = "What happens?",
    options = { "other warps of the SM are issued", "the next block waits in the queue", "the SM gets another block" },
    answer = what[2],
    wrong = { ["the SM gets another block"] = "Only if there is room for a whole one.",
              ["the next block waits in the queue"] = "The question is what this SM does next." },
    tips = { "Who acts: the one that asks for room, or the one that asks who is ready?" },
    because = "Room is asked for by whole blocks, readiness in every cycle.",
  }
end

return {
  skill { id = "waves", family = "FQ7", looks = { how_many, in_the_last, how_long } },
  skill { id = "use", family = "FQ7", looks = { percent_used, lost, best_grid } },
  skill { id = "queue", family = "EQ15", looks = { queued, begins, warps_on_sm } },
  skill { id = "pieces", looks = { cut_up, long_one, tail_idle } },
  skill { id = "promises", family = "FQ2", looks = { promised, who, together } },
  skill { id = "streams", family = "EQ11", looks = { two_kernels, hurry, in_turns } },
  skill { id = "life", family = "FQ2", looks = { life, placed, why_waits } },
}
