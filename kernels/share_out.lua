return {
  name = "share_out", id = "K121",
  title = "Several elements for each thread",
  about = "The threads take neighboring elements, then step on together: a "
    .. "warp's load touches 4 sectors. In the form chunks each thread has a "
    .. "piece of the array for itself, as on a CPU: the same result, and up to "
    .. "32 sectors for each load.",
  topic = "global memory",
  lessons = { "L08" },
  source = "share_out.cu",
  kernel = "share_out",
  params = {
    { name = "each", default = 16, min = 1, max = 256, scale = "log2",
      help = "elements of each thread" },
    { name = "n", default = 4096, min = 1, max = 1 << 24, scale = "log2",
      help = "elements" },
    { name = "threads", default = 128, values = { 32, 64, 128, 256, 512, 1024 },
      help = "threads per block" },
  },
  timing = { n = 1 << 24, threads = 256 },
  forms = {
    { name = "turns" },
    { name = "chunks", title = "a piece of the array for each thread",
      source = "share_out.chunks.cu" },
  },

  launch = function(p)
    return {
      grid = { cdiv(p.n, p.each * p.threads), 1, 1 },
      block = { p.threads, 1, 1 }, shared = 0,
      args = {
        { name = "y", type = "f32", count = p.n, init = "none" },
        { name = "x", type = "f32", count = p.n, init = "random:12345678" },
        { name = "each", type = "i32", value = p.each },
        { name = "n", type = "i32", value = p.n },
      },
    }
  end,

  check = function(_, run)
    local x = run.input("x")
    return expect(run.output("y"), f32(x * x))
  end,
}
