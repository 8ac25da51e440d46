return {
  name = "local_array", id = "K110",
  title = "An array of one's own",
  about = "Registers have no index. So an array whose index is known only when "
    .. "the kernel runs lies in local memory, word j of all lanes side by "
    .. "side: cheap if all lanes want the same word. The other form asks for "
    .. "each word by its number and needs no memory at all.",
  topic = "memory",
  lessons = { "L09" },
  source = "local_array.cu",
  kernel = "local_array",
  params = {
    { name = "m", default = 1, min = 1, max = 8,
      help = "lane t takes word t % m of its own array" },
  },
  cut = "compiled",
  forms = {
    { name = "index" },
    { name = "fixed", title = "every index is a number",
      source = "local_array.fixed.cu" },
  },

  launch = function(p)
    return {
      grid = { 1, 1, 1 }, block = { 32, 1, 1 }, shared = 0,
      args = {
        { name = "out", type = "f32", count = 32, init = "none" },
        { name = "in", type = "f32", count = 256, init = "random:12345678" },
        { name = "which", type = "i32", count = 32, init = "mod:" .. p.m },
      },
    }
  end,

  check = function(p, run)
    local data = run.input("in")
    return expect(run.output("out"), function(t) return data[t % p.m * 32 + t] end)
  end,
}
