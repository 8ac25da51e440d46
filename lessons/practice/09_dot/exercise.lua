local BLOCK, WARPS = 256, 8

local function turns(p) return cdiv(p.n, BLOCK) end

return {
  name = "dot", title = "Dot product", lessons = { "L14" },
  teaches = "a tree in shared memory: halves, a barrier for each level, for all threads",
  kernels = { "void dot(float *out, const float *x, const float *y, int n)" },
  statement = [[
`out[0]` = the sum of `x[i] * y[i]` for `i < n`. One block of 256 threads; `n` may be 0.

Each thread has its own sum already. Fold the 256 sums in shared memory, as a tree with a barrier for each level.]],
  numbers = "A barrier counts each warp that comes, 8 for the block; an instruction counts once for its warp.",
  cases = {
    { n = 1000, shown = true, count = true },
    { n = 0 },
    { n = 1 },
    { n = 31 },
    { n = 33 },
    { n = 257 },
    { n = 4099, count = true },
    function(d) return { n = d.integer(600, 3000), count = true } end,
  },
  launch = function(p, d)
    return {
      grid = { 1, 1, 1 }, block = { BLOCK, 1, 1 }, shared = 0,
      args = {
        { name = "out", type = "f32", count = 1, init = "none" },
        { name = "x", type = "f32", values = d.numbers(p.n, -9, 9) },
        { name = "y", type = "f32", values = d.numbers(p.n, 1, 9) },
        { name = "n", type = "i32", value = p.n },
      },
    }
  end,
  check = function(p, run)
    local x, y, sum = run.input("x"), run.input("y"), 0
    for i = 0, p.n - 1 do sum = sum + x[i] * y[i] end
    return expect(run.output("out"), function() return sum end)
  end,
  limits = function(p, c)
    return {
      -- A compiler that unrolls the loop parts the lanes once: some sectors come twice.
      { "load sectors", c.global_load_sectors, 2.5 * cdiv(p.n, 8) + 2 },
      { "barrier arrivals", c.barriers, 10 * WARPS },
      { "bank conflicts", c.shared_load_bank_conflicts + c.shared_store_bank_conflicts, 0 },
      { "divergent branches", c.divergent_branches, 12 + 2 * turns(p) },
      { "atomics", c.atomics, 0 },
      { "warp instructions", c.warp_instructions, WARPS * (180 + 10 * turns(p)) },
    }
  end,
  says = {
    race = "What you add another thread made in the level before. Each level needs a barrier, for the whole block.",
    divergent_barrier = "Threads that have nothing to add must come to the barrier as well: where does it stand? "
      .. "And does the loop end?",
    uninitialized = function(_, told)
      if told.message and told.message:find(" out[", 1, true) then
        return "out holds nothing yet: it is written at the end, once."
      end
      return "That word was never written: there are 256 sums, and the far half begins 128 further on."
    end,
    budget = "The loop never ends: half of 1 is 0, and half of 0 is 0 again.",
    out_of_bounds = "There are 256 sums: with 256 threads the far half begins 128 further on.",
    result = "Not all sums came to part[0]. 256, 128, 64, 32, 16, 8, 4, 2, 1: how many levels has your tree?",
    ["bank conflicts"] = "Words that lie 2, 4, 8 apart share banks. Which other word can a thread add?",
    ["divergent branches"] = "Each parts a warp. Let the threads that work be neighbors: then whole warps are done.",
    ["warp instructions"] = "How many threads add while the others wait?",
    atomics = "Atomics come one behind the other. The tree needs none: half of the threads add, then half of those.",
    ["barrier arrivals"] = "A barrier for each level is enough.",
    ["load sectors"] = "x and y have to be read once: the sums are in shared memory.",
  },
  tips = {
    "256 sums, 256 threads: half of the threads can each add the sum of one of the others.",
    "`s[t] += s[t + k]` for `t < k`, with k = 128, 64, ..., 1.",
    "The barrier stands behind the condition, not in it: everybody comes.",
  },
  others = {
    alt_1 = "Stops with two sums: one barrier less.",
    alt_2 = "Each sum stays in its register; only those are stored that another thread adds.",
  },
  wrong = {
    starter = { by = "result", what = "Nothing is folded yet.", says = "how many levels" },
    wrong_1 = { by = "race", what = "No barrier between the levels.", says = "for the whole block" },
    wrong_2 = { by = "bank conflicts", what = "Neighbors first.", says = "share banks" },
    wrong_3 = { by = "divergent branches", what = "Every second thread works.", says = "parts a warp" },
    wrong_4 = { by = "divergent_barrier", what = "The barrier is in the condition.", says = "where does it stand" },
    wrong_5 = { by = "warp instructions", what = "Thread 0 adds alone.", says = "while the others wait" },
    wrong_6 = { by = "out_of_bounds", what = "The first half is 256 long.", says = "128 further on" },
    wrong_7 = { by = "result", what = "One level too few.", says = "how many levels" },
  },
  score = { "warp instructions", function(c) return c.warp_instructions end },
}
