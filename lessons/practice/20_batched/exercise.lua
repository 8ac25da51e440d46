-- Many products of 4 x 4 matrices: a warp has two of them, and every float is loaded once.

local SIZE, CELLS, THREADS, WARPS = 4, 16, 128, 4       -- of a matrix: side, elements; of a block: threads, warps
local LOADED, STORED = 4, 2                             -- sectors of a product

local function warps(p)
  return WARPS * cdiv(CELLS * p.products, THREADS)
end

-- Element i of C, with the products one behind the other.
local function element(a, b, i)
  local row, col, sum = i // SIZE * SIZE, i // CELLS * CELLS + i % SIZE, 0
  for k = 0, SIZE - 1 do
    sum = sum + a[row + k] * b[col + SIZE * k]
  end
  return sum
end

return {
  name = "batched",
  title = "Many small products",
  lessons = { "L13", "L15" },
  teaches = "a warp for two matrices; each float once",
  kernels = { "void batched(float *C, const float *A, const float *B, int count)" },
  statement = [[
`count` products C = A B of 4 x 4 matrices, one behind the other in A, B and C: 16 floats each, row by row.

16 threads for each product, in blocks of 128: one thread for each element of C. Load every float of A and B once. All
lanes that a mask names come to the call, also the spare ones.]],
  numbers = "A product loads four sectors and stores two; what a lane needs beside its own two floats, others "
    .. "have.",
  cases = {
    { products = 64, shown = true, count = true },
    { products = 1 },
    { products = 2 },
    { products = 7 },
    { products = 33 },
    function(d) return { products = d.integer(90, 150), count = true } end,
  },
  launch = function(p, d)
    local count = CELLS * p.products
    return {
      grid = { cdiv(count, THREADS), 1, 1 }, block = { THREADS, 1, 1 }, shared = 0,
      args = {
        { name = "C", type = "f32", count = count, init = "none" },
        { name = "A", type = "f32", values = d.numbers(count, 1, 99) },
        { name = "B", type = "f32", values = d.numbers(count, 1, 99) },
        { name = "count", type = "i32", value = p.products },
      },
    }
  end,
  budget = 1 << 20,
  check = function(_, run)
    local a, b = run.input("A"), run.input("B")
    return expect(run.output("C"), function(i) return element(a, b, i) end)
  end,
  limits = function(p, c)
    return {
      { "load sectors", c.global_load_sectors, math.floor(1.1 * LOADED * p.products) + 2 },
      { "store sectors", c.global_store_sectors, math.floor(1.1 * STORED * p.products) + 2 },
      { "bank conflicts", c.shared_load_bank_conflicts + c.shared_store_bank_conflicts, 0 },
      { "warp instructions", c.warp_instructions, 110 * warps(p) },
    }
  end,
  warnings = { "exited_lanes" },
  says = {
    budget = "A loop does not end: what does each round change in its condition?",
    result = function(_, told)
      local place = told.index and told.index % (2 * CELLS)
      if told.unwritten then
        return "Each thread stores one element of C: thread i stores C[i], where there is one."
      elseif place and place >= CELLS then
        return "This is in the second product of its warp, lanes 16 to 31: its row and its column are in these "
          .. "lanes, not in those of the first product."
      elseif place then
        return string.format("Lane %d has row %d and column %d: it adds up four products of a row of A, in lanes "
          .. "%d to %d, and a column of B, in lanes %d, %d, %d, %d.", place, place // SIZE, place % SIZE,
          place - place % SIZE,
          place - place % SIZE + 3, place % SIZE, place % SIZE + 4, place % SIZE + 8, place % SIZE + 12)
      end
    end,
    race = "Shared memory between lanes of one warp needs a wait, too: __syncwarp() between writing and reading.",
    uninitialized = "A lane reads what another has not written yet: __syncwarp() between writing and reading, and "
      .. "spare lanes write 0.",
    out_of_bounds = "Spare lanes load and store nothing: guard the loads and the store, but not the shuffles.",
    bad_mask = "The mask names lanes that do not come: let all lanes come to the shuffle, spare ones with 0.",
    inactive_source = "A lane reads from one that does not come to the shuffle: let all lanes come, spare ones "
      .. "with 0.",
    exited_lanes = "The spare half of the last warp has left, and the mask names it. Keep spare lanes, with 0, "
      .. "and guard only the loads and the store.",
    ["load sectors"] = function(p, told)
      local times = told.value // (LOADED * p.products)
      if times > 4 then
        return string.format("%d sectors where %d are enough: lanes 64 bytes apart. Neighbors should load "
          .. "neighbors: one thread for each element, not for each product.", told.value, LOADED * p.products)
      end
      return string.format("%d sectors where %d are enough: every float is loaded several times. Load it once, "
        .. "and get the rest from the lanes that have it.", told.value, LOADED * p.products)
    end,
    ["store sectors"] = "Neighbors in a warp store neighbors of C: thread i makes element i.",
    ["bank conflicts"] = "Lanes of a warp meet in one bank: read rows and columns so that they touch other banks, "
      .. "or the same word.",
    ["warp instructions"] = "Four steps of two shuffles and a multiply-add are enough: look for divisions and "
      .. "loops.",
  },
  tips = {
    "Two products are 32 elements: a warp. If lane e loads A[e] and B[e], who has the rest that it needs?",
    "C[e] is made of a row of A, in four neighbor lanes, and of a column of B, in four lanes that are 4 apart. In "
      .. "four steps __shfl_sync brings one of each.",
    "Lane of the row's element k: (lane & ~3) + k. Lane of the column's: (lane & 19) + 4 * k, where bit 4 tells "
      .. "the two products apart.",
  },
  others = {
    alt_1 = "The width of a shuffle, 4 for rows and 16 for products, in place of arithmetic on lanes.",
    alt_2 = "Through shared memory, each warp for itself: __syncwarp() is enough.",
  },
  wrong = {
    wrong_1 = { by = "load sectors", what = "One thread for one product.", says = "lanes 64 bytes apart" },
    wrong_2 = { by = "load sectors", what = "Eight loads for each element.", says = "loaded several times" },
    wrong_3 = { by = "exited_lanes", what = "The spare half of the last warp leaves.", says = "Keep spare lanes" },
    wrong_4 = { by = "result", what = "Both products of a warp are made from the first.", says = "second product" },
    wrong_5 = { by = "result", what = "B A in place of A B.", says = "a row of A" },
    wrong_6 = { by = "race", what = "Shared memory without __syncwarp().", says = "__syncwarp()" },
    starter = { by = "result" },
  },
  score = { "warp instructions", function(c) return c.warp_instructions end },
}
