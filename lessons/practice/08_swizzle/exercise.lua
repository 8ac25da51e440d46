local TILE, ROWS = 32, 8

local function tiles(p) return cdiv(p.rows, TILE) * cdiv(p.cols, TILE) end

local function conflicts(p, told)
  return ("About %d for each column of a tile: in how many banks are its 32 words?")
    :format(cdiv(told.value, TILE * tiles(p)))
end

return {
  name = "swizzle", title = "Transposition without a spare column", lessons = { "L11" },
  teaches = "swizzles: a row and a column each use all banks",
  kernels = { "void transpose(float *out, const float *in, int rows, int cols)" },
  statement = [[
`out` is the transpose of `in` (rows x cols, row by row), as before: blocks of 32 x 8 threads, each has a tile of
32 x 32.

No bank conflicts, and no spare column: the tile may have 4096 bytes and not one more. Put each element into another
column of its row, so that a row and a column both use all 32 banks.]],
  numbers = "A bank conflict is one more pass: lanes of a warp that need different words of one bank take turns.",
  cases = {
    { rows = 64, cols = 96, shown = true, count = true },
    { rows = 1, cols = 1 },
    { rows = 1, cols = 33 },
    { rows = 31, cols = 32 },
    { rows = 33, cols = 65 },
    { rows = 100, cols = 40 },
    { rows = 128, cols = 32, count = true },
    function(d) return { rows = d.integer(33, 150), cols = d.integer(33, 150) } end,
    function(d) return { rows = 32 * d.integer(1, 4), cols = 32 * d.integer(1, 4), count = true } end,
  },
  launch = function(p, d)
    return {
      grid = { cdiv(p.cols, TILE), cdiv(p.rows, TILE), 1 }, block = { TILE, ROWS, 1 }, shared = 0,
      args = {
        { name = "out", type = "f32", count = p.rows * p.cols, init = "none" },
        { name = "in", type = "f32", values = d.numbers(p.rows * p.cols, -1000, 1000) },
        { name = "rows", type = "i32", value = p.rows },
        { name = "cols", type = "i32", value = p.cols },
      },
    }
  end,
  check = function(p, run)
    local from = run.input("in")
    return expect(run.output("out"), function(i) return from[i % p.rows * p.cols + i // p.rows] end)
  end,
  limits = function(p, c)
    local most = 1.1 * p.rows * p.cols / 8 + 2
    return {
      { "load sectors", c.global_load_sectors, most },
      { "store sectors", c.global_store_sectors, most },
      { "bank conflicts", c.shared_load_bank_conflicts + c.shared_store_bank_conflicts, 0 },
      { "barrier arrivals", c.barriers, ROWS * tiles(p) },
    }
  end,
  rules = { shared_bytes = 4 * TILE * TILE },
  says = {
    ["shared bytes"] = "A spare column costs 128 bytes. Here every word is needed: move the words within their row.",
    ["bank conflicts"] = conflicts,
    result = "The element of column c in row j has to be looked for where it was put. "
      .. "Is it the same function of j and c on both sides?",
    race = function(_, told)
      if told.message and told.message:find(" reads ", 1, true) then
        return "You look for a word that another thread puts there. What makes you wait until it has?"
      end
      return "Two words meet in one place. A word that leaves its row at the end has to come in again at the front."
    end,
    out_of_bounds = "A word that leaves its row at the end has to come in again at the front.",
    uninitialized = "You look in a place where nobody put a word: is it the same function of j and c on both sides?",
    ["load sectors"] = "Loads go along rows of in, also now.",
    ["store sectors"] = "Stores go along rows of out, also now.",
    ["barrier arrivals"] = "One barrier is enough: the tile is filled once and emptied once.",
  },
  tips = {
    "In row j the element of column c may be anywhere in that row, if both sides agree where.",
    "Any function of j will do that moves each row to other banks: exclusive or, or a turn.",
    "`tile[j][tx ^ j]` on one side, `tile[tx][j ^ tx]` on the other.",
  },
  others = {
    alt_1 = "A turn in place of exclusive or.",
    alt_2 = "A turn the other way.",
  },
  wrong = {
    starter = { by = "bank conflicts", what = "A column is in one bank.", says = "About 31 for each column" },
    wrong_1 = { by = "shared bytes", what = "A spare column.", says = "A spare column costs 128 bytes" },
    wrong_2 = { by = "result", what = "Swizzled on one side only.", says = "on both sides" },
    wrong_3 = { by = "bank conflicts", what = "Two rows have the same shift.", says = "About 1 for each column" },
    wrong_4 = { by = "out_of_bounds", what = "Shifted past the end of the row.", says = "come in again at the front" },
  },
  score = { "wavefronts", function(c) return c.shared_load_wavefronts + c.shared_store_wavefronts end },
}
