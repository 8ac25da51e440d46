-- The whole that a texel is a fraction of, and the least and largest texel.
local formats = {
  u8 = { whole = 255, least = 0, largest = 255 },
  i8 = { whole = 127, least = -128, largest = 127 },
  u16 = { whole = 65535, least = 0, largest = 65535 },
  i16 = { whole = 32767, least = -32768, largest = 32767 },
}

-- Channel k of all texels in a row: the ends, then whatever comes.
local function texel(format, k)
  if k < 2 then
    return k == 0 and format.least or format.largest
  end
  local span = format.largest - format.least + 1
  return format.least + k * 40503 % span
end

return {
  name = "texture_format", id = "K36",
  title = "A texture of small integers",
  about = "Four channels of 8 or 16 bits are one word or two in memory. A "
    .. "fetch makes floats of them, 0 to 1 or -1 to 1, at no cost for the "
    .. "kernel: 255 is 1 where texels are unsigned bytes. Press p for other "
    .. "integers.",
  topic = "memory",
  lessons = { "L09" },
  source = "texture_format.cu",
  kernel = "texture_format",
  params = {
    { name = "texels", default = "u8", values = { "u8", "i8", "u16", "i16" },
      help = "type of each of the four channels" },
    { name = "N", default = 32, min = 1, max = 4096, scale = "log2",
      help = "texels of four channels" },
  },
  partners = { "texture_index" },

  launch = function(p)
    local channels = {}
    for k = 0, 4 * p.N - 1 do
      channels[k + 1] = texel(formats[p.texels], k)
    end
    return {
      grid = { cdiv(p.N, 64), 1, 1 }, block = { 64, 1, 1 }, shared = 0,
      args = {
        { name = "out", type = "f32", count = 4 * p.N, init = "none" },
        { name = "pixels", type = "tex." .. p.texels .. "x4", size = { p.N },
          options = "float", values = channels },
        { name = "count", type = "i32", value = p.N },
      },
    }
  end,

  -- There is one negative integer more than there are positive ones: the
  -- least two are both -1.
  check = function(p, run)
    local format = formats[p.texels]
    return expect(run.output("out"), function(i)
      return math.max(-1, texel(format, i) / format.whole)
    end, { rel = 1e-6 })
  end,
}
