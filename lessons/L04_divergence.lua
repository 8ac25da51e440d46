-- L04: what a branch costs a warp, how branches nest, and how to keep the bill small.

local DO_A, DO_B, DO_C = "value = value * 3 + 1", "value = value * 5 + 2", "value = value * 7 + 3"
local ARM = "value = value * 3 + arm"
local STORE = { line = "out[id] = value", kind = "store" }
local WARP = 32   -- lanes

local function nested(k)
  return measure { kernel = "diverge_nested", params = { k = k } }
end

local function switch(n)
  return measure { kernel = "diverge_switch_n", params = { N = n } }
end

local function between(split)
  return measure { kernel = "diverge_between_warps", params = { split = split } }
end

local function branches(params)
  return measure { kernel = "diverge_if_else", params = params }
end

-- Instructions that warps spent in these lines, and those of single lanes.
local function spent(r, lines)
  local by_warps, by_lanes = 0, 0
  for _, line in ipairs(lines) do
    by_warps = by_warps + r:line(line).warp_instructions
    by_lanes = by_lanes + r:line(line).thread_instructions
  end
  return by_warps, by_lanes
end

recall(2)

-- 1. nesting -----------------------------------------------------------------

local ABC = { DO_A, DO_B, DO_C }
local tree = nested(16)
local in_a, in_b, in_c = tree:event { line = DO_A }, tree:event { line = DO_B }, tree:event { line = DO_C }

show(tree, { focus = "divergence", margin = "executions" })
say {
  title = "A branch in a branch",
  [[
  L03 had one `if`: a warp whose lanes disagree goes both ways, one after the other. Now the branches nest.

  In `diverge_nested` lanes for which `foo` holds ask a second question, `bar`. That makes three ways through the code:
  do_A, do_B and do_C.
  ]],
}

predict {
  id = "nested", title = "Two conditions",
  [[`foo` is `tid % 32 < 16`, and `bar` is true for odd lanes. do_A wants both of them.]],
  ask = "Which lanes are active in do_A?",
  kind = "mask", answer = in_a.mask,
  wrong = {
    [0x0000ffff] = "Those reach the second if, which parts them once more.",
    [0xaaaaaaaa] = "Odd ones, yes. But only those for which foo holds come that far.",
    [in_b.mask] = "Those are the even ones.",
  },
  tips = { "foo leaves lanes 0 to 15. Which of those are odd?", "As a mask: four digits of 0xa, which is `1010`." },
  because = "{n} lanes: the odd ones of the first half.",
  n = in_a.lanes,
  show = { run = tree, at = { line = DO_A }, focus = "divergence", margin = "executions" },
}

explain {
  title = "Masks in masks",
  [[
  Read the picture from top to bottom. The first `if` takes {outer} lanes away, the second one {inner} of those that are
  left.

  A mask never grows on the way in. Lanes come back where the sides of their branch meet.
  ]],
  outer = in_c.lanes, inner = in_b.lanes,
}

local all_spent, lanes_spent = spent(tree, ABC)

hide()
predict {
  id = "busy", title = "How busy is the warp?",
  [[All three ways are equally long. do_A and do_B have {ab} lanes each, do_C has {c}.]],
  ab = in_a.lanes, c = in_c.lanes,
  ask = "How many lanes are at work on average, in percent of 32?",
  answer = 100 * lanes_spent / (WARP * all_spent), unit = "%", tolerance = 1, sure = true,
  wrong = {
    [50] = "So it would be with two ways. There are three turns.",
    [100] = "In each turn some lanes wait.",
    [25] = "That is the share in do_A alone.",
  },
  tips = { "Three turns. How many lanes work in each of them?" },
  because = "{a} + {b} + {c} lanes in three turns of 32: a third. The time is that of do_A, do_B and do_C *together*.",
  a = in_a.lanes, b = in_b.lanes,
  show = { run = tree, at = { line = DO_C }, focus = "divergence", margin = "executions" },
}

local five = nested(5)

trace {
  id = "ways", title = "Be the warp",
  [[Another run: foo is `tid % 32 < 5`. bar is still true for odd lanes.]],
  run = five, ask = "mask", focus = "divergence", margin = "executions",
  at = { { line = DO_A }, { line = DO_C }, { line = DO_B }, STORE },
  wrong = {
    [1] = { [0x0000001f] = "Those come to the second if.", [0x00000015] = "Lanes 0, 2 and 4 are even." },
    [2] = { [0xffff0000] = "So it was before. Now the border is at 5." },
    [3] = { [0x0000000a] = "Those have been in do_A.", [0x55555555] = "foo holds for five lanes only." },
    [4] = { [0xffffffe0] = "The others wait for them there." },
  },
  tips = { "First foo, then bar." },
  because = "Each lane was in one of the three, and all of them meet behind.",
}

show(tree, { at = { line = DO_C }, focus = "divergence", margin = "executions" })
try {
  id = "empty-room", title = "Your turn: an empty room",
  [[`foo` is `tid % 32 < k`. With `k = 16` all three ways are taken.]],
  goal = "Find a k above 0 at which no lane takes do_A, though foo holds for some.",
  params = { "k" }, solution = { k = 1 },
  tips = { "do_A wants odd lanes below k.", "Which is the smallest odd lane?" },
  reached = function(r)
    local a, b = r:line(DO_A).warp_instructions, r:line(DO_B).warp_instructions
    local taken = (a > 0 and 1 or 0) + (b > 0 and 1 or 0) + (r:line(DO_C).warp_instructions > 0 and 1 or 0)
    return r.parameters.k > 0 and a == 0, string.format("k = %d: %s taken", r.parameters.k, counted(taken, "way"))
  end,
}

-- 2. a switch -----------------------------------------------------------------

local four, one = switch(4), switch(1)

-- Turns of a warp through the arms of a switch.
local function turns(r)
  return spent(r, { ARM }) // spent(one, { ARM })
end

show(four, { margin = "active lanes" })
predict {
  id = "switch", title = "A switch",
  [[
  Lane `t` takes arm `t % 4` of a switch. All arms do the same amount of work, and N = 1 would send all lanes into the
  same arm.
  ]],
  ask = "How many times as long does the warp spend in the arms with N = 4 as with N = 1?",
  answer = turns(four), unit = "times", tolerance = 0.01,
  wrong = {
    [1] = "Arms of one warp are not taken at the same time.",
    [WARP] = "The switch has that many arms. How many does somebody take?",
    [2] = "An if has two ways. Here are four.",
  },
  tips = { "Every arm with a lane in it needs a turn." },
  because = "{answer} turns, one for each arm that somebody takes. The {idle} arms that nobody takes cost nothing.",
  idle = WARP - 4,
  show = { run = four, at = { line = ARM }, focus = "divergence" },
}

local rows = {}
for _, n in ipairs { 1, 2, 4, 8, 16 } do
  local r = switch(n)
  rows[#rows + 1] = string.format("  N = %2d   %2d turns   %2d lanes", n, turns(r), r:event({ line = ARM }).lanes)
end

explain {
  title = "Turns, measured",
  "Turns through the arms, and lanes at work in each:\n\n" .. table.concat(rows, "\n")
    .. "\n\nTwice the arms, twice the time.",
}

local thirty_two = switch(WARP)

predict {
  id = "one-lane-arms", title = "As bad as it gets",
  [[With N = 32 every lane has an arm for itself.]],
  ask = "How many lanes are at work in an arm?",
  answer = thirty_two:event({ line = ARM }).lanes, unit = "lanes",
  wrong = {
    [WARP] = "That is the number of arms.",
    [0] = "Somebody takes each of them.",
  },
  tips = { "How many lanes have the same arm?" },
  because = "One at a time, in {turns} turns. No warp can be less busy: it is 32 threads in a row.",
  turns = turns(thirty_two),
  show = { run = thirty_two, at = { line = ARM }, focus = "divergence" },
}

local falling = measure { kernel = "diverge_switch_n", form = "lecture" }

show(falling, { at = "start", margin = "executions" })
predict {
  id = "no-break", title = "As a slide has it",
  [[
  `switch (t % 4) { case 0: arm(0); case 1: arm(1); ... }`, four arms and no `break`. A lane goes on through the arms
  below its own. Here lanes that parted meet behind the switch only.
  ]],
  ask = "How many turns through an arm does the warp make in all?",
  answer = turns(falling), unit = "turns",
  wrong = {
    [4] = "So it is with a break. Who begins at arm 0 comes to arm 1 as well.",
    [16] = "Not all begin at arm 0.",
  },
  tips = { "Lanes 0, 4, 8, ... go through four arms. Lanes 1, 5, 9, ...?" },
  because = "4 + 3 + 2 + 1 = 10. And the result is {verdict}, though no lane went where it should not.",
  verdict = falling.verdict,
  show = { run = falling, at = { line = ARM }, focus = "divergence", margin = "executions" },
}

show(falling, { at = "start", margin = "executions" })
make {
  id = "repair", title = "Repair it",
  [[Let each lane go through its own arm only.]],
  kernel = "diverge_switch_n", form = "lecture", from = "case 0:", to = "value = do_arm(value, 3, steps);",
  starter = [[
  case 0:
    value = do_arm(value, 0, steps);
  case 1:
    value = do_arm(value, 1, steps);
  case 2:
    value = do_arm(value, 2, steps);
  case 3:
    value = do_arm(value, 3, steps);]],
  solution = [[
  case 0:
    value = do_arm(value, 0, steps);
    break;
  case 1:
    value = do_arm(value, 1, steps);
    break;
  case 2:
    value = do_arm(value, 2, steps);
    break;
  case 3:
    value = do_arm(value, 3, steps);]],
  others = {
    { "one break", [[
  case 0:
    value = do_arm(value, 0, steps);
    break;
  case 1:
    value = do_arm(value, 1, steps);
  case 2:
    value = do_arm(value, 2, steps);
  case 3:
    value = do_arm(value, 3, steps);]], says = "Where do lanes 1 and 2 go on?" },
    { "no switch", [[
  default:
    value = do_arm(value, threadIdx.x % N, steps);]], right = true, says = "No switch at all." },
  },
  runs = { {}, { N = 3 } },
  judged = function(r)
    return turns(r) <= r.parameters.N, counted(turns(r), "turn")
  end,
  tips = { "What ends an arm of a switch in C?" },
  because = "One turn for each arm. Where all arms do the same with another number, no switch is needed: one turn.",
}

-- 3. whole warps ------------------------------------------------------------------

local AB = { DO_A, DO_B }
local by_lanes, by_warps = between("lanes"), between("warps")

show(by_lanes, { at = { line = DO_A }, focus = "divergence" })
predict {
  id = "who", title = "Who should disagree?",
  [[
  Two warps. Half of the threads do do_A, half do_B. You see every second *lane* choose do_A. Now every second *warp*
  does, with `tid / 32 % 2`.
  ]],
  ask = "What part of the instructions in the arms is left, in percent?",
  answer = 100 * spent(by_warps, AB) / spent(by_lanes, AB), unit = "%", tolerance = 1,
  wrong = {
    [100] = "As many threads do as much. But instructions are of warps.",
    [25] = "Each warp still goes one way.",
    [0] = "Somebody has to do the work.",
  },
  tips = { "How many ways does each warp go, before and after?" },
  because = "{a} instructions became {b}. No warp goes both ways any more.",
  a = spent(by_lanes, AB), b = spent(by_warps, AB),
  show = { run = by_warps, at = { line = DO_B, warp = 1 }, focus = "divergence" },
}

explain {
  title = "Sort your work by warps",
  [[
  Warp 1 has all its lanes in do_B; warp 0 never comes here. Nobody waits.

  So if you may choose which thread does what, let the choice be the same for 32 threads in a row: `tid / 32` rather
  than `tid % 2`, or data that was sorted before.
  ]],
}

local odd_one = branches { period = 32, k = 31, threads = 32 }
local nobody = branches { period = 32, k = 32, threads = 32 }

predict {
  id = "odd-lane", title = "One odd lane",
  [[31 lanes take do_A. One lane takes do_B, which is as long.]],
  ask = "How many times as long are the arms as with all lanes in do_A?", sure = true,
  answer = spent(odd_one, AB) / spent(nobody, AB), unit = "times", tolerance = 0.01,
  wrong = {
    [1] = "The others cannot go on without it: it is of their warp.",
    [1.03] = "A turn for one lane takes as long as a turn for all.",
    [1.031] = "A turn for one lane takes as long as a turn for all.",
  },
  tips = { "How long is a turn with one lane?" },
  because = "{a} instructions, not {b}. One lane in 32 is enough: twice the time in the arms.",
  a = spent(odd_one, AB), b = spent(nobody, AB),
  show = { run = odd_one, at = { line = DO_B }, focus = "divergence" },
}

run {
  kernel = "diverge_if_else", params = { period = 32, k = 16, a_steps = 16, b_steps = 16, threads = 32 },
  at = { line = DO_A }, focus = "divergence",
}
try {
  id = "busy-both", title = "Your turn: divided, but busy",
  [[
  Half of the lanes take do_A, half do_B, so half of the warp is idle. `a_steps` and `b_steps` say how long the two are.

  Time is another matter: who took the short way waits for the long one all the same.
  ]],
  goal = "Keep both ways taken, and have nine lanes of ten at work in them.",
  params = { "k", "a_steps", "b_steps" }, solution = { k = 31, a_steps = 60, b_steps = 1 },
  tips = { "The long way wants many lanes, the short way few.",
           "31 lanes for do_A, and one round of do_B for the last lane." },
  reached = function(r)
    local issued, worked = spent(r, AB)
    local both = r:line(DO_A).warp_instructions > 0 and r:line(DO_B).warp_instructions > 0
    local share = issued > 0 and worked / (WARP * issued) or 0
    return both and share > 0.9, (both and "" or "one way only, ") .. string.format("%.0f%% at work", 100 * share)
  end,
}

-- 4. loops -----------------------------------------------------------------------------

local BODY = "value = value * 3 + 1"

local function data(name)
  return measure { kernel = "data_steps", params = { data = name } }
end

local mixed, ordered, single = data "mixed", data "sorted", data "one"

-- Rounds of the loop that a warp makes, or all warps; warp 1 of the third run makes one.
local function rounds(r, warp)
  local body = { line = BODY, kind = "exec", warp = warp }
  return r:count(body) // single:count { line = BODY, kind = "exec", warp = 1 }
end

show(mixed, { at = "start", margin = "executions" })
predict {
  id = "hidden", title = "No if at all", kind = "line",
  [[
  Each thread makes as many rounds as its number says: from 1 to {most}, mixed. Yet a branch here divides warps.
  ]],
  most = rounds(mixed, 0),
  ask = "Go to its line.", answer = "for (int i = 0; i < steps; i++)",
  wrong = {
    ["int steps = counts[id];"] = "The numbers differ here. But all lanes load, together.",
    [BODY] = "Here somebody works. Who decides who?",
    ["out[id] = value;"] = "All come to this line.",
  },
  tips = { "Where may one lane go on, and another one be done?" },
  because = "At the end of each round a lane goes on or leaves. {count} times lanes of a warp do not agree about that.",
  count = mixed.counters.divergent_branches,
  show = { run = mixed, at = { line = "for (int i = 0; i < steps; i++)", kind = "branch", diverging = true },
           focus = "divergence" },
}

hide()
predict {
  id = "longest", title = "A loop of its own",
  [[Each of the numbers from 1 to {most} is there twice in warp 0.]], most = rounds(mixed, 0),
  ask = "How many rounds does warp 0 make?",
  answer = rounds(mixed, 0), unit = "rounds",
  wrong = {
    [8.5] = "That is the mean. Can the lane with most be done by then?",
    [8] = "That is about the mean. Can the lane with most be done by then?",
    [272] = "That is the sum. Rounds of different lanes are made together.",
    [32] = "So many lanes. Their rounds are made together.",
  },
  tips = { "When is the last lane done?" },
  because = "A loop is a branch at each end of a round: who is done is masked off, and waits for the longest.",
  show = { run = mixed, at = { line = BODY, warp = 0, nth = 20 }, focus = "divergence", margin = "executions" },
}

hide()
predict {
  id = "sorted", title = "Sort first",
  [[
  Four warps made {rounds} rounds in all. Now the same {n} numbers are sorted: the four least in warp 0, then the next
  four, and so on.
  ]],
  rounds = rounds(mixed), n = mixed.threads,
  ask = "How many rounds do the four warps make in all?",
  answer = rounds(ordered), unit = "rounds",
  wrong = {
    [rounds(mixed)] = "Warp 0 has no number above 4 now.",
    [34] = "That is the mean, four times. Warp 0 goes to 4.",
    [16] = "That is the last warp.",
  },
  tips = { "4 for warp 0, 8 for warp 1, ..." },
  because = "4 + 8 + 12 + 16. The threads do the same work; they wait less for one another.",
  show = { run = ordered, at = { line = BODY, warp = 3, nth = 30 }, focus = "divergence", margin = "executions" },
}

-- The lanes of both sides, in all warps.
local function lanes_at(run, event)
  local lanes = 0
  for nth = 1, run:count(event) do
    local event_of_side = run:event { line = event.line, kind = event.kind, nth = nth }
    lanes = lanes + event_of_side.lanes
  end
  return lanes
end

show(by_lanes, { at = "start" })
modify {
  id = "whole_warps", title = "Your own condition",
  [[
  Here is a block of {threads} threads, two warps. Half of the threads shall do_A, the other half do_B, and no warp
  shall walk both ways.
  ]],
  threads = by_warps.threads,
  kernel = "diverge_between_warps", line = "bool foo =", blank = "bool foo = ____;", fill = "tid < 32",
  accept = { "tid >= 32", "tid / 32 == 0" }, runs = { { threads = by_warps.threads, steps = 2 } }, result = "any",
  wrong = {
    ["tid % 2 == 0"] = "Even and odd lanes sit side by side: both warps have both of them.",
    ["tid < 16"] = "The first warp is cut in the middle, and only 16 threads do_A.",
    ["true"] = "Nobody diverges, but nobody does do_B either.",
  },
  judged = function(run)
    local turned = run:line("if (foo)").divergent_branches
    if turned > 0 then
      return false, counted(turned, "warp") .. " walked both ways"
    end
    local a = lanes_at(run, { line = "int i = 0; i < steps; i++)     // do_A", kind = "branch" })
    local b = lanes_at(run, { line = "int i = 0; i < steps; i++)     // do_B", kind = "branch" })
    return a == b, a ~= b and "do_A and do_B do not have the same number of threads" or nil
  end,
  tips = { "A warp is 32 threads in a row. Where does the second one begin?" },
  because = "Whoever chooses by whole warps pays for one way only.",
}

-- 5. no branch at all ---------------------------------------------------------------

local written = measure { kernel = "scan4", cut = "written" }
local compiled = measure { kernel = "scan4", cut = "compiled" }

show(written, { at = { line = "if ((laneId & 7) >= i)", kind = "branch" }, focus = "divergence" })
predict {
  id = "select", title = "A very short if",
  [[
  As written, `if ((laneId & 7) >= i) value += n;` divides the warp {times} times. The optimizer may find something
  better.
  ]],
  times = written:line("if ((laneId & 7) >= i)").divergent_branches,
  ask = "How many branches divide the warp in the optimized kernel?",
  answer = compiled.counters.divergent_branches, unit = "branches",
  wrong = {
    [written:line("if ((laneId & 7) >= i)").divergent_branches] = "So it is as written. Need there be a branch?",
    [1] = "Not even one.",
  },
  tips = { "Could all lanes do the addition, and some throw it away?" },
  because = "None: all lanes go on together, and a *select* adds either n or 0. That is cheaper than two ways for one "
    .. "addition.",
  show = { run = compiled, at = { line = "if ((laneId & 7) >= i)" }, ptx = true, focus = "divergence" },
}

explain {
  title = "Select, do not branch",
  [[
  This is the optimized kernel. Look for `selp` in the PTX: each lane picks one of two values, by a *predicate*, a
  register of one bit.

  Compilers do so for short arms only: both values are always computed, for all lanes. With a loop or a load in an arm
  there is a branch, and the warp may divide.
  ]],
}

predict {
  id = "both-sides", title = "Two rules", kind = "choice",
  [["A way that no lane takes is free." `x = foo ? a : b` became a select, and foo is true for all lanes.]],
  ask = "What is paid for?", options = { "a alone", "b alone", "a and b" }, answer = "a and b",
  wrong = {
    ["a alone"] = "The rule is one of branches. A select has no ways: it has two values.",
    ["b alone"] = "foo is true.",
  },
  because = "Both are there before the select picks. So compilers select short arms, and branch where arms are long.",
}

-- 6. together again ----------------------------------------------------------------------

local both_ways = branches { period = 2, k = 1, threads = 32 }
local after = both_ways:event(STORE)

show(both_ways, { at = { line = DO_B }, focus = "divergence" })
predict {
  id = "after", title = "After the branch",
  [[This warp goes both ways. Behind the `else` each thread stores its value.]],
  ask = "How many lanes take part in that store, on this machine?",
  answer = after.lanes, unit = "lanes",
  wrong = {
    [16] = "Half of them come from do_A, and they wait for the others.",
    [1] = "Lanes do not go on one by one.",
  },
  tips = { "Where do the two sides meet?" },
  because = "All of them: the warp came together again before it.",
  show = { run = both_ways, at = STORE, focus = "divergence" },
}

local example = measure { kernel = "diverge_example", form = "lecture" }
local again, side = example:output("again"), example:output("inside")
local met = popcount(again[0])

show(example, { at = { line = "again[tid] = __activemask()" }, focus = "divergence" })
predict {
  id = "promised", title = "Seen is not promised", kind = "several",
  [[
  A lecture: "run this first, then run this, then converged again". Here {a} lanes were first, {b} came then, and
  {met} met behind.
  ]],
  a = popcount(side[0]), b = WARP - popcount(side[0]), met = met,
  ask = "What of it does CUDA promise, as the code stands?",
  options = { "the if side comes first", "all lanes meet behind", "each lane takes its own side only" },
  answer = { "each lane takes its own side only" },
  wrong = {
    ["the if side comes first"] = "Either may be first, and with counters for each lane they may even take turns.",
    ["all lanes meet behind"] = "Compilers arrange it as a rule. Since Volta nothing promises it.",
    ["each lane takes its own side only"] = "That at least: it is what the program says.",
  },
  tips = { "What would be a wrong result, and what only another order?" },
  because = "Only the meaning of the program. `__syncwarp()` behind the else makes them meet.",
}

explain {
  title = "Do not count on it",
  [[
  If later code needs the whole warp, say so: `__syncwarp()` waits for the lanes that you name. Shuffles and votes
  take a mask for the same reason.

  A lecture says that divergence never changes a result. It does where lanes read one another: who reads from a lane
  that is not there gets anything.
  ]],
}

-- 7. to keep ------------------------------------------------------------------------------

hide()
predict {
  id = "by-time", title = "From memory", kind = "order",
  [[One full warp, and arms of the same length. No picture.]],
  ask = "Put them in order, the shortest time first.",
  lines = { "if (tid / 32 == 0)", "if (tid == 7)", "switch (tid % 4)", "switch (tid % 8)", "switch (tid)" },
  wrong = {
    ["if (tid == 7)"] = "One odd lane is a second way.",
    ["if (tid / 32 == 0)"] = "The same for the whole warp.",
  },
  tips = { "How many different ways do its lanes take?" },
  because = "{a}, {b}, {c}, {d} and {e} turns.",
  a = spent(nobody, AB) // spent(nobody, AB), b = spent(odd_one, AB) // spent(nobody, AB), c = turns(four),
  d = turns(switch(8)), e = turns(thirty_two),
}

rubric {
  id = "divergence",
  title = "In your own words",
  ask = "What is divergence, what does it cost, and what does not cost anything?",
  model = [[
  Lanes of one warp go different ways at a branch. The warp takes the ways one after the other, with the other lanes
  masked off, so its time is their sum. Ways that no lane takes cost nothing, nor do warps that differ from each
  other. Behind the branch the lanes meet again.
  ]],
  points = {
    "lanes of one warp", "one way after the other, others masked", "the sum of the ways", "empty ways are free",
    "between warps it is free", "they meet again",
  },
}

check { draw = 5 }

recite {
  title = "From memory",
  ask = "What is to be kept of divergence? One line each.",
  [[
  - A warp needs a turn for each way that one of its lanes goes. The time is the sum.
  - Ways that nobody goes are free; so are ways of other warps.
  - A loop lasts as long as its longest lane.
  - Nested branches divide what is left.
  - Short arms become selects: both sides, always.
  - `__syncwarp` where lanes must meet.
  ]],
}

finish {
  title = "Divergence: what to keep",
  [[
  Count the ways that the lanes of one warp take. Then ask who chooses: if 32 neighbors choose alike, nothing is lost.

  Next: where blocks go.
  ]],
  next = "L05",
}
