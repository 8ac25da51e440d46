return {
  name = "visits", id = "K98",
  title = "Who visits which element",
  about = "Counts for each element how often the loop comes to it. With the "
    .. "stride of all threads every count is 1. Other strides leave holes or "
    .. "do work twice, and nothing is out of bounds: look at the output.",
  topic = "indexing",
  lessons = { "L02", "L17" },
  source = "visits.cu",
  kernel = "visit",
  params = {
    { name = "steps", default = 32, min = 1, max = 1 << 20, scale = "log2",
      help = "elements" },
    { name = "blocks", default = 2, min = 1, max = 65535, scale = "log2",
      help = "blocks of the grid" },
    { name = "threads", default = 8, min = 1, max = 1024,
      help = "threads per block" },
  },
  forms = {
    { name = "right" },
    { name = "lecture", title = "the book's stride, blockDim.x squared",
      source = "visits.lecture.cu", erratum = "E57",
      where = "Thinking and Coding in Parallel, Example 2.1",
      expect = { verdict = "wrong",
        unless = function(p)
          return p.blocks == p.threads or p.steps <= p.threads
        end } },
    { name = "block", title = "a stride of one block",
      source = "visits.block.cu", erratum = "E59",
      where = "Thinking and Coding in Parallel, Example 2.4",
      expect = { verdict = "wrong",
        unless = function(p)
          return p.blocks == 1 or p.steps <= p.threads
        end } },
  },

  launch = function(p)
    return {
      grid = { p.blocks, 1, 1 }, block = { p.threads, 1, 1 }, shared = 0,
      args = {
        { name = "count", type = "i32", count = p.steps, init = "zero" },
        { name = "steps", type = "i32", value = p.steps },
      },
    }
  end,

  check = function(_, run)
    return expect(run.output("count"), 1)
  end,
}
