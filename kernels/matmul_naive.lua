-- A product of large matrices takes long, so from this many multiply-adds on
-- only every so many-th element is checked.
local BUDGET = 1 << 24

return {
  name = "matmul_naive", id = "K04",
  title = "Matrix product, naive",
  about = "Every thread walks along a row of M and down a column of N in "
    .. "global memory: two loads for one multiply-add. Look at the sectors of "
    .. "the two loads, and at how they change with TILE_WIDTH.",
  topic = "matrix multiply",
  lessons = { "L12" },
  source = "matmul_naive.cu",
  kernel = function(p)
    return "MatrixMulKernel<" .. p.TILE_WIDTH .. ">"
  end,
  params = {
    { name = "Width", default = 64, min = 1, max = 1024, scale = "log2",
      help = "rows and columns of the matrices" },
    { name = "TILE_WIDTH", default = 16, values = { 8, 16, 32 },
      help = "rows and columns of a block and of its tile of P" },
  },
  lecture = { Width = 1024, TILE_WIDTH = 16 },
  partners = { "matmul_tiled",
    { name = "gpumult0", take = { Ay = "Width", Ax = "Width", Bx = "Width" } } },
  timing = { Width = 1024 },

  launch = function(p)
    local tiles, size = cdiv(p.Width, p.TILE_WIDTH), p.Width * p.Width
    return {
      grid = { tiles, tiles, 1 },
      block = { p.TILE_WIDTH, p.TILE_WIDTH, 1 },
      shared = 0,
      args = {
        { name = "Md", type = "f32", count = size, init = "random:12345678" },
        { name = "Nd", type = "f32", count = size, init = "random:87654321" },
        { name = "Pd", type = "f32", count = size, init = "none" },
        { name = "Width", type = "i32", value = p.Width },
      },
    }
  end,

  check = function(p, run)
    local product = each.product(run.input("Md"), run.input("Nd"), p.Width, p.Width)
    return expect(run.output("Pd"), product,
      { rel = 1e-5, every = cdiv(p.Width * p.Width * p.Width, BUDGET) | 1 })
  end,
}
