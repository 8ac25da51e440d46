local function factor(p) return p.blocks + 0.5 end

-- Which elements are missing tells which part of the index is.
local function missing(p, told)
  if not told.index then return nil end
  if told.index == 0 then
    return "y[0] belongs to thread 0 of block 0: it is to be a * x[0]."
  elseif told.index < p.threads then
    return ("y[%d] belongs to thread %d of block 0. Is threadIdx.x in your index?"):format(told.index, told.index)
  elseif told.index == p.threads then
    return ("Block 0 has made its %d elements, nobody those of block 1. Is the block's number in your index?")
      :format(p.threads)
  end
  return ("Block 1 begins with y[%d]. Where does your index put its thread 0?"):format(p.threads)
end

local function outside(p)
  return ("The elements go from 0, of thread 0 of block 0, to %d, of the last thread of the last block. "
    .. "Does your index begin there, and which of its numbers is to be multiplied?"):format(p.blocks * p.threads - 1)
end

local function alone(_, told)
  return ("Your warps need %d each where one is enough: has every lane an element of its own?")
    :format(cdiv(told.value, told.most))
end

return {
  name = "map", title = "Map", lessons = { "L01", "L02" },
  teaches = "which element is mine; the index over blocks",
  kernels = { "void scale(float *y, const float *x, float a)" },
  statement = [[
`y[i] = a * x[i]` for every element.

There are exactly as many threads as elements, in one block or in several.]],
  numbers = "A request is one load or store of a whole warp: 32 lanes that work side by side need one.",
  cases = {
    { blocks = 1, threads = 32, shown = true },
    { blocks = 2, threads = 64, shown = true, count = true },
    { blocks = 1, threads = 1 },
    { blocks = 5, threads = 31 },
    { blocks = 7, threads = 128, count = true },
    function(d) return { blocks = d.integer(9, 20), threads = d.integer(33, 200), count = true } end,
  },
  launch = function(p, d)
    local n = p.blocks * p.threads
    return {
      grid = { p.blocks, 1, 1 }, block = { p.threads, 1, 1 }, shared = 0,
      args = {
        { name = "y", type = "f32", count = n, init = "none" },
        { name = "x", type = "f32", values = d.numbers(n, -1000, 1000) },
        { name = "a", type = "f32", value = factor(p) },
      },
    }
  end,
  check = function(p, run)
    local x = run.input("x")
    return expect(run.output("y"), function(i) return factor(p) * x[i] end)
  end,
  limits = function(p, c)
    local warps = p.blocks * cdiv(p.threads, 32)
    return {
      { "store requests", c.global_store_requests, warps },
      { "load requests", c.global_load_requests, warps },
    }
  end,
  says = {
    result = missing,
    out_of_bounds = outside,
    uninitialized = "y holds nothing yet: it is written, and not read.",
    ["store requests"] = alone,
    ["load requests"] = alone,
  },
  tips = {
    "Each thread makes one element. What tells two threads of different blocks apart?",
    "How many threads are in the blocks before mine? Each of them has an element of its own.",
    "`i = blockIdx.x * blockDim.x + threadIdx.x`, then one line.",
  },
  others = {
    alt_1 = "From the far end: which thread makes which element is free.",
    alt_2 = "The pointers are moved to the block's part first.",
  },
  wrong = {
    starter = { by = "result", what = "Nothing is made yet.", says = "thread 0 of block 0" },
    wrong_1 = { by = "result", what = "The block is not in the index.", says = "block's number" },
    wrong_2 = { by = "store requests", what = "One thread makes them all.", says = "32 each where one is enough" },
    wrong_3 = { by = "result", what = "Multiplied by the number of blocks.", says = "Block 1 begins with y[64]" },
    wrong_4 = { by = "out_of_bounds", what = "The thread is multiplied, not the block.", says = "to be multiplied" },
  },
}
