local ELEMENT = { float = "f32", double = "f64" }

return {
  name = "transpose_32x33", id = "K40",
  title = "Transpose by a 32 x 33 tile",
  about = "The same transpose with one unused column in the tile: a column now "
    .. "spreads over all 32 banks. float reads it in 1 wavefront instead of "
    .. "32; double needs 2 instead of 32.",
  topic = "shared memory",
  lessons = { "L11" },
  source = "transpose_32x33.cu",
  kernel = function(p)
    return "transpose<" .. p.type .. ">"
  end,
  params = {
    { name = "n", default = 64, values = { 32, 64, 128, 256, 512, 1024, 2048, 4096 },
      help = "rows and columns of the matrix" },
    { name = "type", default = "float", values = { "float", "double" },
      help = "type of an element; the lecture used double" },
  },
  partners = { "transpose_32x32" },
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
