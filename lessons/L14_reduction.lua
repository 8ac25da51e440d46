-- L14: in which order may a thousand threads add up one sum?

local FOLD = { line = "x[tid] += x[tid + m]", kind = "load" }
local ADD = { line = "tsum[id] += tsum[id + k]", kind = "store", space = "shared", block = 0, warp = 0 }
local BARRIER = { line = "__syncthreads();", kind = "barrier", block = 0, warp = 0 }
local WORD = 4   -- bytes of a float

local function commas(n)
  local text = string.format("%d", n):reverse():gsub("(%d%d%d)", "%1,"):reverse()
  return (text:gsub("^,", ""))
end

-- The level of a tree, by its k.
local function level(nth)
  return { line = ADD.line, kind = ADD.kind, space = ADD.space, block = 0, warp = 0, nth = nth }
end

recall(2)

-- 1. the last digits ---------------------------------------------------------

-- A float counts by ones as long as the next whole number is one of its own.
local stuck = 1
while f32(stuck + 1) ~= stuck do
  stuck = stuck * 2
end

predict {
  id = "half", title = "Thirty million ones",
  [[A program adds {all} ones to a `float`, one after the other, in a plain loop on the host.]],
  all = commas(2 * stuck),
  ask = "What comes out?", kind = "choice", sure = true,
  options = { commas(2 * stuck), commas(2 * stuck - 1), commas(stuck) },
  answer = commas(stuck),
  wrong = {
    [commas(2 * stuck)] = "So it is in whole numbers. A float has 24 bits for its digits.",
    [commas(2 * stuck - 1)] = "Nobody counts wrong by one here.",
  },
  because = "At {answer} the sum stops. The next whole number is no float: sum + 1 is rounded back to sum, over and over.",
}

local sums = measure { kernel = "reduce_host", launch = 2 }
local x, exact, lost = sums:output("x"), 0.0, 0.0
for i = 0, #x - 1 do
  exact, lost = exact + x[i], f32(lost + x[i])   -- to a double, and to a float
end
local tree = sums:output("sum")[0]

predict {
  id = "nearer", title = "Other numbers",
  [[
  Now {n} random numbers between 0 and 1. The host adds one after the other to a float. The GPU adds in pairs, then pairs
  of pairs, also in floats.
  ]],
  n = commas(#x),
  ask = "Whose sum is nearer to the right one?", kind = "choice",
  options = { "the host's", "the GPU's", "they are equal" },
  answer = math.abs(tree - exact) < math.abs(lost - exact) and "the GPU's" or "the host's",
  wrong = {
    ["the host's"] = "It adds small numbers to one that grows. What is below its last bit falls off.",
    ["they are equal"] = "That would be so if floats were not rounded.",
  },
  because = "Right is {exact}. The GPU has {tree}, the host {lost}.",
  exact = string.format("%.3f", exact), tree = string.format("%.3f", tree), lost = string.format("%.3f", lost),
}

explain {
  title = "Equals to equals",
  [[
  Two numbers of one size lose almost nothing. A tree adds such pairs at every level, a loop never does.

  The order of additions decides three things: the traffic, the waiting, and the last digits. So this is the question of the
  lesson: in which order may a thousand threads add up one sum?
  ]],
}

-- 2. the fold ------------------------------------------------------------------

local fold = measure { kernel = "reduce0" }
local m = fold.parameters.m

show(fold, { at = FOLD, focus = "segments" })
say {
  title = "The fold",
  [[
  The simplest order: lay the upper half of the array onto the lower one. Thread `tid` adds one pair.

  The next launch does the same with half as many threads, until one number is left. The end of a launch is the one wall that
  all blocks have.
  ]],
}

local chain = measure { kernel = "sums", params = { version = 0 } }
local launches = #chain.launches

predict {
  id = "launches", title = "How many launches?",
  [[An array of {n} numbers is folded until one is left.]],
  n = commas(chain.parameters.N),
  ask = "How many launches does that take?", unit = "launches", answer = launches,
  wrong = {
    [launches - 1] = "The last one adds two numbers: m = 1. Count it, too.",
    [launches + 1] = "The first one has half as many threads as there are numbers.",
    [chain.parameters.N - 1] = "So many additions. How many launches?",
  },
  tips = { "How often can it be halved?" },
  because = "2^{answer} numbers are halved {answer} times. For the lecture's 2^{lecture} it is {lecture}; the lecture says {said}.",
  lecture = log2i(1 << 24), said = log2i(1 << 24) - 1,
  show = { run = fold, at = FOLD, focus = "segments" },
}

local words = (fold.counters.global_load_bytes + fold.counters.global_store_bytes) // WORD

predict {
  id = "traffic", title = "What an addition moves",
  [[`x[tid] += x[tid + m]` is one addition.]],
  ask = "How many words does it move, to and from memory?", unit = "words", answer = words // m,
  wrong = {
    [2] = "Two come. The sum has to go back, too.",
    [1] = "That is what we are after. Read the line as the machine does.",
  },
  tips = { "Load, load, add, ..." },
  because = "Two loads and a store: {loads} bytes in, {stores} out, for {m} additions.",
  loads = commas(fold.counters.global_load_bytes), stores = commas(fold.counters.global_store_bytes), m = commas(m),
  show = { run = fold, at = "end", focus = "segments" },
}

local N = 1 << 24
explain {
  title = "Three times the traffic",
  [[
  The whole fold of {n} numbers makes n - 1 additions, as any order does. But it moves {words} words: {mb} MB, where the numbers
  themselves are {own}.

  The lecture says that a fold doubles the additions. It does not; it triples the traffic.
  ]],
  n = commas(N), words = commas((N - 1) * (words // m)),
  mb = (N - 1) * (words // m) * WORD // 1000000, own = N * WORD // 1000000,
}

-- The host's loop as the lecture has it: threads = min(256, m), blocks = m / 256, both rounded down.
local function folded(n)
  local ones, left = {}, n // 2
  for i = 0, n - 1 do ones[i] = 1 end
  while left >= 1 do
    local threads = math.min(256, left)
    for i = 0, left // threads * threads - 1 do ones[i] = ones[i] + ones[i + left] end
    left = left // 2
  end
  return ones[0]
end

predict {
  id = "thousand", title = "A thousand ones",
  [[The host launches `m / 256` blocks of 256 threads for m = {first}, then halves m, and so on. All {n} numbers are 1.]],
  n = 1000, first = 1000 // 2,
  ask = "What is the sum?", kind = "choice",
  options = { "1000", tostring(folded(1000)), "there is a fault" }, answer = tostring(folded(1000)),
  wrong = {
    ["1000"] = "How many blocks are {first} / 256 in C?",
    ["there is a fault"] = "No index leaves the array. The launch is just too small.",
  },
  tips = { "{first} threads are asked for. How many come?" },
  because = "{first} / 256 is one block: {missing} pairs are never added, and later halves lose more.",
  missing = 1000 // 2 - 256,
}

-- 3. one load for each number ----------------------------------------------------

local comb = measure { kernel = "reduce1" }
local printed = measure { kernel = "reduce1", form = "lecture" }
local p = comb.parameters
local LOAD = { line = "tsum += x[k]", kind = "load" }

show(comb, { at = LOAD, focus = "segments" })
say {
  title = "Let each thread run",
  [[
  Each thread walks through the array with large steps and adds to a register. That is one load for each number, and nothing
  goes back until the end.

  {n} numbers: {in_} bytes in, {out} out.
  ]],
  n = commas(p.N), in_ = commas(comb.counters.global_load_bytes), out = commas(comb.counters.global_store_bytes),
}

predict {
  id = "stride", title = "The step",
  [[`for (int k = tid; k < N; k += stride)`. Every number is to be added by exactly one thread.]],
  ask = "What is the stride?", kind = "choice",
  options = { "blockDim.x", "blockDim.x * blockDim.x", "gridDim.x * blockDim.x" },
  answer = comb.verdict == "right" and printed.verdict == "wrong" and "gridDim.x * blockDim.x" or "blockDim.x",
  wrong = {
    ["blockDim.x"] = "Then block 1 adds what block 0 adds, too.",
    ["blockDim.x * blockDim.x"] = "The lecture prints that. It is right only with as many blocks as a block has threads.",
  },
  tips = { "How many threads has the whole grid?" },
  because = "All threads of the grid step over one another: {grid} here.", grid = commas(p.blocks * p.threads),
}

local added = printed.counters.global_load_bytes // WORD
show(printed, { at = "start", focus = "segments" })
predict {
  id = "skipped", title = "The printed stride",
  [[With `blockDim.x * blockDim.x` the kernel runs on {blocks} blocks of {threads} threads, for {n} numbers.]],
  blocks = p.blocks, threads = p.threads, n = commas(p.N),
  ask = "How many of them are never added?", unit = "numbers", answer = p.N - added,
  wrong = {
    [0] = "The stride is {stride}, more than there are numbers: each thread adds one.",
    [added] = "So many are added.",
  },
  tips = { "How long is a step? How many numbers does one thread add?" },
  because = "Each of {added} threads adds one number and steps out of the array. No fault is told: every access is legal.",
  stride = commas(p.threads * p.threads), added = commas(added),
}

local beyond = measure { kernel = "reduce1", form = "unguarded", params = { N = 1000 } }
predict {
  id = "in-place", title = "In place",
  [[At the end thread `tid` writes its sum to `x[tid]`, which was an input.]],
  ask = "With the right stride, who else may still need the old `x[tid]`?", kind = "choice",
  options = { "nobody", "the thread before", "block 0" }, answer = "nobody",
  wrong = {
    ["the thread before"] = "It reads tid - 1, tid - 1 + stride, ...",
    ["block 0"] = "So it would be with the printed stride and many blocks.",
  },
  tips = { "Which elements does one thread read?" },
  because = "A thread reads elements of its own remainder only. But the store needs a test: of {threads} threads over {n} "
    .. "numbers the last ones write past the end ({fault}).",
  n = beyond.parameters.N, threads = commas(beyond.parameters.blocks * beyond.parameters.threads),
  fault = beyond.faults[1].kind,
  show = { run = comb, at = { line = "x[tid] = tsum", kind = "store" }, focus = "segments" },
}

-- 4. the tree ----------------------------------------------------------------------

local block = measure { kernel = "reduce2" }
local levels = log2i(block.threads)

show(block, { at = BARRIER, focus = "barrier" })
say {
  title = "The tree",
  [[
  Now each thread leaves its sum in shared memory, and the block folds there. One word of each block goes out: {out} bytes in place
  of {before}.

  Between two levels stands a barrier: who reads must know that the others have written.
  ]],
  out = block.counters.global_store_bytes, before = commas(comb.counters.global_store_bytes),
}

-- As written, a level has two branches: the first one leads past the addition, the second into it.
local function branch(level_number)
  return { line = "if (id < k)", kind = "branch", block = 0, warp = 0, nth = 2 * level_number - 1 }
end

trace {
  id = "levels", title = "Be warp 0",
  [[You are warp 0 of a block of {threads}, at `if (id < k)`. Six of its levels are asked: k = {list}.]],
  threads = block.threads, list = "128, 32, 16, 8, 2, 1",
  run = block, ask = "taken", focus = "divergence",
  at = { branch(1), branch(3), branch(4), branch(5), branch(7), branch(8) },
  question = "Which lanes jump over the addition?",
  wrong = {
    [1] = { [0xffff0000] = "k counts threads of the block, not lanes: all of this warp are below it.",
            [0xffffffff] = "Those add. Who does not?" },
    [3] = { [0x0000ffff] = "Those add. Who does not?", [0] = "Now k is below 32." },
    [6] = { [0xfffffffc] = "Thread 0 adds thread 1's number, and thread 1 adds none." },
  },
  tips = { "Warp 0 has threads 0 to 31. Which of them are not below k?" },
  because = "A warp works whole or not at all until k is below 32.",
}

-- Warps of block 0 that come to the adding line at least so often.
local function warps_at(nth)
  local count = 0
  for warp = 0, block.warps - 1 do
    if block:count { line = ADD.line, kind = "store", space = "shared", block = 0, warp = warp } >= nth then
      count = count + 1
    end
  end
  return count
end

predict {
  id = "warps", title = "Who still works?",
  [[The second level of the tree has k = {k}. The block has {warps} warps.]],
  k = block.threads // 4, warps = block.warps,
  ask = "How many of them have a lane that adds?", unit = "warps", answer = warps_at(2),
  wrong = {
    [block.warps] = "All come to the barrier. They do not all add.",
    [warps_at(1)] = "That is the first level.",
    [block.threads // 4] = "Those are threads.",
  },
  because = "{k} threads are {answer} warps. Idle lanes lie in idle warps, so nothing diverges.",
  show = { run = block, at = level(2), focus = "divergence" },
}

predict {
  id = "arrivals", title = "Waiting",
  [[
  One barrier after filling, one for each of {levels} levels. The grid has {blocks} blocks of {warps} warps.
  ]],
  levels = levels, blocks = block.blocks, warps = block.warps,
  ask = "How often does a warp arrive at a barrier, in all?", unit = "arrivals", answer = block.counters.barriers,
  wrong = {
    [block.blocks * (levels + 1)] = "So many barriers. At each of them all warps of a block arrive.",
    [block.blocks * block.warps * levels] = "And the one before the first level?",
  },
  tips = { "{blocks} blocks, {warps} warps, how many barriers each?" },
  because = "{blocks} x {warps} x ({levels} + 1) = {answer}: idle warps come as well.",
  show = { run = block, at = BARRIER, focus = "barrier" },
}

run { kernel = "reduce2", at = BARRIER, focus = "barrier" }
try {
  title = "Your turn: less waiting",
  [[The block has {threads} threads, and warps arrive {arrivals} times.]], threads = block.threads, arrivals = block.counters.barriers,
  goal = "At most {most} arrivals for the same numbers and blocks.", most = block.counters.barriers // 4,
  params = { "threads" }, solution = { threads = 64 },
  tips = { "Fewer warps in a block, and fewer levels: what makes both smaller?" },
  reached = function(r)
    local arrivals = r.counters.barriers
    return arrivals <= block.counters.barriers // 4 and r.verdict == "right", counted(arrivals, "arrival")
  end,
}

local neighbors = measure { kernel = "reduce2", form = "interleaved" }
show(neighbors, { at = { line = "if (id % (2 * k) == 0)", kind = "branch", block = 0, warp = 0 }, focus = "divergence" })
explain {
  title = "Why not neighbors first?",
  [[
  `id % (2 * k) == 0` adds neighbors first: the same answer, the same barriers, the same additions.

  But working lanes lie scattered: {split} branches split a warp, not {before}, and {loads} shared loads are made, not {few}.
  ]],
  split = neighbors.counters.divergent_branches, before = block.counters.divergent_branches,
  loads = neighbors.counters.shared_load_instructions, few = block.counters.shared_load_instructions,
}

show(block, { at = "start" })
parsons {
  id = "order", title = "The tree in order",
  [[Put the lines in order. One belongs nowhere.]],
  kernel = "reduce2", from = "for (int k = blockDim.x / 2", to = "if (id == 0)",
  spare = { "    if (k < id)" }, runs = { {}, { N = 1000, threads = 64 } },
  others = {
    { "barrier inside", [[
  for (int k = blockDim.x / 2; k > 0; k /= 2) {
    if (id < k) {
      tsum[id] += tsum[id + k];
      __syncthreads();
    }
  }
  if (id == 0)]], says = "Who is to wait for the lanes that do not come?" },
    { "no barrier", [[
  for (int k = blockDim.x / 2; k > 0; k /= 2) {
    if (id < k)
      tsum[id] += tsum[id + k];
  }
  if (id == 0)]], says = "Who must be ready before the next level reads?" },
  },
  tips = { "Every thread comes to the barrier, also those that do not add." },
  because = "The barrier is inside the loop and outside the if.",
}

-- 5. any size -----------------------------------------------------------------------

local odd = measure { kernel = "reduce2", form = "any-size", params = { threads = 288 } }
local last_even = odd.threads
while last_even % 2 == 0 do
  last_even = last_even // 2
end

show(odd, { at = "start" })
predict {
  id = "where-lost", title = "{threads} threads",
  [[A block of {threads}: k is {list}. The answer is {verdict}.]],
  threads = odd.threads, verdict = odd.verdict, list = "144, 72, 36, 18, 9, 4, 2, 1",
  ask = "At which k is a partial sum forgotten first?", unit = "", answer = last_even // 2,
  wrong = {
    [last_even] = "18 sums fold onto 9: nobody is left over.",
    [odd.threads // 2] = "144 and 144 are 288: all are added.",
  },
  tips = { "Where is k no longer half of what is there?" },
  because = "Half of {odd} is {answer} in C. The ninth sum has no partner and is never added. The lecture wants powers of 2 for "
    .. "blocks; threads need it, too.",
  odd = last_even,
  show = { run = odd, at = level(5), focus = "divergence" },
}

modify {
  id = "guard", title = "Any block",
  [[
  `reduce3` starts at the power of 2 at or above `threads`. The first level is ragged: not every partner exists. Complete the test.
  ]],
  kernel = "reduce3", form = "noguard", line = "if (id < k)",
  blank = "    if (id < k && ____)", fill = "id + k < threads",
  accept = { "k + id < threads", "id + k <= threads - 1", "threads > id + k" },
  runs = { { threads = 288 }, { threads = 100 }, { threads = 33 } },
  wrong = {
    ["id < threads"] = "Every id is. Ask for the partner.",
    ["id + k <= threads"] = "That is one too far: the last word is number threads - 1.",
    ["k < threads"] = "k may be fine and the partner still missing.",
  },
  offered = { "id + k < power" },
  tips = { "Which element is read? Is it there?" },
  because = "Who has no partner keeps its own sum for the next level.",
}

-- 6. unrolled ------------------------------------------------------------------------

local unrolled = measure { kernel = "reduce4" }
local SYNCWARP = { kind = "syncwarp", block = 0, warp = 0 }
show(unrolled, { at = SYNCWARP, focus = "barrier", margin = "executions" })
explain {
  title = "Unrolled",
  [[
  `reduce4` writes the levels out. Below 32 one warp goes on alone and needs no block: `__syncwarp()` waits for its own lanes.

  Arrivals: {now} in place of {before}. Instructions: {few} in place of {many}.
  ]],
  now = unrolled.counters.barriers, before = block.counters.barriers,
  few = commas(unrolled.counters.warp_instructions), many = commas(block.counters.warp_instructions),
}

local bare = measure { kernel = "reduce4", form = "nosyncwarp", cut = "written" }
local first_race = bare.source[bare.faults[1].line]:match("^%s*(.-)%s*$")

show(bare, { at = { line = "tsum[id] += tsum[id + 32]", kind = "store", warp = 0 }, margin = "executions" })
predict {
  id = "race", title = "A line left out",
  [[
  Here `__syncwarp()` is missing, and the answer is {verdict}. Yet lanes read what other lanes wrote, with nothing in between.
  ]],
  verdict = bare.verdict, kind = "line",
  ask = "Go to the first line that reads such a word.", answer = "tsum[id] += tsum[id + 8];",
  wrong = {
    ["tsum[id + 16]"] = "Before it stands a `__syncthreads()`.",
    ["tsum[id + 32]"] = "The block waits before it.",
  },
  tips = { "Which levels have no barrier before them?" },
  because = "`{line}`: it reads what the line with 16 wrote. {races} such pairs in all.",
  line = first_race, races = #bare.faults,
}

local old = measure { kernel = "reduce4", form = "nosyncwarp", cut = "written", sched = "stack" }
predict {
  id = "stack", title = "The same on an old GPU",
  [[Before Volta all lanes of a warp shared one place in the program.]],
  ask = "How many races are told there?", unit = "races", answer = #old.faults,
  wrong = { [#bare.faults] = "In step, a line is over for all lanes before the next one begins." },
  because = "\"It works\" was a property of the machine, not of the program. And a compiler may keep words in registers: "
    .. "the lecture's \"may be omitted\" needs volatile, too.",
}

-- 7. chains and time --------------------------------------------------------------------

hide()
predict {
  id = "chain", title = "The chain",
  [[The host adds up N numbers with `reduce3`, 288 blocks of 256. Put its lines in order; some belong nowhere.]],
  kind = "order", ask = "Which lines, in which order?",
  lines = { "reduce3<<<288, 256, 1024>>>(dy, dx, N);", "reduce3<<<1, 288, 1152>>>(dx, dy, 288);", "copy dx[0] to the host" },
  spare = { "reduce3<<<1, 288, 1152>>>(dx, dy, N);", "reduce3<<<1, 288, 1024>>>(dx, dy, 288);" },
  wrong = {
    ["reduce3<<<1, 288, 1152>>>(dx, dy, N);"] = "dy has one number for each block.",
    ["reduce3<<<1, 288, 1024>>>(dx, dy, 288);"] = "Each thread needs 4 bytes of shared memory.",
  },
  tips = { "How many numbers does the first launch leave?" },
  because = "One stream is in order by itself: no cudaDeviceSynchronize() is needed between them.",
}

local function recorded(kernel)
  return measure { kernel = kernel, device = "recorded", lecture = true, cut = "compiled" }
end
local whole, half = recorded "reduce3", recorded "reduce1"
local busy = picture { "occupancy", params = { profile = "h200", threads = 256, registers = whole.registers } }

predict {
  id = "fill", title = "Enough blocks?",
  [[
  On an H200 these 288 blocks take {time} us. An SM has room for {each} of them, and there are {sms} SMs.
  ]],
  time = string.format("%.0f", whole.time), each = busy.blocks, sms = 132,
  ask = "How many blocks fill the GPU?", unit = "blocks", answer = busy.blocks * 132,
  wrong = { [288] = "So many were right for the lecture's card, with fewer SMs." },
  tips = { "{sms} SMs, {each} blocks each." },
  because = "{answer}. With 288 most places stay empty. The rule is blocks for each SM, not a number of blocks.",
}

explain {
  title = "What it is worth",
  [[
  The lecture's card took {a} ms for the fold and {b} for `reduce3`: {gain} times faster, for a third of the traffic.

  On the H200 with 288 blocks, `reduce1` takes {one} us for its first launch, `reduce3` {three}. Neither is near what its memory
  gives: too few warps ask.
  ]],
  a = 0.535, b = 0.196, gain = string.format("%.1f", 0.535 / 0.196), one = string.format("%.0f", half.time),
  three = string.format("%.0f", whole.time),
}

-- 8. to keep ---------------------------------------------------------------------------

hide()
rubric {
  id = "efficient", title = "Work and steps",
  ask = "What is work efficiency? Use the tree as an example.",
  model = [[An algorithm is work-efficient if all its operations together are within a constant factor of the best serial
program. Steps are another thing. The tree makes n - 1 additions in log n levels: efficient, and short. A scan by doubling makes
about n log n: short, but not efficient.]],
  points = { "total work, against the best serial program", "steps are another thing", "the tree makes n - 1 additions",
             "an example that is not efficient" },
}

check { draw = 5 }

recite {
  title = "From memory", ask = "What is to be kept of sums? One line each.",
  [[
  - One load for each number: registers first.
  - The stride is the size of the whole grid.
  - A barrier for each level, for all threads.
  - Half of a power of 2, and a test for the partner.
  - Inside a warp: `__syncwarp()`.
  - Small to small: the tree keeps more digits.
  ]],
}

finish {
  title = "Sums: what to keep",
  [[
  Any order may be used that nobody else needs at the same moment. It decides traffic, waiting and the last digits.

  Next: a tree without memory.
  ]],
  next = "L15",
}
