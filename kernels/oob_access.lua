local SIZE, TABLE = 8, { [0] = 0, 1, 2, 10, 4, 5, 6, 7 }

return {
  name = "oob_access", id = "K79",
  title = "A read behind the end of an array",
  about = "Ten blocks of eight threads; only block 4 reads, by a table. The table "
    .. "says 10 where the array ends at 7. The report names the thread, the "
    .. "element and the line; the repaired form tests what the table says.",
  topic = "basics",
  lessons = { "L17" },
  source = "oob_access.cu",
  kernel = "oobAccess",
  params = {
    { name = "n", default = SIZE, min = 1, max = 1024,
      help = "elements that the array has" },
  },
  forms = {
    { name = "right", title = "the index is tested" },
    { name = "lecture", title = "the index is trusted", source = "oob_access.lecture.cu",
      erratum = "E125", where = "CUDA Compute Sanitizer, memcheck",
      expect = { verdict = "wrong", faults = { "out_of_bounds" }, line = "in[dMem[tid]]",
        unless = function(p) return p.n > 10 end } },
  },

  launch = function(p)
    return {
      grid = { 10, 1, 1 }, block = { SIZE, 1, 1 }, shared = 0,
      args = {
        { name = "out", type = "i32", count = SIZE, init = "const:-1" },
        { name = "in", type = "i32", count = p.n, init = "iota" },
        { name = "n", type = "i32", value = p.n },
      },
    }
  end,

  -- What is not there is not read, and its place stays as it was.
  check = function(p, run)
    return expect(run.output("out"), function(i)
      return TABLE[i] < p.n and TABLE[i] or -1
    end)
  end,
}
