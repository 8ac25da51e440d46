-- A product of large matrices takes long, so from this many multiply-adds on
-- only every so many-th element is checked.
local BUDGET = 1 << 24

return {
  name = "matmul_tiled", id = "K06",
  title = "Matrix product, tiled",
  about = "A block brings one tile of M and one of N into shared memory, "
    .. "waits, multiplies, waits again and moves on: a global load serves "
    .. "TILE_WIDTH multiply-adds. Look at the two barriers and at the reads of "
    .. "Mds and Nds.",
  topic = "matrix multiply",
  lessons = { "L12" },
  source = "matmul_tiled.cu",
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
  timing = { Width = 1024 },
  partners = { "matmul_naive",
    { name = "gputiled",
      take = { Ay = "Width", Ax = "Width", Bx = "Width", TS = "TILE_WIDTH" } } },
  forms = {
    { name = "right" },
    { name = "nobarrier", title = "without the second barrier",
      source = "matmul_tiled.nobarrier.cu",
      expect = { verdict = "by chance", faults = { "race" },
        line = "Pvalue += Mds[ty][k] * Nds[k][tx]",
        unless = function(p) return p.Width <= p.TILE_WIDTH end } },
    { name = "nofirst", title = "without the first barrier",
      source = "matmul_tiled.nofirst.cu",
      expect = { verdict = "by chance", faults = { "race", "uninitialized" } } },
    { name = "lecture", title = "the lecture's, without tests",
      source = "matmul_tiled.lecture.cu", erratum = "E05",
      where = "CS 677, tiled matrix multiplication",
      expect = { at = { Width = 40 }, verdict = "wrong",
        faults = { "never_written" }, coverage = { Pd = 1024 },
        unless = function(p) return p.Width % p.TILE_WIDTH == 0 end } },
  },

  launch = function(p)
    local size, tiles = p.Width * p.Width, cdiv(p.Width, p.TILE_WIDTH)
    if p.form == "lecture" then
      tiles = math.max(p.Width // p.TILE_WIDTH, 1)
    end
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
