return {
  name = "warp_meeting", id = "K94",
  title = "Half of a warp waits for the other",
  about = "Lanes 0 to 15 wait for a flag that lanes 16 to 31 set. Since Volta "
    .. "each lane has its own place in the program, and it ends. Before, a "
    .. "warp had one place for all (--sched stack): it ends only if the half "
    .. "that sets the flag happens to go first.",
  topic = "warp",
  lessons = { "L15" },
  source = "warp_meeting.cu",
  kernel = "warp_meeting",
  params = {},
  forms = {
    { name = "waits", title = "the if waits, the else sets" },
    { name = "sets", title = "the if sets, the else waits", erratum = "E142",
      where = "CS 378h, Independent Thread Scheduling",
      source = "warp_meeting.setsfirst.cu" },
  },

  launch = function()
    return {
      grid = { 1, 1, 1 }, block = { 32, 1, 1 }, shared = 0,
      args = {
        { name = "out", type = "i32", count = 32, init = "none" },
        { name = "flag", type = "i32", count = 1, init = "zero" },
      },
    }
  end,

  check = function(p, run)
    local waits = p.form == "sets" and 1 or 0
    return expect(run.output("out"), function(lane)
      return lane // 16 == waits and 1 or 2
    end)
  end,
}
