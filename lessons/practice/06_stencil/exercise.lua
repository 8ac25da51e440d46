local BLOCK = 128

local function outside(p, told)
  if told.message and told.message:find(" x[", 1, true) then
    return ("x goes from x[0] to x[%d]. What lies outside counts as 0, and must not be loaded."):format(p.n - 1)
  end
  return "128 elements with two neighbors on each side are 132."
end

local function loads(p)
  return ("About %d are enough: how often is each element loaded? And do neighbors load neighbors?")
    :format(cdiv(p.n, 8) + 2 * cdiv(p.n, BLOCK))
end

local function unwritten(p)
  if p.n % BLOCK ~= 0 then
    return "Nobody filled that place. Beyond the end of x there should be zeros, and somebody has to put them there."
  end
  return "Nobody filled that place. The first and the last threads need two neighbors that belong to other blocks: "
    .. "who brings them?"
end

return {
  name = "stencil", title = "Stencil with halo", lessons = { "L10" },
  teaches = "a tile with neighbors; who loads the rim; the barrier for all",
  kernels = { "void smooth(float *y, const float *x, int n)" },
  statement = [[
`y[i] = x[i-2] + x[i-1] + x[i] + x[i+1] + x[i+2]`, where what lies outside of `x` counts as 0.

Blocks have 128 threads, an element for each. Load what the block needs once, with two neighbors on each side, and add
from shared memory.]],
  numbers = "A sector is 32 bytes, 8 floats: n / 8 stored, and n / 8 loaded with a few more at the ends of each block.",
  cases = {
    { n = 1024, shown = true, count = true },
    { n = 1 },
    { n = 2 },
    { n = 31 },
    { n = 127 },
    { n = 129 },
    { n = 2500, count = true },
    function(d) return { n = d.integer(600, 2000), count = true } end,
  },
  launch = function(p, d)
    return {
      grid = { cdiv(p.n, BLOCK), 1, 1 }, block = { BLOCK, 1, 1 }, shared = 0,
      args = {
        { name = "y", type = "f32", count = p.n, init = "none" },
        { name = "x", type = "f32", values = d.numbers(p.n, -1000, 1000) },
        { name = "n", type = "i32", value = p.n },
      },
    }
  end,
  check = function(p, run)
    local x = run.input("x")
    return expect(run.output("y"), function(i)
      local sum = 0
      for k = math.max(i - 2, 0), math.min(i + 2, p.n - 1) do sum = sum + x[k] end
      return sum
    end)
  end,
  limits = function(p, c)
    return {
      { "load sectors", c.global_load_sectors, cdiv(p.n, 8) + 8 * cdiv(p.n, BLOCK) },
      { "store sectors", c.global_store_sectors, cdiv(p.n, 8) + 1 },
    }
  end,
  says = {
    ["load sectors"] = loads,
    ["store sectors"] = "Neighboring threads should store neighboring elements.",
    divergent_barrier = "Some threads come to the barrier, the others do not: it must stand where all come.",
    race = "You read what another thread puts there. What makes you wait until it has?",
    uninitialized = unwritten,
    out_of_bounds = outside,
    result = function(p, told)
      if not told.index then return nil end
      if told.index == 0 and p.n > 2 then
        return "y[0] is x[0] + x[1] + x[2]: nothing is to its left."
      elseif told.index < 2 or told.index >= p.n - 2 then
        return ("y[%d] is at the end of the array: what lies outside counts as 0."):format(told.index)
      elseif told.index % BLOCK < 2 or told.index % BLOCK >= BLOCK - 2 then
        return ("y[%d] is at the end of a block: some neighbors belong to another."):format(told.index)
      end
    end,
  },
  tips = {
    "Five loads for each element: four of them bring what a neighbor brings as well.",
    "Shared memory for 132 floats: 2 + 128 + 2. Two threads at either end load one more each.",
    "Or one loop: `for (k = t; k < 132; k += 128)`, and place k holds element `blockIdx.x * 128 + k - 2`, or 0.",
  },
  others = {
    alt_1 = "The tile with its halo is one run, filled by a loop.",
    alt_2 = "The outer threads read their few strangers from global memory.",
  },
  wrong = {
    starter = { by = "result", what = "Nothing is made yet.", says = "nothing is to its left" },
    wrong_1 = { by = "load sectors", what = "Five loads for an element.", says = "how often is each element loaded" },
    wrong_2 = { by = "divergent_barrier", what = "The barrier is in the branch of the rim.", says = "where all come" },
    wrong_3 = { by = "uninitialized", what = "The rim is not filled.", says = "belong to other blocks" },
    wrong_4 = { by = "race", what = "No barrier.", says = "makes you wait" },
    wrong_5 = { by = "out_of_bounds", what = "The ends of the array are not guarded.", says = "must not be loaded" },
    wrong_6 = { by = "uninitialized", what = "Threads past the end bring no zeros.", says = "there should be zeros" },
  },
  score = { "load sectors", function(c) return c.global_load_sectors end },
}
