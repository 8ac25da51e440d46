return {
  name = "ptr_shared_decl", id = "K12",
  title = "A pointer that lies in shared memory",
  about = "__shared__ int *ptr is one pointer for each block, not one for "
    .. "each thread, and nobody has set it. Where it points is another "
    .. "matter: here thread 0 lets it point into global memory.",
  topic = "memory",
  lessons = { "L09" },
  source = "ptr_shared_decl.cu",
  kernel = "foo",
  params = {
    { name = "blocks", default = 2, min = 1, max = 64,
      help = "blocks of the grid: so many pointers there are" },
  },
  cut = "written",
  forms = {
    { name = "right" },
    { name = "lecture", title = "nobody sets it", define = "LECTURE",
      where = "CUDA Memories, where does ptr point",
      expect = { verdict = "wrong",
        faults = { "uninitialized", "out_of_bounds" }, line = "*ptr" } },
  },

  launch = function(p)
    return {
      grid = { p.blocks, 1, 1 }, block = { 32, 1, 1 }, shared = 0,
      args = {
        { name = "out", type = "i32", count = 32 * p.blocks, init = "none" },
        { name = "target", type = "i32", count = p.blocks, init = "iota" },
      },
    }
  end,

  check = function(_, run)
    return expect(run.output("out"), function(i) return i // 32 end)
  end,
}
