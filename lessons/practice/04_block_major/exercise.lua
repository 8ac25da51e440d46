local function least(p) return 2 * cdiv(p.n, 8) end

local function wasted(p, told)
  if told.value < 1.5 * least(p) then
    return "Nearly. A warp that begins within a sector touches one more: do the runs begin at multiples of 8 floats?"
  end
  return ("%d times what is needed. Take one load of one warp: how far is a lane's element from its neighbor's? "
    .. "And is each touched once?"):format(told.value // least(p))
end

local function left_out(p, told)
  if told.index and (told.index > 0 or p.n == 1) then
    return ("Nobody makes y[%d]. If a share is rounded down, the rest belongs to nobody."):format(told.index)
  end
end

return {
  name = "block_major", title = "Neighbors to neighbors", lessons = { "L08" },
  teaches = "the habit of a run for each thread; sectors",
  kernels = { "void square(float *y, const float *x, int n)" },
  statement = [[
`y[i] = x[i] * x[i]` for all `i < n`, with any grid.

Each thread takes a run of neighbors, as one would on a CPU. That is right, and slow. Get the same with the fewest
sectors.]],
  numbers = "A sector is 32 bytes, 8 floats. A load costs as many as its lanes touch: 4 side by side, 32 far apart.",
  cases = {
    { n = 2048, blocks = 4, threads = 64, shown = true, count = true },
    { n = 1, blocks = 2, threads = 32 },
    { n = 33, blocks = 2, threads = 32 },
    { n = 1023, blocks = 4, threads = 32 },
    { n = 5003, blocks = 5, threads = 64, count = true },
    { n = 31, blocks = 4, threads = 64 },
    function(d)
      return { n = d.integer(3000, 6000), blocks = d.integer(3, 6), threads = 32 * d.integer(1, 4), count = true }
    end,
  },
  launch = function(p, d)
    return {
      grid = { p.blocks, 1, 1 }, block = { p.threads, 1, 1 }, shared = 0,
      args = {
        { name = "y", type = "f32", count = p.n, init = "none" },
        { name = "x", type = "f32", values = d.numbers(p.n, -1000, 1000) },
        { name = "n", type = "i32", value = p.n },
      },
    }
  end,
  check = function(_, run)
    local x = run.input("x")
    return expect(run.output("y"), function(i) return x[i] * x[i] end)
  end,
  limits = function(p, c)
    return { { "sectors", c.global_load_sectors + c.global_store_sectors, 1.1 * least(p) + 2 * p.blocks } }
  end,
  says = {
    sectors = wasted,
    result = left_out,
    race = "Two threads make the same element: where does the run of the next one begin?",
    out_of_bounds = function(p)
      return ("The last element is %d. The last run may be shorter than the others, or empty."):format(p.n - 1)
    end,
  },
  tips = {
    "Look at one load of one warp: how far apart are its 32 addresses?",
    "The 32 lanes should take 32 neighbors, and come back later for the next.",
    "It is the loop of exercise 3. Or a run for each block, with its threads side by side in it.",
  },
  others = {
    alt_1 = "A run of whole sectors for each block, its threads side by side in it.",
    alt_2 = "Four neighbors in one load, `float4`, and what is left one by one.",
  },
  wrong = {
    starter = { by = "sectors", what = "A run for each thread.", says = "8 times what is needed" },
    wrong_1 = { by = "result", what = "Shares are rounded down.", says = "rounded down" },
    wrong_2 = { by = "sectors", what = "Runs of four for each thread.", says = "4 times what is needed" },
    wrong_3 = { by = "sectors", what = "Neighbors go to different blocks.", says = "from its neighbor's" },
    wrong_4 = { by = "sectors", what = "Runs that begin within a sector.", says = "begins within a sector" },
  },
  score = { "sectors", function(c) return c.global_load_sectors + c.global_store_sectors end },
}
