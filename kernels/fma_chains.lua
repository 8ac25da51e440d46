-- Multiply-adds of the reference, at most: beyond that only every so many-th
-- element is checked.
local BUDGET = 1 << 19

return {
  name = "fma_chains", id = "K112",
  title = "Multiply-adds, float and double",
  about = "One chain of multiply-adds in each thread, or several that do not "
    .. "need each other, in float or in double. Only a GPU tells what that "
    .. "is in time.",
  topic = "latency",
  lessons = { "L07" },
  source = "fma_chains.cu",
  kernel = function(p)
    return "fma_chains<" .. p.type .. "," .. p.chains .. ">"
  end,
  params = {
    { name = "type", default = "float", values = { "float", "double" },
      help = "of the numbers" },
    { name = "chains", default = 2, values = { 1, 2, 4, 8 },
      help = "chains in each thread" },
    { name = "turns", default = 16, min = 1, max = 1 << 16, scale = "log2",
      help = "multiply-adds of a chain" },
    { name = "threads", default = 32, min = 1, max = 1024, scale = "log2",
      help = "threads per block" },
    { name = "blocks", default = 1, min = 1, max = 4096, scale = "log2",
      help = "blocks of the grid" },
  },
  timing = { chains = 1, turns = 1 << 16, threads = 128, blocks = 132 },

  launch = function(p)
    local real = p.type == "float" and "f32" or "f64"
    return {
      grid = { p.blocks, 1, 1 }, block = { p.threads, 1, 1 }, shared = 0,
      args = {
        { name = "y", type = real, count = p.blocks * p.threads,
          init = "none" },
        { name = "a", type = real, value = 0.5 },
        { name = "b", type = real, value = 1 },
        { name = "turns", type = "i32", value = p.turns },
      },
    }
  end,

  -- Half of a number is exact, so each turn rounds once, as a multiply-add
  -- does. After some 60 turns a chain stands still.
  check = function(p, run)
    local round = p.type == "float" and f32 or function(x) return x end
    local function chain(start)
      local v = start
      for _ = 1, p.turns do
        local after = round(0.5 * v + 1)
        if after == v then break end
        v = after
      end
      return v
    end
    local y = run.output("y")
    return expect(y, function(i)
      local sum = 0.0
      for k = 0, p.chains - 1 do
        sum = round(sum + chain(i + k))
      end
      return sum
    end, { every = cdiv(#y * p.chains * math.min(p.turns, 60), BUDGET) })
  end,
}
