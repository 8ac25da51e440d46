-- Element (i, j) of the product, with A and B row by row.
local function product(p, A, B, i, j)
  local sum = 0.0
  for k = 0, p.Acol - 1 do
    sum = sum + A[i * p.Acol + k] * B[k * p.Bcol + j]
  end
  return sum
end

local function square(p) return p.Arow == p.Acol end

return {
  name = "sgemm_call", id = "K71",
  title = "One call of a matrix library",
  about = "A library counts column by column, so to it matrices that lie row "
    .. "by row are transposed. Either it is told so, and C comes out column "
    .. "by column; or it multiplies B and A, in this order, and C comes out "
    .. "row by row. The library is ours, with the arguments of BLAS.",
  topic = "matrix multiply",
  lessons = { "L13" },
  source = "sgemm_call.cu",
  kernel = "product",
  params = {
    { name = "Arow", default = 2, min = 1, max = 64, scale = "log2",
      help = "rows of A and C" },
    { name = "Acol", default = 3, min = 2, max = 64, scale = "log2",
      help = "columns of A, rows of B" },
    { name = "Bcol", default = 4, min = 1, max = 64, scale = "log2",
      help = "columns of B and C" },
  },
  forms = {
    { name = "transposed", title = "both transposed, C column by column" },
    { name = "swapped", title = "B times A, C row by row",
      source = "sgemm_call.swapped.cu" },
    { name = "lecture", title = "as many terms as A has rows",
      source = "sgemm_call.lecture.cu", erratum = "E110",
      where = "Thinking and Coding in Parallel, Example 2.18",
      expect = { verdict = "wrong", faults = { "never_written" },
        at = { Arow = 3, Acol = 2 }, unless = square,
        quiet = function(p) return p.Arow < p.Acol end } },
    { name = "plain", title = "as if A and B lay column by column",
      source = "sgemm_call.plain.cu",
      expect = { verdict = "wrong",
        unless = function(p) return p.Arow == 1 and p.Bcol == 1 end } },
  },

  launch = function(p)
    local most = math.max(p.Arow, p.Bcol)
    return {
      grid = { cdiv(most, 8), cdiv(most, 8), 1 }, block = { 8, 8, 1 },
      shared = 0,
      args = {
        { name = "C", type = "f32", count = p.Arow * p.Bcol, init = "none" },
        { name = "A", type = "f32", count = p.Arow * p.Acol, init = "iota" },
        { name = "B", type = "f32", count = p.Acol * p.Bcol, init = "iota" },
        { name = "Arow", type = "i32", value = p.Arow },
        { name = "Acol", type = "i32", value = p.Acol },
        { name = "Bcol", type = "i32", value = p.Bcol },
      },
    }
  end,

  -- C is read as it is meant to lie.
  check = function(p, run)
    local A, B = run.input("A"), run.input("B")
    return expect(run.output("C"), function(at)
      if p.form == "swapped" then
        return product(p, A, B, at // p.Bcol, at % p.Bcol)
      end
      return product(p, A, B, at % p.Arow, at // p.Arow)
    end, { rel = 1e-5 })
  end,
}
