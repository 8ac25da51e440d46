return {
  name = "ptr_spaces", id = "K11",
  title = "Pointers into three spaces",
  about = "A global, a constant and a shared variable, a pointer to each, and "
    .. "a copy from the shared one to the global one through two of them. In "
    .. "the lecture nobody sets the shared variable.",
  topic = "memory",
  lessons = { "L09" },
  source = "ptr_spaces.cu",
  kernel = "foo",
  params = {},
  cut = "written",
  forms = {
    { name = "right" },
    { name = "lecture", title = "the shared variable is never set",
      define = "LECTURE", where = "CUDA Memories, pointers",
      expect = { verdict = "wrong", faults = { "uninitialized" },
        line = "*global_ptr = *shared_ptr" } },
  },

  launch = function()
    return {
      grid = { 1, 1, 1 }, block = { 1, 1, 1 }, shared = 0,
      args = { { name = "out", type = "i32", count = 2, init = "none" } },
    }
  end,

  check = function(_, run)
    return expect(run.output("out"), function(i)
      return i == 0 and 42 or 13
    end)
  end,
}
