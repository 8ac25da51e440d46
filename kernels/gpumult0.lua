-- A product of large matrices takes long, so from this many multiply-adds on
-- only every so many-th element is checked.
local BUDGET = 1 << 24

-- The bug of the lecture's form: B's width for A. It is right where the two
-- are the same, and stays inside of A where B is the narrower one.
local function same_width(p) return p.Ax == p.Bx or p.Ay == 1 end
local function narrower(p) return p.Bx < p.Ax end

return {
  name = "gpumult0", id = "K65",
  title = "Matrix product, added up in global memory",
  about = "Like matmul_naive, but the sum is kept in C itself, and C, A and B "
    .. "might overlap. So every round of the loop stores to global memory; "
    .. "look at the sectors of that line.",
  topic = "matrix multiply",
  lessons = { "L12", "L13", "L17" },
  source = "gpumult0.cu",
  kernel = "gpumult0",
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
  forms = {
    { name = "right" },
    { name = "lecture", title = "A with the width of B",
      source = "gpumult0.lecture.cu", erratum = "E99",
      where = "Thinking and Coding in Parallel, Example 2.12",
      expect = { verdict = "wrong", faults = { "out_of_bounds" },
        line = "float a = A[ty * Bx + k]", unless = same_width,
        quiet = narrower } },
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
