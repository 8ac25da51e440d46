-- C = A B by tiles in shared memory: each element comes into a block once, not sixteen times.

local TILE, WARPS = 16, 8               -- threads along a side of a block; warps of a block

local function steps(p)
  return cdiv(p.k, TILE)
end

local function warps(p)
  return WARPS * cdiv(p.n, TILE) * cdiv(p.m, TILE)
end

return {
  name = "matmul_tiled",
  title = "Matrix product with tiles",
  lessons = { "L12" },
  teaches = "reuse, two barriers, zeros where a tile hangs over",
  kernels = { "void matmul(float *C, const float *A, const float *B, int m, int k, int n)" },
  statement = [[
C = A B, where A has `m` rows of `k`, B has `k` rows of `n`, and C has `m` rows of `n`; all row by row, of any size.

Blocks of 16 x 16 threads, one thread for each element of C: `blockIdx.x` and `threadIdx.x` count columns. The starter
is right, with two loads for each multiplication. Let the block bring tiles of A and B into shared memory, and use each
element sixteen times.]],
  numbers = "For 16 steps along k a thread needs two loads, one for each tile, and a block two barriers.",
  cases = {
    { m = 48, k = 64, n = 32, shown = true, count = true },
    { m = 1, k = 1, n = 1 },
    { m = 16, k = 33, n = 16 },
    { m = 17, k = 31, n = 40 },
    { m = 33, k = 5, n = 1 },
    { m = 31, k = 32, n = 33 },
    function(d)
      return { m = d.integer(17, 40), k = 16 * d.integer(4, 6), n = 8 * d.integer(5, 9), count = true }
    end,
  },
  launch = function(p, d)
    return {
      grid = { cdiv(p.n, TILE), cdiv(p.m, TILE), 1 }, block = { TILE, TILE, 1 }, shared = 0,
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
  budget = 1 << 20,
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
    return {
      { "load requests", c.global_load_requests, 2 * steps(p) * warps(p) },
      { "load sectors", c.global_load_sectors, math.floor(1.1 * 8 * steps(p) * warps(p)) },
      { "barriers", c.barriers, (2 * steps(p) + 1) * warps(p) },
      { "bank conflicts", c.shared_load_bank_conflicts + c.shared_store_bank_conflicts, 0 },
    }
  end,
  warnings = { "exited_lanes" },
  says = {
    budget = "A loop does not end: what does each round change in its condition?",
    result = function(p, told)
      if told.unwritten then
        return string.format("Nobody stored row %d, column %d. The guards compare rows with m = %d and columns "
          .. "with n = %d.", told.index // p.n, told.index % p.n, p.m, p.n)
      elseif told.got and told.want and told.got < told.want then
        return string.format("Products are missing. Each element is a sum over all of k = %d, so the loop counts "
          .. "tiles of k, %d here, and not those of C.", p.k, steps(p))
      end
      return "Row m of C needs row m of A and a column of B: p counts along a row of A (A[row * k + p]) and down "
        .. "a column of B (B[p * n + col]). What hangs over is 0."
    end,
    race = function(_, told)
      if told.message:find("writes.*which.*writes") then
        return "Two threads fill the same place: each of 256 threads has one element of each tile, and one of C."
      end
      return "Tiles are filled by all and used by all: a barrier between filling and using, and another one "
        .. "before a fast warp fills them again."
    end,
    uninitialized = function(_, told)
      if told.message:find(" C[", 1, true) then
        return "C begins without a value: store the sum, do not add to it."
      end
      return "A part of a tile was never filled: spare threads bring 0, and come along to the end of the loop."
    end,
    out_of_bounds = function(_, told)
      if told.message:find(" C[", 1, true) then
        return "C has m rows of n: C[row * n + col], stored only where row < m and col < n."
      end
      return "A tile hangs over the rim of A or B: compare row with m, p + threadIdx.x with k and so on, and put "
        .. "0 there. The guard of C alone is not enough."
    end,
    divergent_barrier = "__syncthreads() is for all threads of the block, also those outside of C.",
    exited_lanes = "Threads outside of C have left, but their part of the tiles is needed: keep them, and guard "
      .. "the store.",
    ["load requests"] = function(_, told)
      return string.format("%d load requests, where %d are enough: each element is loaded by 16 threads of a "
        .. "block. Once is enough.", told.value, told.most)
    end,
    ["load sectors"] = "Neighbors in a warp (threadIdx.x) load neighbors in a row, of A and of B.",
    barriers = "Two barriers for each step of 16 are enough.",
    ["bank conflicts"] = "A warp is two rows of the block. In tiles of 16 x 16 with threadIdx.x as the last index "
      .. "they are side by side, all 32 banks. Turned, or with a spare column, lanes meet.",
  },
  tips = {
    "Each element of A is loaded by the 16 threads of a row of the block. Who needs the same element of B?",
    "For each 16 of k: every thread loads one element of A and one of B into tiles; then all make 16 "
      .. "multiplications from the tiles. Where do they have to wait?",
    "a[ty][tx] = A[row * k + p + tx], b[ty][tx] = B[(p + ty) * n + col], 0 where one hangs over; barrier; sum += "
      .. "a[ty][q] * b[q][tx] for 16 q; barrier. Only the store of C is left out by spare threads.",
  },
  others = {
    alt_1 = "Two pairs of tiles by turns: one barrier a step is enough.",
    alt_2 = "The next tiles are loaded into registers while these are used.",
  },
  wrong = {
    starter = { by = "load requests", what = "Two loads for each multiplication.", says = "Once is enough" },
    wrong_1 = { by = "race", what = "No barrier before the tiles are filled again.", says = "before a fast warp" },
    wrong_2 = { by = "result", what = "Counts tiles of C.", says = "the loop counts tiles of k" },
    wrong_3 = { by = "out_of_bounds", what = "Guards C only.", says = "The guard of C alone is not enough" },
    wrong_4 = { by = "uninitialized", what = "Threads outside of C leave.", says = "spare threads bring 0" },
    wrong_5 = { by = "race", what = "No barrier between filling and using.", says = "between filling and using" },
    wrong_6 = { by = "load sectors", what = "threadIdx.x counts rows.", says = "Neighbors in a warp" },
  },
  score = { "warp instructions", function(c) return c.warp_instructions end },
}
