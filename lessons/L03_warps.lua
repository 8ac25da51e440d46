-- L03: threads are written one by one and run 32 at a time.

local RANK = { line = "int rank = ty * blockDim.x + tx", warp = 2 }
local STORE_WARP = "warp[rank] = rank / 32"
local DO_A, DO_B = "value = value * 3 + 1", "value = value * 5 + 2"

local function votes(params)
  return measure { kernel = "vote_match", params = params }
end

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
local idle = reserved - map.threads

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
  The kernel that you see asks which warp and lane a thread is in, here with 32 threads. Now we give it a block of 40 x 2
  threads.
  ]],
  ask = "How many warps are set up for it?",
  answer = map.warps, unit = "warps",
  tips = { "How many threads are there?", "{threads} threads, 32 to a warp. The last one need not be full." },
  threads = map.threads,
  because = "{threads} threads are 32 + 32 + {rest}. A warp with {rest} threads is still a warp.",
  rest = map.threads % 32,
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
  ask = "Which lanes of warp 2 are there? Type them like `3-7`, or as a mask.",
  kind = "mask", answer = last.mask,
  tips = { "Threads 64 to 79 are how many, and from which lane on?" },
  because = "{lanes} threads, from lane 0 on. Bit i of the mask stands for lane i.",
  lanes = last.lanes,
}

predict {
  title = "A slip on a slide",
  [[
  The slide with this block says: {threads} threads, {warps} warps, {slip} hardware threads, {idle} of them idle. One of the
  numbers does not fit the others.
  ]],
  threads = map.threads, warps = map.warps, idle = idle, slip = 92,
  ask = "How many lanes do the {warps} warps really have?",
  answer = reserved, unit = "lanes",
  tips = { "Warps are full size, whether their lanes are used or not." },
  because = "{warps} x 32 = {answer}, and {answer} - {threads} = {idle}: the {slip} was the slip.",
}

show(map, { at = { line = STORE_WARP, kind = "store", warp = 2 }, focus = "geometry" })
explain {
  title = "Paid for, not used",
  [[
  This is warp 2 at work: {idle} of its lanes stay dark to the end.

  Registers and issue slots are handed out by the warp, so dark lanes cost what lit ones cost. Of the block's {reserved} lanes
  {percent} can work at most. That is why block sizes are multiples of 32.
  ]],
  reserved = reserved, idle = idle, percent = percent(map.threads, reserved),
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

focus { focus = "geometry" }
try {
  title = "Your turn: no dark lanes",
  [[Choose another block, and see how it folds.]],
  goal = "Find a block with two rows or more and no dark lane, whose rows are not multiples of 32.",
  params = { "bx", "by" }, solution = { bx = 48, by = 2 },
  tips = { "bx x by must be a multiple of 32. bx alone must not.", "Two rows of one and a half warps would do." },
  reached = function(r)
    local bx, by = r.parameters.bx, r.parameters.by
    local dark = 32 * r.warps - r.threads
    return dark == 0 and by >= 2 and bx % 32 ~= 0,
      string.format("%d x %d: %s, %s", bx, by, counted(r.warps, "warp"), counted(dark, "dark lane"))
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
  because = "The first half of the warp. The other {off} lanes wait for their turn.",
  off = 32 - in_a.lanes,
}

show(half, { at = { line = DO_A }, focus = "divergence" })
explain {
  title = "Half a warp",
  [[
  {a} lanes are lit, {off} are masked off. Step on: when the loop of do_A is over, the picture turns around and lanes {b} take do_B.

  After the if the warp is whole again. That is called *reconvergence*.
  ]],
  a = in_a.lanes, off = 32 - in_a.lanes, b = lanes_of(in_b.mask),
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
    return in_do_a == 32 and divided == 0, string.format("do_A: %s, divided: %s", counted(in_do_a, "thread"), counted(divided, "warp"))
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

show(its, { at = { line = DO_A }, focus = "divergence" })
predict {
  title = "A program counter each",
  [[
  Up to Pascal a warp had one program counter and a stack of masks. Since Volta every lane has a program counter of its own.
  ]],
  ask = "Does that make the divided warp's arms cheaper?",
  options = { "yes, both arms run at once", "no, the same instructions are issued" },
  answer = arms(its) == arms(stack) and "no, the same instructions are issued" or "yes, both arms run at once",
  because = "{a} with the old scheme, {b} with the new: still one instruction at a time. What is new: every lane is sure to make progress.",
  a = arms(stack), b = arms(its),
}

local voted = votes { period = 8, k = 3 }
local ballot = voted:event { kind = "vote", nth = 3 }      -- after any and all
local yes = voted:output("ballot")[0]
local same_for_all = true
for lane = 0, 31 do
  same_for_all = same_for_all and voted:output("ballot")[lane] == yes
end

show(voted, { margin = "executions" })       -- active lanes in the margin would be the answer
predict {
  title = "A vote",
  [[
  A lane can ask what the others think. `__ballot_sync(warp, foo)` collects a bit from every lane: bit i is lane i's `foo`. Here `foo`
  is `laneId % 8 < 3`.
  ]],
  ask = "For which lanes is the bit set?",
  kind = "mask", answer = yes,
  tips = { "The pattern repeats every 8 lanes, so it is the same byte four times.", "The lowest three bits of a byte are 0x07." },
  because = "Three lanes of every eight. {who} lanes get this answer, also those that voted no.",
  who = same_for_all and "All" or "Some",
}

show(voted, { at = { kind = "vote", nth = 3 }, focus = "shuffle", margin = "executions" })
explain {
  title = "One answer for all",
  [[
  {members} lanes vote, {count} of them yes. The whole warp gets one and the same result:

  - `__any_sync`: is it true for some lane? {any}
  - `__all_sync`: for all of them? {all}
  - `__ballot_sync`: for which?

  The first argument names the lanes that must take part; those that come early wait.
  ]],
  members = popcount(ballot.members), count = popcount(yes),
  any = voted:output("any")[0] ~= 0 and "Yes." or "No.", all = voted:output("all")[0] ~= 0 and "Yes." or "No.",
}

local inside = voted:output("inside")[0]

predict {
  title = "Who is here?",
  [[
  `__activemask()` asks something else: which lanes execute this instruction, now? Line {line} does so behind `if (foo)`.
  ]],
  line = voted:where("here = __activemask()"),
  ask = "How many bits of its result are set?",
  answer = popcount(inside), unit = "bits",
  tips = { "How many of the 32 lanes go into the if?" },
  because = "The {answer} lanes whose foo is true: {lanes}.",
  lanes = lanes_of(inside),
}

show(voted, { at = { line = "here = __activemask()" }, focus = "divergence" })
explain {
  title = "Ask before you part",
  [[
  `__activemask` waits for nobody. Lanes with a program counter each need not arrive together, so it may miss some that are still
  on their way.

  To know who goes into an if, vote *before* it: `unsigned in = __ballot_sync(warp, foo)`, and use `in` as the mask inside.
  ]],
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

  At the end {agreeing} lanes hold the sum of all, {total}, and no memory was used on the way. More of this in L15.
  ]],
  agreeing = agreeing, total = total,
}

-- 4. check ---------------------------------------------------------------------------

hide()
check { draw = 5 }

recite {
  title = "From memory",
  ask = "What is to be kept of warps? One line each.",
  [[
  - A block is cut into warps of 32 by rank, x first.
  - The last warp may be partly dark, and costs as much as a full one.
  - One instruction at a time for all active lanes.
  - If lanes disagree, the warp goes both ways, one after the other.
  - Warps are free to differ.
  - Lanes that meet can vote and exchange values.
  ]],
}

finish {
  title = "Warps: what to keep",
  [[
  - A block is cut into warps of 32 by rank, x first.
  - The last warp may be partly dark, and costs as much as a full one.
  - One instruction at a time for all active lanes.
  - If lanes disagree, the warp goes both ways, one after the other.
  - Warps are free to differ.
  - Lanes that meet can vote and exchange values.
  ]],
  next = "L04",
}
