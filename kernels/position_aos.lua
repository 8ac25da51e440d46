return {
  name = "position_aos", id = "K30",
  title = "Positions as an array of structures",
  about = "Each thread copies one structure of three floats. The lanes lie 12 "
    .. "bytes apart, so each of the three loads touches the same 12 sectors "
    .. "and uses a third of them.",
  topic = "global memory",
  lessons = { "L08", "L17" },
  source = "position_aos.cu",
  kernel = "position_aos",
  params = {
    { name = "n", default = 1024, min = 1, max = 1 << 24, scale = "log2",
      help = "positions" },
    { name = "threads", default = 256,
      values = { 32, 64, 128, 256, 512, 1024 }, help = "threads per block" },
  },
  partners = { "position_soa" },
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
