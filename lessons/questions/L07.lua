-- L07: what fills the cycles in which a warp waits.

local SECTOR, LINE = 32, 128
local MACHINE = { "g80", "gt200", "k20x", "gk104", "v100", "h200" }

local function turns(program, warps, more)
  local params = { program = program, warps = warps }
  for name, value in pairs(more or {}) do params[name] = value end
  return model { "latency", params = params }
end

local function tenths(part)
  return math.floor(1000 * part + 0.5) / 10
end

-- ---- loads and work: who fills the wait -----------------------------------------------------------------------------

local function rounds(warps, memory, work)
  return turns("rounds", warps, { memory = memory, work = work, policy = "greedy" })
end

local function warps_to_hide(d)
  local memory, work = 10 * d.integer(20, 80), d.integer(13, 50)   -- with 12, more warps than the model has
  local need = math.max(1, memory // work)                         -- fewer are surely not enough
  while rounds(need, memory, work).round_empty > 0 do need = need + 1 end
  return {
    [[A load takes {memory} cycles. A warp works {work} cycles between two loads. One scheduler.]],
    memory = memory, work = work,
    ask = "How many warps hide the loads in full?", answer = need, unit = "warps",
    wrong = d.except(need, { [need - 1] = "The one that waits is none of those that work.",
                             [memory // work] = "Divide, round up, and add the one that waits." }),
    tips = { "Others have to work {memory} cycles, {work} each." },
    because = "{memory} / {work}, rounded up, and the one that waits.",
  }
end

local function left_empty(d)
  local memory, work = 10 * d.integer(20, 80), d.integer(10, 40)
  local warps = d.integer(2, math.max(2, memory // work))
  local held = rounds(warps, memory, work)
  return {
    [[{warps} warps. Each loads, which takes {memory} cycles, and works {work} cycles before it loads again.]],
    warps = warps, memory = memory, work = work,
    ask = "How many cycles of each round stay empty?", answer = held.round_empty, unit = "cycles",
    wrong = d.except(held.round_empty,
                     { [math.max(0, memory - warps * work)] = "The one that waits does not work.",
                       [memory] = "And the others?" }),
    tips = { "{others} others work meanwhile." }, others = warps - 1,
    because = "{memory} - {others} x {work}.",
  }
end

local function busy_share(d)
  local memory, work, warps = 10 * d.integer(20, 60), 5 * d.integer(2, 10), d.integer(1, 6)
  local held = rounds(warps, memory, work)
  local share = tenths(held.round_busy)
  return {
    [[{warps} {word}: each loads ({memory} cycles) and then works {work}, over and over.]],
    warps = warps, word = warps == 1 and "warp" or "warps", memory = memory, work = work,
    ask = "How busy is the scheduler, in percent?", answer = share, unit = "%", tolerance = 0.6,
    wrong = d.except(share, { [tenths(warps * work / memory)] = "A round is the load and the work." }),
    tips = { "A round takes {memory} + {work} cycles." },
    because = "{warps} x {work} of {round} cycles.", round = memory + work,
  }
end

-- ---- where a warp stops ---------------------------------------------------------------------------------------------

-- Lines of a warp: loads, then uses in some order.
local function lines_of(d)
  local loads = d.integer(2, 3)
  local lines, code = {}, {}
  for i = 1, loads do
    lines[i], code[i] = string.format("r%d = x[i + %d]", i, 32 * (i - 1)), "g"
  end
  local uses = d.shuffle { 1, 2, 3 }
  for _, which in ipairs(uses) do
    if which <= loads then
      lines[#lines + 1] = string.format("s%d = 2 * r%d", which, which)
      code[#code + 1] = "a" .. #lines - which
    end
  end
  return lines, table.concat(code, " "), loads
end

local function listed(lines)
  local text = {}
  for i, line in ipairs(lines) do text[i] = "- `" .. line .. "`" end
  return table.concat(text, "\n")
end

local function first_wait(d)
  local lines, _, loads = lines_of(d)
  local options = d.shuffle { lines[1], lines[loads], lines[loads + 1] }
  return {
    "A warp runs these lines:\n\n{list}", list = listed(lines),
    ask = "Which is the first one that has to wait?", options = options, answer = lines[loads + 1],
    wrong = d.except(lines[loads + 1],
                     { [lines[1]] = "It asks, and goes on.", [lines[loads]] = "It needs nothing that was loaded." }),
    tips = { "Where is a loaded value needed?" }, because = "It is the first to use what was loaded.",
  }
end

local function cycles_of_lines(d)
  local lines, code, loads = lines_of(d)
  local memory, arithmetic = 10 * d.integer(10, 60), d.integer(4, 20)
  local alone = turns("code", 1, { code = code, memory = memory, arithmetic = arithmetic })
  return {
    "One warp. A loaded value can be used {memory} cycles after its load:\n\n{list}",
    memory = memory, list = listed(lines),
    ask = "How many cycles until the last line has left?", answer = alone.cycles, unit = "cycles",
    wrong = d.except(alone.cycles,
                     { [#lines] = "Somebody has to wait.", [loads * memory] = "The loads wait side by side.",
                       [loads * (memory + 1)] = "The loads wait side by side." }),
    tips = { "The loads leave in cycles 0 to {last}. When is the first use's value there?" }, last = loads - 1,
    because = "One wait for all: the uses follow as their values come.",
  }
end

local function loads_in_front(d)
  local form = d.pick { "four", "loop", "neighbors", "four" }
  local blocks, threads = d.integer(1, 6), 32 * d.integer(1, 4)
  local run = measure { kernel = "scale", form = form, params = { blocks = blocks, threads = threads } }
  local what = { four = "four loads, then four stores, a step of the whole grid apart",
                 loop = "a loop of a load and a store, four turns",
                 neighbors = "loads of four words that are neighbors, then four stores" }
  local store = run:find { kind = "store", space = "global", block = 0, warp = 0 }
  local count = run:count { kind = "load", space = "global", block = 0, warp = 0 }
  local front = 0
  for nth = 1, count do
    local at = run:find { kind = "load", space = "global", block = 0, warp = 0, nth = nth }
    front = front + (at < store and 1 or 0)
  end
  return {
    [[A kernel doubles an array, with {blocks} x {threads} threads. Each has {what}.]],
    blocks = blocks, threads = threads, what = what[form],
    ask = "How many loads of a warp are under way when it first waits?", answer = front, unit = "loads",
    wrong = d.except(front, { [count] = "Between them stand stores.", [1] = "What stands in front of the first store?",
                              [blocks * threads] = "Those are threads." }),
    tips = { "Count the loads in front of the first store." },
    because = "A store needs its value, so there the warp stops.",
  }
end

-- ---- chains ---------------------------------------------------------------------------------------------------------

local function code_of(chains, long)
  return chains .. "a " .. chains * (long - 1) .. "a" .. chains
end

local function warps_for_chains(d)
  local chains, latency = d.integer(1, 5), d.integer(6, 30)
  local held = turns("code", 1, { code = code_of(chains, 12), arithmetic = latency })
  return {
    [[A result can be used {latency} cycles later. Each warp has {word} that need nothing of each other.]],
    latency = latency, word = chains == 1 and "one chain of instructions" or chains .. " chains of instructions",
    ask = "How many warps keep one scheduler busy?", answer = held.warps_needed, unit = "warps",
    wrong = d.except(held.warps_needed,
                     { [latency] = "So it is with one chain.",
                       [latency // chains] = "Round up: no cycle may stay empty.",
                       [latency * chains] = "More chains need fewer warps." }),
    tips = { "Each warp fills {chains} of {latency} cycles." }, chains = chains,
    because = "{latency} / {chains}, rounded up.",
  }
end

local function cycles_of_chain(d)
  local long, latency, chains = d.integer(4, 20), d.integer(5, 20), d.integer(1, 4)
  local alone = turns("code", 1, { code = code_of(chains, long), arithmetic = latency })
  return {
    [[
    One warp, {n} instructions in {chains} {word}, {long} in each, taking turns. A result can be used {latency} cycles
    later.
    ]],
    n = chains * long, chains = chains, word = chains == 1 and "chain" or "chains", long = long, latency = latency,
    ask = "In which cycle does the very last one leave? The first leaves in cycle 0.",
    answer = alone.cycles - 1, unit = "",
    wrong = d.except(alone.cycles - 1,
                     { [long * latency] = "The first one waits for nobody.",
                       [chains * long * latency] = "The chains wait side by side.",
                       [chains * long - 1] = "Nobody waits?" }),
    tips = { "{long} in a row are {less} waits." }, less = long - 1,
    because = "{less} waits of {latency}, and the other chains one cycle behind.",
  }
end

local function busy_of_chains(d)
  local latency, chains, warps = 5 * d.integer(2, 6), d.integer(1, 3), d.integer(1, 3)
  local part = math.min(1, warps * chains / latency)
  return {
    [[
    Latency {latency}, {warps} {w} with {chains} {c} each, which run for long.
    ]],
    latency = latency, warps = warps, w = warps == 1 and "warp" or "warps", chains = chains,
    c = chains == 1 and "chain" or "chains",
    ask = "How busy is the scheduler, in percent?", answer = tenths(part), unit = "%", tolerance = 0.6,
    wrong = d.except(tenths(part), { [tenths(warps / latency)] = "Count the chains of each warp.",
                                     [100] = "Are there enough of them?" }),
    tips = { "How many instructions can leave in {latency} cycles?" }, because = "{warps} x {chains} / {latency}.",
  }
end

-- ---- Little's law ---------------------------------------------------------------------------------------------------

local function riders(d)
  local steps, seconds = d.integer(8, 30), d.pick { 1, 2, 3, 4 }
  local stairs = model { "little", params = { steps = steps, seconds = seconds } }
  return {
    [[An escalator has {steps} steps with room for one each. A step takes {seconds} s; the ride {ride} s.]],
    steps = steps, seconds = seconds, ride = stairs.ride,
    ask = "How many riders bring the most people a second?", answer = stairs.riders_needed, unit = "riders",
    wrong = d.except(stairs.riders_needed, { [stairs.ride] = "Those are seconds." }),
    tips = { "Rate x time: 1 / {seconds} a second, for {ride} s." }, because = "One on each step.",
  }
end

local function rate_of(d)
  local steps, seconds, on = d.integer(10, 25), d.pick { 1, 2, 4 }, d.integer(1, 9)
  local stairs = model { "little", params = { steps = steps, seconds = seconds, riders = on } }
  return {
    [[An escalator of {steps} steps, {ride} s to the top. There are always {on} on it.]],
    steps = steps, ride = stairs.ride, on = on,
    ask = "How many people arrive in a minute?", answer = 60 * stairs.rate, unit = "people", tolerance = 0.06,
    wrong = d.except(60 * stairs.rate, { [on] = "So many are under way.",
                                         [60 / seconds] = "If every step were taken." }),
    tips = { "Under way = rate x time." }, because = "{on} / {ride} a second.",
  }
end

local function lines_under_way(d)
  local profile, mhz, latency = d.pick(MACHINE), 100 * d.integer(6, 18), 50 * d.integer(6, 16)
  local held = model { "little", params = { profile = profile, mhz = mhz, latency = latency } }
  local rate = math.floor(100 * held.bytes / latency + 0.5) / 100
  local lines = math.floor(held.lines + 0.5)
  return {
    [[An SM gets {rate} bytes of memory a cycle. A load takes {latency} cycles. A line has {line} bytes.]],
    rate = rate, latency = latency, line = LINE,
    ask = "How many lines have to be under way?", answer = lines, unit = "lines",
    tolerance = math.max(1, 0.02 * lines),
    wrong = { [math.floor(held.bytes + 0.5)] = "Those are bytes.",
              [math.floor(held.sectors + 0.5)] = "Those are sectors of 32 bytes." },
    tips = { "Rate x time, in bytes; then lines." }, because = "{rate} x {latency} / {line}.",
  }
end

-- ---- what is under way in a kernel ----------------------------------------------------------------------------------

local function lines_of_warps(d)
  local loads, threads, blocks = d.pick { 1, 2, 4, 8 }, 32 * d.integer(1, 16), d.integer(1, 4)
  return {
    [[
    {blocks} {word} of {threads} threads on an SM. Each thread has {loads} {l} of 4 bytes in front of the first use;
    neighbors load neighbors.
    ]],
    blocks = blocks, word = blocks == 1 and "block" or "blocks", threads = threads, loads = loads,
    l = loads == 1 and "load" or "loads",
    ask = "How many lines of 128 bytes are under way, at most?", answer = blocks * threads * loads * 4 // LINE,
    unit = "lines",
    wrong = d.except(blocks * threads * loads * 4 // LINE,
                     { [blocks * threads * loads] = "A warp's load is one line.",
                       [blocks * threads * loads * 4 // SECTOR] = "Those are sectors." }),
    tips = { "A warp's load of 32 words is one line." }, because = "{warps} warps x {loads}.",
    warps = blocks * threads // 32,
  }
end

local function loads_needed(d)
  local lines, warps = d.integer(40, 160), d.pick { 8, 16, 24, 32, 48, 64 }
  return {
    [[An SM needs {need} lines under way. {warps} warps are resident, and a load of a warp is one line.]],
    need = lines, warps = warps,
    ask = "How many loads does each warp need in front of its first use?", answer = cdiv(lines, warps), unit = "loads",
    wrong = d.except(cdiv(lines, warps), { [lines // warps] = "Round up.", [lines] = "All warps ask." }),
    tips = { "{need} lines, {warps} warps." }, because = "{need} / {warps}, rounded up.",
  }
end

local function requests_of_sum(d)
  local loads, threads, blocks = d.pick { 1, 2, 4, 8 }, 32 * d.integer(1, 4), d.integer(1, 4)
  local n = blocks * threads * loads * d.integer(1, 4)
  local params = { loads = loads, threads = threads, blocks = blocks, n = n }
  local run = measure { kernel = "loads_in_flight", params = params }
  local times = run:count { line = "v[k] = x[", kind = "load", block = 0, warp = 0 } // loads
  return {
    [[
    {all} threads add up {n} words. In each turn of a loop a thread has {loads} {l}, then as many additions.
    ]],
    all = blocks * threads, n = n, loads = loads, l = loads == 1 and "load" or "loads",
    ask = "How often does a warp wait for memory?", answer = times, unit = "times",
    wrong = d.except(times, { [n // (blocks * threads)] = "The loads of a turn wait together.",
                              [n] = "Those are words." }),
    tips = { "How many words has a thread? How many of them in a turn?" },
    because = "{each} words for a thread, {loads} in a turn.", each = n // (blocks * threads),
  }
end

-- ---- order ----------------------------------------------------------------------------------------------------------

local function cycles_by_order(d)
  local memory, arithmetic = 10 * d.integer(10, 60), d.integer(2, 20)
  local first = d.chance(0.5)
  local alone = turns(first and "loads first" or "one by one", 1, { memory = memory, arithmetic = arithmetic })
  local other = turns(first and "one by one" or "loads first", 1, { memory = memory, arithmetic = arithmetic })
  return {
    [[
    One warp, four elements: {how}. A loaded value can be used after {memory} cycles, a product after {arithmetic}.
    ]],
    how = first and "four loads, four products, four stores" or "load, product, store, four times",
    memory = memory, arithmetic = arithmetic,
    ask = "How many cycles, about?", answer = alone.cycles, unit = "cycles",
    tolerance = math.max(8, 0.03 * alone.cycles),
    wrong = { [other.cycles] = "That is the other order.", [12] = "Somebody has to wait." },
    tips = { "How often does the warp wait for memory?" },
    because = first and "One wait for all four." or "Four waits, one after the other.",
  }
end

local function cycles_of_warps(d)
  local memory, arithmetic, warps = 10 * d.integer(10, 60), d.integer(16, 24), d.integer(2, 12)
  local one = turns("one element", 1, { memory = memory, arithmetic = arithmetic })
  local held = turns("one element", warps, { memory = memory, arithmetic = arithmetic })
  return {
    [[
    {warps} warps, one element each: load, product, store. A loaded value can be used after {memory} cycles, a product
    after {arithmetic}.
    ]],
    warps = warps, memory = memory, arithmetic = arithmetic,
    ask = "How many cycles until all are done?", answer = held.cycles, unit = "cycles", tolerance = 1,
    wrong = d.except(held.cycles, { [warps * one.cycles] = "They wait at the same time." }),
    tips = { "How long takes one? How much later does the last one start?" },
    because = "The last one starts {late} cycles behind the first.", late = warps - 1,
  }
end

-- Two lines may change places if neither needs what the other writes.
local function may_swap(d)
  local names = d.shuffle { "a", "b", "c", "d" }
  local x, y, z, w = names[1], names[2], names[3], names[4]
  local lines = { x .. " = in[i]", y .. " = 2 * " .. x, z .. " = in[i + 32]", w .. " = " .. y .. " + " .. z }
  local pairs_of = { "1 and 2", "2 and 3", "3 and 4" }
  local swapped = d.chance(0.5)
  if swapped then lines[2], lines[3] = lines[3], lines[2] end
  local answer = swapped and d.pick { "1 and 2", "2 and 3" } or "2 and 3"
  local options = answer == "1 and 2" and { "1 and 2", "2 and 4", "3 and 4" } or
                  swapped and { "1 and 3", "2 and 3", "3 and 4" } or pairs_of
  return {
    "Four lines of a thread:\n\n- 1 `{l1}`\n- 2 `{l2}`\n- 3 `{l3}`\n- 4 `{l4}`",
    l1 = lines[1], l2 = lines[2], l3 = lines[3], l4 = lines[4],
    ask = "Which two may change places?", options = options, answer = answer,
    tips = { "Who needs what somebody else writes?" },
    because = "Neither of them needs the other's value.",
  }
end

return {
  skill { id = "hide", family = "EQ16", looks = { warps_to_hide, left_empty, busy_share } },
  skill { id = "stop", family = "EQ16", looks = { first_wait, cycles_of_lines, loads_in_front } },
  skill { id = "chains", family = "EQ16", looks = { warps_for_chains, cycles_of_chain, busy_of_chains } },
  skill { id = "little", family = "EQ16", looks = { riders, rate_of, lines_under_way } },
  skill { id = "flight", family = "EQ16", looks = { lines_of_warps, loads_needed, requests_of_sum } },
  skill { id = "order", family = "EQ16", looks = { cycles_by_order, cycles_of_warps, may_swap } },
}
