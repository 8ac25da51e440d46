local function work(value, steps, factor, plus)
  for _ = 1, steps do
    value = (value * factor + plus) & 0xffffffff
  end
  return value
end

-- Threads with flag 0: the first ones, or one lane of every warp.
local function has_zero(p, tid)
  if p.zeros == "one-lane" then
    return tid % 32 == 0
  end
  return tid < p.threads // 2
end

return {
  name = "branch_flag", id = "K53",
  title = "One of two functions, by a flag",
  about = "The flag of a thread chooses a function. Where a warp has both flags "
    .. "it pays for both functions, even for a single odd lane. In the form "
    .. "short the if is so small that the compiler makes no branch of it.",
  topic = "divergence",
  lessons = { "L04" },
  source = "branch_flag.cu",
  kernel = "branch_flag",
  params = {
    { name = "zeros", default = "one-lane", values = { "one-lane", "half" },
      help = "threads with flag 0: one lane of every warp, or the first half" },
    { name = "steps", default = 4, min = 0, max = 64,
      help = "length of each function" },
    { name = "threads", default = 128, min = 1, max = 1024,
      help = "threads in the one block" },
  },
  forms = {
    { name = "functions" },
    { name = "short", title = "if (flag == 0) value = value + 1",
      source = "branch_flag.short.cu" },
  },

  launch = function(p)
    local flags = {}
    for tid = 0, p.threads - 1 do
      flags[tid + 1] = has_zero(p, tid) and 0 or 1
    end
    return {
      grid = { 1, 1, 1 }, block = { p.threads, 1, 1 }, shared = 0,
      args = {
        { name = "x", type = "u32", count = p.threads, init = "iota" },
        { name = "flags", type = "i32", count = p.threads, values = flags },
        { name = "steps", type = "i32", value = p.steps },
      },
    }
  end,

  check = function(p, run)
    return expect(run.output("x"), function(tid)
      if p.form == "short" then
        return has_zero(p, tid) and tid + 1 or tid
      elseif has_zero(p, tid) then
        return work(tid, p.steps, 3, 1)
      end
      return work(tid, p.steps, 5, 2)
    end)
  end,
}
