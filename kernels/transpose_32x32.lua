local ELEMENT = { float = "f32", double = "f64" }

return {
  name = "transpose_32x32", id = "K39",
  title = "Transpose by a 32 x 32 tile",
  about = "A block copies a tile in rows and out in columns, through shared "
    .. "memory. The column of a 32-wide tile lies in one bank: the read takes "
    .. "32 wavefronts. Compare with transpose_32x33.",
  topic = "shared memory",
  lessons = { "L11", "L17" },
  source = "transpose_32x32.cu",
  kernel = function(p)
    return "transpose<" .. p.type .. ">"
  end,
  params = {
    { name = "n", default = 64, values = { 32, 64, 128, 256, 512, 1024, 2048, 4096 },
      help = "rows and columns of the matrix" },
    { name = "type", default = "float", values = { "float", "double" },
      help = "type of an element; the lecture used double" },
  },
  partners = { "transpose_32x33" },
  timing = { n = 4096 },

  launch = function(p)
    local element, count = ELEMENT[p.type], p.n * p.n
    return {
      grid = { p.n // 32, p.n // 32, 1 }, block = { 32, 32, 1 }, shared = 0,
      args = {
        { name = "out", type = element, count = count, init = "none" },
        { name = "in", type = element, count = count, init = "iota" },
        { name = "n", type = "i32", value = p.n },
      },
    }
  end,

  check = function(p, run)
    local n, i = p.n, each.index()
    return expect(run.output("out"),
      each.at(run.input("in"), i % n * n + i // n))
  end,
}
