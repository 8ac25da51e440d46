-- Copies and kernels in streams: what overlaps, and what does not. For a GPU: with N=4194304 and rounds=2000 it is busy for
-- milliseconds.
local function part(p, k)
  local size = cdiv(p.N, p.parts)
  local first = k * size
  return first, math.min(size, p.N - first)
end

local function turn(p, first, count, stream)
  return { launch = "turn", grid = { cdiv(count, 256) }, block = { 256 }, stream = stream,
    args = { { "y", first }, { "x", first }, count, p.rounds } }
end

-- Part after part through the streams of the list.
local function through(p, streams)
  local steps = {}
  for k = 0, p.parts - 1 do
    local first, count = part(p, k)
    local stream = streams[k % #streams + 1]
    steps[#steps + 1] = { copy = "h2d", buffer = "x", first = first, count = count, async = true, stream = stream }
    steps[#steps + 1] = turn(p, first, count, stream)
    steps[#steps + 1] = { copy = "d2h", buffer = "y", first = first, count = count, async = true, stream = stream }
  end
  steps[#steps + 1] = { sync = "device" }
  steps[#steps + 1] = { read = "y" }
  return steps
end

local ways = {
  default = function(p)
    return { { copy = "h2d", buffer = "x" }, turn(p, 0, p.N), { copy = "d2h", buffer = "y" }, { read = "y" } }
  end,
  one_stream = function(p) return through(p, { "a" }) end,
  two_streams = function(p) return through(p, { "a", "b" }) end,
  four_streams = function(p) return through(p, { "a", "b", "c", "urgent" }) end,
  -- The kernels wait for nobody; the copies before and behind them for all.
  kernels = function(p)
    local steps = { { copy = "h2d", buffer = "x" } }
    for k = 0, p.parts - 1 do
      local first, count = part(p, k)
      steps[#steps + 1] = turn(p, first, count, ({ "a", "b", "c", "urgent" })[k % 4 + 1])
    end
    steps[#steps + 1] = { copy = "d2h", buffer = "y" }
    steps[#steps + 1] = { read = "y" }
    return steps
  end,
  -- b goes on behind the event in a; the host adds to what comes back, and it goes there again.
  event = function(p)
    return {
      { copy = "h2d", buffer = "x", async = true, stream = "a" },
      turn(p, 0, p.N, "a"),
      { record = "turned", stream = "a" },
      { wait = "turned", stream = "b" },
      { launch = "shift", grid = { cdiv(p.N, 256) }, block = { 256 }, stream = "b", args = { "y", p.N } },
      { copy = "d2h", buffer = "y", async = true, stream = "b" },
      { sync = "stream", stream = "b" },
      { host = "takes 2 from some elements", ms = 0.5, run = function(host)
          local y, out = host.read("y"), host.write("y")
          for i = 0, math.min(#y, 1024) - 1 do out[i] = y[i] - 2.0 end
        end },
      { copy = "h2d", buffer = "y" },
      { set = "z", byte = 0, stream = "free" },
      { launch = "shift", grid = { cdiv(p.N, 256) }, block = { 256 }, args = { "y", p.N } },
      { copy = "d2h", buffer = "y" },
      { free = "x" },
    }
  end,
}

local names = {}
for name in pairs(ways) do names[#names + 1] = name end
table.sort(names)

-- In f32, as the kernel rounds.
local function turned(p, v)
  for _ = 1, p.rounds do v = f32(v * 0.5 + 1.0) end
  return v
end

return {
  name = "pipeline", id = "T3", title = "Copies and kernels in streams", about = "For tests.", topic = "basics",
  lessons = {}, source = "pipeline.cu",
  params = {
    { name = "way", default = "two_streams", values = names, help = "which steps" },
    { name = "N", default = 4096, min = 4, max = 1 << 26, scale = "log2", help = "elements" },
    { name = "parts", default = 4, min = 1, max = 64, help = "that go through the streams one by one" },
    { name = "rounds", default = 10, min = 1, max = 1000000, scale = "log2", help = "of each thread" },
    { name = "host", default = "pinned", values = { "pinned", "pageable" }, help = "the host's memory" },
  },
  sequence = function(p)
    return {
      buffers = {
        { name = "x", type = "f32", count = p.N, init = "random:1", host = p.host },
        { name = "y", type = "f32", count = p.N, init = "none", host = p.host },
        { name = "z", type = "f32", count = 1024, init = "none", host = "none" },
      },
      symbols = { offset = { 2.0 } },
      streams = { "a", "b", "c", { name = "urgent", priority = -1 }, { name = "free", nonblocking = true } },
      steps = ways[p.way](p),
    }
  end,
  check = function(p, run)
    local x, y = run.input("x"), run.output("y")
    for k = 0, 63 do
      local i = k * (p.N - 1) // 63
      local want = turned(p, x[i])
      if p.way == "event" then
        want = f32(want + 2.0)
        if i < 1024 then want = f32(want - 2.0) end
        want = f32(want + 2.0)
      end
      if y[i] ~= want then return false, string.format("y[%d] is %.9g, expected %.9g", i, y[i], want) end
    end
    return true
  end,
}
