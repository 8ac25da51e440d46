-- Sums from the left in each run of 32 elements: five shuffles, and lanes that have no left neighbor.

local THREADS, LANES, SECTOR = 128, 32, 8           -- of a block, of a warp; integers in a sector

local function warps(p)
  return cdiv(p.n, THREADS) * (THREADS // LANES)
end

return {
  name = "scan_warp",
  title = "Scan in a warp",
  lessons = { "L15" },
  teaches = "shuffles up, lanes without a left neighbor, all lanes come",
  kernels = { "void scan32(int *y, const int *x, int n)" },
  statement = [[
Sums from the left in every run of 32 elements: `y[i]` is `x[32*(i/32)] + ... + x[i]`.

One thread for each element, in blocks of 128. The last block has spare threads; the lanes that a mask names come to
the call, these too.

No shared memory, no barrier, and five shuffles for a warp.]],
  numbers = "x is loaded once and y stored once; a warp needs five shuffles, and no memory in between.",
  cases = {
    { n = 1024, shown = true, count = true },
    { n = 1 },
    { n = 31 },
    { n = 32 },
    { n = 33 },
    { n = 129 },
    function(d) return { n = d.integer(900, 1300), count = true } end,
  },
  launch = function(p, d)
    return {
      grid = { cdiv(p.n, THREADS), 1, 1 }, block = { THREADS, 1, 1 }, shared = 0,
      args = {
        { name = "y", type = "i32", count = p.n, init = "none" },
        { name = "x", type = "i32", values = d.numbers(p.n, 1, 999) },
        { name = "n", type = "i32", value = p.n },
      },
    }
  end,
  budget = 1 << 20,
  check = function(p, run)
    local x, want, sum = run.input("x"), {}, 0
    for i = 0, p.n - 1 do
      sum = (i % LANES == 0 and 0 or sum) + x[i]
      want[i] = sum
    end
    return expect(run.output("y"), function(i) return want[i] end)
  end,
  limits = function(p, c)
    return {
      { "sectors", c.global_load_sectors + c.global_store_sectors, 2 * cdiv(p.n, SECTOR) + 2 },
      { "shuffles", c.shuffles, 5 * warps(p) },
      { "barriers", c.barriers, 0 },
      { "shared accesses", c.shared_load_instructions + c.shared_store_instructions, 0 },
    }
  end,
  warnings = { "exited_lanes" },
  says = {
    budget = "A loop does not end: what does each round change in its condition?",
    result = function(p, told)
      local lane = told.index and told.index % LANES
      if told.unwritten then
        return "Each thread with an element stores its sum: y[i], where i < n."
      elseif lane == 0 then
        return "Lane 0 has nobody to its left, so its sum is its own element. A lane below d gets its own value "
          .. "back from __shfl_up_sync: it must not add it."
      elseif told.got and told.index and told.index >= LANES and told.got > told.want then
        return "Each run of 32 begins anew: what the run before comes to does not belong in."
      elseif p.n >= LANES then
        return "After the step with distance d, a lane has the sum of the 2 * d elements that end with its own: d "
          .. "is 1, 2, 4, 8, 16."
      end
    end,
    bad_mask = "A shuffle needs all lanes that its mask names: let every lane come to it, and decide behind it "
      .. "who adds.",
    inactive_source = "A lane reads from one that does not come to the shuffle: let every lane come, and decide "
      .. "behind it who adds.",
    exited_lanes = "The mask names lanes that have left. Keep spare threads in, with 0 in place of an element, "
      .. "and guard only the load and the store.",
    sectors = "Each element of x once in, each of y once out: sums in between stay in registers.",
    shuffles = function(p, told)
      return string.format("%d shuffles a warp, where 5 are enough: double the distance from step to step.",
        told.value // warps(p))
    end,
    barriers = "The lanes of a warp meet at the shuffle: no barrier of the block is needed.",
    ["shared accesses"] = "A shuffle carries a value from lane to lane without shared memory.",
  },
  tips = {
    "Which sum does a lane have once it has added its left neighbor's element? And whose sum is worth adding next?",
    "Distances 1, 2, 4, 8, 16: after each, a lane has the sum of twice as many elements. __shfl_up_sync looks to "
      .. "the left.",
    "int left = __shfl_up_sync(~0u, v, d); for every lane, and then: if (lane >= d) v += left;",
  },
  others = {
    alt_1 = "A factor of 0 or 1 in place of the condition.",
    alt_2 = "The lower half of each pair of runs hands its sum up, from its last lane.",
  },
  wrong = {
    wrong_1 = { by = "result", what = "The first d lanes add their own value.", says = "gets its own value back" },
    wrong_2 = { by = "shuffles", what = "One shuffle for each of 31 neighbors.", says = "31 shuffles a warp" },
    wrong_3 = { by = "exited_lanes", what = "Threads past the end leave; the mask still names them.",
                says = "names lanes that have left" },
    wrong_4 = { by = "bad_mask", what = "The shuffle is inside the condition.", says = "let every lane come" },
    wrong_5 = { by = "shared accesses", what = "The values go through shared memory.",
                says = "without shared memory" },
    starter = { by = "result" },
  },
  score = { "warp instructions", function(c) return c.warp_instructions end },
}
