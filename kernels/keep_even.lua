local function even(n)
  return cdiv(n, 2)
end

return {
  name = "keep_even", id = "K23",
  title = "Places in a list by an atomic",
  about = "Of 0, 1, 2, ... the even ones are kept, each at a place of its own. The "
    .. "place is what atomicAdd returns: nobody else gets that number. Which "
    .. "number stands where rests on the order. form=late adds first and looks "
    .. "at the counter then.",
  topic = "atomics",
  lessons = { "L16" },
  source = "keep_even.cu",
  kernel = "keep_even",
  params = {
    { name = "n", default = 64, min = 1, max = 1 << 14, scale = "log2", help = "numbers" },
    { name = "threads", default = 64,
      values = { 32, 64, 128, 256, 512, 1024 }, help = "threads per block" },
  },
  forms = {
    { name = "right" },
    { name = "late", title = "the counter is read once more", source = "keep_even.late.cu",
      expect = { verdict = "wrong", faults = { "race" }, line = "out[*count - 1] = v[i]",
        unless = function(p) return p.n <= 2 end } },
  },

  launch = function(p)
    return {
      grid = { cdiv(p.n, p.threads), 1, 1 }, block = { p.threads, 1, 1 }, shared = 0,
      args = {
        { name = "out", type = "i32", count = even(p.n), init = "const:-1" },
        { name = "count", type = "i32", count = 1, init = "zero" },
        { name = "v", type = "i32", count = p.n, init = "iota" },
        { name = "n", type = "i32", value = p.n },
      },
    }
  end,

  -- Each even number is there once, at any place.
  check = function(p, run)
    local out, seen = run.output("out"), {}
    for k = 0, even(p.n) - 1 do
      local number = out[k]
      if number < 0 or number >= p.n or number % 2 ~= 0 or seen[number] then
        return false, "out[" .. k .. "] is " .. number
          .. (number == -1 and ": nothing was stored there" or ", which is there twice or not even")
      end
      seen[number] = true
    end
    return expect(run.output("count"), function() return even(p.n) end)
  end,
}
