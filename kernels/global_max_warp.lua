-- Numbers of both signs, drawn by a linear congruential generator; or such
-- that the largest comes first or last.
local function numbers(p)
  local list, state = {}, 12345678
  for i = 1, p.n do
    state = (state * 1664525 + 1013904223) & 0xffffffff
    list[i] = (state >> 22) - (1 << 9)
  end
  if p.order ~= "random" then
    table.sort(list, function(a, b)
      if p.order == "rising" then
        return a < b
      end
      return a > b
    end)
  end
  return list
end

return {
  name = "global_max_warp", id = "K24",
  title = "Maximum with one atomic for each warp",
  about = "The lanes of a warp find their largest value by shuffles, in five rounds, "
    .. "and one lane takes it to the word of all. A warp's queue has one lane.",
  topic = "atomics",
  lessons = { "L16" },
  source = "global_max_warp.cu",
  kernel = "global_max",
  params = {
    { name = "n", default = 512, min = 1, max = 1 << 14, scale = "log2",
      help = "values" },
    { name = "order", default = "random",
      values = { "random", "rising", "falling" },
      help = "how the values are ordered" },
    { name = "threads", default = 128,
      values = { 32, 64, 128, 256, 512, 1024 }, help = "threads per block" },
  },

  partners = { "global_max_naive", "global_max_regions" },

  launch = function(p)
    return {
      grid = { cdiv(p.n, p.threads), 1, 1 }, block = { p.threads, 1, 1 },
      shared = 0,
      args = {
        { name = "gl_max", type = "i32", count = 1, init = "const:-2147483648" },
        { name = "values", type = "i32", count = p.n, values = numbers(p) },
        { name = "n", type = "i32", value = p.n },
      },
    }
  end,

  check = function(_, run)
    return expect(run.output("gl_max"), all.max(run.input("values")))
  end,
}
