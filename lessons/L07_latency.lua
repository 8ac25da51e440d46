-- L07: while a warp waits 400 cycles, who works?

local MEMORY, ARITHMETIC = 400, 10   -- cycles until a result can be used, in the model of this lesson
local SCHEDULERS = 4

local function commas(n)
  local text = string.format("%d", n):reverse():gsub("(%d%d%d)", "%1,"):reverse()
  return (text:gsub("^,", ""))
end

-- Warps of one scheduler that run a program of the model; see shows it.
local function values(program, warps, more)
  local params = { program = program, warps = warps, memory = MEMORY, arithmetic = ARITHMETIC }
  for name, value in pairs(more or {}) do params[name] = value end
  return { "latency", params = params }
end

local function turns(program, warps, more)
  return model(values(program, warps, more))
end

local function see(program, warps, more)
  return picture(values(program, warps, more))
end

recall(2)

-- 1. a bet ----------------------------------------------------------------------------------------

local one_by_one, loads_first = turns("one by one", 1), turns("loads first", 1)

predict {
  id = "twelve", title = "Twelve instructions",
  [[
  A warp doubles four numbers: load, multiply, store, four times over.

  What was loaded can be used {memory} cycles after its load, a product after {arithmetic}.
  ]],
  memory = MEMORY, arithmetic = ARITHMETIC,
  ask = "How many cycles, about?", kind = "choice", sure = true,
  options = { commas(one_by_one.instructions), commas(loads_first.cycles), commas(one_by_one.cycles) },
  answer = commas(one_by_one.cycles),
  wrong = {
    [commas(one_by_one.instructions)] = "That is only what it takes to give them out.",
    [commas(loads_first.cycles)] = "Each multiplication waits for its own load, and the next load comes behind it.",
  },
  because = "A warp goes on in order. It waits four times, one after the other.",
}

see("one by one", 1)
predict {
  id = "first", title = "The same, loads first",
  [[
  This is one warp over time: hardly a cycle has work.

  Now the same twelve in another order: four loads, then four multiplications, then four stores.
  ]],
  ask = "How many cycles now?", unit = "cycles", answer = loads_first.cycles, tolerance = 12, sure = true,
  wrong = {
    [one_by_one.cycles] = "A load does not stop the warp. The next one can follow at once.",
    [2 * loads_first.cycles - 6] = "The four come back one cycle after the other.",
    [one_by_one.instructions] = "Somebody still has to wait for the first load.",
  },
  tips = { "Four loads leave in cycles 0, 1, 2 and 3. When are their values there?" },
  because = "{answer}, of {before}. No thread more: only another order.", before = one_by_one.cycles,
}

see("loads first", 1)
explain {
  title = "Where a warp stops",
  [[
  A warp does not stop at a load. It stops where the value is *used*.

  A *scoreboard* keeps which registers are still to come. An instruction may go if its operands are there and its
  unit is free. If not, the warp *stalls*, with all that stands behind.
  ]],
}

local scale = measure { kernel = "scale" }
local LOADS = { line = "float a = in[i]", kind = "load", block = 0, warp = 0 }
show(scale, { at = "start" })
predict {
  id = "stop", title = "Which line waits?",
  [[This is that kernel: four elements in each thread. A warp comes from above.]],
  ask = "Go to the first line at which it has to wait for memory.", kind = "line", answer = "out[i] = 2.0f * a",
  wrong = {
    ["float a = in[i]"] = "It asks for the value, and goes on.",
    ["float b = in[i + all]"] = "This load needs nothing of the one before.",
    ["out[i + all] = 2.0f * b"] = "It waits as well. But somebody waited before.",
  },
  tips = { "Where is something needed that was loaded?" },
  because = "Four loads are under way when the first value is needed. All four waits are one.",
  show = { run = scale, at = LOADS, focus = "segments" },
}

-- 2. beside in place of inside ---------------------------------------------------------------------

local four_warps = turns("one element", 4)
see("loads first", 1)
predict {
  id = "beside", title = "Four warps instead",
  [[
  Now each of four warps has one element: load, multiply, store. One *warp scheduler* has all four, and gives out one
  instruction a cycle.
  ]],
  ask = "How many cycles until all are done?", unit = "cycles", answer = four_warps.cycles, tolerance = 2,
  wrong = {
    [one_by_one.cycles] = "They wait at the same time.",
    [turns("one element", 1).cycles] = "So long takes one of them. Four start one after the other.",
  },
  tips = { "The loads leave in cycles 0, 1, 2, 3." },
  because = "{answer}: as many as one warp with four loads in front.",
}

see("one element", 4)
explain {
  title = "Inside or beside",
  [[
  What fills a gap is work that does not need the missing value.

  - *Instruction-level parallelism*: inside the warp.
  - *Thread-level parallelism*: in other warps.

  The machine does not care which. Both are {a} cycles here.
  ]],
  a = four_warps.cycles,
}

-- 3. a fragment -------------------------------------------------------------------------------------

local fragment = turns("fragment", 1)
hide()
predict {
  id = "fragment", title = "Five instructions",
  [[
  - FFMA r0
  - FFMA r1
  - FMUL r7 = r9 * r0
  - FMUL r8 = r9 * r1
  - ST r7

  A result can be used {l} cycles later. A lecture shows this; a second store must have been cut off.
  ]],
  l = ARITHMETIC,
  ask = "How many cycles does one warp take?", unit = "cycles", answer = fragment.cycles,
  wrong = {
    [fragment.instructions] = "Without any waiting.",
    [fragment.instructions * ARITHMETIC] = "Only three of them stand in a row: 0, 10, 20.",
    [fragment.cycles - 1] = "And the store itself is a cycle.",
  },
  tips = { "Write down in which cycle each of them leaves: 0, 1, ..." },
  because = "They leave in cycles {list}. Busy: {busy}.",
  list = fragment.issues:gsub("w0@", ""):gsub(" ", ", "), busy = percent(fragment.issued, fragment.cycles),
}

-- Whether somebody of these warps issues in a cycle.
local function works(told, cycle)
  return (told.issues .. " "):find("@" .. cycle .. " ", 1, true) ~= nil
end

local two = turns("fragment", 2)
local cycles, idle = { 2, 5, 11, 13, 16 }, {}
local cycle_names = {}
for i, cycle in ipairs(cycles) do
  cycle_names[i] = "cycle " .. cycle
  if not works(two, cycle) then idle[#idle + 1] = "cycle " .. cycle end
end

predict {
  id = "idle", title = "Be the scheduler",
  [[Two warps run these five now. They take turns, w0 first: one instruction a cycle, of a warp that need not wait.]],
  ask = "In which of these cycles does nobody go?", kind = "several", options = cycle_names, answer = idle,
  wrong = {
    ["cycle 2"] = "Each warp has a second FFMA that needs nothing.",
    ["cycle 5"] = "All four FFMA are gone by then, and r0 comes at 10.",
    ["cycle 11"] = "w1 has its r0 then.",
    ["cycle 13"] = "w1's r1 left the scheduler in cycle 3.",
    ["cycle 16"] = "All products are gone, and the first of them comes at 20.",
  },
  tips = { "Cycles 0 to 3 are four FFMA. When is the first result there?" },
  because = "They go in cycles 0 to 3, 10 to 13, 20 and 21: {n} instructions in {all} cycles.",
  n = two.issued, all = two.cycles,
}

local full = fragment.warps_needed
predict {
  id = "full", title = "How many fill it?",
  [[One warp: {one} cycles. Two warps: {two}, with twice the work.]], one = fragment.cycles, two = two.cycles,
  ask = "With how many warps does no cycle stay empty?", unit = "warps", answer = full,
  wrong = {
    [ARITHMETIC] = "Each warp has two that can go together. Half as many are enough.",
    [full - 1] = "That leaves {left} cycles empty.",
    [32] = "Those are the lanes of one warp.",
  },
  left = turns("fragment", full - 1).empty,
  tips = { "{l} cycles have to be filled, and each warp fills two of them." }, l = ARITHMETIC,
  because = "{answer} warps: {n} instructions in {n} cycles.", n = turns("fragment", full).cycles,
}

see("fragment", full)
explain {
  title = "Every cycle",
  [[
  {n} warps: whenever one waits, another one is *eligible*. Each result still takes {l} cycles; nobody sees it.

  A warp more makes it longer, not fuller: {more} of them take {longer} cycles.
  ]],
  n = full, l = ARITHMETIC, more = full + 1, longer = turns("fragment", full + 1).cycles,
}

local bad = turns("bad order", 1)
hide()
predict {
  id = "order", title = "The best order",
  [[One warp alone. Put the five in the order that needs the fewest cycles.]],
  kind = "order", ask = "Which order?",
  lines = { "FFMA r0", "FFMA r1", "FMUL r7 = r9 * r0", "FMUL r8 = r9 * r1", "ST r7" },
  wrong = {
    ["FMUL r7 = r9 * r0"] = "What could go while r0 is on its way? And who waits for r7?",
    ["ST r7"] = "r7 takes its time. Is there something else to do until then?",
  },
  tips = { "First all that waits for nobody. Then what was begun first." },
  because = "{best} cycles. Each product right behind its sum takes {bad}, and {five} of such warps {long} in "
    .. "place of {short}.",
  best = fragment.cycles, bad = bad.cycles, five = full, long = turns("bad order", full).cycles,
  short = turns("fragment", full).cycles,
}

-- 4. chains -----------------------------------------------------------------------------------------

local function chains(name, warps)
  return turns(name, warps)
end

see("one chain", 1)
explain {
  title = "Chains",
  [[
  {n} instructions, each needs the one before: a *chain*. Alone it takes {a} cycles; ten such warps take {b}, for ten
  times the work.

  With two chains in a warp, {c} warps are enough; with four, {d}.

  Busy = warps x chains / latency, and never above 1.
  ]],
  n = chains("one chain", 1).issued, a = chains("one chain", 1).cycles, b = chains("one chain", 10).cycles,
  c = chains("two chains", 1).warps_needed, d = chains("four chains", 1).warps_needed,
}

local three = turns("code", 1, { code = "3a 60a3" })
predict {
  id = "three", title = "Three chains",
  [[Latency {l}, three chains in each warp that do not need each other.]], l = ARITHMETIC,
  ask = "How many warps keep one scheduler busy?", unit = "warps", answer = three.warps_needed,
  wrong = {
    [ARITHMETIC] = "So it is with one chain.",
    [three.warps_needed - 1] = "One cycle of a round is left empty.",
    [SCHEDULERS * three.warps_needed] = "That is the SM, with its four schedulers.",
  },
  tips = { "Each warp fills 3 of {l} cycles." },
  because = "{l} / 3, rounded up. For {s} schedulers {sm} warps; with one chain each {most}.",
  s = SCHEDULERS, sm = SCHEDULERS * three.warps_needed, most = SCHEDULERS * ARITHMETIC,
}

local KEPLER, WARP = 192, 32   -- lanes of its SM, and of a warp
hide()
predict {
  id = "issue", title = "Lanes and schedulers",
  [[
  An SM of a Kepler has {lanes} lanes for floats, and {s} schedulers. In a cycle each gives out one instruction of a
  warp.
  ]],
  lanes = KEPLER, s = SCHEDULERS,
  ask = "How many percent of the lanes can be at work then?", unit = "%", tolerance = 0.7,
  answer = 100 * SCHEDULERS * WARP / KEPLER,
  wrong = {
    [100] = "{s} instructions of 32 lanes each: how many lanes is that?",
    [100 * WARP / KEPLER] = "So many for one scheduler.",
  },
  tips = { "{s} x 32 of {lanes}." },
  because = "{all} of {lanes}. So a Kepler's could give out two at once, if they needed nothing of each other. "
    .. "Since Volta it is one again. Lanes hide nothing: count schedulers and latency.",
  all = SCHEDULERS * WARP,
}

predict {
  id = "switch", title = "A change of warps",
  [[A CPU that changes from one thread to another writes registers to memory and reads others back.]],
  ask = "What has a scheduler of a GPU to save when it takes another warp?", kind = "choice",
  options = { "nothing", "32 registers", "the register file", "shared memory" }, answer = "nothing",
  wrong = {
    ["32 registers"] = "Where would they go? Every warp keeps its own.",
    ["the register file"] = "All resident warps lie in it together.",
    ["shared memory"] = "It belongs to the block.",
  },
  tips = { "What was it that limited the number of resident warps?" },
  because = "A warp keeps its registers for life. The price of a free change is room: that is why registers limit "
    .. "occupancy.",
}

-- 5. loads and work -----------------------------------------------------------------------------------

local WORK, HOUSE = 25, 16
local function rounds(warps, policy)
  return turns("rounds", warps, { work = WORK, policy = policy or "greedy" })
end

see("rounds", 4, { work = WORK, policy = "greedy" })
predict {
  id = "sixteen", title = "Sixteen warps",
  [[
  Each warp loads, works {work} cycles, loads again. A book: with {house} warps, {memory} / {house} = {work}, so the
  load is hidden.

  Count again. One waits {memory} cycles; the others work.
  ]],
  work = WORK, house = HOUSE, memory = MEMORY,
  ask = "How many cycles of each round stay empty?", unit = "cycles", answer = rounds(HOUSE).round_empty,
  wrong = {
    [0] = "{house} x {work} counts the one that waits, too.",
    [MEMORY] = "With one warp alone.",
  },
  tips = { "How many others are there?" },
  because = "{memory} - {others} x {work}. It takes {need} warps, or {more} cycles of work. The book is nearly "
    .. "right: {busy}.",
  others = HOUSE - 1, need = HOUSE + 1, more = cdiv(MEMORY, HOUSE - 1), busy = percent(rounds(HOUSE).round_busy, 1),
}

local FEWER, REPEATED = 12, 20   -- warps; loads of each in the model
see("rounds", FEWER, { work = WORK, policy = "greedy" })
try {
  id = "enough", title = "Your turn: work enough",
  [[{warps} warps only, and {work} cycles of work: {idle} cycles of each round are empty.]],
  warps = FEWER, work = WORK, idle = rounds(FEWER).round_empty,
  goal = "The least `work` with which no cycle of a round is empty.",
  params = { "work" }, solution = { work = cdiv(MEMORY, FEWER - 1) },
  tips = { "One waits {memory} cycles, and {others} work meanwhile." }, memory = MEMORY, others = FEWER - 1,
  reached = function(now)
    local work = now.instructions // REPEATED
    return now.round_empty == 0 and (work - 1) * (FEWER - 1) < MEMORY, counted(now.round_empty, "empty cycle")
  end,
}

local fair, greedy = rounds(HOUSE, "turns"), rounds(HOUSE, "greedy")
see("rounds", HOUSE, { work = WORK, policy = "greedy" })
predict {
  id = "fair", title = "Fair or greedy?",
  [[
  A greedy scheduler stays with a warp until it waits: {greedy} busy, start and end of the run counted. Another is fair:
  one instruction of each warp in turn, the same {house} warps.
  ]],
  greedy = percent(greedy.issued, greedy.cycles), house = HOUSE,
  ask = "How busy is the fair one?", kind = "choice",
  options = { "nearly always", "half the time", "a tenth" },
  answer = fair.busy > 0.7 and "nearly always" or fair.busy > 0.3 and "half the time" or "a tenth",
  wrong = {
    ["nearly always"] = "If all go in step, when does each of them come to its load?",
    ["a tenth"] = "So it would be with two warps.",
  },
  tips = { "All warps come to their loads together. Who works then?" },
  because = "{fair}. All work together, and then all wait together. Being apart is what helps.",
  fair = percent(fair.issued, fair.cycles),
}

-- 6. Little -------------------------------------------------------------------------------------------

local function stairs(steps, seconds, riders)
  return { "little", params = { riders = riders or 1, steps = steps, seconds = seconds, profile = "v100" } }
end

local lecture, longer = picture(stairs(20, 2)), model(stairs(30, 3))
explain {
  title = "An escalator",
  [[
  20 steps, one person on each, a step every 2 seconds: {ride} seconds to the top.

  One rider at a time is {rate} people a second. The stairs could do {most}, with {full} on them.

  *Little's law*: under way = rate x time.
  ]],
  ride = lecture.ride, rate = lecture.rate, full = lecture.riders_needed, most = lecture.riders_needed / lecture.ride,
}

hide()
predict {
  id = "stairs", title = "Fill the stairs",
  [[A longer one: a step every 3 seconds, {ride} seconds to the top.]], ride = longer.ride,
  ask = "How many have to be on it so that somebody arrives every 3 seconds?", unit = "people",
  answer = longer.riders_needed,
  wrong = {
    [longer.ride] = "Those are seconds.",
    [lecture.riders_needed] = "That was the shorter one.",
    [3] = "Every 3 seconds; but people stay on for {ride}.",
  },
  tips = { "1 / 3 a second x {ride} seconds." },
  because = "One on every step. More find no room: a full memory is like that, too.",
}

local k20x = model { "little", params = { profile = "k20x", mhz = 732, latency = 500, loads = 1 } }
predict {
  id = "lines", title = "Fill the memory",
  [[
  An SM of a K20X gets {bytes} bytes of memory in each cycle, and a load takes {latency} cycles.
  ]],
  bytes = string.format("%.1f", k20x.bytes / 500), latency = 500,
  ask = "How many lines of 128 bytes have to be under way?", unit = "lines",
  answer = math.floor(k20x.lines + 0.5), tolerance = 3,
  wrong = {
    [math.floor(k20x.sectors + 0.5)] = "Those are sectors of 32 bytes.",
    [math.floor(k20x.bytes + 0.5)] = "Those are bytes.",
  },
  tips = { "Rate x time, then divide by the bytes of a line." },
  because = "{all} bytes. The lecture says: about a hundred lines.", all = commas(math.floor(k20x.bytes)),
}

picture { "little", params = { profile = "k20x", mhz = 732, latency = 500, loads = 1 } }
explain {
  title = "More than fit",
  [[
  A load of a warp is one line, if neighbors load neighbors. Only 64 warps fit into an SM, and {need} lines are needed.

  So each warp has to have more than one load under way. With two, {enough} warps are enough.
  ]],
  need = math.floor(k20x.lines + 0.5), enough = model { "little", params = { loads = 2 } }.warps_needed,
}

-- 7. on a GPU -----------------------------------------------------------------------------------------

-- Times of these are an H200's, from recordings that come with lanescope.
local function recorded(kernel, params)
  return measure { kernel = kernel, timing = true, params = params, device = "recorded", cut = "compiled" }
end

local H200 = model { "roofline", params = { profile = "h200" } }
local SMS, LANES = 132, 128                                -- SMs of an H200, lanes for floats of each
local CLOCK = 1000 * H200.peak / (2 * LANES * SMS)         -- MHz: cycles of a microsecond

local function us(run)
  return string.format(run.time < 100 and "%.1f" or "%.0f", run.time)
end

local chain = recorded "fma_chains"
local four_chains, more_warps = recorded("fma_chains", { chains = 4 }), recorded("fma_chains", { threads = 512 })
local link = chain.time * CLOCK / chain.parameters.turns       -- cycles, with its share of the loop
local times_as_long = four_chains.time / chain.time

show(measure { kernel = "fma_chains" }, { at = { line = "v[k] = a * v[k] + b", kind = "exec" }, focus = "divergence" })
predict {
  id = "real", title = "A real one",
  [[
  Measured on an H200: {threads} threads on each SM, a warp for each scheduler. One chain of {turns} multiply-adds in
  each thread takes {time} us.

  Now four chains in each thread, four times the work.
  ]],
  threads = chain.threads, turns = commas(chain.parameters.turns), time = us(chain),
  ask = "How long does that take?", kind = "choice", sure = true,
  options = { "hardly longer", "about twice as long", "about 4 times as long" },
  answer = times_as_long < 1.5 and "hardly longer" or
           times_as_long < 3 and "about twice as long" or "about 4 times as long",
  wrong = {
    ["about 4 times as long"] = "So it would be if the first one had left no cycle empty.",
    ["about twice as long"] = "How many cycles does one warp leave empty between two links of its chain?",
  },
  tips = { "A chain alone waits for its own results." },
  because = "{after} us. A link of the chain alone is {cycles} cycles, and the warp filled one of them.",
  after = us(four_chains), cycles = string.format("%.1f", link),
}

explain {
  title = "Inside or beside, measured",
  [[
  - 1 warp, 1 chain: {a} us
  - 1 warp, 4 chains: {b} us
  - 4 warps, 1 chain: {c} us

  Both ways do four times the work in far less than four times the time. Inside is cheaper here: four chains share
  one loop, and each warp has to run its own.

  10 to 20 cycles for a result, says a lecture of 2012. Here it is at most {cycles}.
  ]],
  a = us(chain), b = us(four_chains), c = us(more_warps), cycles = string.format("%.1f", link),
}

local doubles = recorded("fma_chains", { type = "double" })
local dearer = doubles.time / chain.time
predict {
  id = "double", title = "float and double",
  [[The chain alone once more, in `float`: {time} us. Then the same in `double`.]], time = us(chain),
  ask = "How long does that take?", kind = "choice",
  options = { "as long", "up to twice as long", "10 times as long" },
  answer = dearer < 1.2 and "as long" or dearer < 2.5 and "up to twice as long" or "10 times as long",
  wrong = {
    ["as long"] = "A double has twice the bits, and fewer lanes work on it.",
    ["10 times as long"] = "An H200 is made for doubles, too. Chips for games are not.",
  },
  tips = { "An SM of an H200 has {all} lanes for floats, and {half} for doubles." }, all = LANES, half = LANES // 2,
  because = "{after} us, {times} times. A `2.0` where `2.0f` was meant makes doubles of floats.",
  after = us(doubles), times = string.format("%.1f", dearer),
}

-- Words that a second brings, of a sum of n words.
local function gbs(run)
  return math.floor(run.parameters.n * 4 / run.time / 1000 + 0.5)
end

local sums = {}
for _, loads in ipairs { 1, 2, 4, 8, 16 } do sums[loads] = recorded("loads_in_flight", { loads = loads }) end
local wide = recorded("loads_in_flight", { threads = 1024 })
local most = recorded("loads_in_flight", { threads = 1024, loads = 4 })
local faster = sums[1].time / sums[4].time

show(measure { kernel = "loads_in_flight" }, { at = { line = "v[k] = x[", kind = "load" }, focus = "segments" })
predict {
  id = "flight", title = "Four in front",
  [[
  The H200 adds up {mb} MB, with one block of {threads} threads on an SM. Each thread loads a word, adds it, loads
  the next: {gb} GB/s, of {sheet} that the memory has.

  Now four loads stand in front of four additions.
  ]],
  mb = sums[1].parameters.n * 4 // (1 << 20), threads = sums[1].threads, gb = gbs(sums[1]),
  sheet = commas(H200.bandwidth),
  ask = "About how many times as fast?", kind = "choice",
  options = { "1", "3", "10" }, answer = faster < 1.7 and "1" or faster < 5.5 and "3" or "10",
  wrong = {
    ["1"] = "As many bytes, but how many of them are under way?",
    ["10"] = "Four times as many are under way.",
  },
  tips = { "Rate = under way / time." },
  because = "{after} GB/s, {times} times: a load takes as long as before, and four of them fly together.",
  after = commas(gbs(sums[4])), times = string.format("%.1f", faster),
}

local function lines_of(run, loads)
  return run.threads // 32 * loads
end

predict {
  id = "as-fast", title = "Threads or loads?",
  [[Now {threads} threads on each SM, each with one load in front of its addition.]], threads = commas(wide.threads),
  ask = "How many lines of 128 bytes can be under way in an SM?", unit = "lines", answer = lines_of(wide, 1),
  wrong = {
    [wide.threads] = "A warp's load of 32 words is one line.",
    [wide.threads * 4 // 32] = "Those are sectors.",
  },
  tips = { "How many warps, how many loads in each?" },
  because = "As many as with {few} threads and four loads. And the rates are near: {a} and {b} GB/s.",
  few = sums[4].threads, a = commas(gbs(wide)), b = commas(gbs(sums[4])),
}

explain {
  title = "Enough under way",
  [[
  Lines under way in an SM, and GB/s:

  - {l1}: {g1}
  - {l2}: {g2}
  - {l4}: {g4}
  - {l8}: {g8}
  - {l16}: {g16}; from {more} threads {gm}

  First it nearly doubles with the lines. Towards {sheet} GB/s more brings less: the pipe is filling.
  ]],
  l1 = lines_of(sums[1], 1), g1 = commas(gbs(sums[1])), l2 = lines_of(sums[2], 2), g2 = commas(gbs(sums[2])),
  l4 = lines_of(sums[4], 4), g4 = commas(gbs(sums[4])), l8 = lines_of(sums[8], 8), g8 = commas(gbs(sums[8])),
  l16 = lines_of(sums[16], 16), g16 = commas(gbs(sums[16])), gm = commas(gbs(most)), more = commas(most.threads),
  sheet = commas(H200.bandwidth),
}

-- What a load takes by the rate of the slowest: under way / rate.
local BYTES = 128 * lines_of(sums[1], 1) * sums[1].parameters.blocks
local load_time = BYTES / (sums[1].parameters.n * 4 / sums[1].time)
local needed = picture { "little", params = { profile = "h200", mhz = math.floor(CLOCK + 0.5), loads = 4,
                                              latency = 10 * math.floor(load_time * CLOCK / 10 + 0.5) } }

explain {
  title = "Little, backwards",
  [[
  {l} lines of 128 bytes under way on each of {sms} SMs, at {gb} GB/s. Under way / rate is {ns} ns, {cycles} cycles.
  So long takes a turn of load and addition.

  All {sheet} GB/s then want {need} lines under way in each SM, or more: {l16} gave {g16}. In a crowd a load takes
  longer.
  ]],
  l16 = lines_of(sums[16], 16), g16 = commas(gbs(sums[16])),
  l = lines_of(sums[1], 1), sms = sums[1].parameters.blocks, gb = gbs(sums[1]),
  ns = string.format("%.0f", 1000 * load_time), cycles = string.format("%.0f", load_time * CLOCK),
  sheet = commas(H200.bandwidth), need = math.floor(needed.lines + 0.5),
}

-- 8. pointers ----------------------------------------------------------------------------------------

local list = measure { kernel = "pointer_chase", cut = "written" }
local function hop(nth)
  return { line = "at = node.y", kind = "exec", block = 0, warp = 0, nth = nth }
end

show(list, { at = { line = "int2 node = list[at]", kind = "load", block = 0, warp = 0 }, focus = "segments" })
explain {
  title = "Following pointers",
  [[
  Each node of a list says where the next one is. `at` begins with the thread's number, and every node leads {step}
  further.

  You will be lane 3. Look how `at` comes to be.
  ]],
  step = list.parameters.step,
}

trace {
  id = "hops", title = "Be lane 3",
  [[Every node leads {step} further. The next load cannot leave before this line.]], step = list.parameters.step,
  run = list, ask = "value of at in lane 3", at = { hop(1), hop(2), hop(3) },
  wrong = {
    [1] = { [3] = "There it is now.", [list.parameters.step] = "That is lane 0.",
            [4] = "The next one is where the node says, not beside it." },
    [2] = { [list.parameters.step] = "Once more from where you are." },
  },
  because = "Nobody knows the third place before the second node has come: a *chain* of loads.",
}

predict {
  id = "one", title = "Under way",
  [[A thread follows its list for {hops} nodes.]], hops = list.parameters.hops,
  ask = "How many of its loads are under way at once, at most?", unit = "loads", answer = 1,
  wrong = { [list.parameters.hops] = "For that all places would have to be known beforehand." },
  because = "One. *Pointer chasing* hides nothing inside a thread; only other threads can help.",
}

hide()
local chase, known = recorded "pointer_chase", recorded("pointer_chase", { form = "places" })
local near, wider = recorded("pointer_chase", { nodes = 1024 }), recorded("pointer_chase", { threads = 1024 })
local function cycles_of_hop(run)
  return string.format("%.0f", run.time * CLOCK / run.parameters.hops)
end
local gain = chase.time / known.time

predict {
  id = "chase", title = "What a list costs",
  [[
  On an H200 a warp follows lists of {hops} nodes in {time} us. The same nodes, as many loads: but the thread works
  out the places itself, and the compiler puts eight loads in front.
  ]],
  hops = commas(chase.parameters.hops), time = us(chase),
  ask = "How many times as fast, about?", kind = "choice", options = { "1", "2", "6", "1000" },
  answer = gain < 1.4 and "1" or gain < 3.5 and "2" or gain < 40 and "6" or "1000",
  wrong = {
    ["1"] = "As many loads, but not one after the other.",
    ["2"] = "Eight are under way now, in place of one.",
    ["1000"] = "For that all of them would have to be under way at once.",
  },
  because = "{after} us, {gain} times as fast. A GPU would rather not follow pointers.", after = us(known),
  gain = string.format("%.1f", gain),
}

explain {
  title = "Where the nodes lie",
  [[
  A hop of that list takes {far} cycles: the nodes lie in the L2 cache. With {few} nodes the list fits into the SM's own
  cache: {near}.

  With {threads} threads, each with a list of its own, a hop takes {wide}: {times} times the lists in the same time.
  ]],
  times = wider.threads // chase.threads,
  far = cycles_of_hop(chase), few = commas(near.parameters.nodes), near = cycles_of_hop(near),
  threads = commas(wider.threads), wide = cycles_of_hop(wider),
}

-- 9. write it ----------------------------------------------------------------------------------------

local SIZES = { {}, { blocks = 3, threads = 64 } }

show(scale, { at = "start" })
modify {
  id = "all", title = "Four each, side by side",
  [[
  A thread has elements `i`, `i + all`, `i + 2 * all`, `i + 3 * all`. Neighbors shall load neighbors, and all
  elements have to be done.
  ]],
  kernel = "scale", line = "int all =", blank = "  int all = ____;", fill = "gridDim.x * blockDim.x",
  accept = { "blockDim.x * gridDim.x", "n / 4" }, runs = SIZES,
  wrong = {
    ["1"] = "Then a thread's second element is its neighbor's first, and most of the array is left over.",
    ["blockDim.x"] = "Block 0 then doubles what belongs to block 1.",
    ["n"] = "That is behind the end of the array.",
  },
  offered = { "4" },
  tips = { "How far must a step reach so that nobody else has been there?" },
  because = "All threads of the grid: every load is a row of neighbors, as in a grid-stride loop.",
}

local loop = measure { kernel = "scale", form = "loop" }
local neighbors = measure { kernel = "scale", form = "neighbors" }
local few = scale.counters.global_load_sectors

-- Loads of a warp that stand before its first store.
local function loads_in_front(run)
  local first = run:find { kind = "store", space = "global", block = 0, warp = 0 }
  local count = run:count { kind = "load", space = "global", block = 0, warp = 0 }
  local front = 0
  for nth = 1, count do
    if run:find { kind = "load", space = "global", block = 0, warp = 0, nth = nth } < first then front = front + 1 end
  end
  return front
end

show(loop, { at = { kind = "load", block = 0, warp = 0 }, focus = "segments" })
predict {
  id = "loop", title = "A loop",
  [[
  The same as a loop: four turns of load and store. Could the compiler put the four loads in front?
  ]],
  ask = "What forbids it?", kind = "choice",
  options = { "nothing", "out might be in", "the loads are too far apart", "a loop is never changed" },
  answer = loads_in_front(loop) == 1 and "out might be in" or "nothing",
  wrong = {
    ["nothing"] = "Who says that a store does not change what is loaded next?",
    ["the loads are too far apart"] = "Where they lie does not matter to a register.",
    ["a loop is never changed"] = "Compilers unroll loops every day.",
  },
  tips = { "Two pointers come in. What do they point to?" },
  because = "A store to `out[i]` could change the next `in[i]`. You know that it does not; the compiler does not. "
    .. "So put the loads in front yourself.",
}

make {
  id = "four", title = "Loads first",
  [[
  Four elements for each thread. All four loads stand in front of the first store, and they move no more than {few}
  sectors.
  ]],
  few = few,
  kernel = "scale", from = "float a = in[i]", to = "out[i + 3 * all]",
  starter = [[
  for (; i < n; i += all)
    out[i] = 2.0f * in[i];]],
  solution = [[
  float a = in[i];
  float b = in[i + all];
  float c = in[i + 2 * all];
  float d = in[i + 3 * all];
  out[i] = 2.0f * a;
  out[i + all] = 2.0f * b;
  out[i + 2 * all] = 2.0f * c;
  out[i + 3 * all] = 2.0f * d;]],
  others = {
    { "an array", [[
  float v[4];
  #pragma unroll
  for (int k = 0; k < 4; k++)
    v[k] = in[i + k * all];
  #pragma unroll
  for (int k = 0; k < 4; k++)
    out[i + k * all] = 2.0f * v[k];]], right = true },
    { "a loop", [[
  for (; i < n; i += all)
    out[i] = 2.0f * in[i];]], says = "Each load comes behind the store of the turn before." },
    { "neighbors", [[
  i = 4 * i;
  float a = in[i], b = in[i + 1];
  float c = in[i + 2], d = in[i + 3];
  out[i] = 2.0f * a, out[i + 1] = 2.0f * b;
  out[i + 2] = 2.0f * c, out[i + 3] = 2.0f * d;]],
      says = "Right, and loads in front. But lanes are four words apart: each load moves four times the sectors." },
  },
  cut = "compiled", runs = SIZES,
  judged = function(run)
    local front, sectors = loads_in_front(run), run.counters.global_load_sectors
    if front < 4 then return false, string.format("%s before the first store", counted(front, "load")) end
    return sectors <= run.counters.global_store_bytes // 32, string.format("the loads move %d sectors", sectors)
  end,
  tips = { "Four variables, then four stores.", "`i + all`, not `i + 1`." },
  because = "One wait in place of four, and rows of neighbors all the same.",
}

local function timed(form)
  return measure { kernel = "scale", form = form, timing = true, device = "recorded", cut = "compiled" }
end

compare(scale, loop, { at = { kind = "store", block = 0, warp = 0 }, focus = "segments" })
explain {
  title = "Order and neighbors",
  [[
  Sectors loaded: {a} with steps of `all`, {a} in a loop, {b} with four neighbors for each thread.

  In front of the first store: {c} loads, {d}, {e}.

  Measured on an H200 with {mb} MB: {t1} us, {t2}, {t3}; one element a thread {t4}. Its cache helped the neighbors.
  ]],
  mb = timed("four").parameters.blocks * timed("four").threads * 4 * 4 // (1 << 20), t1 = us(timed "four"),
  t2 = us(timed "loop"), t3 = us(timed "neighbors"), t4 = us(timed "one"),
  a = few, b = neighbors.counters.global_load_sectors, c = loads_in_front(scale), d = loads_in_front(loop),
  e = loads_in_front(neighbors),
}

-- 10. what the machine runs ------------------------------------------------------------------------------

local add = measure { kernel = "vec_add", cut = "compiled" }
local adding = measure { kernel = "vec_add", device = "recorded", timing = true, cut = "compiled" }
show(add, { at = { kind = "load", block = 0, warp = 0 }, ptx = true })
explain {
  title = "PTX",
  [[
  Below the source stands *PTX*: one form for all chips, with as many registers as it likes. Two loads, then the
  addition that needs both.

  The driver makes *machine code* of it, for one chip: SASS. `cuobjdump -sass` shows it.
  ]],
}

predict {
  id = "ptx", title = "What PTX tells",
  [[Each of these is asked of a kernel.]],
  ask = "Which can you read in its PTX?", kind = "several",
  options = { "how wide a load is", "registers of a thread", "the space of a load", "the final order",
              "cycles of a load" },
  answer = { "how wide a load is", "the space of a load" },
  wrong = {
    ["registers of a thread"] = "PTX has as many as it likes. The driver's compiler hands out the real ones.",
    ["the final order"] = "Machine code may have another one.",
    ["cycles of a load"] = "No code tells that. It depends on where the word lies.",
  },
  tips = { "`ld.global.f32`" },
  because = "`ld.global.f32` says space and width. `vec_add` got {r} registers on an H200: that only its compiler "
    .. "knows.",
  r = adding.registers,
}

-- 11. to keep -------------------------------------------------------------------------------------------

hide()
rubric {
  id = "many", title = "Say it",
  ask = "Should one not simply start as many threads as possible?",
  model = [[No. Only so many warps are resident; the rest queue. What hides waiting is independent work, in other warps
or in the same one. Enough is latency times rate: more brings nothing. More threads leave fewer registers for each, and
spills are memory traffic. When the memory's pipe is full, it is full.]],
  points = { "resident warps are limited", "independent work, beside or inside", "enough is latency x rate",
             "more threads, fewer registers each", "a full memory stays full" },
}

check { draw = 5 }

recite {
  title = "From memory", ask = "What is to be kept of waiting? One line each.",
  [[
  - A warp stops where a value is used.
  - Independent work fills the gap: inside or beside.
  - Busy = warps x chains / latency.
  - Under way = rate x time.
  - Loads first, and neighbors to neighbors.
  - Enough is enough.
  ]],
}

finish {
  title = "Latency hiding: what to keep",
  [[
  Ask what a warp waits for, and what could go on meanwhile. If the answer is nothing: more warps, or loads that
  stand in front.

  Next: what the loads themselves cost.
  ]],
  next = "L08",
}
