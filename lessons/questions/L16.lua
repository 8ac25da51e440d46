-- Questions drawn for L16, Races and atomics.

local ATOMIC = { kind = "atomic", warp = 0, block = 0 }

-- ---- lost updates --------------------------------------------------------------------------------------------------

local function counted_without(d)
  local threads = 32 * d.integer(2, 32)
  local run = measure { kernel = "race_add", form = "volatile", order = "whole", params = { blocks = 1,
    threads = threads } }
  return {
    [[{threads} threads of a block do `*a += 1` without an atomic. Warps run one after another, lanes in step.]],
    threads = threads,
    ask = "`*a` was 0. What is it then?", answer = run:output("a")[0], unit = "",
    wrong = { [threads] = "Lanes of a warp all read the same value before one writes.",
              [1] = "A later warp reads what an earlier one left.",
              [32] = "Those are lanes. How many updates of a warp are left?" },
    tips = { "One update is left of each warp." }, because = "{threads} / 32: one for each warp.",
  }
end

local function with_atomics(d)
  local blocks, threads = d.integer(2, 9), d.integer(2, 200)
  local run = measure { kernel = "race_add", params = { blocks = blocks, threads = threads } }
  return {
    [[{blocks} blocks of {threads} threads do `atomicAdd(a, 1)`.]], blocks = blocks, threads = threads,
    ask = "`*a` was 0. What is it then?", answer = run:output("a")[0], unit = "",
    wrong = { [threads] = "All blocks have the same `a`.",
              [blocks * cdiv(threads, 32)] = "So many warps. Atomics lose no lane." },
    because = "Every one of them counts: {blocks} x {threads}.",
  }
end

local function finals(d)
  local x, y = d.integer(2, 5), d.integer(6, 9)
  local from = d.integer(0, 3)
  local which = d.pick { "lost", "lost", "none" }
  local options = { tostring(from), tostring(from + x), tostring(from + y), tostring(from + x + y) }
  if which == "none" then
    return {
      [[`v` is {from}. One thread does `atomicAdd(&v, {x})`, another `atomicAdd(&v, {y})`.]], x = x, y = y, from = from,
      class = "atomic",
      ask = "Which of these may `v` be at the end?", kind = "several", options = options,
      answer = { tostring(from + x + y) },
      wrong = { [tostring(from + x)] = "Then {y} would be lost.", [tostring(from + y)] = "Then {x} would be lost." },
      because = "An atomic is one step, so none is lost.",
    }
  end
  return {
    [[`v` is {from}. One thread does `v = v + {x}`, another `v = v + {y}`, and nothing orders them.]], x = x, y = y,
    from = from,
    class = "plain",
    ask = "Which of these may `v` be at the end?", kind = "several", options = options,
    answer = { tostring(from + x), tostring(from + y), tostring(from + x + y) },
    wrong = { [tostring(from)] = "Both store something larger.",
              [tostring(from + x + y)] = "If one is through before the other begins." },
    because = "Either may be lost, or none of them.",
  }
end

-- ---- queues --------------------------------------------------------------------------------------------------------

local function histogram(colors, buckets, n, threads)
  return measure { kernel = "histogram", params = { colors = colors, buckets = buckets, n = n,
    threads = threads or 256 } }
end

local function longest(d)
  local buckets = d.integer(3, 31)
  local run = histogram("cycle", buckets, 1024)
  return {
    [[Lane i of a warp adds 1 to bucket i % {buckets} by `atomicAdd`.]], buckets = buckets,
    ask = "How many lanes are in the longest queue?", answer = run:event(ATOMIC).longest_queue, unit = "lanes",
    wrong = { [buckets] = "So many queues.", [1] = "32 lanes and {buckets} buckets.",
              [32] = "That is for one bucket." },
    tips = { "How many lanes go to bucket 0?" }, because = "32 / {buckets}, rounded up.",
  }
end

local function waiting(d)
  local n = 32 * d.integer(4, 60)
  local run = histogram("same", 16, n)
  return {
    [[{n} threads of full warps count the same color by `atomicAdd`.]], n = n,
    ask = "How many lanes stand behind another lane of their warp?", answer = run.counters.atomic_conflicts,
    unit = "lanes",
    wrong = { [n] = "One of each warp is first.", [31] = "That is one warp.", [n // 32] = "Those are first." },
    tips = { "31 of each warp." }, because = "{n} - {warps}.", warps = n // 32,
  }
end

local function where_is_it_done(d)
  local what = d.pick { { "a word of global memory", "in the second cache" }, { "a word of shared memory",
    "in the SM" } }
  return {
    [[A kernel does `atomicAdd` on {word}.]], word = what[1],
    class = what[2] == "in the SM" and "shared" or "global",
    ask = "Where are reading, adding and writing done?",
    options = { "in the second cache", "in the SM", "in the host", "in registers of the lane" }, answer = what[2],
    wrong = { ["in registers of the lane"] = "Then others could come between.", ["in the host"] = "It takes no part.",
              ["in the second cache"] = "Shared memory is inside of the SM.",
              ["in the SM"] = "Other SMs want the word, too." },
    because = "Where the word lives, and nobody gets in between.",
  }
end

-- ---- fewer ---------------------------------------------------------------------------------------------------------

local function flushed(d)
  local buckets, blocks, threads = d.integer(2, 64), d.integer(2, 16), d.pick { 128, 256 }
  return {
    [[{blocks} blocks of {threads} threads count {n} elements, each in a copy of {buckets} buckets in shared memory.]],
    blocks = blocks, threads = threads, n = blocks * threads, buckets = buckets,
    ask = "How many lane atomics on global memory does it take to add up the copies?", answer = blocks * buckets,
    unit = "atomics",
    wrong = { [blocks * threads] = "Those go to shared memory.", [buckets] = "Every block brings its copy.",
              [blocks] = "A copy has {buckets} words." },
    because = "{blocks} x {buckets}.",
  }
end

local function by_match(d)
  local buckets, n = d.integer(2, 32), 32 * d.integer(2, 20)
  local run = measure { kernel = "histogram_match", params = { colors = "cycle", buckets = buckets, n = n } }
  local least = n // 32 * math.min(buckets, 32)
  return {
    [[{n} threads of full warps; thread i has color i % {buckets}. In a warp one lane of each color adds for all of
    that color.]],
    n = n, buckets = buckets,
    ask = "How many atomics are made?", answer = run.counters.atomics, unit = "atomics",
    wrong = { [n] = "Only one lane of each color goes.", [buckets] = "In each warp.",
              [n // 32] = "A warp has more than one color." },
    tips = { "How many colors has a warp? How many warps are there?" }, because = "{warps} warps x {colors} colors.",
    warps = n // 32, colors = least // (n // 32),
  }
end

local function one_for_warp(d)
  local blocks, threads = d.integer(2, 20), d.pick { 64, 128, 256, 512 }
  local level = d.pick { { "warp", blocks * threads // 32 }, { "block", blocks }, { "thread", blocks * threads } }
  return {
    [[{blocks} blocks of {threads} threads find a maximum. One thread of each {level} takes its result to the word of
    all.]],
    blocks = blocks, threads = threads, level = level[1],
    class = level[1],
    ask = "How many atomics is that?", answer = level[2], unit = "atomics",
    wrong = d.except(level[2], { [blocks * threads] = "That is one for each thread.",
              [blocks] = "That is one for each block.",
                                 [blocks * threads // 32] = "That is one for each warp." }),
    because = "As many as there are {level}s.",
  }
end

-- ---- compare and swap ----------------------------------------------------------------------------------------------

local function attempts(d)
  local lanes = d.integer(3, 32)
  local run = measure { kernel = "cas_semantics", params = { threads = lanes } }
  return {
    [[{lanes} lanes of a warp add 1 by a loop of `atomicCAS`, all together; one gets through in each round.]],
    lanes = lanes,
    ask = "How many calls do they make in all?", answer = run.counters.atomics, unit = "calls",
    wrong = { [lanes] = "All but one fail in the first round.", [lanes * lanes] = "Who got through stops." },
    tips = { "{lanes} + ... + 1." }, because = "{lanes} x ({lanes} + 1) / 2.",
  }
end

local function after_cas(d)
  local there, old, new = d.integer(1, 9), d.integer(1, 9), d.integer(10, 20)
  if d.chance(0.5) then old = there end
  return {
    [[`*p` is {there}. A thread calls `atomicCAS(p, {old}, {new})`.]], there = there, old = old, new = new,
    ask = "What is in `*p` after it?", answer = there == old and new or there, unit = "",
    wrong = d.except(there == old and new or there, { [new] = "{there} is not {old}.",
              [there] = "It is what was expected." }),
    tips = { "Is what is there what was expected?" }, because = "It writes only if `*p` is {old}.",
  }
end

local function cas_returns(d)
  local there, old, new = d.integer(1, 9), d.integer(1, 9), d.integer(10, 20)
  return {
    [[`*p` is {there}. A thread calls `atomicCAS(p, {old}, {new})`.]], there = there, old = old, new = new,
    ask = "What does the call return?", answer = there, unit = "",
    wrong = { [new] = "That is what it wants to put there.", [old] = "That is what it expects.",
              [1] = "Not yes or no." },
    because = "What was there before. By that the thread learns whether it worked.",
  }
end

-- ---- tickets -------------------------------------------------------------------------------------------------------

local function highest(d)
  local items = d.integer(3, 20)
  local run = measure { kernel = "workqueue", form = "lecture", params = { threads = 31, queue_max = items } }
  return {
    [[31 threads draw tickets by `atomicInc(p, {items})`; `*p` was 0.]], items = items,
    ask = "What is the highest ticket?", answer = tonumber(run.faults[1].message:match "work_q%[(%d+)%]"), unit = "",
    wrong = { [items - 1] = "It goes back after the limit was there.", [30] = "It goes round before." },
    because = "0 to {items}, and then 0 again.",
  }
end

local function at_the_end(d)
  local threads, items = d.integer(2, 32), d.integer(2, 40)
  local run = measure { kernel = "workqueue", params = { threads = threads, queue_max = items } }
  return {
    [[{threads} threads take {items} items by `atomicAdd(counter, 1)` until their ticket is {items} or more.
    `counter` was 0.]],
    threads = threads, items = items,
    ask = "What is it at the end?", answer = run:output("q_counter")[0], unit = "",
    wrong = { [items] = "Each thread is refused once.", [threads] = "Items take tickets, too." },
    because = "{items} items, {threads} refusals.",
  }
end

local function whose_number(d)
  local lane = d.integer(1, 31)
  local which = d.pick { "returned", "set" }
  if which == "set" then
    return {
      [[32 lanes call `atomicAdd(p, 1)`; `*p` was 0. All returned numbers are collected.]],
      ask = "How many different ones are there?", answer = 32, unit = "numbers",
      wrong = { [1] = "Each call returns what was there before it, and then it is more.", [31] = "0 is among them." },
      because = "0 to 31, each once. To whom which, is not said.",
    }
  end
  return {
    [[32 lanes call `atomicAdd(p, 1)`; `*p` was 0.]], lane = lane,
    ask = "Does lane {lane} always get {lane}?", options = { "yes", "no", "only in warp 0" }, answer = "no",
    wrong = { ["yes"] = "Nobody promises the order of lanes.",
              ["only in warp 0"] = "Its lanes have no promised order either." },
    because = "Each number is handed out once. The order is free.",
  }
end

-- ---- who waits for whom ---------------------------------------------------------------------------------------------

local function which_cure(d)
  local case = d.pick {
    { "lanes of one warp read what other lanes of it just wrote", "__syncwarp()" },
    { "threads of a block read what its other warps wrote", "__syncthreads()" },
    { "threads read what any other block wrote", "the end of a kernel" },
    { "threads of many blocks add to one counter", "an atomic" },
  }
  return {
    [[In a kernel, {case}.]], case = case[1],
    ask = "What is needed?", options = { "__syncwarp()", "__syncthreads()", "the end of a kernel", "an atomic" },
    answer = case[2],
    wrong = { ["__syncwarp()"] = "It waits for lanes of one warp.", ["__syncthreads()"] = "It waits for one block.",
              ["the end of a kernel"] = "More than is needed.",
              ["an atomic"] = "Nobody waits at an atomic for others to be ready." },
    tips = { "How far apart are those who write and those who read?" },
    because = "The narrowest that has all of them in it.",
  }
end

local function is_it_told(d)
  local case = d.pick { { "volatile" }, { "plain" }, { "atomic" } }
  local run = measure { kernel = "race_add", form = case[1] }
  local kind = #run.faults > 0 and run.faults[1].kind or "nothing"
  local words = { lost_update = "a lost update", race = "a race", nothing = "nothing" }
  local code = { volatile = "`*a += 1` with `volatile int *a`", plain = "`*a += 1` with `int *a`",
    atomic = "`atomicAdd(a, 1)`" }
  return {
    [[Many threads do {code}.]], code = code[case[1]],
    class = case[1],
    ask = "What do the checks tell?", options = { "nothing", "a race", "a lost update" }, answer = words[kind],
    wrong = { ["nothing"] = "A load and a store, and others in between.",
              ["a race"] = "Each access is made on purpose here.",
              ["a lost update"] = "Are there two steps? And does anything say that they are meant?" },
    because = "Plain accesses race. With volatile they are meant, and the change is still two steps. An atomic is one.",
  }
end

local function the_lock(d)
  local case = d.pick { { "spin", "stack" }, { "spin", "its" }, { "safe", "stack" }, { "spin", "stack" } }
  local run = measure { kernel = "warp_lock", form = case[1], sched = case[2] }
  local where = case[1] == "spin" and "behind the loop that waits for it" or "in the branch of who got it"
  return {
    [[Lanes of a warp take a lock; the work is {where}. The machine is one {age} Volta.]], where = where,
    age = case[2] == "stack" and "before" or "since",
    class = #run.faults > 0 and "hangs" or "ends",
    ask = "Does it end?", options = { "yes", "no" }, answer = #run.faults > 0 and "no" or "yes",
    wrong = { ["yes"] = "The warp has one place in the program. Where is it?", ["no"] = "Who has the lock can go on." },
    because = "It ends if the lane that has the lock can come to where it lets go.",
  }
end

-- Some that are true and some that are not, out of two lists, for a question in which all true ones are wanted.
local function some_of(d, right, wrong, count)
  local yes, no = d.shuffle(right), d.shuffle(wrong)
  local options, answer, says = {}, {}, {}
  for i = 1, 4 do
    local one = i <= count and yes[i] or no[i]
    options[i], says[one[1]] = one[1], one[2]
    answer[i] = i <= count and one[1] or nil
  end
  return d.shuffle(options), answer, says
end

-- ---- who does it ---------------------------------------------------------------------------------------------------

local function atomic_facts(d)
  local options, answer, says = some_of(d, {
    { "Different addresses do not wait for each other.", "Only those of one address queue." },
    { "A unit at the L2 cache does it for global memory.", "That is where all SMs meet." },
    { "Lanes of one address come one after the other.", "That is what makes it right, and slow." },
    { "The order of the lanes is not defined.", "Any order leaves the same sum." },
  }, {
    { "It locks the memory.", "Nobody else is held up: only those of one address queue." },
    { "Each SM has one lock for it.", "There is no lock, and other SMs would not know of it." },
    { "Lane 0 is always first.", "Nothing says so." },
    { "A barrier is inside of it.", "It orders one word, and nobody waits for all." },
  }, d.pick { 1, 2, 3 })
  return {
    [[An atomic in global memory, by the lanes of many warps.]], kind = "several", ask = "Which are true?",
    options = options,
    answer = answer, wrong = says, tips = { "Who meets at one word?" },
    because = "Same address: one after the other. Different addresses: side by side.",
  }
end

local function steps_of_atomic(d)
  local all = { "the warp sends one request", "lanes are sorted by address", "the old word is read", "the sum is made",
                "the new word is written", "old values go back to the lanes" }
  local left, lines = d.pick { 2, 3, 5, 6 }, {}
  for i, line in ipairs(all) do
    if i ~= left then lines[#lines + 1] = line end
  end
  local spare = d.pick { "the memory is locked", "other warps of the SM stop", "a barrier is set up" }
  return {
    [[`atomicAdd` in global memory, by {lanes} lanes of a warp.]], lanes = d.integer(2, 32), kind = "order",
    ask = "What happens, in order? One line is too many.",
    lines = lines, spare = { spare }, wrong = { [spare] = "Nothing of that kind: a unit at the L2 does it." },
    tips = { "Read, change, write: all of it where the word lies." },
    because = "The word is read, changed and written in one go, where it lies.",
  }
end

local function which_waits(d)
  local case = d.pick {
    { "32 lanes raise one counter", "the lanes, one after the other" }, { "32 lanes raise 32 counters", "nobody" },
    { "two warps of two SMs raise one counter", "one warp for the other" },
    { "two warps raise counters of their own", "nobody" },
    { "one half of a warp raises counter 0, the other counter 1", "the lanes, one after the other" },
    { "lane 0 of each warp raises one counter", "one warp for the other" },
  }
  return {
    [[By atomics {case}.]], case = case[1], kind = "choice", ask = "Who waits for whom?",
    options = { "the lanes, one after the other", "one warp for the other", "nobody" }, answer = case[2],
    wrong = { ["nobody"] = "Two that want one address come one after the other.",
              ["one warp for the other"] = "Do they want the same address?",
              ["the lanes, one after the other"] = "Is it one address for the lanes of a warp?" },
    tips = { "Which of them want the same address?" }, because = "Those of one address queue, all others do not.",
  }
end

return {
  skill { id = "lost", family = "EQ12", looks = { counted_without, finals, with_atomics } },
  skill { id = "queues", family = "FQ8", looks = { longest, waiting, where_is_it_done } },
  skill { id = "fewer", looks = { flushed, by_match, one_for_warp } },
  skill { id = "cas", looks = { attempts, after_cas, cas_returns } },
  skill { id = "tickets", looks = { highest, at_the_end, whose_number } },
  skill { id = "order", family = "EQ22", looks = { which_cure, is_it_told, the_lock } },
  skill { id = "hardware", family = "FQ8", looks = { atomic_facts, steps_of_atomic, which_waits } },
}
