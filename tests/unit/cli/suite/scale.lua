return {
  kernel = "scale",
  params = { { name = "n", default = 1000, min = 1, max = 1 << 20, help = "elements" } },
  cases = { { n = 1 }, { n = 33 }, { n = 1000 } },
  launch = function(p)
    return {
      grid = { cdiv(p.n, 256), 1, 1 }, block = { 256, 1, 1 },
      args = {
        { name = "y", type = "f32", count = p.n, init = "none" },
        { name = "x", type = "f32", count = p.n, init = "random:1" },
        { name = "a", type = "f32", value = 2.5 },
        { name = "n", type = "i32", value = p.n },
      },
    }
  end,
  check = function(_, run)
    local x = run.input("x")
    return expect(run.output("y"), function(i) return f32(2.5 * x[i]) end)
  end,
  limits = function(p, c)
    return { { "load sectors", c.global_load_sectors, cdiv(p.n, 8) },
             { "store requests", c.global_store_requests, cdiv(p.n, 32), least = 1 } }
  end,
}
