local BLOCK, WARPS, LEVELS = 256, 8, 5

return {
  name = "reduce_warp", title = "Reduction with shuffles", lessons = { "L15" },
  teaches = "the last 32 without barriers; masks; lanes do not keep step",
  kernels = { "void sum(float *out, const float *x, int n)" },
  statement = [[
`out[0]` = the sum of `x[i]` for `i < n`. One block of 256 threads; `n` may be 0.

At most two barriers: inside a warp none is needed. Fold `v` over the 32 lanes of a warp with shuffles, then over the
8 warps.]],
  numbers = "A barrier counts each warp that comes: 8 for the block. A shuffle counts once for its warp.",
  cases = {
    { n = 1000, shown = true, count = true },
    { n = 0 },
    { n = 1 },
    { n = 31 },
    { n = 33 },
    { n = 4097, count = true },
    function(d) return { n = d.integer(600, 3000), count = true } end,
  },
  launch = function(p, d)
    return {
      grid = { 1, 1, 1 }, block = { BLOCK, 1, 1 }, shared = 0,
      args = {
        { name = "out", type = "f32", count = 1, init = "none" },
        { name = "x", type = "f32", values = d.numbers(p.n, 1, 99) },
        { name = "n", type = "i32", value = p.n },
      },
    }
  end,
  check = function(p, run)
    local x, sum = run.input("x"), 0
    for i = 0, p.n - 1 do sum = sum + x[i] end
    return expect(run.output("out"), function() return sum end)
  end,
  limits = function(p, c)
    return {
      -- A compiler that unrolls the loop parts the lanes once: some sectors come twice.
      { "load sectors", c.global_load_sectors, 1.25 * cdiv(p.n, 8) + 2 },
      { "barrier arrivals", c.barriers, 2 * WARPS },
      { "atomics", c.atomics, WARPS },
      { "shuffles", c.shuffles, 2 * WARPS * LEVELS },
    }
  end,
  says = {
    race = function(_, told)
      if told.message and not told.message:find(" reads ", 1, true) then
        return "Several lanes write there. Which lane of a warp has the whole sum?"
      end
      return "Another thread writes that word, and nothing makes you wait. Lanes do not keep step, warps even less."
    end,
    bad_mask = "The mask names lanes that do not come. Let all 32 come to the shuffle, those without a value with 0.",
    inactive_source = "A lane asks one that does not come. Let all 32 come, those without a value with 0; "
      .. "or name those that come, and give the shuffle a width.",
    out_of_bounds = "8 warps have 8 sums: the other lanes bring 0.",
    divergent_barrier = "All threads have to come to a barrier, all 32 lanes to a shuffle. Is one in a condition?",
    uninitialized = function(_, told)
      if told.message and told.message:find(" out[", 1, true) then
        return "out holds nothing yet: it is written at the end, and not added to."
      end
      return "Nobody wrote that word yet. Does somebody wait until the sums of all warps are there?"
    end,
    result = "Some are left out, or counted twice. 32 lanes fold in five steps: 16, 8, 4, 2, 1. And there are 8 warps.",
    ["barrier arrivals"] = "8 for each barrier. Lanes of a warp can hand their values over without one.",
    shuffles = "5 fold a warp, with all lanes at once: 8 warps need 40, and then one warp folds the 8 sums.",
    ["load sectors"] = "Each element is needed once, and neighbors by neighbors: 8 floats a sector.",
    atomics = "Each element or thread has an atomic of its own. At most one for a warp: fold first.",
  },
  tips = {
    "Inside a warp values can go from lane to lane without memory, and without a barrier.",
    "`v += __shfl_down_sync(~0u, v, d)` for d = 16, 8, 4, 2, 1, with all 32 lanes.",
    "Lane 0 of each warp stores its sum; one barrier; then warp 0 folds the 8 sums.",
  },
  others = {
    alt_1 = "Butterflies: every lane has the sum of its warp.",
    alt_2 = "Shared memory down to one warp at once, then shuffles.",
  },
  wrong = {
    starter = { by = "result", what = "Nothing is folded yet.", says = "left out" },
    wrong_1 = { by = "race", what = "The last warp without barriers.", says = "do not keep step" },
    wrong_2 = { by = "barrier arrivals", what = "The tree, with nine barriers.", says = "without one" },
    wrong_3 = { by = "inactive_source", what = "The mask has 32 lanes, 8 come.", says = "asks one that does not come" },
    wrong_4 = { by = "race", what = "The last warp over volatile words.", says = "do not keep step" },
    wrong_5 = { by = "race", what = "Nobody waits for the other warps.", says = "warps even less" },
    wrong_6 = { by = "result", what = "The sum of one warp.", says = "there are 8 warps" },
  },
  score = { "warp instructions", function(c) return c.warp_instructions end },
}
