demo { title = "One address at a time", minutes = 1.5, where = "CS 677, constant memory" }

local LOAD = { kind = "load", space = "const" }

scene {
  kernel = "fd_constant", params = { by = "step" }, at = LOAD, focus = "constant", big = true,
  say = "Sixteen coefficients in constant memory. In each step all lanes want the same one.",
  note = "One address, one pass, 32 lanes served.",
}
scene {
  kernel = "fd_constant", params = { by = "lane" }, compare = { params = { by = "step" } }, label = "all the same",
  at = LOAD, focus = "constant", big = true, hide = true,
  say = "Now each lane begins with another coefficient. The sums are the same.",
}
ask {
  "How many passes does a load take?", options = { "1", "2", "16", "32" }, seconds = 30,
  answer = function(r)
    return r.counters.const_load_addresses / r.counters.const_load_requests
  end,
}
reveal {
  say = "{now} addresses for the same sums in place of {before}: one pass for each that is different.",
  values = function(r, same)
    return { now = r.counters.const_load_addresses, before = same.counters.const_load_addresses }
  end,
}
keep { "Constant memory broadcasts. It does not gather." }
