-- L01: one lit lane, then a warp: who runs the body of a kernel, and how many times.

local PANGRAM = "thequickbrownfoxjumpsoverthelazydog"
local MULTIPROCESSORS = 132     -- of the H200 whose profile all runs here have
local LANES = 32                -- of a warp

local SERIAL_LOAD = { line = "int letter = m[i]", kind = "load" }
local ID = { line = "int id =" }
local GUARD = { line = "if (id < m_len)", kind = "branch" }
local LOAD = { line = "int letter = m[id]", kind = "load" }

-- A buffer of letters as a word.
local function word(buffer)
  local letters = {}
  for i = 0, #buffer - 1 do
    letters[#letters + 1] = string.char(buffer[i])
  end
  return table.concat(letters)
end

local function encrypt(message, form)
  return measure { kernel = "encrypt_parallel", form = form, params = { message = message } }
end

local serial = measure { kernel = "encrypt_serial" }
local crowd = measure { kernel = "encrypt_serial", form = "crowd" }
local parallel = encrypt("helloworld")

local PLAIN, CIPHER = serial.parameters.message, word(serial:output("m"))
local SHIFT = serial.parameters.shift

-- 1. hello ------------------------------------------------------------------------

hide()
say {
  title = "Hello",
  [[
  Welcome. In half an hour you watch your first kernel, meet the mistake that everybody makes first, and write a
  kernel that works.

  You need C: loops, arrays, pointers. You need no GPU. A model of one runs in here, as slowly as you like.

  Enter goes on, Backspace goes back; beside a kernel `?` lists all keys. You cannot break anything.
  ]],
}

local Y, WRAPPED = ("y"):byte() - ("a"):byte(), string.char((("y"):byte() - 97 + SHIFT) % 26 + 97)

predict {
  id = "caesar", kind = "text",
  title = "First, some C",
  [[Our program is the cipher of Caesar: every letter moves on by {shift} places, and behind z comes a again.]],
  ask = "Which letter is `('y' - 'a' + 3) % 26 + 'a'`?",
  answer = WRAPPED,
  wrong = {
    [string.char(("y"):byte() + SHIFT)] = "That is y and {shift} more, without the remainder. There are only 26 "
      .. "letters.",
    [string.char(WRAPPED:byte() + 1)] = "Count from zero: `'a' - 'a'` is 0, so a is letter 0.",
    [string.char(WRAPPED:byte() - 1)] = "Letter 0 is a. What is {sum} % 26?",
  },
  tips = { "`'y' - 'a'` is {place}.", "{place} + {shift} is {sum}. Divide by 26; what is left?" },
  because = "{place} + {shift} = {sum}, and {sum} % 26 = {left}: the letter behind a.",
  place = Y, shift = SHIFT, sum = Y + SHIFT, left = (Y + SHIFT) % 26,
}

-- 2. one thread ---------------------------------------------------------------------

show(serial, { at = "start" })
explain {
  title = "Your first kernel",
  [[
  This function runs on the GPU. It is C, but for one word: `__global__` makes it a *kernel*, a function that the CPU
  starts and the GPU runs. Read past `extern "C"` and `#pragma`.

  It turns `{plain}` into `{cipher}`. Press Space and watch it work; Space again stops it, and the arrows go step by
  step. Enter goes on whenever you like.
  ]],
  plain = PLAIN, cipher = CIPHER,
}

show(serial, { at = SERIAL_LOAD, focus = "geometry" })
explain {
  title = "One lit lane",
  [[
  It was started with one *thread*, one worker. Look at `w0`: one *lane* is lit, {dark} stay dark.

  A GPU never runs a single thread. It always runs a *warp*, {lanes} lanes in step. And this GPU could run thousands
  of warps, on {sms} multiprocessors. You see all that it does.
  ]],
  dark = LANES - serial:event(SERIAL_LOAD).lanes, lanes = LANES, sms = MULTIPROCESSORS,
}

show(serial, { at = SERIAL_LOAD, focus = "segments" })
predict {
  id = "serial-loads",
  title = "Letter by letter",
  [[The thread loads a letter, shifts it, stores it, and goes on, until all {letters} letters of `{plain}` are done.]],
  letters = #PLAIN, plain = PLAIN,
  ask = "How many loads of letters does the warp execute in all?",
  answer = serial.counters.global_load_requests, unit = "loads",
  wrong = {
    [1] = "That is the one that you see. The loop comes back for every letter.",
    [LANES] = "Only one lane is alive, and it walks over {letters} letters.",
    [2 * #PLAIN] = "Half of these are stores. How many load?",
  },
  tips = { "How often does the loop run?" },
  because = "One for each pass of the loop: {answer}.",
}

try {
  id = "longer-word",
  title = "Your turn",
  [[
  A kernel runs with whatever it is given. Press `p`: `message` is the word, `shift` how far the letters move. Left
  and right change what is marked, and the kernel runs again at once.
  ]],
  goal = "Make the thread load 26 letters.",
  params = { "message" }, solution = { message = "abcdefghijklmnopqrstuvwxyz" },
  tips = { "A letter is a load. Which word has 26 letters?" },
  reached = function(r)
    local loads = r.counters.global_load_requests
    return loads == 26, string.format("%s: %d loads", r.parameters.message, loads)
  end,
}

-- 3. the first wrong idea ------------------------------------------------------------

local FEW = cdiv(serial.counters.warp_instructions, LANES)

show(serial, { at = SERIAL_LOAD, focus = "segments" })
predict {
  id = "more-hands", sure = true,
  title = "Many hands",
  [[
  The kernel took {serial} instructions. Many hands make light work: we start it again with {lanes} threads, a whole
  warp. Nothing else changes.
  ]],
  serial = serial.counters.warp_instructions, lanes = LANES,
  ask = "How many instructions does the warp execute now?",
  options = { FEW, crowd.counters.warp_instructions, crowd.counters.thread_instructions },
  answer = crowd.counters.warp_instructions,
  wrong = {
    [FEW] = "Who told the {lanes} to share? Each of them runs the whole body, loop and all.",
    [crowd.counters.thread_instructions] = "That is the work of the threads, {serial} x {lanes}. A warp does one "
      .. "instruction for all its threads at once.",
  },
  tips = { "With which `i` does each thread begin?" },
  because = "Every thread starts its own loop at `i = 0`. The warp executes the same {answer}, for {lanes} threads "
    .. "at once.",
  show = { run = crowd, at = SERIAL_LOAD, focus = "segments" },
}

explain {
  title = "Clerks with one page",
  [[
  All {lanes} lanes are lit, and all want the same letter: the same `i`, the same address. {lanes} clerks copy the
  same page.

  By threads it is {all} instructions now, and not one letter sooner. Worse: the line at the top says that something
  is wrong. `!` shows it, Esc closes it.
  ]],
  lanes = LANES, all = crowd.counters.thread_instructions,
}

-- The same launch with lanes in other orders.
local function crowded(seed)
  return measure { kernel = "encrypt_serial", form = "crowd", cut = "compiled", seed = seed }
end

local outcomes = {}
for seed = 0, 3 do
  local result = word(crowded(seed):output("m"))
  outcomes[#outcomes + 1] = string.format("    order %d   %s", seed, result)
end

explain {
  title = "Right by luck",
  "The threads share one word and trip over each other: one shifts a letter that another has shifted already. The same "
    .. "launch, with the lanes in other orders:\n\n" .. table.concat(outcomes, "\n")
    .. "\n\nThat is a *race*: several threads, one place, one of them writes, nobody decides who comes first.",
}

-- 4. the right idea -----------------------------------------------------------------

show(parallel, { at = ID, margin = "sectors per request" })
say {
  title = "Give up the loop",
  [[
  No pass of the loop needs another one. So cut it up, and give every thread one pass. `for (int i = 0; i < n; i++)`
  becomes

    int id = blockIdx.x * blockDim.x
           + threadIdx.x;

  All threads run the same body. Each asks first: *who am I?* Reading a kernel, imagine the loop around it.
  ]],
}

predict {
  id = "who-am-i", kind = "line",
  title = "One of these lines",
  [[All threads of the launch execute this text, from top to bottom.]],
  ask = "Which line gives every thread a letter of its own?",
  answer = "int id =",
  wrong = {
    ["if (id < m_len)"] = "This one sends threads home. Which line makes them differ?",
    ["int letter = m[id]"] = "Here `id` is different already. Since when?",
    ["m[id] = (letter"] = "Here `id` is different already. Since when?",
  },
  tips = { "Look for the only thing that is not the same for all." },
  because = "`threadIdx.x` is the thread's place in its block, `blockIdx.x` its block, `blockDim.x` how many "
    .. "threads a block has.",
}

predict {
  id = "parallel-loads",
  title = "A letter each",
  [[{lanes} threads again, `<<<1, 32>>>`: one *block* with a warp of threads. The word has {letters} letters, and a
  thread takes one.]],
  lanes = LANES, letters = #PLAIN,
  ask = "How many loads of letters does the warp execute now?",
  answer = parallel.counters.global_load_requests, unit = "loads",
  wrong = {
    [#PLAIN] = "That many *lanes* load, and all of them in the same instruction.",
    [LANES] = "An instruction counts once for its warp, however many lanes take part.",
  },
  tips = { "One instruction, many lanes." },
  because = "One. Each lane with a letter gets its own, all at the same time.",
}

predict {
  id = "guard", kind = "mask",
  title = "Who has a letter?",
  [[{lanes} threads, {letters} letters: `m_len` is {letters}. The `if` is a *guard*. Who has no letter must not touch
  memory.]],
  lanes = LANES, letters = #PLAIN,
  ask = "Which lanes go on behind `if (id < m_len)`?",
  answer = parallel:event(LOAD).mask,
  wrong = {
    [0xffffffff] = "The block has {lanes} threads, the word only {letters} letters.",
    [(1 << #PLAIN + 1) - 1] = "`id < {letters}`: is {letters} below {letters}?",
    [(1 << #PLAIN + 1) - 2] = "Threads are counted from 0, like arrays.",
  },
  tips = { "The first lane is lane 0.", "Lanes 0 up to which one?" },
  because = "Lanes {lanes_of}. The others have nothing to do, and wait.",
  lanes_of = lanes_of(parallel:event(LOAD).mask),
  show = { run = parallel, at = LOAD, focus = "segments" },
}

local function row(what, run)
  return string.format("  %-22s %5d", what, run.counters.warp_instructions)
end

explain {
  title = "{before} becomes {after}",
  "One load fetches the whole word. Instructions of the warp:\n\n" .. table.concat({
    row("one thread, a loop", serial), row("a warp, a loop", crowd), row("a letter each", parallel) }, "\n")
    .. "\n\nMore threads do not share out work. *The index does.* One instruction for many threads: this is "
    .. "called SIMT, single instruction, multiple threads.",
  before = serial.counters.warp_instructions, after = parallel.counters.warp_instructions,
}

local alphabet = encrypt("abcdefghijklmnopqrstuvwxyz")

trace {
  id = "be-the-warp",
  title = "Be the warp",
  [[Now the word is the alphabet, {letters} letters. You are the warp of this block. Say for each step which lanes
  work.]],
  letters = #alphabet.parameters.message,
  run = alphabet, at = { ID, GUARD, LOAD, { line = alphabet:where("  }") + 1 } }, ask = "mask",
  wrong = {
    [3] = { [0xffffffff] = "The guard has been: lanes without a letter went to the end." },
    [4] = { [alphabet:event(LOAD).mask] = "The others went there first, and waited: here all meet again." },
  },
  tips = { "Before the guard nobody has left.", "Behind it only threads with a letter go on." },
}

-- 5. the host -----------------------------------------------------------------------

hide()
say {
  title = "Two computers in one",
  [[
  Who brings the word to the GPU? The CPU with its memory is the *host*, the GPU with its own is the *device*. Neither
  looks into the other's memory. A program copies:

    host             device
    {plain}  -->  m
                     kernel runs
    {cipher}  <--  m
  ]],
  plain = PLAIN, cipher = CIPHER,
}

predict {
  id = "five-steps", kind = "order",
  title = "Five steps of the host",
  [[`word` is the host's array; `d` points to memory of the device.]],
  ask = "Put the host's lines in order. One does not belong there.",
  lines = {
    "cudaMalloc: memory for d",
    "cudaMemcpy: word to d",
    "encrypt<<<1, 32>>>(d, n, 3)",
    "cudaMemcpy: d to word",
    "cudaFree: give d back",
  },
  spare = { "encrypt(d, n, 3)" },
  wrong = {
    ["cudaMemcpy: word to d"] = "The word needs memory to go to, and must be there before the kernel.",
    ["cudaMemcpy: d to word"] = "Fetch the result when there is one, and while d exists.",
    ["encrypt(d, n, 3)"] = "A kernel is not called. `<<<blocks, threads>>>` launches it; nvcc refuses the plain call.",
  },
  tips = { "Data needs a place before it can travel." },
  because = "Memory, in, launch, out, free: nearly every CUDA program has these five. The host does not wait for a "
    .. "launch; it goes on at once, and the copy back waits.",
}

local forgotten = measure { kernel = "encrypt_host", form = "no-copy-back" }

predict {
  id = "no-copy-back",
  title = "The forgotten way back",
  [[A program copies `{plain}` to the device, launches, and prints `word`. It never copies back.]],
  plain = PLAIN,
  ask = "What does it print?",
  options = { CIPHER, PLAIN, "random bytes" },
  answer = word(forgotten:result("printed")),
  wrong = {
    [CIPHER] = "The kernel changed what `d` points to. `word` is somewhere else.",
    ["random bytes"] = "Nobody damaged `word`. Nobody touched it at all.",
  },
  tips = { "Two memories. Which of them did the kernel write to?" },
  because = "`{answer}`. The host's bytes are as they were. No error, no warning: just not encrypted.",
}

predict {
  id = "three-arguments",
  title = "A line of a lecture",
  [[Four lines of a host program. One of them, straight from a lecture, does not compile.]],
  ask = "Which one?",
  options = { "cudaMalloc(&d, n)", "cudaMemcpy(d, n, cudaMemcpyHostToDevice)", "encrypt<<<1, 32>>>(d, n, 3)",
    "cudaFree(d)" },
  answer = "cudaMemcpy(d, n, cudaMemcpyHostToDevice)",
  wrong = {
    ["cudaMalloc(&d, n)"] = "The `&` is right: it must change the pointer.",
    ["encrypt<<<1, 32>>>(d, n, 3)"] = "Three angle brackets are right: blocks, then threads of a block.",
    ["cudaFree(d)"] = "It needs no size: who gave the memory knows it.",
  },
  tips = { "A copy has to know four things." },
  because = "To, *from*, bytes, direction: the source is missing. Old examples also include `cutil.h`: it left the "
    .. "toolkit in 2012.",
}

-- 6. several blocks -------------------------------------------------------------------

local one_block = encrypt(PANGRAM, "one-block")
local tail = PANGRAM:sub(-4)

predict {
  id = "one-block",
  title = "A longer word",
  [[`{word}` has {letters} letters. Somebody launches `<<<1, 32>>>` as before, and the guard tests against {letters}.]],
  word = PANGRAM, letters = #PANGRAM,
  ask = "How does the result end?",
  options = { word(encrypt(PANGRAM):output("m")):sub(-4), word(one_block:output("m")):sub(-4),
    "nowhere: the program stops" },
  answer = word(one_block:output("m")):sub(-4),
  wrong = {
    [word(encrypt(PANGRAM):output("m")):sub(-4)] = "That is the right cipher. Which thread has `id` {last}?",
    ["nowhere: the program stops"] = "Nobody does anything forbidden. Somebody does nothing.",
  },
  last = #PANGRAM - 1,
  tips = { "The last thread is {top}. Which letters have no thread?" }, top = LANES - 1,
  because = "`{tail}` of the plain text is `{answer}` now: {lost} letters have no thread. Too few threads is a "
    .. "wrong answer without a word.",
  tail = tail, lost = #PANGRAM - LANES,
  show = { run = one_block, at = "end" },
}

local forgot = encrypt(PANGRAM, "no-block")
local moved = (forgot:output("m")[0] - PANGRAM:byte(1)) % 26

hide()
predict {
  id = "forgot-block",
  title = "Two blocks",
  [[
  A block has at most 1,024 threads, so big launches have many: `<<<2, 32>>>` are two blocks of 32. Here somebody
  wrote `int id = threadIdx.x;` and forgot the block.
  ]],
  ask = "By how many places is the first letter moved?",
  answer = moved, unit = "places",
  wrong = {
    [SHIFT] = "Block 1 has a thread 0, too. Which letter does it take?",
    [0] = "Both blocks have a thread 0, and it works on letter 0.",
  },
  tips = { "`threadIdx` starts from 0 in every block." },
  because = "Both blocks shift letters 0 to 31, so they move {shift} places twice. And the last {lost} letters are "
    .. "nobody's.",
  shift = SHIFT, lost = #PANGRAM - LANES,
  show = { run = forgot, at = { line = "m[id] = (letter", kind = "store", block = 1 }, focus = "segments" },
}

modify {
  id = "index",
  title = "Who am I?",
  [[Block 0 has letters 0 to 31, block 1 goes on with letter 32, and so on. Blocks have `blockDim.x` threads.]],
  goal = "Give every letter exactly one thread, with any number of blocks.",
  kernel = "encrypt_parallel", line = "int id =",
  blank = "int id = ____ ;", fill = "blockIdx.x * blockDim.x + threadIdx.x",
  accept = { "threadIdx.x + blockIdx.x * blockDim.x", "threadIdx.x + blockDim.x * blockIdx.x",
    "blockDim.x * blockIdx.x + threadIdx.x" },
  runs = { { message = PLAIN }, { message = PANGRAM } },
  wrong = {
    ["threadIdx.x"] = "That is the place in the block. Every block would begin with letter 0.",
    ["blockIdx.x + threadIdx.x"] = "Block 1 would begin with letter 1. How many letters does block 0 have?",
    ["blockIdx.x * threadIdx.x"] = "In block 0 that is 0 for every thread.",
    ["blockIdx.x"] = "That is the same for all threads of a block.",
  },
  tips = { "Where does block 1 begin? Where block 2?", "The block's first letter, and then the place in the block." },
  because = "How many threads are in front of my block, and then my place in it.",
}

-- 7. how many blocks --------------------------------------------------------------------

modify {
  id = "blocks",
  title = "How many blocks?",
  [[Blocks have 32 threads, and there are `n` elements. This kernel works it out for many n at once: mend the one
  line that matters.]],
  goal = "Enough blocks for n elements, and none without work.",
  kernel = "grid_size", line = "int blocks =",
  blank = "int blocks = ____ ;", fill = "(n + 31) / 32",
  accept = { "(n - 1) / 32 + 1", "(n + 32 - 1) / 32" },
  runs = { {} },
  wrong = {
    ["n / 32"] = "Integers round down: no block at all for a few elements.",
    ["n / 32 + 1"] = "The lecture's way. For 32 elements it starts two blocks, and the second has nothing to do.",
    ["ceilf(n / 32)"] = "Too late: `n / 32` is done in integers before the rounding.",
    ["n / 31"] = "Try n = 32, and n = 62.",
  },
  tips = { "What must you add so that 1 to 32 give 1?" },
  because = "Add one less than the divisor, then divide. You will write this line in every program.",
}

local size_forms = {
  measure { kernel = "grid_size" }, measure { kernel = "grid_size", form = "lecture" },
  measure { kernel = "grid_size", form = "floor" },
}

local function sizes()
  local length, lines = size_forms[1]:output("length"), {}
  local wanted = { [10] = true, [32] = true, [35] = true, [64] = true, [1000] = true }
  for i = 0, #length - 1 do
    if wanted[length[i]] then
      local out = { length[i] }
      for _, run in ipairs(size_forms) do
        out[#out + 1] = run:output("grid")[i]
      end
      lines[#lines + 1] = string.format("  %5d %10d %7d %5d", table.unpack(out))
    end
  end
  return table.concat(lines, "\n")
end

hide()
explain {
  title = "Too many is waste, too few is wrong",
  "Blocks, as the kernel counted them:\n\n      n  `(n+31)/32  n/32+1  n/32`\n" .. sizes()
    .. "\n\nThe lecture's rule in the middle is never too small; it has an idle block whenever 32 divides n. The "
    .. "last one loses elements, and nobody says so.",
}

run { kernel = "encrypt_parallel", params = { message = "helloworld", grid = "lecture" }, at = "start" }
try {
  id = "idle-block",
  title = "A block with nothing to do",
  [[Press `p`: `message` is the word, and `grid` the rule. `rounded` rounds up, `lecture` is `n / 32 + 1`.]],
  goal = "Start a block that stores no letter.",
  params = { "message", "grid" },
  solution = { message = "thequickbrownfoxjumpsoverthelazy", grid = "lecture" },
  tips = { "For which lengths are the two rules different?", "A word of 32 letters." },
  reached = function(r)
    local idle = r.blocks == 2 and r:count { kind = "store", block = 1 } == 0
    return idle, string.format("%d letters, %s", #r.parameters.message, counted(r.blocks, "block"))
  end,
}

-- 8. words and commas ---------------------------------------------------------------------

hide()
predict {
  id = "qualifiers", kind = "several",
  title = "Three words in front",
  [[
  - `__global__`: the host launches it, the device runs it
  - `__device__`: device code calls it
  - `__host__`: as ever; nobody writes it alone
  ]],
  ask = "Which are true?",
  options = {
    "a kernel may call a __device__ function", "a kernel may return an int",
    "__host__ __device__ makes two versions", "a kernel may read through a host pointer",
  },
  answer = { "a kernel may call a __device__ function", "__host__ __device__ makes two versions" },
  wrong = {
    ["a kernel may return an int"] = "To whom? Thousands of threads run it. A kernel returns void; results go to "
      .. "memory.",
    ["a kernel may read through a host pointer"] = "Reading or writing, it is the other memory. (*Unified memory* "
      .. "is a later story.)",
    ["a kernel may call a __device__ function"] = "That is what `__device__` is for.",
    ["__host__ __device__ makes two versions"] = "The compiler makes one for each side.",
  },
  because = "Kernels return nothing, and see the device's memory only.",
}

local commas = measure { kernel = "vec_add", form = "commas" }
local N, BLOCK = commas.parameters.n, commas.parameters.threads

predict {
  id = "commas",
  title = "As printed",
  [[
  A `dim3` is a size in x, y and z; what is left out is 1. From a lecture, for `n` = {n}, brackets mended:

    dim3 DimGrid  = (ceil(n/256), 1, 1);
    dim3 DimBlock = (256, 1, 1);

  ]],
  n = N,
  ask = "How many threads does `<<<DimGrid, DimBlock>>>` start?",
  answer = commas.blocks * commas.threads, unit = "threads",
  wrong = {
    [cdiv(N, BLOCK) * BLOCK] = "That was meant. `dim3 DimBlock(256, 1, 1)` would say it.",
    [N // BLOCK * BLOCK] = "You saw that integers round down. Now look at `= ( , , )`.",
    [BLOCK] = "The block's line has the same commas as the grid's.",
    [N] = "Threads come in whole blocks. But look at the commas first.",
  },
  tips = { "In C, what is the value of `(256, 1, 1)`?", "A comma gives its last value." },
  because = "`(256, 1, 1)` is 1, and a `dim3` of 1 is 1 x 1 x 1. So one of {n} elements is computed; the compiler only "
    .. "warns.",
}

local floor = measure { kernel = "vec_add", form = "floor" }

predict {
  id = "ceil-too-late",
  title = "Commas mended",
  [[Now `dim3 DimGrid(ceil(n/256), 1, 1)`, blocks of {block} threads, and `n` = {n}.]],
  n = N, block = BLOCK,
  ask = "How many of the {n} elements are never computed?",
  answer = N - floor.counters.global_store_bytes // 4, unit = "elements",
  wrong = {
    [0] = "`ceil` comes too late. What is `n/256` for integers?",
    [N // BLOCK * BLOCK] = "That many are computed. How many are left?",
    [cdiv(N, BLOCK) * BLOCK - N] = "These are the idle threads of a grid that was rounded up. This one was not.",
  },
  tips = { "`n/256` is an integer: {blocks}.", "{blocks} x {block} threads." },
  blocks = N // BLOCK,
  because = "`n/256` is {blocks} before `ceil` sees it: {threads} threads, {answer} elements short.",
  threads = N // BLOCK * BLOCK,
}

-- 9. your kernel -----------------------------------------------------------------------

make {
  id = "decrypt",
  title = "Back to plain text",
  [[Undo the cipher: a thread for each letter, in blocks of 32. Careful: in C, the remainder of a negative number is
  negative.]],
  goal = "Get the pangram back, with no fault.",
  kernel = "decrypt", from = "int id =", to = "  }",
  starter = [[
  // who am I? have I a letter?
  int letter = m[0] - 'a';
  m[0] = letter + 'a';]],
  solution = [[
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id < m_len) {
    int letter = m[id] - 'a';
    m[id] = (letter + 26 - shift) % 26 + 'a';
  }]],
  others = {
    { "minus for plus", [[
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id < m_len) {
    int letter = m[id] - 'a';
    m[id] = (letter - shift) % 26 + 'a';
  }]],
      says = "`(0 - 3) % 26` is -3 in C: a, b and c fall out of the alphabet. Add 26 first." },
    { "no block", [[
  int id = threadIdx.x;
  if (id < m_len) {
    int letter = m[id] - 'a';
    m[id] = (letter + 26 - shift) % 26 + 'a';
  }]],
      says = "Both blocks work on the first letters, and the last ones have nobody." },
    { "no guard", [[
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  {
    int letter = m[id] - 'a';
    m[id] = (letter + 26 - shift) % 26 + 'a';
  }]],
      says = "Thread 3 of block 1 has no letter, and reads behind the word." },
  },
  runs = { { message = PANGRAM }, { message = "abcdefghijklmnopqrstuvwxyz" } },
  tips = { "The first two lines are those of the cipher.", "`letter - shift` may be negative. `letter + 26 - shift` "
    .. "is not." },
}

-- 10. in your words ------------------------------------------------------------------------

rubric {
  id = "say-it",
  title = "Say it",
  ask = "A friend knows C. Tell in three sentences what `encrypt<<<4, 256>>>(d, n, 3)` does.",
  model = [[
  It starts 4 blocks of 256 threads, and every thread runs the body once. A thread finds its own letter from its
  block's number and its own. There are {all} threads and n letters, so a guard keeps the rest out. `d` is memory of
  the device. The host goes on at once.
  ]],
  points = {
    "4 blocks of 256: the body runs {all} times",
    "a thread finds its element by its number",
    "a guard: {all} is rarely n",
    "d is memory of the device",
    "the host does not wait",
  },
  all = "1,024",
}

recite {
  id = "rules",
  title = "The rules",
  ask = "What do you keep of this lesson? A line each.",
  [[
  - The body of a kernel runs once for every thread.
  - The index shares out the work, not the number of threads.
  - Round the blocks up, and guard the rest.
  - Two memories: copy in, launch, copy out.
  - A warp is 32 lanes and one instruction.
  ]],
}

check { draw = 5 }

finish {
  title = "Hello, GPU: what to keep",
  [[
  - The body runs once for every thread.
  - `blockIdx.x * blockDim.x + threadIdx.x`: who am I?
  - `(n + T - 1) / T` blocks, and a guard.
  - Two memories: in, launch, out.

  In the next lesson the index gets more work, and two more dimensions.
  ]],
  next = "L02",
}
