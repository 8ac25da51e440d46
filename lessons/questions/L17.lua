-- Questions drawn for L17, Tools and safety.

local function words(kind)
  return (kind:gsub("_", " "))
end

-- ---- reports -------------------------------------------------------------------------------------------------------

local function element_of_address(d)
  local bytes, index = d.pick { 4, 8, 2 }, d.integer(9, 60)
  local types = { [4] = "int", [8] = "double", [2] = "short" }
  return {
    [[An array of {type} begins at 0x7f40a000. A report says that address 0x{address} is out of bounds.]],
    type = types[bytes], address = string.format("%x", 0x7f40a000 + bytes * index),
    ask = "Which element was asked for?", answer = index, unit = "",
    wrong = { [bytes * index] = "Those are bytes. Such an element has {bytes}." }, bytes = bytes,
    tips = { "How many bytes behind the beginning? How many has an element?" },
    because = "{off} bytes behind the beginning, {bytes} for each.", off = bytes * index,
  }
end

local function first_outside(d)
  local threads = d.pick { 64, 128, 256 }
  local n = d.integer(2, 6) * threads + d.integer(1, threads - 1)
  return {
    [[{blocks} blocks of {threads} threads read x[i], i the number of the thread in the grid. x has {n} elements, and
    nobody tests.]],
    blocks = cdiv(n, threads), threads = threads, n = n,
    ask = "Which thread of the last block is the first one told?", answer = n % threads, unit = "",
    wrong = { [n] = "That is its number in the grid.", [n % threads - 1] = "That one reads the last element." },
    tips = { "Which i is the first outside? Which thread of its block has it?" },
    because = "x[{n}] is the first outside: {n} - {before} x {threads}.", before = n // threads,
  }
end

local function past_the_end(d)
  local n = d.integer(1, 9)
  local run = measure { kernel = "oob_access", form = "lecture", params = { n = n } }
  local fault = run.faults[1]
  local index = tonumber(fault.message:match "in%[(%d+)%]")
  return {
    [[`in` has {n} elements of 4 bytes. A report says that a thread reads in[{index}].]], n = n, index = index,
    ask = "How many bytes lie between the end of `in` and what is read?", answer = 4 * (index - n), unit = "bytes",
    wrong = { [4 * index] = "That is from the beginning.", [index - n] = "Those are elements." },
    tips = { "in[{n}] would begin just at the end." }, because = "{index} - {n} elements of 4 bytes.",
  }
end

-- ---- told or not, right or wrong -----------------------------------------------------------------------------------

local CASES = {
  { "a barrier stands inside an if that some threads of a warp do not enter", "divergent_barrier", "inside" },
  { "maxima are raised, and nobody has set them before", "global_max_regions", "lecture" },
  { "two threads store their number to one shared word", "race_basic", "plain" },
  { "a barrier between clearing and counting is left out", "histogram_private", "nobarrier" },
  { "an index comes from a table, and the table says more than there is", "oob_access", "lecture" },
}

local function what_is_told(d)
  local case = d.pick(CASES)
  local run = measure { kernel = case[2], form = case[3] }
  local names, seen = {}, {}
  for _, kind in ipairs { "divergent_barrier", "uninitialized", "race", "out_of_bounds" } do
    names[#names + 1] = words(kind)
    seen[kind] = words(kind)
  end
  return {
    [[In a kernel {case}.]], case = case[1],
    ask = "What do the checks call it?", options = names, answer = seen[run.faults[1].kind],
    wrong = { ["race"] = "Do two threads come to one word there, one of them storing, in no order?",
              ["out of bounds"] = "Is anything read or stored outside of an array?",
              ["uninitialized"] = "Is a word read that nobody wrote?",
              ["divergent barrier"] = "Do some threads of a warp miss a barrier?" },
    because = "The name says which rule is broken: who must come, what must be there, who must wait, where an array "
      .. "ends.",
  }
end

local function is_it_right(d)
  local Ay, Ax, Bx = d.integer(2, 5), d.integer(2, 5), d.integer(2, 5)
  if d.chance(0.4) then Ax = Bx end
  local run = measure { kernel = "gpumult0", form = "lecture", params = { Ay = Ay, Ax = Ax, Bx = Bx, bx = 8, by = 4 } }
  local told = #run.faults > 0
  return {
    [[A matrix product reads `A[ty * Bx + k]` where `A[ty * Ax + k]` is meant. A is {Ay} x {Ax}, B is {Ax} x {Bx}.]],
    Ay = Ay, Ax = Ax, Bx = Bx,
    ask = "What comes of it?", options = { "right", "wrong, not told", "out of bounds is told" },
    answer = told and "out of bounds is told" or run.verdict == "right" and "right" or "wrong, not told",
    wrong = { ["right"] = "Ax and Bx are not equal.",
              ["wrong, not told"] = "What is the largest index, and how long is A?",
              ["out of bounds is told"] = "What is the largest index, and how long is A?" },
    tips = { "The largest index is (Ay - 1) * Bx + Ax - 1. A has Ay * Ax elements." },
    because = "The largest index is {largest}, A has {all} elements.", largest = (Ay - 1) * Bx + Ax - 1, all = Ay * Ax,
  }
end

local function who_finds(d)
  local case = d.pick { { "the first sums are right, the rest is not computed",
    "a reference" },
                        { "a thread reads behind the end of its array, and the result is right", "a checker" },
                        { "a kernel is launched with too many threads in a block", "an error code" },
                        { "an element is computed twice, with the same result", "counting visits" } }
  return {
    [[A mistake: {case}.]], case = case[1],
    ask = "What is sure to find it?", options = { "a reference", "a checker", "an error code", "counting visits" },
    answer = case[2],
    wrong = { ["a reference"] = "Is a number of the result wrong?", ["a checker"] = "Is an access not allowed?",
              ["an error code"] = "Is there something that could not be done?",
              ["counting visits"] = "Does the number of visits show it best?" },
    because = "Results, accesses, launches and visits: each has its own watcher.",
  }
end

-- ---- sizes that show it --------------------------------------------------------------------------------------------

local function visits(steps, blocks, threads)
  return measure { kernel = "visits", form = "lecture", params = { steps = steps, blocks = blocks, threads = threads } }
end

local function left_out(d)
  local threads, blocks, times = d.pick { 8, 16, 32 }, d.integer(2, 7), d.integer(2, 5)
  local steps = times * threads * threads
  local count, zeros = visits(steps, blocks, threads):output("count"), 0
  for i = 0, #count - 1 do zeros = zeros + (count[i] == 0 and 1 or 0) end
  return {
    [[{blocks} blocks of {threads} threads go through {steps} elements, and step by `blockDim.x * blockDim.x`.]],
    blocks = blocks, threads = threads, steps = steps,
    ask = "How many elements are left out?", answer = zeros, unit = "elements",
    wrong = { [0] = "The grid has fewer threads than a step is long.", [steps - zeros] = "So many are visited." },
    tips = { "A step is {step} long. How many threads are there?" }, step = threads * threads,
    because = "Of each {step} elements {grid} are visited.", grid = blocks * threads,
  }
end

local function does_it_show(d)
  local threads = d.pick { 8, 16, 32 }
  local blocks = d.pick { threads, threads // 2, threads, threads // 4 }
  local steps = d.pick { 4 * threads * threads, blocks * threads }
  local run = visits(steps, blocks, threads)
  return {
    [[A loop steps by `blockDim.x * blockDim.x`, not by the size of the grid. A test: {steps} elements, {blocks} blocks
    of {threads} threads, visits counted.]],
    steps = steps, blocks = blocks, threads = threads,
    ask = "Does this test find the mistake?", options = { "yes", "no" },
    answer = run.verdict == "wrong" and "yes" or "no",
    wrong = { ["yes"] = "Does a thread take a second step, of another length than it should?",
              ["no"] = "Compare blockDim x blockDim with gridDim x blockDim." },
    because = "It shows only where a thread takes a second step, and blocks are not as many as threads.",
  }
end

local function elements_missing(d)
  local threads = d.pick { 32, 64, 128, 256 }
  local n = d.integer(2, 9) * threads + d.integer(1, threads - 1)
  local run = measure { kernel = "vec_add", form = "floor", params = { n = n, threads = threads } }
  return {
    [[`vecAdd<<<n / {threads}, {threads}>>>` with n = {n}.]], threads = threads, n = n,
    ask = "How many sums are not computed?", answer = n - run.blocks * threads, unit = "sums",
    wrong = { [0] = "n / {threads} is rounded down.",
              [threads - n % threads] = "So many threads would be too many, rounded up." },
    because = "{blocks} blocks are {sum} threads.", blocks = run.blocks, sum = run.blocks * threads,
  }
end

-- ---- barriers ------------------------------------------------------------------------------------------------------

local function lanes_that_come(d)
  local n = d.integer(33, 63)
  local run = measure { kernel = "divergent_barrier", form = "inside", params = { n = n } }
  return {
    [[`if (threadIdx.x < {n}) __syncthreads();` in a block of 64.]], n = n,
    ask = "Which lanes of warp 1 come to it?", kind = "mask", answer = run:event({ kind = "barrier", warp = 1 }).active,
    wrong = { [0xffffffff] = "Not all threads of it are below {n}." },
    tips = { "Warp 1 has threads 32 to 63." }, because = "Threads 32 to {last}.", last = n - 1,
  }
end

local function is_it_told(d)
  local n = d.pick { 32, 40, 64, 50 }
  local run = measure { kernel = "divergent_barrier", form = "inside", params = { n = n } }
  return {
    [[`if (threadIdx.x < {n}) { ...; __syncthreads(); }` in a block of 64.]], n = n,
    ask = "Is a warp divided at the barrier?", options = { "yes", "no" },
    answer = #run.faults > 0 and run.faults[1].kind == "divergent_barrier" and "yes" or "no",
    wrong = { ["yes"] = "{n} is a multiple of 32.", ["no"] = "{n} is no multiple of 32." },
    because = "Whole warps come or stay away only if {n} is a multiple of 32.",
  }
end

local function whom_it_waits_for(d)
  local case = d.pick { { "__syncwarp()", "the named lanes of a warp" }, { "__syncthreads()",
    "all threads of the block" },
                        { "cudaDeviceSynchronize()", "the host, for the GPU" }, { "__threadfence()", "nobody" } }
  return {
    [[`{call}` is called.]], call = case[1],
    ask = "Who waits?", options = { "the named lanes of a warp", "all threads of the block", "the host, for the GPU",
      "nobody" },
    answer = case[2],
    wrong = { ["nobody"] = "It is a wall for somebody.",
              ["all threads of the block"] = "Is it a barrier of the block?" },
    because = "Each has its own reach; a fence orders stores and makes nobody wait.",
  }
end

-- ---- around the launch
-----------------------------------------------------------------------------------------------

local function when_is_it_seen(d)
  local case = d.pick { { "the block has too many threads", "right after the launch" },
                        { "a thread reads far outside of all memory", "after waiting" },
                        { "an element is left out", "never" }, { "a grid has 0 blocks", "right after the launch" },
                        { "an update is lost", "never" } }
  return {
    [[A launch in which {case}.]], case = case[1],
    ask = "When does an error code tell it?", options = { "right after the launch", "after waiting", "never" },
    answer = case[2],
    wrong = { ["never"] = "Something could not be done there.",
              ["right after the launch"] = "Does it keep the kernel from starting?",
              ["after waiting"] = "Can it be found out before anything runs, or is no rule of memory broken at all?" },
    because = "Bad launches at once, bad accesses when somebody waits, wrong numbers never.",
  }
end

local function blocks_needed(d)
  local threads, n = d.pick { 64, 128, 256 }, d.integer(1000, 9000)
  return {
    [[{n} elements, one for each thread, blocks of {threads}.]], n = n, threads = threads,
    ask = "How many blocks?", answer = cdiv(n, threads), unit = "blocks",
    wrong = { [n // threads] = n % threads > 0 and "That leaves out the last {rest}." or nil,
              [n // threads + 1] = n % threads == 0 and "One block would have nothing to do." or nil },
    rest = n % threads > 0 and n % threads or nil, because = "(n + {less}) / {threads}.", less = threads - 1,
  }
end

local function value_of_comma(d)
  local a, b = d.integer(2, 9), d.integer(10, 99)
  local form = d.pick { "comma", "call" }
  return {
    form == "comma" and [[`dim3 grid = ({a}, {b}, 1);`]] or [[`dim3 grid({a}, {b}, 1);`]], a = a, b = b,
    ask = "How many blocks has the grid?", answer = form == "comma" and 1 or a * b, unit = "blocks",
    wrong = { [a * b] = form == "comma" and "A comma in parentheses gives its last value." or nil,
              [1] = form == "call" and "Here three numbers are handed over." or nil, [a] = "It has {b} rows." },
    because = form == "comma" and "({a}, {b}, 1) is 1." or "{a} x {b}.",
  }
end

-- ---- counters ------------------------------------------------------------------------------------------------------

local SYMPTOMS = {
  { "many bank conflicts", "a column of a tile in shared memory" },
  { "three times the sectors for each load request", "a structure of three floats" },
  { "all lanes but one wait at atomics", "one address for all" },
  { "half of all branches divide their warp", "an if by even and odd lanes" },
}

local function cause_of(d)
  local case = d.pick(SYMPTOMS)
  local causes = {}
  for i, one in ipairs(SYMPTOMS) do causes[i] = one[2] end
  return {
    [[A kernel is slow. Its counters show {symptom}.]], symptom = case[1],
    ask = "Which cause fits?", options = causes, answer = case[2],
    wrong = { ["a column of a tile in shared memory"] = "Banks belong to shared memory.",
              ["a structure of three floats"] = "That spreads a warp's addresses over more sectors.",
              ["one address for all"] = "That makes lanes queue.",
              ["an if by even and odd lanes"] = "That divides a warp." },
    because = "Banks: shared memory. Sectors: global memory. Queues: atomics. Divided warps: branches.",
  }
end

local function sectors_each(d)
  local offset = d.integer(0, 8)
  local run = measure { kernel = "load_patterns", params = { pattern = "offset", offset = offset } }
  local load = run:event { line = "out[lane] = base[word]", kind = "load" }
  return {
    [[Lane i loads word i + {offset} of an array of floats that begins at a sector.]], offset = offset,
    ask = "How many sectors does the request take?", answer = load.sectors, unit = "sectors",
    wrong = { [4] = offset % 8 ~= 0 and "Begin and end lie inside of sectors." or nil,
              [5] = offset % 8 == 0 and "It begins with a sector, and ends with one." or nil,
              [32] = "Neighbors share sectors." },
    because = "128 bytes from byte {byte} on.", byte = 4 * offset,
  }
end

local function waiting(d)
  local n, buckets = 32 * d.integer(2, 20), d.integer(1, 31)
  local run = measure { kernel = "histogram", params = { colors = "cycle", buckets = buckets, n = n } }
  local first = 32 - run.counters.atomic_conflicts // (n // 32)
  return {
    [[The counters of a histogram of {n} elements show that {waits} lanes wait behind another lane of their warp.]],
    n = n,
    waits = run.counters.atomic_conflicts,
    ask = "How many different colors has each warp?", answer = first,
    unit = "colors",
    wrong = { [32] = "Then nobody would wait.", [n // 32] = "So many warps." },
    tips = { "How many of a warp's 32 do not wait?" }, because = "One of each color is first; {wait} of 32 wait.",
    wait = 32 - first,
  }
end

return {
  skill { id = "report", looks = { element_of_address, first_outside, past_the_end } },
  skill { id = "cells", looks = { what_is_told, is_it_right, who_finds } },
  skill { id = "sizes", family = "EQ14", looks = { left_out, does_it_show, elements_missing } },
  skill { id = "barrier", looks = { lanes_that_come, is_it_told, whom_it_waits_for } },
  skill { id = "launch", family = "EQ14", looks = { when_is_it_seen, blocks_needed, value_of_comma } },
  skill { id = "counters", looks = { cause_of, sectors_each, waiting } },
}
