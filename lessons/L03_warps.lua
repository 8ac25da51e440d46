-- L03: threads are written one by one and run 32 at a time.

local RANK = { line = "int rank = ty * blockDim.x + tx", warp = 2 }
local STORE_WARP = "warp[rank] = rank / 32"
local DO_A, DO_B = "value = value * 3 + 1", "value = value * 5 + 2"

local function block_of(bx, by)
  return measure { kernel = "warp_map_40x2", params = { bx = bx, by = by or 1 } }
end

local function branches(params)
  return measure { kernel = "diverge_if_else", params = params }
end

-- Instructions that warps spent in the two arms.
local function arms(r)
  return r:line(DO_A).warp_instructions + r:line(DO_B).warp_instructions
end

-- 1. from threads to warps ------------------------------------------------------

local map = measure { kernel = "warp_map_40x2" }
local reserved = 32 * map.warps

local one_warp = block_of(32)

show(one_warp, { at = "end", focus = "geometry" })
say {
  title = "You write one, it runs 32",
  [[
  A kernel reads as if it were about one thread. The machine never runs one thread: it takes 32 of them, a *warp*, and
  executes one instruction for all 32 at once. A thread's place in its warp is its *lane*.

  That is what SIMT means: single instruction, multiple threads. In this lesson you see how threads become lanes, and what
  a lane can and cannot do alone.
  ]],
}

predict {
  title = "Cutting a block",
  [[
  The kernel beside this text asks which warp and lane a thread is in. You see it with 32 threads. Now we give it a block of
  40 x 2 threads.
  ]],
  ask = "How many warps are set up for it?",
  answer = map.warps, unit = "warps",
  tips = { "How many threads are there?", "{threads} threads, 32 to a warp. The last one need not be full." },
  threads = map.threads,
  because = "{threads} threads are 32 + 32 + 16. A warp with 16 threads is still a warp.",
}

show(map, { focus = "geometry" })

local lanes, warps = map:output("lane"), map:output("warp")
local row_0, row_1 = 0, 0      -- threads of warp 1 in the first row, and in the second
for rank = 0, map.threads - 1 do
  row_0 = row_0 + (warps[rank] == 1 and rank < 40 and 1 or 0)
  row_1 = row_1 + (warps[rank] == 1 and rank >= 40 and 1 or 0)
end

explain {
  title = "Row after row",
  [[
  The geometry pane shows the block. Threads are numbered row by row, x first:

    rank = y * 40 + x

  Then the numbers are cut into pieces of 32. A warp does not care where a row ends: warp 1 holds the last {row_0} threads of
  the first row, and the first {row_1} of the second.
  ]],
  row_0 = row_0, row_1 = row_1,
}

predict {
  title = "Where does it land?",
  [[Take the first thread of the second row: x = 0, y = 1.]],
  ask = "Which lane of its warp is it?",
  answer = lanes[40], unit = "",
  tips = { "What is its rank?", "rank 40 = 32 + ..." },
  because = "Its rank is 40: lane {answer} of warp {w}. `threadIdx.x % 32` would say 0; that shortcut is for blocks with one row.",
  w = warps[40],
}

local last = map:event(RANK)

predict {
  title = "The half-empty warp",
  [[Warp 2 has only threads 64 to 79. Its other lanes never exist.]],
  ask = "Which lanes of warp 2 are there? Type them like 3-7, or as a mask.",
  kind = "mask", answer = last.mask,
  tips = { "Threads 64 to 79 are how many, and from which lane on?" },
  because = "16 threads, from lane 0 on. Bit i of the mask stands for lane i.",
}

show(map, { at = RANK, focus = "geometry", warp = 2 })
explain {
  title = "Paid for, not used",
  [[
  The machine reserves 3 x 32 = {reserved} lanes for {threads} threads (one slide of the lecture says 92); {idle} of them stay
  dark to the end.

  Registers and issue slots are handed out by the warp, so dark lanes cost what lit ones cost. Here {percent} of the lanes can
  work at most. That is why block sizes are multiples of 32.
  ]],
  reserved = reserved, threads = map.threads, idle = reserved - map.threads, percent = percent(map.threads, reserved),
}

local stores = map:line(STORE_WARP).global_store_requests

predict {
  title = "Counting instructions",
  [[
  The line `{line}` stores one number per thread, {threads} in all. The machine counts a store each time a *warp* executes it.
  ]],
  line = STORE_WARP, threads = map.threads,
  ask = "How many stores does it count for this line?",
  answer = stores, unit = "stores",
  tips = { "Who executes an instruction: a thread, or a warp?" },
  because = "One for each warp, also for the one with {lanes} lanes.",
  lanes = last.lanes,
}

run { kernel = "warp_map_40x2", at = { line = STORE_WARP, kind = "store" }, focus = "segments" }
explain {
  title = "In step",
  [[
  Go back and forth with the arrow keys. Every step is one instruction of one warp; all its lit lanes do it together, each
  with its own values. The variables show that: one name, 32 values.

  In this run {warp_instructions} warp instructions did the work of {thread_instructions} thread instructions.
  ]],
  warp_instructions = map.counters.warp_instructions, thread_instructions = map.counters.thread_instructions,
}

try {
  title = "Your turn: no dark lanes",
  [[Choose another block with `p`. The geometry pane shows how it folds.]],
  goal = "Find a block with two rows or more and no dark lane, whose rows are not multiples of 32.",
  params = { "bx", "by" }, solution = { bx = 48, by = 2 },
  tips = { "bx x by must be a multiple of 32. bx alone must not.", "Two rows of 48, or four of 24." },
  reached = function(r)
    local bx, by = r.parameters.bx, r.parameters.by
    local dark = 32 * r.warps - r.threads
    return dark == 0 and by >= 2 and bx % 32 ~= 0,
      string.format("%d x %d: %d warps, %d dark lanes", bx, by, r.warps, dark)
  end,
}

-- 2. masks ----------------------------------------------------------------------

local half = branches { period = 32, k = 16, threads = 32 }
local in_a, in_b = half:event { line = DO_A }, half:event { line = DO_B }

show(half, { focus = "divergence" })
say {
  title = "One instruction, and an if",
  [[
  All lanes of a warp execute the same instruction. But what if your code says `if (foo) ... else ...`, and foo is true for some lanes only?

  The warp cannot do both at once. It goes one way with the lanes that want it, while the others are *masked off*; then it
  goes the other way with the rest.
  ]],
}

predict {
  title = "Who works in do_A?",
  [[In this run `foo` is `tid % 32 < 16`, in one warp.]],
  ask = "Which lanes are active in do_A?",
  kind = "mask", answer = in_a.mask,
  because = "The first half of the warp. The other 16 lanes wait for their turn.",
}

show(half, { at = { line = DO_A }, focus = "divergence" })
explain {
  title = "Half a warp",
  [[
  {a} lanes are lit, {off} are masked off. Step on: when the loop of do_A is over, the picture turns around and lanes {b} take do_B.

  After the if the warp is whole again. That is called *reconvergence*.
  ]],
  a = in_a.lanes, off = 32 - in_a.lanes, b = in_b.mask == 0xffff0000 and "16-31" or mask(in_b.mask),
}

local uniform = branches { period = 32, k = 32, threads = 32 }

predict {
  title = "The bill",
  [[Both arms are equally long. Compare this warp with one in which *all* 32 lanes take do_A.]],
  ask = "How many times as many instructions does the divided warp spend in the arms?",
  answer = arms(half) / arms(uniform), unit = "times", tolerance = 0.01,
  tips = { "Does do_B start before do_A has ended?" },
  because = "{a} instructions against {b}: the time of a warp is the *sum* of the ways its lanes take, not the longest.",
  a = arms(half), b = arms(uniform),
}

local parity = branches { period = 2, k = 1, threads = 32 }

predict {
  title = "Odd and even",
  [[Again half of the lanes take do_A, but now every other one: `tid % 2 < 1`.]],
  ask = "In the arms, the warp spends",
  options = { "less than before", "as much as before", "more than before" },
  answer = arms(parity) == arms(half) and "as much as before"
    or arms(parity) < arms(half) and "less than before" or "more than before",
  because = "{n} instructions, as before. It matters whether there are lanes on both sides, not which ones.",
  n = arms(parity),
}

show(branches { period = 2, k = 1, threads = 64 }, { at = { line = DO_A }, focus = "divergence" })
try {
  title = "Your turn: divide, but not the warp",
  [[
  Two warps, 64 threads. Each thread takes do_A if `tid % period < k`. Now both warps diverge. Change `period` and `k`.
  ]],
  goal = "32 of the 64 threads take do_A, 32 take do_B, and no branch on foo diverges.",
  params = { "period", "k" }, solution = { period = 64, k = 32 },
  tips = { "What would each warp have to do, for nobody in it to disagree?", "One warp takes do_A, the other do_B." },
  reached = function(r)
    local p = r.parameters
    local in_do_a = 0
    for tid = 0, r.threads - 1 do
      in_do_a = in_do_a + (tid % p.period < p.k and 1 or 0)
    end
    local divided = r:line("if (foo)").divergent_branches
    return in_do_a == 32 and divided == 0, string.format("%d threads take do_A, %d warps diverge", in_do_a, divided)
  end,
}

local by_warps = branches { period = 64, k = 32, threads = 64 }
local mixed = branches { period = 2, k = 1, threads = 64 }

show(by_warps, { at = { line = DO_A }, focus = "divergence" })
explain {
  title = "Warps may differ",
  [[
  Different *warps* go different ways for free; each has a life of its own. With `tid % 64 < 32` the arms take {a}
  instructions, with `tid % 2 < 1` they take {b}, and both times 32 threads do A and 32 do B.

  A condition on `tid / 32` never divides a warp.
  ]],
  a = arms(by_warps), b = arms(mixed),
}

-- 3. what a lane has of its own -----------------------------------------------------

local its = measure { kernel = "diverge_if_else", params = { period = 2, k = 1, threads = 32 }, sched = "its" }
local stack = measure { kernel = "diverge_if_else", params = { period = 2, k = 1, threads = 32 }, sched = "stack" }

predict {
  title = "A program counter each",
  [[
  Up to Pascal a warp had one program counter and a stack of masks. Since Volta every lane has a program counter of its own.
  ]],
  ask = "Does that make the divided warp's arms cheaper?",
  options = { "yes, both arms run at once", "no, the same instructions are issued" },
  answer = arms(its) == arms(stack) and "no, the same instructions are issued" or "yes, both arms run at once",
  because = "{a} with the old scheme, {b} with the new: still one instruction at a time. New is that every lane is sure to get on.",
  a = arms(stack), b = arms(its),
}

local sum = measure { kernel = "warp_reduce" }
local total, agreeing = sum:output("out")[0], 0
for lane = 0, 31 do
  agreeing = agreeing + (sum:output("out")[lane] == total and 1 or 0)
end

show(sum, { at = { kind = "shuffle" }, focus = "shuffle" })
explain {
  title = "Lanes can talk",
  [[
  Where lanes of a warp meet, they can read each other's registers. Here each lane adds the value of a partner, five times.

  At the end {agreeing} lanes hold the sum of all, {total}, and no memory was used on the way. The first argument of the shuffle
  is a mask: it names the lanes that must take part. More of this in L15.
  ]],
  agreeing = agreeing, total = total,
}

-- 4. check ---------------------------------------------------------------------------

local b48, b256 = block_of(48), block_of(256)

check {
  {
    [[A block of 48 threads.]],
    ask = "What part of its lanes stays dark, in percent?",
    answer = 100 * (32 * b48.warps - b48.threads) / (32 * b48.warps), unit = "%", tolerance = 0.5,
    tips = { "How many lanes are reserved?" },
    because = "Two warps are 64 lanes, 16 of them dark.",
  },
  {
    [[Three blocks of 256 threads are on a multiprocessor.]],
    ask = "How many warps is that?",
    answer = 3 * b256.warps, unit = "warps",
    because = "{w} per block. A warp never spans two blocks.",
    w = b256.warps,
  },
  {
    [[A warp, and `if (tid % 32 < 5)`.]],
    ask = "Which lanes are active inside?",
    kind = "mask", answer = branches({ period = 32, k = 5, threads = 32 }):event({ line = DO_A }).mask,
  },
  {
    [[One-dimensional blocks of 64 threads.]],
    ask = "Which condition divides no warp?",
    options = { "threadIdx.x % 2 == 0", "threadIdx.x / 32 == 0", "threadIdx.x < 40" },
    answer = by_warps:line("if (foo)").divergent_branches == 0 and mixed:line("if (foo)").divergent_branches > 0
      and "threadIdx.x / 32 == 0" or "threadIdx.x % 2 == 0",
    because = "It is the same for all lanes of a warp. `threadIdx.x < 40` splits the second one after 8 lanes.",
  },
}

finish {
  title = "Warps: what to keep",
  [[
  - A block is cut into warps of 32 by rank, x first.
  - The last warp may be partly dark, and costs as much as a full one.
  - One instruction at a time for all active lanes.
  - If lanes disagree, the warp goes both ways, one after the other.
  - Warps are free to differ.

  Next: L04, where branches nest.
  ]],
}
