-- L17: a kernel has run and gave numbers. Are they right, and if not, where did it go wrong?

local function commas(n)
  local text = string.format("%d", n):reverse():gsub("(%d%d%d)", "%1,"):reverse()
  return (text:gsub("^,", ""))
end

-- Elements of a result that hold a number.
local function holding(list, number)
  local count = 0
  for i = 0, #list - 1 do
    count = count + (list[i] == number and 1 or 0)
  end
  return count
end

recall(2)

-- 1. loud and silent ----------------------------------------------------------------

local printed = measure { kernel = "vec_add", form = "commas" }
local comma = measure { kernel = "vec_add", form = "comma" }
local floored = measure { kernel = "vec_add", form = "floor" }
local n = printed.parameters.n

predict {
  id = "sum", title = "As printed",
  [[
  A slide adds two vectors of n = {n}:

  `dim3 DimGrid = (ceil(n/256),1,1);`

  `dim3 DimBlock = (256,1,1);`
  ]],
  n = n,
  ask = "How many of the {n} sums are computed?", unit = "sums", answer = printed.blocks * printed.threads, sure = true,
  wrong = {
    [n] = "So it was meant. But `dim3 d = (256,1,1);` is not `dim3 d(256,1,1);`.",
    [768] = "That is n/256 rounded down. But what does a comma do in parentheses?",
    [comma.blocks] = "That is for the second line alone. The first has commas, too.",
    [256] = "The block is not of 256 threads either.",
    [3] = "The comma takes the 3 as well.",
  },
  tips = { "What is the value of `(256,1,1)` in C?", "And of `(ceil(n/256),1,1)`?" },
  because = "A comma in parentheses gives its last value: 1 and 1. One block of one thread.",
  show = { run = printed, at = "start" },
}

show(printed, { at = "end" })
explain {
  title = "Nothing said",
  [[
  It compiles, it launches, it returns success. The checks tell {faults} faults; the result is {verdict}.

  Errors are loud or silent. A *checker* looks at accesses: is each one allowed? A *reference* looks at results. This
  one needs a
  reference, or a count of what was written: {written} of {n}.
  ]],
  faults = #printed.faults, verdict = printed.verdict, written = printed.blocks * printed.threads, n = n,
}

-- 2. a report ------------------------------------------------------------------------

local wild = measure { kernel = "oob_access", form = "lecture" }
local fault = wild.faults[1].message
local guarded = measure { kernel = "oob_access" }

hide()
predict {
  id = "thread", title = "Out of bounds",
  [=[
  Ten blocks of 8 threads, `in` has 8 elements. Only block 4 reads: `in[dMem[tid]]`, with

  `dMem = {0, 1, 2, 10, 4, 5, 6, 7}` and no test.
  ]=],
  ask = "Which of its threads reads outside?", unit = "", answer = tonumber(fault:match "thread %((%d+),"),
  wrong = {
    [4] = "The fourth element, as the slide says. Threads count from 0.",
    [10] = "That is the index that it reads.",
  },
  tips = { "At which place of the table is 10? Count from 0." },
  because = "Thread {answer} of block 4: a table's fourth element is number 3.",
  show = { run = wild, at = "end" },
}

local index = tonumber(fault:match "in%[(%d+)%]")
hide()
predict {
  id = "address", title = "The same report elsewhere",
  [[NVIDIA's *compute-sanitizer* says of it: address 0x7f551f200028 is out of bounds. The array of ints begins at
  0x7f551f200000.]],
  ask = "Which element was asked for?", unit = "", answer = index,
  wrong = {
    [28] = "0x28 counts by sixteens.",
    [40] = "Those are bytes. An int has 4.",
    [7] = "The last one there is would be no fault.",
  },
  tips = { "How much is 0x28?" },
  because = "0x28 is 40 bytes, 40 / 4 = {answer}. A report gives who, which address, which line. The rest is "
    .. "arithmetic.",
}

show(wild, { at = "start" })
predict {
  id = "line", title = "Whose line?", kind = "line",
  [[The table may be bad data. The kernel must not trust it.]],
  ask = "Go to a line where the test belongs.", answer = { "if (bid == 4)", "out[tid] = in[dMem[tid]]" },
  wrong = {
    ["int dMem"] = "Tomorrow there is another table.",
    ["int tid"] = "The thread's number is fine.",
  },
  tips = { "Which line can refuse a bad index?" },
  because = "Before the read. Data come from elsewhere; the line that uses them is ours.",
}

modify {
  id = "guard", title = "The test",
  [[Complete it. It is tried with arrays of {a}, 10, 11 and 5 elements.]], a = guarded.parameters.n,
  kernel = "oob_access", line = "if (bid == 4 && dMem[tid] < n)", blank = "  if (bid == 4 && ____)",
  fill = "dMem[tid] < n",
  accept = { "n > dMem[tid]", "dMem[tid] <= n - 1" }, runs = { {}, { n = 10 }, { n = 11 }, { n = 5 } },
  wrong = {
    ["tid < n"] = "The thread's number was never too large. What it read from the table is.",
    ["dMem[tid] <= n"] = "An array of n ends at n - 1. With one array it passes, with another it falls.",
    ["tid != 3"] = "One run is one run: with 11 elements thread 3 is right.",
  },
  offered = { "dMem[tid] != 10" },
  tips = { "What is too large: the thread's number, or what it read?" },
  because = "`tid != 3` passes the slide's own numbers, and so does `<=`. Test with others, too.",
}

-- 3. who has to come -------------------------------------------------------------------

local inside = measure { kernel = "divergent_barrier", form = "inside" }
local whole = measure { kernel = "divergent_barrier" }

hide()
predict {
  id = "barrier", title = "A barrier for some of a block", kind = "choice",
  [[`if (id < {n}) { s[id] = in[id]; __syncthreads(); }` in a block of {threads} threads.]],
  n = inside.parameters.n, threads = inside.threads,
  ask = "What comes of it here?",
  options = { "nothing is wrong", "the checks tell a fault", "it hangs for sure", "it does not compile" },
  answer = #inside.faults > 0 and "the checks tell a fault" or "nothing is wrong",
  wrong = {
    ["nothing is wrong"] = "The barrier is for all 64. Do all come?",
    ["it hangs for sure"] = "It may, on some GPU. It need not: nothing is promised.",
    ["it does not compile"] = "It does.",
  },
  tips = { "How many lanes of warp 1 come?" },
  because = "Told. And yet the result is {verdict}, this time.", verdict = inside.verdict,
  show = { run = inside, at = { kind = "barrier", warp = 1 }, focus = "barrier" },
}

hide()
predict {
  id = "left", title = "Who is missing?", kind = "mask",
  [[The block has two warps; threads below {n} come to the barrier.]], n = inside.parameters.n,
  ask = "Which lanes of warp 1 come?", answer = inside:event({ kind = "barrier", warp = 1 }).active,
  wrong = { [0xffffff00] = "Those are missing.", [0] = "Threads 32 to 39 are its first lanes." },
  tips = { "Warp 1 has threads 32 to 63." },
  because = "The report says the same: lanes 0-7 come without lanes 8-31.",
}

show(whole, { at = "start" })
parsons {
  id = "out", title = "Take it out",
  [[Put the lines in order: store what you have, wait, then read another's.]],
  kernel = "divergent_barrier", from = "if (id < n)", to = "out[first + id] =",
  spare = { "  if (id < n) __syncthreads();" }, runs = { {}, { n = 64 }, { n = 33 } },
  others = {
    { "before the store", [[
  __syncthreads();
  if (id < n)
    s[id] = in[first + id];
  out[first + id] = mirror >= 0 ? s[mirror] : 0;]], says = "All wait before anything is stored." },
    { "after the read", [[
  if (id < n)
    s[id] = in[first + id];
  out[first + id] = mirror >= 0 ? s[mirror] : 0;
  __syncthreads();]], says = "They read before they wait." },
  },
  tips = { "Who must have stored before anybody reads?" },
  because = "The condition keeps the store. The barrier stands outside, for all.",
}

-- 4. four cells ------------------------------------------------------------------------

local late = measure { kernel = "histogram_private", form = "nobarrier" }
local maxima = measure { kernel = "global_max_regions", form = "lecture" }
hide()
explain {
  title = "Four cells",
  [[
  Told or not, right or wrong: all four exist.

  - told, wrong: the table with an index too large
  - told, right: the barrier in an if ({a}), maxima that nobody set ({b}), a barrier too few ({c})
  - not told, wrong: one sum of {n}
  - not told, right: the rest, so far
  ]],
  a = inside.verdict, b = maxima.verdict, c = late.verdict, n = n,
}

local function product(Ay, Ax, Bx)
  return measure { kernel = "gpumult0", form = "lecture", params = { Ay = Ay, Ax = Ax, Bx = Bx, bx = 8, by = 4 } }
end
local square = product(3, 3, 3)
local flat = product(2, 3, 2)

predict {
  id = "square", title = "Loud or silent?", kind = "choice",
  [[A book's matrix product reads `A[ty * Bx + k]`: it takes the width of B for that of A. It is tried with 3 x 3 by
  3 x 3.]],
  ask = "What is it?", options = { "right", "wrong, and nothing is told", "told" },
  answer = #square.faults > 0 and "told" or square.verdict == "right" and "right" or "wrong, and nothing is told",
  wrong = {
    ["told"] = "Not with this shape. What is different between Ax and Bx in a square?",
    ["wrong, and nothing is told"] = "What is different between Ax and Bx in a square?",
  },
  because = "Both widths are 3. With 2 x 3 by 3 x 2 it is {flat}, and {faults} faults are told.",
  flat = flat.verdict, faults = #flat.faults,
}

run { kernel = "gpumult0", form = "lecture", params = { Ay = 3, Ax = 3, Bx = 3, bx = 8, by = 4 },
  at = { line = "float a = A[", kind = "load" }, focus = "segments" }
try {
  id = "loud", title = "Your turn: make it loud",
  [[Press `p`. A is Ay x Ax, B is Ax x Bx.]],
  goal = "A shape of at most 5 with which the checks tell the fault.",
  params = { "Ay", "Ax", "Bx" }, solution = { Ay = 3, Ax = 2, Bx = 5 },
  tips = { "The index is ty * Bx + k. When does it leave A?" },
  reached = function(r)
    local p = r.parameters
    return #r.faults > 0 and math.max(p.Ay, p.Ax, p.Bx) <= 5,
      #r.faults > 0 and r.faults[1].kind:gsub("_", " ") or r.verdict .. ", nothing told"
  end,
}

local STEPS, WIDE = 10000, 64
local function visits(blocks)
  return measure { kernel = "visits", form = "lecture", params = { steps = STEPS, blocks = blocks, threads = WIDE } }
end
local few, equal, many = visits(16), visits(64), visits(72)
local left_out = holding(few:output("count"), 0)

hide()
predict {
  id = "powers", title = "Equal sizes hide",
  [[
  A loop steps by `blockDim.x * blockDim.x`, where `gridDim.x * blockDim.x` is meant. {steps} elements, {blocks}
  blocks of
  {threads} threads.
  ]],
  steps = commas(STEPS), blocks = equal.blocks, threads = WIDE,
  ask = "How many elements are left out?", unit = "elements", answer = holding(equal:output("count"), 0),
  wrong = {
    [left_out] = "So it is with 16 blocks.",
    [STEPS - WIDE * WIDE] = "The loop goes on after its first step.",
  },
  tips = { "blockDim * blockDim, gridDim * blockDim: when are they equal?" },
  because = "With as many blocks as threads both products are the same. With 16 blocks {left} are left out.",
  left = commas(left_out),
}

show(many, { at = { kind = "atomic" } })
explain {
  title = "Count the visits",
  [[
  A trick: put `count[step] += 1` (as an atomic) in place of the work. Every count has to be 1.

  With 16 blocks {never} are 0. With {blocks} blocks {twice} are 2: done twice, the same number stored again, and
  nobody would
  ever see it in the results.
  ]],
  never = commas(left_out), blocks = many.blocks, twice = commas(holding(many:output("count"), 2)),
}

local thousand = measure { kernel = "visits", form = "lecture", params = { steps = 1000, blocks = 16, threads = WIDE } }
local tests = {
  { "16 blocks of 64 threads", left_out > 0 },
  { many.blocks .. " blocks of 64 threads, visits counted", many.verdict == "wrong" },
  { "64 blocks of 64 threads", equal.verdict == "wrong" },
  { "1,000 elements, 16 blocks", thousand.verdict == "wrong" },
  { "another order of warps", false },
}
local finders, options = {}, {}
for i, test in ipairs(tests) do
  options[i] = test[1]
  if test[2] then finders[#finders + 1] = test[1] end
end
hide()
predict {
  id = "tests", title = "Which test finds it?", kind = "several",
  [[The same loop with the wrong step; {steps} elements and a reference, if nothing else is said.]],
  steps = commas(STEPS),
  ask = "Which of these tests find the mistake?", options = options, answer = finders,
  wrong = {
    ["1,000 elements, 16 blocks"] = "1,024 threads: nobody takes a second step.",
    ["64 blocks of 64 threads"] = "There both steps are the same.",
    ["another order of warps"] = "The order is not what is wrong.",
  },
  tips = { "Which of them makes a thread take a second step, of a wrong length?" },
  because = "Sizes that differ, and are no powers of 2; more work than threads; and what the results do not show, "
    .. "counted.",
}

show(measure { kernel = "visits", params = { steps = STEPS, blocks = 16, threads = WIDE } }, { at = "start" })
modify {
  id = "step", title = "A step for any grid",
  [[Repair the step. It is tried with three grids, and visits are counted.]],
  kernel = "visits", line = "step +=", blank = "    step += ____;", fill = "gridDim.x * blockDim.x",
  accept = { "blockDim.x * gridDim.x" },
  runs = { { steps = 3000, blocks = 16, threads = 64 }, { steps = 3000, blocks = 9, threads = 128 },
           { steps = 5000, blocks = 64, threads = 64 } },
  wrong = {
    ["blockDim.x * blockDim.x"] = "Right only with as many blocks as threads.",
    ["blockDim.x"] = "Blocks do the work of other blocks again.",
    ["gridDim.x"] = "That counts blocks, not threads.",
  },
  offered = { "1" },
  tips = { "How many threads has the whole grid?" },
  because = "One grid would have let a wrong one pass.",
}

-- 5. tools differ -------------------------------------------------------------------------

local cell = measure { kernel = "race_basic" }
show(cell, { at = "start" })
predict {
  id = "cell", title = "The smallest race", kind = "choice",
  [[Two threads store their number into one cell of shared memory. A tool tells a hazard: 0 is in the cell, 1 comes.]],
  ask = "What is in the cell at the end?", options = { "0", "1", "0 or 1" },
  answer = #cell.faults > 0 and cell.faults[1].kind == "race" and "0 or 1" or "1",
  wrong = {
    ["1"] = "So the report saw it, and so it was in this run. Who says that it is so next time?",
    ["0"] = "Who says that thread 0 is last?",
  },
  because = "Told here as a {told}, too. In this run it was {now}. A report tells what one run saw.",
  told = cell.faults[1].kind, now = cell:output("last")[0],
  show = { run = cell, at = { line = "i = threadIdx.x", kind = "store" } },
}

hide()
predict {
  id = "cure", title = "Advice", kind = "choice",
  [[A checker says of `*a += 1` by many threads: two threads write one word, nothing orders them.]],
  ask = "What is the cure?", options = { "__syncwarp()", "volatile", "atomicAdd", "a barrier" }, answer = "atomicAdd",
  wrong = {
    ["__syncwarp()"] = "It puts lanes in step, and in step they lose updates.",
    ["volatile"] = "Load and store stay two.",
    ["a barrier"] = "Between which two lines? It is one line.",
  },
  tips = { "What is lost, and between which steps?" },
  because = "Take from a report who, which word, which lines. What was meant, and so the cure, is for you to say.",
}

local overlapping = measure { kernel = "shared_extern_alias", form = "overlapping" }
show(overlapping, { at = { line = "sx[id] = 1.0f", kind = "store" } })
predict {
  id = "pool", title = "Two arrays, one pool",
  [[
  `extern __shared__ float sx[];` and `extern __shared__ unsigned short su[];` in one kernel: {threads} floats, then
  as many shorts.
  ]],
  threads = overlapping.threads, kind = "choice",
  ask = "What is `sx[0]` after `su` was filled?",
  options = { "1, as it was stored", "garbage", "a fault ends the run" },
  answer = overlapping.verdict == "wrong" and "garbage" or "1, as it was stored",
  wrong = {
    ["1, as it was stored"] = "Where does the launch's shared memory begin, for each of the two?",
    ["a fault ends the run"] = "Every access is inside of the pool.",
  },
  tips = { "Both names are for the same bytes." },
  because = "{value}: two names for the same bytes. Each access is allowed; {told}.",
  value = string.format("%.3g", overlapping:output("x")[0]),
  told = #overlapping.faults == 0 and "only a note says it" or "the checks tell it",
  show = { run = overlapping, at = { line = "su[id] = id", kind = "store" } },
}

local tools = {
  memcheck = "a read past the end", racecheck = "two stores to one shared word",
  initcheck = "a word that nobody wrote is read", synccheck = "a barrier that not all reach",
}
hide()
predict {
  id = "tools", title = "Four tools", kind = "order",
  [[compute-sanitizer (cuda-memcheck is gone) has four: memcheck, racecheck, initcheck, synccheck. `lanescope stats` runs all of its checks
  at once.]],
  ask = "Order what they tell: memcheck's first, synccheck's last.",
  lines = { tools.memcheck, tools.racecheck, tools.initcheck, tools.synccheck },
  tips = { "The names say it." },
  because = "memcheck, racecheck, initcheck, synccheck: {a}, {b}, {c}, {d}, in this program's words.",
  a = wild.faults[1].kind:gsub("_", " "), b = cell.faults[1].kind, c = maxima.faults[1].kind,
  d = inside.faults[1].kind:gsub("_", " "),
}

-- 6. around the launch ----------------------------------------------------------------------

predict {
  id = "launch", title = "Checking a launch", kind = "order",
  [[A launch returns at once. What goes wrong inside of the kernel is known later, and told by whoever asks next.]],
  ask = "In which order?",
  lines = { "kernel<<<grid, block>>>(...);", "look at cudaGetLastError()", "look at cudaDeviceSynchronize()",
            "copy the results to the host", "use the numbers" },
  wrong = { ["copy the results to the host"] = "The copy's error may be the kernel's: errors arrive late." },
  tips = { "Which of these waits for the kernel?" },
  because = "The first look sees a launch that did not start, the second what went wrong inside.",
}

predict {
  id = "codes", title = "What no code tells", kind = "several",
  [[Error codes are looked at after the launch and after waiting.]],
  ask = "Which of these does no error code tell?",
  options = { "a block with too many threads", "one sum of {n}", "a race, right by luck", "too much shared memory" },
  answer = { "one sum of {n}", "a race, right by luck" }, n = n,
  wrong = {
    ["a block with too many threads"] = "It never starts, and cudaGetLastError says so.",
    ["too much shared memory"] = "It never starts, and cudaGetLastError says so.",
  },
  tips = { "When is a bad block size noticed: before or after the start?" },
  because = "Codes are for what could not be done. Wrong numbers need a reference, races a checker.",
}

show(floored, { at = "end" })
explain {
  title = "Say how much came",
  [[
  n / {threads} rounded down is another bug of that slide: {blocks} blocks. Here the checks tell "{told}": {left} sums
  are missing at the end, less than a block. Of {most} out of {n} they said nothing: it may be meant.

  On a GPU there is a trick: fill the results with a mark before the launch, and look for it afterwards.
  ]],
  threads = floored.threads, blocks = floored.blocks, told = floored.faults[1].kind:gsub("_", " "),
  left = n - floored.blocks * floored.threads, n = n,
  most = n - printed.blocks * printed.threads,
}

-- 7. counters are symptoms ------------------------------------------------------------------

local aos = measure { kernel = "position_aos" }
local column = measure { kernel = "transpose_32x32" }
local block_major = measure { kernel = "gpu_sin_block_major" }
local one_color = measure { kernel = "histogram", params = { colors = "same" } }

hide()
explain {
  title = "Symptoms",
  [[
  Counters tell no errors. They tell what is slow:

  - sectors for each request: global memory
  - bank conflicts: shared memory
  - lanes that wait: atomics
  - branches that divide a warp
  - arrivals at barriers

  From a number go to the line with the most of it (`f` lists findings), then to the addresses.
  ]],
}

predict {
  id = "structure", title = "A symptom", kind = "choice",
  [[A kernel's loads take {each} sectors each. `4` would do.]],
  each = aos.counters.global_load_sectors // aos.counters.global_load_requests,
  ask = "Which may be the cause?",
  options = { "a structure of three floats", "a column of 32 words in shared memory", "one bucket for all",
    "an if by lane" },
  answer = "a structure of three floats",
  wrong = {
    ["a column of 32 words in shared memory"] = "Banks belong to shared memory, sectors to global.",
    ["one bucket for all"] = "One address is one sector.",
    ["an if by lane"] = "Fewer lanes want fewer sectors.",
  },
  tips = { "How far apart are the words of two neighbors?" },
  because = "Neighbors are 3 x 4 = 12 bytes apart: three times the sectors.",
  show = { run = aos, at = { kind = "load", space = "global" }, focus = "segments" },
}

hide()
predict {
  id = "pairs", title = "Match them", kind = "order",
  [[
  Three kernels: {a} bank conflicts; {b} sectors stored where {c} would do; {d} of {e} lanes wait.
  ]],
  a = commas(column.counters.shared_load_bank_conflicts), b = commas(block_major.counters.global_store_sectors),
  c = cdiv(block_major.counters.global_store_bytes, 32), d = one_color.counters.atomic_conflicts,
  e = commas(one_color.counters.atomics),
  ask = "Put the causes in their order. One belongs nowhere.",
  lines = { "a column of a 32 x 32 tile", "neighbors gridDim.x apart", "one address" },
  spare = { "a block of one warp and a part" },
  wrong = { ["a block of one warp and a part"] = "It wastes lanes. Which of the three numbers would show that?" },
  tips = { "Banks: shared. Sectors: global. Queues: atomics." },
  because = "A counter names the kind of memory; the addresses name the cause.",
}

-- 8. to keep ------------------------------------------------------------------------------------

rubric {
  id = "evening", title = "One evening",
  ask = "You get somebody's kernel and one evening. How do you test it?",
  model = [[A plain host reference. Sizes that are odd, unequal, no powers of 2, with more than one block and one warp.
Results filled with a mark first. All checks: memory, races, uninitialized words, barriers. Other orders and other
schedulers. Error codes after the launch and after waiting. Visits counted. Then counters, for what is slow.]],
  points = { "a host reference", "odd and unequal sizes", "memory and race checks", "several orders",
    "error codes, twice",
             "what was written is counted" },
}

check { draw = 5 }

recite {
  title = "From memory", ask = "What is to be kept of testing? One line each.",
  [[
  - Loud or silent: a checker sees accesses, a reference sees results.
  - Read a report: who, which element, which line.
  - Right once proves nothing.
  - Sizes: odd, unequal, more work than threads.
  - Codes after the launch and after waiting.
  - Counters are symptoms; addresses are causes.
  ]],
}

finish {
  title = "Tools: what to keep",
  [[
  Make silent errors loud: a reference, ugly sizes, counted visits, all checks, several orders.

  Next: more than one kernel.
  ]],
  next = "L18",
}
