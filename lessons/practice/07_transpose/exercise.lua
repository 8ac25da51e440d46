local function sectors(p)
  return p.rows * p.cols // 8
end

return {
  name = "transpose", title = "Transposition", lessons = { "L08", "L11" },
  teaches = "coalesced on both sides; padding against conflicts",
  kernels = { "void transpose(float *out, const float *in, int rows, int cols)" },
  statement = [[
out is the transpose of in: element (y, x) of in becomes element (x, y) of out. in has rows x cols floats, out has
cols x rows, both row by row.

The grid has a block of 32 x 8 threads for every tile of 32 x 32: blockIdx.x counts tiles along cols, blockIdx.y along
rows. Sizes are any, so the last tiles hang over the rim.

The starter is right. Make it fast: every load and every store of a warp touches 32 neighbors, and shared memory has no
bank conflicts.]],
  numbers = "A sector is 32 bytes of memory: 8 floats that lie side by side cost one, 8 floats of a column cost eight.",
  cases = {
    { rows = 64, cols = 96, shown = true, count = true },
    { rows = 1, cols = 1 },
    { rows = 1, cols = 33 },
    { rows = 31, cols = 32 },
    { rows = 33, cols = 65 },
    function(d) return { rows = d.integer(34, 100), cols = d.integer(5, 31) } end,
    function(d) return { rows = 8 * d.integer(9, 17), cols = 32 * d.integer(1, 3), count = true } end,
  },
  launch = function(p, d)
    return { grid = { cdiv(p.cols, 32), cdiv(p.rows, 32), 1 }, block = { 32, 8, 1 }, args = {
      { name = "out", type = "f32", count = p.rows * p.cols, init = "none" },
      { name = "in", type = "f32", values = d.numbers(p.rows * p.cols, -1000, 1000) },
      { name = "rows", type = "i32", value = p.rows },
      { name = "cols", type = "i32", value = p.cols },
    } }
  end,
  check = function(p, run)
    local given = run.input("in")
    return expect(run.output("out"), function(i) return given[i % p.rows * p.cols + i // p.rows] end)
  end,
  limits = function(p, c)
    return {
      { "load sectors", c.global_load_sectors, 11 * sectors(p) // 10 + 2 },
      { "store sectors", c.global_store_sectors, 11 * sectors(p) // 10 + 2 },
      { "bank conflicts", c.shared_load_bank_conflicts + c.shared_store_bank_conflicts, 0 },
      { "barrier arrivals", c.barriers, 8 * cdiv(p.rows, 32) * cdiv(p.cols, 32) },
    }
  end,
  says = {
    race = "The tile is filled by all threads of the block: nobody may empty it before the last one is done.",
    uninitialized = "The tile is filled by all threads of the block: nobody may empty it before the last one is done.",
    result = function(p)
      if p.rows ~= p.cols then
        return "A row of out has rows elements, and there are cols of them: behind the tile the two change places."
      end
    end,
    ["load sectors"] = "A warp loads a column of in: one sector for each of its lanes.",
    ["store sectors"] = function(_, told)
      return "A warp stores a column of out: " .. told.value .. " sectors where " .. told.most .. " are enough."
    end,
    ["bank conflicts"] = "Lanes that go down a column of the tile meet in one bank. How far apart are two rows of it?",
    ["barrier arrivals"] = "One barrier is enough: between filling the tile and emptying it.",
  },
  tips = {
    "Either the loads or the stores go down a column. Unless the tile is turned where columns cost nothing.",
    "Fill a tile of 32 x 32 in shared memory row by row, wait for all, then empty it along rows of out.",
    "Shared memory has 32 banks, by word. With rows of 33 words a column lies in 32 different ones.",
  },
  others = {
    alt_1 = "Turned while filling: columns are written, rows are read.",
    alt_2 = "No spare column: each row of the tile is rotated by its number.",
  },
  wrong = {
    starter = { by = "store sectors", what = "Stores go down a column.", says = "stores a column" },
    wrong_1 = { by = "bank conflicts", what = "Rows of 32 words: a column is one bank.", says = "How far apart" },
    wrong_2 = { by = "race", what = "No barrier between filling and emptying.", says = "nobody may empty it" },
    wrong_3 = { by = "result", what = "Guards and pitch as if it were a square.", says = "change places" },
    wrong_4 = { by = "barrier arrivals", what = "A barrier in each round.", says = "One barrier is enough" },
  },
  score = { "sectors", function(c) return c.global_load_sectors + c.global_store_sectors end },
}
