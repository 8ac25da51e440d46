return {
  name = "reduce_sync", id = "K76",
  title = "A sum over the warp in one instruction",
  about = "__reduce_add_sync adds up a number of each lane, where warp_reduce "
    .. "needs five shuffles. It came with compute capability 8.0, so the device "
    .. "must be that new.",
  topic = "warp",
  lessons = {},
  source = "reduce_sync.cu",
  kernel = "reduce_sync",
  arch = 80,
  params = {
    { name = "n", default = 200, min = 1, max = 1 << 20, scale = "log2",
      help = "numbers to add" },
    { name = "warps", default = 2, min = 1, max = 32, scale = "log2",
      help = "warps of a block" },
  },

  launch = function(p)
    return {
      grid = { cdiv(p.n, 32 * p.warps), 1, 1 }, block = { 32 * p.warps, 1, 1 },
      shared = 0,
      args = {
        { name = "sum", type = "u32", count = cdiv(p.n, 32), init = "none" },
        { name = "x", type = "u32", count = p.n, init = "mod:1000" },
        { name = "n", type = "i32", value = p.n },
      },
    }
  end,

  check = function(p, run)
    local x = run.input("x")
    return expect(run.output("sum"), function(warp)
      local sum = 0
      for i = 32 * warp, math.min(32 * warp + 31, p.n - 1) do
        sum = sum + x[i]
      end
      return sum
    end)
  end,
}
