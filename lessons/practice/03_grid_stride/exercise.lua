local function all(p) return p.blocks * p.threads end
local function factor(p) return p.blocks + 1 end
local function least(p) return 3 * cdiv(p.n, 8) end

local function missing(p, told)
  if told.index == all(p) then
    return ("%d threads, and nobody comes to y[%d]: either they stop after one element, or their step is too long.")
      :format(all(p), told.index)
  elseif told.index == 0 and p.n > 0 then
    return "y[0] is to be what it was, and a * x[0] more."
  elseif told.index and told.index > 0 and told.index % all(p) == 0 then
    return ("Nobody comes to y[%d]. Is the number of turns rounded down?"):format(told.index)
  elseif told.index == p.n - 1 then
    return ("The last element, y[%d], is left out: < or <= ?"):format(told.index)
  end
end

local function outside(p)
  if p.n >= all(p) then
    return ("The last element is %d. Is the index tested before every load and store?"):format(p.n - 1)
  end
  return ("%d threads and n = %d: some have no element at all. Test the index before the first one, too.")
    :format(all(p), p.n)
end

return {
  name = "grid_stride", title = "Grid-stride loop", lessons = { "L02" },
  teaches = "any grid for any n; the step is the number of all threads",
  kernels = { "void axpy(float *y, const float *x, float a, int n)" },
  statement = [[
`y[i] = y[i] + a * x[i]` for all `i < n`.

Mostly there are far fewer threads than elements, sometimes more. Any number of blocks must work, of any number of
threads.]],
  numbers = "A sector is 32 bytes, 8 floats: two arrays read and one written, side by side, are 3 n / 8.",
  cases = {
    { n = 1000, blocks = 4, threads = 64, shown = true, count = true },
    { n = 0, blocks = 1, threads = 32 },
    { n = 1, blocks = 3, threads = 32 },
    { n = 33, blocks = 1, threads = 32 },
    { n = 777, blocks = 5, threads = 32 },
    { n = 5001, blocks = 3, threads = 128, count = true },
    { n = 31, blocks = 64, threads = 32 },
    function(d)
      return { n = d.integer(1500, 4000), blocks = d.integer(2, 7), threads = 32 * d.integer(1, 4), count = true }
    end,
  },
  launch = function(p, d)
    return {
      grid = { p.blocks, 1, 1 }, block = { p.threads, 1, 1 }, shared = 0,
      args = {
        { name = "y", type = "f32", values = d.numbers(p.n, -1000, 1000) },
        { name = "x", type = "f32", values = d.numbers(p.n, 1, 1000) },
        { name = "a", type = "f32", value = factor(p) },
        { name = "n", type = "i32", value = p.n },
      },
    }
  end,
  check = function(p, run)
    local x, y = run.input("x"), run.input("y")
    return expect(run.output("y"), function(i)
      if i < p.n then return y[i] + factor(p) * x[i] end
    end)
  end,
  limits = function(p, c)
    -- A compiler that unrolls the loop parts the lanes once: some sectors come twice.
    return { { "sectors", c.global_load_sectors + c.global_store_sectors, 1.25 * least(p) + 2 } }
  end,
  says = {
    result = missing,
    out_of_bounds = outside,
    budget = "A thread goes round and round: does i grow in each turn?",
    race = "Two threads work on the same element. Count the threads of all blocks: "
      .. "how far ahead is the first element that nobody has?",
    sectors = function(p, told)
      return ("%.1f times what is needed: what the 32 lanes of a warp load together has to lie side by side.")
        :format(told.value / least(p))
    end,
  },
  tips = {
    "A thread is done with element i. Which is the next one that nobody else takes?",
    "The step is the number of threads in the whole grid.",
    "`for (int i = ...; i < n; i += gridDim.x * blockDim.x)`",
  },
  others = {
    alt_1 = "From block to block of the data: the loop counts blocks.",
    alt_2 = "Two elements a turn: four loads are under way together.",
  },
  wrong = {
    starter = { by = "result", what = "One element for each thread.", says = "they stop after one element" },
    wrong_1 = { by = "result", what = "A step of `blockDim.x * blockDim.x`.", says = "nobody comes to y[256]" },
    wrong_2 = { by = "race", what = "A step of one block.", says = "Count the threads of all blocks" },
    wrong_3 = { by = "sectors", what = "A run of neighbors for each thread.", says = "4.0 times what is needed" },
    wrong_4 = { by = "out_of_bounds", what = "The first element is not guarded.", says = "before the first one" },
  },
}
