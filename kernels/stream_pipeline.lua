local function stream_of(p, chunk)
  if p.streams == 0 then return nil end
  return "s" .. (chunk - 1) % p.streams
end

-- What happens to one chunk, one step after the other.
local function steps_of(p, chunk)
  local name, stream = "x" .. chunk, stream_of(p, chunk)
  local slips = p.slip == chunk and p.streams > 0
  return {
    { copy = "h2d", buffer = name, async = true, stream = stream },
    { launch = "work", grid = { cdiv(p.n, 256) }, block = { 256 },
      args = { name, p.n, p.rounds }, stream = not slips and stream or nil },
    { copy = "d2h", buffer = name, async = true, stream = stream },
  }
end

local function add_chunkwise(p, steps)
  for chunk = 1, p.chunks do
    for _, step in ipairs(steps_of(p, chunk)) do steps[#steps + 1] = step end
  end
end

local function add_stepwise(p, steps)
  for k = 1, 3 do
    for chunk = 1, p.chunks do steps[#steps + 1] = steps_of(p, chunk)[k] end
  end
end

return {
  name = "stream_pipeline", id = "K94",
  title = "Copies and kernels side by side",
  about = "An array in chunks: each is copied to the device, worked on, and "
    .. "copied back. In one stream one thing happens at a time; in several a "
    .. "copy in, a kernel and a copy out go on together. T shows it over "
    .. "time. With pageable memory, or one kernel that slips into the default "
    .. "stream, nothing overlaps that should.",
  topic = "programs",
  lessons = { "L18" },
  source = "stream_pipeline.cu",
  params = {
    { name = "streams", default = 4, min = 0, max = 8,
      help = "streams that the chunks take turns in; 0: the default stream" },
    { name = "chunks", default = 4, min = 1, max = 16,
      help = "pieces of the array" },
    { name = "n", default = 65536, min = 256, max = 1 << 22, scale = "log2",
      help = "elements of a chunk" },
    { name = "rounds", default = 256, min = 1, max = 1 << 16, scale = "log2",
      help = "rounds of the kernel: how long it takes" },
    { name = "host", default = "pinned", values = { "pinned", "pageable" },
      help = "the host's memory: pageable makes every copy wait" },
    { name = "order", default = "chunks", values = { "chunks", "steps" },
      help = "how the host issues: chunk by chunk, or step by step" },
    { name = "slip", default = 0, min = 0, max = 16,
      help = "the chunk whose kernel goes into the default stream; 0: none" },
  },
  lecture = { n = 1 << 20 },

  sequence = function(p)
    local buffers, streams, steps = {}, {}, {}
    for chunk = 1, p.chunks do
      buffers[chunk] = { name = "x" .. chunk, type = "f32", count = p.n,
        init = "mod:" .. 1000 + chunk, host = p.host }
    end
    for s = 1, p.streams do streams[s] = "s" .. s - 1 end
    if p.order == "chunks" then add_chunkwise(p, steps)
    else add_stepwise(p, steps) end
    steps[#steps + 1] = { sync = "device" }
    for chunk = 1, p.chunks do
      steps[#steps + 1] = { read = "x" .. chunk }
    end
    return { buffers = buffers, streams = streams, steps = steps }
  end,

  check = function(p, run)
    local scale, add = 0.5 ^ p.rounds, 2 * (1 - 0.5 ^ p.rounds)
    for chunk = 1, p.chunks do
      local name = "x" .. chunk
      local got, was = run.output(name), run.input(name)
      for i = 0, p.n - 1, 97 do
        local want = was[i] * scale + add
        if math.abs(got[i] - want) > 1e-5 * math.abs(want) then
          return false, string.format("%s[%d] is %.9g, expected %.9g", name, i,
            got[i], want)
        end
      end
    end
    return true
  end,
}
