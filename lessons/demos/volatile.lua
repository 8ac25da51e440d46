demo { title = "Volatile does not help", minutes = 1, where = "CS 677, race conditions" }

local ADD = { line = "*a += 1" }

scene {
  kernel = "race_add", form = "plain", at = ADD, focus = "segments", big = true,
  say = "{threads} threads add 1 to one cell. It holds {sum} at the end.",
  values = function(r)
    return { threads = r.blocks * r.threads, sum = r:output("a")[0] }
  end,
  note = "Load, add, store: three steps, and lanes of a warp take each of them together.",
}
scene {
  kernel = "race_add", form = "volatile", at = ADD, focus = "segments", big = true, hide = true,
  say = "Somebody makes the cell volatile. Now each thread really loads and stores.",
}
ask {
  "What does the cell hold?", options = { "all of them", "1", "a few", "none" }, seconds = 30,
  answer = function(r)
    local sum, threads = r:output("a")[0], r.blocks * r.threads
    return sum == threads and "all of them" or sum == 0 and "none" or sum == 1 and "1" or "a few"
  end,
}
reveal {
  say = "{sum} of {threads}. A warp loads one number, 32 times, and stores one number, 32 times.",
  values = function(r)
    return { sum = r:output("a")[0], threads = r.blocks * r.threads }
  end,
}
scene {
  kernel = "race_add", form = "atomic", at = { kind = "atomic" }, focus = "atomics", big = true,
  say = "An atomic does the three steps as one: {sum}.",
  values = function(r)
    return { sum = r:output("a")[0] }
  end,
}
keep { "volatile is no atomic, and orders nothing." }
