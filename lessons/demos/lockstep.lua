demo { title = "The forgotten __syncwarp", minutes = 1.5, where = "Thinking and Coding in Parallel, example 2.9" }

scene {
  kernel = "reduce4", form = "nosyncwarp", sched = "stack", focus = "banks", big = true, hide = true,
  say = "The last levels of a tree in shared memory, by one warp, without barriers. The sum is right.",
  note = "Under the rules before Volta: all lanes of a warp go in step.",
}
ask {
  "And under the rules since Volta, what do the checks say of it?", seconds = 30,
  options = { "nothing", "races" }, answer = "races",
  note = "The sum is right in both. What is told is not what came out, but what nothing forbids.",
}
reveal {
  say = "Lanes need not go in step: between two levels nothing orders the store and the read.",
}
scene {
  kernel = "reduce4", form = "nosyncwarp", sched = "its", focus = "banks", big = true,
  say = "{count} races, and the sum is {verdict} all the same.",
  values = function(r)
    return { count = #r.faults, verdict = r.verdict }
  end,
}
keep { "A right sum proves no order. __syncwarp does." }
