return {
  name = "position_smem", id = "K33",
  title = "Positions through shared memory",
  about = "The positions stay an array of structures. But a block moves its "
    .. "floats side by side, 4 sectors for each load of a warp, and parts "
    .. "them in shared memory: a stride of 3 words meets every bank once.",
  topic = "memory",
  lessons = { "L09" },
  source = "position_smem.cu",
  kernel = function(p)
    return "position_smem_" .. p.stage
  end,
  params = {
    { name = "stage", default = "read", values = { "read", "store" },
      help = "what goes through shared memory" },
    { name = "n", default = 1024, min = 1, max = 1 << 24, scale = "log2",
      help = "positions" },
    { name = "threads", default = 256,
      values = { 32, 64, 128, 256, 512, 1024 }, help = "threads per block" },
  },
  partners = { "position_aos", "position_ldg", "position_soa" },
  timing = { n = 1 << 23 },

  launch = function(p)
    local floats, seed = 3 * p.n, "random:12345678"
    return {
      grid = { cdiv(p.n, p.threads), 1, 1 }, block = { p.threads, 1, 1 },
      shared = 12 * p.threads,
      args = {
        { name = "out", type = "f32", count = floats, init = "none" },
        { name = "data", type = "f32", count = floats, init = seed },
        { name = "n", type = "i32", value = p.n },
      },
    }
  end,

  check = function(_, run)
    return expect(run.output("out"), run.input("data"))
  end,
}
