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

local LEAST = "const:-2147483648"

return {
  name = "global_max_regions", id = "K25",
  title = "Maximum by way of regions",
  about = "Each value goes to the maximum of its region, and on to that of all only "
    .. "if it raised it. Random values mostly stop at the region; rising ones "
    .. "all go on, and make twice as many atomics as without regions.",
  topic = "atomics",
  lessons = { "L16", "L17" },
  source = "global_max_regions.cu",
  kernel = "global_max",
  params = {
    { name = "n", default = 512, min = 1, max = 1 << 14, scale = "log2",
      help = "values" },
    { name = "num_regions", default = 16, min = 1, max = 1024, scale = "log2",
      help = "regions: value i belongs to i % num_regions" },
    { name = "order", default = "random",
      values = { "random", "rising", "falling" },
      help = "how the values are ordered" },
    { name = "threads", default = 128,
      values = { 32, 64, 128, 256, 512, 1024 }, help = "threads per block" },
  },
  partners = { "global_max_naive", "global_max_warp" },
  forms = {
    { name = "right", title = "all maxima begin at INT_MIN" },
    { name = "lecture", title = "nobody sets the maxima", erratum = "E32",
      where = "CS 677, Better Global Max",
      expect = { verdict = "by chance", faults = { "uninitialized" },
        line = "atomicMax(" } },
  },

  launch = function(p)
    local first = p.form == "lecture" and "none" or LEAST
    return {
      grid = { cdiv(p.n, p.threads), 1, 1 }, block = { p.threads, 1, 1 },
      shared = 0,
      args = {
        { name = "gl_max", type = "i32", count = 1, init = first },
        { name = "regional_maxes", type = "i32", count = p.num_regions, init = first },
        { name = "values", type = "i32", count = p.n, values = numbers(p) },
        { name = "num_regions", type = "i32", value = p.num_regions },
        { name = "n", type = "i32", value = p.n },
      },
    }
  end,

  check = function(p, run)
    local values = run.input("values")
    local right, message = expect(run.output("gl_max"), all.max(values))
    if not right then
      return false, message
    end
    return expect(run.output("regional_maxes"), all.max(values,
      each.index() % p.num_regions, p.num_regions, -(1 << 31)))
  end,
}
