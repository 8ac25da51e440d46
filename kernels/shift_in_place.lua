return {
  name = "shift_in_place", id = "K111",
  title = "Shift an array in place",
  about = "Each thread takes its left neighbor's word and puts it in place of "
    .. "its own. One barrier stands between filling and reading, a second "
    .. "one between the last reader of a word and the thread that writes it "
    .. "again.",
  topic = "shared memory",
  lessons = { "L10" },
  source = "shift_in_place.cu",
  kernel = "shift",
  params = {
    { name = "threads", default = 256, min = 1, max = 256,
      help = "threads of the block, elements of the array" },
  },
  forms = {
    { name = "right" },
    { name = "onebarrier", title = "a barrier after filling only",
      source = "shift_in_place.onebarrier.cu",
      expect = { verdict = "by chance", faults = { "race" }, line = "s[t] = left",
        unless = function(p) return p.threads == 1 end } },
  },

  launch = function(p)
    return {
      grid = { 1, 1, 1 }, block = { p.threads, 1, 1 }, shared = 0,
      args = {
        { name = "out", type = "i32", count = p.threads, init = "none" },
        { name = "in", type = "i32", count = p.threads, init = "iota" },
      },
    }
  end,

  check = function(_, run)
    local data = run.input("in")
    return expect(run.output("out"), function(t)
      return data[math.max(t - 1, 0)]
    end)
  end,
}
