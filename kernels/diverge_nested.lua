local function work(value, steps, factor, plus)
  for _ = 1, steps do
    value = (value * factor + plus) & 0xffffffff
  end
  return value
end

return {
  name = "diverge_nested", id = "K17",
  title = "A branch inside a branch",
  about = "The first k lanes of a warp split once more, odd lanes into do_A, "
    .. "even ones into do_B; the rest goes to do_C. Follow the masks: each "
    .. "level takes lanes away and gives them back where the sides meet.",
  topic = "divergence",
  lessons = { "L04" },
  source = "diverge_nested.cu",
  kernel = "diverge_nested",
  params = {
    { name = "k", default = 16, min = 0, max = 32,
      help = "lanes of a warp for which foo is true" },
    { name = "steps", default = 3, min = 0, max = 64,
      help = "length of do_A, do_B and do_C" },
    { name = "threads", default = 32, min = 1, max = 1024,
      help = "threads in the one block" },
  },

  launch = function(p)
    return {
      grid = { 1, 1, 1 }, block = { p.threads, 1, 1 }, shared = 0,
      args = {
        { name = "out", type = "u32", count = p.threads, init = "none" },
        { name = "k", type = "i32", value = p.k },
        { name = "steps", type = "i32", value = p.steps },
      },
    }
  end,

  check = function(p, run)
    return expect(run.output("out"), function(i)
      if i % 32 >= p.k then
        return work(i, p.steps, 7, 3)
      elseif i % 2 == 1 then
        return work(i, p.steps, 3, 1)
      end
      return work(i, p.steps, 5, 2)
    end)
  end,
}
