return {
  name = "restrict_ldg", id = "K34",
  title = "Plain, promised and asked for",
  about = "A copy, three times. Where the compiler knows that nobody writes "
    .. "the input, its load is ld.global.nc: it may stay in a cache that "
    .. "does not look for changes. Press p for another pointer and see the "
    .. "PTX of the load; the sectors are the same.",
  topic = "memory",
  lessons = { "L09" },
  source = "restrict_ldg.cu",
  kernel = function(p)
    return "copy_" .. p.pointer
  end,
  params = {
    { name = "pointer", default = "plain",
      values = { "plain", "restrict", "ldg" },
      help = "float *, const float *__restrict__, or __ldg" },
    { name = "n", default = 1024, min = 1, max = 1 << 24, scale = "log2",
      help = "elements" },
    { name = "threads", default = 256,
      values = { 32, 64, 128, 256, 512, 1024 }, help = "threads per block" },
  },
  timing = { n = 1 << 24 },
  cut = "compiled",

  launch = function(p)
    return {
      grid = { cdiv(p.n, p.threads), 1, 1 }, block = { p.threads, 1, 1 },
      shared = 0,
      args = {
        { name = "out", type = "f32", count = p.n, init = "none" },
        { name = "in", type = "f32", count = p.n, init = "random:12345678" },
        { name = "n", type = "i32", value = p.n },
      },
    }
  end,

  check = function(_, run)
    return expect(run.output("out"), run.input("in"))
  end,
}
