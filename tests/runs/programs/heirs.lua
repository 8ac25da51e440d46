-- Memory of the device heap from launch to launch.
local N = 40
local function of(p, frees)
  return { { launch = p.what, grid = { 1 }, block = { 1 }, args = frees and { "y", N, frees } or { "y", N } } }
end
local steps = {
  lives = function() return { { launch = "gives", grid = { 1 }, block = { 1 }, args = { "y", N, 0 } } } end,
  freed = function() return { { launch = "gives", grid = { 1 }, block = { 1 }, args = { "y", N, 1 } } } end,
  gives_back = of, gives_twice = of, gives_little = of,
  later = function() return { { launch = "leaves", grid = { 1 }, block = { 1 }, args = { "kept", N } },
      { launch = "finds", grid = { 1 }, block = { 64 }, args = { "y", "kept", N } } } end,
}
local names = {}
for name in pairs(steps) do names[#names + 1] = name end
table.sort(names)

return {
  name = "heirs", id = "T5", title = "The device heap and children", about = "For tests.", topic = "basics", lessons = {},
  source = "heirs.cu",
  params = { { name = "what", values = names, default = "lives", help = "which program" } },
  sequence = function(p)
    return {
      buffers = { { name = "y", type = "i32", count = 64, init = "const:-1" },
        { name = "kept", type = "u64", count = 1, init = "zero" } },
      steps = steps[p.what](p),
    }
  end,
  check = function(p, run)
    if p.what == "gives_back" or p.what == "gives_little" then return true end
    return expect(run.output("y"), function(i) return i < N and 3 * i or -1 end)
  end,
}
