return {
  name = "grid_barrier", id = "K94",
  title = "A barrier of the whole grid, in one launch or in two",
  about = "All blocks of a cooperative launch are on the GPU at the same "
    .. "time, so that they can wait for one another at grid.sync(). Without "
    .. "it the end of a kernel is the only such barrier. More blocks than fit "
    .. "are refused: 1,056 of 256 threads on an H200 (132 times 8).",
  topic = "reduction",
  lessons = { "L05", "L18" },
  source = "grid_barrier.cu",
  params = {
    { name = "version", default = "together", values = { "together", "two" },
      help = "one cooperative launch, or two launches" },
    { name = "N", default = 4096, min = 1, max = 1 << 22, scale = "log2",
      help = "numbers to add" },
    { name = "blocks", default = 16, min = 1, max = 1056, scale = "log2",
      help = "blocks in the grid" },
    { name = "threads", default = 256, min = 32, max = 256, scale = "log2",
      help = "threads per block" },
  },

  sequence = function(p)
    local steps = { { copy = "h2d", buffer = "x" } }
    if p.version == "two" then
      steps[2] = { launch = "sum_parts", grid = { p.blocks }, block = { p.threads },
        args = { "part", "x", p.N } }
      steps[3] = { launch = "sum_all", grid = { 1 }, block = { 1 },
        args = { "sum", "part", p.blocks } }
    else
      steps[2] = { launch = "sum_at_once", grid = { p.blocks }, block = { p.threads },
        args = { "sum", "part", "x", p.N },
        cooperative = p.version == "together" }
    end
    steps[#steps + 1] = { copy = "d2h", buffer = "sum" }
    steps[#steps + 1] = { read = "sum" }
    return {
      buffers = {
        { name = "x", type = "i32", count = p.N, init = "mod:1000" },
        { name = "part", type = "i32", count = p.blocks, init = "none", host = "none" },
        { name = "sum", type = "i32", count = 1, init = "none" },
      },
      steps = steps,
    }
  end,

  check = function(p, run)
    return expect(run.output("sum"), all.sum(each.index(p.N) % 1000))
  end,
}
