-- L16: many threads want the same word. Whose update survives, and who has to wait?

local ATOMIC = { kind = "atomic", warp = 0, block = 0 }

local function commas(n)
  local text = string.format("%d", n):reverse():gsub("(%d%d%d)", "%1,"):reverse()
  return (text:gsub("^,", ""))
end

recall(2)

-- 1. lost ---------------------------------------------------------------------

local THREADS = 256
local function adding(form, seed)
  return measure { kernel = "race_add", form = form, seed = seed, params = { blocks = 1, threads = THREADS } }
end
local lost = adding "volatile"
local counted_ones = lost:output("a")[0]
local shared = measure { kernel = "shared_stride", params = { s = 0 } }:event { line = "float foo", kind = "load" }

predict {
  id = "read", title = "One word for all",
  [[32 lanes of a warp read the same word of shared memory.]],
  ask = "How many wavefronts does that take?", unit = "wavefronts", answer = shared.wavefronts,
  wrong = { [32] = "So it is with 32 different words of one bank. One word goes out once, to all." },
  tips = { "Is there anything to wait for, if all want the same?" },
  because = "{answer}. Reading together is free. Today the lanes want to change the word.",
}

show(lost, { at = "start" })
predict {
  id = "ones", title = "Two hundred and fifty-six",
  [[`*a += 1`, by one block of {threads} threads (the form `volatile`, without atomics). `*a` begins at 0.]],
  threads = THREADS,
  ask = "What is in `*a` after this run?", unit = "", answer = counted_ones, sure = true,
  wrong = {
    [THREADS] = "That would be so if nobody read between another's read and write.",
    [1] = "All would have to read before the first one writes. Here warps come one after another.",
    [0] = "Stores do arrive.",
    [32] = "The lanes of a warp go together: all of them read before one writes.",
  },
  tips = { "How many lanes of a warp read before the first of them writes?", "How many warps come one after another?" },
  because = "{answer}: one for each warp. The other {gone} are gone, and nothing crashed.",
  gone = THREADS - counted_ones,
  show = { run = lost, at = { line = "*a += 1", kind = "load", warp = 0 } },
}

explain {
  title = "Three steps, not one",
  [[
  The line is a load, an addition, a store. All 32 lanes load 0, all add, all store 1: one of 32 updates is left.
  Press `n` to
  see the store.

  {loads} loads, {stores} stores, {threads} additions. This is a *lost update*.
  ]],
  loads = lost.counters.global_load_requests, stores = lost.counters.global_store_requests, threads = THREADS,
}

local ends = {}
for seed = 1, 7 do
  ends[#ends + 1] = tostring(adding("volatile", seed):output("a")[0])
end
explain {
  title = "Not even the same wrong number",
  [[
  The same program in seven other orders: {list}. Less than {warps}: a warp read before another's store. More: a warp
  was divided. Since Volta its lanes need not go together.

  One right answer in a test would prove nothing. On a GPU with thousands of threads it would be another number yet.
  ]],
  list = table.concat(ends, ", "), warps = lost.warps * lost.blocks,
}

local plain = adding "plain"
predict {
  id = "volatile", title = "Does volatile help?", kind = "choice",
  [[
  Two versions: `int *a`, and `volatile int *a`, which tells the compiler to go to memory each time.
  ]],
  ask = "Which of them loses updates?", options = { "int", "volatile", "both", "none" },
  answer = plain.verdict == "wrong" and lost.verdict == "wrong" and "both" or "int",
  wrong = {
    ["int"] = "volatile makes each access reach memory. The load and the store are still two.",
    ["volatile"] = "It makes nothing worse.",
    ["none"] = "You have just seen one of them.",
  },
  tips = { "What does volatile promise, and to whom?" },
  because = "The checks tell a {one} with int, a {two} with volatile. volatile is about the compiler; what we need is "
    .. "about other threads.",
  one = plain.faults[1].kind:gsub("_", " "), two = lost.faults[1].kind:gsub("_", " "),
  show = { run = lost, at = { line = "*a += 1", kind = "store", warp = 1 } },
}

-- 2. two threads -------------------------------------------------------------------

-- Every order of the steps A1 A2 A3 and B1 B2 B3: load v, store the sum, look at v again.
local orders, finals = {}, {}
local function merge(order, a, b, state)
  if a == 3 and b == 3 then
    orders[#orders + 1] = { order = order, v = state.v }
    finals[state.v] = (finals[state.v] or 0) + 1
    return
  end
  local function step(who, number, adds)
    local next_state = { v = state.v, [1] = state[1], [2] = state[2] }
    if number == 0 then next_state[who] = state.v end
    if number == 1 then next_state.v = state[who] + adds end
    local longer = { table.unpack(order) }
    longer[#longer + 1] = 3 * (who - 1) + number + 1
    return longer, next_state
  end
  if a < 3 then
    local longer, after = step(1, a, 5)
    merge(longer, a + 1, b, after)
  end
  if b < 3 then
    local longer, after = step(2, b, 1)
    merge(longer, a, b + 1, after)
  end
end
merge({}, 0, 0, { v = 0, 0, 0 })

-- Steps by number, A 1 to 3 and B 4 to 6. The first order that loses the 5 is the one that the cards are written in.
local STEPS = { "A loads v", "A stores load + 5", "A looks at v", "B loads v", "B stores load + 1", "B looks at v" }
local losing, lines, place = {}, {}, {}
for _, one in ipairs(orders) do
  if one.v == 1 then losing[#losing + 1] = one.order end
end
for at, step in ipairs(losing[1]) do
  lines[at], place[step] = STEPS[step], at
end
local other_orders = {}
for i = 2, #losing do
  local by_line = {}
  for at, step in ipairs(losing[i]) do by_line[at] = place[step] end
  other_orders[#other_orders + 1] = by_line
end

local both = measure { kernel = "race_add_5_1", cut = "compiled", order_of = "0101" }
show(both, { at = { line = "*v = *v + 5", kind = "load" } })
say {
  title = "Two threads, one cell",
  [[
  A lecture asks: `v` is 0. Thread 0 does `v = v + 5; a = v`, thread 1917 does `v = v + 1; a = v`. What is `a` in
  each of them?

  Both have three steps: load `v`, store the sum, look at `v` again. Any order is possible in which each thread's own
  steps stay in
  order.
  ]],
}

predict {
  id = "steal", title = "Lose the five",
  [[A adds 5, B adds 1. Order the six steps so that `v` ends as {v}.]], v = both:output("v")[0], kind = "order",
  ask = "Which order loses the 5?", lines = lines, orders = other_orders,
  tips = { "B must have read before A writes.", "And B writes after A." },
  because = "B still holds the old 0 and stores 0 + 1. {count} of the {all} orders end so.", count = #losing,
  all = #orders,
  show = { run = both, at = { line = "*v = *v + 1", kind = "store" } },
}

local possible = {}
for _, v in ipairs { 0, 1, 2, 5, 6 } do
  if finals[v] then possible[#possible + 1] = tostring(v) end
end
predict {
  id = "finals", title = "What may come of it?", kind = "several",
  [[Again `v` is 0, A adds 5 and B adds 1, nothing orders them.]],
  ask = "Which of these may `v` be in the end?", options = { "0", "1", "2", "5", "6" }, answer = possible,
  wrong = { ["0"] = "Both store more than 0.", ["2"] = "Nobody adds 1 twice.",
            ["6"] = "If one is through before the other begins." },
  tips = { "Who may store last? What may it have read?" },
  because = "Of {all} orders {six} end with 6, {five} with 5, {one} with 1.", all = #orders, six = finals[6],
  five = finals[5],
  one = finals[1],
}

show(both, { at = "end" })
explain {
  title = "\"Not defined\" is the answer",
  [[
  The `a` of both and `v` together can end in seven ways. `lanescope stats race_add_5_1 --orders 20` tries every
  order, and
  gives one run for each.

  A *race*: two accesses to one word, at least one a store, and nothing that orders them.
  ]],
}

local winner = measure { kernel = "write_winner" }
show(winner, { at = "start" })
predict {
  id = "winner", title = "Two stores", kind = "choice",
  [[All lanes of a warp store their own number, in one instruction. Eight of them do so to `winner[0]`, the others to
  words beside it.]],
  ask = "What does `winner[0]` hold then?",
  options = { "the highest number", "the lowest", "one of the eight", "a mixture of bits" },
  answer = winner.verdict == "right" and "one of the eight" or "a mixture of bits",
  wrong = {
    ["the highest number"] = "This run may say so. No rule does.",
    ["the lowest"] = "This run may say so. No rule does.",
    ["a mixture of bits"] = "A store of a word is whole.",
  },
  because = "One store stays, whole; which, nobody promises. Here it was {now}. Who needs the highest takes "
    .. "`atomicMax`.",
  now = winner:output("winner")[0],
  show = { run = winner, at = { line = "winner[i % words]", kind = "store" } },
}

-- 3. one instruction -------------------------------------------------------------------

local right = adding "atomic"
local queue = right:event(ATOMIC)

show(right, { at = "start" })
explain {
  title = "One instruction",
  [[
  `atomicAdd(a, 1)` is an *atomic*: reading, adding and writing happen as one step. It happens where the word lives: in the
  second cache, or in the SM for shared memory. Nobody gets in between.

  All {sum} are counted, in any order.
  ]],
  sum = right:output("a")[0],
}

hide()
predict {
  id = "promise", title = "What is promised?", kind = "several",
  [[Thread 0 does `atomicAdd(&v, 5)`, thread 1917 `atomicAdd(&v, 1)`, with `v` = 0. Each call returns what was there
  before.]],
  ask = "What is sure?", options = { "v ends as 5 + 1", "thread 0 gets 0", "one of them gets 0", "thread 1917 gets 5" },
  answer = { "v ends as 5 + 1", "one of them gets 0" },
  wrong = { ["thread 0 gets 0"] = "If it is first. Who says so?",
    ["thread 1917 gets 5"] = "If it is second. Who says so?" },
  tips = { "Atomics lose nothing. Do they say who is first?" },
  because = "No update is lost; the order stays free.",
}

predict {
  id = "turns", title = "The price",
  [[A warp's 32 lanes all add to the same counter by `atomicAdd`. A *turn* is one lane's access to the word.]],
  ask = "How many turns, one after the other, does the warp's instruction take?", unit = "turns",
  answer = queue.longest_queue,
  sure = true,
  wrong = {
    [shared.wavefronts] = "That was reading. Each of these changes the word that the next one needs.",
    [THREADS // 32] = "So many warps. Each of them has 32 lanes.",
    [2] = "They do not halve.",
  },
  tips = { "Can two lanes add to the same old value?" },
  because = "{answer}: lanes on one address queue up. That is *contention*.",
  show = { run = right, at = ATOMIC, focus = "atomics" },
}

-- 4. queues ---------------------------------------------------------------------------

local COLOR = { line = "int c = color[i]", kind = "load" }
local function histogram(colors, buckets, n)
  return measure { kernel = "histogram", params = { colors = colors, buckets = buckets or 16, n = n or 1024 } }
end
local cycle, random, same = histogram "cycle", histogram "random", histogram "same"

show(cycle, { at = COLOR, focus = "segments" })
predict {
  id = "cycle", title = "Sixteen buckets in turn",
  [[A *histogram*: each thread adds 1 to the bucket of its color. Lane i has color i % {buckets}.]],
  buckets = cycle.parameters.buckets,
  ask = "How long is the longest queue of a warp?", unit = "lanes", answer = cycle:event(ATOMIC).longest_queue,
  wrong = {
    [16] = "16 queues, not 16 in a queue.",
    [1] = "32 lanes go to 16 buckets.",
    [64] = "So many are in each bucket at the end, of all warps.",
  },
  tips = { "How many lanes have color 0?" },
  because = "Lanes i and i + 16 share a bucket. Other buckets are served at the same time.",
  show = { run = cycle, at = ATOMIC, focus = "atomics" },
}

local chance = random:event(ATOMIC).longest_queue
show(random, { at = COLOR, focus = "segments" })
predict {
  id = "random", title = "Sixteen buckets by chance", kind = "choice",
  [[Now each lane has one of the 16 colors at random.]],
  ask = "The longest queue of the first warp has", options = { "2 lanes", "some more", "16", "32" },
  answer = chance > 2 and chance < 9 and "some more" or "2 lanes",
  wrong = {
    ["2 lanes"] = "On average. But the longest one counts, and chance is not even.",
    ["16"] = "That would be a rare accident.",
    ["32"] = "Then all had one color.",
  },
  tips = { "32 balls into 16 boxes." },
  because = "{chance} here. A warp is through when its longest queue is.", chance = chance,
  show = { run = random, at = ATOMIC, focus = "atomics" },
}

explain {
  title = "Who waits",
  [[
  Lanes that stand behind another one, of {all}: {a} in turn, {b} by chance, {c} with one color for all.

  That is inside of warps. The memory sees all of them: with one color {all} turns at one address.
  ]],
  all = commas(same.counters.atomics), a = cycle.counters.atomic_conflicts, b = random.counters.atomic_conflicts,
  c = same.counters.atomic_conflicts,
}

run { kernel = "histogram", params = { colors = "cycle" }, at = ATOMIC, focus = "atomics" }
try {
  id = "free", title = "Your turn: nobody waits",
  [[Press `p` and change `buckets`; the colors stay in turn.]],
  goal = "The smallest number of buckets with which no lane of a warp waits.",
  params = { "buckets" }, solution = { buckets = 32 },
  tips = { "When has each lane of a warp a bucket of its own?" },
  reached = function(r)
    local waits = r.counters.atomic_conflicts
    return waits == 0 and r.parameters.buckets == 32,
      waits == 0 and r.parameters.buckets > 32 and "nobody waits, but fewer will do" or counted(waits,
      "lane") .. " waiting"
  end,
}

hide()
predict {
  id = "decides", title = "Eyes closed", kind = "choice",
  [[A warp makes one atomic.]],
  ask = "What decides how many turns it takes?",
  options = { "banks", "sectors", "the most lanes on one address", "active lanes" },
  answer = "the most lanes on one address",
  wrong = {
    ["banks"] = "Banks queue different words.",
    ["sectors"] = "They decide what is moved. Whose turn it is, is another question.",
    ["active lanes"] = "32 lanes on 32 addresses take one turn.",
  },
  because = "One address, one queue. Different addresses go side by side.",
}

-- 5. fewer of them --------------------------------------------------------------------

local private = measure { kernel = "histogram_private", params = { colors = "cycle" } }
local global_private = private.blocks * private.parameters.buckets

show(private, { at = "start" })
make {
  id = "private", title = "A copy for each block",
  [[*Privatization*: a block counts in its own copy, in shared memory, and adds that to the buckets at its end. Write
  the line that counts.]],
  kernel = "histogram_private", from = "atomicAdd(&mine[color[i]], 1)",
  starter = "    // count color[i] in the block's copy",
  solution = "    atomicAdd(&mine[color[i]], 1);",
  others = {
    { "in the buckets", "    atomicAdd(&buckets[color[i]], 1);",
      says = "Right, and nothing gained: each element goes to global memory." },
    { "by thread", "    atomicAdd(&mine[i], 1);", says = "Your copy has a word for each color, not for each thread." },
    { "no atomic", "    mine[color[i]] += 1;", says = "Shared memory loses updates as well." },
  },
  runs = { { colors = "cycle" }, { colors = "same", n = 1000 } },
  judged = function(r)
    local requests = r.counters.global_atom_requests + r.counters.global_red_requests
    return requests <= r.blocks * cdiv(r.parameters.buckets, 32), requests .. " instructions add to global memory"
  end,
  tips = { "Whose copy is `mine`? Why is an atomic still needed?" },
  because = "Lanes of a block still queue, but inside of the SM.",
}

hide()
predict {
  id = "flush", title = "What is left",
  [[{blocks} blocks, {buckets} buckets, {n} elements; each block adds its copy to the buckets.]],
  blocks = private.blocks, buckets = private.parameters.buckets, n = commas(private.parameters.n),
  ask = "How many lanes make an atomic on global memory?", unit = "atomics", answer = global_private,
  wrong = {
    [private.parameters.n] = "Those go to shared memory now.",
    [private.parameters.buckets] = "Each block has a copy to bring.",
    [private.blocks] = "A block brings all of its buckets.",
  },
  tips = { "Blocks x buckets." },
  because = "{answer} for {n}. It pays if there are many more elements than blocks x buckets.",
}

local matched = measure { kernel = "histogram_match", params = { colors = "same" } }
show(matched, { at = "start" })
modify {
  id = "leader", title = "One speaks for all",
  [[`__match_any_sync` tells a lane who has its color: `same`; `first` is the lowest of them. Who adds?]],
  kernel = "histogram_match", line = "if (lane == first)", blank = "    if (____)", fill = "lane == first",
  accept = { "first == lane", "!(same & ((1u << lane) - 1))" }, runs = { {}, { colors = "same", n = 1000 } },
  wrong = {
    ["lane == 0"] = "Lane 0 speaks for its own color. Who speaks for the others?",
    ["true"] = "Then each adds the number of all: four lanes count 4 x 4 = 16.",
  },
  offered = { "same != 0" },
  tips = { "One lane of each color." },
  because = "{n} elements of one color: {now} atomics in place of {before}, and nobody waits in a warp.",
  n = commas(matched.parameters.n), now = matched.counters.atomics, before = commas(same.counters.atomics),
}

local function regions(order)
  return measure { kernel = "global_max_regions", params = { order = order, num_regions = 32 } }
end
local rising, mixed, falling = regions "rising", regions "random", regions "falling"
local unset = measure { kernel = "global_max_regions", form = "lecture" }
local naive = measure { kernel = "global_max_naive" }

show(mixed, { at = { kind = "atomic", nth = 2 }, focus = "atomics" })
explain {
  title = "By way of regions",
  [[
  A lecture's better maximum: each value goes to one of 32 regions first. Only who raises the maximum of its region
  goes on to the
  one of all. (It forgets to set the maxima first; the checks tell it: {told}.)

  Without regions: {naive} atomics, {waits} lanes wait. With them, on random numbers: {now}, and {fewer} wait.
  ]],
  naive = naive.counters.atomics, waits = naive.counters.atomic_conflicts, now = mixed.counters.atomics,
  fewer = mixed.counters.atomic_conflicts, told = unset.faults[1].kind,
}

show(rising, { at = { line = "int val = values[i]", kind = "load" }, focus = "segments" })
predict {
  id = "rising", title = "Rising numbers",
  [[{n} numbers, each larger than all before; 32 regions; warps come in order.]], n = rising.parameters.n,
  ask = "How many atomics do the lanes make in all?", unit = "atomics", answer = rising.counters.atomics, sure = true,
  wrong = {
    [falling.counters.atomics] = "So it is with falling numbers: only the first of a region gets through.",
    [rising.parameters.n] = "Those are the first ones. Who gets through makes another.",
    [mixed.counters.atomics] = "By chance, yes.",
  },
  tips = { "Who raises the maximum of its region?" },
  because = "All get through: twice the naive {n}, and {wait} lanes wait. The improvement rests on the numbers.",
  wait = rising.counters.atomic_conflicts,
  show = { run = rising, at = { kind = "atomic", nth = 2 }, focus = "atomics" },
}

local by_warp = measure { kernel = "global_max_warp" }
show(by_warp, { at = "start" })
modify {
  id = "warp", title = "One lane for the warp",
  [[After the butterfly all lanes of a warp hold its maximum. Who takes it to the word of all?]],
  kernel = "global_max_warp", line = "if (threadIdx.x % 32 == 0)", blank = "  if (____)",
  fill = "threadIdx.x % 32 == 0",
  accept = { "(threadIdx.x & 31) == 0", "threadIdx.x % 32 == 31" }, runs = { {}, { order = "rising" } },
  judged = function(r) return r.counters.atomics <= r.blocks * r.warps, r.counters.atomics .. " atomics" end,
  wrong = {
    ["threadIdx.x == 0"] = "One lane of each *block*: its other warps are forgotten.",
    ["true"] = "Right, and as many atomics as before.",
  },
  offered = { "i == 0" },
  tips = { "Which number has a thread in its warp?" },
  because = "{now} atomics, whatever the numbers are.", now = by_warp.counters.atomics,
}

-- 6. any atomic -----------------------------------------------------------------------

local cas = measure { kernel = "cas_semantics" }
local body = measure { kernel = "cas_semantics", form = "body" }

show(cas, { at = ATOMIC, focus = "atomics" })
say {
  title = "Compare and swap",
  [[
  `atomicCAS(p, oldval, newval)`: look at `*p`; if it is `oldval`, put `newval` there; tell what was there. All of it
  in one step.

  With that *compare-and-swap* any other atomic can be made: compute the new value from the old one, and go round
  again if somebody
  came between.
  ]],
}

predict {
  id = "attempts", title = "Round and round",
  [[32 lanes of a warp each add 1 in such a loop, all at the same time. In each round one gets through.]],
  ask = "How many calls of atomicCAS do the lanes make in all?", unit = "calls", answer = cas.counters.atomics,
  wrong = {
    [32] = "Only one can succeed in a round. The others hold an old value.",
    [1024] = "32 rounds. But who got through stops.",
    [64] = "One failure each will not do.",
  },
  tips = { "32 in the first round, one less in the second, ..." },
  because = "`32 + 31 + ... + 1` = {answer}. `atomicAdd` makes 32.",
  show = { run = cas, at = { kind = "atomic", nth = 2 }, focus = "atomics" },
}

modify {
  id = "again", title = "When to go round again",
  [[`was` is what I expected, `old` is what was there. Complete the loop of `cas_add`.]],
  kernel = "cas_semantics", line = "} while (old != was);", blank = "  } while (____);", fill = "old != was",
  accept = { "was != old" }, runs = { {}, { threads = 77, blocks = 2 } },
  wrong = {
    ["old == was"] = "You go round when it worked, and so for ever.",
    ["false"] = "One try each, and all but one of them fail.",
  },
  offered = { "old != was + 1" },
  tips = { "When has somebody come between?" },
  because = "What was there is not what I computed with: take it, and try again.",
}

show(body, { at = { line = "int old_reg_val", kind = "load" } })
predict {
  id = "body", title = "The meaning, as C",
  [[
  A slide writes compare-and-swap as a C function: `if (*p == oldval) *p = newval;`. 32 lanes run the same loop
  with it, in place of `atomicCAS`.
  ]],
  ask = "What is in `*p` then?", unit = "", answer = body:output("p")[0],
  wrong = {
    [32] = "All of them find 0, and think that they are alone.",
    [0] = "They do store.",
  },
  tips = { "What does each lane find? What does it store?" },
  because = "{answer}. The text says what it means. Only the hardware makes it one step.",
}

-- 7. tickets ----------------------------------------------------------------------------

local eight = measure { kernel = "workqueue", form = "lecture" }
local repaired = measure { kernel = "workqueue" }
local items, threads = eight.parameters.queue_max, eight.parameters.threads

hide()
predict {
  id = "ticket", title = "A ticket, please",
  [[
  `atomicInc(p, limit)` adds 1, but goes back to 0 from `limit`. {threads} threads draw tickets for {items} items, 0
  to {last}:
  `atomicInc(counter, {items})`.
  ]],
  threads = threads, items = items, last = items - 1,
  ask = "What is the highest ticket handed out?", unit = "",
  answer = tonumber(eight.faults[1].message:match "work_q%[(%d+)%]"),
  wrong = {
    [items - 1] = "It goes back after the limit was reached.",
    [threads - 1] = "It goes round before that.",
  },
  tips = { "From which value does it go back to 0?" },
  because = "0 to {items} are one ticket too many ({fault}); then 0, 1, 2 come a second time.",
  fault = eight.faults[1].kind:gsub("_", " "),
  show = { run = eight, at = "end" },
}

show(repaired, { at = ATOMIC, focus = "atomics" })
predict {
  id = "refused", title = "Counted to the end",
  [[
  Repaired: `atomicAdd`, a test, and a loop, so that who is free comes again. {threads} threads, {items} items.
  ]],
  threads = threads, items = items,
  ask = "What does the counter say at the end?", unit = "", answer = repaired:output("q_counter")[0],
  wrong = {
    [items] = "Each thread draws once more, and is refused.",
    [threads] = "Every item takes a ticket, and so does every refusal.",
  },
  tips = { "How often does each thread hear that there is nothing left?" },
  because = "{items} items and {threads} refusals.",
}

local late = measure { kernel = "keep_even", form = "late", order = "whole" }
local kept = measure { kernel = "keep_even" }
local filled, late_out = 0, late:output("out")
for k = 0, #late_out - 1 do
  filled = filled + (late_out[k] >= 0 and 1 or 0)
end
show(kept, { at = "start" })
modify {
  id = "place", title = "A place of one's own",
  [[The even numbers are to stand close together in `out`. Complete the line.]],
  kernel = "keep_even", line = "int place = atomicAdd(count, 1)", blank = "    int place = ____;",
  fill = "atomicAdd(count, 1)", accept = { "atomicInc((unsigned *)count, n)" }, runs = { {}, { n = 1000 } },
  wrong = {
    ["(*count)++"] = "Lanes of a warp all read the same count.",
    ["atomicAdd(count, 1) + 1"] = "The first one gets 0, and that is the first place.",
    ["i / 2"] = true,
  },
  tips = { "Who gives each thread a number that nobody else has?" },
  because = "What the atomic returns is yours alone. Looking at the counter afterwards is too late.",
}

show(kept, { at = { line = "out[place] = v[i]", kind = "store" } })
predict {
  id = "late", title = "Too late",
  [[
  Somebody writes `atomicAdd(count, 1); out[*count - 1] = v[i];` instead, for {n} numbers; two warps, one after
  the other.
  ]],
  n = late.parameters.n, kind = "choice",
  ask = "How many of the {half} places are written?", half = late.parameters.n // 2,
  options = { "all", "half of them", "two" },
  answer = ({ [2] = "two", [#late_out] = "all", [#late_out // 2] = "half of them" })[filled],
  wrong = {
    ["all"] = "When a lane looks at the count, what have the other lanes of its warp done?",
    ["half of them"] = "How many different counts does one warp see?",
  },
  tips = { "All lanes of a warp add before the first one looks." },
  because = "One for each warp: each sees its last count in all of its lanes.",
  show = { run = late, at = { line = "out[*count - 1]", kind = "store" } },
}

-- 8. locks and walls -----------------------------------------------------------------------

local spin = measure { kernel = "warp_lock", form = "spin" }
local spin_stack = measure { kernel = "warp_lock", form = "spin", sched = "stack" }
local safe = measure { kernel = "warp_lock" }

show(spin, { at = ATOMIC, focus = "atomics" })
predict {
  id = "lock", title = "A lock in a warp", kind = "choice",
  [[A *lock*: wait until it is free, work, let go. Each lane of a warp does it on a GPU before Volta: one place in
  the program for all 32.]],
  ask = "What happens?", options = { "fast", "slow", "it never ends", "it does not compile" },
  answer = #spin_stack.faults > 0 and spin_stack.faults[1].kind == "livelock" and "it never ends" or "slow",
  wrong = {
    ["slow"] = "All others try again. Can the one that has the lock go on?",
    ["fast"] = "All others try again. Can the one that has the lock go on?",
    ["it does not compile"] = "It does.",
  },
  tips = { "Where is the one place in the program while the others wait?" },
  because = "The warp stays in the loop with those who wait, and the holder waits for them.",
  show = { run = spin_stack, at = "end", focus = "divergence" },
}

show(spin, { at = "end", focus = "atomics" })
explain {
  title = "Since Volta",
  [[
  Each lane has its own place now, and this form ends, with {spin} atomics for {lanes} additions. With the work
  inside of the winner's branch
  it is {safe}, and it ends on every machine.

  A lecture says it shorter: locks, avoid.
  ]],
  spin = commas(spin.counters.atomics), lanes = safe.parameters.threads, safe = safe.counters.atomics,
}

show(safe, { at = "start" })
parsons {
  id = "safe", title = "The safe form",
  [[Put the body of the loop in order. One belongs nowhere.]],
  kernel = "warp_lock", runs = { {}, { threads = 96 } }, from = "if (atomicCAS(lock, 0, 1) == 0) {", to = "waiting = false;",
  spare = { "      __syncwarp();" },
  others = {
    { "let go first", [[
    if (atomicCAS(lock, 0, 1) == 0) {
      int n = *counter;
      atomicExch(lock, 0);
      *counter = n + 1;
      __threadfence();
      waiting = false;]], says = "Who comes next may read before this store." },
  },
  tips = { "Read, write, make it seen, let go." },
  because = "`__threadfence()` makes the store seen before the lock is free.",
}

local two = measure { kernel = "global_sync" }
local one = measure { kernel = "global_sync", form = "one" }
show(one, { at = "start" })
predict {
  id = "wall", title = "All blocks", kind = "choice",
  [[Thread i writes a[i], then reads what a thread of another block wrote. In between stands `__syncthreads()`.]],
  ask = "Which is a wall for *all* blocks?",
  options = { "__syncthreads()", "the end of a kernel", "volatile", "__threadfence()" },
  answer = one.verdict ~= two.verdict and "the end of a kernel" or "__syncthreads()",
  wrong = {
    ["__syncthreads()"] = "It waits for its own block. Here the result is {verdict}.",
    ["volatile"] = "Nobody waits there.",
    ["__threadfence()"] = "It orders what one thread writes. It waits for nobody.",
  },
  verdict = one.verdict,
  because = "Two launches in one stream. The host need not wait between them.",
}

-- 9. to keep ------------------------------------------------------------------------------

hide()
rubric {
  id = "total", title = "Say it",
  ask = "A thousand threads add to one total. What do you write, and what does the hardware do with it?",
  model = [[Each thread sums in a register, warps combine by shuffles, a block in shared memory with a barrier, and one
lane of the block makes an atomicAdd. The cache reads, adds and writes as one step; atomics at one address queue,
others go side by side.
Nothing is lost, the order is free. No lock.]],
  points = { "plain += loses updates", "combine before the atomic", "one address, one queue",
    "done where the word lives",
             "the order is not defined", "no lock in a warp" },
}

check { draw = 5 }

recite {
  title = "From memory", ask = "What is to be kept of shared words? One line each.",
  [[
  - `+=` is three steps; between them updates are lost.
  - volatile helps against nothing of this.
  - An atomic is one step. Its order is free.
  - One address, one queue.
  - Combine first: thread, warp, block, then one atomic.
  - Use what the atomic returns.
  - No locks in a warp; a kernel's end waits for all.
  ]],
}

finish {
  title = "Atomics: what to keep",
  [[
  Ask of every word that threads write: who else wants it, and what says who is first?

  Next: tools that ask this for you.
  ]],
  next = "L17",
}
