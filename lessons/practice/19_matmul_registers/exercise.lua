-- C = A B with 4 x 4 elements for each thread: sixteen multiply-adds from two loads.

local TILE, SIDE, WARPS = 64, 16, 8         -- of C for a block; threads along a side of it, and steps of k; warps

local function blocks(p)
  return cdiv(p.n, TILE) * cdiv(p.m, TILE)
end

local function steps(p)
  return cdiv(p.k, SIDE)
end

-- Multiply-adds, as instructions of warps.
local function products(p)
  return WARPS * blocks(p) * 16 * SIDE * steps(p)
end

return {
  name = "matmul_registers",
  title = "Matrix product in registers",
  lessons = { "L13" },
  teaches = "4 x 4 elements in registers, four floats in one load",
  kernels = { "void matmul(float *C, const float *A, const float *B, int m, int k, int n)" },
  statement = [[
C = A B as in exercise 18; `k` and `n` are multiples of 4, `m` is any number.

Blocks of 16 x 16 threads, and a tile of 64 x 64 of C for each block: every thread makes 4 x 4 elements, in registers.
`blockIdx.x` counts tiles along a row of C.

Few loads from shared memory for each multiply-add: what a thread has loaded it uses four times, and `float4` loads
four floats at once.]],
  numbers = "Sixteen multiply-adds need eight floats: two loads of float4 from shared memory, and none from local "
    .. "memory.",
  cases = {
    { m = 64, k = 32, n = 128, shown = true, count = true, once = true },
    { m = 1, k = 4, n = 4 },
    { m = 65, k = 16, n = 68 },
    { m = 33, k = 20, n = 132 },
    function(d)
      return { m = d.integer(65, 127), k = 16 * d.integer(2, 4), n = 64, count = true, once = true }
    end,
  },
  launch = function(p, d)
    return {
      grid = { cdiv(p.n, TILE), cdiv(p.m, TILE), 1 }, block = { SIDE, SIDE, 1 }, shared = 0,
      args = {
        { name = "C", type = "f32", count = p.m * p.n, init = "none" },
        { name = "A", type = "f32", values = d.numbers(p.m * p.k, 1, 9) },
        { name = "B", type = "f32", values = d.numbers(p.k * p.n, 1, 9) },
        { name = "m", type = "i32", value = p.m },
        { name = "k", type = "i32", value = p.k },
        { name = "n", type = "i32", value = p.n },
      },
    }
  end,
  budget = 1 << 21,
  check = function(p, run)
    local a, b = run.input("A"), run.input("B")
    return expect(run.output("C"), function(i)
      local row, col, sum = i // p.n, i % p.n, 0
      for q = 0, p.k - 1 do
        sum = sum + a[row * p.k + q] * b[q * p.n + col]
      end
      return sum
    end)
  end,
  limits = function(p, c)
    local count = products(p)
    return {
      { "local accesses", c.local_load_requests + c.local_store_requests, 32 * WARPS * blocks(p) },
      { "load sectors", c.global_load_sectors, math.floor(1.1 * 2 * steps(p) * TILE * SIDE / 8 * blocks(p)) },
      { "shared loads", c.shared_load_instructions, math.floor(0.26 * count) },
      { "shared load wavefronts", c.shared_load_wavefronts, math.floor(0.55 * count) },
      { "shared store wavefronts", c.shared_store_wavefronts, math.floor(0.1 * count) },
      { "barriers", c.barriers, (2 * steps(p) + 1) * WARPS * blocks(p) },
    }
  end,
  warnings = { "exited_lanes" },
  says = {
    budget = "A loop does not end: what does each round change in its condition?",
    result = function(p, told)
      if told.unwritten then
        return string.format("Nobody stored row %d, column %d: every thread stores 4 x 4 elements, where row and "
          .. "column are inside of C.", told.index // p.n, told.index % p.n)
      elseif told.got and told.want and told.got < told.want then
        return string.format("Products are missing: each element is a sum over all of k = %d, in %d steps of 16.",
          p.k, steps(p))
      end
      return "Which 4 x 4 elements are a thread's? The rows that it takes from the tile of A, the columns from "
        .. "the tile of B, and the place of its store have to be the same ones."
    end,
    race = function(_, told)
      if told.message:find("writes.*which.*writes") then
        return "Two threads fill the same place. With the tile of A turned, step q of row r belongs at a[q][r]: "
          .. "the four floats of a thread go to four rows of the tile."
      end
      return "Tiles are filled by all and used by all: a barrier behind filling, and another one behind using, "
        .. "before they are filled again."
    end,
    uninitialized = "A part of a tile was never filled: 256 threads bring 64 x 16 elements of A and 16 x 64 of B, "
      .. "four of each for a thread, and 0 where a tile hangs over.",
    out_of_bounds = "A tile hangs over: compare the row with m, the step with k and the column with n, for A, for "
      .. "B and for C.",
    misaligned = "A float4 is loaded from a multiple of 16 bytes: rows of a tile have to be a multiple of 4 "
      .. "floats long, and the index one, too.",
    divergent_barrier = "__syncthreads() is for all threads of the block, also those outside of C.",
    exited_lanes = "Threads outside of C have left, but their part of the tiles is needed: keep them, and guard "
      .. "the store.",
    ["local accesses"] = "c[4][4] lies in local memory, that is in global memory: registers have no index. Unroll "
      .. "every loop that goes through it (#pragma unroll), so that each index is a constant.",
    ["load sectors"] = function(_, told)
      return string.format("%d sectors, where %d are enough: each element of a tile is loaded once for the whole "
        .. "tile of 64 x 64, and neighbors by a float4.", told.value, told.most)
    end,
    ["shared loads"] = function(p, told)
      return string.format("%d loads from shared memory for %d multiply-adds: with 4 x 4 elements it is one for "
        .. "two, and one for eight if each load brings four floats at once. Let the tiles be arrays of float4: a "
        .. "cast of &a[q][i] does not tell every compiler that it lies at a multiple of 16 bytes.", told.value,
        products(p))
    end,
    ["shared load wavefronts"] = "Lanes of a warp meet in one bank when they read the tiles.",
    ["shared store wavefronts"] = "Lanes of a warp meet in one bank when they fill the tiles: a few spare columns "
      .. "help.",
    barriers = "Two barriers for each step of 16 are enough.",
  },
  tips = {
    "With one element for each thread, a multiply-add needs two loads. With 4 x 4 elements, eight loads are "
      .. "enough for sixteen: which ones?",
    "With four neighbors in one load it is two. So the four rows of a thread have to lie side by side in the tile "
      .. "of A: store it turned.",
    "float c[4][4] and unrolled loops; tiles of float4, 16 x 16 of them; for each q a float4 f from a[q][ty], a "
      .. "float4 g from b[q][tx], then c[y][x] += f[y] * g[x].",
  },
  others = {
    alt_1 = "Rows of 64 floats in the tile of A: less memory, and stores that share banks.",
    alt_2 = "Two pairs of tiles by turns: one barrier a step is enough.",
  },
  wrong = {
    wrong_1 = { by = "shared loads", what = "Eight single loads for sixteen multiply-adds.",
                says = "four floats at once" },
    wrong_2 = { by = "race", what = "No barrier before the tiles are filled again.", says = "behind using" },
    wrong_3 = { by = "load sectors", what = "Sixteen tiles one after the other.",
      says = "once for the whole tile" },
    wrong_4 = { by = "local accesses", what = "Loops over c that are not unrolled.",
                says = "registers have no index" },
    wrong_5 = { by = "out_of_bounds", what = "The guards forget k.", says = "the step with k" },
    wrong_6 = { by = "misaligned", what = "Rows of 65 floats.", says = "a multiple of 16 bytes" },
    starter = { by = "result" },
  },
  score = { "warp instructions", function(c) return c.warp_instructions end },
}
