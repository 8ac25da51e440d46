return {
  name = "shared_extern_alias", id = "K61",
  title = "Two arrays from one pool",
  about = "The launch asks for bytes, and all of them begin at one address. "
    .. "Two extern arrays are two names for that: what is written to one is "
    .. "read from the other. So the kernel parts the pool itself.",
  topic = "shared memory",
  lessons = { "L10", "L17" },
  source = "shared_extern_alias.cu",
  kernel = "two_extern",
  params = {
    { name = "threads", default = 32, min = 1, max = 1024,
      help = "threads of the block, elements of each array" },
  },
  partners = { "shared_static_two", "shared_example" },
  cut = "written",
  forms = {
    { name = "right" },
    { name = "overlapping", title = "two extern arrays",
      source = "shared_extern_alias.overlapping.cu", erratum = "E21",
      where = "CUDA Memories, shared memory sized at launch",
      expect = { verdict = "wrong",
        unless = function(p) return p.threads == 1 end } },
    { name = "pointer", title = "a pointer in place of an array",
      source = "shared_extern_alias.pointer.cu", erratum = "E89",
      where = "Thinking and Coding in Parallel, section 2.7",
      expect = { verdict = "wrong",
        faults = { "uninitialized", "out_of_bounds" }, line = "sx[" } },
  },

  launch = function(p)
    return {
      grid = { 1, 1, 1 }, block = { p.threads, 1, 1 }, shared = 6 * p.threads,
      args = {
        { name = "x", type = "f32", count = p.threads, init = "none" },
        { name = "u", type = "i32", count = p.threads, init = "none" },
      },
    }
  end,

  check = function(_, run)
    local same, message = expect(run.output("x"), function(i) return 1 + i end)
    if not same then
      return same, message
    end
    return expect(run.output("u"), function(i) return i end)
  end,
}
