-- L02: which element is mine, and is it nobody else's?

local LANES = 32                -- of a warp
local ELEMENT = 4               -- bytes of a float

local INDEX = "int step ="
local GUARD = { line = "if (step < steps)", kind = "branch" }
local STORE = { line = "sums[step] =", kind = "store" }

-- How often the loop of a form comes to each element, a digit for each.
local function visits(form, blocks, threads, steps)
  return measure { kernel = "visits", form = form, params = { blocks = blocks, threads = threads, steps = steps } }
end

local function map_of(run)
  local count, digits = run:output("count"), {}
  for i = 0, #count - 1 do
    digits[#digits + 1] = count[i] > 9 and "+" or string.format("%d", count[i])
  end
  return table.concat(digits)
end

local function map_line(form, blocks, threads)
  return string.format(" %dx%d %s", blocks, threads, map_of(visits(form, blocks, threads)))
end

-- How many elements have a count.
local function visited(run, times)
  local count, found = run:output("count"), 0
  for i = 0, #count - 1 do
    found = found + (count[i] == times and 1 or 0)
  end
  return found
end

recall(2)

-- 1. one line of a book ---------------------------------------------------------------

hide()
say {
  title = "A line of a book",
  "In a printed book every thread adds this to `step`, the number of its element, to find its next one:"
    .. "\n\n  step += blockDim.x*blockDim.x;\n\nHow often does it "
    .. "come to each of 32 elements? Blocks x threads:\n\n"
    .. map_line("lecture", 4, 4) .. "\n" .. map_line("lecture", 6, 4) .. "\n" .. map_line("lecture", 2, 8)
    .. "\n\nNo fault, and once even right. *Which element is mine, and nobody else's?*",
}

-- 2. an element for each thread ---------------------------------------------------------

local each = measure { kernel = "gpu_sin_if" }
local STEPS, THREADS = each.parameters.steps, each.threads
local last_block, last_warp = each.blocks - 1, each.warps - 1

show(each, { at = { line = INDEX, block = last_block, warp = last_warp }, lane = 0 })
explain {
  title = "Four numbers for free",
  [[
  Every thread finds four numbers: `gridDim.x`, the blocks, and `blockDim.x`, the threads of a block, are the same for
  all; `blockIdx.x` is its block, `threadIdx.x` its place there.

  This kernel computes {steps} sines with {blocks} blocks of {threads}. You see the last warp of the last block.
  ]],
  steps = STEPS, blocks = each.blocks, threads = THREADS,
}

predict {
  id = "find-element",
  title = "Find the element",
  [[{blocks} blocks of {threads} threads, `step = blockIdx.x * blockDim.x + threadIdx.x`.]],
  blocks = each.blocks, threads = THREADS, block = 6, place = 5,
  ask = "Which element does thread {place} of block {block} take?",
  answer = 6 * THREADS + 5, unit = "",
  wrong = {
    [5 * THREADS + 5] = "Blocks are counted from 0: there are {block} in front of block {block}.",
    [6 * THREADS] = "There block {block} begins. And its thread {place}?",
    [6 * 5] = "Times the threads of a block, not times the place.",
    [6 + 5] = "Each of the blocks in front has {threads} threads.",
  },
  tips = { "How many threads do the blocks in front have?" },
  because = "{block} x {threads} + {place} = {answer}.",
}

local FAR = 300

predict {
  id = "find-block",
  title = "Find the block",
  [[The other way round, with the same blocks of {threads} threads.]],
  threads = THREADS, far = FAR,
  ask = "In which block is the thread of element {far}?",
  answer = FAR // THREADS, unit = "",
  wrong = {
    [cdiv(FAR, THREADS)] = "Do not round up: block 0 has elements 0 to 127.",
    [FAR % THREADS] = "That is its place in the block: {far} % {threads}.",
  },
  tips = { "Division gives the block, the remainder the place." },
  because = "{far} / {threads} is {answer}, and {far} % {threads} = {place}: thread {place} of block {answer}.",
  place = FAR % THREADS,
}

local tail = each:event { line = STORE.line, kind = "store", block = last_block, warp = last_warp }

predict {
  id = "tail", kind = "mask",
  title = "The last warp",
  [[The last warp has threads {first} to {last}, and there are {steps} elements.]],
  first = last_block * THREADS + last_warp * LANES, last = each.blocks * THREADS - 1, steps = STEPS,
  ask = "Which of its lanes go on behind `if (step < steps)`?",
  answer = tail.mask,
  wrong = {
    [0xffffffff] = "The threads go up to {last}. The elements do not.",
    [(1 << LANES - tail.lanes) - 1] = "So many are *idle*, and they are the last ones.",
    [~tail.mask & 0xffffffff] = "Those have no element.",
    [(1 << tail.lanes + 1) - 1] = "Is {steps} below {steps}?",
  },
  tips = { "Lane 0 is thread {first}. Which is the last with an element?" },
  because = "Lanes {lanes}: elements {first} to {final}.", final = STEPS - 1, lanes = lanes_of(tail.mask),
  show = { run = each, at = { line = GUARD.line, kind = "branch", diverging = true }, margin = "divergent branches" },
}

explain {
  title = "Only one warp splits",
  [[
  Of {warps} warps only this one is of two minds: `divergent branches` is {split} for the whole grid. All others
  agree, and the guard costs them one comparison. The column beside the source counts it.

  So never leave it out to save time.
  ]],
  warps = each.blocks * each.warps, split = each:line("if (step < steps)").divergent_branches,
}

local at_most = measure { kernel = "gpu_sin_if", form = "at-most" }

predict {
  id = "at-most",
  title = "One sign more",
  [[Somebody writes `if (step <= steps)`. There are {steps} elements and {threads} threads.]],
  steps = STEPS, threads = each.blocks * THREADS,
  ask = "How many threads go too far?",
  options = { "none", "one", "all without an element" },
  answer = #at_most.faults == 0 and "none" or at_most.faults[1].count == 1 and "one" or "all without an element",
  wrong = {
    ["none"] = "Which thread has `step` = {steps}? What does `<=` say to it?",
    ["all without an element"] = "`{steps} + 1 <= {steps}` is still false.",
  },
  tips = { "For which `step` do `<` and `<=` differ?" },
  because = "One thread stores one element behind the end. Often nobody notices: that memory belongs to something "
    .. "else.",
  show = { run = at_most, at = "end" },
}

-- 3. more elements than threads ---------------------------------------------------------------

local strided = measure { kernel = "gpu_sin" }
local GRID = strided.blocks * strided.threads

show(strided, { at = { line = "int stride =" } })
say {
  title = "More work than threads",
  [[
  A grid need not be as large as the work. Each thread takes its element, then the one a *whole grid* further, and so
  on:

    stride = gridDim.x * blockDim.x

  This is the *grid-stride loop*. Here {blocks} blocks of {threads} threads do {steps} elements. Any grid is right for
  any size.
  ]],
  blocks = strided.blocks, threads = strided.threads, steps = strided.parameters.steps,
}

local START = strided.threads + 3

predict {
  id = "next",
  title = "Second helping",
  [[{blocks} blocks of {threads} threads. Thread 3 of block 1 begins with element {start}.]],
  blocks = strided.blocks, threads = strided.threads, start = START,
  ask = "Which element does it take next?",
  answer = START + GRID, unit = "",
  wrong = {
    [START + 1] = "That is its neighbor's.",
    [START + strided.threads] = "A block further: there thread 3 of block 0 comes in *its* second pass.",
    [START + strided.threads * strided.threads] = "That is the book's step. How many threads are there?",
  },
  tips = { "How many threads are there in all?" },
  because = "{start} + {grid}: a whole grid further.", grid = GRID,
}

predict {
  id = "passes",
  title = "Passes",
  [[{threads} threads in all, {steps} elements. Take the first warp of block 0.]],
  threads = GRID, steps = strided.parameters.steps,
  ask = "How many times does it go through the loop?",
  answer = strided:count { line = STORE.line, kind = "store", block = 0, warp = 0 }, unit = "times",
  wrong = {
    [strided.parameters.steps // GRID] = "{steps} / {threads} leaves a rest, and the first warps do that, too.",
    [cdiv(strided.parameters.steps, strided.threads)] = "Both blocks work at the same time: divide by all threads.",
    [strided.parameters.steps] = "That would be one thread alone.",
  },
  tips = { "Element 0 first. Which is the next one of lane 0?" },
  because = "It begins with 0, then {grid}, and so on, as long as there are elements: {answer} passes.", grid = GRID,
}

local function last_pass(block, warp)
  return { line = STORE.line, kind = "store", block = block, warp = warp, nth = 4 }
end

trace {
  id = "last-pass",
  title = "The last pass",
  [[
  In the fourth pass the grid covers elements {first} to {last}; there are {steps}. Which lanes still store? First
  block 0, warp 0; then block 1, warp 2; then block 1, warp 3.
  ]],
  first = 3 * GRID, last = 4 * GRID - 1, steps = strided.parameters.steps,
  run = strided, at = { last_pass(0, 0), last_pass(1, 2), last_pass(1, 3) }, ask = "mask",
  tips = { "Element of lane 0: {first} + {block} for block 1, + 32 for each warp." }, block = strided.threads,
}

local store = strided:event { line = STORE.line, kind = "store", block = 0, warp = 0 }

show(strided, { at = { line = STORE.line, kind = "store", block = 0, warp = 0 }, focus = "segments" })
explain {
  title = "Window after window",
  [[
  In every pass the grid covers {grid} neighbors, then the next {grid}. Memory moves in *sectors* of 32 bytes.
  Neighboring lanes have neighboring elements: one store of {lanes} lanes fills {sectors} sectors, the least possible.

  Keep that in mind when you choose an index. You will see why soon.
  ]],
  grid = GRID, lanes = store.lanes, sectors = store.sectors,
}

show(strided, { at = "start" })
try {
  id = "two-passes",
  title = "Choose the grid",
  [[Press `p` and change `blocks` and `threads`. The result stays right, whatever you choose.]],
  goal = "Cover {steps} elements with exactly two passes.", steps = strided.parameters.steps,
  params = { "blocks", "threads" }, solution = { blocks = 4, threads = 128 },
  tips = { "Half of the elements must be enough threads, and all of them too many." },
  reached = function(r)
    local passes = r:count { line = STORE.line, kind = "store", block = 0, warp = 0 }
    return passes == 2 and r.verdict == "right", string.format("%s in all, %s", counted(r.blocks * r.threads, "thread"),
      passes == 1 and "1 pass" or passes .. " passes")
  end,
}

-- 4. the line of the book ------------------------------------------------------------------------

local book = visits("lecture", 2, 128, 1000)
local never = visited(book, 0)

show(book, { at = { line = "int step =" } })
predict {
  id = "book-line", kind = "line",
  title = "The book again",
  [[This kernel adds 1 to the count of each element that it comes to; `atomicAdd` lets one thread at a time add.
  Every count should be 1. It is launched with {blocks} blocks of {threads}.]],
  blocks = book.blocks, threads = book.threads,
  ask = "Which line is wrong?",
  answer = "step +=",
  wrong = {
    ["int step ="] = "The start is as it should be. And then?",
    ["while (step < steps)"] = "The guard is right: below the end.",
    ["atomicAdd"] = "Counting is right. What happens after it?",
  },
  tips = { "Which line says how far it is to a thread's next element?" },
  because = "The step should be all threads of the grid: `gridDim.x * blockDim.x`.",
}

predict {
  id = "never",
  title = "Holes",
  [[Step `blockDim.x*blockDim.x`, {blocks} blocks of {threads} threads, {steps} elements.]],
  blocks = book.blocks, threads = book.threads, steps = 1000,
  ask = "How many elements are never visited?",
  answer = never, unit = "elements",
  wrong = {
    [0] = "The step is {square}: after its first element every thread is past the end.",
    [1000 - book.threads] = "Both blocks make a first pass.",
  },
  square = book.threads * book.threads,
  tips = { "What is thread 0's second element?" },
  because = "Each of the {all} threads works once and is past the end: {all} ones, {answer} zeros, and no fault.",
  all = book.blocks * book.threads,
}

local lucky = {}
for _, launch in ipairs { { 4, 4 }, { 6, 4 }, { 2, 8 }, { 32, 32 } } do
  local blocks, threads = launch[1], launch[2]
  if visits("lecture", blocks, threads, 2048).verdict == "right" then
    lucky[#lucky + 1] = blocks .. " x " .. threads
  end
end

hide()
predict {
  id = "luck", kind = "several", sure = true,
  title = "Right by luck",
  [[The same step, 2,048 elements. Blocks x threads:]],
  ask = "With which launches is every element visited exactly once?",
  options = { "4 x 4", "6 x 4", "2 x 8", "32 x 32" },
  answer = lucky,
  wrong = {
    ["4 x 4"] = "4 x 4 threads, and a step of 4 x 4.",
    ["6 x 4"] = "6 x 4 = 24 threads, but 4 x 4 = 16 is the step: the last ones meet the second pass of others.",
    ["2 x 8"] = "2 x 8 = 16 threads, but 8 x 8 = 64 is the step: holes.",
    ["32 x 32"] = "32 x 32 threads, and a step of 32 x 32.",
  },
  tips = { "When is the step equal to the number of all threads?" },
  because = "With as many blocks as a block has threads the step is right, by luck. The book's example was such a one.",
}

modify {
  id = "mend",
  title = "Mend it",
  [[The visit map must be all ones. There are 32 elements, and 4 x 4, 6 x 4 or 2 x 8 threads.]],
  goal = "Visit every element exactly once, whatever the launch.",
  kernel = "visits", line = "step +=",
  blank = "step += ____ ;", fill = "gridDim.x * blockDim.x",
  accept = { "blockDim.x * gridDim.x" },
  runs = { { blocks = 4, threads = 4 }, { blocks = 6, threads = 4 }, { blocks = 2, threads = 8 } },
  wrong = {
    ["blockDim.x * blockDim.x"] = "The book's. With 6 x 4 some are done twice, with 2 x 8 some never.",
    ["blockDim.x"] = "A block further is where the next block begins: both do all the rest.",
    ["gridDim.x"] = "That many blocks, but a thread must pass over all *threads*.",
    ["1"] = "Then every thread does all elements behind its first.",
  },
  tips = { "How many threads are there in all?" },
  because = "All threads of the grid. The starts are 0 to one less than that, so nobody meets anybody.",
}

explain {
  title = "Read the map",
  "Now that you know it, read these maps of 2 blocks of 8 threads. A step of one block, `blockDim.x`, then the "
    .. "book's, then the "
    .. "right one:\n\n" .. " " .. map_of(visits("block", 2, 8)) .. "\n " .. map_of(visits("lecture", 2, 8)) .. "\n "
    .. map_of(visits("right", 2, 8)) .. "\n\nTwos are work done twice: slow, and wrong in a sum. Zeros are work "
    .. "never done. An index is right when the map is all ones, for *every* launch.",
}

-- 5. two dimensions ----------------------------------------------------------------------------------

local image = measure { kernel = "image_twice" }
local W, H = image.parameters.w, image.parameters.h
local GW, GH = image.grid[1] * image.block[1], image.grid[2] * image.block[2]

show(image, { at = { line = "p[i] =", kind = "store" }, focus = "segments" })
explain {
  title = "Rows and columns",
  [[
  An image of {w} x {h} pixels, blocks of {bx} x {by} threads:

    x = blockIdx.x*blockDim.x + threadIdx.x
    y = blockIdx.y*blockDim.y + threadIdx.y

  Rows follow one another in memory: pixel (x, y) is element `y * w + x`. Neighbors in x are neighbors in memory. The
  grid is rounded up in both directions.
  ]],
  w = W, h = H, bx = image.block[1], by = image.block[2],
}

predict {
  id = "idle-pixels",
  title = "Beyond the rim",
  [[{w} x {h} pixels, {gx} x {gy} blocks of {bx} x {by} threads.]],
  w = W, h = H, gx = image.grid[1], gy = image.grid[2], bx = image.block[1], by = image.block[2],
  ask = "How many threads have no pixel?",
  answer = GW * GH - W * H, unit = "threads",
  wrong = {
    [(GW - W) * (GH - H)] = "That is the corner alone, where both x and y are too large.",
    [(GW - W) * H] = "That is the rim on the right alone.",
    [GW * (GH - H)] = "That is the rim below alone.",
    [0] = "{bx} does not divide {w}.",
  },
  tips = { "The grid has {gw} x {gh} threads." },
  gw = GW, gh = GH,
  because = "{gw} x {gh} threads and {w} x {h} pixels.",
}

show(image, { at = "start", focus = "geometry" })
try {
  id = "block-shape",
  title = "Another shape",
  [[Press `p` and change `bx` and `by`, the sides of a block. The grid follows by itself.]],
  goal = "Blocks of whole warps, and at most 100 threads without a pixel.",
  params = { "bx", "by" }, solution = { bx = 16, by = 4 },
  tips = { "Which sides leave little beyond {w}, and divide {h}?", "A whole warp: bx x by is a multiple of 32." },
  w = W, h = H,
  reached = function(r)
    local idle = r.blocks * r.threads - W * H
    return idle <= 100 and r.threads % LANES == 0, string.format("%d x %d: %d idle", r.block[1], r.block[2], idle)
  end,
}

local one_guard = measure { kernel = "image_twice", form = "one-guard" }
local once = image:output("p")        -- every pixel doubled once
local after, touched = one_guard:output("p"), 0
for i = 0, W * H - 1 do
  touched = touched + (after[i] ~= once[i] and 1 or 0)
end

show(image, { at = { line = "p[i] =", kind = "store" }, focus = "segments" })
predict {
  id = "one-guard",
  title = "Guard it once?",
  [[Somebody saves a comparison: `if (y * w + x < w * h)` alone, to make every pixel twice as bright.]],
  ask = "What happens?",
  options = { "the image is right", "some pixels become too bright", "a thread leaves the image's memory" },
  answer = touched == 0 and "the image is right" or one_guard.faults[1].kind == "out_of_bounds"
    and "a thread leaves the image's memory" or "some pixels become too bright",
  wrong = {
    ["the image is right"] = "x = {w} in row 0 has no pixel. But what is `y * w + x` there?",
    ["a thread leaves the image's memory"] = "This guard keeps everybody inside. Is that enough?",
  },
  w = W,
  tips = { "Which element does the thread with x = {w}, y = 0 take?" },
  because = "x = {w} in row 0 *is* element 0 of row 1. Two threads have that pixel: it becomes too bright, or not, "
    .. "as they meet.",
  show = { run = one_guard, at = "end" },
}

make {
  id = "twice",
  title = "Twice as bright",
  [[A thread for each pixel; rows have `w` pixels, there are `h` of them. Any size of image, any block. Neighbors in
  x should be neighbors in memory.]],
  goal = "Double every pixel once, with few sectors.",
  kernel = "image_twice", from = "int x =", to = "  }",
  starter = [[
  int x = threadIdx.x;
  int y = threadIdx.y;
  {
    int i = 0;
    float old = p[i];
    p[i] = 2.0f * old;
  }]],
  solution = [[
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) {
    int i = y * w + x;
    float old = p[i];
    p[i] = 2.0f * old;
  }]],
  others = {
    { "one guard", [[
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (y * w + x < w * h) {
    int i = y * w + x;
    float old = p[i];
    p[i] = 2.0f * old;
  }]],
      says = "Behind the end of a row the next one begins: those pixels have two threads." },
    { "columns", [[
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) {
    int i = x * h + y;
    float old = p[i];
    p[i] = 2.0f * old;
  }]],
      says = "Right, but neighboring lanes are h words apart: a sector for each of them." },
    { "rows of the grid", [[
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) {
    int i = y * (gridDim.x * blockDim.x) + x;
    float old = p[i];
    p[i] = 2.0f * old;
  }]],
      says = "The grid's rows are longer than the image's: this runs past the end." },
  },
  runs = { { w = W, h = H }, { w = 64, h = 16 } },
  judged = function(run)
    local limit = 2 * cdiv(run.parameters.w * run.parameters.h * ELEMENT, 32)
    local sectors = run.counters.global_load_sectors
    return sectors <= limit, sectors > limit and "right, but neighbors are far apart: " .. counted(sectors,
    "sector") or nil
  end,
  tips = { "x and y as for one dimension, each with its own letters.", "A guard for each of the two rims." },
}

-- 6. ranks ----------------------------------------------------------------------------------------------

local ranks = measure { kernel = "grid3d", params = { nx = 8, ny = 4, nz = 1, bx = 4, by = 2, bz = 1 } }

local function rank_picture()
  local a, lines = ranks:output("a"), {}
  for y = 0, 3 do
    local cells = {}
    for x = 0, 7 do
      cells[#cells + 1] = string.format("%s%3d", x == 4 and " | " or x > 0 and " " or "", a[y * 8 + x])
    end
    lines[#lines + 1] = "  " .. table.concat(cells)
    if y == 1 then
      lines[#lines + 1] = "  " .. string.rep("-", 16) .. "+" .. string.rep("-", 17)
    end
  end
  return table.concat(lines, "\n")
end

local right_of_3 = ranks:output("a")[4]

show(ranks, { at = { line = "a[i] = rank" }, focus = "geometry" })
explain {
  title = "Rank is not place",
  "A thread's *rank* is its number in the whole grid. In a block: `(z * dimy + y) * dimx + x`, the blocks likewise, "
    .. "then `block * "
    .. "size + thread`. Two by two blocks of 4 x 2 threads:\n\n" .. rank_picture()
    .. "\n\nA rank runs through all of block 0 first. The right neighbor of 3 is {neighbor}.",
  neighbor = right_of_3,
}

local ID = 1234567
local volume = measure { kernel = "grid3d", cut = "compiled", params = { nx = 512, ny = 512, nz = 6, id = ID } }
local numbers = {}
for digits in volume.prints[1].text:gmatch("%d+") do
  numbers[#numbers + 1] = math.tointeger(digits)
end
local _, print_z, print_y, print_x, print_thread, print_block = table.unpack(numbers)
local block_size = volume.block[1] * volume.block[2] * volume.block[3]
local block_x, thread_x = print_block % volume.grid[1], print_thread % volume.block[1]

hide()
predict {
  id = "volume",
  title = "Thread {tid}",
  [[
  The book's volume: blocks of {bx} x {by} x {bz} threads, {gx} of them in x. Thread {tid} is number {thread} of block
  {block}, since {tid} = {size} x {block} + {thread}.

  Take x from both ranks by remainder.
  ]],
  bx = volume.block[1], by = volume.block[2], bz = volume.block[3], gx = volume.grid[1],
  thread = print_thread, block = print_block, size = block_size, tid = string.format("%d", ID),
  ask = "Which x does it have in the volume?",
  answer = print_x, unit = "",
  wrong = {
    [ID % 512] = "That is {tid} % 512: the place if threads were numbered along rows of the volume. They are not.",
    [block_x * volume.block[1]] = "That is where its block begins.",
    [thread_x] = "That is its x in the block.",
  },
  tips = { "Block: {block} % {gx} = {block_x}. Thread: {thread} % {bx} = {thread_x}.",
    "{block_x} blocks of {bx}, and {thread_x}." },
  block_x = block_x, thread_x = thread_x,
  because = "{block_x} x {bx} + {thread_x}: `a[{z}][{y}][{answer}]`. The book slips twice on the way, and ends right.",
  z = print_z, y = print_y,
}

-- 7. neighbors ---------------------------------------------------------------------------------------------

local dealt = measure { kernel = "gpu_sin_block_major" }
local dealt_store = dealt:event(STORE)

predict {
  id = "dealt",
  title = "Deal the cards",
  [[
  Another index: `step = threadIdx.x * gridDim.x + blockIdx.x`, with {blocks} blocks. Every element has one thread;
  the map is all ones. But lanes are {blocks} floats apart, and a sector has 32 bytes.
  ]],
  blocks = dealt.blocks,
  ask = "How many sectors does a store of 32 lanes touch?",
  answer = dealt_store.sectors, unit = "sectors",
  wrong = {
    [store.sectors] = "That was with neighbors. Now lane 1 is {bytes} bytes further.",
    [1] = "Only if all lanes were in the same 32 bytes.",
  },
  bytes = dealt.blocks * ELEMENT,
  tips = { "{blocks} floats are {bytes} bytes: how many lanes fall into one sector?" },
  because = "A sector for each lane: {all} in all, against {few} with neighbors. Same result, more traffic; L08 is "
    .. "about that.",
  all = dealt.counters.global_store_sectors, few = each.counters.global_store_sectors,
  show = { run = dealt, at = STORE, focus = "segments" },
}

-- 8. in your words -------------------------------------------------------------------------------------------

hide()
rubric {
  id = "say-it",
  title = "Say it",
  ask = "Why does a grid-stride loop with a stride of all threads visit every element exactly once?",
  model = [[
  With G threads the starts are 0 to G - 1, all different. A thread goes on by G, so it keeps its remainder by G.
  Every element has just one remainder, and so one owner. The guard ends the loop at the last element. None of this
  depends on how the G threads are cut into blocks.
  ]],
  points = {
    "the starts are all different: 0 to G - 1",
    "steps of G keep the remainder by G",
    "every element has one remainder, so one owner",
    "the guard ends it",
    "any launch will do",
  },
}

recite {
  id = "rules",
  title = "The rules",
  ask = "What do you keep of this lesson? A line each.",
  [[
  - Mine is start + pass x all threads.
  - `/` gives the block, `%` the place in it.
  - A guard for each dimension.
  - Neighbors in x are neighbors in memory.
  - An index is right when the visit map is all ones, for every launch.
  ]],
}

check { draw = 5 }

finish {
  title = "Indexing: what to keep",
  [[
  - Mine = start + pass x all threads.
  - `/` gives the block, `%` the thread.
  - Guard each dimension.
  - Neighbors for neighbors.
  - All ones, for every launch.

  Next: what a block becomes in the machine.
  ]],
  next = "L03",
}
