-- L12: how often is each number of a matrix product fetched, and how often is it used?

local M_LOAD = { line = "float Melement = Md", kind = "load", block = 0, warp = 0 }
local N_LOAD = { line = "float Nelement = Nd", kind = "load", block = 0, warp = 0 }
local M_FILL = { line = "Melement = Md[Row * Width + Mcol]", kind = "load", block = 0, warp = 0 }
local N_FILL = { line = "Nelement = Nd[Nrow * Width + Col]", kind = "load", block = 0, warp = 0 }
local USE = "Pvalue += Mds[ty][k] * Nds[k][tx]"
local WORD, LANES = 4, 32   -- bytes of a float, threads of a warp
local TILE = 16             -- rows and columns of a block
local TIMED = 1024          -- Width of the runs on a GPU

local function commas(n)
  local text = string.format("%d", n):reverse():gsub("(%d%d%d)", "%1,"):reverse()
  return (text:gsub("^,", ""))
end

local function naive(tile)
  return measure { kernel = "matmul_naive", params = { TILE_WIDTH = tile } }
end

local function tiled(tile)
  return measure { kernel = "matmul_tiled", params = { TILE_WIDTH = tile } }
end

-- A point on the way from memory to the peak; flops and bytes of one step of one thread.
local function roof(profile, tile)
  return model { "roofline", params = { profile = profile, flops = 2 * (tile or 1), bytes = 2 * WORD } }
end

recall(2)

-- 1. what a step asks for ---------------------------------------------------------------------------

local g80 = roof "g80"
local SEEN = 15   -- billion operations a second, as the lecture saw them

predict {
  id = "where", title = "Where is the rest?", sure = true,
  [[
  The lecture's G80 can do {peak} billion operations a second. Its first matrix product does about {seen}. Every lane has an
  element of its own to compute, and no branch parts a warp.
  ]],
  peak = string.format("%.0f", g80.peak), seen = SEEN,
  ask = "What holds it back?", kind = "choice",
  options = { "lanes that are idle", "numbers that come too slowly", "additions that wait for one another" },
  answer = g80.bound == "memory" and "numbers that come too slowly" or "lanes that are idle",
  wrong = {
    ["lanes that are idle"] = "Each has as much to do as all others.",
    ["additions that wait for one another"] = "Other warps could work meanwhile. They wait as well.",
  },
  because = "Two divisions show it. They come next.",
}

local plain = naive(TILE)
local WIDTH = plain.parameters.Width

show(plain, { at = { line = "Pvalue += Melement * Nelement", block = 0, warp = 0 }, focus = "divergence" })
say {
  title = "One thread, one element",
  [[
  P = M * N. A thread goes along a row of M and down a column of N. Each step brings one number of each and makes one multiply-add.

  There are {n} threads and {width} steps for each of them.
  ]],
  n = commas(WIDTH * WIDTH), width = WIDTH,
}

predict {
  id = "step", title = "Count a step",
  [[One step of the loop loads two floats, multiplies once and adds once.]],
  ask = "How many bytes does one operation need?", unit = "bytes", answer = 1 / g80.intensity,
  wrong = {
    [8] = "A multiply-add is two operations.", [2] = "Two words for two operations: how many bytes has a word?",
    [16] = "The bytes are for both operations together: divide.",
    [0.25] = "That is operations for a byte. Keep it: it will be the number that decides.",
  },
  tips = { "Two floats in; one multiplication, one addition." },
  because = "8 bytes for 2 operations.",
}

predict {
  id = "ceiling", title = "The ceiling",
  [[The memory of that G80 gives {bandwidth} billion bytes a second, and an operation needs {bytes} of them.]],
  bandwidth = g80.bandwidth, bytes = string.format("%.0f", 1 / g80.intensity),
  ask = "How many billion operations a second can it feed?", unit = "", answer = g80.attainable, tolerance = 0.11,
  wrong = {
    [g80.peak] = "So many could be done. Who brings the numbers?",
    [g80.bandwidth] = "An operation needs four bytes, not one.",
    [g80.bandwidth * 4] = "Four bytes for one operation: divide.",
    [g80.bandwidth / 8] = "8 bytes are for two operations.",
  },
  because = "{bandwidth} / 4. That is the second division: {seen} of {answer} were seen, {share}. The arithmetic could do {times} "
    .. "times as much.",
  seen = SEEN, share = percent(SEEN, g80.attainable), times = string.format("%.0f", g80.peak / g80.attainable),
}

-- 2. what a warp asks for ----------------------------------------------------------------------------

show(plain, { at = "start" })
predict {
  id = "same-word", title = "Who shares a word?",
  [[A block has 16 x 16 threads. All 32 lanes of warp 0 now load `Md[Row * Width + k]`, with the same k.]],
  kind = "mask", ask = "Which lanes load the same word as lane 0?", answer = 0xffff,
  wrong = {
    [0xffffffff] = "Then all would have the same Row. A row of this block has 16 threads.",
    [1] = "Row is what counts. Who has the same one?",
    [0x55555555] = "Lanes are counted along x first.",
  },
  tips = { "Which threadIdx.y has lane 15, and which has lane 16?" },
  because = "Lanes 0 to 15 are one row of the block. {words} different words for 32 lanes, {sectors} sectors.",
  words = plain:event(M_LOAD).bytes_used // WORD, sectors = plain:event(M_LOAD).sectors,
  show = { run = plain, at = M_LOAD, focus = "segments" },
}

show(plain, { at = N_LOAD, focus = "segments" })
explain {
  title = "And of N",
  [[
  The same lanes load `Nd[k * Width + Col]`: {words} words in a row, each for two lanes. Again {sectors} sectors.

  Nothing here is badly laid out. It is only asked for so often.
  ]],
  words = plain:event(N_LOAD).bytes_used // WORD, sectors = plain:event(N_LOAD).sectors,
}

local wide, narrow = naive(32), naive(8)

predict {
  id = "wide-m", title = "A block of 32 x 32",
  [[Now a warp is one row of the block.]],
  ask = "How many sectors has its load of M?", unit = "sectors", answer = wide:event(M_LOAD).sectors,
  wrong = {
    [32] = "All 32 lanes want one and the same word.", [2] = "That was with two rows in a warp.",
    [4] = "That is its load of N: 32 words in a row.",
  },
  tips = { "How many different rows of M do the 32 lanes have?" },
  because = "One word for all. Its load of N has {n}: 32 words in a row.", n = wide:event(N_LOAD).sectors,
  show = { run = wide, at = M_LOAD, focus = "segments" },
}

predict {
  id = "narrow-m", title = "A block of 8 x 8",
  [[Now four rows of the block make a warp.]],
  ask = "How many sectors has its load of M?", unit = "sectors", answer = narrow:event(M_LOAD).sectors,
  wrong = {
    [1] = "That is its load of N: 8 words in a row are one sector.",
    [8] = "8 is how long a row of the block is. How many rows are there?",
    [32] = "Lanes of one row want the same word.",
  },
  tips = { "Four words, and rows of M are {bytes} bytes apart." }, bytes = WIDTH * WORD,
  because = "{answer} words in {answer} rows.",
  show = { run = narrow, at = M_LOAD, focus = "segments" },
}

local threads, steps = WIDTH * WIDTH, WIDTH
predict {
  id = "requests", title = "The whole product",
  [[{n} threads, {steps} steps, and two loads in each of them.]], n = commas(threads), steps = steps,
  ask = "How many requests to memory does that make?", unit = "requests", answer = plain.counters.global_load_requests,
  wrong = {
    [threads * steps * 2] = "That is loads of threads. 32 of them are one request.",
    [plain.counters.global_load_requests // 2] = "M and N.",
    [2 * threads // LANES] = "That is one step. There are {steps}.",
    [threads * steps] = "That is multiply-adds.",
  },
  tips = { "How many warps are {n} threads?" },
  because = "{warps} warps x {steps} steps x 2. In sectors it is {sectors}.",
  warps = threads // LANES, sectors = commas(plain.counters.global_load_sectors),
  show = { run = plain, at = M_LOAD, margin = "executions" },
}

-- 3. how often is a number fetched --------------------------------------------------------------------

local reuse = model { "reuse", params = { width = WIDTH, tile = "naive", step = WIDTH } }
predict {
  id = "times", title = "Again and again",
  [[M and N have {numbers} numbers together. All threads together load {loads} times.]],
  numbers = commas(2 * threads), loads = commas(2 * threads * steps),
  ask = "How often is each number fetched?", unit = "times", answer = reuse.reads_of_an_element,
  wrong = { [WIDTH * 2] = "It is in one matrix only.", [1] = "One thread needs it once. How many threads need it?" },
  tips = { "A number of M is needed by a whole row of P." },
  because = "A row of P has {width} elements, and all of them need it. So each is fetched Width times, and used once each time.",
  width = WIDTH,
}

local SMALL, DONE = 8, 6   -- a Width whose every cell fits a small terminal; steps
picture { "reuse", params = { width = SMALL, tile = "naive", row = 2, col = 5, step = DONE } }
explain {
  title = "Fetched, used, forgotten",
  [[
  A product of {width} x {width} after {step} steps. A cell says how often its number was read so far; what is read now
  for one element of P is marked.

  Space goes on.
  ]],
  width = SMALL, step = DONE,
}

local TRACE = "matmul_trace_4x4"
local small = measure { kernel = TRACE }
local small_tiles = measure { kernel = TRACE, form = "tiled" }

-- How often the threads of block (0, 0) note that they read M[0].
local function reads_of_first(run)
  local notes, width, count = run:output "Mread", run.parameters.Width, 0
  local each = #notes // (width * width)
  for row = 0, 1 do
    for col = 0, 1 do
      for step = 0, each - 1 do
        count = count + (notes[(row * width + col) * each + step] == 0 and 1 or 0)
      end
    end
  end
  return count
end

show(small, { at = "start" })
predict {
  id = "twice", title = "Small enough to see all",
  [[
  The lecture's example: 4 x 4 matrices, blocks of 2 x 2 threads. Here each thread also notes what it reads.
  ]],
  ask = "How often do the four threads of block (0,0) read M[0], all together?", unit = "times", answer = reads_of_first(small),
  wrong = {
    [4] = "Four threads of P need it, but only two of them are in this block.",
    [1] = "One of them could do it for both. That comes next.",
  },
  tips = { "M[0] is in row 0. Which threads have row 0?" },
  because = "Two threads of the block have row 0. Loads of all blocks: {loads} numbers, for {numbers} there are.",
  loads = #small:output "Mread" + #small:output "Nread", numbers = 2 * #small:output "P",
  show = { run = small, at = { line = "sum += M[m] * N[n]", kind = "load" }, focus = "segments" },
}

show(small_tiles, { at = { line = "Mtile[ty][tx] = M[m]", kind = "load" }, focus = "segments" })
explain {
  title = "Fetch once, use twice",
  [[
  If the four threads agree, each brings one number of M and one of N. Two of them use each of these eight: {loads}
  loads in place of {before}.

  The lecture's table of this writes M(column,row), its pictures (row,column). We stay with (row,column).
  ]],
  loads = #small_tiles:output "Mread" + #small_tiles:output "Nread",
  before = #small:output "Mread" + #small:output "Nread",
}

-- 4. tiles --------------------------------------------------------------------------------------------

local tiles = tiled(TILE)
picture { "reuse", params = { width = SMALL, tile = "2", row = 2, col = 5, step = 3 } }
say {
  title = "A square at a time",
  [[
  A block fetches a square of M and a square of N, its *tiles*, one number of each for every thread. All use them. Then the tile
  of M moves to the right and that of N downward.

  Space moves them.
  ]],
}

local figure = measure { kernel = "tile_figure_9x9" }
show(figure, { at = { line = "part += Atile[ty][k]", kind = "load" }, focus = "banks" })
predict {
  id = "nine", title = "9 x 9 in tiles of 3 x 3",
  [[An element of C needs 9 numbers of A and 9 of B. It is the sum of three products of tiles, and each of these
  is a phase of the loop.]],
  ask = "How many numbers does one thread fetch from global memory?", unit = "numbers",
  answer = figure.counters.global_load_requests // figure.blocks,
  wrong = {
    [18] = "So many it uses. Others of its block fetch most of them.", [2] = "That is one phase of three.",
    [9] = "Three phases, and two numbers in each.", [3] = "One of A in each phase, and one of B.",
  },
  tips = { "One number of each tile, and two tiles in each phase." },
  because = "{answer} in place of 18: a third, for tiles of 3.",
}

hide()
predict {
  id = "phase", title = "The phase in order", kind = "order",
  [[What a block does for each pair of tiles. One line belongs nowhere.]],
  ask = "In which order?",
  lines = { "fetch my number of each tile", "wait for the whole block", "multiply a row by a column of the tiles",
            "wait again", "go on to the next tiles" },
  spare = { "leave if my element is not in P" },
  wrong = {
    ["leave if my element is not in P"] = "The others still need the numbers that this thread fetches, and wait for it.",
    ["multiply a row by a column of the tiles"] = "Of these numbers others have fetched most.",
  },
  tips = { "Two waits: before others' numbers are used, and before they are overwritten." },
  because = "Two walls: one before use, one before the next filling.",
}

trace {
  id = "warp", title = "Be warp 0 of the tiles",
  [[You are warp 0, two rows of 16 lanes. The last line reads `Mds`, then `Nds`.]],
  run = tiles, ask = "sectors",
  at = {
    M_FILL, N_FILL,
    { { line = "Mds[ty][tx] = Melement", kind = "store", block = 0, warp = 0 }, ask = "wavefronts" },
    { { line = USE, kind = "load", space = "shared", block = 0, warp = 0 }, ask = "wavefronts" },
    { { line = USE, kind = "load", space = "shared", block = 0, warp = 0, nth = 2 }, ask = "wavefronts" },
  },
  wrong = {
    [1] = { [2] = "Two rows of 16 words each: 16 x 4 = 64 bytes are two sectors.", [1] = "16 x 4 = 64 bytes." },
    [2] = { [2] = "Two rows of N, two sectors each.", [1] = "Two rows of two sectors." },
    [3] = { [2] = "Two rows of 16 words are 32 words in a row: one for each bank." },
    [4] = { [2] = "Two words in two banks come together.", [32] = "Lanes that want the same word do not queue." },
    [5] = { [2] = "Both rows of threads want the same 16 words.", [16] = "16 words in 16 banks come together." },
  },
  tips = { "Count different pieces of 32 bytes, or different words in a bank." },
  because = "Full requests to memory, and no conflict inside.",
}

predict {
  id = "saved", title = "What does it save?",
  [[Without tiles there were {before} requests. A tile has 16 x 16 numbers, and Width is {width}.]],
  before = commas(plain.counters.global_load_requests), width = WIDTH,
  ask = "How many requests now?", unit = "requests", answer = tiles.counters.global_load_requests,
  wrong = {
    [tiles.counters.global_load_requests // 2] = "Two tiles in each phase.",
    [plain.counters.global_load_requests // WIDTH] = "/ {width} would need a tile as large as the matrix.",
    [tiles.counters.global_load_sectors] = "That is sectors.",
    [plain.counters.global_load_requests // (TILE * TILE)] = "A number serves a row or a column of a tile, not all.",
  },
  tips = { "Each fetched number now serves 16 threads." },
  because = "A sixteenth: each number is fetched Width / 16 = {times} times. Not once, as the lecture says, but once for each "
    .. "block that needs it.",
  times = tiles.counters.global_load_bytes // (2 * threads * WORD),
  show = { run = tiles, at = M_FILL, margin = "executions" },
}

predict {
  id = "sectors", title = "Sectors are another matter",
  [[Requests went down to a sixteenth. Sectors were {before}.]], before = commas(plain.counters.global_load_sectors),
  ask = "By what are they divided?", unit = "", answer = plain.counters.global_load_sectors // tiles.counters.global_load_sectors,
  wrong = {
    [16] = "A request of M was a broadcast: 2 sectors for 32 lanes. Now it is full.",
    [4] = "A request has twice the sectors, so half of 16 is lost, not three quarters.",
  },
  tips = { "Before: 2 sectors a request. Now?" },
  because = "A request has {now} sectors in place of {then_}, and all bytes of them are used.",
  now = tiles.counters.global_load_sectors // tiles.counters.global_load_requests,
  then_ = plain.counters.global_load_sectors // plain.counters.global_load_requests,
}

local function factors(before, after)
  local b, a = before.counters, after.counters
  return string.format("%4d %9d", b.global_load_requests // a.global_load_requests,
    b.global_load_sectors // a.global_load_sectors)
end
explain {
  title = "What is counted?",
  [[
  Tiles divide requests and sectors by:

      tile  requests  sectors
         8    {eight}
        16    {sixteen}
        32    {all}

  The lecture counts words of threads and gets the tile's width. Memory gives sectors, and caches answer many of the first
  kernel's.
  ]],
  eight = factors(narrow, tiled(8)), sixteen = factors(plain, tiles), all = factors(wide, tiled(32)),
}

-- 5. the code ------------------------------------------------------------------------------------------

show(tiles, { at = M_FILL, focus = "segments" })
make {
  id = "indices", title = "Two indices",
  [[Here Width is a multiple of the tile. Bring one number of each tile: `m` counts tiles, `tx` and `ty` are in the tile.]],
  kernel = "matmul_tiled", form = "lecture", from = "    int Mcol =", to = "Nds[ty][tx] = Nd",
  starter = [[
    Mds[ty][tx] = Md[Row * Width + tx];
    Nds[ty][tx] = Nd[ty * Width + Col];]],
  solution = [[
    int Mcol = m * TILE_WIDTH + tx;
    int Nrow = m * TILE_WIDTH + ty;
    Mds[ty][tx] = Md[Row * Width + Mcol];
    Nds[ty][tx] = Nd[Nrow * Width + Col];
  ]],
  others = {
    { "no m", [[
    Mds[ty][tx] = Md[Row * Width + tx];
    Nds[ty][tx] = Nd[ty * Width + Col];]], says = "Each phase brings the same tiles. Where is m?" },
    { "tx for the row of N", [[
    Mds[ty][tx] = Md[Row * Width + m * TILE_WIDTH + tx];
    Nds[ty][tx] = Nd[(m * TILE_WIDTH + tx) * Width + Col];]], says = "The row of N goes with ty." },
    { "ty along the row of M", [[
    Mds[ty][tx] = Md[Row * Width + m * TILE_WIDTH + ty];
    Nds[ty][tx] = Nd[(m * TILE_WIDTH + ty) * Width + Col];]], says = "All lanes of a row would bring one number." },
    { "first columns of N", [[
    Mds[ty][tx] = Md[Row * Width + m * TILE_WIDTH + tx];
    Nds[ty][tx] = Nd[(m * TILE_WIDTH + ty) * Width + tx];]], says = "Every block takes the first columns. Col has the block in it." },
    { "turned", [[
    int row = blockIdx.y * TILE_WIDTH + tx;
    int col = blockIdx.x * TILE_WIDTH + ty;
    Mds[tx][ty] = Md[row * Width + m * TILE_WIDTH + ty];
    Nds[tx][ty] = Nd[(m * TILE_WIDTH + tx) * Width + col];]],
      says = "Right, and slow: neighbors in tx have to be neighbors in memory." },
  },
  runs = { {}, { Width = 32, TILE_WIDTH = 8 } },
  judged = function(run, p)
    local most = 2 * p.Width * p.Width * (p.Width // p.TILE_WIDTH) * WORD // 32
    local sectors = run.counters.global_load_sectors
    return sectors <= most, string.format("%s sectors; %s are enough", commas(sectors), commas(most))
  end,
  tips = { "Neighbors in tx have to be neighbors in memory, in both matrices." },
  because = "`tx` stands alone at the end of both indices, so lanes load neighbors.",
}

-- 6. two walls -------------------------------------------------------------------------------------------

local open = measure { kernel = "matmul_tiled", form = "nofirst", order = "whole" }
local unwritten = 0
for _, fault in ipairs(open.faults) do
  unwritten = unwritten + (fault.kind == "uninitialized" and 1 or 0)
end
show(tiles, { at = { kind = "barrier", block = 0, warp = 0 }, focus = "barrier" })
predict {
  id = "first-wall", title = "Without the first wall",
  [[The barrier between filling and using is gone.]],
  ask = "What comes of it?", kind = "choice",
  options = { "the right result", "numbers are used that nobody has brought", "the block waits for ever" },
  answer = unwritten > 0 and "numbers are used that nobody has brought" or "the right result",
  wrong = {
    ["the right result"] = "A thread needs a whole row of others' numbers.",
    ["the block waits for ever"] = "There is one barrier less to wait at.",
  },
  because = "A fast warp multiplies what a slow one has yet to fetch.",
  show = { run = open, at = { line = USE, kind = "load", block = 0, warp = 0 }, focus = "banks" },
}

local late = measure { kernel = "matmul_tiled", form = "nobarrier", order = "whole" }
local luck = measure { kernel = "matmul_tiled", form = "nobarrier" }
show(tiles, { at = { kind = "barrier", block = 0, warp = 0, nth = 2 }, focus = "barrier" })
predict {
  id = "second-wall", title = "Without the second wall",
  [[Now the barrier behind the inner loop is gone. Some warps are faster than others.]],
  ask = "Which tile is damaged?", kind = "choice",
  options = { "the one in use", "the next one", "none" },
  answer = #late.faults > 0 and "the one in use" or "none",
  wrong = {
    ["the next one"] = "It comes whole. What it covers is gone.",
    ["none"] = "All have fetched, so all is there. And then somebody fetches the next.",
  },
  tips = { "A fast warp begins the next phase. What does it do first?" },
  because = "A fast warp fills in the next tile over numbers that a slow one still needs. Here the result is {verdict}. With warps "
    .. "in another order it is {other}, and the check tells the race all the same.",
  verdict = late.verdict, other = luck.verdict,
}

show(late, { at = "start" })
predict {
  id = "damaged", title = "Name the read", kind = "line",
  [[The check reports a race: one line writes a cell, another reads it, and no barrier is between them.]],
  ask = "Go to the line that reads the damaged cell.", answer = USE,
  wrong = {
    ["Mds[ty][tx] = Melement"] = "That one writes.", ["Nds[ty][tx] = Nelement"] = "That one writes.",
    ["__syncthreads();"] = "This wall stands where it should.",
    ["Melement = Md"] = "That reads global memory, which nobody writes.",
    ["Nelement = Nd"] = "That reads global memory, which nobody writes.",
  },
  because = "Here a slow warp still reads, while a fast one is a phase ahead and writes.",
  show = { run = late, at = { line = USE, kind = "load", block = 0, warp = 0 }, focus = "banks" },
}

-- 7. any size ----------------------------------------------------------------------------------------------

local forty = { Width = 40 }
show(measure { kernel = "matmul_tiled", form = "lecture" }, { at = "start" })
local cut_off = measure { kernel = "matmul_tiled", form = "lecture", params = forty }
local missing = forty.Width * forty.Width - cut_off.counters.global_store_bytes // WORD
predict {
  id = "forty", title = "Width {width}",
  [[Tiles of 16, and a grid of {width} / 16 blocks each way, as it is printed. P has {n} elements.]],
  width = forty.Width, n = commas(forty.Width * forty.Width),
  ask = "How many of them are never computed?", unit = "elements", answer = missing,
  wrong = {
    [0] = "In C, {width} / 16 is 2.", [8] = "8 columns and 8 rows of them.", [64] = "That is the last corner alone.",
    [2 * 8 * forty.Width] = "The corner is in both rims. Count it once.",
    [8 * forty.Width] = "One rim only. There are two.",
    [forty.Width * forty.Width - missing] = "So many are computed.",
  },
  tips = { "2 x 2 blocks of 16 x 16 are computed." },
  because = "{n} - 32 x 32. The tiles are cut off alike, so those computed are wrong, too.",
  show = { run = cut_off, at = "end", margin = "executions" },
}

show(measure { kernel = "matmul_tiled", params = forty }, { at = "start" })
make {
  id = "any-width", title = "Any Width",
  [[The grid is rounded up, and so is the loop. What lies outside must not be read. Complete the loads.]],
  kernel = "matmul_tiled", from = "    float Melement = 0.0f;", to = "      Nelement = Nd[Nrow * Width + Col];",
  starter = [[
    float Melement = Md[Row * Width + Mcol];
    float Nelement = Nd[Nrow * Width + Col];]],
  solution = [[
    float Melement = 0.0f;
    float Nelement = 0.0f;
    if (Row < Width && Mcol < Width)
      Melement = Md[Row * Width + Mcol];
    if (Nrow < Width && Col < Width)
      Nelement = Nd[Nrow * Width + Col];
  ]],
  others = {
    { "no test", [[
    float Melement = Md[Row * Width + Mcol];
    float Nelement = Nd[Nrow * Width + Col];]], says = "The last blocks reach past the end." },
    { "leave early", [[
    if (Row >= Width || Col >= Width)
      return;
    float Melement = 0.0f;
    float Nelement = 0.0f;
    if (Mcol < Width)
      Melement = Md[Row * Width + Mcol];
    if (Nrow < Width)
      Nelement = Nd[Nrow * Width + Col];]], says = "Others wait for this thread, and need what it would fetch." },
    { "test of P", [[
    float Melement = 0.0f;
    float Nelement = 0.0f;
    if (Row < Width && Col < Width) {
      Melement = Md[Row * Width + Mcol];
      Nelement = Nd[Nrow * Width + Col];
    }]], says = "Is Mcol inside? Who fetches for the others?" },
  },
  runs = { { Width = 40 }, { Width = 19, TILE_WIDTH = 8 } },
  tips = { "What does a product with 0 add?", "Each load has a row and a column of its own to test." },
  because = "Zeros add nothing, and everybody comes to both walls.",
}

local OBLONG = { Ax = 48, Bx = 24 }
local oblong = measure { kernel = "gputiled", form = "lecture", params = OBLONG }
local BIG = { Ay = 1024, Ax = 1024, Bx = 512, TS = 32 }
show(oblong, { at = { line = "t < gridDim.x", block = 0, warp = 0 }, focus = "divergence" })
predict {
  id = "tiles", title = "How many tiles?",
  [[
  This kernel takes any shapes. Its loop is printed as `t < gridDim.x`. A is {ay} x {ax}, B is {ax} x {bx}, tiles are {ts} x {ts}.
  ]],
  ay = BIG.Ay, ax = BIG.Ax, bx = BIG.Bx, ts = BIG.TS,
  ask = "How many tiles does each sum get?", unit = "tiles", answer = cdiv(BIG.Bx, BIG.TS),
  wrong = {
    [cdiv(BIG.Ax, BIG.TS)] = "So many it needs. gridDim.x counts blocks along a row of C.",
    [cdiv(BIG.Bx, BIG.TS) * cdiv(BIG.Ay, BIG.TS)] = "That is blocks of the grid.",
  },
  tips = { "How wide is C?" },
  because = "C has {bx} columns: {answer} blocks. The sum runs over Ax and needs {need}. Half of it is missing, and no fault is told.",
  need = cdiv(BIG.Ax, BIG.TS),
}

modify {
  id = "bound", title = "The right bound",
  [[Here A has {ax} columns, and B is {ax} x {bx}. Make the loop right for all shapes.]],
  ax = OBLONG.Ax, bx = OBLONG.Bx,
  kernel = "gputiled", form = "lecture", line = "t < gridDim.x", blank = "  for (int t = 0; ____; t++) {", fill = "t * TS < Ax",
  accept = { "t < (Ax + TS - 1) / TS", "TS * t < Ax", "t <= (Ax - 1) / TS" },
  runs = { OBLONG, { Ax = 24, Bx = 48 }, { Ax = 21, Ay = 9, Bx = 10 } },
  wrong = {
    ["t < Ax / TS"] = "Rounded down: the last, narrow tile is missing.",
    ["t < gridDim.y"] = "That counts rows of C.",
    ["t < Bx / TS"] = "That is as wide as C.",
  },
  offered = { "t * TS < Ay" },
  tips = { "Over which of the three sizes does a sum run?" },
  because = "The test was square, and there all three are the same.",
}

-- 8. which tile -----------------------------------------------------------------------------------------------

local sweep = {}
for i = 1, 3 do
  sweep[i] = measure { kernel = "tile_sweep", launch = i }
end
show(sweep[3], { at = { line = USE, kind = "load", block = 0, warp = 0 }, focus = "banks" })
predict {
  id = "sweep", title = "Twice as wide",
  [[Three launches: tiles of 8, 16 and 32 make {a}, {b} and {c} requests.]],
  a = commas(sweep[1].counters.global_load_requests), b = commas(sweep[2].counters.global_load_requests),
  c = commas(sweep[3].counters.global_load_requests),
  ask = "Tiles of 64 would make half of the last. What forbids them here?", kind = "choice",
  options = { "shared memory", "threads of a block", "registers" }, answer = "threads of a block",
  wrong = {
    ["shared memory"] = "Two tiles of 64 x 64 floats are {kb} KB, and a block may have 48.",
    ["registers"] = "A thread needs as few as before. How many threads are there?",
  },
  kb = 2 * 64 * 64 * WORD // 1024,
  tips = { "A thread for each element of the tile." },
  because = "64 x 64 = {threads} threads, and a block has at most 1024. Kernels with larger tiles let a thread make several elements.",
  threads = commas(64 * 64),
}

local old = model { "occupancy", params = { profile = "g80", threads = 256, registers = 10 } }
picture { "occupancy", params = { profile = "g80", threads = 64, registers = 10 } }
try {
  id = "g80", title = "Your turn: the lecture's machine",
  [[Left and Right change `threads` of a block on the G80. The tiles are 8 x 8 = 64 or 16 x 16 = 256 threads.]],
  goal = "A square tile that fills the multiprocessor: {warps} warps.", warps = old.max_warps,
  params = { "threads" }, solution = { threads = 256 },
  tips = { "64 threads: which limit is reached first?" },
  reached = function(sm)
    local threads_of_block = sm.warps_per_block * LANES
    local side = math.floor(threads_of_block ^ 0.5 + 0.5)
    return sm.occupancy == 1 and side * side == threads_of_block,
      counted(sm.blocks, "block") .. ", " .. counted(sm.warps, "warp")
  end,
}

-- 9. the roof --------------------------------------------------------------------------------------------------

picture { "roofline", params = { profile = "g80", flops = 2, bytes = 8, points = "naive:0.25:" .. SEEN, beside = "h200" } }
say {
  title = "Speed is use per byte",
  [[
  A *roofline*: to the right, operations for each byte; upward, operations a second. The slope is what memory feeds, the flat roof
  what the units can do. They meet at {ridge} on the G80, at {now} on an H200.
  ]],
  ridge = string.format("%.1f", g80.ridge), now = string.format("%.1f", roof "h200".ridge),
}

predict {
  id = "dot", title = "Move the dot",
  [[The first product is at {x} operations a byte. Tiles of 16 use each fetched number 16 times.]], x = g80.intensity,
  ask = "Where does the dot go?", unit = "operations a byte", answer = roof("g80", 16).intensity,
  wrong = {
    [16] = "That is the factor, not the place.", [8] = "That is tiles of 32.",
    [0.25 / 16] = "The other way: more use of each byte.",
  },
  because = "16 x {x}.",
}

picture { "roofline", params = { profile = "g80", beside = "none", flops = 32, bytes = 8,
  points = "naive:0.25:" .. SEEN } }
explain {
  title = "Where the slope ends",
  [[
  Now the limit is {limit} billion a second, and the units have no more to give. Wider tiles would not help this machine.

  The lecture prints 347.6; 16 x {plain} is {right}.
  ]],
  limit = string.format("%.0f", roof("g80", 16).attainable), plain = g80.attainable,
  right = string.format("%.1f", 16 * g80.attainable),
}

picture { "reuse", params = { width = WIDTH, tile = "4", step = WIDTH } }
try {
  id = "intensity", title = "Your turn: further right",
  [[This picture counts words of threads. Change `tile`.]],
  goal = "At least 6 operations for each byte.", params = { "tile" }, solution = { tile = "32" },
  tips = { "Use grows with the side of the tile." },
  reached = function(now)
    return now.flop_per_byte >= 6, string.format("%g operations a byte", now.flop_per_byte)
  end,
}

local function recorded(kernel)
  return measure { kernel = kernel, device = "recorded", lecture = true, cut = "compiled" }
end
local slow, fast = recorded "matmul_naive", recorded "matmul_tiled"
local function gflops(run) return 2 * TIMED ^ 3 / run.time / 1000 end
local h200 = roof "h200"
local asked = slow.counters.global_load_sectors * 32 / slow.time / 1000

hide()
local gain = slow.time / fast.time
predict {
  id = "today", title = "On an H200", sure = true,
  [[Both kernels were timed there, with matrices of {n} x {n} and tiles of 16.]], n = TIMED,
  ask = "How many times faster is the one with tiles?", kind = "choice",
  options = { "16 times", "half of that", "less than 2 times" },
  answer = gain < 2 and "less than 2 times" or gain < 12 and "half of that" or "16 times",
  wrong = {
    ["16 times"] = "So many fewer requests go out. Not all of them went to memory before.",
    ["half of that"] = "So many fewer sectors. Who answered them?",
  },
  because = "{a} and {b} us: {gain} times. This GPU has large caches.",
  a = string.format("%.0f", slow.time), b = string.format("%.0f", fast.time), gain = string.format("%.2f", gain),
}

-- Of a multiply-add, by the sectors that the first kernel asks for.
local ASKED = slow.counters.global_load_sectors * 32 // TIMED ^ 3 | 0
picture { "roofline", params = { profile = "h200", beside = "none", flops = 2, bytes = ASKED,
  points = string.format("naive:%.3g:%.0f tiled:%.3g:%.0f",
    2 * TIMED ^ 3 / (slow.counters.global_load_sectors * 32), gflops(slow),
    2 * TIMED ^ 3 / (fast.counters.global_load_sectors * 32), gflops(fast)) } }
explain {
  title = "A guarantee",
  [[
  The first kernel asks for {asked} GB/s, {times} times what this memory gives. Caches answer the rest, and its dot lies above
  the slope. It reaches {a} Gflop/s, the tiles {b}, of {peak}.

  A tile is no miracle today. It is a guarantee: reuse that no other block can push out.
  ]],
  asked = commas(asked // 1 | 0), times = string.format("%.2f", asked / h200.bandwidth),
  a = commas(gflops(slow) // 1 | 0), b = commas(gflops(fast) // 1 | 0), peak = commas(h200.peak // 1 | 0),
}

-- 10. to keep ----------------------------------------------------------------------------------------------------

hide()
rubric {
  id = "which", title = "8, 16 or 32?",
  ask = "Which side of a tile would you take, on the G80 and today? Say why.",
  model = [[On the G80 32 x 32 is 1024 threads, more than its 512 a block; 8 x 8 fills 8 places with 512 of 768 threads; 16 x 16
fills all 768. Today all three fill a multiprocessor. 32 uses each number most and makes the fewest requests, but its blocks are
the coarsest. Shared memory, 2 T^2 floats, is no limit yet.]],
  points = { "the limit of threads in a block", "the limit of blocks, for 8 x 8", "use grows with the tile",
             "shared memory: 2 T^2 floats", "judged again for today" },
}

check { draw = 5 }

recite {
  title = "From memory", ask = "What is to be kept of tiles? One line each.",
  [[
  - Each number is fetched Width / T times.
  - Two walls: before use, before the next filling.
  - Neighbors in `tx` are neighbors in memory.
  - Outside counts as zero; nobody leaves before a wall.
  - A sum runs over the inner side.
  - Operations a byte decide what is the limit.
  ]],
}

finish {
  title = "Products: what to keep",
  [[
  How often is each number fetched, and how often is it used? Speed is use per byte.

  Next: what you can promise a compiler, and who checks it.
  ]],
  next = "L13",
}
