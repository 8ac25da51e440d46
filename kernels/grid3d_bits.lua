return {
  name = "grid3d_bits", id = "K51",
  title = "A place in a volume, from bits",
  about = "With 512 elements in x and in y no division is needed: the lowest "
    .. "9 bits of a number are x, the next 9 are y, what is left is z.",
  topic = "indexing",
  lessons = { "L02" },
  source = "grid3d_bits.cu",
  kernel = "grid3D_bits",
  params = {
    { name = "first", default = 1234560, min = 0, max = (1 << 26) - 1,
      help = "number of the first element" },
    { name = "n", default = 64, min = 1, max = 1 << 20, scale = "log2",
      help = "elements" },
    { name = "threads", default = 64, min = 1, max = 1024,
      help = "threads per block" },
  },
  timing = { n = 1 << 20, threads = 256 },

  launch = function(p)
    return {
      grid = { cdiv(p.n, p.threads), 1, 1 }, block = { p.threads, 1, 1 },
      shared = 0,
      args = {
        { name = "x", type = "i32", count = p.n, init = "none" },
        { name = "y", type = "i32", count = p.n, init = "none" },
        { name = "z", type = "i32", count = p.n, init = "none" },
        { name = "first", type = "i32", value = p.first },
        { name = "n", type = "i32", value = p.n },
      },
    }
  end,

  -- By division and remainder, as for sizes that are no powers of 2.
  check = function(p, run)
    local n, i = 512, p.first + each.index()
    local same, message = expect(run.output("x"), i % n)
    if not same then
      return same, message
    end
    same, message = expect(run.output("y"), i // n % n)
    if not same then
      return same, message
    end
    return expect(run.output("z"), i // (n * n))
  end,
}
