local function step_size(p)
  return f32(math.pi / math.max(p.steps - 1, 1))
end

return {
  name = "gpu_sin", id = "K46",
  title = "Sine of many steps, grid stride",
  about = "A grid smaller than the range passes over it several times: the "
    .. "stride is all threads of the grid, gridDim.x * blockDim.x. Look at "
    .. "the last pass, where only the lanes with a step left go on.",
  topic = "indexing",
  lessons = { "L02" },
  source = "gpu_sin.cu",
  kernel = "gpu_sin",
  params = {
    { name = "steps", default = 1000, min = 1, max = 1 << 20, scale = "log2",
      help = "values of x, from 0 to pi" },
    { name = "terms", default = 6, min = 1, max = 1000,
      help = "terms of the Taylor series" },
    { name = "blocks", default = 2, min = 1, max = 65535, scale = "log2",
      help = "blocks of the grid" },
    { name = "threads", default = 128, min = 1, max = 1024,
      help = "threads per block" },
  },
  forms = {
    { name = "right" },
    { name = "for", title = "as a for loop", source = "gpu_sin.for.cu" },
    { name = "lecture", title = "the book's stride",
      source = "gpu_sin.lecture.cu", erratum = "E57",
      where = "Thinking and Coding in Parallel, Example 2.1",
      expect = { verdict = "wrong", coverage = { sums = 256 },
        unless = function(p)
          return p.blocks == p.threads or p.steps <= p.blocks * p.threads
        end } },
    { name = "block", title = "a stride of one block",
      source = "gpu_sin.block.cu", erratum = "E59",
      where = "Thinking and Coding in Parallel, Example 2.4",
      expect = { faults = { "written_twice" },
        unless = function(p)
          return p.blocks == 1 or p.steps <= p.threads
        end } },
  },

  launch = function(p)
    return {
      grid = { p.blocks, 1, 1 }, block = { p.threads, 1, 1 }, shared = 0,
      args = {
        { name = "sums", type = "f32", count = p.steps, init = "none" },
        { name = "steps", type = "i32", value = p.steps },
        { name = "terms", type = "i32", value = p.terms },
        { name = "step_size", type = "f32", value = step_size(p) },
      },
    }
  end,

  -- The same polynomial in double precision, by Horner's rule. Terms beyond
  -- the 20th are too small to count for x up to pi.
  check = function(p, run)
    local terms, sum = math.min(p.terms, 20), 1.0
    local x = step_size(p) * each.index()
    for n = terms - 1, 1, -1 do
      sum = 1.0 - sum * x * x / (2 * n * (2 * n + 1))
    end
    return expect(run.output("sums"), x * sum, { abs = 1e-5 })
  end,
}
