local EACH = 4   -- elements of a thread

return {
  name = "scale", id = "K113",
  title = "Four elements in each thread",
  about = "Loads that stand in front of their uses wait side by side. Hold the "
    .. "forms against each other: four loads first, a loop, neighbors, and one "
    .. "element in each of four times the threads.",
  topic = "latency",
  lessons = { "L07" },
  source = "scale.cu",
  kernel = "scale",
  params = {
    { name = "blocks", default = 8, min = 1, max = 1 << 16, scale = "log2",
      help = "blocks; of the form one four times as many" },
    { name = "threads", default = 32, min = 1, max = 1024, scale = "log2",
      help = "threads per block" },
  },
  timing = { blocks = 1 << 14, threads = 256 },
  cut = "compiled",
  forms = {
    { name = "four", title = "four loads first" },
    { name = "one", title = "one element in each thread",
      source = "scale.one.cu" },
    { name = "loop", title = "four turns of a loop",
      source = "scale.loop.cu" },
    { name = "neighbors", title = "four neighbors",
      source = "scale.neighbors.cu" },
  },

  launch = function(p)
    local n = EACH * p.blocks * p.threads
    local blocks = p.form == "one" and EACH * p.blocks or p.blocks
    return {
      grid = { blocks, 1, 1 }, block = { p.threads, 1, 1 }, shared = 0,
      args = {
        { name = "out", type = "f32", count = n, init = "none" },
        { name = "in", type = "f32", count = n, init = "random:12345678" },
        { name = "n", type = "i32", value = n },
      },
    }
  end,

  check = function(_, run)
    return expect(run.output("out"), 2 * run.input("in"))
  end,
}
