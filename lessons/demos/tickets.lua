demo { title = "Ticket 8 of 8", minutes = 1, where = "CS 378h, a queue of work" }

local DRAW = { kind = "atomic" }

scene {
  kernel = "workqueue", form = "lecture", at = DRAW, focus = "atomics", big = true, hide = true,
  say = "Who is free draws a ticket, and does the item of that number. atomicInc(counter, 8) hands them out.",
  note = "There are 12 threads and 8 items, 0 to 7.",
}
ask {
  "Which tickets are handed out?", options = { "0 to 7", "0 to 8", "1 to 8", "0 to 11" }, seconds = 30,
  answer = function(r)
    local most = 0
    for lane = 0, 31 do
      most = math.max(most, r:event(DRAW).results[lane] or 0)
    end
    return "0 to " .. most
  end,
}
reveal {
  at = "end",
  say = "8 is handed out, too: atomicInc goes back to 0 behind its limit, not at it. Item 8 does not exist.",
}
keep { "Draw with atomicAdd, then compare with the number of items." }
