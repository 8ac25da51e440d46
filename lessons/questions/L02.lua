-- Questions drawn for L02, Indexing.

local STORE = "sums[step] ="

-- ---- element, block, thread ----------------------------------------------------------------------------------------

local function launch(d)
  local T, block = d.pick { 32, 64, 96, 128, 256 }, d.integer(2, 30)
  return T, block, d.integer(1, T - 1)
end

local function element_of_thread(d)
  local T, block, t = launch(d)
  return {
    [[Blocks of {T} threads, an element for each thread.]], T = T, block = block, t = t,
    ask = "Which element has thread {t} of block {block}?", answer = block * T + t, unit = "",
    wrong = {
      [(block - 1) * T + t] = "Blocks are counted from 0: {block} of them are in front.",
      [block * t] = "Times the threads of a block, not times the place.",
      [block + t] = "Every block in front has {T} threads.",
    },
    tips = { "How many threads do the blocks in front have?" },
    because = "{block} x {T} + {t}.",
  }
end

local function block_of_element(d)
  local T, block, t = launch(d)
  return {
    [[Blocks of {T} threads, an element for each thread.]], T = T, i = block * T + t, t = t,
    ask = "Which block does element {i}?", answer = block, unit = "",
    wrong = {
      [block + 1] = "Blocks are counted from 0, so division rounds down.",
      [t] = "That is the place in the block: the remainder.",
    },
    tips = { "Division gives the block, the remainder the place." },
    because = "{i} / {T} is {answer}, rounded down; its place there is {t}.",
  }
end

local function thread_of_element(d)
  local T, block, t = launch(d)
  return {
    [[Blocks of {T} threads, an element for each thread.]], T = T, i = block * T + t, block = block,
    ask = "Which thread of its block does element {i}?", answer = t, unit = "",
    wrong = {
      [block] = "That is the block.",
      [(block * T + t) % 32] = "That is the lane of a warp. The block has {T} threads.",
    },
    tips = { "Division gives the block, the remainder the place." },
    because = "{i} % {T} = {answer}, in block {block}.",
  }
end

-- ---- the grid-stride loop ------------------------------------------------------------------------------------------

local function grid_and_work(d)
  local blocks, T = d.integer(2, 6), d.pick { 32, 64, 128 }
  local G = blocks * T
  local N = G * d.integer(1, 5) + d.integer(1, G - 1)
  return blocks, T, G, N
end

local function next_element(d)
  local blocks, T, G = grid_and_work(d)
  local block, t = d.integer(1, blocks - 1), d.integer(0, T - 1)
  local i = block * T + t
  return {
    [[A grid-stride loop with {blocks} blocks of {T} threads. A thread has just done element {i}.]], blocks = blocks,
    T = T, i = i,
    ask = "Which element does it do next?", answer = i + G, unit = "",
    wrong = {
      [i + 1] = "That is its neighbor's.",
      [i + T] = "One block further is another block's element.",
      [i + T * T] = "That is the book's step. How many threads are there?",
    },
    tips = { "How many threads has the grid?" },
    because = "{blocks} x {T} further.",
  }
end

local function owner(d)
  local blocks, T, G, N = grid_and_work(d)
  local i = d.integer(G, N - 1)
  return {
    [[A grid-stride loop over {N} elements, with {blocks} blocks of {T} threads: {G}, numbered from 0 through all
    blocks.]],
    G = G, N = N, i = i,
    ask = "Which of them does element {i}?", answer = i % G, unit = "",
    wrong = {
      [i] = "There are only {G} threads.",
      [i % T] = "That is its place in the block.",
      [i // G] = "That is the pass in which it is done.",
    },
    blocks = blocks, T = T,
    tips = { "A thread keeps its remainder by {G}." },
    because = "{i} % {G}.",
  }
end

local function passes_of_warp(d)
  local blocks, T = d.integer(2, 6), d.pick { 32, 64, 128 }
  local steps = d.integer(400, 1000)
  local r = measure { kernel = "gpu_sin", params = { blocks = blocks, threads = T, steps = steps, terms = 1 } }
  local G = blocks * T
  return {
    [[{blocks} blocks of {T} threads stride over {steps} elements.]], blocks = blocks, T = T, steps = steps, G = G,
    ask = "How many passes does the first warp of block 0 make?",
    answer = r:count { line = STORE, kind = "store", block = 0, warp = 0 }, unit = "passes",
    wrong = {
      [steps // G] = "What is left over is a pass for the first warps.",
      [cdiv(steps, T)] = "All blocks work at the same time.",
    },
    tips = { "How many threads are there in all?" },
    because = "{steps} / {G}, rounded up for those in front.",
  }
end

local function elements_of_thread(d)
  local _, _, G, N = grid_and_work(d)
  local t = d.integer(0, G - 1)
  return {
    [[{G} threads stride over {N} elements.]], G = G, N = N, t = t,
    ask = "How many elements does thread {t} do?", answer = cdiv(N - t, G), unit = "elements",
    wrong = {
      [cdiv(N - t, G) + 1] = "The last of these is past the end.",
      [cdiv(N - t, G) - 1] = "Count the first one, too.",
    },
    tips = { "{t}, then {t} + {G}, and so on, below {N}." },
    because = "({N} - {t}) / {G}, rounded up.",
  }
end

-- ---- the lanes of the last warp ------------------------------------------------------------------------------------

local function tail_of_grid(d)
  local n = 32 * d.integer(2, 12) + d.integer(1, 31)
  local r = measure { kernel = "gpu_sin_if", params = { steps = n, threads = 128, terms = 1 } }
  local block, warp = (n - 1) // 128, (n - 1) % 128 // 32
  local store = r:event { line = STORE, kind = "store", block = block, warp = warp }
  return {
    [[A thread for each of {n} elements, `if (step < {n})`. A warp has threads {first} to {last}.]], n = n,
    first = 128 * block + 32 * warp, last = 128 * block + 32 * warp + 31,
    ask = "Which lanes store?", kind = "mask", answer = store.mask,
    wrong = {
      [0xffffffff] = "The last ones have no element.",
      [~store.mask & 0xffffffff] = "These are the idle ones.",
      [(1 << store.lanes + 1) - 1] = "Is {n} below {n}?",
    },
    tips = { "Which threads from {first} on are below {n}?" },
    because = "Threads {first} to {n} - 1.",
  }
end

local function tail_of_passes(d)
  local steps = 256 * d.integer(1, 3) + d.integer(1, 31)
  local r = measure { kernel = "gpu_sin", params = { blocks = 2, threads = 128, steps = steps, terms = 1 } }
  local store = r:event { line = STORE, kind = "store", block = 0, warp = 0, nth = steps // 256 + 1 }
  return {
    [[2 blocks of 128 threads stride over {steps} elements. The last pass begins with element {first}.]], steps = steps,
    first = steps // 256 * 256,
    ask = "Which lanes of the first warp store in it?", kind = "mask", answer = store.mask,
    wrong = {
      [0xffffffff] = "There are not enough elements left.",
      [(1 << store.lanes + 1) - 1] = "Element {steps} is past the end.",
    },
    tips = { "How many elements are left?" },
    because = "{left} elements are left.", left = store.lanes,
  }
end

local function at_most(d)
  local n = 32 * d.integer(2, 12) + d.integer(1, 30)
  local r = measure { kernel = "gpu_sin_if", form = "at-most", params = { steps = n, threads = 128, terms = 1 } }
  return {
    [[A guard `if (step <= {n})` for {n} elements, with {threads} threads.]], n = n, threads = r.blocks * r.threads,
    ask = "What is the number of the element that should not be touched, and is?", answer = n, unit = "",
    wrong = {
      [n - 1] = "That one is the last, and should be done.",
      [n + 1] = "`{n} + 1 <= {n}` is false.",
      [r.blocks * r.threads - 1] = "The guard stops that thread.",
    },
    tips = { "For which value do `<` and `<=` differ?" },
    because = "Elements are 0 to {n} - 1; `<=` lets {n} pass.",
  }
end

-- ---- visit maps ----------------------------------------------------------------------------------------------------

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

local STEPS_OF = { right = "gridDim.x * blockDim.x", lecture = "blockDim.x * blockDim.x", block = "blockDim.x" }

local function which_step(d)
  local blocks, threads = d.integer(2, 4), d.pick { 4, 5, 6, 8 }
  if blocks == threads then
    blocks = blocks - 1
  end
  local form = d.pick { "right", "lecture", "block" }
  local map = map_of(visits(form, blocks, threads))
  return {
    "Visits of 32 elements by a loop with {blocks} blocks of {threads} threads:\n\n " .. map .. "\n",
    blocks = blocks, threads = threads,
    ask = "What does a thread add to its `step`?",
    options = { STEPS_OF.right, STEPS_OF.lecture, STEPS_OF.block }, answer = STEPS_OF[form],
    wrong = {
      [STEPS_OF.right] = "Then every digit would be 1.",
      [STEPS_OF.lecture] = "Is that more than all threads, or less? Would the map look like this?",
      [STEPS_OF.block] = "Then later blocks would go over what earlier ones do: growing digits.",
    },
    square = threads * threads, all = blocks * threads,
    tips = { "Zeros: the step is too large. Growing digits: too small.", "There are {all} threads; {threads} "
      .. "squared is {square}." },
    because = "`{answer}`.",
  }
end

local function never_visited(d)
  local blocks, threads = d.integer(2, 5), d.pick { 8, 10, 12, 16 }
  local r = visits("lecture", blocks, threads, 64)
  local never, count = 0, r:output("count")
  for i = 0, #count - 1 do
    never = never + (count[i] == 0 and 1 or 0)
  end
  return {
    [[A loop over 64 elements with {blocks} blocks of {threads} threads has the step `blockDim.x * blockDim.x`.]],
    blocks = blocks,
    threads = threads, all = blocks * threads, square = threads * threads,
    ask = "How many elements are never visited?", answer = never, unit = "elements",
    wrong = {
      [0] = "The step is {square}; the grid has only {all} threads.",
      [64 - threads] = "All {blocks} blocks make a first pass.",
    },
    tips = { "{all} elements in the first pass. Where does the second one begin?" },
    because = "{all} threads, but a step of {square}: each pass leaves a hole behind.",
  }
end

local function visits_of_last(d)
  local blocks, threads = d.integer(2, 6), d.pick { 4, 5, 8 }
  local steps = blocks * threads + d.integer(0, threads)
  local r = visits("block", blocks, threads, steps)
  local count = r:output("count")
  return {
    [[{blocks} blocks of {threads} threads walk over {steps} elements, each thread with a step of `blockDim.x`.]],
    blocks = blocks,
    threads = threads, steps = steps,
    ask = "How often is the last element visited?", answer = count[#count - 1], unit = "times",
    wrong = {
      [1] = "Block 0 goes on to the end, too.",
      [steps] = "Only one thread of each block has the right remainder.",
    },
    tips = { "Which blocks begin before it?" },
    because = "Once by every block: all begin before it, and step over everything behind.",
  }
end

-- ---- images --------------------------------------------------------------------------------------------------------

local function image(d)
  local bx, by = d.pick { 16, 32 }, d.pick { 4, 8, 16 }
  local w, h = bx * d.integer(1, 4) + d.integer(1, bx - 1), by * d.integer(1, 4) + d.integer(1, by - 1)
  return w, h, bx, by
end

local function idle_pixels(d)
  local w, h, bx, by = image(d)
  local r = measure { kernel = "image_twice", params = { w = w, h = h, bx = bx, by = by } }
  local gw, gh = r.grid[1] * bx, r.grid[2] * by
  return {
    [[An image of {w} x {h} pixels, blocks of {bx} x {by} threads, rounded up in both directions.]], w = w, h = h,
    bx = bx, by = by,
    ask = "How many threads have no pixel?", answer = gw * gh - w * h, unit = "threads",
    wrong = {
      [(gw - w) * (gh - h)] = "That is the corner, where x and y are both too large.",
      [(gw - w) * h] = "That is the rim on the right alone.",
      [gw * (gh - h)] = "That is the rim below alone.",
    },
    gw = gw, gh = gh, tips = { "The grid has {gw} x {gh} threads." },
    because = "{gw} x {gh} threads and {w} x {h} pixels.",
  }
end

local function element_of_pixel(d)
  local w, h = image(d)
  local x, y = d.integer(0, w - 1), d.integer(1, h - 1)
  return {
    [[An image with {w} pixels in a row and {h} rows lies in memory row after row.]], w = w, h = h, x = x, y = y,
    ask = "Which element is the pixel x = {x}, y = {y}?", answer = y * w + x, unit = "",
    wrong = {
      [x * h + y] = "That would be column after column.",
      [y * h + x] = "A row has {w} pixels.",
      [(y - 1) * w + x] = "Rows are counted from 0: {y} of them are in front.",
    },
    tips = { "How many pixels are in the rows in front?" },
    because = "{y} x {w} + {x}.",
  }
end

local function blocks_of_image(d)
  local w, h, bx, by = image(d)
  return {
    [[An image of {w} x {h} pixels, blocks of {bx} x {by} threads.]], w = w, h = h, bx = bx, by = by,
    ask = "How many blocks does the grid need?", answer = cdiv(w, bx) * cdiv(h, by), unit = "blocks",
    wrong = {
      [w // bx * (h // by)] = "Both directions are rounded up.",
      [cdiv(w * h, bx * by)] = "Blocks cannot be bent around the rim: round each direction for itself.",
    },
    across = cdiv(w, bx), down = cdiv(h, by), tips = { "{across} blocks across." },
    because = "{across} across and {down} down.",
  }
end

local function two_owners(d)
  local w, h, bx = image(d)
  local gw = cdiv(w, bx) * bx
  return {
    [[{w} x {h} pixels, and a grid with {gw} threads in a row. The only guard is `if (y * w + x < w * h)`.]], w = w,
    h = h, gw = gw,
    ask = "How many pixels have two threads?", answer = (gw - w) * (h - 1), unit = "pixels",
    wrong = {
      [(gw - w) * h] = "Behind the last row there is no next one, and the guard holds there.",
      [0] = "x = {w} in row 0 is the first pixel of row 1.",
      [gw - w] = "That is for one row.",
    },
    rim = gw - w, tips = { "{rim} threads of a row have x beyond the rim. What is `y * w + x` for them?" },
    because = "{rim} in each row but the last: they are the first pixels of the row below.",
  }
end

-- ---- ranks ---------------------------------------------------------------------------------------------------------

local function small_block(d)
  local bx, by, bz = d.pick { 4, 8, 16 }, d.integer(2, 6), d.integer(2, 4)
  return bx, by, bz, d.integer(0, bx - 1), d.integer(0, by - 1), d.integer(1, bz - 1)
end

local function rank_in_block(d)
  local bx, by, bz, x, y, z = small_block(d)
  return {
    [[A block of {bx} x {by} x {bz} threads. Take the thread x = {x}, y = {y}, z = {z}.]], bx = bx, by = by, bz = bz,
    x = x, y = y, z = z,
    ask = "What is its rank in the block?", answer = (z * by + y) * bx + x, unit = "",
    wrong = {
      [(x * by + y) * bz + z] = "x runs first, z last.",
      [z * by + y * bx + x] = "A layer has {by} rows of {bx}.",
      [x + y + z] = "Count the threads in front: whole layers, whole rows.",
    },
    tips = { "How many threads has a layer? A row?" },
    because = "({z} x {by} + {y}) x {bx} + {x}.",
  }
end

local function place_of_rank(d)
  local bx, by, bz, x, y, z = small_block(d)
  local axis = d.pick { "x", "y", "z" }
  local rank, places = (z * by + y) * bx + x, { x = x, y = y, z = z }
  return {
    [[A block of {bx} x {by} x {bz} threads. Take the thread with rank {rank}.]], bx = bx, by = by, bz = bz,
    rank = rank,
    ask = "Which {axis} does it have?", axis = axis, answer = places[axis], unit = "",
    wrong = { [rank // bx] = "That is how many whole rows are in front, those of other layers as well.",
      [rank] = "A block has only {bx} in x." },
    layer = bx * by, tips = { "A layer has {layer} threads, a row {bx}." },
    because = "x = {px}, y = {py}, z = {pz}.", px = x, py = y, pz = z,
  }
end

local function rank_in_grid(d)
  local nx, ny, bx, by = 16, 8, 4, d.pick { 2, 4 }
  local r = measure { kernel = "grid3d", params = { nx = nx, ny = ny, nz = 1, bx = bx, by = by, bz = 1 } }
  local x, y = d.integer(0, nx - 1), d.integer(1, ny - 1)
  return {
    [[{gx} x {gy} blocks of {bx} x {by} threads. Ranks go through block 0, then block 1, and so on.]],
    gx = r.grid[1], gy = r.grid[2], bx = bx, by = by, x = x, y = y,
    ask = "What is the rank of the thread with x = {x}, y = {y} in the whole "
      .. "grid?", answer = r:output("a")[y * nx + x], unit = "",
    wrong = {
      [y * nx + x] = "That is its place, row after row of the grid. Ranks go block by block.",
      [y % by * bx + x % bx] = "That is its rank in the block.",
    },
    tips = { "Which block is it in?", "Block {px}, {py}; {size} threads a block." },
    px = x // bx, py = y // by, size = bx * by,
    because = "Block number {block}, thread {inside} of it.", block = y // by * r.grid[1] + x // bx,
    inside = y % by * bx + x % bx,
  }
end

local function from_bits(d)
  local first = d.integer(300000, 60000000)
  local axis = d.pick { "x", "y", "z" }
  local r = measure { kernel = "grid3d_bits", params = { first = first, n = 1, threads = 1 } }
  return {
    [[A volume of 512 x 512 x any. 512 is 2^{bits}. Element {tid} is {hex}.]], tid = first,
    hex = string.format("0x%x", first), bits = log2i(512),
    ask = "Which {axis} does it have?", axis = axis, answer = r:output(axis)[0], unit = "",
    wrong = {
      [first // 512] = "That is y and z together.",
      [first % 256] = "512 is {bits} bits, one more.",
    },
    tips = { "x is the remainder by 512, z the quotient by 512 x 512." },
    because = "{tid} = ({z} x 512 + {y}) x 512 + {x}.", x = r:output("x")[0], y = r:output("y")[0],
    z = r:output("z")[0],
  }
end

-- ---- neighbors -----------------------------------------------------------------------------------------------------

local function dealt_sectors(d)
  local blocks = d.pick { 2, 3, 4, 6, 8, 12 }
  local r = measure { kernel = "gpu_sin_block_major", params = { steps = blocks * 64, threads = 64, terms = 1 } }
  return {
    [[`step = threadIdx.x * gridDim.x + blockIdx.x` with {blocks} blocks. A float has 4 bytes, a sector 32.]],
    blocks = blocks,
    bytes = 4 * blocks,
    ask = "How many sectors does the first store of a warp touch?", answer = r:event({ line = STORE,
    kind = "store" }).sectors,
    unit = "sectors",
    wrong = {
      [4] = "That would be 32 neighbors. Lanes are {bytes} bytes apart here.",
      [blocks] = "Work out how many bytes are between the first lane and the last.",
    },
    tips = { "Lanes are {bytes} bytes apart. How many fall into one sector?" },
    because = "32 lanes, {bytes} bytes apart, in sectors of 32 bytes.",
  }
end

local function neighbor_sectors(d)
  local steps = 8 * d.integer(9, 120)
  local r = measure { kernel = "gpu_sin_if", params = { steps = steps, terms = 1 } }
  return {
    [[A thread for each of {steps} floats, neighbors for neighbors. A sector has 32 bytes; the array begins with
    one.]], steps = steps,
    ask = "How many sectors do all stores touch?", answer = r.counters.global_store_sectors, unit = "sectors",
    wrong = {
      [steps] = "Eight floats share a sector.",
      [cdiv(steps, 32)] = "That is stores: one for each warp.",
    },
    tips = { "How many floats are in a sector?" },
    because = "{steps} x 4 / 32: each sector once.",
  }
end

local function which_index(d)
  local INDICES = {
    { "blockIdx.x * blockDim.x + threadIdx.x", "1 element" },
    { "threadIdx.x * gridDim.x + blockIdx.x", "`gridDim.x` elements" },
    { "(blockIdx.x * blockDim.x + threadIdx.x) * 4", "4 elements" },
  }
  local one = d.pick(INDICES)
  return {
    [[A thread's element is `{index}`.]], index = one[1],
    ask = "How far apart are the elements of lanes that are neighbors?",
    options = { INDICES[1][2], INDICES[2][2], INDICES[3][2] }, answer = one[2],
    wrong = {
      [INDICES[1][2]] = "What stands before `threadIdx.x`, or behind it?",
      [INDICES[2][2]] = "Is `threadIdx.x` multiplied by `gridDim.x` here?",
      [INDICES[3][2]] = "Is the whole index multiplied by 4?",
    },
    tips = { "Let `threadIdx.x` grow by 1." },
    because = "When `threadIdx.x` grows by 1, the index grows by {answer}.",
  }
end

return {
  skill { id = "place", looks = { element_of_thread, block_of_element, thread_of_element } },
  skill { id = "stride", family = "EQ13", looks = { next_element, owner, passes_of_warp, elements_of_thread } },
  skill { id = "tail", family = "EQ14", looks = { tail_of_grid, tail_of_passes, at_most } },
  skill { id = "map", looks = { which_step, never_visited, visits_of_last } },
  skill { id = "image", looks = { idle_pixels, element_of_pixel, blocks_of_image, two_owners } },
  skill { id = "rank", looks = { rank_in_block, place_of_rank, rank_in_grid, from_bits } },
  skill { id = "neighbors", looks = { dealt_sectors, neighbor_sectors, which_index } },
}
