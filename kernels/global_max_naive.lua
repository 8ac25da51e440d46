-- Numbers of both signs, drawn by a linear congruential generator; or such
-- that the largest comes first or last.
local function numbers(p)
  local list, state = {}, 12345678
  for i = 1, p.n do
    state = (state * 1664525 + 1013904223) & 0xffffffff
    list[i] = (state >> 12) - (1 << 19)
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
  name = "global_max_naive", id = "K24",
  title = "Maximum with one atomic for all",
  about = "Every thread takes its value to the same word. A warp's 32 lanes "
    .. "form one queue, and so does the whole grid. The result is right in any "
    .. "order, since a maximum does not mind it.",
  topic = "atomics",
  lessons = { "L16" },
  source = "global_max_naive.cu",
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

  partners = { "global_max_regions", "global_max_warp" },

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
