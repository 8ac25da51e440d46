-- The lecture's launches of each version.
local function launches_of(p)
  if p.version == 0 then
    local steps, m, last = {}, p.N // 2, p.form == "one-less" and 2 or 1
    while m >= last do
      local threads = math.min(256, m)
      steps[#steps + 1] = { launch = "reduce0", grid = { m // threads },
        block = { threads }, args = { "x", m } }
      m = m // 2
    end
    return steps
  end
  local all = { p.blocks, p.threads }
  if p.version == 1 then
    return {
      { launch = "reduce1", grid = { all[1] }, block = { all[2] },
        args = { "x", p.N } },
      { launch = "reduce1", grid = { 1 }, block = { all[2] },
        args = { "x", math.min(p.blocks * p.threads, p.N) } },
      { launch = "reduce1", grid = { 1 }, block = { 1 },
        args = { "x", math.min(p.threads, p.N) } },
    }
  end
  local kernel = "reduce" .. p.version
  return {
    { launch = kernel, grid = { p.blocks }, block = { p.threads },
      shared = 4 * p.threads, args = { "y", "x", p.N } },
    { launch = kernel, grid = { 1 }, block = { p.blocks },
      shared = 4 * p.blocks, args = { "x", "y", p.blocks } },
  }
end

-- The steps of the device; in one form the host waits after each launch.
local function steps_of(p)
  local steps = {}
  for _, launch in ipairs(launches_of(p)) do
    steps[#steps + 1] = launch
    if p.form == "waits" then
      steps[#steps + 1] = { sync = "device" }
    end
  end
  return steps
end

local function power_of_2(n)
  return n & (n - 1) == 0
end

-- Does the lecture's stride miss the size of the grid in one of the launches?
local function astray(p)
  if p.version == 1 then
    return true
  end
  return (p.version == 2 or p.version == 3) and p.blocks ~= p.threads
    and p.N > math.min(p.threads * p.threads, p.blocks * p.threads)
end

local function refuse(p)
  local power = p.version == 0 and p.N
    or p.version == 2 and p.form ~= "any-size" and p.threads * p.blocks or 1
  if not power_of_2(power) or (p.version == 0 and p.N < 2) then
    error(p.version == 0 and "version 0 needs a power of 2 of elements, 2 at the least"
      or "version 2 needs powers of 2 for blocks and threads", 0)
  end
  if p.version >= 2 and p.blocks > 1024 then
    error("the second launch has a thread for each block: at most 1024", 0)
  end
  for _, size in ipairs({ p.blocks, p.threads }) do
    if p.version == 4 and (size < 256 or size > 512) then
      error("version 4 is unrolled for 256 to 512 threads, "
        .. "and its second launch has as many as the first has blocks", 0)
    end
  end
end

return {
  name = "sums", id = "K55",
  title = "The whole sum, launch after launch",
  about = "The end of a kernel is the one barrier that all blocks of a grid "
    .. "have. Version 0 folds the array in half 24 times, version 1 leaves a "
    .. "sum for each thread, versions 2 to 4 one for each block. Go through "
    .. "the launches with { and }.",
  topic = "reduction",
  lessons = { "L14" },
  source = "sums.cu",
  params = {
    { name = "version", default = 2, values = { 0, 1, 2, 3, 4 },
      help = "which of the five kernels, reduce0 to reduce4" },
    { name = "N", default = 4096, min = 1, max = 1 << 24, scale = "log2",
      help = "elements to add" },
    { name = "blocks", default = 256, min = 1, max = 65535, scale = "log2",
      help = "blocks of the first launch" },
    { name = "threads", default = 256, min = 1, max = 1024, scale = "log2",
      help = "threads per block of the first launch" },
  },
  lecture = { N = 1 << 24 },

  forms = {
    { name = "right" },
    { name = "lecture", title = "the lecture's stride",
      source = "sums.lecture.cu", erratum = "E58",
      where = "Thinking and Coding in Parallel, Examples 2.6 to 2.8",
      expect = { at = { version = 1 }, verdict = "wrong",
        unless = function(p) return not astray(p) end } },
    { name = "any-size", title = "blocks that are no power of 2",
      erratum = "E83", where = "Thinking and Coding in Parallel, Example 2.7",
      expect = { at = { N = 1 << 17, blocks = 288 }, verdict = "wrong",
        unless = function(p)
          return p.version ~= 2 or power_of_2(p.blocks * p.threads)
        end } },
    { name = "one-less", title = "as many launches as the lecture counts",
      erratum = "E74", where = "Thinking and Coding in Parallel, Example 2.5",
      expect = { at = { version = 0 }, verdict = "wrong",
        unless = function(p) return p.version ~= 0 end } },
    { name = "waits", title = "the host waits after every launch",
      erratum = "E82", where = "Thinking and Coding in Parallel, Example 2.6" },
  },

  sequence = function(p)
    refuse(p)
    local steps = steps_of(p)
    table.insert(steps, 1, { copy = "h2d", buffer = "x" })
    steps[#steps + 1] = { copy = "d2h", buffer = "x", count = 1 }
    steps[#steps + 1] = { read = "x", count = 1 }
    return {
      buffers = {
        { name = "x", type = "f32", count = p.N, init = "random:12345678" },
        { name = "y", type = "f32", count = p.blocks, init = "none",
          host = "none" },
      },
      steps = steps,
    }
  end,

  check = function(_, run)
    local want, sum = run.host_sum("x"), run.output("x")[0]
    return math.abs(sum - want) <= 1e-5 * want,
      string.format("x[0] is %.9g, expected about %.9g", sum, want)
  end,
}
