-- What the two statements do in order, where out is the same array as in, so
-- many words further on.
local function in_order(x, shift)
  local after = {}
  for i = 0, #x - 1 do
    after[i] = x[i]
  end
  after[shift] = after[0] + 1
  after[shift + 1] = after[0] + 1
  return after
end

return {
  name = "restrict_broken", id = "K66",
  title = "A promise that the caller breaks",
  about = "out is in, shift words further on. The second statement has to "
    .. "load in[0] again, for the first one may have changed it: unless out "
    .. "is promised to be elsewhere. Nobody checks that, and nothing is told.",
  topic = "matrix multiply",
  lessons = { "L13" },
  source = "restrict_broken.cu",
  cut = "compiled",
  params = {
    { name = "shift", default = 0, min = 0, max = 6,
      help = "words from in to out" },
  },
  forms = {
    { name = "plain" },
    { name = "restrict", title = "promised not to overlap",
      where = "Thinking and Coding in Parallel, endnote 12 of chapter 2",
      expect = { verdict = "by chance",
        unless = function(p) return p.shift > 0 end } },
  },

  sequence = function(p)
    return {
      buffers = { { name = "x", type = "i32", count = 8, init = "const:10" } },
      steps = {
        { copy = "h2d", buffer = "x" },
        { launch = p.form == "restrict" and "promised" or "plain",
          grid = { 1 }, block = { 1 }, args = { { "x", p.shift }, "x" } },
        { copy = "d2h", buffer = "x" },
        { read = "x" },
      },
    }
  end,

  check = function(p, run)
    local want = in_order(run.input("x"), p.shift)
    return expect(run.output("x"), function(i) return want[i] end)
  end,
}
