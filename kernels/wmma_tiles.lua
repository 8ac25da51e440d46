-- A product of large matrices takes long, so from this many multiply-adds on
-- only every so many-th element is checked.
local BUDGET = 1 << 24

local function one_tile(p) return p.N == 16 end

return {
  name = "wmma_tiles", id = "K75",
  title = "A product by warps that multiply matrices",
  about = "Each warp goes along a row of tiles of A and down a column of "
    .. "tiles of B; its sums stay in the fragment c. There is no shared "
    .. "memory and no barrier here, and one instruction makes 4096 "
    .. "multiply-adds.",
  topic = "matrix multiply",
  lessons = { "L13" },
  source = "wmma_tiles.cu",
  kernel = "wmma_tiles",
  params = {
    { name = "N", default = 32, min = 16, max = 1024, scale = "log2",
      help = "rows and columns of the matrices, a multiple of 16" },
  },
  timing = { N = 1024 },
  partners = { { name = "matmul_tiled", take = { Width = "N" } } },
  forms = {
    { name = "right" },
    { name = "refill", title = "c is filled for each tile",
      source = "wmma_tiles.refill.cu",
      expect = { verdict = "wrong", unless = one_tile } },
    { name = "ld16", title = "rows of 16 elements",
      source = "wmma_tiles.ld16.cu",
      expect = { verdict = "wrong", unless = one_tile } },
  },

  launch = function(p)
    local tiles, size = p.N // 16, p.N * p.N
    if p.N % 16 ~= 0 then
      error("N is " .. p.N .. "; tiles of 16 need a multiple of 16", 0)
    end
    return {
      grid = { tiles, tiles, 1 },
      block = { 32, 1, 1 }, shared = 0,
      args = {
        { name = "C", type = "f32", count = size, init = "none" },
        { name = "A", type = "f16", count = size, init = "mod:7" },
        { name = "B", type = "f16", count = size, init = "mod:5" },
        { name = "N", type = "i32", value = p.N },
      },
    }
  end,

  -- Whole numbers as small as these have no roundings.
  check = function(p, run)
    local product = each.product(run.input("A"), run.input("B"), p.N, p.N)
    return expect(run.output("C"), product,
      { every = cdiv(p.N * p.N * p.N, BUDGET) | 1 })
  end,
}
