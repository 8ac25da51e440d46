-- Questions drawn for L14, Reduction.

local ADD = { line = "tsum[id] += tsum[id + k]", kind = "store", space = "shared" }

local function power(d, lo, hi)
  return 1 << d.integer(lo, hi)
end

local function tree(threads, blocks)
  return measure { kernel = "reduce2", params = { N = 64, threads = threads, blocks = blocks or 1 } }
end

-- ---- the fold ------------------------------------------------------------------------------------------------------

local function launches_of_fold(d)
  local bits = d.integer(3, 11)
  local run = measure { kernel = "sums", params = { version = 0, N = 1 << bits } }
  return {
    [[An array of {n} numbers is folded in half by `reduce0`, launch after launch.]], n = 1 << bits,
    ask = "How many launches?", answer = #run.launches, unit = "launches",
    wrong = { [(1 << bits) - 1] = "So many additions.", [bits - 1] = "The last launch adds two numbers. Count it, too.",
              [bits + 1] = "The first launch leaves half of the numbers already." },
    tips = { "How often can {n} be halved?" }, because = "{n} is 2^{answer}.",
  }
end

local function words_of_fold(d)
  local m = power(d, 2, 10)
  local counters = measure({ kernel = "reduce0", params = { m = m } }).counters
  local words = (counters.global_load_bytes + counters.global_store_bytes) // 4
  return {
    [[One fold: {m} threads run `x[tid] += x[tid + m]`.]], m = m,
    ask = "How many words go between the SMs and memory?", answer = words, unit = "words",
    wrong = { [2 * m] = "The sums go back, too.", [m] = "So many additions.", [counters.global_load_bytes] = "Bytes are not words." },
    tips = { "Read the line as the machine does." }, because = "Two loads and a store for each of {m} additions.",
  }
end

local function additions(d)
  local n = power(d, 6, 20)
  return {
    [[{n} numbers are added up by a tree.]], n = n,
    ask = "How many additions are made in all?", answer = n - 1, unit = "additions",
    wrong = { [n] = "The first pair needs one addition, not two.", [log2i(n)] = "So many levels.", [n // 2] = "That is the first level." },
    tips = { "How many numbers does one addition take away?" },
    because = "Every addition leaves one number fewer, in any order: {n} - 1.",
  }
end

-- ---- strides -------------------------------------------------------------------------------------------------------

local function right_stride(d)
  local blocks, threads = d.integer(2, 40), d.pick { 64, 128, 256, 512 }
  local passes = d.integer(2, 9)
  return {
    [[{blocks} blocks of {threads} threads add up an array with a grid-stride loop.]], blocks = blocks, threads = threads,
    ask = "Thread 0 adds x[0] first. Which element is its number {nth}?", nth = passes,
    answer = (passes - 1) * blocks * threads, unit = "",
    wrong = { [(passes - 1) * threads] = "Block 1 adds that one.", [(passes - 1) * threads * threads] = "That is the printed stride.",
              [passes * blocks * threads] = "One step too far: x[0] is number 1." },
    tips = { "How many threads has the grid?" }, because = "A step is {blocks} x {threads} elements.",
  }
end

local function printed_stride(d)
  local threads = d.pick { 32, 64 }
  local blocks = d.pick { threads // 4, threads, threads + threads // 2, threads // 2 }
  local run = measure { kernel = "reduce1", form = "lecture",
                        params = { N = 4 * threads * threads, threads = threads, blocks = blocks } }
  local x, sum = run:output("x"), blocks * threads
  return {
    [[A sum is made with the stride `blockDim.x * blockDim.x`, by {blocks} blocks of {threads} threads. All numbers are positive.]],
    blocks = blocks, threads = threads, beside = run,
    ask = "The sum is", options = { "too small", "right", "too large" },
    answer = run.verdict == "right" and "right" or run.counters.global_load_bytes // 4 < #x and "too small" or "too large",
    wrong = { ["right"] = "Is the stride the size of the grid?" },
    tips = { "The grid has {sum} threads. How long is a step?" }, sum = sum,
    because = "A step is {step}, the grid has {sum} threads.", step = threads * threads,
  }
end

local function skipped(d)
  local threads, blocks, times = d.pick { 32, 64 }, d.integer(2, 20), d.integer(2, 4)
  local n = times * threads * threads
  local run = measure { kernel = "reduce1", form = "lecture", params = { N = n, threads = threads, blocks = blocks } }
  local left = n - run.counters.global_load_bytes // 4
  return {
    [[{n} numbers, {blocks} blocks of {threads} threads, the stride is `blockDim.x * blockDim.x`.]],
    n = n, blocks = blocks, threads = threads, beside = run,
    ask = "How many numbers are never added?", answer = left, unit = "numbers",
    wrong = { [0] = "{blocks} blocks do not fill a step.", [n - left] = "So many are added." },
    tips = { "A step is {step} long; the grid covers {grid} of it." }, step = threads * threads, grid = blocks * threads,
    because = "Of each {step} only the first {grid} are added.",
  }
end

-- ---- masks of levels -----------------------------------------------------------------------------------------------

local function mask_at_level(d)
  local threads = d.pick { 32, 64, 128, 256 }
  local k = 1 << d.integer(0, log2i(threads) - 1)
  local run = tree(threads)
  local nth = log2i(threads) - log2i(k)
  local event = run:event { line = ADD.line, kind = ADD.kind, space = ADD.space, warp = 0, nth = nth }
  return {
    [[A tree over {threads} threads, `if (id < k) tsum[id] += tsum[id + k]`.]], threads = threads, k = k, beside = run,
    ask = "k is {k}. Which lanes of warp 0 add?", kind = "mask", answer = event.active,
    wrong = { [event.active << 1 & 0xffffffff] = "Lanes are numbered from 0.",
              [0xffff] = k > 16 and "k counts threads of the block, not lanes." or nil },
    tips = { "Warp 0 has threads 0 to 31." }, because = "Those with an id below {k}.",
  }
end

local function warps_at_level(d)
  local threads = d.pick { 256, 512, 1024 }
  local k = 1 << d.integer(0, log2i(threads) - 1)
  local run, nth, count = tree(threads), log2i(threads) - log2i(k), 0
  for warp = 0, run.warps - 1 do
    local stores = run:count { line = ADD.line, kind = ADD.kind, space = ADD.space, warp = warp }
    count = count + (stores >= nth and 1 or 0)
  end
  return {
    [[A tree over a block of {threads} threads.]], threads = threads, k = k,
    ask = "k is {k}. How many warps have a lane that adds?", answer = count, unit = "warps",
    wrong = { [k] = "Those are threads.", [threads // 32] = "All warps come to the barrier; not all add.",
              [0] = "A part of a warp is a warp at work." },
    tips = { "A warp has 32 threads." }, because = "{k} threads are spread over {answer} of {all} warps.", all = threads // 32,
  }
end

local function first_split(d)
  local threads = d.pick { 64, 128, 256, 512, 1024 }
  local interleaved = d.chance(0.5)
  return {
    [[A tree over {threads} threads in shared memory. {how}.]], threads = threads,
    how = interleaved and "Level by level it adds neighbors: `id % (2 * k) == 0`, k = 1, 2, 4 and so on"
      or "Level by level the upper half is added to the lower: `id < k`, k = {threads} / 2 and so on",
    class = interleaved and "interleaved" or "halves",
    ask = "In how many levels do lanes of one warp part?", unit = "levels",
    answer = interleaved and log2i(threads) or 5,
    wrong = { [0] = "At the end a single thread adds.",
              [log2i(threads)] = not interleaved and "While k is 32 or more, warps work whole or not at all." or nil,
              [5] = interleaved and "Already in the first level every second lane works." or nil },
    tips = { "For which k is the answer not the same in all lanes of a warp?" },
    because = "{answer}: {why}.", why = interleaved and "from the first one on" or "k = 16, 8, 4, 2 and 1",
  }
end

-- ---- barriers ------------------------------------------------------------------------------------------------------

local function arrivals(d)
  local threads, blocks = power(d, 5, 9), d.integer(1, 6)
  local run = tree(threads, blocks)
  local levels, warps = log2i(threads), threads // 32
  return {
    [[{blocks} blocks of {threads} threads: a tree with a barrier after filling and one after each level.]],
    blocks = blocks, threads = threads,
    ask = "How often does a warp arrive at a barrier?", answer = run.counters.barriers, unit = "arrivals",
    wrong = { [blocks * warps * levels] = "And the barrier before the first level?",
              [blocks * (levels + 1)] = "All warps of a block arrive at each." },
    tips = { "A block has {warps} warps, and passes {barriers} barriers." }, warps = warps, barriers = levels + 1,
    because = "{blocks} x {warps} x {barriers}.",
  }
end

local function barriers_of_block(d)
  local threads = power(d, 5, 10)
  local run = tree(threads)
  return {
    [[A block of {threads} threads fills shared memory and folds it, with a barrier wherever one is needed after.]],
    threads = threads,
    ask = "How many barriers does each warp pass?", answer = run.counters.barriers // run.warps, unit = "barriers",
    wrong = { [log2i(threads)] = "One more: between filling and the first level.", [threads] = "Levels halve." },
    tips = { "How often can {threads} be halved?" }, because = "One after filling, {levels} levels.", levels = log2i(threads),
  }
end

local function where_the_barrier(d)
  local form = d.pick { "right", "barrierinif", "nobarrier" }
  local texts = {
    right = "behind the if, for all threads", barrierinif = "inside the if, for those who add", nobarrier = "nowhere",
  }
  local run = measure { kernel = "reduce2", form = form }
  local kind = #run.faults > 0 and run.faults[1].kind or "none"
  local names = { none = "nothing", divergent_barrier = "a barrier that not all reach", race = "a race" }
  return {
    [[In the loop of a tree the barrier stands {where}.]], where = texts[form],
    class = form,
    ask = "What do the checks tell?", options = { "nothing", "a race", "a barrier that not all reach" }, answer = names[kind],
    wrong = { ["nothing"] = "Who waits for whom between two levels?" },
    tips = { "Which threads must have written before the next level reads?" },
    because = "A level reads what others wrote, so all wait, and all come.",
  }
end

-- ---- any size ------------------------------------------------------------------------------------------------------

local function is_it_right(d)
  local threads = d.pick { 96, 64, 288, 128, 320, 256, 160, 512, 48 }
  local run = measure { kernel = "reduce2", form = "any-size", params = { threads = threads } }
  return {
    [[A tree starts at `k = blockDim.x / 2` and halves it. The block has {threads} threads.]], threads = threads,
    class = run.verdict == "right" and "right" or "wrong",
    ask = "Is the sum right?", options = { "yes", "no: sums are forgotten", "there is a fault" },
    answer = run.verdict == "right" and "yes" or "no: sums are forgotten",
    wrong = { ["there is a fault"] = "No word outside is touched." },
    tips = { "Halve {threads} until it is odd." }, because = "Only a power of 2 can be halved down to 1 without a rest.",
  }
end

local function lost_at(d)
  local rest = d.pick { 3, 5, 7, 9 }
  local threads = rest * (1 << d.integer(4, 6))
  return {
    [[A tree starts at `k = blockDim.x / 2` and halves it. The block has {threads} threads.]], threads = threads, rest = rest,
    ask = "At which k is a sum forgotten first?", answer = rest // 2, unit = "",
    wrong = { [rest] = "Twice {rest} sums fold onto {rest}: none is left over.", [threads // 2] = "That half is whole." },
    tips = { "Halve until it is odd. What comes then?" }, because = "{rest} sums are left, and {rest} / 2 is {answer} in C.",
  }
end

local function ragged_level(d)
  local threads = d.integer(130, 500)
  local first = 1 << log2i(threads - 1)
  return {
    [[`reduce3` with a block of {threads} threads: k starts at {first}, and `id < k && id + k < threads` tests.]],
    threads = threads, first = first,
    ask = "How many threads add in the first level?", answer = threads - first, unit = "threads",
    wrong = { [first] = "Not every one of them has a partner.", [threads // 2] = "k is a power of 2." },
    tips = { "For which id is id + {first} still below {threads}?" }, because = "{threads} - {first}.",
  }
end

-- ---- chains --------------------------------------------------------------------------------------------------------

local function shared_of_second(d)
  local blocks = d.integer(65, 1000)
  return {
    [[The first launch of `reduce3` leaves one sum for each of {blocks} blocks. The second has one block, one thread for each of them.]],
    blocks = blocks,
    ask = "How many bytes of shared memory does it need?", answer = 4 * blocks, unit = "bytes",
    wrong = { [blocks] = "A float has 4 bytes.", [1024] = "That fits one size of block." },
    tips = { "tsum has a float for each thread." }, because = "{blocks} floats.",
  }
end

local function does_it_forget(d)
  local blocks = d.pick { 288, 256, 128, 144 }
  local run = measure { kernel = "sums", form = "any-size", launch = 2,
                        params = { version = 2, N = 2 * blocks * 32, blocks = blocks, threads = 32 } }
  local y, sum = run:output("y"), 0.0
  for i = 0, #y - 1 do sum = sum + y[i] end
  local kept = math.abs(run:output("x")[0] - sum) < 1e-3 * sum
  return {
    [[`reduce2` runs with {blocks} blocks of 32 threads, then with one block of {blocks} threads over their sums.]], blocks = blocks,
    class = kept and "right" or "wrong",
    ask = "Is the sum right?", options = { "yes", "no" }, answer = kept and "yes" or "no",
    wrong = { ["yes"] = "Can {blocks} be halved down to 1?" },
    tips = { "What is the block size of the second launch?" },
    because = "The number of blocks becomes a block size: only a power of 2 suits this tree.",
  }
end

local function needs_a_wait(d)
  local what = d.pick { { "the host reads the sum", "yes" }, { "the second kernel reads the sums of the first, in the same stream", "no" },
                        { "a kernel in another stream reads the sums", "yes" } }
  return {
    [[A kernel was launched. Next, {what}.]], what = what[1],
    class = what[2],
    ask = "Must somebody be told to wait in between?", options = { "yes", "no" }, answer = what[2],
    wrong = { ["no"] = "A launch returns at once, and streams do not know one another.",
              ["yes"] = "Launches of one stream follow one another by themselves." },
    because = "Order is kept inside a stream, and nowhere else.",
  }
end

return {
  skill { id = "fold", family = "FQ6", looks = { launches_of_fold, words_of_fold, additions } },
  skill { id = "stride", family = "EQ13", looks = { right_stride, printed_stride, skipped } },
  skill { id = "levels", looks = { mask_at_level, warps_at_level, first_split } },
  skill { id = "barriers", looks = { arrivals, barriers_of_block, where_the_barrier } },
  skill { id = "sizes", looks = { is_it_right, lost_at, ragged_level } },
  skill { id = "chain", family = "EQ11", looks = { shared_of_second, does_it_forget, needs_a_wait } },
}
