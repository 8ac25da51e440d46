-- L03: threads are written one by one and run 32 at a time.

local RANK = { line = "int rank = ty * blockDim.x + tx", warp = 2 }
local STORE_WARP = "warp[rank] = rank / 32"
local DO_A, DO_B = "value = value * 3 + 1", "value = value * 5 + 2"
local OUT = "out[id] = value"
local WARP = 32   -- lanes

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

recall(2)

-- 1. from threads to warps ------------------------------------------------------

local map = measure { kernel = "warp_map_40x2" }
local reserved = WARP * map.warps
local idle = reserved - map.threads

local one_warp = block_of(32)

show(one_warp, { at = "end", focus = "geometry" })
say {
  title = "You write one, it runs 32",
  [[
  A kernel reads as if it were about one thread. The machine never runs one thread: it takes 32 of them, a *warp*, and
  executes one instruction for all 32 at once. A thread's place in its warp is its *lane*.

  That is what SIMT means: single instruction, multiple threads. In this lesson you see how threads become lanes, and
  what a lane can and cannot do alone.
  ]],
}

predict {
  id = "cut", title = "Cutting a block",
  [[
  The kernel that you see asks which warp and lane a thread is in, here with 32 threads. Now we give it a block of 40
  x 2 threads.
  ]],
  ask = "How many warps are set up for it?",
  answer = map.warps, unit = "warps",
  wrong = {
    [2] = "{threads} / 32 is 2.5. Half a warp is a warp, too.",
    [2.5] = "Half a warp is a warp, with lanes that stay dark.",
    [4] = "Two for each row? Rows do not matter: threads are numbered on.",
    [map.threads] = "That is threads. A warp has 32 of them.",
  },
  tips = { "How many threads are there?", "{threads} threads, 32 to a warp. The last one need not be full." },
  threads = map.threads,
  because = "{threads} threads are 32 + 32 + {rest}. A warp with {rest} threads is still a warp.",
  rest = map.threads % WARP,
  show = { run = map, focus = "geometry" },
}

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

  Then the numbers are cut into pieces of 32. A warp does not care where a row ends: warp 1 holds the last {row_0}
  threads of the first row, and the first {row_1} of the second.
  ]],
  row_0 = row_0, row_1 = row_1,
}

local printed, misplaced = measure({ kernel = "warp_map_40x2", form = "lecture" }):output("lane"), 0
for rank = 0, map.threads - 1 do
  misplaced = misplaced + (printed[rank] ~= lanes[rank] and 1 or 0)
end

predict {
  id = "second-row", title = "Where does it land?",
  [[Take the first thread of the second row: x = 0, y = 1.]],
  ask = "Which lane of its warp is it?",
  answer = lanes[40], unit = "",
  wrong = {
    [0] = "`threadIdx.x % 32` would say so. It forgets the row before.",
    [40] = "That is its rank. The last lane is lane 31.",
    [1] = "A row is 40 threads long, not one.",
  },
  tips = { "What is its rank?", "rank 40 = 32 + ..." },
  because = "Its rank is 40: lane {answer} of warp {w}. Two lectures print `threadIdx.x % 32`. Here that is wrong for "
    .. "{misplaced} of the {threads} threads.",
  w = warps[40], misplaced = misplaced, threads = map.threads,
}

local last = map:event(RANK)

predict {
  id = "half-empty", title = "The half-empty warp",
  [[Warp 2 has only threads 64 to 79. Its other lanes never exist.]],
  ask = "Which lanes of warp 2 are there? Type them like `3-7`, or as a mask.",
  kind = "mask", answer = last.mask,
  wrong = {
    [0xffffffff] = "Then it would have 32 threads.",
    [0xffff0000] = "Lanes are filled from 0.",
    [0x0001ffff] = "Threads 64 to 79: count them.",
  },
  tips = { "Threads 64 to 79 are how many, and from which lane on?" },
  because = "{lanes} threads, from lane 0 on. Bit i of the mask stands for lane i.",
  lanes = last.lanes,
  show = { run = map, at = { line = STORE_WARP, kind = "store", warp = 2 }, focus = "geometry" },
}

predict {
  id = "slip", title = "A slip on a slide",
  [[
  The slide with this block says: {threads} threads, {warps} warps, {slip} hardware threads, {idle} of them idle. One of the
  numbers does not fit the others.
  ]],
  threads = map.threads, warps = map.warps, idle = idle, slip = 92,
  ask = "How many lanes do the {warps} warps really have?",
  answer = reserved, unit = "lanes",
  wrong = {
    [92] = "92 - 80 = 12. But {idle} are idle.",
    [map.threads] = "Those are the threads. Dark lanes are lanes.",
  },
  tips = { "Warps are full size, whether their lanes are used or not." },
  because = "{warps} x 32 = {answer}, and {answer} - {threads} = {idle}: the {slip} was the slip.",
}

explain {
  title = "Paid for, not used",
  [[
  This is warp 2 at work: {idle} of its lanes stay dark to the end.

  Registers and issue slots are handed out by the warp, so dark lanes cost what lit ones cost. Of the block's
  {reserved} lanes {percent} can work at most. That is why block sizes are multiples of 32.
  ]],
  reserved = reserved, idle = idle, percent = percent(map.threads, reserved),
}

local odd = block_of(48)
local odd_dark = WARP * odd.warps - odd.threads

predict {
  id = "forty-eight", title = "48 threads",
  [[Somebody launches blocks of {threads} threads.]], threads = odd.threads,
  ask = "What part of the lanes stays dark, in percent?", unit = "%", sure = true,
  answer = 100 * odd_dark / (WARP * odd.warps),
  wrong = {
    [50] = "Half of one warp. The block has two.",
    [75] = "That many work.",
    [0] = "{threads} is no multiple of 32.",
    [33] = "{dark} dark ones for {threads} lit ones. Of all lanes it is less.", [33.3] = "{dark} of how many lanes?",
  },
  dark = odd_dark,
  tips = { "How many lanes do its warps have?" },
  because = "{dark} of {all} lanes, in every block.", all = WARP * odd.warps,
  show = { run = odd, at = { line = STORE_WARP, kind = "store", warp = 1 }, focus = "geometry" },
}

local sizes = {}
for _, size in ipairs { 1, 16, 32, 33, 48, 96, 100 } do
  local r = block_of(size)
  sizes[#sizes + 1] = string.format("  %3d threads   %-7s  %s at work", size, counted(r.warps, "warp"),
    percent(r.threads, WARP * r.warps))
end

explain {
  title = "Sizes, measured",
  "Blocks, the warps that they take, and the lanes at work:\n\n" .. table.concat(sizes, "\n")
    .. "\n\nA block of one thread has a warp for itself. `<<<n, 1>>>` works, with one lane of 32.",
}

local stores = map:line(STORE_WARP).global_store_requests

show(map, { at = "end", focus = "geometry", margin = "active lanes" })
predict {
  id = "stores", title = "Counting instructions",
  [[
  Back to the block of two rows. The line `{line}` stores one number per thread, {threads} in all. The machine counts a store each
  time a *warp* executes it.
  ]],
  line = STORE_WARP, threads = map.threads,
  ask = "How many stores does it count for this line?",
  answer = stores, unit = "stores",
  wrong = {
    [map.threads] = "So many numbers. One instruction stores up to 32 of them.",
    [2] = "The half-empty warp executes it, too.",
    [1] = "Each warp comes to the line by itself.",
  },
  tips = { "Who executes an instruction: a thread, or a warp?" },
  because = "One for each warp, also for the one with {lanes} lanes.",
  lanes = last.lanes,
}

run { kernel = "warp_map_40x2", at = { line = STORE_WARP, kind = "store" }, focus = "segments" }
explain {
  title = "In step",
  [[
  Go back and forth with the arrow keys. Every step is one instruction of one warp; all its lit lanes do it together,
  each with its own values. The variables show that: one name, 32 values.

  In this run {warp_instructions} warp instructions did the work of {thread_instructions} thread instructions.
  ]],
  warp_instructions = map.counters.warp_instructions, thread_instructions = map.counters.thread_instructions,
}

modify {
  id = "lane", title = "A lane's number",
  [[Which lane is a thread? It has to be right for blocks of any shape.]],
  kernel = "warp_map_40x2", line = "lane[rank] =", blank = "  lane[rank] = ____;", fill = "rank % 32",
  accept = { "rank & 31" }, runs = { {}, { bx = 8, by = 8 }, { bx = 100, by = 1 } },
  wrong = {
    ["threadIdx.x % 32"] = "Rows do not matter: threads are numbered on.",
    ["tx"] = "Lanes go from 0 to 31.",
    ["rank / 32"] = "That is the warp.",
  },
  tips = { "What is left over when warps of 32 are counted off?" },
  because = "It is what is left over when warps of 32 are counted off, row after row.",
}

run { kernel = "warp_map_40x2", at = { line = STORE_WARP, kind = "store" }, focus = "geometry" }
try {
  id = "no-dark", title = "Your turn: no dark lanes",
  [[Choose another block, and see how it folds.]],
  goal = "Find a block with two rows or more and no dark lane, whose rows are not multiples of 32.",
  params = { "bx", "by" }, solution = { bx = 48, by = 2 },
  tips = { "bx x by must be a multiple of 32. bx alone must not.", "Two rows of one and a half warps would do." },
  reached = function(r)
    local bx, by = r.parameters.bx, r.parameters.by
    local dark = WARP * r.warps - r.threads
    return dark == 0 and by >= 2 and bx % WARP ~= 0,
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
  All lanes of a warp execute the same instruction. But what if your code says `if (foo) ... else ...`, and foo is
  true for some lanes only?

  The warp cannot do both at once. It goes one way with the lanes that want it, while the others are *masked off*;
  then it goes the other way with the rest.
  ]],
}

predict {
  id = "in-a", title = "Who works in do_A?",
  [[In this run `foo` is `tid % 32 < 16`, in one warp.]],
  ask = "Which lanes are active in do_A?",
  kind = "mask", answer = in_a.mask,
  wrong = {
    [in_b.mask] = "For those foo is false.",
    [0xffffffff] = "All come to the if. Not all go in.",
    [0x0001ffff] = "`< 16`: lane 16 is not below 16.",
    [0x55555555] = "Half of the lanes, but not every other one.",
  },
  tips = { "For which lanes is foo true?" },
  because = "The first half of the warp. The other {off} lanes wait for their turn.",
  off = WARP - in_a.lanes,
  show = { run = half, at = { line = DO_A }, focus = "divergence", margin = "executions" },
}

predict {
  id = "whole-again", title = "When is it whole again?", kind = "line",
  [[{a} lanes are lit, {off} are masked off. When do_A is over, the others take do_B.]],
  a = in_a.lanes, off = WARP - in_a.lanes,
  ask = "Go to the first line below do_A that all 32 lanes execute together.",
  answer = OUT,
  wrong = {
    [DO_B] = "Here are the lanes for which foo is false. The others wait.",
    ["int i = 0; i < b_steps; i++"] = "That is do_B. Who is in it?",
  },
  tips = { "Where do both ways meet?" },
  because = "Behind the if both ways meet, and the warp is whole again. That is called *reconvergence*.",
  show = { run = half, at = { line = OUT, kind = "store" }, focus = "divergence" },
}

local uniform = branches { period = 32, k = 32, threads = 32 }

predict {
  id = "bill", title = "The bill",
  [[Both arms are equally long. Compare this warp with one in which *all* 32 lanes take do_A.]],
  ask = "How many times as many instructions does the divided warp spend in the arms?",
  answer = arms(half) / arms(uniform), unit = "times", tolerance = 0.01, sure = true,
  wrong = {
    [1] = "So it would be if do_A and do_B ran at the same time.",
    [0.5] = "Half of the lanes work, but an instruction is one for half a warp as for all of it.",
  },
  tips = { "Does do_B start before do_A has ended?" },
  because = "{a} instructions against {b}: the time of a warp is the *sum* of the ways its lanes take, not the "
    .. "longest.",
  a = arms(half), b = arms(uniform),
}

local parity = branches { period = 2, k = 1, threads = 32 }

predict {
  id = "parity", title = "Odd and even", kind = "choice",
  [[Again half of the lanes take do_A, but now every other one: `tid % 2 < 1`.]],
  ask = "In the arms, the warp spends",
  options = { "less than before", "as much as before", "more than before" },
  answer = arms(parity) == arms(half) and "as much as before"
    or arms(parity) < arms(half) and "less than before" or "more than before",
  wrong = {
    ["more than before"] = "The lanes do not take turns one by one. How many ways are there?",
    ["less than before"] = "There are still lanes on both sides.",
  },
  because = "{n} instructions, as before. It matters whether there are lanes on both sides, not which ones.",
  n = arms(parity),
  show = { run = parity, at = { line = DO_A }, focus = "divergence" },
}

-- Warp 1 has 16 threads here, and foo is true for all of them.
local ragged = branches { period = 32, k = 16, threads = 48, a_steps = 1, b_steps = 1 }

trace {
  id = "masks", title = "Be the warps",
  [[{threads} threads, `foo` is `tid % 32 < 16`. Warp 0 is full, warp 1 has threads 32 to 47.]],
  threads = ragged.threads,
  run = ragged, ask = "mask", focus = "divergence",
  at = { { line = DO_A, warp = 0 }, { line = DO_A, warp = 1 }, { line = DO_B, warp = 0 },
         { line = OUT, kind = "store", warp = 1 }, { line = OUT, kind = "store", warp = 0 } },
  wrong = {
    [1] = { [0xffffffff] = "Half of them do not want it." },
    [2] = { [0xffffffff] = "Only 16 lanes of this warp exist." },
    [3] = { [0x0000ffff] = "Those have been in do_A." },
    [4] = { [0xffffffff] = "The dark lanes never come.", [0xffff0000] = "Those do not exist." },
    [5] = { [0xffff0000] = "The others have come as well." },
  },
  tips = { "Which lanes exist? For which of them is foo true?" },
  because = "Warp 1 never goes to do_B: dark lanes want nothing.",
}

predict {
  id = "timeline", title = "In which order?", kind = "order",
  [[One warp, `if (foo) do_A(); else do_B();`, and lanes that disagree. One line belongs nowhere.]],
  ask = "What does the warp do?",
  lines = { "all lanes compute foo", "some lanes run do_A", "the others run do_B", "all lanes store" },
  spare = { "do_A and do_B run side by side" }, orders = { { 1, 3, 2, 4 } },
  wrong = { ["do_A and do_B run side by side"] = "One instruction at a time, for one set of lanes." },
  tips = { "One way, then the other. Which comes first is not promised." },
  because = "do_B may as well be first: no rule says which.",
}

show(branches { period = 2, k = 1, threads = 64 }, { at = { line = DO_A }, focus = "divergence" })
try {
  id = "whole-warps", title = "Your turn: divide, but not the warp",
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
    return in_do_a == 32 and divided == 0,
      string.format("do_A: %s, divided: %s", counted(in_do_a, "thread"), counted(divided, "warp"))
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

-- Conditions on a thread of blocks of 128, and which of them leave every warp whole.
local conditions = {
  ["tid < 64"] = function(tid) return tid < 64 end,
  ["tid % 2 == 0"] = function(tid) return tid % 2 == 0 end,
  ["tid < 48"] = function(tid) return tid < 48 end,
  ["tid / 32 == 1"] = function(tid) return tid // 32 == 1 end,
}
local CONDITIONS, harmless = { "tid < 64", "tid % 2 == 0", "tid < 48", "tid / 32 == 1" }, {}
for _, name in ipairs(CONDITIONS) do
  local whole = true
  for tid = 0, 127 do
    whole = whole and conditions[name](tid) == conditions[name](tid // WARP * WARP)
  end
  harmless[#harmless + (whole and 1 or 0)] = whole and name or harmless[#harmless]
end

hide()
predict {
  id = "harmless", title = "No picture", kind = "several",
  [[A block of four warps.]],
  ask = "Which conditions divide none of its warps?", options = CONDITIONS, answer = harmless,
  wrong = {
    ["tid < 48"] = "Warp 1 has threads 32 to 63.",
    ["tid % 2 == 0"] = "Neighbors disagree, in every warp.",
    ["tid < 64"] = "Warps 0 and 1 say yes, warps 2 and 3 say no.",
    ["tid / 32 == 1"] = "That is the number of the warp: the same for all its lanes.",
  },
  tips = { "Borders of warps are at 32, 64 and 96." },
  because = "A border inside of a warp divides that warp. One between warps divides none.",
}

-- 3. what a lane has of its own -----------------------------------------------------

local its = measure { kernel = "diverge_if_else", params = { period = 2, k = 1, threads = 32 }, sched = "its" }
local stack = measure { kernel = "diverge_if_else", params = { period = 2, k = 1, threads = 32 }, sched = "stack" }

show(its, { at = { line = DO_A }, focus = "divergence" })
predict {
  id = "counters", title = "A program counter each", kind = "choice",
  [[
  Up to Pascal a warp had one program counter and a stack of masks. Since Volta every lane has a program counter of
  its own.
  ]],
  ask = "Does that make the divided warp's arms cheaper?",
  options = { "yes, both arms run at once", "no, the same instructions are issued", "no, it makes them dearer" },
  answer = arms(its) == arms(stack) and "no, the same instructions are issued" or "yes, both arms run at once",
  wrong = {
    ["yes, both arms run at once"] = "A warp still issues one instruction at a time.",
    ["no, it makes them dearer"] = "Each lane still runs what it ran before.",
  },
  because = "{a} with the old scheme, {b} with the new: still one instruction at a time. What is new: every lane is sure "
    .. "to make progress.",
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
  id = "ballot", title = "A vote",
  [[
  A lane can ask what the others think. `__ballot_sync(warp, foo)` collects a bit from every lane: bit i is lane i's
  `foo`. Here `foo` is `laneId % 8 < 3`.
  ]],
  ask = "For which lanes is the bit set?",
  kind = "mask", answer = yes,
  wrong = {
    [0x00000007] = "Lanes 8, 9 and 10 say yes, too: the pattern repeats.",
    [0xffffffff] = "That is who votes, not who says yes.",
    [0x0f0f0f0f] = "`< 3`: lanes 0, 1 and 2 of every eight.",
  },
  tips = { "The pattern repeats every 8 lanes, so it is the same byte four times.",
           "The lowest three bits of a byte are 0x07." },
  because = "Three lanes of every eight. {who} lanes get this answer, also those that voted no.",
  who = same_for_all and "All" or "Some",
  show = { run = voted, at = { kind = "vote", nth = 3 }, focus = "shuffle", margin = "executions" },
}

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
  id = "active", title = "Who is here?",
  [[
  `__activemask()` asks something else: which lanes execute this instruction, now? Line {line} does so behind `if
  (foo)`.
  ]],
  line = voted:where("here = __activemask()"),
  ask = "How many bits of its result are set?",
  answer = popcount(inside), unit = "bits",
  wrong = {
    [WARP] = "Behind the if are only those whose foo is true.",
    [3] = "Three of every eight.",
    [1] = "The lanes that are in come together.",
  },
  tips = { "How many of the 32 lanes go into the if?" },
  because = "The {answer} lanes whose foo is true: {lanes}.",
  lanes = lanes_of(inside),
  show = { run = voted, at = { line = "here = __activemask()" }, focus = "divergence" },
}

explain {
  title = "Ask before you part",
  [[
  `__activemask` waits for nobody. Lanes with a program counter each need not arrive together, so it may miss some
  that are still on their way.

  To know who goes into an if, vote *before* it: the ballot of foo, taken by all, is the mask of those inside.
  ]],
}

show(voted, { margin = "executions" })
make {
  id = "ask-first", title = "A vote of your own",
  [[
  `inside` shall hold, for each lane that goes into the if, the mask of those that do; 0 for the others. Let all 32
  lanes ask, before they part.
  ]],
  kernel = "vote_match", from = "unsigned here = 0;", to = "inside[laneId] = here;",
  starter = [[
  unsigned here = 0;
  if (foo)
    here = __activemask();
  inside[laneId] = here;]],
  solution = [[
  unsigned in = __ballot_sync(warp, foo);
  unsigned here = 0;
  if (foo)
    here = in;
  inside[laneId] = here;]],
  others = {
    { "one line", right = true, [[
  unsigned in = __ballot_sync(warp, foo);
  inside[laneId] = foo ? in : 0;]] },
    { "inside", [[
  unsigned here = 0;
  if (foo)
    here = __ballot_sync(warp, foo);
  inside[laneId] = here;]], says = "The mask names lanes that never come there." },
    { "as it was", [[
  unsigned here = 0;
  if (foo)
    here = __activemask();
  inside[laneId] = here;]], says = "That asks those who happen to be together." },
    { "for all", [[
  unsigned in = __ballot_sync(warp, foo);
  inside[laneId] = in;]], says = "Lanes that stay outside shall have 0." },
  },
  runs = { {}, { period = 2, k = 1 }, { k = 0 } },
  judged = function(asked)
    for nth = 1, asked:count { kind = "vote" } do
      local vote = asked:event { kind = "vote", nth = nth }
      if vote.lanes < WARP then
        return false, string.format("line %d is asked by %s only", vote.line, counted(vote.lanes, "lane"))
      end
    end
    return true
  end,
  tips = { "`__ballot_sync(warp, foo)` before the if.", "Keep its result in a variable, and use it inside." },
  because = "All lanes vote together, so nobody is missed.",
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
  Where lanes of a warp meet, they can read each other's registers. Here each lane adds the value of a partner, five
  times.

  At the end {agreeing} lanes hold the sum of all, {total}, and no memory was used on the way. More of this in L15.
  ]],
  agreeing = agreeing, total = total,
}

-- 4. to keep ---------------------------------------------------------------------------

hide()
rubric {
  id = "warp", title = "In your own words",
  ask = "What is a warp, how do threads come into one, and what happens if its lanes disagree?",
  model = [[
  32 threads of a block that run one instruction together. Threads are numbered row by row and cut into pieces of 32;
  the last warp may have dark lanes, which cost as much. If lanes disagree at a branch, the warp goes one way, then
  the other, with the rest masked off.
  ]],
  points = {
    "32 threads of one block", "one instruction for all", "numbered row by row, then cut", "dark lanes cost, too",
    "one way after the other", "different warps are free",
  },
}

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
  You write for one thread, and the machine reads for 32. Whatever you write, ask: is it the same for all lanes of a
  warp?

  Next: what it costs if it is not.
  ]],
  next = "L04",
}
