-- L10: when may I read what my neighbor wrote?

local WORD = 4
local LEFT = { line = "input[i - 1]", kind = "load" }
local FILL = { line = "s_data[tx] = input[i]", kind = "store", space = "shared", block = 0, warp = 0 }
local WALL = { line = "__syncthreads();", kind = "barrier", block = 0 }

local function commas(n)
  local text = string.format("%d", n):reverse():gsub("(%d%d%d)", "%1,"):reverse()
  return (text:gsub("^,", ""))
end

local function words_loaded(r)
  return r.counters.global_load_bytes // WORD
end

-- Elements from `first` on that are not what f says.
local function wrong_ones(buffer, first, f)
  local list = {}
  for i = first, #buffer - 1 do
    if buffer[i] ~= f(i) then list[#list + 1] = i end
  end
  return list
end

recall(2)

-- 1. a table in the middle -----------------------------------------------------------

local naive = measure { kernel = "adj_diff_naive" }
local shared = measure { kernel = "adj_diff_shared" }
local naive_code = measure { kernel = "adj_diff_naive", cut = "compiled" }
local shared_code = measure { kernel = "adj_diff_shared", cut = "compiled" }
local n = shared.parameters.n

show(naive, { at = "start" })
predict {
  id = "twice", title = "Everything twice",
  [[{n} numbers, and the difference of each to its left neighbor: thread i loads `input[i]` and `input[i - 1]`.]],
  n = commas(n),
  ask = "How many words do all threads load together?", unit = "words", answer = words_loaded(naive),
  wrong = {
    [2 * n] = "Thread 0 has no left neighbor, and loads nothing.",
    [n] = "So many there are. Nearly each is loaded by two threads.",
    [n - 1] = "One load for each difference? Look at the source.",
  },
  tips = { "How many loads has one thread? How many threads have work?" },
  because = "2 x ({n} - 1): nearly every number goes to two threads.",
  show = { run = naive, at = { line = LEFT.line, kind = "load", warp = 1 }, focus = "segments" },
}

show(shared, { at = FILL, block = 0 })
say {
  title = "A table in the middle",
  [[
  Each block has a piece of fast memory on its multiprocessor, its *shared memory*. All its threads see it, no other
  block does.

  It begins without any value, and is gone when the block ends.

  Here each thread lays its own number on the table. Then the left neighbor's is there, too.
  ]],
}

predict {
  id = "staged", title = "Staged",
  [[Each number is loaded once, in {blocks} blocks. Only the first thread of a block fetches its left neighbor from
  global memory.]],
  blocks = shared.blocks,
  ask = "How many words are loaded now?", unit = "words", answer = words_loaded(shared),
  wrong = {
    [n] = "Who gives the first thread of block 1 its neighbor? It lies on another table.",
    [n + shared.blocks] = "Block 0 has no left neighbor.",
    [n - 1] = "Those are the results.",
  },
  tips = { "Which threads cannot find their neighbor on their table?" },
  because = "{n} and one for each block but the first.", n = commas(n),
  show = { run = shared, at = { line = LEFT.line, kind = "load", space = "global", block = 1 }, focus = "segments" },
}

explain {
  title = "What it bought, and what it cost",
  [[
  Words: {a} before, {b} now. Sectors: {c} and {d}. Instructions of warps: {e} and {f}.

  Half the traffic for more instructions. Today the second load of a word mostly finds it in the L1 cache, so little
  time is won here.
  But the table can do more: hand over what threads computed.
  ]],
  a = commas(words_loaded(naive)), b = commas(words_loaded(shared)), c = naive.counters.global_load_sectors,
  d = shared.counters.global_load_sectors, e = naive_code.counters.warp_instructions,
  f = shared_code.counters.warp_instructions,
}

-- 2. one line less -------------------------------------------------------------------

local ORDERS = 5
local lucky = measure { kernel = "adj_diff_shared", form = "nobarrier" }
local function difference(i)
  local x = lucky:output("input")
  return x[i] - x[i - 1]
end

local unlucky, first_unlucky = 0, nil
for seed = 1, ORDERS do
  local r = measure { kernel = "adj_diff_shared", form = "nobarrier", seed = seed }
  if r.verdict == "wrong" then
    unlucky, first_unlucky = unlucky + 1, first_unlucky or r
  end
end

hide()
predict {
  id = "one-less", title = "One line less", kind = "choice", sure = true,
  [[Somebody deletes the line `__syncthreads();`. All else stays as it is, and the kernel is run.]],
  ask = "Are the {results} differences right?", results = commas(n - 1),
  options = { "all of them", "all but the first of each warp", "none" },
  answer = lucky.verdict == "right" and "all of them" or "all but the first of each warp",
  wrong = {
    ["all but the first of each warp"] = "That is what can happen, and it will in a minute. This time warp 0 wrote "
      .. "before warp 1 read.",
    ["none"] = "Inside a warp all lanes write before any of them reads, here.",
  },
  tips = { "Does anything force a wrong order? Does anything forbid it?" },
  because = "All of them. So was the line useless?",
}

show(lucky, { at = { kind = "fault" } })
explain {
  title = "Right, and broken",
  [[
  The answer is right, and yet a *race* is told. A thread reads a word that another one writes, and nothing says
  which is first.

  Such a report is not about what happened. It is about what may happen.
  ]],
}

predict {
  id = "dice", title = "Roll the dice",
  [[The same kernel, the same numbers. Only the order in which warps, and lanes of a warp, are run is another one each
  time.]],
  ask = "Of {orders} other orders, how many give a wrong answer?", orders = ORDERS, unit = "", answer = unlucky,
  wrong = { [0] = "The race is real.", [1] = "More.", [2] = "More.", [3] = "More.", [4] = "One more." },
  tips = { "How likely is it that every warp comes after the one on its left?" },
  because = "All of them. The first run was luck: it is a mistake that passes its test.",
}

local bad = wrong_ones(first_unlucky:output("result"), 1, difference)
local THREADS = first_unlucky.threads
show(first_unlucky, { at = { line = "s_data[tx - 1]", kind = "load", space = "shared", block = bad[1] // THREADS,
                             warp = bad[1] % THREADS // 32, nth = 2 }, focus = "banks", lane = 0 })
explain {
  title = "Where it went wrong",
  [[
  In one of these orders {count} results are wrong: number {a}, {b}, {c} and so on. Each is the first of a warp.

  Result {a} is {got}, not {want}: the neighbor's cell was still empty when it was read.
  ]],
  count = #bad, a = bad[1], b = bad[2], c = bad[3], got = first_unlucky:output("result")[bad[1]],
  want = difference(bad[1]),
}

show(shared, { at = WALL, focus = "barrier" })
say {
  title = "A gate that opens when the last one comes",
  [[
  `__syncthreads()` is a *barrier*: nobody of the block goes on before everybody has come. And what was written
  before it, all see
  behind it.

  The bars are the warps of the block. The first one is there, and waits.
  ]],
}

predict {
  id = "arrivals", title = "Count the arrivals",
  [[{blocks} blocks of {threads} threads pass this one barrier.]], blocks = shared.blocks, threads = shared.threads,
  ask = "How often does a warp arrive at a barrier, in all?", unit = "arrivals", answer = shared.counters.barriers,
  wrong = {
    [shared.blocks] = "So often the gate opens. Count who comes.",
    [shared.blocks * shared.threads] = "Warps come, not single threads.",
    [shared.warps] = "That is one block.",
  },
  tips = { "How many warps has a block?" },
  because = "{blocks} blocks of {warps} warps.", warps = shared.warps,
}

local function nth_arrival(nth)
  return { line = WALL.line, kind = "barrier", block = 0, nth = nth }
end

trace {
  id = "gate", title = "Be the gate",
  [[You are the gate of block 0. One warp after the other comes.]],
  run = shared, ask = "arrived", focus = "barrier",
  at = { nth_arrival(1), nth_arrival(4), nth_arrival(8) },
  question = "How many warps are there once this one has come?",
  wrong = { [1] = { [0] = "Count the one that comes." }, [2] = { [1] = "Those that came before still wait.",
    [3] = "Count the one that comes." }, [3] = { [0] = "They go on together, after the last one has "
    .. "come.", [7] = "Count the one that comes." } },
  tips = { "It is the first, then the fourth, then the last of {warps}." }, warps = shared.warps,
  because = "With the last warp the gate opens, and all go on.",
}

predict {
  id = "whom", title = "Whom does it hold?", kind = "choice",
  [[All warps of block 2 but one have come to its barrier.]],
  ask = "For which threads does it wait?", options = { "those of its own block", "all of the grid", "those of one "
    .. "warp" },
  answer = "those of its own block",
  wrong = {
    ["all of the grid"] = "Could it wait for a block that begins only when it has ended?",
    ["those of one warp"] = "That is `__syncwarp()`.",
  },
  tips = { "May a grid be larger than the machine?" },
  because = "Blocks know nothing of one another: later ones begin when earlier ones have ended.",
}

-- 3. two walls -----------------------------------------------------------------------

local reverse = measure { kernel = "divergent_barrier", params = { n = 64 } }
show(reverse, { at = "start" })
parsons {
  id = "reverse", title = "Reverse a block",
  [[The first n numbers of a block in reverse, by way of the table. Put the lines in order; one belongs nowhere.]],
  kernel = "divergent_barrier", from = "if (id < n)", to = "out[first + id] =",
  spare = { "  __syncwarp();" }, runs = { { n = 64 }, { n = 200, threads = 256, blocks = 2 } },
  others = {
    { "barrier first", [[
  __syncthreads();
  if (id < n)
    s[id] = in[first + id];
  out[first + id] = mirror >= 0 ? s[mirror] : 0;]],
      says = "It separates nothing: the write and the read are both behind it." },
    { "barrier last", [[
  if (id < n)
    s[id] = in[first + id];
  out[first + id] = mirror >= 0 ? s[mirror] : 0;
  __syncthreads();]], says = "Too late: the read has happened." },
    { "of the warp", [[
  if (id < n)
    s[id] = in[first + id];
  __syncwarp();
  out[first + id] = mirror >= 0 ? s[mirror] : 0;]], says = "Thread 0 reads what another warp wrote." },
  },
  tips = { "What must have happened before `s[mirror]` is read?" },
  because = "Write, wait, read.",
}

local shift = measure { kernel = "shift_in_place" }
local hurried = measure { kernel = "shift_in_place", form = "onebarrier", order = "whole" }   -- each until it waits
local stale = wrong_ones(hurried:output("out"), 0, function(i) return math.max(i - 1, 0) end)

explain {
  title = "Two kinds of too early",
  [[
  A reader comes before the writer: that was the first kind.

  A writer comes before the last reader of what stood there: that is the second. It takes a wall of its own.
  ]],
}

hide()
predict {
  id = "shift", title = "Shift by one, in place", kind = "choice",
  [[
  {threads} numbers in shared memory move one place to the right. After the table is filled comes a barrier, then:

      int left = s[t - 1];
      s[t] = left;
  ]],
  threads = hurried.threads,
  ask = "How many results are wrong?", options = { "none", "a few", "all but the first" },
  answer = #stale == 0 and "none" or #stale < 20 and "a few" or "all but the first",
  wrong = {
    ["none"] = "There is a barrier before the read. And between the reads and the writes?",
    ["all but the first"] = "Inside a warp all lanes read before they write, here.",
  },
  tips = { "Look at cell 31: who writes it anew, and who still wants the old number?" },
  because = "{count} in this order of warps: number {a}, {b} and so on, where one warp reads from another.",
  count = #stale, a = stale[1], b = stale[2],
  show = { run = hurried, at = { kind = "fault" } },
}

show(shift, { at = "start" })
make {
  id = "walls", title = "The fewest walls",
  [[Here is the shift without any barrier. Put in what is needed, and no more.]],
  kernel = "shift_in_place", from = "s[t] = in[t];", to = "out[t] = s[t];",
  goal = "The right answer in every order, with as few arrivals as can be.",
  starter = [[
  s[t] = in[t];
  int left = s[t > 0 ? t - 1 : 0];
  s[t] = left;
  out[t] = s[t];]],
  solution = [[
  s[t] = in[t];
  __syncthreads();
  int left = s[t > 0 ? t - 1 : 0];
  __syncthreads();
  s[t] = left;
  out[t] = s[t];]],
  others = {
    { "three", [[
  s[t] = in[t];
  __syncthreads();
  int left = s[t > 0 ? t - 1 : 0];
  __syncthreads();
  s[t] = left;
  __syncthreads();
  out[t] = s[t];]], says = "One too many: the last line reads the cell that this very thread wrote." },
    { "the second only", [[
  s[t] = in[t];
  int left = s[t > 0 ? t - 1 : 0];
  __syncthreads();
  s[t] = left;
  out[t] = s[t];]], says = "The neighbor may not have written yet." },
    { "first and third", [[
  s[t] = in[t];
  __syncthreads();
  int left = s[t > 0 ? t - 1 : 0];
  s[t] = left;
  __syncthreads();
  out[t] = s[t];]], says = "Somebody may overwrite what another still wants to read." },
  },
  runs = { { threads = 256 }, { threads = 96 } },
  judged = function(r)
    local most = 2 * r.warps
    if r.counters.barriers > most then
      return false, counted(r.counters.barriers, "arrival") .. ", and " .. most .. " would do"
    end
    return true
  end,
  tips = { "Which line reads what another thread wrote? Which writes what another one still reads?" },
  because = "One wall between write and read, one between read and the next write. Its own cell a thread may read "
    .. "at once.",
}

-- 4. who may come --------------------------------------------------------------------

local inside = measure { kernel = "divergent_barrier", form = "inside" }
local twice = measure { kernel = "divergent_barrier", form = "twice" }
local returned = measure { kernel = "divergent_barrier", form = "return" }
local even = measure { kernel = "divergent_barrier", form = "inside", params = { n = 64 } }

hide()
predict {
  id = "may", title = "May a barrier stand here?", kind = "several",
  [[Blocks of 64 threads.]],
  ask = "Where may `__syncthreads()` stand?",
  options = { "in `if (blockIdx.x == 0)`", "in `if (threadIdx.x < 40)`", "in a loop that all run equally often",
              "in `if (i < n)`, in the last block", "in `if (n > 0)`, n an argument" },
  answer = { "in `if (blockIdx.x == 0)`", "in a loop that all run equally often", "in `if (n > 0)`, n an argument" },
  wrong = {
    ["in `if (blockIdx.x == 0)`"] = "Never in an `if`? All threads of one block decide alike here.",
    ["in a loop that all run equally often"] = "All come to it in each round.",
    ["in `if (threadIdx.x < 40)`"] = "Threads 40 to 63 do not come.",
    ["in `if (i < n)`, in the last block"] = "The last block has threads beyond n.",
    ["in `if (n > 0)`, n an argument"] = "All threads have the same n.",
  },
  tips = { "Would all threads of one block decide alike?" },
  because = "Wherever the condition is the same for the whole block. All come, or none.",
}

show(inside, { at = { kind = "fault" } })
explain {
  title = "Some come, some do not",
  [[
  {threads} threads, and `if (id < {n})` around the barrier: part of warp 1 comes, part does not.

  On a GPU this may hang. Or, worse, it goes on, with an answer that is right or wrong. With n = {whole} nothing is
  wrong: {faults} faults.
  ]],
  threads = inside.threads, n = inside.parameters.n, whole = even.parameters.n, faults = #even.faults,
}

show(measure { kernel = "divergent_barrier", form = "twice", params = { n = 64 } }, { at = "start" })
predict {
  id = "two-gates", title = "One for each", kind = "choice",
  [[`if (id < n) { ...; __syncthreads(); } else { __syncthreads(); }`. Every thread comes to exactly one barrier.]],
  ask = "Is that allowed, with n = {n} and {threads} threads?", n = twice.parameters.n, threads = twice.threads,
  options = { "yes, all come to one", "no, these are two barriers", "yes, since Volta" },
  answer = #twice.faults > 0 and "no, these are two barriers" or "yes, all come to one",
  wrong = {
    ["yes, all come to one"] = "The two words in the text are two gates. Who stands at which?",
    ["yes, since Volta"] = "Since then each thread has a place of its own. The gates are still two.",
  },
  tips = { "Warp 1 has lanes in both arms." },
  because = "Two gates, and lanes of one warp at both. Put one barrier behind the `if`.",
  show = { run = twice, at = { kind = "fault" } },
}

show(returned, { at = "start" })
predict {
  id = "gone", title = "Gone before", kind = "choice",
  [[Threads with `id >= n` do `return` before the barrier. The others wait at it.]],
  ask = "What becomes of those who wait?",
  options = { "they wait forever", "they go on", "the launch fails" },
  answer = returned.verdict == "right" and "they go on" or "they wait forever",
  wrong = {
    ["they wait forever"] = "So it would be with an `if`. Threads that have ended are not waited for.",
    ["the launch fails"] = "The kernel runs to its end.",
  },
  because = "Who has ended is not waited for. But mind what those threads should have brought. Better guard the "
    .. "work, not the barrier.",
  show = { run = returned, at = "end" },
}

-- 5. how much, and where -------------------------------------------------------------

local static = measure { kernel = "shared_static_two" }
local SX = static:event { line = "sx[id] =", kind = "store", space = "shared" }.addresses[0]
local SU = static:event { line = "su[id] =", kind = "store", space = "shared" }.addresses[0]
show(static, { at = "start" })
predict {
  id = "static", title = "Of a known size",
  [[`__shared__ float sx[256];` and `__shared__ unsigned short su[256];`. The compiler knows both sizes.]],
  ask = "How many bytes of shared memory does a block take?", unit = "bytes", answer = 256 * 4 + 256 * 2,
  wrong = {
    [512] = "Those are elements, or the shorts alone.",
    [2048] = "A short has 2 bytes.",
    [1024] = "Those are the floats. And the shorts?",
  },
  tips = { "How long is a float, how long a short?" },
  because = "1,024 and 512. The compiler finds a place for each: their first elements are {apart} bytes apart.",
  apart = commas(math.abs(SU - SX)),
  show = { run = static, at = { line = "su[id] =", kind = "store", space = "shared" }, focus = "banks" },
}

local dynamic = measure { kernel = "adj_diff_dynamic" }
show(dynamic, { at = "start" })
predict {
  id = "bytes", title = "How much?",
  [[`extern __shared__ int s_data[];` has no size: the launch says it, as its third number. A block has {threads}
  threads, and each needs an int.]],
  threads = dynamic.threads,
  ask = "Which number is the third?", unit = "", answer = dynamic.threads * WORD,
  wrong = {
    [dynamic.threads] = "Those are elements. The launch counts in bytes.",
    [dynamic.blocks * dynamic.threads * WORD] = "Each block has its own.",
  },
  tips = { "What unit does `malloc` take?" },
  because = "Bytes: `<<<{blocks}, {threads}, {bytes}>>>`. With less, the last threads would write past the end.",
  blocks = dynamic.blocks, bytes = string.format("%d", dynamic.threads * WORD),
}

local two = measure { kernel = "shared_extern_alias", form = "overlapping" }
local x = two:output("x")
local kept = 0
for i = 0, 31 do
  kept = kept | (x[i] == 1 + i and 1 or 0) << i
end

show(two, { at = "start" })
predict {
  id = "alias", title = "Two arrays, one address", kind = "mask",
  [[Two extern arrays, `float sx[]` and `unsigned short su[]`. 32 threads fill sx, wait, then fill su.]],
  ask = "Which `sx[i]` are still what they were?", answer = kept,
  wrong = {
    [0xffffffff] = "Two names. How many addresses?",
    [0] = "A short is half as long.",
    [0x0000ffff] = "Those are the ones under su.",
  },
  tips = { "32 shorts are how many bytes? Where do they begin?" },
  because = "All extern arrays begin at one address: su lies on the first 16 floats. x[0] is now {garbage}, the "
    .. "bits of two shorts.",
  garbage = string.format("%.3g", x[0]),
  show = { run = two, at = "end" },
}

local star = measure { kernel = "shared_extern_alias", form = "pointer" }
explain {
  title = "So said the lectures",
  [[
  One says that only one extern array may be declared. Several may; they are the same bytes.

  Another says that `extern __shared__ float *data` is the same as `data[]`. It declares a pointer that nobody sets:
  {faults} faults, no
  result.

  So: one pool, and the kernel parts it.
  ]],
  faults = #star.faults,
}

local pool = measure { kernel = "shared_example" }
show(pool, { at = "start" })
predict {
  id = "pool", title = "A pool for three",
  [[Each of {threads} threads needs a float, an unsigned short and a char.]], threads = pool.threads,
  ask = "How many bytes of shared memory does the launch ask for?", unit = "bytes",
  answer = pool.threads * (4 + 2 + 1),
  wrong = {
    [pool.threads * 3] = "Three things, but of how many bytes?",
    [pool.threads * 8] = "A short has 2 bytes, a char 1.",
    [pool.threads * 4] = "That is the floats alone.",
  },
  tips = { "4 + 2 + 1 bytes for each thread." },
  because = "4 + 2 + 1 = 7 for each thread.",
}

modify {
  id = "part", title = "Part the pool",
  [[The shorts begin where the floats end. Complete the line.]],
  kernel = "shared_example", line = "unsigned short *su", blank = "  unsigned short *su = (unsigned short *)&____;",
  fill = "sx[blockDim.x]", accept = { "(sx[blockDim.x])", "*(sx + blockDim.x)" },
  runs = { {}, { threads = 33, m = 100 } },
  wrong = {
    ["sx[0]"] = "That is where the floats begin.",
    ["sx[4 * blockDim.x]"] = "The compiler multiplies by the size of a float. You did it once more.",
    ["sx[256]"] = "Right for 256 threads. And for 33?",
    ["sx[blockDim.x - 1]"] = "That is the last float.",
  },
  offered = { "sx[m]" },
  tips = { "How many floats are there? Which would be the next one?" },
  because = "The address of the float that is no longer there.",
}

local sizes, dying = { 32, 33, 64, 100, 102 }, {}
local options = {}
for i, size in ipairs(sizes) do
  options[i] = tostring(size)
  local r = measure { kernel = "shared_example", form = "shortest", params = { threads = size, m = 128 } }
  if #r.faults > 0 then dying[#dying + 1] = options[i] end
end
local odd = measure { kernel = "shared_example", form = "shortest", params = { threads = 33, m = 128 } }

show(measure { kernel = "shared_example", form = "shortest", params = { threads = 32, m = 128 } }, { at = "start" })
predict {
  id = "shortest", title = "Shortest first", kind = "several",
  [[Somebody turns the pool round: first the chars, then the shorts, then the floats. T threads, T of each.]],
  ask = "For which T does it fail?", options = options, answer = dying,
  wrong = {
    ["32"] = "3 x 32 = 96 is a multiple of 4.",
    ["33"] = "The shorts would begin at byte 33.",
    ["102"] = "The shorts begin at 102, that is well. And the floats?",
    ["100"] = "3 x 100 = 300: both are where they must be.",
  },
  tips = { "By what must the address of a short be divisible? Of a float?" },
  because = "Shorts begin at `T`, floats at `3 T`: T must be a multiple of 4. Longest type first, and it never fails.",
  show = { run = odd, at = { kind = "fault" } },
}

run { kernel = "shared_example", form = "shortest", params = { threads = 33, m = 128 }, at = "start" }
try {
  id = "aligned", title = "Your turn: find a size that works",
  [[The chars come first here. Change `threads`.]],
  goal = "More than 32 and fewer than 64 threads, and no fault.",
  params = { "threads" }, solution = { threads = 36 },
  tips = { "`3 T` must be a multiple of 4, and T of 2." },
  reached = function(r)
    local t = r.parameters.threads
    local fits = t > 32 and t < 64
    return fits and #r.faults == 0 and r.verdict == "right",
      fits and counted(#r.faults, "fault") or t .. (t > 32 and " is too many" or " is too few")
  end,
}

-- 6. a budget ------------------------------------------------------------------------

local HALF = 32 * 1024
local function sm(profile, bytes)
  return model { "occupancy", params = { profile = profile, threads = 256, registers = 16, shared = bytes } }
end

picture { "occupancy", params = { profile = "p100", threads = 256, registers = 16, shared = 16384 } }
predict {
  id = "budget", title = "A budget",
  [[A P100 has {all} KB of shared memory for each multiprocessor. A block of 256 threads wants {kb} KB.]],
  kb = HALF // 1024, all = 2 * HALF // 1024,
  ask = "How many blocks live on a multiprocessor at once?", unit = "blocks", answer = sm("p100", HALF).blocks,
  wrong = {
    [sm("p100", 0).blocks] = "So many the warps would allow. The smallest gauge rules.",
    [1] = "Twice {kb} is {all}.",
  },
  tips = { "{all} KB, {kb} each." },
  because = "{all} / {kb}: two, and nothing is left.",
}

picture { "occupancy", params = { profile = "p100", threads = 256, registers = 16, shared = HALF } }
predict {
  id = "one-kb", title = "One KB more",
  [[The block wants {kb} KB.]], kb = HALF // 1024 + 1,
  ask = "How many blocks now?", unit = "blocks", answer = sm("p100", HALF + 1024).blocks,
  wrong = { [sm("p100", HALF).blocks] = "Twice {kb} is more than there is.", [0] = "One still fits." },
  because = "One, and nearly half of the memory stays unused. A V100 holds {v} such blocks, an H200 {h}.",
  v = sm("v100", HALF + 1024).blocks, h = sm("h200", HALF + 1024).blocks,
}

explain {
  title = "What a block may have",
  [[
  Unless it is asked for, a block gets `48` KB at most, on every device. Who wants more asks first:
  `cudaFuncSetAttribute` with
  `cudaFuncAttributeMaxDynamicSharedMemorySize`, and an extern array.

  A book says that a launch fails above what the multiprocessor has. It fails sooner. And it means fewer blocks on a
  multiprocessor, not
  fewer kernels.
  ]],
}

-- 7. to keep -------------------------------------------------------------------------

hide()
predict {
  id = "cache", title = "Or leave it to the cache?", kind = "several",
  [[The L1 cache lies in the same chips as shared memory.]],
  ask = "Which of these can it do for you?",
  options = { "keep a word that two threads load soon after each other", "hand over a sum from thread to thread",
              "promise that a word stays", "one table for all lanes, read only" },
  answer = { "keep a word that two threads load soon after each other", "one table for all lanes, read only" },
  wrong = {
    ["keep a word that two threads load soon after each other"] = "The first load brings it, the second finds "
      .. "it there.",
    ["one table for all lanes, read only"] = "What nobody writes, a cache can keep without any care.",
    ["hand over a sum from thread to thread"] = "Nothing says when it would be there. You need a place and a barrier.",
    ["promise that a word stays"] = "The hardware throws out what it likes.",
  },
  tips = { "Who decides what stays?" },
  because = "Reading again, near in time: the cache does it. Exchange, and what must stay: shared memory.",
}

rubric {
  id = "why-shared", title = "Why shared memory?",
  ask = "There is an L1 cache. Why use shared memory, and when is the cache enough?",
  model = [[The program says what stays in shared memory; the hardware decides in L1. Threads exchange results through
it, with barriers. Any 32 words of different banks come in one turn; L1 works by sectors. For read-only words used
again
soon, by neighbors, L1 is enough; for transposes, sums and scratch it is not.]],
  points = { "who decides what stays", "threads exchange results, with barriers", "words in banks against sectors",
             "a case where L1 is enough", "a case where it is not" },
}

check { draw = 5 }

recite {
  title = "From memory", ask = "What are the rules of the table in the middle? One line each.",
  [[
  - One for each block; without values at first, gone at the end.
  - A wall between write and read.
  - A wall between read and the next write.
  - Everybody of the block comes, or nobody.
  - Bytes, said at the launch; longest type first.
  - What a block takes, other blocks cannot have.
  ]],
}

finish {
  title = "Shared memory: what to keep",
  [[
  You may read what your neighbor wrote behind a barrier that everybody comes to, and before anybody writes there
  again.

  Next: the banks of that memory, and who has to queue.
  ]],
  next = "L11",
}
