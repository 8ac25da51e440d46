demo { title = "The sum, not the maximum", minutes = 2, where = "CS 378h, a switch with N arms" }

local ARM = "value = value * 3 + arm"

-- Passes of the warp through the arms, in those of one arm.
local function passes(r, one)
  return r:line(ARM).warp_instructions / one:line(ARM).warp_instructions
end

scene {
  kernel = "diverge_switch_n", params = { N = 1 }, at = { line = ARM, kind = "exec" }, focus = "divergence", big = true,
  say = "A switch over the lanes. With one arm in use all {lanes} lanes go through it together.",
  values = function(r)
    return { lanes = r:event({ line = ARM, kind = "exec" }).lanes }
  end,
  note = "All arms are equally long. Keep the eyes on how many lanes are lit.",
}
scene {
  kernel = "diverge_switch_n", params = { N = 4 }, at = { line = ARM, kind = "exec" }, focus = "divergence", big = true,
  say = "Four arms: now {lanes} lanes are lit. Step on, and the lit ones wander.",
  values = function(r)
    return { lanes = r:event({ line = ARM, kind = "exec" }).lanes }
  end,
  note = "Step with n through the four arms: each lane runs once, the warp four times.",
}
scene {
  kernel = "diverge_switch_n", params = { N = 32 }, compare = { params = { N = 1 } }, label = "one arm",
  at = { line = ARM, kind = "exec" }, focus = "divergence", big = true, hide = true,
  say = "Thirty-two arms, one for each lane. The threads do no more than before.",
  note = "The work of all threads together is the same. Say so before the question.",
}
ask {
  "How many times as long is the warp in its arms?", options = { "1", "2", "16", "32" }, seconds = 40,
  answer = passes,
  note = "Many say 1, or 2. Ask a 1 and a 32 for their reasons.",
}
reveal {
  say = "{times} times: {all} warp instructions in the arms in place of {one}, with one lane lit in each.",
  values = function(r, one)
    return { times = passes(r, one), all = r:line(ARM).warp_instructions, one = one:line(ARM).warp_instructions }
  end,
}
scene {
  kernel = "diverge_between_warps", params = { split = "warps" }, compare = { params = { split = "lanes" } },
  label = "every second lane", focus = "divergence", at = { line = "value = value * 3 + 1", kind = "exec" }, big = true,
  say = "The same choice made by whole warps: {apart} warp instructions in place of {mixed}.",
  values = function(r, other)
    return { apart = r.counters.warp_instructions, mixed = other.counters.warp_instructions }
  end,
  note = "The optimizer does not save you: try it as compiled.",
}
keep { "Let warps disagree, not lanes." }
