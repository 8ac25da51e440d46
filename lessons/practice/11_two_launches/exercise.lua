-- The sum of an array in two launches: the end of the first is what all blocks wait for.

local THREADS, SECTOR = 256, 8              -- of a block; floats in a sector

local function sum(list, last)
  local total = 0
  for i = 0, (last or #list) - 1 do
    total = total + list[i]
  end
  return total
end

-- Whose fault a wrong sum is: the partial sums tell.
local function blame(p, part, got, want)
  local found = sum(part)
  if found ~= want then
    return string.format("partial: its sums come to %.9g", found)
  elseif p.g > THREADS and got == sum(part, THREADS) then
    return string.format("final: of %d partial sums only the first 256 were added", p.g)
  end
  return "final: the partial sums are right"
end

-- With work for all, no block may have much more of it than the others.
local function greedy(p, part, want)
  for b = 0, p.g - 1 do
    if p.n >= THREADS * p.g and part[b] * p.g > 3 * want then
      return string.format("part[%d] is %.9g, of %d: one block does most of the work", b, part[b], want)
    end
  end
end

local COME = "fold is for all 256 threads of the block, spare ones with 0: only the store has a condition."

return {
  name = "two_launches",
  title = "Sum in two launches",
  lessons = { "L14" },
  teaches = "the end of a kernel as a barrier of the grid; any number of partial sums",
  kernels = {
    "void partial(float *part, const float *x, int n)",
    "void final(float *out, const float *part, int m)",
  },
  statement = [[
The sum of the `n` floats of `x`, in two launches.

`partial`: any number of blocks of 256 threads; block b writes the sum of its share to `part[b]`.
`final`: one block of 256 threads adds the `m` partial sums, and writes `out[0]`.

No atomics. The starter brings `fold`, which adds one number of each thread of a block.]],
  numbers = "Each sector of x is loaded once and each partial sum is stored once; nothing needs an atomic.",
  cases = {
    { n = 10000, g = 16, shown = true, count = true },
    { n = 0, g = 1 },
    { n = 1, g = 3 },
    { n = 33, g = 1 },
    { n = 1000, g = 7 },
    function(d) return { n = d.integer(80001, 99999), g = d.integer(300, 400), count = true } end,
  },
  sequence = function(p, d)
    return {
      buffers = {
        { name = "out", type = "f32", count = 1, init = "none" },
        { name = "part", type = "f32", count = p.g, init = "none" },
        { name = "x", type = "f32", values = d.numbers(p.n, 1, 99) },
      },
      steps = {
        { launch = "partial", grid = { p.g }, block = { THREADS }, args = { "part", "x", p.n } },
        { launch = "final", grid = { 1 }, block = { THREADS }, args = { "out", "part", p.g } },
      },
    }
  end,
  budget = 1 << 21,
  check = function(p, run)
    local want, got = sum(run.input("x"), p.n), run.output("out")[0]
    if got == want then
      local complaint = greedy(p, run.output("part"), want)
      return not complaint, complaint
    end
    local words = blame(p, run.output("part"), got, want)
    return false, string.format("out[0] is %.9g, expected %d (%s)", got, want, words)
  end,
  limits = function(p, c)
    local least = cdiv(p.n, SECTOR) + cdiv(p.g, SECTOR)
    return {
      { "load sectors", c.global_load_sectors, math.floor(1.02 * least) + 2 },
      { "store sectors", c.global_store_sectors, p.g + 1 },
      { "atomics", c.atomics, 0 },
      { "bank conflicts", c.shared_load_bank_conflicts + c.shared_store_bank_conflicts, 0 },
    }
  end,
  says = {
    budget = "A loop does not end: what does each round change in its condition?",
    result = function(p, told)
      if told.message:find("only the first 256", 1, true) then
        return p.g .. " partial sums and 256 threads: final needs a loop, too."
      elseif told.message:find("most of the work", 1, true) then
        return "All blocks share the work: a thread begins at blockIdx.x * blockDim.x + threadIdx.x, and its step "
          .. "is the number of all threads."
      elseif told.message:find("come to 0)", 1, true) then
        return "Each block adds up its share and stores it: part[blockIdx.x]."
      elseif told.message:find("partial:", 1, true) then
        return "Elements are left out, or counted twice. The step from one element of a thread to its next is the "
          .. "number of all threads: gridDim.x * blockDim.x, here " .. p.g * THREADS .. "."
      end
      return "The partial sums are right: final adds all of them, and one thread writes out[0]."
    end,
    uninitialized = function(_, told)
      if told.message:find("reads.*part%[") then
        return "A block has stored no sum. Each one stores its own, also one without elements: that is 0."
      elseif told.message:find("part[", 1, true) then
        return "Nobody set part before: each block stores its sum there, one store and no atomic."
      end
      return "out[0] begins without a value: store the sum, do not add to it."
    end,
    race = function(_, told)
      if told.message:find("writes part.*which.*writes") then
        return "Two threads write the same place: block b has part[b], and one of its threads writes it."
      elseif told.message:find("part[", 1, true) then
        return "Blocks run in any order, and none waits for another. What needs all partial sums belongs into "
          .. "final, which begins when all blocks of partial have ended."
      end
      return "fold may be called once in a launch; a second call needs a barrier before it."
    end,
    out_of_bounds = function(p, told)
      if told.message:find("part[", 1, true) then
        return "There are " .. p.g .. " partial sums and 256 threads in final: compare the index with m."
      end
      return "x has " .. p.n .. " elements: compare the index with n before each load."
    end,
    inactive_source = COME, bad_mask = COME, divergent_barrier = COME, deadlock = COME,
    ["load sectors"] = "Elements are loaded more than once, or neighbors in a warp do not load neighbors of x.",
    ["store sectors"] = "One store for each block is enough: let one thread write part[b].",
    atomics = "Each block has a place of its own in part: a plain store is enough.",
  },
  tips = {
    "Blocks cannot wait for each other here. What comes after all blocks have ended?",
    "In partial each thread adds up its share in a loop that works for any grid, then the block folds, then one "
      .. "thread stores. final is the same over part.",
    "m may be larger than 256: for (i = threadIdx.x; i < m; i += blockDim.x) v += part[i]; then fold, and thread "
      .. "0 stores.",
  },
  others = {
    alt_1 = "final with one warp: the other seven leave at once, and no shared memory is needed.",
    alt_2 = "Each block adds up one run of neighbors, cut at sectors.",
  },
  wrong = {
    wrong_1 = { by = "result", what = "final looks at the first 256 partial sums only.",
                says = "final needs a loop, too" },
    wrong_2 = { by = "result", what = "The step is blockDim.x * blockDim.x.", says = "gridDim.x * blockDim.x" },
    wrong_3 = { by = "uninitialized", what = "An atomic for each warp, and nobody set part to 0.",
                says = "one store and no atomic" },
    wrong_4 = { by = "race", what = "Block 0 adds up what the others have so far.",
                says = "belongs into final" },
    wrong_5 = { by = "result", what = "Block 0 does all.", says = "All blocks share the work" },
  },
  score = { "warp instructions", function(c) return c.warp_instructions end },
}
