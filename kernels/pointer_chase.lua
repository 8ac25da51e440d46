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
    local i, mask = each.index(), p.nodes - 1
    local node = i // 2
    return {
      grid = { 1, 1, 1 }, block = { p.threads, 1, 1 }, shared = 0,
      args = {
        { name = "sums", type = "i32", count = p.threads, init = "none" },
        { name = "list", type = "i32", count = 2 * p.nodes,
          values = each.pick(i % 2, node + p.step & mask, value(node)) },
        { name = "hops", type = "i32", value = p.hops },
        { name = "step", type = "i32", value = p.step },
        { name = "mask", type = "i32", value = mask },
      },
    }
  end,

  check = function(p, run)
    local visit = each.index(p.threads * p.hops)
    local thread, hop = visit // p.hops, visit % p.hops
    return expect(run.output("sums"),
      all.sum(value((thread + hop * p.step) % p.nodes), thread, p.threads))
  end,
}
