return {
  name = "letter", id = "K102",
  title = "A letter with a flag",
  about = "One block tells another one something: first the words, then a "
    .. "flag that says that they are there. The fence between the two keeps "
    .. "the flag from being seen before the words.",
  topic = "atomics",
  lessons = { "L18" },
  source = "letter.cu",
  kernel = "letter",
  params = {
    { name = "words", default = 42, min = 1, max = 1000000,
      help = "what the letter says" },
  },
  forms = {
    { name = "right" },
    { name = "nofence", title = "no fence", source = "letter.nofence.cu",
      expect = { verdict = "by chance", faults = { "race" },
        line = "*got =" } },
  },

  launch = function(p)
    return {
      grid = { 2, 1, 1 }, block = { 1, 1, 1 }, shared = 0, cooperative = true,
      args = {
        { name = "got", type = "i32", count = 1, init = "none" },
        { name = "data", type = "i32", count = 1, init = "zero" },
        { name = "flag", type = "i32", count = 1, init = "zero" },
        { name = "words", type = "i32", value = p.words },
      },
    }
  end,

  check = function(p, run)
    return expect(run.output("got"), function() return p.words end)
  end,
}
