local function step_size(p)
  return f32(math.pi / math.max(p.steps - 1, 1))
end

-- The kernel's Taylor series as the host computes it, in float.
local function sinsum(x, terms)
  local x2 = f32(x * x)
  local term, sum = x, x
  for n = 1, terms - 1 do
    term = f32(term * f32(-x2 / (2 * n * (2 * n + 1))))
    sum = f32(sum + term)
  end
  return sum
end

-- One pass after the other, and one variable that takes all of them.
local function host_sum(p, last)
  local sum = 0.0
  for step = 0, last do
    sum = sum + sinsum(f32(step_size(p) * step), p.terms)
  end
  return sum
end

return {
  name = "sum_host_loop", id = "K44",
  title = "A sum of sines, the host's loop and the kernel",
  about = "The host adds up the sine of every step, one after the other. The "
    .. "kernel computes the same steps with a thread for each, and the host "
    .. "adds what it fetches. With <= in the loop there is one step too many.",
  topic = "programs",
  lessons = { "L02" },
  source = "sum_host_loop.cu",
  params = {
    { name = "steps", default = 1000, min = 1, max = 1 << 14, scale = "log2",
      help = "values of x, from 0 to pi" },
    { name = "terms", default = 6, min = 1, max = 20,
      help = "terms of the Taylor series" },
    { name = "threads", default = 128, min = 1, max = 1024,
      help = "threads per block" },
  },
  forms = {
    { name = "right" },
    { name = "lecture", title = "for (step = 0; step <= steps; step++)",
      erratum = "E61",
      where = "Thinking and Coding in Parallel, Example 1.1",
      expect = { verdict = "wrong" } },
  },

  sequence = function(p)
    local last = p.form == "lecture" and p.steps or p.steps - 1
    return {
      buffers = {
        { name = "sums", type = "f32", count = p.steps, init = "none" },
        { name = "total", type = "f64", count = 2, init = "none",
          host = "pinned" },
      },
      steps = {
        { host = "the host's loop", run = function(host)
          host.write("total")[0] = host_sum(p, last)
        end },
        { launch = "gpu_sin", grid = { cdiv(p.steps, p.threads) },
          block = { p.threads },
          args = { "sums", p.steps, p.terms, step_size(p) } },
        { copy = "d2h", buffer = "sums" },
        { host = "add up what the device computed", run = function(host)
          host.write("total")[1] = all.add_up(host.read("sums"), 0.0)
        end },
      },
    }
  end,

  -- Both ways round differently in the last places of a float; one step too
  -- many is off by a sine of nearly pi, or of more.
  check = function(p, run)
    local total = run.output("total")
    local difference = math.abs(total[0] - total[1])
    return difference <= 1e-6 * math.sqrt(p.steps),
      string.format("the host has %.9g, the device %.9g", total[0], total[1])
  end,
}
