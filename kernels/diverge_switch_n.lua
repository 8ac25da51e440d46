return {
  name = "diverge_switch_n", id = "K18",
  title = "A switch with N arms",
  about = "Lane t takes arm t % N of a switch. A warp makes a pass for each "
    .. "arm that one of its lanes takes, so with N arms only 1 lane in N is "
    .. "at work at a time.",
  topic = "divergence",
  lessons = { "L04" },
  source = "diverge_switch_n.cu",
  kernel = "diverge_switch_n",
  params = {
    { name = "N", default = 4, min = 1, max = 32, help = "arms in use" },
    { name = "steps", default = 4, min = 0, max = 64,
      help = "length of an arm" },
    { name = "threads", default = 32, min = 1, max = 1024,
      help = "threads in the one block" },
  },
  forms = {
    { name = "right" },
    { name = "lecture", title = "four arms without a break",
      source = "diverge_switch_n.lecture.cu", erratum = "E25",
      where = "CS 677, divergence, a switch of N cases",
      expect = { verdict = "wrong",
        unless = function(p) return p.steps == 0 end } },
  },

  launch = function(p)
    if p.form == "lecture" and p.N > 4 then
      error("this form has four arms: N is 4 at most", 0)
    end
    return {
      grid = { 1, 1, 1 }, block = { p.threads, 1, 1 }, shared = 0,
      args = {
        { name = "out", type = "u32", count = p.threads, init = "none" },
        { name = "N", type = "i32", value = p.N },
        { name = "steps", type = "i32", value = p.steps },
      },
    }
  end,

  check = function(p, run)
    return expect(run.output("out"), function(i)
      local value = i
      for _ = 1, p.steps do
        value = (value * 3 + i % p.N) & 0xffffffff
      end
      return value
    end)
  end,
}
