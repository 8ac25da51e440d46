-- L06: how many warps live on an SM at once, and which of four gauges is full?

local DEVICE, THREADS, FULL = "v100", 256, 32   -- the kernel of the first screens
local FILE, SHARED = 65536, 96 * 1024           -- registers and bytes of an SM of a V100
local SCHEDULERS = 4

local function commas(n)
  local text = string.format("%d", n):reverse():gsub("(%d%d%d)", "%1,"):reverse()
  return (text:gsub("^,", ""))
end

local function values(profile, threads, registers, shared, curve)
  return { "occupancy", params = { profile = profile, threads = threads, registers = registers, shared = shared or 0,
                                   curve = curve or "threads" } }
end

-- What an SM holds of a kernel; see shows it, with a curve along what is not asked next.
local function sm(profile, threads, registers, shared)
  return model(values(profile, threads, registers, shared))
end

local function see(profile, threads, registers, shared, curve)
  return picture(values(profile, threads, registers, shared, curve))
end

local function share(held)
  return string.format("%.4g%%", 100 * held.occupancy)
end

recall(2)

-- 1. whole warps, whole blocks ------------------------------------------------------------------

local odd = measure { kernel = "warp_map_40x2", params = { bx = 48, by = 1 } }

predict {
  id = "warps", title = "Warps of a block",
  [[A block of {threads} threads is set up.]], threads = odd.threads,
  ask = "How many warps does it take?", unit = "warps", answer = odd.warps,
  wrong = {
    [1] = "One warp has 32 lanes. Where do the others go?",
    [1.5] = "Half a warp is a warp, with dark lanes.",
    [odd.threads] = "Those are threads.",
  },
  tips = { "{threads} / 32, rounded up." },
  because = "{threads} / 32 is 1.5, and warps are whole: {answer}.",
}

predict {
  id = "whole", title = "Whole blocks",
  [[A block needs 60 KB of shared memory. Its SM has 40 KB left; the others are as full.]],
  ask = "What happens to the block?", kind = "choice",
  options = { "it waits", "it starts with fewer warps", "two SMs share it", "it takes global memory" },
  answer = "it waits",
  wrong = {
    ["it starts with fewer warps"] = "All or nothing: its warps must be able to meet at a barrier.",
    ["two SMs share it"] = "A block never leaves its SM.",
    ["it takes global memory"] = "Nothing replaces shared memory by itself.",
  },
  tips = { "What was said of blocks: may one of them be parted?" },
  because = "A block moves in as a whole or not at all.",
}

-- 2. four gauges --------------------------------------------------------------------------------

local full = see(DEVICE, THREADS, FULL, 0, "shared")
local one_more = sm(DEVICE, THREADS, FULL + 1)

say {
  title = "One variable more",
  [[
  A kernel fits perfectly: blocks of {threads} threads, {registers} registers for each thread. {blocks} blocks live on
  an SM, {warps} of {most} warps.

  Then somebody adds one variable: {next} registers. Guess what that costs, and keep the guess.
  ]],
  threads = THREADS, registers = FULL, next = FULL + 1, blocks = full.blocks, warps = full.warps, most = full.max_warps,
}

explain {
  title = "Four gauges",
  [[
  An SM of a V100 has {warps} warp slots, {blocks} block slots, {file} registers and {kb} KB of shared memory.

  A block moves in if all four have room. It stays *resident* until its last warp ends.

  *Occupancy* is resident warps / {warps}.
  ]],
  warps = full.max_warps, blocks = full.by_blocks, file = commas(FILE), kb = SHARED // 1024,
}

local large = sm(DEVICE, 512, FULL)
predict {
  id = "large", title = "{threads} threads",
  [[Blocks of {threads} threads, still {registers} registers, no shared memory.]], threads = 512, registers = FULL,
  ask = "How many blocks are resident on an SM?", unit = "blocks", answer = large.blocks,
  wrong = {
    [large.by_blocks] = "So many block slots. Another gauge is full before.",
    [full.blocks] = "That was for {half} threads.",
    [large.max_warps] = "Those are warps.",
  },
  half = THREADS,
  tips = { "How many warps has such a block?" },
  because = "{all} warp slots / {each} warps = {answer}.", all = large.max_warps, each = large.warps_per_block,
}

local tiny = sm(DEVICE, 32, FULL)
see(DEVICE, 512, FULL, 0, "shared")
predict {
  id = "tiny", title = "Tiny blocks",
  [[Now each block is a single warp: {threads} threads, {registers} registers each.]], threads = 32, registers = FULL,
  ask = "What is the occupancy, in percent?", unit = "%", answer = 100 * tiny.occupancy,
  wrong = {
    [100] = "{all} blocks would be needed. Which gauge counts blocks?",
    [25] = "With half the block slots, as on Kepler. A V100 has {slots}.",
  },
  all = tiny.max_warps, slots = tiny.by_blocks,
  tips = { "Two gauges matter: slots for warps and slots for blocks." },
  because = "{slots} blocks of one warp, and the block slots are full: {slots} of {all} warps.",
}

local pascal = sm("gtx1080", 32, FULL)
see(DEVICE, 32, FULL, 0, "shared")
explain {
  title = "The row of the book",
  [[
  The warp slots are half empty, yet nobody can move in.

  A textbook's table has {wrong} such blocks on an SM of its Pascal card, all warps there. Its GTX 1080 has {slots}
  block slots as well: {share}.
  ]],
  wrong = pascal.max_warps, slots = pascal.by_blocks, share = share(pascal),
}

try {
  id = "small", title = "Your turn: small blocks",
  [[Left and Right change `threads`, a warp at a time.]],
  goal = "The smallest block, in whole warps, that fills the V100 with {registers} registers.", registers = FULL,
  params = { "threads" }, solution = { threads = 64 },
  tips = { "How many warps must a block have, with {slots} blocks at most?" }, slots = tiny.by_blocks,
  reached = function(held)
    local whole = held.lanes_used == 1
    return whole and held.occupancy == 1 and held.warps_per_block == held.max_warps // held.by_blocks,
      counted(held.blocks, "block") .. ", " .. counted(held.warps, "warp")
  end,
}

-- 3. what is counted: warps, by blocks ----------------------------------------------------------

local strange = sm(DEVICE, odd.threads, FULL)
see(DEVICE, THREADS, FULL, 0, "shared")
predict {
  id = "strange", title = "A strange full house",
  [[Blocks of {threads} threads, {registers} registers.]], threads = odd.threads, registers = FULL,
  ask = "What is the occupancy, in percent?", unit = "%", answer = 100 * strange.occupancy, sure = true,
  wrong = {
    [100 * strange.lanes_used] = "That is the share of lanes at work. Occupancy counts warps.",
    [50] = "How many warps has a block?",
  },
  tips = { "{warps} warps in a block, {slots} block slots." }, warps = strange.warps_per_block,
  slots = strange.by_blocks,
  because = "{blocks} blocks of {warps} warps: all slots taken. But only {used} of the lanes exist.",
  blocks = strange.blocks, used = percent(strange.lanes_used, 1),
}

see(DEVICE, odd.threads, FULL, 0, "shared")
local LAST = { line = "lane[rank] =", kind = "store", warp = 1 }
predict {
  id = "dark", title = "Which lanes?",
  [[Look into warp 1 of such a block: {threads} threads in a row.]], threads = odd.threads,
  ask = "Which of its lanes exist?", kind = "mask", answer = odd:event(LAST).active,
  wrong = {
    [0xffffffff] = "Then both warps would be full.",
    [0xffff0000] = "Lanes are filled from 0.",
  },
  tips = { "Threads 32 to 47 are its own." },
  because = "A quarter of all lanes stay dark, at full occupancy. Read such a number with suspicion.",
  show = { run = odd, at = LAST, focus = "divergence" },
}

-- Blocks of rank + 1 threads that the slots allow, as threads of warp_map_40x2 left them in lane[].
local function told(run, threads)
  return run:output("lane")[threads - 1]
end

local function judged_by(registers)
  return function(run)
    for threads = 1, run.threads, run.threads > 100 and 31 or 1 do
      local held = sm(DEVICE, threads, registers)
      if told(run, threads) ~= held.blocks then
        return false, string.format("%d threads: %d blocks, not %d", threads, held.blocks, told(run, threads))
      end
    end
    return true
  end
end

local BOTH = { { bx = 40, by = 2 }, { bx = 32, by = 32 } }

show(odd, { at = "start" })
modify {
  id = "slots", title = "Let threads count",
  [[
  Thread `rank` is to work out how many blocks of `rank + 1` threads fit: {warps} warp slots, {blocks} block slots.
  Complete it.
  ]],
  warps = full.max_warps, blocks = full.by_blocks,
  kernel = "warp_map_40x2", line = "lane[rank] =", blank = "  lane[rank] = min(64 / ____, 32);",
  fill = "(rank / 32 + 1)",
  accept = { "((rank + 32) / 32)" }, runs = BOTH, result = "any", judged = judged_by(1),
  wrong = {
    ["(rank + 1)"] = "That divides by threads. A slot is for a warp.",
    ["((rank + 1) / 32)"] = "Rounded down: a warp and a half would be one warp, and half of one none.",
  },
  offered = { "32" },
  tips = { "How many warps have `rank + 1` threads, rounded up?" },
  because = "{warps} slots divided by whole warps, and never more than {blocks} blocks.",
}

local sizes = { 96, 256, 768, 1024 }
local fewest = sizes[1]
for _, size in ipairs(sizes) do
  if sm(DEVICE, size, FULL).warps < sm(DEVICE, fewest, FULL).warps then fewest = size end
end

hide()
predict {
  id = "quantum", title = "Handed out in blocks",
  [[A V100 again. All four have whole warps and {registers} registers a thread.]], registers = FULL,
  ask = "Which block size leaves the most warp slots empty?", kind = "choice",
  options = { "96", "256", "768", "1024" }, answer = tostring(fewest),
  wrong = {
    ["96"] = "96 / 32 = 3 warps, and 3 x 21 = 63: one slot is left.",
    ["256"] = "256 / 32 = 8 warps go into 64 without a rest.",
    ["1024"] = "32 warps go in twice.",
  },
  tips = { "{all} slots: what is left over after whole blocks?" }, all = full.max_warps,
  because = "{each} warps go in {blocks} times; {left} slots stay empty.",
  each = sm(DEVICE, fewest, FULL).warps_per_block, blocks = sm(DEVICE, fewest, FULL).blocks,
  left = full.max_warps - sm(DEVICE, fewest, FULL).warps,
}

see(DEVICE, fewest, FULL)
explain {
  title = "Not every multiple of 32",
  [[
  {a} warps with 96 threads, {b} with 192, {c} with 256. Then {d} with 640, {e} with 768, and {f} of {most} again with
  1024.

  A block can be too big: the slots that it leaves are too few for another one.
  ]],
  most = full.max_warps,
  a = sm(DEVICE, 96, FULL).warps, b = sm(DEVICE, 192, FULL).warps, c = sm(DEVICE, 256, FULL).warps,
  d = sm(DEVICE, 640, FULL).warps, e = sm(DEVICE, 768, FULL).warps, f = sm(DEVICE, 1024, FULL).warps,
}

-- 4. registers ----------------------------------------------------------------------------------

see(DEVICE, THREADS, FULL)
predict {
  id = "one-more", title = "One variable more",
  [[
  Each thread has its own *registers*: {threads} x {registers} for a block, and {blocks} blocks use all {file}. Now it
  is {next} for a thread.
  ]],
  threads = THREADS, registers = FULL, blocks = full.blocks, file = commas(FILE), next = FULL + 1,
  ask = "What is the occupancy now, in percent?", unit = "%", answer = 100 * one_more.occupancy, sure = true,
  wrong = {
    [97] = "Blocks do not come in parts.",
    [87.5] = "{seven} blocks are what a lecture says, for one more. Registers come in portions, too.",
    [100] = "Nothing was left over.",
  },
  seven = FILE // (THREADS * (FULL + 1)),
  tips = { "The hardware gives registers to a warp in portions of 256: 256 / 32 = 8 for each lane." },
  because = "{next} counts as 40: {each} registers a block, {now} blocks, {warps} warps. "
    .. "One variable, a quarter of the warps.",
  each = commas(one_more.registers_per_block), now = one_more.blocks, warps = one_more.warps,
}

local function room(registers)
  return sm(DEVICE, THREADS, registers).blocks
end

see(DEVICE, THREADS, FULL + 1, 0, "registers")
explain {
  title = "A staircase",
  [[
  A warp gets its registers in portions of 256, so a thread's go by eights.

  {a} blocks of {threads} threads fit with up to 32 registers, {b} with up to 40, {c} with 48. Then {d} with 64,
  {e} with 80, {f} with 128, and {g} above.
  ]],
  threads = THREADS, a = room(32), b = room(40), c = room(48), d = room(64), e = room(80), f = room(128), g = room(129),
}

see(DEVICE, THREADS, 33)
predict {
  id = "free", title = "33 or 40?",
  [[With {more} registers more than {now} the compiler could save some work.]], more = 40 - 33, now = 33,
  ask = "What do these {more} cost?", kind = "choice",
  options = { "nothing", "one block", "two blocks" },
  answer = ({ [0] = "nothing", "one block", "two blocks" })[room(33) - room(40)],
  wrong = {
    ["one block"] = "Between which two numbers does the stair go down?",
    ["two blocks"] = "That was the step from 32 to 33.",
  },
  because = "{now} pays for 40 already. Near a step one register is dear, elsewhere {more} are free.",
}

local base = { threads = THREADS, registers = 41 }
local changes = {
  ["40 registers"] = { threads = THREADS, registers = 40 }, ["32 registers"] = { threads = THREADS, registers = 32 },
  ["blocks of 128"] = { threads = 128, registers = 41 }, ["blocks of 512"] = { threads = 512, registers = 41 },
}
local helpful = {}
for _, name in ipairs { "40 registers", "blocks of 128", "blocks of 512", "32 registers" } do
  local other = changes[name]
  if sm(DEVICE, other.threads, other.registers).warps > sm(DEVICE, base.threads, base.registers).warps then
    helpful[#helpful + 1] = name
  end
end

hide()
predict {
  id = "helps", title = "What helps?",
  [[Blocks of {threads}, {registers} registers: {warps} of {most} warps.]],
  threads = base.threads, registers = base.registers, warps = sm(DEVICE, base.threads, base.registers).warps,
  most = full.max_warps,
  ask = "Which changes bring more warps?", kind = "several",
  options = { "40 registers", "blocks of 128", "blocks of 512", "32 registers" }, answer = helpful,
  wrong = {
    ["blocks of 128"] = "Twice the blocks, half the warps each: the registers are as full as before.",
    ["blocks of 512"] = "Where one of 512 fits, two of 256 fit, too.",
    ["40 registers"] = "41 is just above a step.",
  },
  tips = { "Which gauge is full? What is its price for one warp?" },
  because = "The registers are full. 41 counts as {rounded} for each warp, in blocks of any size.",
  rounded = rup(41, 8),
}

local old = sm("gt200", THREADS, 22)
predict {
  id = "old", title = "The same in 2008",
  [[
  A GT200 has {file} registers, and gives them to a whole block in portions of 512. Blocks of {threads} threads, 22
  registers.
  ]],
  file = commas(16384), threads = THREADS,
  ask = "How many blocks fit?", unit = "blocks", answer = old.blocks,
  wrong = {
    [3] = "22 x 256 x 3 is 16,896. Count whole blocks.",
    [4] = "So it is with fewer registers.",
  },
  tips = { "22 x 256 = 5,632 registers for each block." },
  because = "{answer} blocks, {share}. A lecture allows 21, divided by another chip's threads; "
    .. "21 gives {less} as well, 20 gives {more}.",
  share = share(old), less = sm("gt200", THREADS, 21).blocks, more = sm("gt200", THREADS, 20).blocks,
}

-- 5. shared memory ------------------------------------------------------------------------------

local shared = measure { kernel = "adj_diff_shared" }
show(shared, { at = "start" })
predict {
  id = "declared", title = "The fourth gauge",
  [[This kernel takes from all four gauges. Three are filled by the size of the block and by the compiler.]],
  ask = "Go to the line that fills the fourth.", kind = "line", answer = "__shared__ int s_data",
  wrong = {
    ["int tx = threadIdx.x"] = "A variable of a thread: that is a register.",
    ["__syncthreads();"] = "A barrier takes no room.",
  },
  tips = { "Which word says that all threads of the block have it together?" },
  because = "An array of the block: its bytes are counted once for each block, not for each thread.",
}

local function held(bytes, profile)
  return sm(profile or DEVICE, THREADS, FULL, bytes).blocks
end

local largest = 1
while held(4 * (largest + 1)) == full.blocks do largest = largest + 1 end

hide()
predict {
  id = "pool", title = "As large as possible",
  [[`__shared__ float pool[____];` in a kernel with blocks of {threads}, {registers} registers, on a V100 with {kb} KB
  for an SM.]],
  threads = THREADS, registers = FULL, kb = SHARED // 1024,
  ask = "The most floats with which all {blocks} blocks still fit?", blocks = full.blocks, unit = "floats",
  answer = largest,
  wrong = {
    [4 * largest] = "Those are bytes. A float has 4.",
    [SHARED // 4] = "All {kb} KB belong to {blocks} blocks.",
    [2048] = "That fits, with room left.",
  },
  tips = { "What is the share of one block, in bytes?" },
  because = "{kb} KB / {blocks} / 4 = {answer}. With one more it is {less} blocks.", less = held(4 * (largest + 1)),
}

see(DEVICE, THREADS, FULL, 4 * largest, "shared")
explain {
  title = "Bytes of a block",
  [[
  Portions are 256 bytes here. {a} blocks of {threads} threads fit with 12 KB, {b} with one byte more, {c} with
  16 KB, {d} with 33 KB.

  With more than half of the memory a block is alone. On an H200 each block pays 1 KB on top: {f} blocks up to
  {most} bytes.
  ]],
  threads = THREADS, a = held(12 * 1024), b = held(12 * 1024 + 1), c = held(16 * 1024), d = held(33 * 1024),
  f = held(28160, "h200"), most = held(28161, "h200") < held(28160, "h200") and commas(28160) or "?",
}

-- 6. choices ------------------------------------------------------------------------------------

local squares = { ["8 x 8"] = 64, ["16 x 16"] = 256, ["32 x 32"] = 1024 }
local best = "8 x 8"
for name, threads in pairs(squares) do
  if sm("g80", threads, 10).occupancy > sm("g80", squares[best], 10).occupancy then best = name end
end

hide()
predict {
  id = "squares", title = "8 x 8, 16 x 16, 32 x 32",
  [[
  A lecture of 2008 asks for the best block. A G80: {warps} warps, {slots} blocks, 512 threads a block; 10 registers.
  ]],
  warps = sm("g80", 64, 10).max_warps, slots = sm("g80", 64, 10).by_blocks,
  ask = "Which fills an SM?", kind = "choice", options = { "8 x 8", "16 x 16", "32 x 32" }, answer = best,
  wrong = {
    ["8 x 8"] = "{slots} blocks of 2 warps: {small}.",
    ["32 x 32"] = "1024 threads: no such block starts there.",
  },
  small = share(sm("g80", 64, 10)),
  tips = { "Warps of a block, times blocks." },
  because = "{blocks} blocks of 8 warps. On an H200, with 32 registers, all three sizes give {now}.",
  blocks = sm("g80", 256, 10).blocks,
  now = share(sm("h200", 64, 32)),
}

predict {
  id = "none", title = "A big block",
  [[A V100 again: blocks of 1024 threads, 65 registers each.]],
  ask = "What happens at the launch?", kind = "choice",
  options = { "one block at a time", "registers go to memory", "it fails" },
  answer = sm(DEVICE, 1024, 65).blocks == 0 and "it fails" or "one block at a time",
  wrong = {
    ["one block at a time"] = "That is so with 64.",
    ["registers go to memory"] = "The compiler decides that, long before. It was not told the block size.",
  },
  tips = { "65 counts as {rounded}. How many is that for 32 warps?" }, rounded = rup(65, 8),
  because = "{need} registers, and an SM has {file}. No block ever fits, so the launch is an error.",
  need = commas(sm(DEVICE, 1024, 65).registers_per_block), file = commas(FILE),
}

local study, packed = see("k20x", 512, 48), sm("k20x", 256, 48)
try {
  id = "study", title = "A case of 2012",
  [[
  On this Kepler registers allow {most} warps. With blocks of {threads} there are {warps}. A lecture halved the block,
  and measured {speed} times the speed.
  ]],
  most = SCHEDULERS * (FILE // SCHEDULERS // (48 * 32)), threads = 512, warps = study.warps, speed = 1.28,
  goal = "{more} warps, without touching a register.", more = packed.warps,
  params = { "threads" }, solution = { threads = 256 },
  tips = { "Two halves fit wherever the whole did, and one fits into a smaller gap." },
  reached = function(now)
    return now.warps >= packed.warps, counted(now.warps, "warp")
  end,
}

local POOL = FILE // SCHEDULERS
show(odd, { at = "start" })
make {
  id = "calculator", title = "The calculator",
  [[
  Thread `rank`: how many blocks of `rank + 1` threads fit on a V100, with 40 registers?

  Each of {schedulers} schedulers has {pool} registers for its own warps. And mind the slots.
  ]],
  schedulers = SCHEDULERS, pool = commas(POOL),
  kernel = "warp_map_40x2", from = "warp[rank] =", to = "lane[rank] =",
  starter = [[
  int w = rank / 32 + 1;
  warp[rank] = w;
  lane[rank] = min(64 / w, 32);]],
  solution = [[
  int w = rank / 32 + 1;
  warp[rank] = 16384 / (40 * 32) * 4 / w;
  lane[rank] = min(min(64 / w, 32), warp[rank]);]],
  others = {
    { "one pool", [[
  int w = rank / 32 + 1;
  warp[rank] = 65536 / (40 * 32 * w);
  lane[rank] = min(min(64 / w, 32), warp[rank]);]],
      says = "At 320 threads one pool would hold 5 blocks; four have room for 48 warps, 4 blocks." },
    { "no block slots", [[
  int w = rank / 32 + 1;
  warp[rank] = 16384 / (40 * 32) * 4 / w;
  lane[rank] = min(64 / w, warp[rank]);]], says = "How many blocks of one warp?" },
    { "threads", [[
  warp[rank] = 65536 / (40 * (rank + 1));
  lane[rank] = min(min(64 / (rank / 32 + 1), 32), warp[rank]);]],
      says = "Registers are given to warps, not to threads." },
  },
  runs = BOTH, result = "any", judged = judged_by(40),
  tips = { "How many warps of 40 x 32 registers fit into one scheduler's {pool}?",
           "Four times that, divided by the warps of a block." },
  because = "The least of three. That is all of `lanescope occupancy`, but for shared memory.",
}

-- 7. what it is for -----------------------------------------------------------------------------

hide()
predict {
  id = "life", title = "The life of a block",
  [[Put it in order. One line belongs nowhere.]],
  kind = "order", ask = "In which order?",
  lines = { "all four gauges have room", "its registers are set aside", "its warps issue instructions",
            "its last warp ends", "another block takes its place" },
  spare = { "half of its warps change the SM" },
  wrong = { ["half of its warps change the SM"] = "What moved in stays until the end." },
  tips = { "What is reserved, and when is it given back?" },
  because = "A warp that ends early frees nothing: the room belongs to the block.",
}

-- nvcc 13 for compute capability 8.0, -Xptxas -v, a kernel with 32 running values: registers and bytes of spill stores.
local bought = { { registers = 118, spill = 0 }, { registers = 63, spill = 232 }, { registers = 40, spill = 440 },
                 { registers = 32, spill = 612 } }
for _, version in ipairs(bought) do
  version.held = sm("a100", THREADS, version.registers)
end

explain {
  title = "Buying occupancy",
  [[
  `__launch_bounds__(256, 8)` before a kernel asks the compiler for 8 blocks. What finds no register is a *spill*,
  into memory.

  One kernel on an A100:

  - {r1} registers: {o1}
  - {r2}, {s2} bytes spilled: {o2}
  - {r3}, {s3} bytes spilled: {o3}
  - {r4}, {s4} bytes spilled: {o4}
  ]],
  r1 = bought[1].registers, o1 = share(bought[1].held),
  r2 = bought[2].registers, s2 = bought[2].spill, o2 = share(bought[2].held),
  r3 = bought[3].registers, s3 = bought[3].spill, o3 = share(bought[3].held),
  r4 = bought[4].registers, s4 = bought[4].spill, o4 = share(bought[4].held),
}

predict {
  id = "goal", title = "Is full the goal?",
  [[Four versions of one kernel: {o1}, {o2}, {o3} and {o4}; the last spills {s4} bytes a thread.]],
  o1 = share(bought[1].held), o2 = share(bought[2].held), o3 = share(bought[3].held), o4 = share(bought[4].held),
  s4 = bought[4].spill,
  ask = "Which is the fastest?", kind = "choice", sure = true,
  options = { "the fullest", "the emptiest", "one between", "this does not tell" }, answer = "this does not tell",
  wrong = {
    ["the fullest"] = "And what goes to memory and back for it?",
    ["one between"] = "A middle is no argument. What was measured here?",
  },
  tips = { "Does any of these numbers have a time in it?" },
  because = "Occupancy is what may hide waiting. Whether there is any, and how much is enough, is the next lesson.",
}

-- 8. to keep ------------------------------------------------------------------------------------

rubric {
  id = "define", title = "Say it",
  ask = "What is occupancy, what limits it, and why is 100% not the aim?",
  model = [[Warps resident on an SM, divided by the most it can hold. Whole blocks move in while warp slots, block
slots, registers and shared memory have room; the tightest decides. It is room to hide waiting, no measure of
speed: spills can cost more than further warps bring, and few busy warps can be enough.]],
  points = { "warps, not threads or cores", "of one SM", "three limits or more", "whole blocks",
             "it does not measure speed" },
}

check { draw = 5 }

recite {
  title = "From memory", ask = "What is to be kept of occupancy? One line each.",
  [[
  - Four gauges: warps, blocks, registers, shared memory.
  - Whole blocks; the tightest gauge counts.
  - Registers go by warp and by eights.
  - Near a step small things are dear, elsewhere free.
  - It counts warps: dark lanes count, too.
  - It is room, not speed.
  ]],
}

finish {
  title = "Occupancy: what to keep",
  [[
  Find the gauge that is full; only there does a change matter. Then ask whether more warps are needed at all.

  Next: how much room is enough.
  ]],
  next = "L07",
}
