local SIZE = 16

return {
  name = "wmma_ker", id = "K75",
  title = "A warp that multiplies matrices",
  about = "One instruction of a whole warp: 16 x 16 x 16 multiply-adds of "
    .. "halves, added up as floats. The kernel says how A lies in memory; "
    .. "the bytes do not. Which lane holds what is the machine's own affair: "
    .. "here it is the emulator's.",
  topic = "matrix multiply",
  lessons = { "L13" },
  source = "wmma_ker.cu",
  kernel = "wmma_ker",
  params = {},
  forms = {
    { name = "right" },
    { name = "rows", title = "A is taken row by row",
      source = "wmma_ker.rows.cu", expect = { verdict = "wrong" } },
  },

  launch = function()
    local size = SIZE * SIZE
    return {
      grid = { 1, 1, 1 }, block = { 32, 1, 1 }, shared = 0,
      args = {
        { name = "a", type = "f16", count = size, init = "mod:4" },
        { name = "b", type = "f16", count = size, init = "mod:3" },
        { name = "c", type = "f32", count = size, init = "none" },
      },
    }
  end,

  -- Whole numbers as small as these have no roundings.
  check = function(_, run)
    local a, b = run.input("a"), run.input("b")
    return expect(run.output("c"), function(at)
      local i, j, sum = at // SIZE, at % SIZE, 0.0
      for k = 0, SIZE - 1 do
        sum = sum + a[SIZE * k + i] * b[SIZE * k + j]
      end
      return sum
    end)
  end,
}
