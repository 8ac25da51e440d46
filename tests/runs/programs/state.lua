-- Variables of the module, and pointers in memory, live from launch to launch.
return {
  name = "state", id = "T2", title = "What stays", about = "For tests.", topic = "basics", lessons = {}, source =
      "work.cu",
  params = { { name = "n", default = 40, min = 1, max = 4096, help = "elements" },
    { name = "launches", default = 3, min = 1, max = 20000, help = "how often" } },
  sequence = function(p)
    local steps = {}
    for i = 1, p.launches do
      steps[i] = { launch = "times_factor", grid = { 1 }, block = { 64 }, args = { "y", math.min(p.n, 64) } }
    end
    steps[#steps + 1] = { launch = "node", grid = { 1 }, block = { 1 }, args = { "next", "y" } }
    steps[#steps + 1] = { launch = "node", grid = { 1 }, block = { 1 }, args = { "next", "y" } }
    return {
      buffers = { { name = "y", type = "f32", count = p.n, init = "const:1" }, { name = "next", type = "u64", count =
          1, init = "zero" } },
      symbols = { factor = { 2.0 } },
      steps = steps,
    }
  end,
  check = function(p, run)
    local want = 1.0
    for i = 1, p.launches do want = f32(want * 2.0 + i) end
    return expect(run.output("y"), function(i) return i == 0 and 5.0 or i < 64 and want or 1.0 end)
  end,
}
