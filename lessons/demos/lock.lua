demo { title = "The lock that hung for ten years", minutes = 3, where = "CS 677, locks" }

local SPIN = { line = "atomicCAS", kind = "atomic" }

scene {
  kernel = "warp_lock", form = "spin", sched = "stack", at = SPIN, focus = "atomics", big = true, hide = true,
  say = "{lanes} lanes of a warp, one lock. Each waits until it has it, adds one, and gives it back.",
  values = function(r)
    return { lanes = r.threads }
  end,
  note = "Read the three lines aloud: wait, work, give back. It is how one writes it on a CPU.",
}
ask {
  "What happens?", options = { "32 turns", "a crash", "it never ends", "it depends" }, seconds = 40,
  answer = function(r)
    return #r.faults > 0 and "it depends" or "32 turns"
  end,
  note = "Let them argue. Somebody knows that it works on a new GPU.",
}
reveal {
  at = "end",
  say = "On a GPU before Volta it never ends. One lane has the lock, and waits for those that wait for it.",
  note = "Lanes of a warp met again behind the loop. So nobody came to the line that gives the lock back.",
}
scene {
  kernel = "warp_lock", form = "spin", sched = "its", at = SPIN, focus = "atomics", big = true,
  say = "Since Volta lanes go on by themselves: the counter is {count}, after {all} warp instructions.",
  values = function(r)
    return { count = r:output("counter")[0], all = r.counters.warp_instructions }
  end,
  note = "How many it takes is the emulator's way of taking turns. Say hundreds of times, not the number.",
}
scene {
  kernel = "warp_lock", form = "safe", sched = "stack", at = SPIN, focus = "atomics", big = true,
  say = "Work inside of the loop, and it ends anywhere: {all} warp instructions.",
  values = function(r)
    return { all = r.counters.warp_instructions }
  end,
  note = "Same lock, same lanes. The winner lets go before the next round begins.",
}
keep { "No locks between lanes." }
