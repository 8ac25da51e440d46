-- Questions drawn for L12, Matrix multiply I.

local WORD, LANES = 4, 32
local USE = "Pvalue += Mds[ty][k] * Nds[k][tx]"

local function commas(n)
  local text = string.format("%d", n):reverse():gsub("(%d%d%d)", "%1,"):reverse()
  return (text:gsub("^,", ""))
end

local function product(kernel, width, tile, form)
  return measure { kernel = kernel, form = form, order = "whole", params = { Width = width, TILE_WIDTH = tile } }
end

-- ---- bytes and operations ---------------------------------------------------------------------------------------

local function fed_by(d)
  local bandwidth = 20 * d.integer(3, 90)
  return {
    [[A plain matrix product loads two floats for a multiplication and an addition. Memory gives {bandwidth} GB/s.]],
    bandwidth = bandwidth,
    ask = "How many Gflop/s can that feed, without caches?", answer = bandwidth / 4, unit = "Gflop/s",
    wrong = { [bandwidth] = "An operation needs four bytes.", [bandwidth / 8] = "A multiply-add is two operations.",
              [bandwidth * 4] = "Four bytes for one operation: divide." },
    tips = { "8 bytes for 2 operations." }, because = "{bandwidth} / 4.",
  }
end

local function fed_with_tiles(d)
  local tile, bandwidth = d.pick { 8, 16, 32 }, 40 * d.integer(2, 25)
  return {
    [[A product by tiles of {tile} x {tile} uses each float that it fetches {tile} times. Memory gives {bandwidth} GB/s.]],
    tile = tile, bandwidth = bandwidth,
    ask = "How many Gflop/s can that feed?", answer = bandwidth / 4 * tile, unit = "Gflop/s",
    wrong = { [bandwidth / 4] = "That is without tiles.", [bandwidth * tile] = "Without tiles an operation needs four bytes.",
              [bandwidth / 4 * tile * tile] = "A float serves a row of the tile, not all of it." },
    tips = { "Without tiles it is {bandwidth} / 4." }, because = "{bandwidth} / 4 x {tile}.",
  }
end

local function bandwidth_for(d)
  local peak = 100 * d.integer(2, 90)
  return {
    [[A plain product loads two floats for each multiply-add. The units can do {peak} Gflop/s.]], peak = peak,
    ask = "How many GB/s would keep them busy, without caches?", answer = 4 * peak, unit = "GB/s",
    wrong = { [peak] = "An operation needs four bytes.", [8 * peak] = "8 bytes are for two operations.",
              [peak / 4] = "The other way: bytes for each operation." },
    tips = { "How many bytes does one operation need?" }, because = "4 x {peak}.",
  }
end

-- ---- requests and sectors -----------------------------------------------------------------------------------------

local function requests(d)
  local by_tiles, width, tile = d.chance(0.5), 32 * d.integer(1, 2), d.pick { 8, 16, 32 }
  local run = product(by_tiles and "matmul_tiled" or "matmul_naive", width, tile)
  local n = run.counters.global_load_requests
  return {
    [[Matrices of {width} x {width}, blocks of {tile} x {tile}. {how}.]], width = width, tile = tile,
    how = by_tiles and "The product goes by tiles as large as a block" or "The product has no tiles: two loads in each step",
    ask = "How many requests do all loads make?", answer = n, unit = "requests",
    wrong = { [n // 2] = "M and N.", [n * LANES] = "32 loads of threads are one request.",
              [by_tiles and n * tile or n // tile] = by_tiles and "That is without tiles." or "That is with tiles." },
    tips = { "{warps} warps. How many loads does each make?" }, warps = width * width // LANES,
    because = "{warps} warps, {loads} loads each.", loads = n // (width * width // LANES),
  }
end

local function sectors_of_load(d)
  local tile, of_m = d.pick { 8, 16, 32 }, d.chance(0.5)
  local run = product("matmul_naive", 64, tile)
  local load = run:event { line = of_m and "float Melement = Md" or "float Nelement = Nd", kind = "load", block = 0, warp = 0 }
  return {
    [[A product without tiles, Width 64, blocks of {tile} x {tile}. Warp 0 loads {what}.]], tile = tile,
    what = of_m and "`Md[Row * Width + k]`" or "`Nd[k * Width + Col]`",
    ask = "How many sectors?", answer = load.sectors, unit = "sectors",
    wrong = { [LANES] = "Lanes that want the same word share it.",
              [LANES // tile * (of_m and tile or 1)] = "Look at which words are the same, and which are neighbors." },
    tips = { "A warp has {rows} of {tile} threads." }, rows = counted(LANES // tile, "row"),
    because = of_m and "{words} of M, each in a row of its own." or "{words} of N in a row.",
    words = counted(load.bytes_used // WORD, "word"),
  }
end

local function divided_by(d)
  local tile = d.pick { 8, 16, 32 }
  local of_sectors = d.chance(0.5)
  local name = of_sectors and "global_load_sectors" or "global_load_requests"
  local before, after = product("matmul_naive", 64, tile).counters[name], product("matmul_tiled", 64, tile).counters[name]
  return {
    [[Width 64, blocks of {tile} x {tile}. First without tiles, then with tiles as large as a block.]], tile = tile,
    ask = of_sectors and "By what are the sectors of all loads divided?" or "By what are the requests of all loads divided?",
    answer = before // after, unit = "",
    wrong = { [64] = "That would need a tile as large as the matrix.", [2 * tile] = "Each number serves {tile} threads.",
              [tile] = of_sectors and "Requests are. But before, many lanes shared a word, and now each request is full." or nil },
    tips = { of_sectors and "{before} sectors before." or "How many threads does a fetched number serve?" }, before = commas(before),
    because = "{before} / {after}.", after = commas(after),
  }
end

-- ---- walls --------------------------------------------------------------------------------------------------------

local function missing_wall(d)
  local form = d.pick { "nofirst", "nobarrier", "right" }
  local run = product("matmul_tiled", 32, 16, form)
  local kinds = {}
  for _, fault in ipairs(run.faults) do
    kinds[fault.kind] = true
  end
  local told = kinds.uninitialized and "numbers are read that nobody has written" or kinds.race and "a race, and nothing else"
    or "nothing"
  local texts = { nofirst = "between filling the tiles and using them there is no barrier",
                  nobarrier = "behind the inner loop there is no barrier", right = "both barriers are there" }
  return {
    [[In a product by tiles of 16, with Width 32, {what}.]], what = texts[form],
    ask = "What do the checks tell?",
    options = { "numbers are read that nobody has written", "a race, and nothing else", "nothing" }, answer = told,
    wrong = { ["nothing"] = "Who reads what others wrote, with nothing in between?",
              ["a race, and nothing else"] = "Who is early, and what does he find?",
              ["numbers are read that nobody has written"] = "Is there a wall between filling and using?" },
    tips = { "One wall is before use, the other before the next filling." },
    because = "The first wall is for what is not there yet, the second for what is still needed.",
  }
end

local function arrivals(d)
  local width, tile = d.pick { 32, 48, 64 }, d.pick { 8, 16, 32 }
  local run = product("matmul_tiled", width, tile)
  local tiles = cdiv(width, tile)
  return {
    [[A product by tiles of {tile} x {tile}, Width {width}, two barriers for each pair of tiles. The grid is rounded up.]],
    tile = tile, width = width,
    ask = "How often does one warp arrive at a barrier?", answer = run.counters.barriers // (run.blocks * run.warps), unit = "times",
    wrong = { [tiles] = "Two walls for each.", [2] = "In each phase.", [2 * width] = "The barriers are outside of the inner loop.",
              [2 * tiles * tiles] = "One warp has one tile of P." },
    tips = { "How many tiles lie along a row of M?" }, because = "{tiles} phases, two walls each.", tiles = tiles,
  }
end

local function who_is_damaged(d)
  local fast = d.integer(1, 5)
  local second = d.chance(0.5)
  return {
    [[A fast warp has just {done} phase {fast}, and a slow one {slow}. There is no barrier {where}.]], fast = fast,
    done = second and "filled in its part of" or "finished filling in its part of",
    slow = second and "still multiplies in phase " .. fast - 1 or "has yet to fill in its part of it",
    where = second and "behind the inner loop" or "between filling and using",
    ask = "Who computes with wrong numbers?", options = { "the fast warp", "the slow warp", "nobody" },
    answer = second and "the slow warp" or "the fast warp",
    wrong = { ["nobody"] = "Both use the same cells.",
              ["the fast warp"] = "What it needs next is just coming. What does the slow one still need?",
              ["the slow warp"] = "When it comes, all is there. Who is too early?" },
    tips = { "Which cells are read, and what is in them at this moment?" },
    because = second and "The cells it still reads have been filled anew." or "It multiplies what is not there yet.",
  }
end

-- ---- any width ----------------------------------------------------------------------------------------------------

local function never_computed(d)
  local tile = d.pick { 8, 16 }
  local width = tile * d.integer(1, 3) + d.integer(1, tile - 1)
  local run = product("matmul_tiled", width, tile, "lecture")
  local left = width * width - run.counters.global_store_bytes // WORD
  local side = width // tile * tile
  return {
    [[Matrices of {width} x {width}, tiles of {tile}, and a grid of {width} / {tile} blocks each way, in C.]],
    width = width, tile = tile,
    ask = "How many elements are never computed?", answer = left, unit = "elements",
    wrong = { [0] = "Integers are rounded down.", [side * side] = "So many are computed.",
              [(width - side) * (width - side)] = "That is the corner. Two rims are missing.",
              [2 * (width - side) * width] = "The corner is in both rims." },
    tips = { "{blocks} x {blocks} blocks run." }, blocks = width // tile,
    because = "{width} x {width} - {side} x {side}.", side = side,
  }
end

local function blocks_needed(d)
  local tile = d.pick { 8, 16, 32 }
  local width = tile * d.integer(1, 3) + d.integer(1, tile - 1)
  local run = product("matmul_tiled", width, tile)
  local down = (width // tile) * (width // tile)
  return {
    [[Matrices of {width} x {width}, tiles of {tile} x {tile}, and every element is to be computed.]], width = width, tile = tile,
    ask = "How many blocks has the grid?", answer = run.blocks, unit = "blocks",
    wrong = { [down] = "That leaves a rim out.", [cdiv(width, tile)] = "Along one side.",
              [cdiv(width * width, tile * tile)] = "Blocks are squares: round up each side, not the area." },
    tips = { "Round {width} / {tile} up." }, because = "{side} each way.", side = cdiv(width, tile),
  }
end

local function idle_threads(d)
  local tile = d.pick { 8, 16 }
  local width = tile * d.integer(1, 2) + d.integer(1, tile - 1)
  local run = product("matmul_tiled", width, tile)
  local stores = run.counters.global_store_bytes // WORD
  return {
    [[Matrices of {width} x {width}, tiles of {tile} x {tile}, a grid rounded up, and a test before the store.]],
    width = width, tile = tile,
    ask = "How many threads store nothing?", answer = run.blocks * run.threads - stores, unit = "threads",
    wrong = { [0] = "The last blocks stick out.", [stores] = "Those store.", [run.blocks * run.threads] = "So many are launched." },
    tips = { "How many threads are launched?" },
    because = "{all} threads, {stores} elements. They still fetch zeros and come to the walls.",
    all = commas(run.blocks * run.threads), stores = commas(stores),
  }
end

-- ---- shapes -------------------------------------------------------------------------------------------------------

local function oblong(d)
  local tile = d.pick { 8, 16 }
  return tile, tile * d.integer(1, 6), tile * d.integer(1, 6), tile * d.integer(1, 6)
end

local function tiles_needed(d)
  local tile, rows, inner, columns = oblong(d)
  return {
    [[A is {rows} x {inner}, B is {inner} x {columns}, tiles are {tile} x {tile}.]],
    rows = rows, inner = inner, columns = columns, tile = tile,
    ask = "How many tiles of A does a block need, one after the other?", answer = inner // tile, unit = "tiles",
    wrong = { [columns // tile] = "So wide is C. A sum runs along the inner side.", [rows // tile] = "So high is C.",
              [inner] = "Those are numbers." },
    tips = { "Which side have A and B in common?" }, because = "{inner} / {tile}.",
  }
end

local function printed_loop(d)
  local tile, rows, inner, columns = oblong(d)
  return {
    [[A product of A, {rows} x {inner}, and B, {inner} x {columns}, by tiles of {tile}. The loop is `t < gridDim.x`, and the grid
    covers C.]], rows = rows, inner = inner, columns = columns, tile = tile,
    ask = "How many rounds does it make?", answer = columns // tile, unit = "rounds",
    wrong = { [inner // tile] = "So many it should make.", [rows // tile] = "That is gridDim.y." },
    tips = { "How many blocks lie along a row of C?" }, because = "C has {columns} columns.",
  }
end

local function is_it_right(d)
  local inner, columns = 8 * d.pick { 2, 3, 4 }, 8 * d.pick { 3, 2, 4 }
  local run = measure { kernel = "gputiled", form = "lecture", params = { Ay = 8, Ax = inner, Bx = columns, TS = 8 } }
  return {
    [[A is 8 x {inner}, B is {inner} x {columns}. The loop over the tiles of 8 is `t < gridDim.x`; loads outside of a matrix give 0.]],
    inner = inner, columns = columns,
    ask = "Is the product right?", options = { "yes", "no: terms are missing", "there is a fault" },
    answer = run.verdict == "right" and "yes" or "no: terms are missing",
    wrong = { ["yes"] = "gridDim.x is {columns} / 8. Is that enough?", ["there is a fault"] = "All loads are tested.",
              ["no: terms are missing"] = "Tiles too many add only zeros." },
    tips = { "Compare {inner} and {columns}." }, because = "{rounds} rounds, and {needed} are needed.",
    rounds = columns // 8, needed = inner // 8,
  }
end

-- ---- reuse --------------------------------------------------------------------------------------------------------

local function reads_of_element(d)
  local tile = d.pick { "naive", "4", "8", "16" }
  local width = 16 * d.integer(1, 4)
  local side = tile == "naive" and 1 or tonumber(tile)
  return {
    [[Matrices of {width} x {width}, {how}.]], width = width,
    how = tile == "naive" and "and no tiles" or "tiles of " .. tile .. " x " .. tile,
    ask = "How often is each number of M fetched?", unit = "times",
    answer = model({ "reuse", params = { width = width, tile = tile, step = width } }).reads_of_an_element,
    wrong = { [1] = "Once for each block that needs it.", [side] = "So often it is used in a tile.",
              [width] = "That is without tiles.", [width * 2] = "It is in one matrix only." },
    tips = { "How many threads of a row of P need it, and how many share a fetch?" }, because = "{width} / {side}.", side = side,
  }
end

local function shared_of_block(d)
  local tile = d.pick { 4, 8, 12, 16, 20, 24, 28, 32 }
  return {
    [[A block of {tile} x {tile} threads has a tile of M and one of N, of floats.]], tile = tile,
    ask = "How many bytes of shared memory is that?", answer = 2 * tile * tile * WORD, unit = "bytes",
    wrong = { [tile * tile * WORD] = "M and N.", [2 * tile * tile] = "A float has 4 bytes.", [2 * tile * WORD] = "A tile is a square." },
    tips = { "{n} floats in a tile." }, n = tile * tile, because = "2 x {n} x 4.",
  }
end

local function uses_in_tile(d)
  local tile = d.pick { 8, 16, 32 }
  local run = product("matmul_tiled", 32, tile)
  local loads = run.counters.shared_load_instructions
  local steps = run:count { line = USE, kind = "load", space = "shared", block = 0, warp = 0 }
  return {
    [[A product of 32 x 32 by tiles of {tile} x {tile}. Each multiply-add reads two numbers from shared memory.]], tile = tile,
    ask = "How many loads from shared memory does one warp make?", answer = steps, unit = "loads",
    wrong = { [loads] = "That is all warps.", [32] = "Two for each step.", [2 * tile] = steps ~= 2 * tile and "That is one phase." or nil },
    tips = { "How many terms has a sum?" },
    because = "32 terms, two loads each, whatever the tile: they have not gone, they are cheap now.",
  }
end

-- ---- which tile ---------------------------------------------------------------------------------------------------

local function held(profile, tile)
  local threads = tile * tile
  if profile == "g80" and threads > 512 then
    return 0
  end
  return model({ "occupancy", params = { profile = profile, threads = threads, registers = 10 } }).blocks
end

local function blocks_held(d)
  local tile = d.pick { 8, 12, 16, 20 }
  local blocks = held("g80", tile)
  return {
    [[The G80 has room for 8 blocks and {most} warps on a multiprocessor, and 512 threads in a block. Blocks are {tile} x {tile}.]],
    tile = tile, most = 768 // LANES,
    ask = "How many blocks does a multiprocessor hold?", answer = blocks, unit = "blocks",
    wrong = { [8] = "Do their warps fit as well?", [768 // (tile * tile)] = "Is there a place for so many blocks, and are warps whole?" },
    tips = { "{tile} x {tile} threads are {warps} warps." }, warps = cdiv(tile * tile, LANES),
    because = "{warps} warps a block, {most} in all, and no more than 8 blocks.",
  }
end

local function largest_tile(d)
  local most = d.pick { 256, 512, 1024, 2048, 4096 }
  local side = math.floor(most ^ 0.5)
  return {
    [[A thread computes one element of its tile. A block may have {most} threads.]], most = most,
    ask = "How many rows can a square tile have, at most?", answer = side, unit = "rows",
    wrong = { [most] = "A tile is a square.", [most // 2] = "Its area counts.", [side + 1] = "One too many: try it." },
    tips = { "Which square is not above {most}?" }, because = "{answer} x {answer} is {area}.", area = side * side,
  }
end

local function what_grows(d)
  local from = d.pick { 8, 16 }
  local what = d.pick { "requests", "bytes of shared memory of a block", "threads of a block", "barriers a warp passes" }
  local a, b = product("matmul_tiled", 64, from), product("matmul_tiled", 64, 2 * from)
  local function number(run, tile)
    return ({ ["requests"] = run.counters.global_load_requests, ["bytes of shared memory of a block"] = 2 * tile * tile * WORD,
              ["threads of a block"] = run.threads,
              ["barriers a warp passes"] = run.counters.barriers // (run.blocks * run.warps) })[what]
  end
  local x, y = number(a, from), number(b, 2 * from)
  local names = { [0.25] = "a quarter", [0.5] = "half", [1] = "as many", [2] = "twice as many", [4] = "four times as many" }
  return {
    [[Tiles of {from} become tiles of {to}; Width is 64.]], from = from, to = 2 * from,
    ask = "What becomes of the " .. what .. "?", options = { "half", "as many", "twice as many", "four times as many" },
    answer = names[y / x],
    wrong = { ["half"] = "It grows with the area of a tile.", ["twice as many"] = "Count it for both sizes.",
              ["four times as many"] = "It goes with the side of a tile, not with its area.", ["as many"] = "Count it for both sizes." },
    tips = { "For tiles of {from} it is {x}." }, x = commas(x), because = "{x} and {y}.", y = commas(y),
  }
end

return {
  skill { id = "bytes", family = "EQ8", looks = { fed_by, fed_with_tiles, bandwidth_for } },
  skill { id = "requests", looks = { requests, sectors_of_load, divided_by } },
  skill { id = "walls", looks = { missing_wall, arrivals, who_is_damaged } },
  skill { id = "rim", looks = { never_computed, blocks_needed, idle_threads } },
  skill { id = "shapes", looks = { tiles_needed, printed_loop, is_it_right } },
  skill { id = "reuse", looks = { reads_of_element, shared_of_block, uses_in_tile } },
  skill { id = "which", family = "EQ2", looks = { blocks_held, largest_tile, what_grows } },
}
