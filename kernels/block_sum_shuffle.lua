return {
  name = "block_sum_shuffle", id = "K74",
  title = "Sum of a block by shuffles",
  about = "Each warp adds up its numbers without memory and leaves one word; "
    .. "after the only barrier warp 0 adds these. A tree in shared memory "
    .. "(reduce2) needs a barrier for each level.",
  topic = "reduction",
  lessons = { "L15" },
  source = "block_sum_shuffle.cu",
  kernel = "block_sum",
  params = {
    { name = "warps", default = 8, min = 1, max = 32, scale = "log2",
      help = "warps of a block" },
    { name = "blocks", default = 1, min = 1, max = 1 << 16, scale = "log2",
      help = "blocks of the grid, one sum each" },
  },
  timing = { warps = 8, blocks = 1 << 16 },
  partners = { "reduce2" },
  forms = {
    { name = "right" },
    { name = "nobarrier", title = "warp 0 does not wait",
      source = "block_sum_shuffle.nobarrier.cu",
      expect = { verdict = "by chance", faults = { "race", "uninitialized" },
        line = "part[lane]",
        unless = function(p) return p.warps == 1 end } },
    { name = "unwritten", title = "a word for each lane of warp 0",
      source = "block_sum_shuffle.unwritten.cu",
      expect = { verdict = "by chance", faults = { "uninitialized" },
        line = "part[lane]",
        unless = function(p) return p.warps == 32 end } },
  },

  launch = function(p)
    local n = 32 * p.warps * p.blocks
    return {
      grid = { p.blocks, 1, 1 }, block = { 32 * p.warps, 1, 1 }, shared = 0,
      args = {
        { name = "out", type = "i32", count = p.blocks, init = "none" },
        { name = "in", type = "i32", count = n, init = "mod:1000" },
      },
    }
  end,

  check = function(p, run)
    local every = cdiv(p.blocks, 1024)
    return expect(run.output("out"), function(block)
      local sum, size = 0, 32 * p.warps
      for i = block * size, block * size + size - 1 do
        sum = sum + i % 1000
      end
      return sum
    end, { every = every })
  end,
}
