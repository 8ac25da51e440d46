-- How two numbers become one, and what lanes without a number bring.
local join = {
  add = function(a, b) return a + b end,
  min = each.min,
  max = each.max,
  ["and"] = function(a, b) return a & b end,
  ["or"] = function(a, b) return a | b end,
  xor = function(a, b) return a ~ b end,
}
local nothing = { min = 0xffffffff, ["and"] = 0xffffffff }

return {
  name = "reduce_sync", id = "K76",
  title = "All lanes' numbers in one, by one instruction",
  about = "__reduce_add_sync adds up a number of each lane, where warp_reduce "
    .. "needs five shuffles; others find the least or the largest, or join "
    .. "bits. They came with compute capability 8.0, so the device must be "
    .. "that new.",
  topic = "warp",
  lessons = { "L15" },
  source = "reduce_sync.cu",
  kernel = function(p)
    return p.op == "add" and "reduce_sync" or "reduce_" .. p.op
  end,
  arch = 80,
  params = {
    { name = "op", default = "add",
      values = { "add", "min", "max", "and", "or", "xor" },
      help = "what becomes of the numbers of a warp" },
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
    local x, first, sum = run.input("x"), 32 * each.index(), nothing[p.op] or 0
    for lane = 0, 31 do
      local i = first + lane
      local own = each.pick(each.less(i, p.n), each.at(x, i), nothing[p.op] or 0)
      sum = join[p.op](sum, own)
    end
    return expect(run.output("sum"), sum)
  end,
}
