return {
  name = "warp_lock", id = "K87",
  title = "A lock for every lane",
  about = "All lanes ask for the lock, one gets it, the others ask again: a "
    .. "warp needs a round for each of its lanes. The work is done inside the "
    .. "branch of the winner, so this ends on every machine. form=spin waits "
    .. "first and works then: before Volta (--sched stack) it never ends.",
  topic = "atomics",
  lessons = { "L16" },
  source = "warp_lock.cu",
  kernel = "warp_lock",
  params = {
    { name = "threads", default = 32, min = 1, max = 128,
      help = "threads in the one block" },
  },

  forms = {
    { name = "safe", title = "the work is inside of the loop" },
    { name = "spin", title = "the work is behind the loop", source = "warp_lock.spin.cu",
      erratum = "E141", where = "CS 677, Locks",
      expect = { verdict = "wrong", faults = { "livelock" }, sched = "stack",
        unless = function(p) return p.threads == 1 end } },
  },

  launch = function(p)
    return {
      grid = { 1, 1, 1 }, block = { p.threads, 1, 1 }, shared = 0,
      args = {
        { name = "counter", type = "i32", count = 1, init = "zero" },
        { name = "lock", type = "i32", count = 1, init = "zero" },
      },
    }
  end,

  check = function(p, run)
    local right, message = expect(run.output("counter"), function() return p.threads end)
    if not right then
      return false, message
    end
    return expect(run.output("lock"), function() return 0 end)
  end,
}
