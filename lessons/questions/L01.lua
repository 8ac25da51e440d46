-- Questions drawn for L01, Hello, GPU.

local WORDS = { "helloworld", "abcdefghijklmnopqrstuvwxyz", "thequickbrownfoxjumpsoverthelazy",
  "thequickbrownfoxjumpsoverthelazydog" }

-- n elements and T threads a block that do not come out even.
local function uneven(d)
  local T = d.pick { 64, 128, 192, 256, 512 }
  local blocks = d.integer(2, 24)
  return blocks * T + d.integer(1, T - 1), T
end

-- ---- how many blocks -----------------------------------------------------------------------------------------------

local function blocks_for(d)
  local n, T = uneven(d)
  return {
    [[{n} elements, one thread for each, {T} threads in a block.]], n = n, T = T, down = n // T, lost = n % T,
    ask = "How many blocks does the launch need?", answer = cdiv(n, T), unit = "blocks",
    wrong = {
      [n // T] = "{down} x {T} leaves {lost} elements without a thread.",
      [n] = "Those are the threads. A block has {T} of them.",
    },
    tips = { "Divide, and look at what is left." },
    because = "({n} + {T} - 1) / {T} = {answer}.",
  }
end

local function idle_threads(d)
  local n, T = uneven(d)
  return {
    [[A launch for {n} elements has as few blocks of {T} threads as will do.]], n = n, T = T,
    blocks = cdiv(n, T), all = cdiv(n, T) * T,
    ask = "How many threads have nothing to do?", answer = cdiv(n, T) * T - n, unit = "threads",
    wrong = {
      [n % T] = "So many threads of the last block have work.",
      [0] = "{T} does not divide {n}.",
    },
    tips = { "How many blocks, and so how many threads?" },
    because = "{blocks} blocks are {all} threads: {answer} more than {n}.",
  }
end

local function lost_elements(d)
  local n, T = uneven(d)
  return {
    [[Somebody starts `n / T` blocks, in C, with n = {n} and T = {T}.]], n = n, T = T, blocks = n // T,
    ask = "How many elements are never computed?", answer = n % T, unit = "elements",
    wrong = {
      [0] = "Integers round down: {blocks} blocks.",
      [cdiv(n, T) * T - n] = "That would be idle threads, if the blocks were rounded up.",
    },
    tips = { "`n / T` is {blocks}." },
    because = "{blocks} x {T} threads; what is left over is n % T = {answer}.",
  }
end

local function most_elements(d)
  local T, blocks = d.pick { 64, 128, 256 }, d.integer(3, 30)
  return {
    [[A kernel with a thread for each element is launched as `<<<{blocks}, {T}>>>`.]], T = T, blocks = blocks,
    ask = "What is the largest n that it can do?", answer = T * blocks, unit = "elements",
    wrong = {
      [T] = "Each of the {blocks} blocks has {T} threads.",
      [T * blocks - 1] = "That is the last index. Elements are counted from 0.",
      [T + blocks] = "Every block has all {T} threads.",
    },
    tips = { "How many threads are there in all?" },
    because = "{blocks} x {T} threads.",
  }
end

-- ---- lanes behind the guard ----------------------------------------------------------------------------------------

local LOAD = "float a = A_d[i]"

-- A vector sum whose last warp with work is not full; the warp, and its block.
local function with_tail(d)
  local n = 32 * d.integer(1, 9) + d.integer(1, 31)
  local r = measure { kernel = "vec_add", params = { n = n, threads = 64 } }
  local block, warp = (n - 1) // 64, (n - 1) % 64 // 32
  return n, r:event { line = LOAD, block = block, warp = warp }, block, warp, r
end

local function mask_of_tail(d)
  local n, load, block, warp = with_tail(d)
  local first = 64 * block + 32 * warp
  return {
    [[`if (i < n)` with n = {n}. A warp has elements {first} to {last}.]], n = n, first = first, last = first + 31,
    ask = "Which of its lanes go on behind the guard?", kind = "mask", answer = load.mask,
    wrong = {
      [0xffffffff] = "Not all of these elements are below {n}.",
      [(1 << load.lanes + 1) - 1] = "Is element {n} below {n}?",
      [~load.mask & 0xffffffff] = "These are the ones that wait.",
    },
    tips = { "Which elements from {first} on are below {n}?" },
    because = "{lanes} elements are left: lanes from 0 on.", lanes = load.lanes,
  }
end

local function lanes_of_tail(d)
  local n, load = with_tail(d)
  return {
    [[A vector of {n} elements, a thread for each, whole warps.]], n = n, full = n // 32, dark = 32 - load.lanes,
    ask = "How many lanes of the last warp with work pass the guard?", answer = load.lanes, unit = "lanes",
    wrong = {
      [32 - load.lanes] = "Those have nothing to do.",
      [32] = "{n} is no multiple of 32.",
    },
    tips = { "{full} warps are full. What is left?" },
    because = "{n} % 32 = {answer}; the other {dark} wait.",
  }
end

local function last_thread(d)
  local n, T = uneven(d)
  return {
    [[{n} elements, a thread for each, blocks of {T} threads.]], n = n, T = T, last = n - 1, block = (n - 1) // T,
    ask = "Which thread of its block has the last element?", answer = (n - 1) % T, unit = "",
    wrong = {
      [n % T] = "The last element is {last}: they are counted from 0.",
      [(n - 1) // T] = "That is its block.",
      [T - 1] = "The last block is not full.",
    },
    tips = { "The last element is {last}. Which block is it in?" },
    because = "{last} % {T} = {answer}, in block {block}.",
  }
end

-- ---- what a warp executes ------------------------------------------------------------------------------------------

local function serial_loads(d)
  local word = d.pick(WORDS)
  local r = measure { kernel = "encrypt_serial", params = { message = word } }
  return {
    [[`<<<1, 1>>>`: one thread walks over a word of {n} letters in a loop.]], n = #word,
    ask = "How many loads of letters does its warp execute?", answer = r.counters.global_load_requests, unit = "loads",
    wrong = { [1] = "The loop comes back for every letter.", [32] = "Only one lane is alive." },
    tips = { "How often does the loop run?" },
    because = "One for each letter.",
  }
end

local function parallel_loads(d)
  local n = d.integer(33, 900)
  local r = measure { kernel = "vec_add", params = { n = n, threads = 64 } }
  return {
    [[A thread for each of {n} elements, `<<<{blocks}, 64>>>`. Every thread with an element executes `float a =
    A[i];` once.]],
    n = n, blocks = r.blocks,
    ask = "How many times do warps execute this load, in all?", answer = r:count { line = LOAD, kind = "load" },
    unit = "loads",
    wrong = {
      [n] = "That many *threads* do it. A warp does it for 32 at once.",
      [r.blocks] = "A block of 64 threads is two warps.",
      [1] = "Once for each warp.",
    },
    tips = { "How many warps have an element?" },
    because = "{n} / 32, rounded up: {answer} warps have work.",
  }
end

local function crowd_threads(d)
  local word, form = d.pick(WORDS), "crowd"
  local one = measure { kernel = "encrypt_serial", params = { message = word } }
  local many = measure { kernel = "encrypt_serial", form = form, params = { message = word } }
  return {
    [[One thread walks over {n} letters in a loop: {one} instructions. Then the same kernel is started as `<<<1,
    32>>>`.]],
    n = #word, one = one.counters.warp_instructions,
    ask = "How many instructions does the warp execute then?", answer = many.counters.warp_instructions,
    unit = "instructions",
    wrong = {
      [many.counters.thread_instructions] = "That is by threads. A warp executes an instruction for all of them at "
        .. "once.",
      [cdiv(one.counters.warp_instructions, 32)] = "Nobody shared out the loop: all run all of it.",
    },
    tips = { "With which `i` does each thread begin?" },
    because = "The same: 32 threads go through the same loop in step.",
  }
end

local function by_threads(d)
  local warps, each = d.integer(2, 12), d.integer(15, 60)
  return {
    [[{warps} warps with all lanes at work execute {each} instructions each.]], warps = warps, each = each,
    ask = "How many instructions is that, counted by threads?", answer = warps * each * 32, unit = "",
    wrong = {
      [warps * each] = "That is counted by warps.",
      [each * 32] = "There are {warps} warps.",
    },
    tips = { "32 threads for each instruction of a warp." },
    because = "{warps} x {each} x 32.",
  }
end

-- ---- the host ------------------------------------------------------------------------------------------------------

local function printed_word(d)
  local form = d.pick { "no-copy-back", "early", "right" }
  local shift, message = d.integer(2, 9), WORDS[1]
  local function printed(run)
    local buffer, letters = run:result("printed"), {}
    for i = 0, #buffer - 1 do
      letters[#letters + 1] = string.char(buffer[i])
    end
    return table.concat(letters)
  end
  local params = { message = message, shift = shift }
  local right = printed(measure { kernel = "encrypt_host", params = params })
  local says = {
    ["no-copy-back"] = "copies `word` to the device, launches the kernel, and prints `word`",
    early = "copies `word` to the device and back, launches the kernel, and prints `word`",
    right = "copies `word` to the device, launches the kernel, copies back, and prints `word`",
  }
  return {
    [[A host {says}. The kernel moves `{message}` on by {shift} places.]], says = says[form], message = message,
    shift = shift,
    ask = "What is printed?", options = { message, right, "rubbish" },
    answer = printed(measure { kernel = "encrypt_host", form = form, params = params }),
    wrong = {
      [right] = "Was there a copy back, and was there something to fetch?",
      [message] = "The result was fetched after the kernel.",
      rubbish = "All memory that is printed was written before.",
    },
    tips = { "What is in the host's memory when it prints?" },
    because = "The host's memory changes with a copy back, and not before.",
  }
end

local function host_order(d)
  local inputs = d.pick { "a", "a and b", "a, b and c" }
  local lines = { "cudaMalloc for all arrays", "cudaMemcpy: " .. inputs .. " to the device",
  "sum<<<blocks, threads>>>(...)",
    "cudaMemcpy: the result to the host", "print the result", "cudaFree for all arrays" }
  return {
    [[A host has {inputs} and wants their sum, computed by a kernel.]], inputs = inputs,
    ask = "Put its steps in order.", kind = "order", lines = lines,
    orders = { { 1, 2, 3, 4, 6, 5 } },
    wrong = {
      [lines[2]] = "After the memory is there, before the kernel.",
      [lines[4]] = "After the kernel, before the memory is given back.",
    },
    tips = { "Data needs a place before it can travel." },
    because = "Memory, in, launch, out; then print and free.",
  }
end

local function missing_step(d)
  local steps = { "cudaMalloc", "cudaMemcpy to the device", "the launch", "cudaMemcpy to the host" }
  local missing = d.integer(2, #steps)
  local symptom = {
    [2] = "The kernel reads memory that nobody wrote.",
    [3] = "The host gets its input back, unchanged.",
    [4] = "The kernel works, but the host still has its own old array.",
  }
  return {
    [[A host program has one step too few. {symptom}]], symptom = symptom[missing],
    ask = "Which step is missing?", options = steps, answer = steps[missing],
    wrong = {
      [steps[1]] = "Without memory the copy itself would fail.",
      [steps[2]] = "Then the kernel would have no input.",
      [steps[3]] = "Then nothing would work on the data.",
      [steps[4]] = "Then the result would stay on the device.",
    },
    tips = { "Follow the data: in, through the kernel, out." },
    because = "In, launch, out: each of the three leaves its own trace when it is missing.",
  }
end

-- ---- which loop can be cut -----------------------------------------------------------------------------------------

local FREE = { "y[i] = 2 * x[i]", "y[i] = x[i] + x[i + 1]", "y[i] = x[n - 1 - i]", "y[2 * i] = x[i]",
"x[i] = x[i] * x[i]",
  "y[i] = i" }
local BOUND = { "y[i] = y[i - 1] + x[i]", "s = s + x[i]", "x[i + 1] = x[i]", "y[0] = y[0] + x[i]", "s = s * x[i]" }

local function free_loop(d)
  local bound, free = d.shuffle(BOUND), d.pick(FREE)
  local options = d.shuffle { free, bound[1], bound[2] }
  return {
    [[The body of `for (int i = 1; i < n; i++)` in three versions.]],
    ask = "Which loop can be cut into threads as it is?", options = options, answer = free,
    wrong = {
      [bound[1]] = "Two passes need the same place, and one of them writes it.",
      [bound[2]] = "Two passes need the same place, and one of them writes it.",
    },
    tips = { "Does a pass need what another one writes?" },
    because = "Each of its passes writes a place of its own, and reads nothing that others write.",
  }
end

local function free_loops(d)
  local free, bound = d.shuffle(FREE), d.shuffle(BOUND)
  local count = d.integer(1, 3)
  local options, answer, wrong = {}, {}, {}
  for i = 1, 4 do
    options[i] = i <= count and free[i] or bound[i - count]
    if i <= count then
      answer[i] = free[i]
      wrong[free[i]] = "Every pass of `" .. free[i] .. "` writes a place of its own. It may be cut."
    else
      wrong[options[i]] = "In `" .. options[i] .. "` passes share a place, and write it."
    end
  end
  return {
    [[Bodies of `for (int i = 1; i < n; i++)`.]],
    ask = "Which of these loops are trivially parallel?", kind = "several", options = d.shuffle(options),
    answer = answer,
    wrong = wrong, tips = { "Look for a place that one pass writes and another one reads or writes." },
    because = "A loop can be cut where no pass needs what another one writes.",
  }
end

local function passes_and_threads(d)
  local from, n = d.integer(2, 60), d.integer(300, 900)
  return {
    [[`for (int i = {from}; i < {n}; i++) y[i] = 2 * x[i];` becomes a kernel with a thread for each pass.]],
    from = from, n = n,
    ask = "How many threads have work?", answer = n - from, unit = "threads",
    wrong = { [n] = "The loop begins with {from}.", [n - from + 1] = "{n} itself is no pass." },
    tips = { "How often does the loop run?" },
    because = "{n} - {from} passes; the index of thread t is {from} + t.",
  }
end

-- ---- who am I ------------------------------------------------------------------------------------------------------

local function my_index(d)
  local T, block = d.pick { 32, 64, 128, 256 }, d.integer(2, 20)
  local t = d.integer(1, T - 1)
  return {
    [[A launch with blocks of {T} threads. You are thread {t} of block {block}.]], T = T, t = t, block = block,
    ask = "What is `blockIdx.x * blockDim.x + threadIdx.x` for you?", answer = block * T + t, unit = "",
    wrong = {
      [(block - 1) * T + t] = "Block {block} has {block} blocks in front of it: they are counted from 0.",
      [block + t] = "Each block in front of yours has {T} threads.",
      [block * t] = "Times the threads of a block, not times your place.",
    },
    tips = { "How many threads are in the blocks in front of yours?" },
    because = "{block} x {T} + {t}.",
  }
end

local function shifted_by(d)
  local blocks, shift = d.integer(2, 6), d.integer(1, 4)
  return {
    [[The cipher with `int id = threadIdx.x;` is launched as `<<<{blocks}, 32>>>`. A block moves a letter by {shift}.
    The word is long.]],
    blocks = blocks, shift = shift,
    ask = "By how many places is the first letter moved, if blocks run one after the other?",
    answer = blocks * shift, unit = "places",
    wrong = {
      [shift] = "Every block has a thread 0, and all of them take letter 0.",
      [0] = "Letter 0 is taken by thread 0 of every block.",
    },
    tips = { "How many threads have the `id` 0?" },
    because = "{blocks} threads have `id` 0, and each moves the letter by {shift}.",
  }
end

local function never_touched(d)
  local T, blocks = d.pick { 32, 64, 128 }, d.integer(2, 9)
  local n = T * (blocks - 1) + d.integer(1, T - 1)
  return {
    [[A kernel with `int id = threadIdx.x;` is launched as `<<<{blocks}, {T}>>>` for {n} elements.]], T = T,
    blocks = blocks, n = n,
    ask = "How many elements does nobody touch?", answer = n - T, unit = "elements",
    wrong = {
      [0] = "There are enough threads, but what is the largest `id`?",
      [blocks * T - n] = "That would be threads without work, with the right index.",
    },
    tips = { "Which values can `id` have?" },
    because = "`id` is 0 to {T} - 1 in every block: the other {answer} have nobody.",
  }
end

-- ---- dim3 ----------------------------------------------------------------------------------------------------------

local function comma_block(d)
  local x, y = d.pick { 8, 16, 32 }, d.integer(2, 9)
  return {
    [[`dim3 block = ({x}, {y});` compiles, with a warning.]], x = x, y = y,
    ask = "How many threads does such a block have?", answer = y, unit = "threads",
    wrong = {
      [x * y] = "That would be `dim3 block({x}, {y})`. Here `=` and brackets make a comma of it.",
      [x] = "A comma gives its *last* value.",
      [1] = "The last value is not 1 this time.",
    },
    tips = { "In C, what is `({x}, {y})`?" },
    because = "`({x}, {y})` is {y}, and a dim3 of {y} is {y} x 1 x 1.",
  }
end

local function real_block(d)
  local x, y, z = d.pick { 4, 8, 16 }, d.integer(2, 8), d.integer(2, 4)
  return {
    [[`dim3 block({x}, {y}, {z});`]], x = x, y = y, z = z,
    ask = "How many threads does a block have?", answer = x * y * z, unit = "threads",
    wrong = {
      [z] = "Here is no comma operator: these are three arguments.",
      [x + y + z] = "Three sides of a box: multiply.",
      [x * y] = "There are {z} layers of that.",
    },
    tips = { "Three sides of a box." },
    because = "{x} x {y} x {z}.",
  }
end

local function launched(d)
  local n, T = uneven(d)
  return {
    [[n = {n}: `dim3 grid(ceil(n/{T}), 1, 1); dim3 block({T}, 1, 1);`]], n = n, T = T, blocks = n // T,
    ask = "How many threads are started?", answer = n // T * T, unit = "threads",
    wrong = {
      [cdiv(n, T) * T] = "`n/{T}` is an integer before `ceil` sees it.",
      [1] = "No comma operator here: these are arguments.",
      [n] = "Threads come in whole blocks.",
    },
    tips = { "`n/{T}` is {blocks}." },
    because = "{blocks} blocks of {T}: `ceil` comes too late.",
  }
end

-- ---- words in front ------------------------------------------------------------------------------------------------

local TRUE = {
  "a kernel returns void", "a __device__ function may be called by a kernel", "a kernel gets copies of its arguments",
  "the host goes on while a kernel runs", "__host__ __device__ makes two versions", "a kernel is launched with <<< >>>",
}
local FALSE = {
  "a kernel returns an int", "the host may call a __device__ function", "a kernel may follow a host pointer",
  "every thread runs another copy of the source", "the host waits at every launch", "a kernel needs a loop over its "
    .. "threads",
}
local WHY = {
  [FALSE[1]] = "Thousands of threads run it: whose int? Results go to memory.",
  [FALSE[2]] = "`__device__` alone is for device code only.",
  [FALSE[3]] = "The pointer arrives, but what it points to is in the other memory.",
  [FALSE[4]] = "All run the same text; only their numbers differ.",
  [FALSE[5]] = "A launch does not wait. The copy back does.",
  [FALSE[6]] = "The launch is the loop.",
}

local function true_of_kernels(d, asked)
  local count = d.integer(1, 3)
  local right, false_ones = d.shuffle(TRUE), d.shuffle(FALSE)
  local options, answer, wrong = {}, {}, {}
  for i = 1, 4 do
    options[i] = i <= count and right[i] or false_ones[i - count]
    local is_true = i <= count
    if is_true == asked then
      answer[#answer + 1] = options[i]
    end
    wrong[options[i]] = is_true and "It is so: " .. options[i]:gsub("__(%a+)__", "`__%1__`") .. "." or WHY[options[i]]
  end
  return options, answer, wrong
end

local function which_true(d)
  local options, answer, wrong = true_of_kernels(d, true)
  return {
    [[Of kernels and their words:]], ask = "Which are true?", kind = "several", options = d.shuffle(options),
    answer = answer,
    wrong = wrong, because = "Launched by the host, run by the device, all results through memory.",
  }
end

local function which_false(d)
  local options, answer, wrong = true_of_kernels(d, false)
  return {
    [[Of kernels and their words:]], ask = "Which are *wrong*?", kind = "several", options = d.shuffle(options),
    answer = answer,
    wrong = wrong, because = "Launched by the host, run by the device, all results through memory.",
  }
end

local WORDS_IN_FRONT = {
  ["is launched by the host"] = "__global__", ["is called by kernels only"] = "__device__",
  ["is called by kernels and by the host"] = "__host__ __device__", ["is ordinary code of the CPU"] = "nothing",
}
local USES = { "is launched by the host", "is called by kernels only", "is called by kernels and by the host",
  "is ordinary code of the CPU" }

local function which_word(d)
  local use = d.pick(USES)
  return {
    [[A function {use}.]], use = use,
    ask = "What stands in front of it?", options = { "__global__", "__device__", "__host__ __device__", "nothing" },
    answer = WORDS_IN_FRONT[use],
    wrong = {
      ["__global__"] = "That is for what `<<< >>>` launches.",
      ["__device__"] = "That is for device code alone.",
      ["__host__ __device__"] = "That is for both sides.",
      ["nothing"] = "Without a word it is for the CPU.",
    },
    tips = { "Who calls it, and who runs it?" },
    because = "`__global__` host to device, `__device__` within the device, nothing within the host.",
  }
end

return {
  skill { id = "blocks", family = "EQ14", looks = { blocks_for, idle_threads, lost_elements, most_elements } },
  skill { id = "guard", family = "EQ14", looks = { mask_of_tail, lanes_of_tail, last_thread } },
  skill { id = "warp_work", looks = { serial_loads, parallel_loads, crowd_threads, by_threads } },
  skill { id = "host", looks = { printed_word, host_order, missing_step } },
  skill { id = "loops", looks = { free_loop, free_loops, passes_and_threads } },
  skill { id = "who_am_i", looks = { my_index, shifted_by, never_touched } },
  skill { id = "dim3", looks = { comma_block, real_block, launched } },
  skill { id = "words", looks = { which_true, which_false, which_word } },
}
