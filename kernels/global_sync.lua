return {
  name = "global_sync", id = "K19",
  title = "Two kernels, and a barrier between them",
  about = "The second step reads what other blocks wrote in the first. Launches "
    .. "of one stream follow one another, so the end of a kernel is a barrier "
    .. "for all blocks, and the host need not wait. __syncthreads() inside of "
    .. "one kernel is not: form=one.",
  topic = "atomics",
  lessons = { "L16" },
  source = "global_sync.cu",
  params = {
    { name = "n", default = 1024, min = 1, max = 1 << 20, scale = "log2",
      help = "elements" },
    { name = "threads", default = 128,
      values = { 32, 64, 128, 256, 512, 1024 }, help = "threads per block" },
  },
  forms = {
    { name = "two", title = "two launches" },
    { name = "one", title = "one launch, with __syncthreads()",
      where = "CS 677, Global Communication",
      expect = { verdict = "by chance", faults = { "race" },
        line = "b[i] = a[n - 1 - i]",
        unless = function(p) return p.n <= p.threads end } },
  },

  sequence = function(p)
    local grid, block = { cdiv(p.n, p.threads) }, { p.threads }
    local steps
    if p.form == "one" then
      steps = { { launch = "both_steps", grid = grid, block = block,
        args = { "b", "a", p.n } } }
    else
      steps = {
        { launch = "step1", grid = grid, block = block, args = { "a", p.n } },
        { launch = "step2", grid = grid, block = block, args = { "b", "a", p.n } },
      }
    end
    steps[#steps + 1] = { copy = "d2h", buffer = "b" }
    steps[#steps + 1] = { read = "b" }
    return {
      buffers = {
        { name = "a", type = "i32", count = p.n, init = "const:-1", host = "none" },
        { name = "b", type = "i32", count = p.n, init = "none" },
      },
      steps = steps,
    }
  end,

  check = function(p, run)
    local back = p.n - 1 - each.index()
    local square = back * back & 0xffffffff   -- an int wraps
    return expect(run.output("b"),
      each.pick(square & 1 << 31, square - (1 << 32), square))
  end,
}
