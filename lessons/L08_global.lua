-- L08: what a warp's load costs is a matter of which 32-byte sectors it touches.

local LOAD = { line = "out[lane] = base[word]", kind = "load" }
local FIRST = { line = "int x_i = input[i]", kind = "load" }
local SECOND = { line = "int x_i_minus_one = input[i - 1]", kind = "load" }

-- A warp in the middle of the grid, which has all its lanes.
local function of_warp_1(at)
  return { line = at.line, kind = at.kind, block = 0, warp = 1 }
end

local function pattern(name, offset)
  return measure { kernel = "load_patterns", params = { pattern = name, offset = offset or 1 } }
end

recall(2)

-- 1. sectors -----------------------------------------------------------------

local aligned_run = pattern("aligned")
local aligned = aligned_run:event(LOAD)

show(aligned_run)
say {
  title = "One load, 32 addresses",
  [[
  A load in your kernel is one instruction for a whole warp: 32 lanes, 32 addresses. But memory does not deliver words. It
  delivers *sectors* of 32 bytes, aligned to 32; four of them make a *line* of 128 bytes.

  So the question is never how many words a warp wants. It is how many sectors those words lie in.
  ]],
}

predict {
  title = "In a row",
  [[Lane `i` loads the `int` number `i` of an aligned array: 32 lanes, 4 bytes each, one after the other.]],
  ask = "How many sectors does the load touch?",
  answer = aligned.sectors, unit = "sectors",
  tips = { "How many bytes are that in all?", "{bytes} bytes, in pieces of 32." },
  bytes = aligned.bytes_used,
  because = "{bytes} bytes / 32 = {answer}. Nothing that is moved is wasted.",
}

show(aligned_run, { at = LOAD, focus = "segments" })
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
  title = "In disorder",
  [[Now lane `i` loads word `i ^ 5`. The warp as a whole wants the same 32 words, but each lane another one.]],
  ask = "Compared with before, the load touches",
  options = { "fewer sectors", "as many sectors", "more sectors" },
  answer = permuted.sectors == aligned.sectors and "as many sectors"
    or permuted.sectors < aligned.sectors and "fewer sectors" or "more sectors",
  because = "{sectors} again. What counts is the *set* of sectors, not which lane wants what.",
  sectors = permuted.sectors,
}

-- 2. offsets -----------------------------------------------------------------

show(permuted_run, { at = LOAD, focus = "segments" })

local off_1_run = pattern("offset", 1)
local off_1 = off_1_run:event(LOAD)

predict {
  title = "One word further",
  [[Back in order, but everything starts one word later: lane `i` loads word `i + 1`. Still 128 bytes in a row.]],
  ask = "How many sectors?",
  answer = off_1.sectors, unit = "sectors",
  tips = { "Where do the 128 bytes start, and where do they end?" },
  because = "The bytes 4 to 131: the last word sticks out into another sector, which is moved for its sake.",
}

show(off_1_run, { at = LOAD, focus = "segments" })
explain {
  title = "A tail of 28 bytes",
  [[
  {sectors} sectors, {moved} bytes moved for {used}: {percent}. The last sector brings one word that somebody wants, and seven
  that nobody does.

  Old machines (Fermi) moved whole lines of 128 bytes, two of them here. Press `v` for that view.
  ]],
  sectors = off_1.sectors, moved = off_1.bytes_moved, used = off_1.bytes_used,
  percent = percent(off_1.bytes_used, off_1.bytes_moved),
}

local off_8_run = pattern("offset", 8)
local off_8 = off_8_run:event(LOAD)

predict {
  title = "Eight words further",
  [[The same with an offset of 8 words.]],
  ask = "How many sectors now?",
  answer = off_8.sectors, unit = "sectors",
  tips = { "8 words are how many bytes?" },
  because = "8 words are 32 bytes, one whole sector: the row starts on a border again.",
}

show(off_8_run, { at = LOAD, focus = "segments" })

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
  title = "Your turn: one line",
  [[
  With an offset of 8 the load had four sectors, but they lay in two lines. Change `offset`.
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
  title = "All want the same",
  [[All 32 lanes load one and the same word.]],
  ask = "How many sectors?",
  answer = same.sectors, unit = "sectors",
  because = "One word is in one sector, and it is fetched once: a broadcast.",
}

show(same_run, { at = LOAD, focus = "segments" })

local scattered_run = pattern("scattered")
local scattered = scattered_run:event(LOAD)

predict {
  title = "All want something else",
  [[Lane `i` loads word `1237 * i % 4096`: 32 words, far from each other.]],
  ask = "How many sectors?",
  answer = scattered.sectors, unit = "sectors",
  tips = { "What is the most that 32 lanes can touch with one word each?" },
  because = "Every lane has a sector for itself. {answer} is the worst for loads of 4 bytes.",
}

show(scattered_run, { at = LOAD, focus = "segments" })
explain {
  title = "Same share, other bill",
  [[
  Both loads use an eighth of what they move:

  - broadcast: {u1} of {m1} bytes
  - scattered: {u2} of {m2} bytes

  But the second moves {times} times as much. Utilization tells how *well* bytes are used, sectors how *many* there are. You
  pay for sectors.
  ]],
  u1 = same.bytes_used, m1 = same.bytes_moved, u2 = scattered.bytes_used, m2 = scattered.bytes_moved,
  times = scattered.bytes_moved // same.bytes_moved,
}

-- 4. neighbors -----------------------------------------------------------------

local diff = measure { kernel = "adj_diff_naive" }
local first, second = diff:event(of_warp_1(FIRST)), diff:event(of_warp_1(SECOND))

show(diff, { at = of_warp_1(FIRST), focus = "segments" })
predict {
  title = "A real kernel",
  [[
  `adj_diff_naive` subtracts neighbors: each thread loads `input[i]`, then `input[i - 1]`. You see the first load, of warp 1:
  {sectors} sectors.
  ]],
  sectors = first.sectors,
  ask = "How many sectors does the second load of warp 1 touch?",
  answer = second.sectors, unit = "sectors",
  tips = { "It is the same row, one word earlier." },
  because = "An offset again: the first word comes from the sector before.",
}

-- How many of the sectors of the second load the first one touched too.
local function sectors_in_common()
  local touched, common = {}, {}
  for _, address in pairs(first.addresses) do
    touched[address // 32] = true
  end
  local count = 0
  for _, address in pairs(second.addresses) do
    local sector = address // 32
    count = count + (touched[sector] and not common[sector] and 1 or 0)
    common[sector] = true
  end
  return count
end

show(diff, { at = of_warp_1(SECOND), focus = "segments" })
explain {
  title = "Loaded twice",
  [[
  {lanes} lanes load here, and almost every element is loaded by two threads: as its own, and as a neighbor.

  In requests the two loads cost {s1} + {s2} sectors. {common} of the {s2} were just loaded, so a cache will often have them;
  DRAM sees less than the warp asks for. Lesson L10 loads every element once.
  ]],
  common = sectors_in_common(),
  lanes = second.lanes, s1 = first.sectors, s2 = second.sectors,
}

run { kernel = "adj_diff_naive", at = SECOND, focus = "segments", margin = "sectors per request" }
try {
  title = "Your turn: a shift for free",
  [[
  Can the shifted load cost no more than the other one? Change `n`, and look at the sectors of both lines in the margin.
  ]],
  goal = "Make both load lines touch the same number of sectors, with at least 2 elements.",
  params = { "n" }, solution = { n = 32 },
  tips = { "Thread 0 loads nothing. Which element does the first warp's shifted load start at?",
    "Only the first warp is free of the extra sector." },
  reached = function(r)
    local one = r:line(FIRST.line).global_load_sectors
    local two = r:line(SECOND.line).global_load_sectors
    return r.parameters.n >= 2 and one == two, string.format("n = %d: %d and %d sectors", r.parameters.n, one, two)
  end,
}

explain {
  title = "The first warp is lucky",
  [[
  Lane 0 of warp 0 sits out, since element 0 has no neighbor. What is left of the warp loads elements 0 to 30: that row starts on a
  border, so nothing sticks out. Every later warp reaches back into the sector of the warp before it.
  ]],
}

-- 5. structures ------------------------------------------------------------------

local aos = measure { kernel = "position_aos" }
local soa = measure { kernel = "position_soa" }
local X_AOS, X_SOA = { line = "float x = data[idx].x", kind = "load" }, { line = "float x = data_x[idx]", kind = "load" }
local aos_x, soa_x = aos:event(X_AOS), soa:event(X_SOA)

show(aos, { margin = "active lanes" })      -- sectors in the margin would be the answer
predict {
  title = "An array of structures",
  [[
  A position is `struct { float x, y, z; }`: 12 bytes. Thread `i` loads `data[i].x`, so neighboring lanes are 12 bytes apart.
  ]],
  ask = "How many sectors does the load of `x` touch?",
  answer = aos_x.sectors, unit = "sectors",
  tips = { "How far is it from the first lane's x to the last lane's?", "32 structures are 32 x 12 = 384 bytes." },
  because = "32 structures fill 384 bytes without a gap, and an x lies in each of the {answer} sectors.",
}

show(aos, { at = X_AOS, focus = "segments" })
explain {
  title = "A third",
  [[
  {moved} bytes moved, {used} used: {percent}. Then come `y` and `z`, and each of them touches the same {sectors} sectors again.

  A cache may still hold them the second and third time. The requests are made all the same.
  ]],
  moved = aos_x.bytes_moved, used = aos_x.bytes_used, percent = percent(aos_x.bytes_used, aos_x.bytes_moved),
  sectors = aos_x.sectors,
}

predict {
  title = "A structure of arrays",
  [[
  `position_soa` keeps all x in one array, all y in another, all z in a third. The same {n} positions, the same three loads per thread.
  ]],
  n = soa.parameters.n,
  ask = "How many times fewer sectors do its loads touch in all?",
  answer = aos.counters.global_load_sectors / soa.counters.global_load_sectors, unit = "times", tolerance = 0.01,
  because = "{a} sectors became {b}: each load is a row again, {s} sectors per warp.",
  a = aos.counters.global_load_sectors, b = soa.counters.global_load_sectors, s = soa_x.sectors,
}

show(soa, { at = X_SOA, focus = "segments" })
explain {
  title = "Three times the sectors, not the time",
  [[
  On the lecture's GPU the second layout was 1.5 times as fast at reading, not 3 times: caches caught much of the rest. For
  writing it was 1.9 times.

  The counters here say what the warps *asked* for. What a cache makes of it depends on the machine; asking for less never hurts.
  ]],
}

-- 6. check ------------------------------------------------------------------------

local function loads_of(address)
  local lanes = 0
  for _, at in ipairs { of_warp_1(FIRST), of_warp_1(SECOND) } do
    for _, loaded in pairs(diff:event(at).addresses) do
      lanes = lanes + (loaded == address and 1 or 0)
    end
  end
  return lanes
end

hide()
check {
  draw = 2,
  {
    [[An aligned row of 32 ints is loaded with an offset of 9 words.]],
    ask = "How many bytes are moved?",
    answer = pattern("offset", 9):event(LOAD).bytes_moved, unit = "bytes",
    because = "9 words are one sector and one word: five sectors.",
  },
  {
    [[Neighbor differences: element 40 is in the middle of the second warp.]],
    ask = "How many lanes of that warp load it?",
    answer = loads_of(first.addresses[8]), unit = "lanes",
    because = "Its own thread, and the next one.",
  },
  {
    [[32 lanes load 32 words of 4 bytes, all different.]],
    ask = "What decides what the load costs?",
    options = { "the order of the lanes", "the sectors that the words lie in", "the lines of source it takes" },
    answer = permuted.sectors == aligned.sectors and scattered.sectors > aligned.sectors
      and "the sectors that the words lie in" or "the order of the lanes",
  },
}

recite {
  title = "From memory",
  ask = "What is to be kept of global memory? One line each.",
  [[
  - Memory moves sectors of 32 bytes.
  - A warp pays for the different sectors that its lanes touch.
  - In a row and aligned: 4. Shifted: 5. Scattered: 32. One word for all: 1.
  - Keep apart what is loaded apart: arrays of x, of y, of z.
  ]],
}

finish {
  title = "Global memory: what to keep",
  [[
  - Memory moves sectors of 32 bytes.
  - A warp pays for the different sectors that its lanes touch.
  - In a row and aligned: 4. Shifted: 5. Scattered: 32. One word for all: 1.
  - Keep apart what is loaded apart: arrays of x, of y, of z.

  Try `lanescope stats position_aos`, and look at sectors per request.
  ]],
  next = "L09",
}
