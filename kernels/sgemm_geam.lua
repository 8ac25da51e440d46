return {
  name = "sgemm_geam", id = "K71",
  title = "A library's product, and its transpose",
  about = "The lecture's way to a product row by row: the library multiplies, "
    .. "its result lies column by column, and a second call turns it. The "
    .. "form swapped of sgemm_call needs no second call.",
  topic = "matrix multiply",
  lessons = { "L13" },
  source = "sgemm_geam.cu",
  params = {
    { name = "Arow", default = 2, min = 1, max = 64, scale = "log2",
      help = "rows of A and C" },
    { name = "Acol", default = 3, min = 2, max = 64, scale = "log2",
      help = "columns of A, rows of B" },
    { name = "Bcol", default = 4, min = 1, max = 64, scale = "log2",
      help = "columns of B and C" },
  },
  forms = {
    { name = "right" },
    { name = "lecture", title = "the second call with rows and columns of C",
      source = "sgemm_geam.lecture.cu", erratum = "E111",
      where = "Thinking and Coding in Parallel, Example 2.18",
      expect = { verdict = "wrong", faults = { "uninitialized" },
        unless = function(p) return p.Arow == p.Bcol end } },
  },

  sequence = function(p)
    local most = cdiv(math.max(p.Arow, p.Bcol), 8)
    local size = p.Arow * p.Bcol
    return {
      buffers = {
        { name = "A", type = "f32", count = p.Arow * p.Acol, init = "iota" },
        { name = "B", type = "f32", count = p.Acol * p.Bcol, init = "iota" },
        { name = "C", type = "f32", count = size, init = "none", host = "none" },
        { name = "D", type = "f32", count = size, init = "none" },
      },
      steps = {
        { copy = "h2d", buffer = "A" },
        { copy = "h2d", buffer = "B" },
        { launch = "product", grid = { most, most }, block = { 8, 8 },
          args = { "C", "A", "B", p.Arow, p.Acol, p.Bcol } },
        { launch = "transpose", grid = { most, most }, block = { 8, 8 },
          args = { "D", "C", p.Arow, p.Bcol } },
        { copy = "d2h", buffer = "D" },
        { read = "D" },
      },
    }
  end,

  check = function(p, run)
    local A, B = run.input("A"), run.input("B")
    return expect(run.output("D"), function(at)
      local i, j, sum = at // p.Bcol, at % p.Bcol, 0.0
      for k = 0, p.Acol - 1 do
        sum = sum + A[i * p.Acol + k] * B[k * p.Bcol + j]
      end
      return sum
    end, { rel = 1e-5 })
  end,
}
