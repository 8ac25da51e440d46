-- What the two threads and the cell hold at the end: a[0], a[1], v.
local outcomes = {
  { 1, 1, 1 }, { 5, 1, 1 }, { 5, 1, 5 }, { 5, 5, 5 },
  { 5, 6, 6 }, { 6, 1, 6 }, { 6, 6, 6 },
}

return {
  name = "race_add_5_1", id = "K20",
  title = "Two threads add to one cell",
  about = "One thread adds 5, another adds 1, and both look at the result. It is "
    .. "a race: :orders tries all 70 orders of their accesses, and n goes to the "
    .. "accesses that race.",
  topic = "atomics",
  lessons = { "L16" },
  source = "race_add_5_1.cu",
  kernel = "race_add_5_1",
  params = {
    { name = "other", default = 32, min = 32, max = 1917,
      help = "the thread that adds 1; in another block from 1024 on" },
  },
  lecture = { other = 1917 },
  expect = { faults = { "race", "lost_update" } },

  launch = function(p)
    local threads = math.min(rup(p.other + 1, 32), 1024)
    return {
      grid = { cdiv(p.other + 1, threads), 1, 1 }, block = { threads, 1, 1 }, shared = 0,
      args = {
        { name = "a", type = "i32", count = 2, init = "none" },
        { name = "v", type = "i32", count = 1, init = "zero" },
        { name = "other", type = "i32", value = p.other },
      },
    }
  end,

  check = function(_, run)
    local a, v = run.output("a"), run.output("v")
    for _, o in ipairs(outcomes) do
      if a[0] == o[1] and a[1] == o[2] and v[0] == o[3] then
        return true
      end
    end
    return false, "a[0], a[1], v are " .. a[0] .. ", " .. a[1] .. ", " .. v[0]
      .. ", which no order of the two threads gives"
  end,
}
