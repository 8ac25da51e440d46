-- The sum of an array in one launch: the block that is last to be done adds the partial sums.

local THREADS, SECTOR, LAUNCHES = 256, 8, 2         -- of a block; floats in a sector; in a row

local function sum(list, last)
  local total = 0
  for i = 0, last - 1 do
    total = total + list[i]
  end
  return total
end

-- What is wrong with one of the two launches, or nil.
local function complaint(p, run, suffix, which, want)
  local got = run.output("out" .. suffix)[0]
  local found = sum(run.output("part" .. suffix), p.g)
  if got == want and found == want then
    return nil
  elseif got == want then
    return string.format("the sums in part come to %.9g, not to %d (%s launch; out[0] is right)", found, want,
      which)
  end
  local parts = found == want and "are right" or string.format("come to %.9g", found)
  return string.format("out[0] is %.9g, expected %d (%s launch; its partial sums %s)", got, want, which, parts)
end

-- With work for all, no block may have much more of it than the others.
local function greedy(p, part, want)
  for b = 0, p.g - 1 do
    if p.n >= THREADS * p.g and part[b] * p.g > 3 * want then
      return string.format("part[%d] is %.9g, of %d: one block does most of the work", b, part[b], want)
    end
  end
end

local function named(told, array)
  return told.message:find(array .. "[", 1, true)
end

local FENCE = "The store of part[b] has to be seen by others before the block is counted: the store, "
  .. "__threadfence(), then the atomicAdd, in this order and in one thread."

local EARLY = "A partial sum is read before its block has written it: only the block that is counted last may "
  .. "read them, and none can know by blockIdx that it is."

local SHARED = "A shared variable has one thread that writes it, and a __syncthreads() before the others read it. "
  .. "Between two calls of fold there is one, too."
local COME = "fold is for all 256 threads of the block, spare ones with 0: only the store has a condition."

return {
  name = "one_launch",
  title = "Sum in one launch",
  lessons = { "L16", "L14" },
  teaches = "publish, fence, count; the block that is last; leave the counter as it was",
  kernels = { "void sum(float *out, float *part, unsigned *done, const float *x, int n)" },
  statement = [[
The sum of the `n` floats of `x`, in one launch of any number of blocks of 256 threads.

Block b writes the sum of its share to `part[b]` and counts itself in `done[0]`. The block that finds itself the last
one adds the partial sums, and writes `out[0]`.

`done[0]` is 0 at the start and has to be 0 at the end: the kernel is launched twice in a row, with another `out` and
`part`. The starter brings `fold`, which adds one number of each thread of a block.]],
  numbers = "Each sector of x and each partial sum is loaded once, and a block needs one atomic, to count itself.",
  cases = {
    { n = 10000, g = 16, shown = true, count = true },
    { n = 0, g = 1 },
    { n = 1, g = 3 },
    { n = 33, g = 2 },
    { n = 70001, g = 280 },
    function(d) return { n = d.integer(4000, 9000), g = d.integer(20, 60), count = true } end,
  },
  sequence = function(p, d)
    local function launch(out, part)
      return { launch = "sum", grid = { p.g }, block = { THREADS }, args = { out, part, "done", "x", p.n } }
    end
    return {
      buffers = {
        { name = "out", type = "f32", count = 1, init = "none" },
        { name = "part", type = "f32", count = p.g, init = "none" },
        { name = "out2", type = "f32", count = 1, init = "none" },
        { name = "part2", type = "f32", count = p.g, init = "none" },
        { name = "done", type = "u32", count = 1, init = "zero" },
        { name = "x", type = "f32", values = d.numbers(p.n, 1, 99) },
      },
      steps = { launch("out", "part"), launch("out2", "part2") },
    }
  end,
  budget = 1 << 21,
  check = function(p, run)
    local want, done = sum(run.input("x"), p.n), run.output("done")[0]
    local first = complaint(p, run, "", "first", want)
    if first then
      return false, first
    elseif done ~= 0 then
      return false, string.format("done[0] is %d, expected 0 (after both launches)", done)
    end
    local second = complaint(p, run, "2", "second", want) or greedy(p, run.output("part2"), want)
    return not second, second
  end,
  limits = function(p, c)
    local least = cdiv(p.n, SECTOR) + cdiv(p.g, SECTOR)
    return {
      { "load sectors", c.global_load_sectors, math.floor(LAUNCHES * (1.02 * least + SECTOR + p.g)) },
      { "atomics", c.global_atom_requests + c.global_red_requests, LAUNCHES * (p.g + 1) },
      { "store sectors", c.global_store_sectors, LAUNCHES * (p.g + 2) },
    }
  end,
  says = {
    budget = "A loop does not end: what does each round change in its condition?",
    result = function(_, told)
      if told.message:find("done[", 1, true) then
        return "The second launch begins with what the first one left in done, and never finds its last block. "
          .. "The last block sets done[0] back to 0."
      elseif told.message:find("most of the work", 1, true) or told.message:find("out[0] is right", 1, true) then
        return "All blocks share the work, and each one stores the sum of its share in part[b]: a thread begins "
          .. "at blockIdx.x * blockDim.x + threadIdx.x, and its step is the number of all threads."
      elseif told.message:find("partial sums are right", 1, true) and told.got and told.got > told.want then
        return "The last block adds partial sums only: it begins with 0, and no longer with the sum of its share."
      elseif told.message:find("partial sums are right", 1, true) then
        return "The last block is the one to which atomicAdd(done, 1) returns gridDim.x - 1. It adds gridDim.x "
          .. "partial sums, however many threads it has."
      end
      return "Each block adds up its share in a loop whose step is gridDim.x * blockDim.x; spare threads bring 0 "
        .. "to fold."
    end,
    race = function(_, told)
      if told.message:find("writes part", 1, true) then
        return EARLY
      elseif named(told, "part") or named(told, "part2") then
        return FENCE
      elseif named(told, "done") then
        return "Blocks count at the same time: count with an atomic. Only the last block, when all others have "
          .. "counted and nobody looks any more, may store."
      end
      return SHARED
    end,
    uninitialized = function(_, told)
      if named(told, "part") or named(told, "part2") then
        return EARLY
      elseif told.message:find("out", 1, true) then
        return "out[0] begins without a value, and one atomic for each block is enough: store the partial sums, "
          .. "and let the last block store out[0]."
      end
      return SHARED
    end,
    livelock = "Do not wait for other blocks: they may need the place of this one. Leave; the last one to be done "
      .. "adds.",
    inactive_source = COME, bad_mask = COME, divergent_barrier = COME, deadlock = COME,
    ["load sectors"] = "Only the last block reads the partial sums, each of them once.",
    atomics = "One atomic for each block is enough: thread 0 counts the block.",
    ["store sectors"] = "One store of part[b] for each block, one of out[0], one of done[0].",
  },
  tips = {
    "A block cannot wait for the others. But the one that is done last can find out that it is.",
    "Thread 0 of a block: store the partial sum, then the fence, then count. What does atomicAdd return to the "
      .. "last one?",
    "Who gets gridDim.x - 1 from atomicAdd(done, 1) is last. It tells its other threads by a shared variable and "
      .. "__syncthreads(); they add up part and fold, and thread 0 stores out[0] and sets done[0] to 0.",
  },
  others = {
    alt_1 = "atomicInc counts round, and brings the counter back to 0 by itself.",
    alt_2 = "One warp of the last block adds the partial sums, without shared memory.",
  },
  wrong = {
    wrong_1 = { by = "race", what = "No fence between the partial sum and the count.", says = "__threadfence()" },
    wrong_2 = { by = "result", what = "The counter is not set back.", says = "sets done[0] back to 0" },
    wrong_3 = { by = "race", what = "Block 0 adds up without asking who is done.",
                says = "only the block that is counted last" },
    wrong_4 = { by = "uninitialized", what = "Every thread adds its own sum to out.",
                says = "one atomic for each block is enough" },
    wrong_5 = { by = "race", what = "The fences are for the own block only.", says = "__threadfence()" },
    wrong_6 = { by = "race", what = "The fence stands before the store.", says = "in this order" },
    wrong_7 = { by = "result", what = "Block 0 does all.", says = "All blocks share the work" },
  },
  score = { "warp instructions", function(c) return c.warp_instructions end },
}
