-- A barrier of the whole grid: in a launch that is cooperative, in one that is not, and with a block that leaves it out.
return {
  name = "meet", id = "T3", title = "Blocks that meet", about = "For tests.", topic = "basics", lessons = {}, source =
      "meet.cu",
  params = { { name = "what", values = { "meet", "is_valid" }, default = "meet", help = "kernel" },
    { name = "together", default = 1, min = 0, max = 1, help = "is the launch cooperative" },
    { name = "absent", default = -1, min = -1, max = 1 << 20, help = "block that leaves before the barrier" },
    { name = "blocks", default = 8, min = 1, max = 1 << 20, help = "in the grid" } },
  sequence = function(p)
    local args = p.what == "meet" and { "sum", "part", "x", 1000, p.absent } or { "sum" }
    return {
      buffers = { { name = "sum", type = "i32", count = 1, init = "none" },
                  { name = "part", type = "i32", count = p.blocks, init = "zero" },
                  { name = "x", type = "i32", count = 1000, init = "iota" } },
      steps = { { launch = p.what, grid = { p.blocks }, block = { 64 }, args = args, cooperative = p.together == 1 } },
    }
  end,
  check = function(p, run)
    return expect(run.output("sum"), function() return p.what == "meet" and 499500 or p.together end)
  end,
}
