return {
  name = "vec_add", id = "K82",
  title = "Vector sum",
  about = "One thread adds one pair: two loads, one addition, one store. Look "
    .. "at the last warp, where the test against n keeps lanes out.",
  topic = "basics",
  lessons = { "L01" },
  source = "vec_add.cu",
  kernel = "addKernel",
  params = {
    { name = "n", default = 1000, min = 1, max = 1 << 20, scale = "log2",
      help = "elements" },
    { name = "threads", default = 256,
      values = { 32, 64, 128, 256, 512, 1024 }, help = "threads per block" },
  },

  launch = function(p)
    return {
      grid = { cdiv(p.n, p.threads), 1, 1 }, block = { p.threads, 1, 1 },
      shared = 0,
      args = {
        { name = "A_d", type = "f32", count = p.n, init = "random:12345678" },
        { name = "B_d", type = "f32", count = p.n, init = "random:87654321" },
        { name = "C_d", type = "f32", count = p.n, init = "none" },
        { name = "n", type = "i32", value = p.n },
      },
    }
  end,

  check = function(_, run)
    local a, b = run.input("A_d"), run.input("B_d")
    return expect(run.output("C_d"), function(i) return f32(a[i] + b[i]) end)
  end,
}
