return {
  name = "shared_stride", id = "K84",
  title = "Shared memory with a stride",
  about = "Lane t reads word baseIndex + s * t. The conflict is gcd(s, 32) "
    .. "deep: none for an odd stride, the worst for a multiple of 32.",
  topic = "shared memory",
  lessons = { "L11" },
  source = "shared_stride.cu",
  kernel = "shared_stride",
  params = {
    { name = "s", default = 2, min = 0, max = 33,
      help = "words from one lane to the next; 0 gives one word to all" },
    { name = "baseIndex", default = 0, min = 0, max = 31,
      help = "word that lane 0 reads" },
  },
  forms = {
    { name = "right" },
    { name = "lecture", title = "256 words for any stride",
      source = "shared_stride.lecture.cu", erratum = "E138",
      where = "CS 378h, parallel accesses to shared memory",
      expect = { at = { s = 9 }, faults = { "out_of_bounds" },
        verdict = "wrong", line = "float foo",
        unless = function(p) return p.baseIndex + 31 * p.s < 256 end } },
  },

  launch = function(p)
    return {
      grid = { 1, 1, 1 }, block = { 32, 1, 1 }, shared = 0,
      args = {
        { name = "out", type = "f32", count = 32, init = "none" },
        { name = "s", type = "i32", value = p.s },
        { name = "baseIndex", type = "i32", value = p.baseIndex },
      },
    }
  end,

  check = function(p, run)
    return expect(run.output("out"), function(lane)
      return p.baseIndex + p.s * lane
    end)
  end,
}
