return {
  name = "ptr_confusion", id = "K13",
  title = "A pointer that points elsewhere in each lane",
  about = "Odd inputs take the address of a global variable, the others that "
    .. "of a shared one. Since compute capability 2.0 the hardware finds the "
    .. "space of each address when it is used: one store becomes two. "
    .. "`:model spaces` at that store shows the windows.",
  topic = "memory",
  lessons = { "L09" },
  source = "ptr_confusion.cu",
  kernel = "foo",
  params = {
    { name = "input", default = "counted", values = { "counted", "random" },
      help = "what the lanes read: 0 to 31, or any numbers, negative ones too" },
  },
  cut = "written",

  launch = function(p)
    return {
      grid = { 1, 1, 1 }, block = { 32, 1, 1 }, shared = 0,
      args = {
        { name = "out", type = "i32", count = 32, init = "none" },
        { name = "input", type = "i32", count = 32,
          init = p.input == "random" and "random:1" or "iota" },
      },
    }
  end,

  -- In C -3 % 2 is -1, in Lua it is 1: neither is 0, a negative odd number is
  -- as odd as any other.
  check = function(_, run)
    local input = run.input("input")
    return expect(run.output("out"), function(lane)
      return 70 + (input[lane] % 2 == 0 and 1 or 0)
    end)
  end,
}
