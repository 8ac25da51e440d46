local function blocks(p) return math.max(1, cdiv(p.n, p.threads)) end

local function outside(p)
  if p.n == 0 then
    return "With n = 0 nobody has an element, not even the first thread: there is no last one to make again."
  end
  return ("%d threads and %d elements, the last is %d. Do both loads and the store stand behind the guard, "
    .. "and does it let i = n pass?"):format(blocks(p) * p.threads, p.n, p.n - 1)
end

local function left_out(p, told)
  if p.n == 0 then
    return "With n = 0 nothing is to be written."
  elseif told.index == p.n - 1 then
    return ("The last element, z[%d], is left out: < or <= ?"):format(p.n - 1)
  end
end

return {
  name = "guard", title = "Guard", lessons = { "L02" },
  teaches = "the grid is rounded up; guard loads and stores",
  kernels = { "void add(float *z, const float *x, const float *y, int n)" },
  statement = [[
`z[i] = x[i] + y[i]` for `i < n`.

The grid is rounded up to whole blocks, at least one: there may be more threads than elements. `n` may be 0.]],
  numbers = "A sector is 32 bytes, 8 floats: three arrays of n floats, each touched once, are 3 n / 8.",
  cases = {
    { n = 100, threads = 64, shown = true },
    { n = 256, threads = 64, shown = true, count = true },
    { n = 0, threads = 32 },
    { n = 1, threads = 32 },
    { n = 31, threads = 32 },
    { n = 33, threads = 32 },
    { n = 1000, threads = 96, count = true },
    { n = 129, threads = 128 },
    function(d) return { n = d.integer(300, 900), threads = 32 * d.integer(1, 6), count = true } end,
  },
  launch = function(p, d)
    return {
      grid = { blocks(p), 1, 1 }, block = { p.threads, 1, 1 }, shared = 0,
      args = {
        { name = "z", type = "f32", count = math.max(p.n, 1), init = "none" },
        { name = "x", type = "f32", values = d.numbers(p.n, -1000, 1000) },
        { name = "y", type = "f32", values = d.numbers(p.n, -1000, 1000) },
        { name = "n", type = "i32", value = p.n },
      },
    }
  end,
  check = function(p, run)
    local x, y = run.input("x"), run.input("y")
    return expect(run.output("z"), function(i)
      if p.n > 0 then return x[i] + y[i] end
    end)
  end,
  limits = function(p, c)
    return { { "sectors", c.global_load_sectors + c.global_store_sectors, 3 * cdiv(p.n, 8) + 2 } }
  end,
  says = {
    out_of_bounds = outside,
    uninitialized = "z holds nothing yet: it is written, and not read.",
    result = left_out,
    sectors = "Neighboring threads take neighboring elements, each array once.",
  },
  tips = {
    "Count the threads of the first size: some of the last block have no element.",
    "A load past the end is a fault, too, also where nobody uses what it brings.",
    "`if (i < n)` around everything that touches memory.",
  },
  others = {
    alt_1 = "Leaves early: fine as long as no barrier follows.",
    alt_2 = "A loop that runs once or not at all, and suits any grid.",
  },
  wrong = {
    starter = { by = "out_of_bounds", what = "No guard.", says = "128 threads and 100 elements" },
    wrong_1 = { by = "out_of_bounds", what = "`i <= n`: one too many.", says = "does it let i = n pass" },
    wrong_2 = { by = "out_of_bounds", what = "Spare threads make the last one again.", says = "there is no last one" },
    wrong_3 = { by = "out_of_bounds", what = "Only the store is guarded.", says = "both loads and the store" },
    wrong_4 = { by = "result", what = "`i < n - 1`: one too few.", says = "z[99], is left out" },
  },
}
