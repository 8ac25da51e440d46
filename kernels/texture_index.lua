-- A texture can repeat only if its coordinates go from 0 to 1.
local repeats = { wrap = true, mirror = true }

-- A whole index, wherever it is, as an index of the texture; nil is outside.
local index_of = {
  clamp = function(i, n) return math.max(0, math.min(i, n - 1)) end,
  border = function(i, n) return i >= 0 and i < n and i or nil end,
  wrap = function(i, n) return i % n end,
  mirror = function(i, n)
    local k = i % (2 * n)
    return k < n and k or 2 * n - 1 - k
  end,
}

return {
  name = "texture_index", id = "K36",
  title = "A texture, outside and between its texels",
  about = "Texel i holds i + 1. Coordinates run from -3 to N + 3: what is "
    .. "outside is clamped, 0, or the texture again. A linear filter weights "
    .. "two texels by how far x - 0.5 is from each, in steps of 1/256.",
  topic = "indexing",
  lessons = { "L09" },
  source = "texture_index.cu",
  kernel = "texture_index",
  params = {
    { name = "mode", default = "clamp",
      values = { "clamp", "border", "wrap", "mirror" },
      help = "what a coordinate outside means; wrap and mirror need "
        .. "normalized coordinates" },
    { name = "filter", default = "linear", values = { "point", "linear" },
      help = "the texel that x is in, or two texels weighted" },
    { name = "N", default = 8, values = { 2, 4, 8, 16, 32 },
      help = "texels" },
    { name = "steps", default = 4, values = { 1, 2, 4, 8, 16 },
      help = "fetches per texel" },
  },

  launch = function(p)
    local texels = {}
    for i = 1, p.N do
      texels[i] = i
    end
    local count = (p.N + 6) * p.steps + 1
    local options = p.filter .. "," .. p.mode
    if repeats[p.mode] then
      options = options .. ",normalized"
    end
    return {
      grid = { cdiv(count, 64), 1, 1 }, block = { 64, 1, 1 }, shared = 0,
      args = {
        { name = "out", type = "f32", count = count, init = "none" },
        { name = "table", type = "tex.f32", size = { p.N },
          options = options, values = texels },
        { name = "first", type = "f32", value = -3 },
        { name = "step", type = "f32", value = 1 / p.steps },
        { name = "scale", type = "f32",
          value = repeats[p.mode] and 1 / p.N or 1 },
        { name = "count", type = "i32", value = count },
      },
    }
  end,

  check = function(p, run)
    local function texel(i)
      local index = index_of[p.mode](i, p.N)
      return index and index + 1 or 0
    end
    -- In a mirrored period left and right change places: a coordinate where
    -- two texels meet is in the other one of them.
    local function nearest(x)
      return texel(math.floor(x))
    end
    local function between(x)
      local left = math.floor(x - 0.5)
      local part = x - 0.5 - left
      return (1 - part) * texel(left) + part * texel(left + 1)
    end
    local value = p.filter == "point" and nearest or between
    return expect(run.output("out"), function(i)
      return value(-3 + i / p.steps)
    end, { abs = p.filter == "linear" and p.N / 256 or 0 })
  end,
}
