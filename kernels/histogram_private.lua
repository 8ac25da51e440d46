-- Colors drawn evenly from 0 to count - 1 (a linear congruential generator,
-- of which the upper bits are good enough here).
local function random_colors(n, count)
  local colors, state = {}, 12345678
  for i = 1, n do
    state = (state * 1664525 + 1013904223) & 0xffffffff
    colors[i] = state * count >> 32
  end
  return colors
end

local function color_argument(p)
  local color = { name = "color", type = "i32", count = p.n }
  if p.colors == "random" then
    color.values = random_colors(p.n, p.buckets)
  elseif p.colors == "same" then
    color.init = "zero"
  else
    color.init = "mod:" .. p.buckets
  end
  return color
end

return {
  name = "histogram_private", id = "K22",
  title = "Histogram with a copy for each block",
  about = "A block counts in its own copy of the buckets, in shared memory, and adds "
    .. "that to the buckets at its end: blocks * buckets atomics on global memory "
    .. "in place of one for each element. Lanes of one color still wait, but "
    .. "inside of the SM.",
  topic = "atomics",
  lessons = { "L16", "L17" },
  source = "histogram_private.cu",
  kernel = "histogram",
  params = {
    { name = "n", default = 1024, min = 1, max = 1 << 16, scale = "log2",
      help = "elements to count" },
    { name = "buckets", default = 16, min = 1, max = 1024, scale = "log2",
      help = "colors there are" },
    { name = "colors", default = "random",
      values = { "random", "cycle", "same" },
      help = "how the colors are spread over the elements" },
    { name = "threads", default = 256,
      values = { 32, 64, 128, 256, 512, 1024 }, help = "threads per block" },
  },

  partners = { "histogram", "histogram_match" },
  forms = {
    { name = "right" },
    { name = "nobarrier", title = "one barrier fewer", source = "histogram_private.nobarrier.cu",
      expect = { verdict = "by chance", faults = { "race" }, line = "atomicAdd(&mine[color[i]], 1)",
        unless = function(p) return p.threads == 32 end } },
  },

  launch = function(p)
    return {
      grid = { cdiv(p.n, p.threads), 1, 1 }, block = { p.threads, 1, 1 },
      shared = 0,
      args = {
        color_argument(p),
        { name = "buckets", type = "i32", count = p.buckets, init = "zero" },
        { name = "n", type = "i32", value = p.n },
        { name = "k", type = "i32", value = p.buckets },
      },
    }
  end,

  check = function(p, run)
    return expect(run.output("buckets"),
      all.count(run.input("color"), p.buckets))
  end,
}
