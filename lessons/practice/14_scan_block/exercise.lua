-- Sums from the left in a block: warps first, then what the warps before come to.

local THREADS, WARPS, LANES, SECTOR = 256, 8, 32, 8     -- of a block; lanes of a warp; integers in a sector
local BARRIERS = 3                                      -- a block may have so many

return {
  name = "scan_block",
  title = "Scan in a block",
  lessons = { "L15", "L10" },
  teaches = "in place needs two barriers; warps first, then the totals",
  kernels = { "void scan(int *y, int *sums, const int *x, int n)" },
  statement = [[
Every block of 256 threads scans its 256 elements: `y[i]` is the sum of `x` from the first element of the block to i.
`sums[b]` is what all elements of block b come to, also in the last block, which may have spare threads.

At most three barriers. You can scan a warp (exercise 13): what is still missing then?]],
  numbers = "x is loaded once and y stored once; eight warps need to wait for each other only once or twice.",
  cases = {
    { n = 2048, shown = true, count = true },
    { n = 1 },
    { n = 31 },
    { n = 33 },
    { n = 255 },
    { n = 257 },
    function(d) return { n = d.integer(1300, 1900), count = true } end,
  },
  launch = function(p, d)
    return {
      grid = { cdiv(p.n, THREADS), 1, 1 }, block = { THREADS, 1, 1 }, shared = 0,
      args = {
        { name = "y", type = "i32", count = p.n, init = "none" },
        { name = "sums", type = "i32", count = cdiv(p.n, THREADS), init = "none" },
        { name = "x", type = "i32", values = d.numbers(p.n, 1, 999) },
        { name = "n", type = "i32", value = p.n },
      },
    }
  end,
  budget = 1 << 20,
  check = function(p, run)
    local x, y, sums, sum = run.input("x"), {}, {}, 0
    for i = 0, p.n - 1 do
      sum = (i % THREADS == 0 and 0 or sum) + x[i]
      y[i], sums[i // THREADS] = sum, sum
    end
    return expect(run.output("y"), function(i) return y[i] end)
      and expect(run.output("sums"), function(b) return sums[b] end)
  end,
  limits = function(p, c)
    local blocks = cdiv(p.n, THREADS)
    return {
      { "sectors", c.global_load_sectors + c.global_store_sectors, 2 * cdiv(p.n, SECTOR) + blocks + 2 },
      { "barriers", c.barriers, BARRIERS * WARPS * blocks },
      { "bank conflicts", c.shared_load_bank_conflicts + c.shared_store_bank_conflicts, 0 },
      { "warp instructions", c.warp_instructions, 130 * WARPS * blocks },
    }
  end,
  warnings = { "exited_lanes" },
  says = {
    budget = "A loop does not end: what does each round change in its condition?",
    result = function(_, told)
      if told.message:find("sums[", 1, true) then
        return "Thread 255 has the block's sum, also where it has no element of its own: only y needs the guard."
      elseif told.unwritten then
        return "Each thread with an element stores its sum: y[i], where i < n."
      elseif told.index and told.index % THREADS >= LANES then
        return "Within its warp a lane may be right and still lack something: the sum of all warps before its "
          .. "own, not only of the next one."
      elseif told.index then
        return "This is in the first warp of its block: nothing comes before it. Is the scan of the warp right, "
          .. "is something added that does not come before, and does block b begin at element 256 * b?"
      end
    end,
    race = function(_, told)
      if told.message:find(" of block ", 1, true) and told.message:find("nothing orders the two blocks", 1,
        true) then
        return "Each block has elements of its own: those of block b begin at 256 * b."
      elseif told.message:find("sums[", 1, true) then
        return "sums[b] is stored by one thread: the one that has the sum of all."
      end
      return "A thread may meet a value that another one has already changed, or not yet written. In place: "
        .. "everyone reads, barrier, everyone writes, barrier. With scans of warps one barrier, before the totals "
        .. "are read, is enough."
    end,
    uninitialized = "A total is read that nobody wrote: all warps write theirs, also those without elements, and "
      .. "all come to the __syncthreads() before the totals are read.",
    bad_mask = "All lanes come to a shuffle, spare ones with 0; who adds is decided behind it.",
    exited_lanes = "Spare threads have left where the others still need them: keep them in with 0, and guard only "
      .. "the load and the store.",
    divergent_barrier = "__syncthreads() is for all threads of the block: no condition around it.",
    sectors = "Each element of x once in, each of y once out: sums in between stay in the block.",
    barriers = function(p, told)
      return string.format("Right, with %d barriers a block where 1 or 2 are enough: within a warp, shuffles need "
        .. "none.",
        told.value // (WARPS * cdiv(p.n, THREADS)))
    end,
    ["bank conflicts"] = "Lanes of a warp meet in one bank: neighbors should touch neighbors, or all the same "
      .. "word.",
    ["warp instructions"] = "A scan of 32 is five steps. More than 130 instructions a warp is a loop too many.",
  },
  tips = {
    "Scan in each warp first. What does warp 3 still lack?",
    "The last lane of each warp stores its total in shared memory; one barrier; then everyone adds the totals of "
      .. "the warps before.",
    "if (lane == 31) total[warp] = v; __syncthreads(); for (k = 0; k < 7; ++k) if (k < warp) v += total[k];",
  },
  others = {
    alt_1 = "Every warp scans the eight totals by shuffles; one barrier.",
    alt_2 = "Warp 0 scans the totals for all; two barriers, fewer instructions.",
  },
  wrong = {
    wrong_1 = { by = "race", what = "In place with one barrier in a step.", says = "everyone reads, barrier" },
    wrong_2 = { by = "barriers", what = "Two barriers in a step: right, and 17 of them.",
                says = "17 barriers a block" },
    wrong_3 = { by = "result", what = "Adds only the warp before.", says = "the sum of all warps before" },
    wrong_4 = { by = "race", what = "No barrier before the totals are read.", says = "before the totals are read" },
    wrong_5 = { by = "result", what = "The sum of the last block is not stored.", says = "only y needs the guard" },
    wrong_6 = { by = "barriers", what = "Two buffers by turns: nine barriers.", says = "9 barriers a block" },
  },
  score = { "warp instructions", function(c) return c.warp_instructions end },
}
