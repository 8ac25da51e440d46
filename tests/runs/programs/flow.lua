-- Programs of two streams and one or two buffers; 'what' says which, and the test what must come of it.
local function common(p)
  return {
    { name = "x", type = "f32", count = p.n, init = "iota", host = p.host },
    { name = "y", type = "f32", count = p.n, init = "none", host = p.host },
    { name = "z", type = "f32", count = p.n, init = "zero", host = p.host },
  }
end

local function scale(p, to, from, stream, first, count)
  return { launch = "scale", grid = { cdiv(p.n, 128) }, block = { 128 }, stream = stream,
    args = { { to, first or 0 }, { from, first or 0 }, count or p.n, 2.0 } }
end

local steps = {
  one_stream = function(p)
    return { { copy = "h2d", buffer = "x" }, scale(p, "y", "x"), scale(p, "z", "y"), { copy = "d2h", buffer = "z" },
            { read = "z" } }
  end,
  no_event = function(p)
    return { { copy = "h2d", buffer = "x" }, scale(p, "y", "x", "a"), scale(p, "z", "y", "b"), { sync = "device" },
      { copy = "d2h", buffer = "z" }, { read = "z" } }
  end,
  event = function(p)
    return { { copy = "h2d", buffer = "x" }, scale(p, "y", "x", "a"), { record = "made", stream = "a" },
      { wait = "made", stream = "b" }, scale(p, "z", "y", "b"), { copy = "d2h", buffer = "z", async = true, stream =
          "b" },
      { sync = "stream", stream = "b" }, { read = "z" } }
  end,
  recorded_early = function(p)
    return { { copy = "h2d", buffer = "x" }, { record = "made", stream = "a" }, scale(p, "y", "x", "a"),
      { wait = "made", stream = "b" }, scale(p, "z", "y", "b"), { sync = "device" }, { copy = "d2h", buffer = "z" } }
  end,
  halves = function(p)
    local half = p.n // 2
    return { { copy = "h2d", buffer = "x" }, scale(p, "y", "x", "a", 0, half), scale(p, "y", "x", "b", half,
        p.n - half),
      { sync = "device" }, scale(p, "z", "y"), { copy = "d2h", buffer = "z" } }
  end,
  halves_that_overlap = function(p)
    local half = p.n // 2
    return { { copy = "h2d", buffer = "x" }, scale(p, "y", "x", "a", 0, half + 1), scale(p, "y", "x", "b", half,
        p.n - half),
      { sync = "device" }, scale(p, "z", "y"), { copy = "d2h", buffer = "z" } }
  end,
  wall = function(p)   -- the legacy default stream in between
    return { { copy = "h2d", buffer = "x" }, scale(p, "y", "x", "a"), scale(p, "z", "y"), scale(p, "x", "z", "b"),
      scale(p, "y", "x"), scale(p, "z", "y", "a"), { copy = "d2h", buffer = "z" } }
  end,
  nonblocking = function(p)
    return { { copy = "h2d", buffer = "x" }, scale(p, "y", "x", "free"), scale(p, "z", "y"), { sync = "device" },
      { copy = "d2h", buffer = "z" } }
  end,
  no_wait = function(p)
    return { { copy = "h2d", buffer = "x" }, scale(p, "y", "x", "a"), scale(p, "z", "y", "a"),
      { copy = "d2h", buffer = "z", async = true, stream = "a" }, { read = "z" } }
  end,
  overwritten = function(p)   -- the host changes what is still being copied
    return { { copy = "h2d", buffer = "x", async = true, stream = "a" }, { write = "x" }, scale(p, "y", "x", "a"),
      scale(p, "z", "y", "a"), { sync = "device" }, { copy = "d2h", buffer = "z" } }
  end,
  managed = function(p)
    return { scale(p, "y", "x"), scale(p, "z", "y"), { read = "z", count = 1 }, { sync = "device" }, { read = "z" } }
  end,
  long_copy = function(p)
    return { { copy = "h2d", buffer = "x", count = p.n + 4 }, scale(p, "y", "x"), scale(p, "z", "y"),
            { copy = "d2h", buffer = "z" } }
  end,
  no_host_side = function(p)
    return { scale(p, "y", "x"), scale(p, "z", "y"), { copy = "d2h", buffer = "z" } }
  end,
  freed = function(p)
    return { { copy = "h2d", buffer = "x" }, scale(p, "y", "x"), { free = "x" }, scale(p, "z", "y"), scale(p, "z", "x"),
      { free = "x" }, { copy = "d2h", buffer = "z" } }
  end,
  host_address = function(p)
    return { { copy = "h2d", buffer = "x" },
      { launch = "scale", grid = { 1 }, block = { 32 }, args = { "y", { host = "x" }, 32, 2.0 } },
          { copy = "d2h", buffer = "y" } }
  end,
  unwritten = function(p)   -- half of y is read and was never written
    return { { copy = "h2d", buffer = "x" }, scale(p, "y", "x", nil, 0, p.n // 2), scale(p, "z", "y"),
            { copy = "d2h", buffer = "z" } }
  end,
  not_copied_back = function(p)
    return { { copy = "h2d", buffer = "x" }, scale(p, "y", "x"), { read = "y" }, scale(p, "z", "y"),
            { copy = "d2h", buffer = "z" } }
  end,
  too_far = function(p)   -- the first launch writes past the end: the program stops there
    return { { copy = "h2d", buffer = "x" }, scale(p, "y", "x", nil, 0, p.n + 64), scale(p, "z", "y"),
            { copy = "d2h", buffer = "z" } }
  end,
  on_host = function(p)
    return { { copy = "h2d", buffer = "x" }, scale(p, "y", "x"), { copy = "d2h", buffer = "y" },
      { host = "doubles y", ms = 0.5, run = function(host)
          local y, out = host.read("y"), host.write("z")
          for i = 0, #y - 1 do out[i] = 2 * y[i] end
        end } }
  end,
}

local names = {}
for name in pairs(steps) do names[#names + 1] = name end
table.sort(names)

return {
  name = "flow", id = "T1", title = "Two streams", about = "For tests.", topic = "basics", lessons = {}, source =
      "work.cu",
  params = {
    { name = "what", default = "one_stream", values = names, help = "which steps" },
    { name = "n", default = 1000, min = 2, max = 1 << 20, help = "elements" },
    { name = "host", default = "pinned", values = { "pinned", "pageable", "managed", "none" }, help =
     "the host's side" },
  },
  sequence = function(p)
    return { buffers = common(p), streams = { "a", "b", { name = "free", nonblocking = true } }, steps =
            steps[p.what](p) }
  end,
  check = function(p, run)
    local x, factor = run.input("x"), p.what == "wall" and 32.0 or 4.0
    return expect(run.output("z"), function(i) return factor * x[i] end)
  end,
}
