-- L04: what a branch costs a warp, how branches nest, and how to keep the bill small.

local DO_A, DO_B, DO_C = "value = value * 3 + 1", "value = value * 5 + 2", "value = value * 7 + 3"
local ARM = "value = value * 3 + arm"

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

  In `diverge_nested` lanes for which `foo` holds ask a second question, `bar`. That makes three ways through the code: do_A, do_B and do_C.
  ]],
}

predict {
  title = "Two conditions",
  [[`foo` is `tid % 32 < 16`, and `bar` is true for odd lanes. do_A wants both of them.]],
  ask = "Which lanes are active in do_A?",
  kind = "mask", answer = in_a.mask,
  tips = { "foo leaves lanes 0 to 15. Which of those are odd?", "As a mask: four digits of 0xa, which is `1010`." },
  because = "{n} lanes: the odd ones of the first half.",
  n = in_a.lanes,
}

show(tree, { at = { line = DO_A }, focus = "divergence", margin = "executions" })
explain {
  title = "Masks in masks",
  [[
  Read the picture from top to bottom. The first `if` takes {outer} lanes away, the second one {inner} of those that are left.

  A mask never grows on the way in. Lanes come back where the sides of their branch meet.
  ]],
  outer = in_c.lanes, inner = in_b.lanes,
}

local all_spent, lanes_spent = spent(tree, ABC)

predict {
  title = "How busy is the warp?",
  [[All three ways are equally long. do_A and do_B have {ab} lanes each, do_C has {c}.]],
  ab = in_a.lanes, c = in_c.lanes,
  ask = "How many lanes are at work on average, in percent of 32?",
  answer = 100 * lanes_spent / (32 * all_spent), unit = "%", tolerance = 1,
  tips = { "Three turns. How many lanes work in each of them?" },
  because = "{a} + {b} + {c} lanes in three turns of 32: a third. The time is that of do_A, do_B and do_C *together*.",
  a = in_a.lanes, b = in_b.lanes,
}

show(tree, { at = { line = DO_C }, focus = "divergence", margin = "executions" })
explain {
  title = "The other half",
  [[
  Now lanes {who} do do_C. Those of do_A and do_B are done, and wait.

  Step on to the last line. There all 32 store their value in one instruction, since everybody has come back.
  ]],
  who = lanes_of(in_c.mask),
}

try {
  title = "Your turn: an empty room",
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

show(four, { margin = "active lanes" })
predict {
  title = "A switch",
  [[
  Lane `t` takes arm `t % 4` of a switch. All arms do the same amount of work, and N = 1 would send all lanes into the same arm.
  ]],
  ask = "How many times as long does the warp spend in the arms with N = 4 as with N = 1?",
  answer = spent(four, { ARM }) / spent(one, { ARM }), unit = "times", tolerance = 0.01,
  tips = { "Every arm with a lane in it needs a turn." },
  because = "{answer} turns, one for each arm that somebody takes. The {idle} arms that nobody takes cost nothing.",
  idle = 32 - 4,
}

local rows = {}
for _, n in ipairs { 1, 2, 4, 8, 16 } do
  local r = switch(n)
  local turns = spent(r, { ARM }) / spent(one, { ARM })
  rows[#rows + 1] = string.format("  N = %2d   %2.0f turns   %2d lanes", n, turns, r:event({ line = ARM }).lanes)
end

show(four, { at = { line = ARM }, focus = "divergence" })
explain {
  title = "Turns, measured",
  "Turns through the arms, and lanes at work in each:\n\n" .. table.concat(rows, "\n")
    .. "\n\nTwice the arms, twice the time. (The switch on the slide has no `break`: there "
    .. "lanes would fall into the next arm as well.)",
}

local thirty_two = switch(32)

predict {
  title = "As bad as it gets",
  [[With N = 32 every lane has an arm for itself.]],
  ask = "How many lanes are at work in an arm?",
  answer = thirty_two:event({ line = ARM }).lanes, unit = "lanes",
  because = "One at a time, in {turns} turns. No warp can be less busy: it is 32 threads in a row.",
  turns = spent(thirty_two, { ARM }) // spent(one, { ARM }),
}

-- 3. whole warps ------------------------------------------------------------------

local AB = { DO_A, DO_B }
local by_lanes, by_warps = between("lanes"), between("warps")

show(by_lanes, { at = { line = DO_A }, focus = "divergence" })
predict {
  title = "Who should disagree?",
  [[
  Two warps. Half of the threads do do_A, half do_B. You see every second *lane* choose do_A. Now every second *warp* does, with
  `tid / 32 % 2`.
  ]],
  ask = "What part of the instructions in the arms is left, in percent?",
  answer = 100 * spent(by_warps, AB) / spent(by_lanes, AB), unit = "%", tolerance = 1,
  tips = { "How many ways does each warp go, before and after?" },
  because = "{a} instructions became {b}. No warp goes both ways any more.",
  a = spent(by_lanes, AB), b = spent(by_warps, AB),
}

show(by_warps, { at = { line = DO_B, warp = 1 }, focus = "divergence" })
explain {
  title = "Sort your work by warps",
  [[
  Warp 1 has all its lanes in do_B; warp 0 never comes here. Nobody waits.

  So if you may choose which thread does what, let the choice be the same for 32 threads in a row: `tid / 32` rather than
  `tid % 2`, or data that was sorted before.
  ]],
}

run {
  kernel = "diverge_if_else", params = { period = 32, k = 16, a_steps = 16, b_steps = 16, threads = 32 },
  at = { line = DO_A }, focus = "divergence",
}
try {
  title = "Your turn: divided, but busy",
  [[
  Half of the lanes take do_A, half do_B, so half of the warp is idle. `a_steps` and `b_steps` say how long the two are.
  ]],
  goal = "Keep both ways taken, and have nine lanes of ten at work in them.",
  params = { "k", "a_steps", "b_steps" }, solution = { k = 31, a_steps = 60, b_steps = 1 },
  tips = { "The long way wants many lanes, the short way few.", "31 lanes for do_A, and one round of do_B for the last lane." },
  reached = function(r)
    local issued, worked = spent(r, AB)
    local both = r:line(DO_A).warp_instructions > 0 and r:line(DO_B).warp_instructions > 0
    local share = issued > 0 and worked / (32 * issued) or 0
    return both and share > 0.9, (both and "" or "one way only, ") .. string.format("%.0f%% at work", 100 * share)
  end,
}

-- 4. no branch at all ---------------------------------------------------------------

local written = measure { kernel = "scan4" }
local compiled = measure { kernel = "scan4", cut = "compiled" }

show(written, { at = { line = "if ((laneId & 7) >= i)", kind = "branch" }, focus = "divergence" })
predict {
  title = "A very short if",
  [[
  `if ((laneId & 7) >= i) value += n;` comes up {times} times in this kernel, and as written it divides the warp each time. The
  optimizer is free to find something better.
  ]],
  times = written:line("if ((laneId & 7) >= i)").divergent_branches,
  ask = "How many branches divide the warp in the optimized kernel?",
  answer = compiled.counters.divergent_branches, unit = "branches",
  tips = { "Could all lanes do the addition, and some throw it away?" },
  because = "None: all lanes go on together, and a *select* adds either n or 0. That is cheaper than two ways for one addition.",
}

show(compiled, { at = { line = "if ((laneId & 7) >= i)" }, ptx = true, focus = "divergence" })
explain {
  title = "Select, do not branch",
  [[
  This is the optimized kernel. Look for `selp` in the PTX: each lane picks one of two values, by a *predicate*, a register of one bit.

  Compilers do so for short arms only. With a loop or a load in an arm there is a branch, and the warp may divide.
  ]],
}

-- 5. together again ----------------------------------------------------------------------

local STORE = { line = "out[id] = value", kind = "store" }
local both_ways = branches { period = 2, k = 1, threads = 32 }
local after = both_ways:event(STORE)

show(both_ways, { at = { line = DO_B }, focus = "divergence" })
predict {
  title = "After the branch",
  [[This warp goes both ways. Behind the `else` each thread stores its value.]],
  ask = "How many lanes take part in that store, on this machine?",
  answer = after.lanes, unit = "lanes",
  because = "All of them: the warp came together again before it.",
}

show(both_ways, { at = STORE, focus = "divergence" })
explain {
  title = "Do not count on it",
  [[
  Since Volta lanes have program counters of their own. The compiler usually brings them together behind a branch, but nothing
  *promises* it, nor which side goes first.

  If later code needs the whole warp, say so: `__syncwarp()` waits for the lanes that you name. Shuffles and votes take a mask
  for the same reason.
  ]],
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

modify {
  id = "whole_warps", title = "Your own condition",
  [[
  Here is a block of {threads} threads, two warps. Half of the threads shall do_A, the other half do_B, and no warp shall walk
  both ways.
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
    return a == b, "do_A and do_B do not have the same number of threads"
  end,
  tips = { "A warp is 32 threads in a row. Where does the second one begin?" },
  because = "Whoever chooses by whole warps pays for one way only.",
}

-- 6. check -------------------------------------------------------------------------------

local few = branches { period = 32, k = 5, threads = 32 }
local uneven = branches { period = 32, k = 16, a_steps = 10, b_steps = 6, threads = 32 }
local single = branches { period = 32, k = 32, a_steps = 1, threads = 32 }

hide()
check {
  draw = 2,
  {
    [[`if (tid < 5)` in a warp with 32 lanes.]],
    ask = "How many lanes are idle inside?",
    answer = 32 - few:event({ line = DO_A }).lanes, unit = "lanes",
  },
  {
    [[do_A takes 10 rounds of a loop, do_B takes 6, and the warp is divided.]],
    ask = "How many rounds does the warp make in all?",
    answer = spent(uneven, AB) / spent(single, AB), unit = "rounds", tolerance = 0.01,
    because = "The sum: first one way, then the other.",
  },
  {
    [[Each thread of a large block handles one color out of eight, with a switch.]],
    ask = "Which order of the data keeps the warps whole?",
    options = { "all colors in turn: 0, 1, 2, ...", "sorted by color", "it makes no difference" },
    answer = spent(by_warps, AB) < spent(by_lanes, AB) and "sorted by color" or "it makes no difference",
    because = "Then nearly all warps have lanes of one color only.",
  },
  {
    [[All 32 lanes of one warp want do_A, all lanes of another one do_B.]],
    ask = "What does that cost each of the warps?",
    options = { "the time of its own way", "the time of both ways", "the time of the longer way" },
    answer = spent(by_warps, AB) * 2 == spent(by_lanes, AB) and "the time of its own way" or "the time of both ways",
  },
}

rubric {
  id = "divergence",
  title = "In your own words",
  ask = "What is divergence, what does it cost, and what does not cost anything?",
  model = [[
  Lanes of one warp go different ways at a branch. The warp takes the ways one after the other, with the other lanes masked off,
  so its time is their sum. Ways that no lane takes cost nothing, nor do warps that differ from each other. Behind the
  branch the lanes meet again.
  ]],
  points = {
    "lanes of one warp", "one way after the other, others masked", "the sum of the ways", "empty ways are free",
    "between warps it is free", "they meet again",
  },
}

recite {
  title = "From memory",
  ask = "What is to be kept of divergence? One line each.",
  [[
  - A warp needs a turn for each way that one of its lanes goes. The time is the sum.
  - Ways that nobody goes are free; so are ways of other warps.
  - Nested branches divide what is left.
  - Short arms become selects.
  - `__syncwarp` where lanes must meet.
  ]],
}

finish {
  title = "Divergence: what to keep",
  [[
  - A warp needs a turn for each way that one of its lanes goes. The time is the sum.
  - Ways that nobody goes are free; so are ways of other warps.
  - Nested branches divide what is left.
  - Short arms become selects.
  - `__syncwarp` where lanes must meet.
  ]],
  next = "L08",
}
