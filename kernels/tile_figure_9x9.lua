local SIZE, TILE = 9, 3

-- The terms from..to of the product of a row and a column.
local function terms(A, B, row, col, from, to)
  local sum = 0.0
  for k = from, to do
    sum = sum + A[row * SIZE + k] * B[k * SIZE + col]
  end
  return sum
end

return {
  name = "tile_figure_9x9", id = "K70",
  title = "One element as the sum of three tile products",
  about = "Element (4, 5) of C is a row of A times a column of B: 9 + 9 "
    .. "elements. It is also what three phases add, each from a tile of A and "
    .. "one of B; parts has those three. A thread loads 6 elements itself, "
    .. "and finds the others in shared memory.",
  topic = "matrix multiply",
  lessons = { "L12" },
  source = "tile_figure_9x9.cu",
  kernel = "figure",
  params = {},

  launch = function()
    local size = SIZE * SIZE
    return {
      grid = { SIZE // TILE, SIZE // TILE, 1 }, block = { TILE, TILE, 1 },
      shared = 0,
      args = {
        { name = "C", type = "f32", count = size, init = "none" },
        { name = "parts", type = "f32", count = size * SIZE // TILE,
          init = "none" },
        { name = "A", type = "f32", count = size, init = "iota" },
        { name = "B", type = "f32", count = size, init = "mod:7" },
      },
    }
  end,

  -- Whole numbers as small as these have no roundings.
  check = function(_, run)
    local A, B, size = run.input("A"), run.input("B"), SIZE * SIZE
    local right, words = expect(run.output("C"), function(i)
      return terms(A, B, i // SIZE, i % SIZE, 0, SIZE - 1)
    end)
    if not right then
      return right, words
    end
    return expect(run.output("parts"), function(i)
      local t, at = i // size, i % size
      return terms(A, B, at // SIZE, at % SIZE, TILE * t, TILE * t + TILE - 1)
    end)
  end,
}
