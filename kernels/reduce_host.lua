-- The lecture's host took this long for 2^24 numbers.
local HOST_MS, HOST_N = 14.012, 1 << 24

-- One after the other, as a loop in C does: sum += x[i]. Longer ones go on
-- from step to step.
local function add_up(p, host, first, count)
  local x, from = host.read("x"), first > 0 and host.read("total")[0] or 0.0
  host.write("total")[0] = all.add_up(each.at(x, each.index(count) + first),
    from, p.form == "float" and "f32" or "f64")
end

local function on_the_host(p)
  local steps = {}
  for first = 0, p.N - 1, HOST_N do
    local count = math.min(HOST_N, p.N - first)
    steps[#steps + 1] = { host = "adds up x", ms = HOST_MS * count / HOST_N,
      run = function(host) add_up(p, host, first, count) end }
  end
  return steps
end

-- A sum for each block, then one thread of a block for each of them.
local function on_the_device(p)
  return {
    { copy = "h2d", buffer = "x" },
    { launch = "reduce3", grid = { p.blocks }, block = { 256 },
      shared = 4 * 256, args = { "y", "x", p.N } },
    { launch = "reduce3", grid = { 1 }, block = { p.blocks },
      shared = 4 * p.blocks, args = { "sum", "y", p.blocks } },
    { copy = "d2h", buffer = "sum" },
    { read = "sum" },
  }
end

return {
  name = "reduce_host", id = "K54",
  title = "A sum on the host, and the same on the device",
  about = "The host adds one number after the other to a double; the device "
    .. "adds equals to equals in a tree of floats. With a float the host's "
    .. "sum grows until numbers fall off its end: the device is faster, and "
    .. "more right. Look at total and sum.",
  topic = "reduction",
  lessons = { "L14" },
  source = "reduce_host.cu",
  params = {
    { name = "data", default = "random", values = { "random", "ones" },
      help = "numbers from 0 to 1, or ones" },
    { name = "N", default = 1 << 16, min = 1, max = 1 << 25, scale = "log2",
      help = "numbers to add" },
    { name = "blocks", default = 288, min = 1, max = 1024,
      help = "blocks of the first launch, 256 threads each" },
  },
  lecture = { N = 1 << 24 },
  forms = {
    { name = "double", title = "the host adds to a double" },
    { name = "float", title = "the host adds to a float", erratum = "E76",
      where = "Thinking and Coding in Parallel, Example 2.6",
      expect = { verdict = "wrong",
        unless = function(p)
          return p.N == 1 or p.data == "ones" and p.N <= 1 << 24
        end } },
  },

  sequence = function(p)
    local steps = on_the_host(p)
    for _, step in ipairs(on_the_device(p)) do
      steps[#steps + 1] = step
    end
    return {
      buffers = {
        { name = "x", type = "f32", count = p.N,
          init = p.data == "ones" and "const:1" or "random:12345678" },
        { name = "y", type = "f32", count = p.blocks, init = "none",
          host = "none" },
        { name = "sum", type = "f32", count = 1, init = "none" },
        { name = "total", type = "f64", count = 1, init = "none" },
      },
      steps = steps,
    }
  end,

  -- Numbers of 24 bits add up in a double without a rounding.
  check = function(p, run)
    local want = p.data == "ones" and p.N or run.host_sum("x")
    local total, sum = run.output("total")[0], run.output("sum")[0]
    if math.abs(sum - want) > 1e-6 * want then
      return false, string.format("sum is %.10g, expected about %.10g", sum, want)
    end
    return total == want,
      string.format("total is %.10g, expected %.10g", total, want)
  end,
}
