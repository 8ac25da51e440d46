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
  name = "histogram", id = "K22",
  title = "Histogram with atomic adds",
  about = "Every thread adds 1 to the bucket of its color. Lanes of one color "
    .. "wait for each other: look at the longest queue of a warp, first with "
    .. "colors in turn, then at random, then with one color for all.",
  topic = "atomics",
  lessons = { "L16", "L17" },
  source = "histogram.cu",
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
  forms = {
    { name = "right" },
    { name = "lecture", title = "n is not asked for",
      source = "histogram.lecture.cu", erratum = "E28",
      where = "CS 677, atomics, a histogram",
      expect = { at = { n = 1000 }, faults = { "out_of_bounds" },
        verdict = "wrong", line = "int c = color[i]",
        unless = function(p) return p.n % p.threads == 0 end } },
  },

  partners = { "histogram_match", "histogram_private" },

  launch = function(p)
    return {
      grid = { cdiv(p.n, p.threads), 1, 1 }, block = { p.threads, 1, 1 },
      shared = 0,
      args = {
        color_argument(p),
        { name = "buckets", type = "i32", count = p.buckets, init = "zero" },
        { name = "n", type = "i32", value = p.n },
      },
    }
  end,

  check = function(p, run)
    return expect(run.output("buckets"),
      all.count(run.input("color"), p.buckets))
  end,
}
