-- The lecture's launches of each version.
local function steps_of(p)
  if p.version == 0 then
    local steps, m = {}, p.N // 2
    while m >= 1 do
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

local function refuse(p)
  local power = p.version == 0 and p.N or p.version == 2 and p.threads * p.blocks
    or 1
  if power & (power - 1) ~= 0 or (p.version == 0 and p.N < 2) then
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

  check = function(p, run)
    local want, sum = run.host_sum("x"), run.output("x")[0]
    return math.abs(sum - want) <= 1e-5 * want,
      string.format("x[0] is %.9g, expected about %.9g", sum, want)
  end,
}
