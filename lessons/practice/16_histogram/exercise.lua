-- How often each of 64 values comes: a histogram for each block, then one addition for each bin.

local THREADS, WARPS, BINS, SECTOR = 256, 8, 64, 8      -- of a block; integers in a sector
local HEAVY = 5                                         -- the value that most elements have where the data are skewed

local function values(p, d)
  local x = d.numbers(p.n, 0, BINS - 1)
  for i = 1, #x do
    x[i] = d.integer(1, 100) <= p.skew and HEAVY or x[i]
  end
  return x
end

return {
  name = "histogram",
  title = "Histogram",
  lessons = { "L16" },
  teaches = "a private copy for each block: clear, barrier, count, barrier, add",
  kernels = { "void hist(int *bins, const int *x, int n)" },
  statement = [[
Add to `bins[v]` how often v is in `x`, for v from 0 to 63. The bins already hold numbers.

Blocks of 256 threads, any number of them for any `n`. The starter is right, with an atomic in global memory for every
element. Let each block count in shared memory first, and add to each bin once.]],
  numbers = "64 bins are two warps, so a block needs two atomic requests in global memory; x is loaded once.",
  cases = {
    { n = 4096, g = 4, skew = 0, shown = true, count = true },
    { n = 0, g = 1, skew = 0 },
    { n = 1, g = 2, skew = 0 },
    { n = 33, g = 1, skew = 90 },
    { n = 777, g = 3, skew = 90 },
    { n = 600, g = 9, skew = 50 },
    function(d) return { n = d.integer(5000, 7000), g = d.integer(3, 7), skew = 90, count = true } end,
  },
  launch = function(p, d)
    return {
      grid = { p.g, 1, 1 }, block = { THREADS, 1, 1 }, shared = 0,
      args = {
        { name = "bins", type = "i32", values = d.numbers(BINS, 1, 50) },
        { name = "x", type = "i32", values = values(p, d) },
        { name = "n", type = "i32", value = p.n },
      },
    }
  end,
  budget = 1 << 20,
  check = function(p, run)
    local x, before, count = run.input("x"), run.input("bins"), {}
    for i = 0, p.n - 1 do
      count[x[i]] = (count[x[i]] or 0) + 1
    end
    return expect(run.output("bins"), function(v) return before[v] + (count[v] or 0) end)
  end,
  limits = function(p, c)
    return {
      { "global atomics", c.global_red_requests + c.global_atom_requests, cdiv(BINS, 32) * p.g },
      { "blocks that add", c.global_red_requests + c.global_atom_requests,
        least = p.n >= THREADS * p.g and p.g or 0 },
      { "load sectors", c.global_load_sectors, cdiv(p.n, SECTOR) + 2 },
      { "barriers", c.barriers, 3 * WARPS * p.g },
    }
  end,
  says = {
    budget = "A loop does not end: what does each round change in its condition?",
    result = function(p, told)
      if p.n == 0 then
        return "With no elements the bins stay as they were."
      elseif told.got and told.got < told.want then
        return "Elements are not counted, or the numbers that the bins held are gone: add to them. The step of "
          .. "the loop is gridDim.x * blockDim.x."
      end
      return "Something is counted twice: the step of the loop is gridDim.x * blockDim.x, and one thread adds "
        .. "each bin."
    end,
    race = function(_, told)
      if told.message:find("bins", 1, true) then
        return "Two blocks load, add and store the same bin: what one of them adds is lost. An atomic is needed "
          .. "here, too."
      elseif told.other_line and told.other_line ~= told.line then
        return "Three phases: clear, count, add to bins. A barrier after each of the first two, and atomics for "
          .. "counting."
      end
      return "Two threads raise the same count at once, and one of them is lost: atomicAdd in shared memory."
    end,
    lost_update = function(_, told)
      if told.message:find("bins", 1, true) then
        return "Two blocks load, add and store the same bin: what one of them adds is lost. An atomic is needed "
          .. "here, too."
      end
      return "Two threads raise the same count at once, and one of them is lost: atomicAdd in shared memory."
    end,
    uninitialized = "A count is raised before it was set to 0. Shared memory begins with anything: 64 threads "
      .. "clear, then a barrier, then all count. Threads without elements are needed for that, too.",
    out_of_bounds = function(_, told)
      if told.message:find(" x[", 1, true) then
        return "Compare the index with n before each load of x."
      end
      return "64 counters, and 256 threads: only threads 0 to 63 clear and add."
    end,
    ["global atomics"] = function(_, told)
      return string.format("%d atomic requests in global memory, where two a block are enough: %d. Count in "
        .. "shared memory, and add each bin once.", told.value, told.most)
    end,
    ["blocks that add"] = "Fewer additions than blocks: all blocks share the elements, each with a step of "
      .. "gridDim.x * blockDim.x.",
    ["load sectors"] = "x is loaded more than once, or neighbors in a warp do not load neighbors of x.",
    barriers = "Two barriers are enough: after clearing and after counting, none in the loop.",
  },
  tips = {
    "Most of these additions could stay inside the block. Where do the threads of a block share memory?",
    "64 counters in shared memory: clear them, count with atomics in shared memory, then add each to its bin. "
      .. "What has to be between the three phases?",
    "if (t < 64) own[t] = 0; barrier; atomicAdd(&own[x[i]], 1) in the loop; barrier; if (t < 64) "
      .. "atomicAdd(&bins[t], own[t]);",
  },
  others = {
    alt_1 = "Two copies, one for each half of the block: fewer threads meet at one counter.",
    alt_2 = "One lane adds for all lanes of its warp that have the same value, found by __match_any_sync.",
  },
  wrong = {
    starter = { by = "global atomics", what = "A global atomic for every element.",
      says = "two a block are enough" },
    wrong_1 = { by = "race", what = "The block's counts are raised without an atomic.",
                says = "atomicAdd in shared" },
    wrong_2 = { by = "race", what = "No barrier between clearing and counting.", says = "clear, count, add" },
    wrong_3 = { by = "race", what = "Load, add, store on bins.", says = "An atomic is needed here, too" },
    wrong_4 = { by = "race", what = "No barrier between counting and adding.", says = "clear, count, add" },
    wrong_5 = { by = "uninitialized", what = "Nobody clears the counts.", says = "begins with anything" },
    wrong_6 = { by = "race", what = "Stores in place of adding.", says = "An atomic is needed here, too" },
    wrong_7 = { by = "lost_update", what = "volatile counts, raised in two steps.", says = "atomicAdd in shared" },
    wrong_8 = { by = "blocks that add", what = "Block 0 does all.", says = "Fewer additions than blocks" },
  },
  score = { "conflicting atomics", function(c) return c.atomic_conflicts end },
}
