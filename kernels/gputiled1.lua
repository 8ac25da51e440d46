-- A product of large matrices takes long, so from this many multiply-adds on
-- only every so many-th element is checked.
local BUDGET = 1 << 24

return {
  name = "gputiled1", id = "K69",
  title = "Matrix product, tiled and unrolled",
  about = "gputiled with rounds written out: inner is the loop over a tile, "
    .. "outer the one over the tiles. Compare instructions and branches; the "
    .. "loads stay as many. The lecture unrolls the outer loop by 16, and its "
    .. "compiler the inner one by itself.",
  topic = "matrix multiply",
  lessons = { "L13" },
  source = "gputiled1.cu",
  kernel = function(p)
    return "gputiled1<" .. p.TS .. "," .. p.inner .. "," .. p.outer .. ">"
  end,
  params = {
    { name = "Ay", default = 40, min = 1, max = 1024, scale = "log2",
      help = "rows of A and C" },
    { name = "Ax", default = 64, min = 1, max = 1024, scale = "log2",
      help = "columns of A, rows of B" },
    { name = "Bx", default = 48, min = 1, max = 1024, scale = "log2",
      help = "columns of B and C" },
    { name = "TS", default = 16, values = { 16, 32 },
      help = "rows and columns of a tile and of a block" },
    { name = "inner", default = 16, values = { 1, 4, 16 },
      help = "rounds of the loop over a tile that are written out" },
    { name = "outer", default = 1, values = { 1, 4, 16 },
      help = "rounds of the loop over the tiles that are written out" },
  },
  lecture = { Ay = 1024, Ax = 1024, Bx = 1024, TS = 32, outer = 16 },
  timing = { Ay = 1024, Ax = 1024, Bx = 1024, TS = 32 },
  partners = { "gputiled" },

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
