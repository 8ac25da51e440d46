-- No warp has lanes on both sides of the if.
local function whole_warps(p)
  return p.n % 32 == 0 or p.n == p.threads
end

return {
  name = "divergent_barrier", id = "K78",
  title = "A barrier that not all threads reach",
  about = "__syncthreads waits for all threads of the block. Inside an if only "
    .. "some come, and what happens is not promised: it may hang, or end with "
    .. "a wrong answer, or with a right one. Threads that have returned are "
    .. "not waited for.",
  topic = "shared memory",
  lessons = { "L10", "L14", "L15", "L17" },
  source = "divergent_barrier.cu",
  kernel = "reverse",
  params = {
    { name = "n", default = 40, min = 1, max = 256,
      help = "elements of a block's share" },
    { name = "threads", default = 64, min = 32, max = 256,
      help = "threads per block, no fewer than n" },
    { name = "blocks", default = 1, min = 1, max = 1024, scale = "log2",
      help = "blocks of the grid" },
  },
  forms = {
    { name = "right" },
    { name = "inside", title = "the barrier inside the if",
      source = "divergent_barrier.inside.cu",
      where = "CS 677, Independent Thread Scheduling",
      expect = { faults = { "divergent_barrier" }, line = "__syncthreads",
        unless = whole_warps } },
    { name = "twice", title = "a barrier in each arm",
      source = "divergent_barrier.twice.cu",
      where = "CUDA: Synchronization Function",
      expect = { faults = { "divergent_barrier" }, line = "__syncthreads",
        unless = whole_warps } },
    { name = "return", title = "threads without an element have left",
      source = "divergent_barrier.return.cu",
      expect = { faults = { "exited_lanes" }, line = "__syncthreads",
        unless = whole_warps } },
  },

  launch = function(p)
    if p.n > p.threads then
      error("n must not be above threads: each thread has one element", 0)
    end
    return {
      grid = { p.blocks, 1, 1 }, block = { p.threads, 1, 1 }, shared = 0,
      args = {
        { name = "out", type = "i32", count = p.blocks * p.threads,
          init = "zero" },
        { name = "in", type = "i32", count = p.blocks * p.threads,
          init = "iota" },
        { name = "n", type = "i32", value = p.n },
      },
    }
  end,

  check = function(p, run)
    return expect(run.output("out"), function(i)
      local first, id = i // p.threads * p.threads, i % p.threads
      return id < p.n and first + p.n - 1 - id or 0
    end)
  end,
}
