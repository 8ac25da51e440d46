-- L08: what a warp's load costs is a matter of which 32-byte sectors it touches.

local LOAD = { line = "out[lane] = base[word]", kind = "load" }
local FIRST = { line = "int x_i = input[i]", kind = "load" }
local SECOND = { line = "int x_i_minus_one = input[i - 1]", kind = "load" }
local DIFFERENCE = { line = "result[i] = ", kind = "store" }
local SHARE = { line = "float value = x[i]", kind = "load" }
local PIECE = { line = "T piece = ((T *)from)[i]", kind = "load" }
local X_AOS = { line = "float x = data[idx].x", kind = "load" }
local X_SOA = { line = "float x = data_x[idx]", kind = "load" }
local WORD, SECTOR = 4, 32   -- bytes

-- The same event in one warp of the first block.
local function of_warp(warp, at)
  return { line = at.line, kind = at.kind, block = 0, warp = warp }
end

local function pattern(name, offset)
  return measure { kernel = "load_patterns", params = { pattern = name, offset = offset or 1 } }
end

local function commas(n)
  local text = string.format("%d", n):reverse():gsub("(%d%d%d)", "%1,"):reverse()
  return (text:gsub("^,", ""))
end

recall(2)

-- 1. sectors -----------------------------------------------------------------

local aligned_run = pattern("aligned")
local aligned = aligned_run:event(LOAD)

show(aligned_run)
say {
  title = "One load, 32 addresses",
  [[
  A load in your kernel is one instruction for a whole warp: 32 lanes, 32 addresses. But memory does not deliver
  words. It delivers *sectors* of 32 bytes, aligned to 32; four of them make a *line* of 128 bytes.

  So the question is never how many words a warp wants. It is how many sectors those words lie in.
  ]],
}

predict {
  id = "row", title = "In a row",
  [[Lane `i` loads the `int` number `i` of an aligned array: 32 lanes, 4 bytes each, one after the other.]],
  ask = "How many sectors does the load touch?",
  answer = aligned.sectors, unit = "sectors",
  wrong = {
    [32] = "Neighbors share a sector: it has 32 bytes, room for eight of these words.",
    [1] = "A sector has 32 bytes, not 32 words.",
    [aligned.bytes_used] = "Those are the bytes.",
  },
  tips = { "How many bytes are that in all?", "{bytes} bytes, in pieces of 32." },
  bytes = aligned.bytes_used,
  because = "{bytes} bytes / 32 = {answer}. Nothing that is moved is wasted.",
  show = { run = aligned_run, at = LOAD, focus = "segments" },
}

explain {
  title = "The ruler",
  [[
  Each row is a line of memory, cut into its four sectors. The numbers are lanes; filled means moved *and used*.

  - moved: {moved} bytes
  - used: {used} bytes ({percent})

  This is a *coalesced* access: 32 requests became one.
  ]],
  moved = aligned.bytes_moved, used = aligned.bytes_used, percent = percent(aligned.bytes_used, aligned.bytes_moved),
}

local permuted_run = pattern("permuted")
local permuted = permuted_run:event(LOAD)

predict {
  id = "disorder", title = "In disorder",
  [[Now lane `i` loads word `i ^ 5`. The warp as a whole wants the same 32 words, but each lane another one.]],
  ask = "Compared with before, the load touches", kind = "choice",
  options = { "fewer sectors", "as many sectors", "more sectors" },
  answer = permuted.sectors == aligned.sectors and "as many sectors"
    or permuted.sectors < aligned.sectors and "fewer sectors" or "more sectors",
  wrong = {
    ["more sectors"] = "Which sector is touched now that was not before?",
    ["fewer sectors"] = "All 32 words are still wanted.",
  },
  tips = { "Write down which words are wanted now, and which before." },
  because = "{sectors} again. What counts is the *set* of sectors, not which lane wants what.",
  sectors = permuted.sectors,
  show = { run = permuted_run, at = LOAD, focus = "segments" },
}

-- 2. offsets -----------------------------------------------------------------

local off_1_run = pattern("offset", 1)
local off_1 = off_1_run:event(LOAD)

-- The lanes whose words lie in the last sector that a load touches.
local function lanes_of_last_sector(load)
  local last, lanes = 0, 0
  for _, address in pairs(load.addresses) do
    last = math.max(last, address // SECTOR)
  end
  for lane, address in pairs(load.addresses) do
    lanes = lanes | (address // SECTOR == last and 1 << lane or 0)
  end
  return lanes
end

predict {
  id = "word-further", title = "One word further",
  [[Back in order, but everything starts one word later: lane `i` loads word `i + 1`. Still {bytes} bytes in a row.]],
  bytes = off_1.bytes_used,
  ask = "How many sectors?", sure = true,
  answer = off_1.sectors, unit = "sectors",
  wrong = {
    [aligned.sectors] = "{bytes} bytes fit into 4 sectors only if they begin where a sector begins.",
    [32] = "Neighbors still share sectors.",
    [2] = "So many lines. How many sectors of them?",
  },
  tips = { "Where do the bytes start, and where do they end?" },
  because = "The bytes 4 to 131: the last word sticks out into another sector, which is moved for its sake.",
}

predict {
  id = "fifth", title = "Who is to blame?",
  [[The same load, word `i + 1` for lane `i`. The first sector begins with word 0, and each has {each} words.]],
  each = SECTOR // WORD,
  ask = "Which lanes need the last of the five sectors?", kind = "mask",
  answer = lanes_of_last_sector(off_1),
  wrong = {
    [0x00000001] = "Lane 0 wants word 1. That is in the first sector.",
    [0xff000000] = "So it was without the offset, in the fourth sector.",
    [0xfe000000] = "Those are in the fourth one: words 26 to 31. Go on.",
  },
  tips = { "The fifth sector begins with word 32." },
  because = "One lane alone: it wants word 32.",
  show = { run = off_1_run, at = LOAD, focus = "segments" },
}

explain {
  title = "A tail",
  [[
  {sectors} sectors, {moved} bytes moved for {used}: {percent}. The last sector brings one word that somebody wants,
  and seven that nobody does.

  Old machines (Fermi) moved whole lines of 128 bytes, two of them here. Press `v` for that view.
  ]],
  sectors = off_1.sectors, moved = off_1.bytes_moved, used = off_1.bytes_used,
  percent = percent(off_1.bytes_used, off_1.bytes_moved),
}

local off_8_run = pattern("offset", 8)
local off_8 = off_8_run:event(LOAD)

predict {
  id = "eight", title = "Eight words further",
  [[The same with an offset of 8 words.]],
  ask = "How many sectors now?",
  answer = off_8.sectors, unit = "sectors",
  wrong = {
    [off_1.sectors] = "Does anything stick out? 8 words are 32 bytes.",
    [12] = "The offset does not make the row longer.",
  },
  tips = { "8 words are how many bytes?" },
  because = "8 words are 32 bytes, one whole sector: the row starts on a border again.",
  show = { run = off_8_run, at = LOAD, focus = "segments" },
}

local sweep = {}
for _, offset in ipairs { 0, 1, 4, 7, 8, 9, 16 } do
  local load = pattern("offset", offset):event(LOAD)
  sweep[#sweep + 1] = string.format("  offset %2d   %s   %s", offset, counted(load.sectors, "sector"), counted(load.lines, "line"))
end

explain {
  title = "Offsets, measured",
  "Offset of the row in words, and what it touches:\n\n" .. table.concat(sweep, "\n")
    .. "\n\nOnly the offset within a sector matters. That is why `cudaMalloc` gives aligned memory, and why rows are padded.",
}

run { kernel = "load_patterns", params = { pattern = "offset", offset = 9 }, at = LOAD, focus = "segments" }
try {
  id = "one-line", title = "Your turn: one line",
  [[
  With an offset of one sector the load had four, but they lay in two lines. Change `offset`.
  ]],
  goal = "Find an offset above 0 at which the load stays within a single line of 128 bytes.",
  params = { "offset" }, solution = { offset = 32 },
  tips = { "A line is four sectors. How many words is that?", "Try multiples of 32 words." },
  reached = function(r)
    local load = r:event(LOAD)
    return r.parameters.pattern == "offset" and r.parameters.offset > 0 and load.lines == 1,
      string.format("offset %d: %s in %s", r.parameters.offset, counted(load.sectors, "sector"), counted(load.lines, "line"))
  end,
}

-- 3. the extremes --------------------------------------------------------------

local same_run = pattern("same")
local same = same_run:event(LOAD)

predict {
  id = "same", title = "All want the same",
  [[All 32 lanes load one and the same word.]],
  ask = "How many sectors?",
  answer = same.sectors, unit = "sectors",
  wrong = {
    [32] = "32 lanes ask, but what they want lies in one place.",
    [4] = "Four are for 32 different words in a row.",
  },
  tips = { "Which sectors do the wanted words lie in?" },
  because = "One word is in one sector, and it is fetched once: a broadcast.",
  show = { run = same_run, at = LOAD, focus = "segments" },
}

local scattered_run = pattern("scattered")
local scattered = scattered_run:event(LOAD)

predict {
  id = "scattered", title = "All want something else",
  [[Lane `i` loads word `1237 * i % 4096`: 32 words, far from each other.]],
  ask = "How many sectors?",
  answer = scattered.sectors, unit = "sectors",
  wrong = {
    [4] = "Four sectors hold 32 words only where these are neighbors.",
    [128] = "One word cannot lie in four sectors.",
  },
  tips = { "What is the most that 32 lanes can touch with one word each?" },
  because = "Every lane has a sector for itself. {answer} is the worst for loads of 4 bytes.",
  show = { run = scattered_run, at = LOAD, focus = "segments" },
}

explain {
  title = "Same share, other bill",
  [[
  Both loads use an eighth of what they move:

  - broadcast: {u1} of {m1} bytes
  - scattered: {u2} of {m2} bytes

  But the second moves {times} times as much. Utilization tells how *well* bytes are used, sectors how *many* there
  are. You pay for sectors.
  ]],
  u1 = same.bytes_used, m1 = same.bytes_moved, u2 = scattered.bytes_used, m2 = scattered.bytes_moved,
  times = scattered.bytes_moved // same.bytes_moved,
}

-- 4. a habit from the CPU --------------------------------------------------------

local chunks = measure { kernel = "share_out", form = "chunks" }
local turns = measure { kernel = "share_out" }
local each = chunks.parameters.each
local chunk, turn = chunks:event(SHARE), turns:event(SHARE)

show(chunks, { at = { line = "int i = t * each + k" }, focus = "geometry" })
say {
  title = "A piece for each thread",
  [[
  {n} numbers and {threads} threads, {each} numbers for each. Who comes from the CPU cuts the array into pieces:
  thread 0 has the first {each} numbers, thread 1 the next {each}. Each walks through its own piece, word after word.

  A core of a CPU likes that: its next word is in the cache already. Now look at it as a warp.
  ]],
  n = commas(chunks.parameters.n), threads = chunks.blocks * chunks.threads, each = each,
}

predict {
  id = "chunks", title = "The first round",
  [[In the first round, k = 0, thread `t` loads `x[t * {each}]`, the first number of its piece.]], each = each,
  ask = "How many sectors does that load of a warp touch?", sure = true,
  answer = chunk.sectors, unit = "sectors",
  wrong = {
    [turn.sectors] = "That is so if the lanes want neighbors. Where does lane 1 begin, if lane 0 begins at 0?",
    [each * WORD // SECTOR] = "So many has the piece of one thread. A load is of 32 threads at the same moment.",
    [1] = "One thread wants one word. How many threads load at the same moment?",
  },
  tips = { "How many bytes is lane 1's word away from lane 0's?" },
  because = "Pieces are {apart} bytes apart: a sector for each lane, for a single word of it.", apart = each * WORD,
  show = { run = chunks, at = SHARE, focus = "segments" },
}

modify {
  id = "turns", title = "Side by side",
  [[
  Let the lanes of a warp have neighbors. Thread `t` is to do other numbers in its rounds k = 0, 1, 2, ..., but all of
  them exactly once.
  ]],
  kernel = "share_out", form = "chunks", line = "int i = t * each + k;", blank = "    int i = ____;",
  fill = "k * gridDim.x * blockDim.x + t",
  accept = { "t + k * blockDim.x * gridDim.x", "t + k * (blockDim.x * gridDim.x)" },
  runs = { {}, { n = 1000, each = 4, threads = 32 } },
  wrong = {
    ["t * each + k"] = "Those are the pieces again.",
    ["k * each + t"] = "Some are done twice, others never: the next round has to begin where all threads ended.",
    ["k * blockDim.x + t"] = "So it is right with one block only. Count the threads of all blocks.",
  },
  judged = function(run)
    local load = run:line(SHARE.line)
    local sectors = load.global_load_sectors / load.global_load_requests
    return sectors <= turn.sectors, string.format("%.3g sectors for each load", sectors)
  end,
  tips = { "In round 0 thread t takes number t.", "In round 1 it goes on by the number of all threads." },
  because = "All threads step on together: {one} sectors for each load, not {before}.",
  one = turn.sectors, before = chunk.sectors,
}

local function recorded(kernel)
  return measure { kernel = kernel, timing = true, device = "recorded", cut = "compiled" }
end
local in_turns, in_pieces = recorded "gpu_sin_if", recorded "gpu_sin_block_major"

explain {
  title = "What the habit costs",
  [[
  A lecture's sine has the same habit: neighbors in memory go to neighboring *blocks*. {n} values on an H200:

  - lanes side by side: {good} us
  - lanes far apart: {bad} us

  One thread's walk is not what memory sees. It sees the warp.
  ]],
  n = commas(in_turns.parameters.steps), good = commas(in_turns.time // 1), bad = commas(in_pieces.time // 1),
}

-- 5. neighbors -----------------------------------------------------------------

local diff = measure { kernel = "adj_diff_naive" }
local first, second = diff:event(of_warp(1, FIRST)), diff:event(of_warp(1, SECOND))

show(diff, { margin = "active lanes" })       -- sectors in the margin would be the answer
predict {
  id = "which-line", title = "A real kernel", kind = "line",
  [[
  `adj_diff_naive` subtracts neighbors. Warp 1 has elements 32 to 63, and both arrays begin at a sector. It loads twice and
  stores once.
  ]],
  ask = "Go to the line whose access touches the most sectors.",
  answer = SECOND.line,
  wrong = {
    [FIRST.line] = "Word 32 begins a sector, and 32 words follow: {sectors} sectors.",
    [DIFFERENCE.line] = "A store is counted like a load, and this one begins at word 32.",
  },
  sectors = first.sectors,
  tips = { "Where does each of the three rows begin?" },
  because = "{a} sectors, the others {sectors}: an offset again, by one word to the left.", a = second.sectors,
  show = { run = diff, at = of_warp(1, SECOND), focus = "segments" },
}

-- How many of the sectors of the second load the first one touched too.
local function sectors_in_common()
  local touched, common = {}, {}
  for _, address in pairs(first.addresses) do
    touched[address // SECTOR] = true
  end
  local count = 0
  for _, address in pairs(second.addresses) do
    local sector = address // SECTOR
    count = count + (touched[sector] and not common[sector] and 1 or 0)
    common[sector] = true
  end
  return count
end

explain {
  title = "Loaded twice",
  [[
  {lanes} lanes load here, and almost every element is loaded by two threads: as its own, and as a neighbor.

  In requests the two loads cost {s1} + {s2} sectors. {common} of the {s2} were just loaded, so a cache will often
  have them; DRAM sees less than the warp asks for. Lesson L10 loads every element once.
  ]],
  common = sectors_in_common(),
  lanes = second.lanes, s1 = first.sectors, s2 = second.sectors,
}

local short = measure { kernel = "adj_diff_naive", params = { n = 100, threads = 128 } }
local tail = short.parameters.n % 32
local lanes_there = string.format("Only %d lanes are there: elements 96 to 99.", tail)

trace {
  id = "sectors", title = "Be the memory",
  [[{n} elements, four warps; the last one has {tail} of them. Thread 0 does nothing, for it has no neighbor.]],
  n = short.parameters.n, tail = tail,
  run = short, ask = "sectors", focus = "segments",
  at = { of_warp(0, FIRST), of_warp(0, SECOND), of_warp(1, SECOND), of_warp(3, FIRST), of_warp(3, SECOND) },
  wrong = {
    [2] = { [5] = "Lane 0 sits out: elements 0 to 30 are loaded. Does anything stick out?" },
    [3] = { [4] = "Elements 31 to 62. Where does the row begin?" },
    [4] = { [4] = lanes_there, [5] = lanes_there },
    [5] = { [1] = "Elements 95 to 98: two sides of a border." },
  },
  tips = { "From which word to which? A sector has 32 / 4 = 8 words." },
  because = "Only where a row begins, and how long it is. The first warp is lucky: its lane 0 has nothing to load.",
}

local WORDS = 3   -- of an element: two loads and a store

predict {
  id = "rate", title = "How much a second?",
  [[Without any cache each difference takes two loads and a store of 4 bytes. A memory moves {rate} GB a second.]],
  rate = 1200,
  ask = "How many billions of differences a second are that at most?", unit = "billion",
  answer = 1200 / (WORDS * WORD),
  wrong = {
    [1200 / WORD] = "A difference moves more than one word.",
    [1200 / (2 * WORD)] = "The result goes to memory, too.",
    [1200 / WORDS] = "A word has 4 bytes.",
  },
  tips = { "How many bytes does one difference move?" },
  because = "{bytes} bytes each. One subtraction for {bytes} bytes: the arithmetic waits for the memory.",
  bytes = WORDS * WORD,
}

-- 6. structures ------------------------------------------------------------------

local aos = measure { kernel = "position_aos" }
local soa = measure { kernel = "position_soa" }
local aos_x, soa_x = aos:event(X_AOS), soa:event(X_SOA)

show(aos, { focus = "segments", margin = "active lanes" })      -- sectors in the margin would be the answer
predict {
  id = "struct", title = "An array of structures",
  [[
  A position is `struct { float x, y, z; }`: 3 x 4 = 12 bytes. Thread `i` loads `data[i].x`, so neighboring lanes are so far
  apart.
  ]],
  ask = "How many sectors does the load of `x` touch?",
  answer = aos_x.sectors, unit = "sectors",
  wrong = {
    [4] = "So it would be if one x followed the other. Between two of them lie a y and a z.",
    [32] = "Some x share a sector: they are 3 x 4 = 12 bytes apart, and a sector is 32 bytes long.",
    [11] = "32 x 12 = 384 bytes, in pieces of 32.",
  },
  tips = { "How far is it from the first lane's x to the last lane's?", "32 structures are 32 x 12 = 384 bytes." },
  because = "32 structures lie without a gap, and an x lies in each of the {answer} sectors.",
  show = { run = aos, at = X_AOS, focus = "segments" },
}

explain {
  title = "A third",
  [[
  {moved} bytes moved, {used} used: {percent}. Then come `y` and `z`, and each of them touches the same {sectors}
  sectors again.

  So do the three stores: what holds for loads holds for them.
  ]],
  moved = aos_x.bytes_moved, used = aos_x.bytes_used, percent = percent(aos_x.bytes_used, aos_x.bytes_moved),
  sectors = aos_x.sectors,
}

local ratio = aos.counters.global_load_sectors / soa.counters.global_load_sectors

predict {
  id = "arrays", title = "A structure of arrays",
  [[
  `position_soa` keeps all x in one array, all y in another, all z in a third. The same {n} positions, the same three
  loads per thread.
  ]],
  n = commas(soa.parameters.n),
  ask = "How many times fewer sectors do its loads touch in all?",
  answer = ratio, unit = "times", tolerance = 0.01,
  wrong = {
    [1] = "The words are the same. The sectors are not.",
    [ratio * ratio] = "Each of the three loads is better by a third, and so is their sum.",
  },
  tips = { "What does each load of x touch now?" },
  because = "{a} sectors became {b}: each load is a row again, {s} sectors per warp.",
  a = commas(aos.counters.global_load_sectors), b = commas(soa.counters.global_load_sectors), s = soa_x.sectors,
  show = { run = soa, at = X_SOA, focus = "segments" },
}

show(aos)
make {
  id = "rows", title = "Who copies what?",
  [[
  Somebody else chose the structure. But a copy does not care who moves which float: {floats} floats lie in a row.

  Copy them with {good} sectors of loads, not {bad}.
  ]],
  floats = commas(3 * aos.parameters.n),
  good = commas(soa.counters.global_load_sectors), bad = commas(aos.counters.global_load_sectors),
  kernel = "position_aos", from = "float x = data[idx].x;", to = "out[idx].z = z;",
  starter = [[
    float *from = &data[0].x;   // all floats in a row
    float *to = &out[0].x;
    for (int k = 0; k < 3; k++)
      to[3 * idx + k] = from[3 * idx + k];]],
  solution = [[
    float *from = &data[0].x;
    float *to = &out[0].x;
    for (int k = 0; k < 3; k++)
      to[k * n + idx] = from[k * n + idx];]],
  others = {
    { "three apart", [[
    float *from = &data[0].x;
    float *to = &out[0].x;
    for (int k = 0; k < 3; k++)
      to[3 * idx + k] = from[3 * idx + k];]], says = "That is the structure again: neighbors are 3 floats apart." },
    { "one third", [[
    float *from = &data[0].x;
    float *to = &out[0].x;
    to[idx] = from[idx];]], says = "There are 3 n floats, and n threads." },
  },
  runs = { {}, { n = 96, threads = 32 } },
  judged = function(run, p)
    local least = 3 * p.n * WORD // SECTOR
    local sectors = run.counters.global_load_sectors
    return sectors <= least, string.format("%d sectors of loads, %d would do", sectors, least)
  end,
  tips = { "Which three floats should thread `idx` copy, for lanes to have neighbors?",
           "Number idx of each third of the row." },
  because = "The data stayed as it was. Only who moves what has changed.",
}

local together, apart = recorded "position_aos", recorded "position_soa"

explain {
  title = "Three times the sectors, not the time",
  [[
  A lecture's K20X was 1.5 times as fast with arrays at reading, 1.9 times at writing. On an H200 {n} positions take
  {aos} us as structures, {soa} us as arrays: its first cache keeps what `y` and `z` want next.

  The counters say what the warps *asked* for; what comes of it depends on the machine. Lesson L09 has more cures.
  ]],
  n = commas(together.parameters.n), aos = commas(together.time // 1), soa = commas(apart.time // 1),
}

-- 7. wide loads ------------------------------------------------------------------

local wide = measure { kernel = "wide_copy" }
local narrow = measure { kernel = "wide_copy", params = { type = "float" } }
local wide_load, narrow_load = wide:event(PIECE), narrow:event(PIECE)

show(narrow, { at = PIECE, focus = "segments", margin = "executions" })
predict {
  id = "wide", title = "Four at once",
  [[
  A lane can load 4, 8 or 16 bytes at once. You see `float`: 4 bytes for each lane, {sectors} sectors. Now the type is
  `float4`, 16 bytes for each lane, side by side.
  ]],
  sectors = narrow_load.sectors,
  ask = "How many sectors does one such load of a warp touch?",
  answer = wide_load.sectors, unit = "sectors",
  wrong = {
    [4] = "That is for 4 bytes a lane.",
    [32] = "Two lanes fit into a sector.",
    [1] = "16 bytes are half a sector, for one lane.",
  },
  tips = { "32 x 16 bytes." },
  because = "{bytes} bytes in a row, nothing wasted: {loads} loads for the whole array, not {many}. The sectors in all "
    .. "stay the same.",
  bytes = wide_load.bytes_used, loads = wide:line(PIECE.line).global_load_requests,
  many = narrow:line(PIECE.line).global_load_requests,
  show = { run = wide, at = PIECE, focus = "segments" },
}

local shifted = measure { kernel = "wide_copy", form = "cast", params = { offset = 1 }, cut = "written" }

local whole_row, one_more = counted(wide_load.sectors, "sector"), counted(wide_load.sectors + 1, "sector")
predict {
  id = "misaligned", title = "From the second float on",
  [[Now the `float4` begin at float 1 of the array: lane `i` wants floats 4 i + 1 to 4 i + 4.]],
  ask = "What happens?", kind = "choice", sure = true,
  options = { whole_row, one_more, "an error" },
  answer = shifted.faults[1].kind == "misaligned" and "an error" or one_more,
  wrong = {
    [whole_row] = "The row begins in the middle of a sector.",
    [one_more] = "The row would touch so many. But is the address one that a lane can load 16 bytes from?",
  },
  tips = { "A piece of 16 bytes has a rule about its address." },
  because = "An access of n bytes needs an address that n divides. Float 1 is at byte 4, and the kernel ends.",
  show = { run = shifted, at = PIECE, focus = "segments" },
}

-- Which offsets, in floats, let a float4 be loaded.
local OFFSETS, allowed = { "2", "4", "6", "8" }, {}
for _, offset in ipairs(OFFSETS) do
  local r = measure { kernel = "wide_copy", form = "cast", params = { offset = tonumber(offset) } }
  if #r.faults == 0 then
    allowed[#allowed + 1] = offset
  end
end

explain {
  title = "Two kinds of alignment",
  [[
  What is told: {kind}, at a line with a cast to a wider type. Nothing warns before it runs.

  - Each lane: its address is a multiple of what it loads. Else it is an error.
  - The row of a warp: it should begin at a sector. Else it is one sector more.
  ]],
  kind = shifted.faults[1].kind,
}

predict {
  id = "offsets", title = "Which may begin there?", kind = "several",
  [[`float4` pieces of an aligned array of floats.]],
  ask = "From which floats on may they begin?", options = OFFSETS, answer = allowed,
  wrong = {
    ["2"] = "2 floats are 8 bytes: that does for a `float2`.",
    ["6"] = "6 x 4 = 24 bytes.",
    ["4"] = "4 x 4 = 16 bytes: is that no whole piece?",
  },
  tips = { "How many bytes? Is that a multiple of a piece?" },
  because = "Multiples of 4 floats. With 4 the row has {four} sectors, with 8 it has {eight}.",
  four = measure({ kernel = "wide_copy", params = { offset = 4 } }):event(PIECE).sectors,
  eight = measure({ kernel = "wide_copy", params = { offset = 8 } }):event(PIECE).sectors,
}

-- 8. to keep ------------------------------------------------------------------------

hide()
predict {
  id = "winner", title = "All to one word",
  [[One store, and all 32 lanes write their own number to the same word.]],
  ask = "What is in it afterwards?", kind = "choice",
  options = { "0", "31", "the sum", "one of the 32 numbers" }, answer = "one of the 32 numbers",
  wrong = {
    ["31"] = "That the last lane wins is nowhere promised.",
    ["0"] = "That the first lane wins is nowhere promised.",
    ["the sum"] = "A store adds nothing. That takes an atomic.",
  },
  tips = { "Is there a rule that says who comes last?" },
  because = "One of them wins, and which one is not defined. One sector is written.",
}

predict {
  id = "cheapest", title = "From memory", kind = "order",
  [[One load of a warp, 4 bytes for each lane. No picture: think of sectors.]],
  ask = "Put them in order, the fewest sectors first.",
  lines = { "one word for all lanes", "32 words in a row, from a border", "the same row, three words later",
            "x of structs of 3 floats", "first words of pieces of `16`" },
  wrong = {
    ["x of structs of 3 floats"] = "Three floats a lane in a row: 3 x 128 = 384 bytes.",
    ["one word for all lanes"] = "It is fetched once.",
  },
  tips = { "Where does lane 1 stand, if lane 0 stands at 0?" },
  because = "{a}, {b}, {c}, {d} and {e} sectors.", a = same.sectors, b = aligned.sectors,
  c = pattern("offset", 3):event(LOAD).sectors, d = aos_x.sectors, e = chunk.sectors,
}

rubric {
  id = "coalesced", title = "In your own words",
  ask = "When is a load coalesced, what does it cost if not, and what can you do about it?",
  model = [[
  When the lanes of a warp want words side by side: few sectors of 32 bytes, all of their bytes used. Else up to 32
  sectors are moved for 32 words. Let neighboring lanes have neighboring elements, keep arrays of members in place of
  structures, and let rows begin at a sector.
  ]],
  points = {
    "lanes of one warp, at one moment", "sectors of 32 bytes", "order does not matter", "up to 32 for one load",
    "neighbors for neighboring lanes", "arrays in place of structures, or aligned rows",
  },
}

check { draw = 5 }

recite {
  title = "The rules, from memory",
  ask = "What is to be kept of global memory? One line each.",
  [[
  - Memory moves sectors of 32 bytes.
  - A warp pays for the different sectors that its lanes touch.
  - In a row and aligned: 4. Shifted: 5. Scattered: 32. One word for all: 1.
  - Neighboring lanes, neighboring elements: no piece for each thread.
  - Keep apart what is loaded apart: arrays of x, of y, of z.
  - A lane's address is a multiple of what it loads.
  ]],
}

finish {
  title = "Global memory: what to keep",
  [[
  Do not ask what a thread wants. Ask where the 32 words lie that a warp wants at one moment, and how many sectors
  they touch.

  Next: the other places where a value may live.
  ]],
  next = "L09",
}
