-- Tensor cores: fragments, their layouts, the length of a row.

return {
  name = "wmma", title = "Tensor cores", lessons = { "L13" },
  teaches = "fragments, layouts, the leading dimension",
  kernels = { "void product(float *C, const half *A, const half *B, int n, int k)" },
  statement = [[
`C = A B`. `A` is m x k and `B` is k x n, both of halves; `C` is of floats. All are row-major, and all sizes are
multiples of 16.

One warp makes a tile of 16 x 16 of `C`: `blockIdx.x` counts along a row, `blockIdx.y` down.

Use fragments, and one `mma_sync` for each 16 of `k`.]],
  numbers = "What a warp loads, and what it executes. Lanes that multiply by themselves take many times as much.",
  cases = {
    { m = 32, n = 16, k = 48, shown = true, count = true },
    { m = 16, n = 16, k = 16 },
    { m = 16, n = 48, k = 32 },
    function(d) return { m = 48, n = 16 * d.pick { 2, 4 }, k = 16 * d.pick { 5, 7 }, count = true } end,
  },
  launch = function(p, d)
    return {
      grid = { p.n // 16, p.m // 16, 1 }, block = { 32, 1, 1 },
      args = {
        { name = "C", type = "f32", count = p.m * p.n, init = "none" },
        { name = "A", type = "f16", values = d.numbers(p.m * p.k, -5, 5) },
        { name = "B", type = "f16", values = d.numbers(p.k * p.n, -5, 5) },
        { name = "n", type = "i32", value = p.n },
        { name = "k", type = "i32", value = p.k },
      },
    }
  end,
  check = function(p, run)
    local A, B = run.input("A"), run.input("B")
    return expect(run.output("C"), function(i)
      local row, col, sum = i // p.n, i % p.n, 0
      for q = 0, p.k - 1 do
        sum = sum + A[row * p.k + q] * B[q * p.n + col]
      end
      return sum
    end)
  end,
  limits = function(p, c)
    local warps, steps = p.n // 16 * (p.m // 16), p.k // 16
    return {
      { "load requests", c.global_load_requests, 4 * warps * steps },
      { "load sectors", c.global_load_sectors, 1.1 * 32 * warps * steps },
      { "warp instructions", c.warp_instructions, warps * (60 + 40 * steps) },
    }
  end,
  says = {
    result = "C holds sums of other products. Both factors are row-major: A goes right by 16 in each step, B goes "
      .. "down by 16 rows.",
    out_of_bounds = "A fragment reaches beyond its matrix. The last argument of a load is the length of a row in "
      .. "memory: k for A, n for B.",
    uninitialized = "The accumulator is added to before anything has set it: fill_fragment.",
    ["load requests"] = "Right, but the lanes load element by element: no tensor core was used.",
    ["warp instructions"] = "Right, but the lanes multiply by themselves: no tensor core was used.",
  },
  tips = {
    "Three kinds of fragment: of A, of B, and the accumulator. Each belongs to the whole warp.",
    "Fill the accumulator with 0. For each 16 of k load a, load b, multiply. Then store.",
    "The last argument of a load is the length of a row in memory: `k` for A, `n` for B and C. B begins at `B + q * "
      .. "n + 16 * blockIdx.x`.",
  },
  others = {
    alt_1 = "Two accumulators by turns.",
    alt_2 = "Columns for rows: the factors change sides.",
  },
  wrong = {
    starter = { by = "result", what = "Does nothing.", says = "row-major" },
    wrong_1 = { by = "result", what = "B as column-major.", says = "row-major" },
    wrong_2 = { by = "result", what = "Along the row of B.", says = "goes down" },
    wrong_3 = { by = "load requests", what = "No tensor cores.", says = "no tensor core" },
    wrong_4 = { by = "uninitialized", what = "The accumulator is never set.", says = "fill_fragment" },
    wrong_5 = { by = "result", what = "A row of A is taken for n long.", says = "row-major" },
  },
  score = { "warp instructions", function(c) return c.warp_instructions end },
  warnings = { "uninitialized" },
}
