-- Constant memory: one address at a time, for all lanes.

local COEFFICIENTS = { [0] = 1, -2, 3, -4, 4, -3, 2, -1 }

return {
  name = "constant", title = "Constant table", lessons = { "L09" },
  teaches = "one address a request",
  kernels = { "void filter(float *y, const float *x, int n)" },
  statement = [[
`y[i] = c[0] x[i] + c[1] x[i + 1] + ... + c[7] x[i + 7]`. There are `n + 7` elements in `x`. Blocks of 128 threads.

Constant memory gives one word at a time to all lanes that want it. The starter is right, but its lanes want eight
different coefficients in each request.]],
  numbers = "Words that a request for a constant asks for, beyond the first. Each has to wait for those before it.",
  cases = {
    { n = 1024, shown = true, count = true },
    { n = 1 }, { n = 31 }, { n = 33 },
    function(d) return { n = d.integer(600, 1300), count = true } end,
  },
  launch = function(p, d)
    return {
      grid = { cdiv(p.n, 128), 1, 1 }, block = { 128, 1, 1 },
      args = {
        { name = "y", type = "f32", count = p.n, init = "none" },
        { name = "x", type = "f32", values = d.numbers(p.n + 7, -9, 9) },
        { name = "n", type = "i32", value = p.n },
      },
    }
  end,
  check = function(_, run)
    local x = run.input("x")
    return expect(run.output("y"), function(i)
      local sum = 0
      for j = 0, 7 do
        sum = sum + COEFFICIENTS[j] * x[i + j]
      end
      return sum
    end)
  end,
  limits = function(p, c)
    local warps = 4 * cdiv(p.n, 128)
    return {
      { "constants that wait", c.const_load_addresses - c.const_load_requests, 0 },
      { "global load requests", c.global_load_requests, 8 * warps },
    }
  end,
  says = {
    result = "A sum is off. x has n + 7 elements: all eight terms count, also for the last i.",
    out_of_bounds = "x has n + 7 elements, y has n.",
    ["constants that wait"] = "Lanes of a warp want different coefficients at once. They get them one after the other.",
    ["global load requests"] = "More loads from global memory than x needs: the table is not in constant memory.",
  },
  tips = {
    "Constant memory serves one address at a time, to all lanes that want it.",
    "All lanes at the same coefficient, each with another element of `x`.",
    "Let `j` go from 0 to 7 in every lane.",
  },
  others = {
    alt_1 = "Written out: eight fixed addresses, no loop.",
    alt_2 = "The data, too, are read once, through shared memory.",
  },
  wrong = {
    starter = { by = "constants that wait", what = "Eight coefficients at once.", says = "one after the other" },
    wrong_1 = { by = "constants that wait", what = "Two coefficients at once.", says = "one after the other" },
    wrong_2 = { by = "global load requests", what = "The table in global memory.", says = "not in constant memory" },
    wrong_3 = { by = "result", what = "Stops at n.", says = "n + 7" },
  },
  score = { "global load requests", function(c) return c.global_load_requests end },
}
