return {
  name = "lookup_table", id = "K109",
  title = "One table, three places",
  about = "Lane i looks up entry i % m of a table of 32 words. Constant memory "
    .. "gives one word at a time, to all lanes that want it: m passes. Shared "
    .. "memory gives each bank's word at once, global memory its sectors.",
  topic = "memory",
  lessons = { "L09" },
  source = "lookup_table.cu",
  kernel = function(p)
    return "look_" .. p.where
  end,
  params = {
    { name = "where", default = "constant",
      values = { "constant", "shared", "global" },
      help = "the space that the table is in" },
    { name = "m", default = 16, min = 1, max = 32,
      help = "lane i wants entry i % m" },
    { name = "threads", default = 64, values = { 32, 64, 128, 256 },
      help = "threads of the block" },
  },

  launch = function(p)
    return {
      grid = { 1, 1, 1 }, block = { p.threads, 1, 1 }, shared = 0,
      args = {
        { name = "out", type = "f32", count = p.threads, init = "none" },
        { name = "key", type = "i32", count = p.threads, init = "mod:" .. p.m },
        { name = "table", type = "f32", count = 32, init = "iota" },
      },
    }
  end,

  check = function(p, run)
    return expect(run.output("out"), function(i) return i % p.m end)
  end,
}
