-- Two streams: what orders two calls, and what may overlap.

local CHUNK, BLOCKS, THREADS = 65536, 8, 256

-- ---- the calls of the student's file as steps ------------------------------------------------------------------------

local DIRECTIONS = { cudaMemcpyHostToDevice = "h2d", cudaMemcpyDeviceToHost = "d2h" }

local function trimmed(word)
  local first, last = word:find("%S"), #word
  while last > 0 and word:find("^%s", last) do
    last = last - 1
  end
  return first and word:sub(first, last) or ""
end

local function stream_of(word)
  if not word or word == "" or word == "0" then
    return nil
  end
  if not word:match("^s[012]$") then
    error("there is no stream " .. word .. ": s0, s1 and s2 are there", 0)
  end
  return word
end

local function event_of(word)
  if not word:match("^e%d$") then
    error("there is no event '" .. word .. "': e0 to e9 are there", 0)
  end
  return word
end

local function buffer_of(word)
  if not word:match("^d[01]$") then
    error("there is no buffer '" .. word .. "' on the device: d0 and d1 are there", 0)
  end
  return word
end

local function words_of(list)
  local words = {}
  for word in list:gmatch("[^,]+") do
    words[#words + 1] = trimmed(word)
  end
  return words
end

local function copy_of(words)
  local to, from, bytes, direction, stream = table.unpack(words)
  local way = DIRECTIONS[direction]
  if #words < 4 or #words > 5 or bytes ~= "bytes" or not way then
    error("a copy is cudaMemcpyAsync(to, from, bytes, direction, stream)", 0)
  end
  local host, device = from, to
  if way == "d2h" then
    host, device = to, from
  end
  if not host:match("^h[0-3]$") or not device:match("^d[01]$") then
    error(("%s does not fit a copy from %s to %s"):format(direction, from, to), 0)
  end
  return { copy = way, buffer = from, to = to, async = true, stream = stream_of(stream) }
end

local function launch_of(shape, args)
  local sizes = words_of(shape)
  if sizes[1] ~= "blocks" or sizes[2] ~= "threads" or (sizes[3] or "0") ~= "0" or #sizes > 4 then
    error("a launch is work<<<blocks, threads, 0, stream>>>(buffer)", 0)
  end
  return { launch = "work", grid = { BLOCKS }, block = { THREADS }, stream = stream_of(sizes[4]),
           args = { buffer_of(args) } }
end

local CALLS = {
  cudaMemcpyAsync = copy_of,
  cudaEventRecord = function(words) return { record = event_of(words[1] or ""), stream = stream_of(words[2]) } end,
  cudaStreamWaitEvent = function(words) return { wait = event_of(words[2] or ""), stream = stream_of(words[1]) } end,
  cudaStreamSynchronize = function(words) return { sync = "stream", stream = stream_of(words[1]) } end,
  cudaEventSynchronize = function(words) return { sync = "event", event = event_of(words[1] or "") } end,
  cudaDeviceSynchronize = function() return { sync = "device" } end,
}

local function step_of(call)
  local open, last = call:find("(", 1, true), call:sub(-1)
  local name, list = trimmed(call:sub(1, (open or 1) - 1)), call:sub((open or 1) + 1, -2)
  local shape, behind = call:find("<<<", 1, true), call:find(">>>", 1, true)
  if not open or last ~= ")" then
    local loops = name == "for" or name == "while" or name == "do"
    error(loops and "write each call out: there are no loops here" or "this is no call: " .. call, 0)
  end
  if shape and behind and trimmed(call:sub(1, shape - 1)) == "work" then
    open = call:find("(", behind, true)
    return launch_of(call:sub(shape + 3, behind - 1), trimmed(call:sub((open or #call) + 1, -2)))
  end
  if not CALLS[name] then
    error(name .. " is not known here: copies, launches, events and synchronization are", 0)
  end
  return CALLS[name](words_of(list))
end

-- Comments become blanks, so that lines keep their numbers. Plain searches: the text is of any length.
local function without(text, opening, closing, kept)
  local out, at = {}, 1
  while true do
    local first = text:find(opening, at, true)
    if not first then
      return table.concat(out) .. text:sub(at)
    end
    local last = text:find(closing, first + #opening, true) or #text + 1
    local comment = text:sub(first, last + #closing - kept - 1)
    out[#out + 1] = text:sub(at, first - 1) .. ("\n"):rep(select(2, comment:gsub("\n", "")))
    at = last + #closing - kept
  end
end

local function without_comments(text)
  return without(without(text, "/*", "*/", 0), "//", "\n", 1)
end

local function line_at(text, place)
  return 1 + select(2, text:sub(1, place - 1):gsub("\n", ""))
end

-- Where the body of `void pipeline()` begins and ends.
local function body_of(text)
  local open, close = text:find("{", 1, true), nil
  local at = text:find("}", 1, true)
  while at do
    close, at = at, text:find("}", at + 1, true)
  end
  local words = open and text:sub(1, open - 1):gsub("%s+", " ")
  local fits = words and (words:find("void pipeline ?%( ?%) ?$") or words:find("void pipeline ?%( ?void ?%) ?$"))
  if not fits or not close or text:sub(close + 1):find("%S") then
    error("line 1: the file has to have one function, void pipeline() { ... }, and nothing behind it", 0)
  end
  return open + 1, close - 1
end

-- The steps that its calls are.
local function steps_of(source)
  local text = without_comments(source)
  local at, last = body_of(text)
  local steps = {}
  while at <= last do
    local stop = text:find(";", at, true) or last + 1
    local call = text:sub(at, math.min(stop, last + 1) - 1)
    local begin = call:find("%S")
    if begin then
      local line = line_at(text, at + begin - 1)
      local fine, step = pcall(step_of, trimmed((call:gsub("%s+", " "))))
      if not fine then
        error(("line %d: %s"):format(line, step), 0)
      end
      steps[#steps + 1] = step
    end
    at = stop + 1
  end
  if #steps == 0 then
    error("line " .. line_at(text, last) .. ": there is no call in it", 0)
  end
  return steps
end

return {
  name = "streams", title = "Two streams", lessons = { "L05", "L18" },
  teaches = "what orders two calls; copies and kernels side by side",
  kernels = { "void pipeline()" },
  given = "work.cu",
  statement = [[
Four chunks, `h0` to `h3` in the host's memory, go through the kernel `work` and back to their places.

There are streams `s0` `s1` `s2`, events `e0` to `e9`, and two buffers on the device, `d0` and `d1`. Calls stand one
behind the other, without loops.

The starter is right, but nothing overlaps. Let copies and kernels go on side by side: two thirds of the time are
enough.]],
  numbers = "Time until all is done, computed for one engine of copies in each direction. 100 is one call behind "
    .. "the other.",
  cases = { { chunks = 4, shown = true, count = true } },
  seeds = { 0 },
  sequence = function(_, d, source)
    local buffers = {}
    for h = 0, 3 do
      buffers[#buffers + 1] = { name = "h" .. h, type = "f32", host = "pinned", count = CHUNK,
        init = "mod:" .. 500 + 300 * h + d.integer(0, 299) }
    end
    for b = 0, 1 do
      buffers[#buffers + 1] = { name = "d" .. b, type = "f32", count = CHUNK, init = "none", host = "none" }
    end
    local steps = steps_of(source)
    steps[#steps + 1] = { sync = "device" }
    for h = 0, 3 do
      steps[#steps + 1] = { read = "h" .. h }
    end
    return { buffers = buffers, streams = { "s0", "s1", "s2" }, steps = steps }
  end,
  check = function(_, run)
    for h = 0, 3 do
      local name = "h" .. h
      local was = run.input(name)
      local fine, why = expect(run.output(name), function(i) return 2 * was[i] + 1 end, { every = 61 })
      if not fine then
        return fine, why
      end
    end
    return true
  end,
  limits = function(_, c)
    local alone = 0
    for _, step in ipairs(c.steps) do
      if step.kind == "copy" or step.kind == "launch" then
        alone = alone + step.end_ns - step.begin_ns
      end
    end
    return { { "time", math.floor(100 * c.time_ns / alone + 0.5), 70 } }
  end,
  says = {
    unordered = "Two calls touch one buffer, and nothing orders them. Calls of one stream are in order; between two "
      .. "streams an event is needed.",
    early_read = "The host looks before the copy back is over.",
    uninitialized = function(_, told)
      local chunk = told.message:match("the host reads (h%d)")
      if chunk then
        return ("Chunk %s was never copied in, or not by a call that goes before the copy out."):format(chunk)
      end
      return "A kernel works on a buffer before anything was copied into it."
    end,
    result = "A chunk does not come back to its place, or goes through the kernel twice, or not at all.",
    time = "Right, but too little overlaps. The default stream waits for all others, and they for it; a wait of the "
      .. "host holds everything up.",
  },
  tips = {
    "In one stream each call waits for those before it. Which calls need not wait?",
    "A stream for each buffer: chunks 0 and 2 through `s0` and `d0`, chunks 1 and 3 through `s1` and `d1`.",
    "For each chunk the copy in, the kernel and the copy out go to its buffer's stream. The launch names its stream "
      .. "as the fourth number: `work<<<blocks, threads, 0, s1>>>(d1);`",
  },
  others = {
    alt_1 = "Step by step in place of chunk by chunk.",
    alt_2 = "A stream for each kind of work, tied by events.",
  },
  wrong = {
    starter = { by = "time", what = "One stream.", says = "too little overlaps" },
    wrong_1 = { by = "unordered", what = "The kernels' stream waits for nobody.", says = "an event is needed" },
    wrong_2 = { by = "time", what = "The host waits behind each chunk.", says = "a wait of the host" },
    wrong_3 = { by = "time", what = "The default stream.", says = "default stream" },
    wrong_4 = { by = "unordered", what = "Both streams use both buffers.", says = "nothing orders them" },
    wrong_5 = { by = "result", what = "A chunk goes to another's place.", says = "its place" },
  },
  score = { "microseconds", function(c) return c.time_ns // 1000 end },
}
