return {
  name = "position_ldg", id = "K32",
  title = "Positions through the read-only path",
  about = "An array of structures, read by __ldg: the same 12 sectors for each "
    .. "of the three loads. What it gains are hits: the sectors that the first "
    .. "load brought are kept near for the other two.",
  topic = "global memory",
  lessons = { "L09" },
  source = "position_ldg.cu",
  kernel = "position_ldg",
  params = {
    { name = "n", default = 1024, min = 1, max = 1 << 24, scale = "log2",
      help = "positions" },
    { name = "threads", default = 256,
      values = { 32, 64, 128, 256, 512, 1024 }, help = "threads per block" },
  },
  partners = { "position_aos", "position_smem", "position_soa" },
  timing = { n = 1 << 23 },

  launch = function(p)
    local floats, seed = 3 * p.n, "random:12345678"
    return {
      grid = { cdiv(p.n, p.threads), 1, 1 }, block = { p.threads, 1, 1 },
      shared = 0,
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
