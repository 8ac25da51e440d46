return {
  name = "shared_static_two", id = "K60",
  title = "Two arrays in shared memory",
  about = "256 floats and 256 unsigned shorts: 1024 + 512 bytes of each block, "
    .. "side by side. The compiler finds a place for each array, and the "
    .. "launch says nothing of it.",
  topic = "shared memory",
  lessons = { "L10" },
  source = "shared_static_two.cu",
  kernel = "shared_static_two",
  params = {
    { name = "threads", default = 256, min = 1, max = 256,
      help = "threads per block: so much of the arrays is used" },
    { name = "blocks", default = 2, min = 1, max = 128, scale = "log2",
      help = "blocks of the grid" },
  },
  partners = { "shared_extern_alias", "shared_example" },

  launch = function(p)
    local count = p.blocks * p.threads
    return {
      grid = { p.blocks, 1, 1 }, block = { p.threads, 1, 1 }, shared = 0,
      args = {
        { name = "x", type = "f32", count = count, init = "none" },
        { name = "u", type = "i32", count = count, init = "none" },
      },
    }
  end,

  check = function(p, run)
    local function mirrored(i)
      return i // p.threads * p.threads + p.threads - 1 - i % p.threads
    end
    local same, message = expect(run.output("x"),
      function(i) return 0.5 * mirrored(i) end)
    if not same then
      return same, message
    end
    return expect(run.output("u"), function(i) return mirrored(i) & 0xffff end)
  end,
}
