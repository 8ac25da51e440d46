demo { title = "The lock that hung for ten years", minutes = 3, where = "CS 677, locks" }

local SPIN = { kind = "atomic" }

scene {
  kernel = "warp_lock", form = "spin", cut = "compiled", sched = "its", at = SPIN, focus = "atomics", big = true,
  hide = true,
  say = "{lanes} lanes of a warp, one lock. Each waits until it has it, adds one, and gives it back.",
  values = function(r)
    return { lanes = r.threads }
  end,
  note = "Read the three lines aloud: wait, work, give back. It is how one writes it on a CPU.",
}
ask {
  "What happens?", options = { "32 turns", "a crash", "it never ends", "it depends" }, seconds = 40,
  answer = "it depends",
  note = "Let them argue. Somebody knows that it works on a new GPU.",
}
reveal {
  say = "Since Volta lanes go on by themselves: the counter is {count}, after {all} warp instructions.",
  values = function(r)
    return { count = r:output("counter")[0], all = r.counters.warp_instructions }
  end,
  note = "How many it takes is the emulator's way of taking turns. Say hundreds of times, not the number.",
}
scene {
  kernel = "warp_lock", form = "spin", sched = "stack", at = { kind = "atomic", nth = 2 }, focus = "atomics",
  big = true,
  say = "Before Volta: {fault}. {waiting} lanes ask again and again, and lane 0, which has the lock, waits for them.",
  values = function(r)
    return { fault = r.faults[1].kind, waiting = r:event({ kind = "atomic", nth = 2 }).lanes }
  end,
  note = "The lanes were to meet again behind the loop. So nobody came to the line that gives the lock back.",
}
scene {
  kernel = "warp_lock", form = "safe", cut = "compiled", sched = "stack", at = SPIN, focus = "atomics", big = true,
  say = "Work inside of the loop, and it ends anywhere: {all} warp instructions.",
  values = function(r)
    return { all = r.counters.warp_instructions }
  end,
  note = "Same lock, same lanes. The winner lets go before the next round begins.",
}
keep { "No locks between lanes." }
