-- A product of large matrices takes long, so from this many multiply-adds on
-- only every so many-th element is checked.
local BUDGET = 1 << 24

return {
  name = "gpumult1", id = "K66",
  title = "Matrix product, with a promise",
  about = "gpumult0 with __restrict__: as compiled the sum stays in a register "
    .. "and is stored once. A local variable does that without a promise: see "
    .. "the form local, and the stores of both as written.",
  topic = "matrix multiply",
  lessons = { "L13" },
  source = "gpumult1.cu",
  kernel = "gpumult1",
  params = {
    { name = "Ay", default = 40, min = 1, max = 1024, scale = "log2",
      help = "rows of A and C" },
    { name = "Ax", default = 24, min = 1, max = 1024, scale = "log2",
      help = "columns of A, rows of B" },
    { name = "Bx", default = 48, min = 1, max = 1024, scale = "log2",
      help = "columns of B and C" },
    { name = "bx", default = 32, values = { 8, 16, 32 },
      help = "columns of a block" },
    { name = "by", default = 8, values = { 4, 8, 16, 32 },
      help = "rows of a block" },
  },
  lecture = { Ay = 1024, Ax = 1024, Bx = 1024, bx = 32, by = 32 },
  timing = { Ay = 1024, Ax = 1024, Bx = 1024, bx = 32, by = 32 },
  partners = { "gpumult0", "gpumult2" },
  forms = {
    { name = "restrict" },
    { name = "local", title = "a local variable, and no promise",
      source = "gpumult1.local.cu" },
  },

  launch = function(p)
    return {
      grid = { cdiv(p.Bx, p.bx), cdiv(p.Ay, p.by), 1 },
      block = { p.bx, p.by, 1 },
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
