-- A sort without branches on data: a network over the lanes.

return {
  name = "sort_warp", title = "A divergent sort mended", lessons = { "L04", "L15" },
  teaches = "a network in place of branches on data",
  kernels = { "void sort32(int *x, int n)" },
  statement = [[
Sort every run of 32 elements of `x`, small ones first. The last run may be shorter. Blocks of 128 threads.

The starter is right. But one lane of 32 works, and its branches go where the data send them.

Let each lane hold one element, and exchange by shuffles. No branch depends on data.]],
  numbers = "Branches that part a warp, and what a warp executes. A network of 15 exchanges sorts 32 elements.",
  cases = {
    { n = 256, shown = true, count = true },
    { n = 1 }, { n = 31 }, { n = 32 }, { n = 33 },
    function(d) return { n = d.integer(700, 1100), count = true } end,
  },
  launch = function(p, d)
    return {
      grid = { cdiv(p.n, 128), 1, 1 }, block = { 128, 1, 1 },
      args = {
        { name = "x", type = "i32", values = d.numbers(p.n, -999, 999) },
        { name = "n", type = "i32", value = p.n },
      },
    }
  end,
  check = function(p, run)
    local x, want = run.input("x"), {}
    for first = 0, p.n - 1, 32 do
      local part = {}
      for i = first, math.min(first + 31, p.n - 1) do
        part[#part + 1] = x[i]
      end
      table.sort(part)
      for k, value in ipairs(part) do
        want[first + k - 1] = value
      end
    end
    return expect(run.output("x"), function(i) return want[i] end)
  end,
  limits = function(p, c)
    local warps = 4 * cdiv(p.n, 128)
    return {
      { "divergent branches", c.divergent_branches, 2 },
      { "shuffles", c.shuffles, 31 * warps },
      { "warp instructions", c.warp_instructions, 400 * warps },
      { "sectors", c.global_load_sectors + c.global_store_sectors, 2 * cdiv(p.n, 8) + 2 },
    }
  end,
  says = {
    bad_mask = "The mask names lanes that do not come to the shuffle. Keep them in, with their own value.",
    race = "Two lanes write one element, and nothing orders them.",
    result = function(p, told)
      if p.n % 32 ~= 0 and told.got == 0 then
        return "Spare lanes of the last run have to hold something that is sorted behind all others."
      end
      return "Not sorted. In a network of runs every other run has to fall before two of them are merged."
    end,
    ["divergent branches"] = "Right, but branches on data part the warps. A minimum or a maximum does not.",
    ["warp instructions"] = "Right, and too long: 15 exchanges sort 32 lanes.",
    shuffles = "Right, and too many shuffles: 15 exchanges are enough.",
    sectors = "Each element goes through memory once in each direction.",
  },
  tips = {
    "A branch on data parts the warp. A minimum does not.",
    "Exchange with lane `lane ^ d`, and keep the smaller or the larger one. Runs of 2, 4, 8, 16, 32; distances from "
      .. "half of the run down to 1.",
    "A run rises where `(lane & run) == 0`. The lower lane of a pair in a rising run keeps the minimum. Spare lanes "
      .. "hold the largest number.",
  },
  others = {
    alt_1 = "The first step of a stage looks into a mirror: all runs rise.",
    alt_2 = "By rank: how many are smaller? 31 shuffles.",
  },
  wrong = {
    starter = { by = "divergent branches", what = "Insertion by one lane.", says = "part the warps" },
    wrong_1 = { by = "result", what = "All stages rise.", says = "every other run has to fall" },
    wrong_2 = { by = "bad_mask", what = "Lanes at the rim stay away.", says = "Keep them in" },
    wrong_3 = { by = "divergent branches", what = "A branch on data in each turn.", says = "part the warps" },
    wrong_4 = { by = "result", what = "Spare lanes hold 0.", says = "sorted" },
  },
  score = { "warp instructions", function(c) return c.warp_instructions end },
}
