-- A product of large matrices takes long, so from this many multiply-adds on
-- only every so many-th element is checked.
local BUDGET = 1 << 24

return {
  name = "gputiled", id = "K68",
  title = "Matrix product, tiled, of any shape",
  about = "Tiles of A move to the right and tiles of B downward until Ax is "
    .. "used up. What lies outside a matrix is loaded as 0, so sizes need not "
    .. "be multiples of TS.",
  topic = "matrix multiply",
  lessons = { "L12", "L13" },
  source = "gputiled.cu",
  kernel = function(p)
    return "gputiled<" .. p.TS .. ">"
  end,
  params = {
    { name = "Ay", default = 40, min = 1, max = 512, scale = "log2",
      help = "rows of A and C" },
    { name = "Ax", default = 24, min = 1, max = 512, scale = "log2",
      help = "columns of A, rows of B" },
    { name = "Bx", default = 48, min = 1, max = 512, scale = "log2",
      help = "columns of B and C" },
    { name = "TS", default = 8, values = { 8, 16, 32 },
      help = "rows and columns of a tile and of a block" },
  },
  forms = {
    { name = "right" },
    { name = "lecture", title = "as many tiles as the grid has columns",
      source = "gputiled.lecture.cu", erratum = "E104",
      where = "Thinking and Coding in Parallel, Example 2.16",
      expect = { at = { Ax = 48, Bx = 24 }, verdict = "wrong",
        unless = function(p) return cdiv(p.Bx, p.TS) >= cdiv(p.Ax, p.TS) end } },
  },

  launch = function(p)
    return {
      grid = { cdiv(p.Bx, p.TS), cdiv(p.Ay, p.TS), 1 },
      block = { p.TS, p.TS, 1 },
      shared = 0,
      args = {
        { name = "C", type = "f32", count = p.Ay * p.Bx, init = "none" },
        { name = "A", type = "f32", count = p.Ay * p.Ax, init = "random:12345678" },
        { name = "B", type = "f32", count = p.Ax * p.Bx, init = "random:87654321" },
        { name = "Ay", type = "i32", value = p.Ay },
        { name = "Ax", type = "i32", value = p.Ax },
        { name = "Bx", type = "i32", value = p.Bx },
      },
    }
  end,

  check = function(p, run)
    local product = each.product(run.input("A"), run.input("B"), p.Ax, p.Bx)
    return expect(run.output("C"), product,
      { rel = 1e-5, every = cdiv(p.Ay * p.Ax * p.Bx, BUDGET) | 1 })
  end,
}
