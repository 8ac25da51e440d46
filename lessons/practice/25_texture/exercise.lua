-- Textures: where the middle of a texel is, and what is beyond the rim.

return {
  name = "texture", title = "Texture stencil", lessons = { "L09" },
  teaches = "the middle of a texel, clamping for nothing, the guard of the store",
  kernels = { "void blur(float *out, cudaTextureObject_t img, int w, int h)" },
  statement = [[
`out` is the mean of the 3 x 3 texels around each one of `img`, an image of `w` x `h` floats. Blocks of 16 x 16
threads.

Beyond the rim the nearest texel counts: the texture clamps by itself.

The texture also mixes neighbors. The middle of texel `x` is at `x + 0.5`.]],
  numbers = "Fetches of a warp, nine for each result. Only the guard of the rim may part a warp.",
  cases = {
    { w = 40, h = 24, shown = true, count = true },
    { w = 1, h = 1 }, { w = 31, h = 3 }, { w = 33, h = 17 }, { w = 16, h = 16 },
    function(d) return { w = d.integer(50, 100), h = d.integer(5, 12), count = true } end,
  },
  launch = function(p, d)
    return {
      grid = { cdiv(p.w, 16), cdiv(p.h, 16), 1 }, block = { 16, 16, 1 },
      args = {
        { name = "out", type = "f32", count = p.w * p.h, init = "none" },
        { name = "img", type = "tex.f32", size = { p.w, p.h }, options = "linear,clamp",
          values = d.numbers(p.w * p.h, 0, 255) },
        { name = "w", type = "i32", value = p.w },
        { name = "h", type = "i32", value = p.h },
      },
    }
  end,
  check = function(p, run)
    local img = run.input("img")
    local function texel(x, y)
      x, y = math.max(0, math.min(x, p.w - 1)), math.max(0, math.min(y, p.h - 1))
      return img[y * p.w + x]
    end
    return expect(run.output("out"), function(i)
      local x, y, sum = i % p.w, i // p.w, 0
      for k = 0, 8 do
        sum = sum + texel(x + k // 3 - 1, y + k % 3 - 1)
      end
      return sum / 9
    end, { rel = 1e-5, abs = 0.05 })
  end,
  limits = function(p, c)
    local warps = 8 * cdiv(p.w, 16) * cdiv(p.h, 16)
    return {
      { "texture fetches", c.texture_fetches, 9 * warps },
      { "divergent branches", c.divergent_branches, warps },
    }
  end,
  says = {
    race = "Threads right of the rim store into the next row. Compare x with w and y with h, not only the index.",
    out_of_bounds = "Threads beyond the rim store, too. Compare x with w and y with h.",
    result = function(_, told)
      if told.index == 0 then
        return "Already the first is off. Without the half a fetch mixes two texels; and beyond the rim the nearest "
          .. "texel counts, so there are nine everywhere."
      end
      return "Nine texels count everywhere: beyond the rim the texture gives the nearest one."
    end,
    ["texture fetches"] = "Nine fetches a result are enough.",
    ["divergent branches"] = "The rim needs no branch: the texture clamps.",
  },
  tips = {
    "Nine fetches. Beyond the rim the texture answers by itself.",
    "The middle of texel `x` is at `x + 0.5`.",
    "`tex2D<float>(img, x + dx + 0.5f, y + dy + 0.5f)`, and only threads inside of the image store.",
  },
  others = {
    alt_1 = "Four fetches: between texels the texture adds by itself.",
    alt_2 = "One loop over nine places.",
  },
  wrong = {
    starter = { by = "result", what = "Does nothing.", says = "nearest" },
    wrong_1 = { by = "result", what = "Without the half.", says = "Without the half" },
    wrong_2 = { by = "race", what = "Guards the index alone.", says = "next row" },
    wrong_3 = { by = "result", what = "Leaves out the rim.", says = "nearest" },
  },
  score = { "texture fetches", function(c) return c.texture_fetches end },
}
