-- From this many elements on only some are compared.
local MANY = 1 << 22

return {
  name = "grid3d_linear", id = "K50",
  title = "A volume, by one row of blocks",
  about = "A one-dimensional grid strides through a volume: tid % nx is x, "
    .. "tid / nx % ny is y, tid / (nx * ny) is z. The element with the number "
    .. "id prints who wrote it, and in which pass.",
  topic = "indexing",
  lessons = { "L02" },
  source = "grid3d_linear.cu",
  kernel = "grid3D_linear",
  params = {
    { name = "nx", default = 64, min = 1, max = 512, scale = "log2",
      help = "elements in x" },
    { name = "ny", default = 16, min = 1, max = 512, scale = "log2",
      help = "elements in y" },
    { name = "nz", default = 4, min = 1, max = 256, scale = "log2",
      help = "elements in z" },
    { name = "blocks", default = 4, min = 1, max = 65535, scale = "log2",
      help = "blocks of the grid" },
    { name = "threads", default = 256, min = 1, max = 1024,
      help = "threads per block" },
    { name = "id", default = 1234, min = 0, max = 1 << 26,
      help = "the element that is printed" },
  },
  lecture = { nx = 512, ny = 512, nz = 256, blocks = 288, id = 12345 },
  forms = {
    { name = "right" },
    { name = "lecture", title = "tid += blockDim.x",
      source = "grid3d_linear.lecture.cu", erratum = "E59",
      where = "Thinking and Coding in Parallel, Example 2.4",
      expect = { faults = { "written_twice" },
        unless = function(p)
          return p.blocks == 1 or p.nx * p.ny * p.nz <= p.threads
        end } },
  },

  launch = function(p)
    local n = p.nx * p.ny * p.nz
    return {
      grid = { p.blocks, 1, 1 }, block = { p.threads, 1, 1 }, shared = 0,
      args = {
        { name = "a", type = "i32", count = n, init = "none" },
        { name = "b", type = "f32", count = n, init = "none" },
        { name = "nx", type = "i32", value = p.nx },
        { name = "ny", type = "i32", value = p.ny },
        { name = "nz", type = "i32", value = p.nz },
        { name = "id", type = "i32", value = p.id },
      },
    }
  end,

  check = function(p, run)
    local every, i = cdiv(p.nx * p.ny * p.nz, MANY) | 1, each.index()
    local same, message = expect(run.output("a"), i, { every = every })
    if not same then
      return same, message
    end
    return expect(run.output("b"), f32(each.sqrt(f32(i))), { every = every })
  end,
}
