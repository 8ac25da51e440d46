local function step_size(p)
  return f32(math.pi / math.max(p.steps - 1, 1))
end

return {
  name = "gpu_sin_block_major", id = "K48",
  title = "Sine of many steps, dealt out to blocks",
  about = "Step threadIdx.x * gridDim.x + blockIdx.x: lanes of a warp are "
    .. "gridDim.x steps apart. The values are the same as with gpu_sin_if; look "
    .. "at the sectors of the store.",
  topic = "global memory",
  lessons = { "L02", "L17" },
  source = "gpu_sin_block_major.cu",
  kernel = "gpu_sin",
  params = {
    { name = "steps", default = 1000, min = 1, max = 1 << 24, scale = "log2",
      help = "values of x, from 0 to pi" },
    { name = "terms", default = 6, min = 1, max = 1000,
      help = "terms of the Taylor series" },
    { name = "threads", default = 128, min = 1, max = 1024,
      help = "threads per block" },
  },
  timing = { steps = 1 << 24, threads = 256 },

  launch = function(p)
    return {
      grid = { cdiv(p.steps, p.threads), 1, 1 }, block = { p.threads, 1, 1 },
      shared = 0,
      args = {
        { name = "sums", type = "f32", count = p.steps, init = "none" },
        { name = "steps", type = "i32", value = p.steps },
        { name = "terms", type = "i32", value = p.terms },
        { name = "step_size", type = "f32", value = step_size(p) },
      },
    }
  end,

  -- The same polynomial in double precision, by Horner's rule. Terms beyond
  -- the 20th are too small to count for x up to pi. Of millions of steps some
  -- are compared, an odd distance apart, so that they are of all lanes.
  check = function(p, run)
    local terms, sum = math.min(p.terms, 20), 1.0
    local x = step_size(p) * each.index()
    for n = terms - 1, 1, -1 do
      sum = 1.0 - sum * x * x / (2 * n * (2 * n + 1))
    end
    return expect(run.output("sums"), x * sum,
      { abs = 1e-5, every = cdiv(p.steps, 1 << 20) | 1 })
  end,
}
