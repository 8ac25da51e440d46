-- Three kernels in one: what went through memory stays in a register.

return {
  name = "fusion", title = "Fusion", lessons = { "L12", "L14" },
  teaches = "the traffic of three kernels in one; zeros for spare threads",
  kernels = { "void fused(float *y, float *sums, const float *x, float a, float b, int n)" },
  statement = [[
Three kernels of a program become one:

`t[i] = a * x[i] + b`

`y[i] = t[i]`, or 0 where `t[i]` is negative

`sums[k]` is the sum of `y[i] * y[i]` over the elements of block `k`.

Blocks of 256 threads. `x` is read once, `y` is written once, and nothing else goes through global memory.]],
  numbers = "Bytes that threads want from and bring to global memory, and its sectors.",
  cases = {
    { n = 1024, shown = true, count = true },
    { n = 1 }, { n = 31 }, { n = 33 }, { n = 257 },
    function(d) return { n = d.integer(2100, 3300), count = true } end,
  },
  launch = function(p, d)
    return {
      grid = { cdiv(p.n, 256), 1, 1 }, block = { 256, 1, 1 },
      args = {
        { name = "y", type = "f32", count = p.n, init = "none" },
        { name = "sums", type = "f32", count = cdiv(p.n, 256), init = "none" },
        { name = "x", type = "f32", values = d.numbers(p.n, -9, 9) },
        { name = "a", type = "f32", value = 2 },
        { name = "b", type = "f32", value = 1 },
        { name = "n", type = "i32", value = p.n },
      },
    }
  end,
  check = function(p, run)
    local x = run.input("x")
    local function y(i) return math.max(2 * x[i] + 1, 0) end
    local fine, why = expect(run.output("y"), y)
    if not fine then
      return fine, why
    end
    return expect(run.output("sums"), function(k)
      local sum = 0
      for i = 256 * k, math.min(256 * k + 255, p.n - 1) do
        sum = sum + y(i) ^ 2
      end
      return sum
    end)
  end,
  limits = function(p, c)
    local blocks = cdiv(p.n, 256)
    return {
      { "global bytes", c.global_load_bytes + c.global_store_bytes, 8 * p.n + 4 * blocks },
      { "sectors", c.global_load_sectors + c.global_store_sectors, 2 * cdiv(p.n, 8) + 2 * blocks + 2 },
      { "barrier arrivals", c.barriers, 24 * blocks },
      { "atomics", c.atomics, 0 },
    }
  end,
  says = {
    uninitialized = "sums was never set, so nothing can be added to it. Fold in the block, then store; no atomic is "
      .. "needed.",
    result = function(_, told)
      if told.message:find("^y") then
        return "An element of y is off, or was never written: zeros are results, too."
      end
      return "A sum is off. Negative ones count as 0, and threads behind the end bring 0, not b."
    end,
    ["global bytes"] = "Right, but more goes through global memory than x and y: keep the value in a register.",
    sectors = "Right, but more sectors than x and y have.",
    ["barrier arrivals"] = "Right, with more barriers than a fold needs: shuffle in warps first.",
    atomics = "No atomics are needed: the block folds, one thread stores.",
  },
  tips = {
    "What goes through memory only because there were three kernels?",
    "Keep the value in a register: load x, store y, square, fold over the block.",
    "Threads behind the end bring 0 to the sum, and come to every shuffle and barrier.",
  },
  others = {
    alt_1 = "The fold in shared memory down to a warp.",
    alt_2 = "Two warps make four elements a lane.",
  },
  wrong = {
    starter = { by = "result", what = "Does nothing.", says = "never written" },
    wrong_1 = { by = "global bytes", what = "Still through y.", says = "in a register" },
    wrong_2 = { by = "result", what = "Spare threads bring b.", says = "bring 0" },
    wrong_3 = { by = "uninitialized", what = "Atomics to sums that nobody set.", says = "never set" },
    wrong_4 = { by = "result", what = "Squares first.", says = "Negative ones" },
    wrong_5 = { by = "result", what = "Leaves out the zeros.", says = "zeros are results" },
  },
  score = { "sectors", function(c) return c.global_load_sectors + c.global_store_sectors end },
}
