-- The right form is a lie: the kernel has a race.
return {
  kernel = "total",
  params = { { name = "n", default = 256, min = 1, max = 256, help = "elements" } },
  launch = function(p)
    if p.n == 1 then error("n=1 is refused here", 0) end
    return {
      grid = { 1, 1, 1 }, block = { 256, 1, 1 },
      args = {
        { name = "sum", type = "f32", count = 1, init = "none" },
        { name = "x", type = "f32", count = p.n, init = "iota" },
        { name = "n", type = "i32", value = p.n },
      },
    }
  end,
  check = function(_, run)
    return expect(run.output("sum"), function() return run.host_sum("x") end)
  end,
}
