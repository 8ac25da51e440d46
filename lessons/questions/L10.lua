-- Questions drawn for L10, Shared memory, barriers.

local WORD = 4

local function words_loaded(kernel, n, threads)
  return measure({ kernel = kernel, params = { n = n, threads = threads } }).counters.global_load_bytes // WORD
end

-- ---- how often a number is loaded ----------------------------------------------------------------------------------

local function plain_words(d)
  local n, threads = d.integer(40, 400), d.pick { 32, 64, 128 }
  local words = words_loaded("adj_diff_naive", n, threads)
  return {
    [[Thread i subtracts `input[i - 1]` from `input[i]`, for i from 1 to {last}. Both come from global memory.]],
    last = n - 1,
    ask = "How many words do all threads load together?", answer = words, unit = "words",
    wrong = d.except(words, { [n] = "Two loads for each difference.", [2 * n] = "Thread 0 loads nothing." }),
    tips = { "How many threads have work?" }, because = "Two for each of {last} threads.",
  }
end

local function staged_words(d)
  local threads, n = d.pick { 32, 64, 128 }, d.integer(140, 600)
  local words = words_loaded("adj_diff_shared", n, threads)
  return {
    [[
    {n} numbers, blocks of {threads} threads. Each block brings its numbers to shared memory; only its first thread
    fetches the
    left neighbor from global memory.
    ]],
    n = n, threads = threads,
    ask = "How many words are loaded from global memory?", answer = words, unit = "words",
    wrong = d.except(words, {
      [n] = "The first thread of a block needs one more.", [n + cdiv(n, threads)] = "The first block has no left "
        .. "neighbor.",
      [2 * (n - 1)] = "That is without shared memory.",
    }),
    tips = { "How many blocks? Which of them need one word more?" }, because = "{n} and one for each block but the "
      .. "first: {blocks} blocks.",
    blocks = cdiv(n, threads),
  }
end

local function loads_of_one(d)
  local threads = d.pick { 32, 64, 128 }
  local i = d.chance(0.5) and threads * d.integer(1, 5) - 1 or threads * d.integer(1, 5) + d.integer(3, threads - 4)
  local answer = (i + 1) % threads == 0 and 2 or 1
  return {
    [[
    Differences of neighbors through shared memory, in blocks of {threads}. A block loads its own numbers, and its
    first thread
    the left neighbor's.
    ]],
    threads = threads, i = i,
    ask = "How often is number {i} loaded from global memory? (There are many more.)", answer = answer, unit = "times",
    wrong = d.except(answer, { [1] = "It is the last of its block: who needs it, too?", [2] = "Its right neighbor "
      .. "finds it on the table." }),
    tips = { "Is it the last of its block?" }, because = "Number {i} is place {place} of its block.",
    place = i % threads,
  }
end

-- ---- arrivals ------------------------------------------------------------------------------------------------------

local function arrivals_of_grid(d)
  local threads, blocks = d.pick { 32, 64, 128, 256 }, d.integer(2, 9)
  local r = measure { kernel = "adj_diff_shared", params = { n = threads * blocks, threads = threads } }
  return {
    [[{blocks} blocks of {threads} threads pass one `__syncthreads()`.]], blocks = blocks, threads = threads,
    ask = "How often does a warp arrive at a barrier?", answer = r.counters.barriers, unit = "arrivals",
    wrong = d.except(r.counters.barriers, { [blocks] = "So often the gate opens.", [blocks * threads] = "Warps "
      .. "come, not threads.",
                                            [threads // 32] = "That is one block." }),
    tips = { "Warps of a block, times blocks." }, because = "{blocks} x {warps} warps.", warps = threads // 32,
  }
end

local function arrivals_of_walls(d)
  local threads = d.integer(40, 256)
  local r = measure { kernel = "shift_in_place", params = { threads = threads } }
  return {
    [[A block of {threads} threads comes to two barriers, one after the other.]], threads = threads,
    ask = "How often does a warp arrive at a barrier?", answer = r.counters.barriers, unit = "arrivals",
    wrong = d.except(r.counters.barriers, { [2] = "Each warp arrives.", [2 * threads] = "Warps come, not threads.",
                                            [r.warps] = "At each of the two." }),
    tips = { "How many warps are {threads} threads?" }, because = "2 x {warps} warps.", warps = r.warps,
  }
end

local function still_missing(d)
  local threads = 32 * d.integer(3, 16)
  local come = d.integer(1, threads // 32 - 1)
  return {
    [[A block of {threads} threads is at a barrier; {come} of its warps have come.]], threads = threads, come = come,
    ask = "How many warps does the barrier still wait for?", answer = threads // 32 - come, unit = "warps",
    wrong = d.except(threads // 32 - come, { [threads - come] = "Warps, not threads.", [threads // 32] = "{come} "
      .. "are there.",
                                             [1] = "All of the block must come." }),
    tips = { "How many warps has the block?" }, because = "{warps} warps in all.", warps = threads // 32,
  }
end

-- ---- where a wall is needed ----------------------------------------------------------------------------------------

local steps = {
  { "`s[t] = x;` then `y = s[t];`", "no wall", "Every thread reads its own cell." },
  { "`s[t] = x;` then `y = s[t + 1];`", "`__syncthreads()`", "The neighbor must have written." },
  { "`y = s[t + 1];` then `s[t] = x;`", "`__syncthreads()`", "The left neighbor may still want the old value." },
  { "`s[t] = x;` then `y = s[255 - t];`", "`__syncthreads()`", "The cell is another warp's." },
  { "`s[t] = x;` then `y = s[t ^ 1];`", "`__syncwarp()`", "Lanes t and t ^ 1 are of one warp." },
  { "`y = s[t ^ 1];` then `s[t] = x;`", "`__syncwarp()`", "Lanes t and t ^ 1 are of one warp." },
  { "`a[t] = x;` then `y = b[t + 1];`, which nobody writes", "no wall", "Other cells, and nobody writes them." },
}

local function wall_between(d)
  local step = d.pick(steps)
  return {
    [[256 threads; t is the thread, s is in shared memory. All do {what}.]], what = step[1],
    ask = "What is the least that must stand between?", options = { "no wall", "`__syncwarp()`", "`__syncthreads()`" },
    answer = step[2],
    wrong = { ["no wall"] = "Another thread has to do with that cell.",
              ["`__syncthreads()`"] = "It would do. Less would, too.",
              ["`__syncwarp()`"] = step[2] == "no wall" and "Less would do." or "The other thread may be of another "
                .. "warp." },
    tips = { "Which thread has to do with the same cell? Is it of the same warp?" }, because = step[3],
  }
end

local function stale_results(d)
  local threads = 32 * d.integer(2, 8)
  local r = measure { kernel = "shift_in_place", params = { threads = threads } }
  local borders = 0
  for i = 1, threads - 1 do
    if i % 32 == 0 and r:output("out")[i] == i - 1 then borders = borders + 1 end
  end
  return {
    [[
    {threads} threads shift an array by one in place: `left = s[t - 1];` then `s[t] = left;`, and no wall in between.
    Inside a warp all lanes read before any writes.
    ]],
    threads = threads,
    ask = "How many results may be wrong at most?", answer = borders, unit = "",
    wrong = d.except(borders, { [0] = "What of the first lane of a warp?", [threads - 1] = "Inside a warp nothing "
      .. "happens.",
                                [threads // 32] = "The first warp has nobody on its left." }),
    tips = { "Which threads read a cell of another warp?" }, because = "The first lane of every warp but the first.",
  }
end

local function who_waits(d)
  local blocks, threads = d.integer(3, 60), 32 * d.integer(2, 16)
  local what = d.pick { "__syncthreads()", "__syncwarp()" }
  return {
    [[{blocks} blocks of {threads} threads. One thread is at `{what}`.]], blocks = blocks, threads = threads,
    what = what,
    class = what == "__syncwarp()" and "warp" or "block",
    ask = "For how many threads, itself included, does that wait?", answer = what == "__syncwarp()" and 32 or threads,
    unit = "threads",
    wrong = d.except(what == "__syncwarp()" and 32 or threads, {
      [blocks * threads] = "Blocks do not wait for one another.", [threads] = "It is of the warp.", [32] = "It is "
        .. "of the block.",
    }),
    tips = { "Is it of the grid, the block or the warp?" },
    because = "`__syncthreads()` is of the block, `__syncwarp()` of the warp.",
  }
end

-- ---- who has to come -----------------------------------------------------------------------------------------------

local conditions = {
  { "if (blockIdx.x % 2 == 0)", true, "All threads of a block have the same blockIdx." },
  { "if (threadIdx.x < 48)", false, "Threads 48 and up do not come." },
  { "if (n > 100)", true, "n is an argument: the same for all." },
  { "if (input[i] > 0)", false, "Each thread has another input." },
  { "for (int k = 0; k < 8; k++)", true, "All come equally often." },
  { "for (int k = 0; k < threadIdx.x; k++)", false, "Thread 0 never comes." },
  { "if (s_flag)", true, "A word of shared memory is the same for the block, if a wall stands before it is read." },
}

local function may_stand(d)
  local one = d.pick(conditions)
  return {
    [[Blocks of two warps. Around a barrier stands `{what}`.]], what = one[1],
    class = one[2] and "yes" or "no",
    ask = "Is that allowed?", options = { "yes", "no" }, answer = one[2] and "yes" or "no",
    tips = { "Do all threads of one block decide alike?" }, because = one[3],
  }
end

local function partly(d)
  local threads = 32 * d.integer(2, 4)
  local count = d.pick { 32, 64, d.integer(33, 60), d.integer(8, 30) }
  if count > threads then count = threads end
  local r = measure { kernel = "divergent_barrier", form = "inside", params = { n = count, threads = threads } }
  return {
    [[{threads} threads, and a barrier inside `if (threadIdx.x < {count})`.]], threads = threads, count = count,
    class = #r.faults > 0 and "ragged" or "whole",
    ask = "Does it part the lanes of a warp?", options = { "yes", "no" },
    answer = #r.faults > 0 and "yes" or "no",
    wrong = { ["yes"] = "Warps have whole lanes there, or none.", ["no"] = "{count} is no multiple of 32." },
    tips = { "Where does the last warp that comes end?" }, because = "{count} = {whole} x 32 + {rest}.",
    whole = count // 32, rest = count % 32,
  }
end

local function lanes_that_come(d)
  local count = d.integer(33, 63)
  local r = measure { kernel = "divergent_barrier", form = "inside", params = { n = count, threads = 64 } }
  local come = 0
  for lane = 0, 31 do
    come = come | (32 + lane < count and #r.faults > 0 and 1 or 0) << lane
  end
  return {
    [[64 threads, and a barrier inside `if (threadIdx.x < {count})`.]], count = count, kind = "mask",
    ask = "Which lanes of warp 1 come to it?", answer = come,
    wrong = d.except(come, { [0xffffffff] = "Threads {count} to 63 do not.", [0] = "Some do.",
    [~come & 0xffffffff] = "Those stay away." }),
    tips = { "Warp 1 has threads 32 to 63." }, because = "Threads 32 to {last}.", last = count - 1,
  }
end

-- ---- parting a pool ------------------------------------------------------------------------------------------------

local types = { { "a float", 4 }, { "an unsigned short", 2 }, { "a char", 1 }, { "a double", 8 }, { "an int", 4 } }

local function bytes_of_launch(d)
  local a, b = d.pick(types), types[d.integer(1, 5)]
  local threads = d.integer(33, 256)
  local bytes = threads * (a[2] + b[2])
  return {
    [[Each of {threads} threads needs {a} and {b} in shared memory.]], threads = threads, a = a[1], b = b[1],
    ask = "How many bytes must the launch ask for?", answer = bytes, unit = "bytes",
    wrong = d.except(bytes, { [2 * threads] = "Those are elements.", [threads * a[2]] = "And {b}?",
    [bytes // threads] = "That is one thread." }),
    tips = { "How long is {a}, how long {b}?" }, because = "{threads} x ({x} + {y}).", x = a[2], y = b[2],
  }
end

local function begins_at(d)
  local threads = d.integer(20, 256)
  return {
    [[A pool for {threads} threads: a float each, then an unsigned short each, then a char each.]], threads = threads,
    ask = "At which byte do the chars begin?", answer = 6 * threads, unit = "",
    wrong = d.except(6 * threads, { [4 * threads] = "There the shorts begin.", [2 * threads] = "That is the length "
      .. "of the shorts.",
                                    [7 * threads] = "There the pool ends." }),
    tips = { "What lies before them?" }, because = "4 x {threads} + 2 x {threads}.",
  }
end

local function still_whole(d)
  local threads = d.pick { 8, 12, 16, 20, 24, 28, 32 }
  local x = measure({ kernel = "shared_extern_alias", form = "overlapping",
  params = { threads = threads } }):output("x")
  local whole = 0
  for i = 0, threads - 1 do
    if x[i] == 1 + i then whole = whole + 1 end
  end
  return {
    [[`extern __shared__ float sx[];` and `extern __shared__ unsigned short su[];`. {threads} threads fill sx, then
    su.]],
    threads = threads,
    ask = "How many floats of sx are still what they were?", answer = whole, unit = "floats",
    wrong = d.except(whole, { [threads] = "Both begin at one address.", [0] = "A short is half as long as a float." }),
    tips = { "How many bytes does su fill?" }, because = "{bytes} bytes of su lie on the first floats.",
    bytes = 2 * threads,
  }
end

local function dies_at(d)
  local list = d.shuffle(d.pick { { 32, 33, 64 }, { 36, 38, 40 }, { 44, 46, 48 }, { 51, 52, 56 }, { 60, 62, 64 } })
  local options, answer = {}, nil
  for i, threads in ipairs(list) do
    options[i] = tostring(threads)
    local r = measure { kernel = "shared_example", form = "shortest", params = { threads = threads, m = threads } }
    if #r.faults > 0 then answer = options[i] end
  end
  return {
    [[A pool with T chars first, then T unsigned shorts, then T floats.]],
    ask = "With which T does it fail?", options = options, answer = answer,
    tips = { "At which byte do the floats begin? The shorts?" },
    because = "Shorts begin at `T`, floats at `3 T`: T must be a multiple of 4.",
  }
end

-- ---- a budget ------------------------------------------------------------------------------------------------------

local function sm(profile, bytes)
  return model { "occupancy", params = { profile = profile, threads = 128, registers = 16, shared = bytes } }
end

local function blocks_that_fit(d)
  local kb = d.integer(5, 48)
  local held = sm("p100", kb * 1024)
  return {
    [[A P100: {all} KB of shared memory on a multiprocessor, room for {slots} small blocks otherwise. A block takes {kb}
    KB.]],
    slots = sm("p100", 0).blocks, kb = kb, all = 64,
    ask = "How many blocks fit?", answer = held.blocks, unit = "blocks",
    wrong = d.except(held.blocks, { [held.blocks + 1] = "Whole blocks only.", [sm("p100", 0).blocks] = "The fullest "
      .. "gauge counts." }),
    tips = { "How often does {kb} go into {all}?" }, because = "{all} / {kb}, rounded down.",
  }
end

local function one_more(d)
  local blocks = d.pick { 2, 3, 4, 5, 6 }
  local kb = 64 // blocks
  return {
    [[{blocks} blocks with {kb} KB each live on a multiprocessor with 64 KB.]], blocks = sm("p100",
    kb * 1024).blocks, kb = kb,
    ask = "How many if each takes {more} KB?", more = kb + 1, answer = sm("p100", (kb + 1) * 1024).blocks,
    unit = "blocks",
    wrong = d.except(sm("p100", (kb + 1) * 1024).blocks, { [blocks] = "{blocks} x {more} is more than 64.",
    [1] = "More than one still fits.",
                                                           [0] = "Some still fit." }),
    tips = { "How often does {more} go into 64?" }, because = "64 / {more}, rounded down.",
  }
end

local function most_threads(d)
  local each, kb = d.pick { 8, 12, 16, 24 }, d.pick { 4, 6, 8, 12 }
  local threads = kb * 1024 // each // 32 * 32
  return {
    [[A block may take {kb} KB of shared memory. Each thread needs {each} bytes.]], kb = kb, each = each,
    ask = "How many threads may it have at most, in whole warps?", answer = threads, unit = "threads",
    wrong = d.except(threads, { [kb * 1024] = "Those are bytes.", [kb * 1024 // each] = "Whole warps only." }),
    tips = { "{bytes} bytes by {each}." }, bytes = kb * 1024, because = "{bytes} / {each}, rounded down to a "
      .. "multiple of 32.",
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

-- ---- shared memory, or is L1 enough? -------------------------------------------------------------------------------

local KERNELS = {
  { "each thread adds its element to a sum that the block needs", "shared memory" },
  { "a tile is written by rows and read by columns", "shared memory" },
  { "each warp passes its total to the other warps", "shared memory" },
  { "threads of a block sort their numbers together", "shared memory" },
  { "a thread reads its own neighbors left and right, once", "L1 is enough" },
  { "all threads of a block read the same small table", "L1 is enough" },
  { "`y[i] = a * x[i]`", "neither" }, { "each thread copies one element", "neither" },
  { "a thread keeps a sum of its own over a long loop", "neither" },
}

local function which_memory(d)
  local case = d.pick(KERNELS)
  return {
    [[In a kernel {case}.]], case = case[1], kind = "choice", ask = "What does it need to be good?",
    options = { "shared memory", "L1 is enough", "neither" }, answer = case[2],
    wrong = { ["shared memory"] = case[2] == "neither" and "Nothing is used twice, and nobody exchanges anything."
                or "Nobody exchanges anything; what is read again is still in L1.",
              ["L1 is enough"] = case[2] == "neither" and "Nothing is used twice."
                or "L1 keeps what was read. It does not pass on what a thread has made, nor turn rows.",
              ["neither"] = "Is something used twice, or made by one thread for another?" },
    tips = { "Do threads exchange? Are rows turned? Is anything read again?" },
    because = "Exchange and turning need shared memory; reading again is what L1 is for.",
  }
end

local function shared_facts(d)
  local options, answer, says = some_of(d, {
    { "The program says what lies in it.", "That is the difference to a cache." },
    { "Nobody but the block drives it out.", "It stays until the block ends." },
    { "L1 and it share one memory in the SM.", "They are cut out of one." },
    { "It serves 32 words of 32 banks at once.", "L1 serves lines." },
  }, {
    { "It is always faster than L1.", "A hit in L1 is about as fast." },
    { "It makes one global load less for each thread.", "Something has to bring the data in first." },
    { "Other blocks of the SM can read it.", "It belongs to one block." },
    { "It needs no barriers.", "L1 needs none. Here one thread may be behind." },
  }, d.pick { 1, 2, 3 })
  return {
    [[Of shared memory, beside an L1 cache.]], kind = "several", ask = "Which are true?", options = options,
    answer = answer,
    wrong = says, tips = { "Who decides what is in it: the program, or the last loads?" },
    because = "It is a cache that the program runs, with banks, for one block.",
  }
end

local function loads_saved(d)
  local naive = measure { kernel = "adj_diff_naive" }
  local staged = measure { kernel = "adj_diff_shared" }
  local a, b = 0, 0
  for nth = 1, naive:count { kind = "load", space = "global" } do
    a = a + naive:event({ kind = "load", space = "global", nth = nth }).lanes
  end
  for nth = 1, staged:count { kind = "load", space = "global" } do
    b = b + staged:event({ kind = "load", space = "global", nth = nth }).lanes
  end
  local times = d.integer(2, 60)
  return {
    [[Differences of neighbors: straight from global memory {a} words are loaded, through shared memory {b}. It is done
    {times} times.]],
    a = a, b = b, times = times,
    ask = "How many loads of a word does shared memory save?", answer = (a - b) * times, unit = "loads",
    wrong = d.except((a - b) * times, { [a - b] = "That is one time.", [b * times] = "Those are left." }),
    tips = { "The difference, each time." },
    because = "Most of them would have hit L1: what is saved are requests, less than it looks.",
  }
end

return {
  skill { id = "staging", family = "EQ4", looks = { plain_words, staged_words, loads_of_one } },
  skill { id = "arrivals", family = "FQ10", looks = { arrivals_of_grid, arrivals_of_walls, still_missing } },
  skill { id = "walls", family = "EQ22", looks = { wall_between, stale_results, who_waits } },
  skill { id = "coming", family = "EQ22", looks = { may_stand, partly, lanes_that_come } },
  skill { id = "pool", family = "FQ9", looks = { bytes_of_launch, begins_at, still_whole, dies_at } },
  skill { id = "budget", family = "FQ9", looks = { blocks_that_fit, one_more, most_threads } },
  skill { id = "which", family = "FQ10", looks = { which_memory, shared_facts, loads_saved } },
}
