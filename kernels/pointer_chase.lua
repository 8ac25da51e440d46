local function value(i)
  return (i * 7 + 3) % 1000
end

return {
  name = "pointer_chase", id = "K110",
  title = "Following pointers",
  about = "Each load says where the next one goes, so a thread has never more "
    .. "than one under way. Hold it against the form that knows all places "
    .. "beforehand.",
  topic = "latency",
  lessons = { "L07" },
  source = "pointer_chase.cu",
  kernel = "chase",
  params = {
    { name = "hops", default = 16, min = 1, max = 1 << 16, scale = "log2",
      help = "nodes that each thread visits" },
    { name = "nodes", default = 4096,
      values = { 256, 1024, 4096, 16384, 65536, 262144 },
      help = "nodes of 8 bytes; behind the last comes the first" },
    { name = "step", default = 64, min = 1, max = 4096, scale = "log2",
      help = "nodes from one to the next of its list" },
    { name = "threads", default = 32, min = 1, max = 1024, scale = "log2",
      help = "threads, each with a list of its own" },
  },
  timing = { hops = 1024, nodes = 262144 },
  forms = {
    { name = "list", title = "each node names the next one" },
    { name = "places", title = "the places are known beforehand",
      source = "pointer_chase.places.cu" },
  },

  launch = function(p)
    local list, mask = {}, p.nodes - 1
    for i = 0, mask do
      list[2 * i + 1] = value(i)
      list[2 * i + 2] = (i + p.step) & mask
    end
    return {
      grid = { 1, 1, 1 }, block = { p.threads, 1, 1 }, shared = 0,
      args = {
        { name = "sums", type = "i32", count = p.threads, init = "none" },
        { name = "list", type = "i32", count = #list, values = list },
        { name = "hops", type = "i32", value = p.hops },
        { name = "step", type = "i32", value = p.step },
        { name = "mask", type = "i32", value = mask },
      },
    }
  end,

  check = function(p, run)
    return expect(run.output("sums"), function(i)
      local sum = 0
      for hop = 0, p.hops - 1 do
        sum = sum + value((i + hop * p.step) % p.nodes)
      end
      return sum
    end, { every = cdiv(p.threads * p.hops, 1 << 21) })
  end,
}
