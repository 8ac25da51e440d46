-- L05: thousands of blocks, a handful of SMs: who goes where, when, and what does the last one cost?

-- A device of `sms` SMs with room for one block each, if nothing else is said.
local function waves(params)
  return model { "waves", params = params }
end

local function whole_percent(share)
  return string.format("%.0f %%", 100 * share)
end

local function commas(n)
  local text = string.format("%d", n):reverse():gsub("(%d%d%d)", "%1,"):reverse()
  return (text:gsub("^,", ""))
end

-- Where the n-th kernel of a queue model starts and ends.
local function times(queues, n)
  local list = {}
  for from, to in queues.kernels:gmatch "(%d+)-(%d+)" do
    list[#list + 1] = { from = tonumber(from), to = tonumber(to) }
  end
  return list[n]
end

recall(2)

-- 1. one block too many ----------------------------------------------------------

local eight = picture { "waves", params = { sms = 8, blocks = 8 } }
local nine = waves { sms = 8, blocks = 9 }

predict {
  id = "nine", title = "Nine",
  [[
  A *multiprocessor*, or SM, runs blocks. Say {sms} of them, one block on each at a time, and a second for a block.
  {sms} blocks take {first} second.
  ]],
  sms = 8, first = math.tointeger(eight.seconds),
  ask = "How long do 9 blocks take?", unit = "seconds", answer = nine.seconds, sure = true,
  wrong = {
    [1.125] = "That would be fair, but a block is not cut up among SMs.",
    [9] = "They run side by side.",
    [1] = "There are {sms} places. Where does the last one run?",
  },
  tips = { "When does the ninth block find a place?" },
  because = "It waits for a place, and then works alone while {idle} SMs look on: {used} of their time is used.",
  idle = nine.per_wave - nine.last, used = whole_percent(nine.used),
}

picture { "waves", params = { sms = 8, blocks = 9 } }
explain {
  title = "Two schedulers",
  [[
  The *block scheduler* of the GPU gives whole blocks to SMs with room: once for each block, in an order that nobody
  promises.

  Inside an SM four *warp scheduler*s work: each takes, in every cycle, one of its warps that is ready.

  The lecture says one warp executes on an SM at a time. It is one for each scheduler.
  ]],
}

predict {
  id = "life", title = "The life of a block",
  kind = "order", ask = "What happens to a block, in order?",
  lines = { "waits in the queue", "gets room on one SM", "is cut into warps", "its warps are issued in turn",
            "its last warp ends", "its room is free" },
  spare = { "moves to an emptier SM" },
  wrong = {
    ["is cut into warps"] = "The SM cuts it into warps, once it is there.",
    ["moves to an emptier SM"] = "Its registers and shared memory are on its SM. It stays.",
    ["its room is free"] = "A block keeps all its room until its last warp is done.",
  },
  tips = { "Who needs the room, and until when?" },
  because = "One SM from start to end, and room for all of it or for none.",
}

predict {
  id = "who", title = "Who does what?",
  [[Some of these are true.]],
  kind = "several", ask = "Which are true?",
  options = { "Block 0 ends before block 1.", "A block at a barrier keeps its room.",
    "A ready warp may move to another SM.",
              "Room means registers, too." },
  answer = { "A block at a barrier keeps its room.", "Room means registers, too." },
  wrong = {
    ["Block 0 ends before block 1."] = "It often does. Nothing promises it.",
    ["A ready warp may move to another SM."] = "A warp never leaves its SM.",
    ["A block at a barrier keeps its room."] = "A block that waits is still there, with its registers.",
    ["Room means registers, too."] = "A block needs warp slots, shared memory, and what else?",
  },
  tips = { "What does the block scheduler look for?", "Where do a warp's registers lie?" },
  because = "The block scheduler asks for room, the warp schedulers ask who is ready.",
}

local two_sms = picture { "waves", params = { sms = 2, blocks = 8 } }
predict {
  id = "chips", title = "The same program, another chip",
  [[
  8 blocks on {few} SMs take {slow} seconds. On twice as many, half of that, and nobody changed the program. That is
  called *transparent scalability*.
  ]],
  few = 2, slow = math.tointeger(two_sms.seconds),
  ask = "How long do they take on 16 SMs?", unit = "seconds", answer = waves { sms = 16, blocks = 8 }.seconds,
  wrong = {
    [0.5] = "Half of the SMs have no block. A block is not cut up.",
    [2] = "That is with 4 SMs.",
  },
  tips = { "How many of the SMs get a block?" },
  because = "On 1, 2, 4, 8, 16 SMs: {list}. It scales until there are as many SMs as blocks.",
  list = (function()
    local list = {}
    for i = 0, 4 do list[#list + 1] = string.format("%d s", waves { sms = 1 << i, blocks = 8 }.seconds) end
    return table.concat(list, ", ")
  end)(),
}

-- 2. waves -----------------------------------------------------------------------

local full = picture { "waves", params = { sms = 8, blocks = 16 } }
local twelve = waves { sms = 8, blocks = 12 }
predict {
  id = "twelve", title = "Twelve",
  [[Again 8 SMs. With 16 blocks {used} of their time is used.]], used = whole_percent(full.used),
  ask = "How much is used with 12?", unit = "%", answer = 100 * twelve.used,
  wrong = {
    [50] = "That is the second round alone.",
    [150] = "That is blocks for each SM. How many could have run in the time?",
    [100] = "In the second round half of the SMs have nothing.",
  },
  tips = { "How many blocks could run in two seconds?" },
  because = "12 of the 16 blocks that could have run.",
}

picture { "waves", params = { sms = 8, blocks = 12 } }
explain {
  title = "Waves",
  (function()
    local lines = { "A *wave* is all blocks that fit at once: SMs times blocks on each, here {w}.\n" }
    for _, blocks in ipairs { 8, 9, 12, 17, 33, 81 } do
      local w = waves { sms = 8, blocks = blocks }
      lines[#lines + 1] = string.format("- %2d blocks: %8s, %3.0f %% used", blocks, counted(w.waves, "wave"),
        100 * w.used)
    end
    lines[#lines + 1] = "\nA last wave that is not full is the *tail*. It takes as long as a full one."
    return table.concat(lines, "\n")
  end)(),
  w = twelve.per_wave,
}

hide()
predict {
  id = "two-each", title = "Four on each",
  [[A GPU has {sms} SMs, and each has room for {each} blocks. A grid has {blocks}.]],
  sms = 36, each = 4, blocks = 300,
  ask = "How many waves?", unit = "waves", answer = waves { sms = 36, per_sm = 4, blocks = 300 }.waves,
  wrong = {
    [cdiv(300, 36)] = "Each SM takes {each} at once.",
    [2] = "Two waves are {two} blocks. What about the others?",
      [300 / 144] = "There is no part of a wave: its blocks are whole.",
  },
  two = 288,
  tips = { "How many blocks run at once?" },
  because = "{sms} x {each} at once. After two waves {left} blocks are left, and they need a whole one.",
  left = waves { sms = 36, per_sm = 4, blocks = 300 }.last,
}

local few_waves, many_waves = picture { "waves", params = { sms = 8, blocks = 36 } }, waves { sms = 8, blocks = 156 }
predict {
  id = "many", title = "Few waves, many waves",
  [[{few} waves, the last one half full: {lost} of the time is lost.]],
  few = few_waves.waves, lost = whole_percent(1 - few_waves.used),
  ask = "How much is lost with {many} waves, the last one half full?", many = many_waves.waves, unit = "%", tolerance = 0.1,
    answer = 100 * (1 - many_waves.used),
  wrong = {
    [5] = "So long is the tail. Half of it is used.", [50] = "That is the tail alone.",
    [10] = "The tail is the same. But how many waves share the bill?",
  },
  tips = { "What share of the time is the last wave? What share of that is lost?" },
  because = "A twentieth of the time, and half of that: {answer} %. With tens of waves, forget the tail.",
}

picture { "waves", params = { sms = 132, per_sm = 8, blocks = 288 } }
try {
  title = "Your turn: fill it",
  [[
  An H200 has {sms} SMs. Say that {each} blocks fit on each. The lecture's book takes {book} blocks: {used}
  of the places.
  ]],
  sms = 132, each = 8, book = 288, used = whole_percent(waves { sms = 132, per_sm = 8, blocks = 288 }.used),
  goal = "The least blocks that use every place.", params = { "blocks", "now" }, solution = { blocks = 132 * 8 },
  tips = { "How many places are there?" },
  reached = function(w)
    return w.waves == 1 and w.last_full == 1, counted(w.waves, "wave") .. ", " .. whole_percent(w.used) .. " used"
  end,
}

-- 3. a grid that fits ------------------------------------------------------------

hide()
modify {
  id = "step", title = "A grid of any size",
  [[
  To choose a grid freely, a thread must do more than one element. Here the host launches too few blocks.
  Complete the loop.
  ]],
  kernel = "vec_add", form = "floor", line = "if (i < n)", blank = "  for (; i < n; i += ____) {",
  fill = "gridDim.x * blockDim.x", accept = { "blockDim.x * gridDim.x" },
  runs = { {}, { n = 300, threads = 64 }, { n = 100, threads = 256 } },
  judged = function(r, p)
    return r.counters.global_load_bytes == 2 * 4 * p.n, "elements are added more than once"   -- two floats each
  end,
  wrong = {
    ["blockDim.x"] = "The next block does those, too.",
    ["gridDim.x"] = "Count threads of the grid, not its blocks.",
    ["1"] = "The neighbor does that one.",
    ["n"] = "Then each thread does one element, as before.",
  },
  tips = { "How many threads has the whole grid?" },
  because = "A *grid-stride loop*: now the number of blocks suits the machine, not the data.",
}

local loop = measure { kernel = "reduce2", params = { N = 1024, blocks = 2, threads = 128 } }
local function pass(nth)
  return { line = "tsum[id] += x[k]", kind = "load", space = "global", block = 1, warp = 1, nth = nth }
end
trace {
  id = "passes", title = "Follow a thread",
  [[{blocks} blocks of {threads} threads add {n} numbers. You are lane 5 of warp 1 in block 1.]],
  blocks = loop.blocks, threads = loop.threads, n = commas(loop.parameters.N),
  run = loop, ask = "value of k in lane 5", at = { pass(1), pass(2), pass(3), pass(4) }, focus = "segments",
  question = "Which `x[k]` does it load?",
  wrong = {
    [1] = { [5] = "Count the warps and the blocks before.", [133] = "And warp 0 of its block?", [37] = "And block 0?" },
    [2] = { [165 + 128] = "Block 0 and block 1 both step.", [165 + 32] = "That is the next warp's." },
  },
  tips = { "blockIdx.x * blockDim.x + threadIdx.x, then on by the whole grid." },
  because = "Each thread makes {passes} passes. Twice the blocks would make half of that.",
  passes = loop.parameters.N // (loop.blocks * loop.threads),
}

show(loop, { at = "start" })
parsons {
  id = "collect", title = "In order",
  [[Put the lines in order: each thread collects its elements, then the block waits. One belongs nowhere.]],
  kernel = "reduce2", from = "int tid = blockIdx.x", to = "__syncthreads();",
  lines = { "  int tid = blockIdx.x * blockDim.x + id;", "  int stride = gridDim.x * blockDim.x;", "  tsum[id] = 0.0f;",
            "  for (int k = tid; k < N; k += stride)", "    tsum[id] += x[k];", "  __syncthreads();" },
  spare = { "  int stride = blockDim.x;" }, runs = { { N = 1024, threads = 128 }, { N = 1000, blocks = 3 } },
  others = { { "one block's stride", [[
  int tid = blockIdx.x * blockDim.x + id;
  int stride = blockDim.x;
  tsum[id] = 0.0f;
  for (int k = tid; k < N; k += stride)
    tsum[id] += x[k];
  __syncthreads();]], says = "Who else adds what the next block adds?" } },
  tips = { "What must be known before the loop can start, and step?" },
  because = "With this loop 2 blocks or thousands give the same sum: choose as many as the machine has places.",
}

-- 4. smaller blocks --------------------------------------------------------------

local large = picture { "waves", params = { sms = 4, blocks = 5 } }
local thirds = waves { sms = 4, blocks = 5, cut = 3 }
predict {
  id = "thirds", title = "Large or small?",
  [[
  5 blocks on 4 SMs take {slow} seconds. Now each is cut into three, of a third of a
  second.
  ]], slow = math.tointeger(large.seconds),
  ask = "How long do all the pieces take?", unit = "seconds", tolerance = 0.02, answer = thirds.seconds,
  wrong = {
    [2] = "The waves are shorter now. How many, how long?",
    [1.25] = "So long is the work if it is shared evenly. A block is not cut up.",
    [5 / 3] = "One SM does not get five of them.",
  },
  tips = { "How many waves of 4? How long is one?" },
  because = "{waves} waves of a third: {gain} times faster. The tail is a smaller wave.",
  waves = thirds.waves, gain = string.format("%.1f", large.seconds / thirds.seconds),
}

picture { "waves", params = { sms = 4, blocks = 5, cut = 3 } }
try {
  title = "Your turn: lose nothing",
  [[The work would take {ideal} seconds if no SM ever waited. In thirds it takes {now}.]],
  ideal = string.format("%.2f", thirds.ideal), now = string.format("%.2f", thirds.seconds),
  goal = "Cut the 5 blocks so that all places are used all the time.", params = { "cut", "now" },
    solution = { cut = 4 },
  tips = { "The number of pieces should fill its waves." },
  reached = function(w)
    return w.used > 0.999, whole_percent(w.used) .. " used"
  end,
}

-- vec_add for 300,000 elements on an H200, by size of its blocks.
local function sized(threads)
  local fits = model { "occupancy", params = { profile = "h200", threads = threads, registers = 16 } }
  return waves { sms = 132, per_sm = fits.blocks, blocks = cdiv(300000, threads) }, fits.blocks
end
local by_64, fit_64 = sized(64)
local by_1024, fit_1024 = sized(1024)

hide()
predict {
  id = "size", title = "Does a smaller block cure it?",
  [[`vec_add` for {n} elements on an H200. Blocks of 64 threads: {small} of them. Of 1024: {big}.]],
  n = commas(300000), small = commas(cdiv(300000, 64)), big = cdiv(300000, 1024),
  ask = "Which size has the fullest last wave?", kind = "choice", options = { "64", "1024", "they are the same" },
  answer = math.abs(by_64.used - by_1024.used) < 0.01 and "they are the same" or "64",
  wrong = {
    ["64"] = "More blocks. And how many more of them fit on an SM?",
    ["1024"] = "Fewer blocks, and fewer places.",
  },
  tips = { "An SM holds {threads} threads, of whichever block." }, threads = commas(64 * fit_64),
  because = "{f64} of 64 fit on an SM, {f1024} of 1024: both take {waves} waves and use {used}. Cutting helps "
    .. "if the places stay as they are.",
  f64 = fit_64, f1024 = fit_1024, waves = by_64.waves, used = whole_percent(by_64.used),
}

-- 5. uneven work, and no order ------------------------------------------------------

local early = waves { sms = 4, blocks = 13, long = 4, at = 0 }
local late = waves { sms = 4, blocks = 13, long = 4, at = 12 }
picture { "waves", params = { sms = 4, blocks = 12 } }
predict {
  id = "long", title = "Uneven work",
  [[
  Twelve blocks fill 4 SMs for three seconds. One more comes, the last in the queue. It takes {long}
  seconds.
  ]], long = 4,
  ask = "When is all done?", unit = "seconds", answer = late.seconds,
  wrong = {
    [4] = "So it is if the long one begins first.", [5] = "It begins when the others are done.",
    [6] = "When does it find a place?",
  },
  tips = { "When does it begin?" },
  because = "It begins at 3. A tail without a leftover: {idle} SMs wait for it.", idle = 3,
}

picture { "waves", params = { sms = 4, blocks = 13, long = 4, at = 0 } }
explain {
  title = "First or last",
  [[
  With the long block first, the same work takes {early} seconds, not {late}.

  Blocks are often started by their number, but that is no promise. Do not count on it: make blocks alike, or smaller.
  ]],
  early = math.tointeger(early.seconds), late = math.tointeger(late.seconds),
}

local barrier = measure { kernel = "grid_barrier" }
show(barrier, { at = "start" })
predict {
  id = "relies", title = "Who waits for whom?",
  [[
  Blocks have no order, and not all of them need to be running. Here they meet at `grid.sync()`, and then block 0
  goes on.
  ]],
  kind = "line", ask = "Without that line, which one could read what nobody has written yet?",
    answer = "all += part[k];",
  wrong = {
    ["mine += x[i];"] = "`x` was there before the launch.",
    ["part[blockIdx.x] = found;"] = "A block waits for its own threads: `__syncthreads()` stands before it.",
    ["*sum = all;"] = "It writes what the thread itself has added.",
  },
  tips = { "Which line needs what other blocks have done?" },
  because = "Block 0 reads what every block leaves. `__syncthreads()` waits within one block only.",
}

hide()   -- a picture of waves would tell of a second one
local fits = model { "occupancy", params = { profile = "gk104", threads = 256, registers = 32 } }
hide()
predict {
  id = "refused", title = "All at once",
  [[
  {sms} SMs hold {each} of these blocks each, {places} in all. All blocks wait for each other. The grid has
  {blocks}.
  ]],
  sms = 8, each = fits.blocks, places = 8 * fits.blocks, blocks = 8 * fits.blocks + 1,
  ask = "What happens?", kind = "choice", options = { "two waves", "the launch is refused", "it hangs" },
  answer = "the launch is refused",
  wrong = {
    ["two waves"] = "The first wave waits for the second, and that waits for room.",
    ["it hangs"] = "It would. That is why it is asked for beforehand.",
  },
  tips = { "Could a wave end before the next one has begun?" },
  because = "A *cooperative launch* is all at once or not at all. Launch fewer blocks, and loop. The end of a "
    .. "launch is the other barrier.",
}

explain {
  title = "What may not be assumed",
  [[
  A block that waits for a later one may wait for ever: the later one needs its place.

  - no order among blocks
  - not all of them at once
  - no block moves away to make room

  The lecture says blocks cannot cooperate. They can: through memory and atomics, and at a barrier if all of them fit.
  ]],
}

-- 6. more than one kernel -------------------------------------------------------------

local one_stream = picture { "waves", params = { sms = 8, blocks = 12, second = 12, streams = "one" } }
local two_streams = waves { sms = 8, blocks = 12, second = 12, streams = "two" }
predict {
  id = "streams", title = "Two kernels, one chip",
  [[
  Two kernels of 12 blocks in one *stream*: the second waits for the end of the first. {slow} seconds.

  Now each gets a stream of its own.
  ]],
  slow = math.tointeger(one_stream.seconds),
  ask = "How long do both take?", unit = "seconds", answer = two_streams.seconds,
  wrong = {
    [4] = "Nobody needs to wait for the tail now.", [2] = "There are 8 places for 12 + 12 = 24 blocks.",
  },
  tips = { "Who may use the places that the tail leaves empty?" },
  because = "The second kernel fills the first one's tail: all blocks together are {answer} full waves.",
}

picture { "waves", params = { sms = 8, blocks = 12, second = 12, streams = "two" } }
explain {
  title = "A tail well used",
  [[
  Work in one stream keeps its order. Different streams may overlap, but need not.

  The last blocks of the first kernel run beside the first ones of the second. So {used} of the time is used,
  not {before}.
  ]],
  used = whole_percent(two_streams.used), before = whole_percent(one_stream.used),
}

picture { "queues", params = { launches = "1:24x2" } }
local plain = model { "queues", params = { launches = "1:24x2 2:8x1@1" } }
local hurried = model { "queues", params = { launches = "1:24x2 !2:8x1@1" } }
predict {
  id = "hurry", title = "In a hurry",
  [[
  24 blocks of 2 ms on 8 SMs. At 1 ms a kernel of 8 blocks of 1 ms comes, in another stream. Without priority it ends at
  {plain} ms.
  ]],
  plain = times(plain, 2).to,
  ask = "When does it end with high priority?", unit = "milliseconds", answer = times(hurried, 2).to,
  wrong = {
    [2] = "Blocks that run are not thrown out.", [7] = "It passes those that wait.",
    [5] = "When is the first place free?",
  },
  tips = { "Whom may it pass, and whom not?" },
  because = "It waits for the wave that runs, until 2, and passes those that wait. The large one ends at {all}, "
    .. "not at {before}.",
  all = times(hurried, 1).to, before = times(plain, 1).to,
}

picture { "queues", params = { launches = "1:24x2 !2:8x1@1" } }
explain {
  title = "Past those who wait",
  [[
  Priority speaks to the block scheduler only: whose block takes the next free place? A block that runs is never
  stopped.

  So a kernel that hurries waits for as long as a block of the others takes. Short blocks help here, too.
  ]],
}

local breadth = model { "queues", params = { launches = "1:4x2 2:4x2 1:4x2 2:4x2", rule = "next only" } }
local depth = picture { "queues", params = { launches = "1:4x2 1:4x2 2:4x2 2:4x2", rule = "next only" } }
local today = model { "queues", params = { launches = "1:4x2 1:4x2 2:4x2 2:4x2", rule = "any stream" } }
explain {
  title = "Old code, old rule",
  [[
  Four kernels, two in each stream, launched stream by stream. Before compute capability 3.5 only the next launch in
  the code could join: {depth} ms. Launched in turns, {breadth}.

  Today each stream has its own queue: {today} ms either way. The lecture has 32 kernels at once. Most GPUs take {now} now.
  ]],
  depth = depth.ms, breadth = breadth.ms, today = today.ms, now = 128,
}

local quick = measure { kernel = "quicksort_tree" }
show(quick, { at = { line = "quicksort<<<1, 1>>>" }, focus = "geometry" })
predict {
  id = "children", title = "A kernel that starts kernels",
  [[
  The host launches one kernel, and the GPU runs {more} more. One is for each part to be sorted, and one
  looks at the end. That is *dynamic parallelism*.
  ]],
  more = quick.launches[1].children,
  ask = "When is the first grid done?", kind = "choice",
  options = { "after its last line", "when all its children are", "when its first child begins" },
  answer = "when all its children are",
  wrong = {
    ["after its last line"] = "Its thread is done then. Who would tell the host that all is sorted?",
    ["when its first child begins"] = "Children do not end their parent.",
  },
  tips = { "What may the host read when the grid is done?" },
  because = "In the lecture a parent also waits for children in the middle. That call is gone for devices of "
    .. "today: use the tail stream.",
}

-- 7. to keep ---------------------------------------------------------------------------

hide()
rubric {
  id = "schedulers", title = "Two schedulers, in your words",
  ask = "How do a block scheduler and a warp scheduler differ, and how does one limit the other?",
  model = [[The block scheduler serves the whole GPU. It gives a block to an SM once, if there is room, in no promised
order. A warp scheduler belongs to an SM. It picks a ready warp in every cycle, and that costs nothing. It can only pick
from blocks that were given room.]],
  points = { "the GPU or one SM", "blocks or warps", "once or every cycle", "room or readiness", "no promised order",
             "only resident blocks have warps to pick" },
}

check { draw = 5 }

recite {
  title = "From memory", ask = "What is to be kept of blocks? One line each.",
  [[
  - Whole blocks, one SM, from start to end.
  - A wave: SMs times blocks on each.
  - The last wave costs as much as a full one.
  - Many waves, or a grid that fits.
  - No order, and not all at once.
  - Streams fill tails. Priority passes who waits.
  ]],
}

finish {
  title = "Blocks: what to keep",
  [[
  Nobody cuts a block, nobody moves it, and nobody promises its turn. Nobody should wait for a block that may not be
  there.

  Next: why so many blocks on an SM, and not one more?
  ]],
  next = "L06",
}
