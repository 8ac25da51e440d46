local function work(value, steps, factor, plus)
  for _ = 1, steps do
    value = (value * factor + plus) & 0xffffffff
  end
  return value
end

return {
  name = "diverge_if_else", id = "K16",
  title = "If and else in one warp",
  about = "Lanes for which foo is true take do_A, the others do_B. When a "
    .. "warp holds both kinds it needs the time of both. period = 2, k = 1 "
    .. "splits by parity; period = 64, k = 32 sends whole warps one way, and "
    .. "nothing diverges.",
  topic = "divergence",
  lessons = { "L04" },
  source = "diverge_if_else.cu",
  kernel = "diverge_if_else",
  params = {
    { name = "period", default = 32, values = { 1, 2, 4, 8, 16, 32, 64, 128 },
      help = "foo is tid % period < k: the pattern repeats so often" },
    { name = "k", default = 16, min = 0, max = 128,
      help = "lanes of a period that take do_A" },
    { name = "a_steps", default = 4, min = 0, max = 64,
      help = "length of do_A" },
    { name = "b_steps", default = 4, min = 0, max = 64,
      help = "length of do_B" },
    { name = "threads", default = 64, min = 1, max = 1024,
      help = "threads in the one block" },
  },

  launch = function(p)
    return {
      grid = { 1, 1, 1 }, block = { p.threads, 1, 1 }, shared = 0,
      args = {
        { name = "out", type = "u32", count = p.threads, init = "none" },
        { name = "period", type = "i32", value = p.period },
        { name = "k", type = "i32", value = p.k },
        { name = "a_steps", type = "i32", value = p.a_steps },
        { name = "b_steps", type = "i32", value = p.b_steps },
      },
    }
  end,

  check = function(p, run)
    return expect(run.output("out"), function(i)
      if i % p.period < p.k then
        return work(i, p.a_steps, 3, 1)
      end
      return work(i, p.b_steps, 5, 2)
    end)
  end,
}
