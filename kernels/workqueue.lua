-- How much work an item is: uneven, and no two neighbors alike.
local function work(k)
  return 1 + 7 * k % 20
end

local function queue(items)
  local list = {}
  for k = 0, items - 1 do
    list[k + 1] = work(k)
  end
  return list
end

local function worked(w)
  return w * (w + 1) // 2
end

return {
  name = "workqueue", id = "K23",
  title = "A queue of work and a counter of tickets",
  about = "An atomic counter hands out tickets, so no item is done twice, and who "
    .. "draws a short one comes back sooner. In which order they are drawn is "
    .. "nobody's promise. form=lecture is the printed one: atomicInc with the "
    .. "number of items as its limit.",
  topic = "atomics",
  lessons = { "L16" },
  source = "workqueue.cu",
  kernel = "workq",
  params = {
    { name = "threads", default = 12, min = 1, max = 1024,
      help = "threads that work, in one block" },
    { name = "queue_max", default = 8, min = 1, max = 1 << 14, scale = "log2",
      help = "items in the queue" },
  },
  forms = {
    { name = "right", title = "atomicAdd, and a test" },
    { name = "lecture", title = "atomicInc, one item for each thread",
      source = "workqueue.lecture.cu", erratum = "E30", where = "CS 677, Work Queue",
      expect = { verdict = "wrong", faults = { "out_of_bounds" },
        line = "work_q[q_index]",
        unless = function(p) return p.threads == p.queue_max end } },
  },

  launch = function(p)
    return {
      grid = { 1, 1, 1 }, block = { p.threads, 1, 1 }, shared = 0,
      args = {
        { name = "work_q", type = "i32", count = p.queue_max, values = queue(p.queue_max) },
        { name = "q_counter", type = "u32", count = 1, init = "zero" },
        { name = "output", type = "i32",
          count = p.form == "lecture" and math.max(p.threads, p.queue_max) or p.queue_max,
          init = "zero" },
        { name = "queue_max", type = "i32", value = p.queue_max },
      },
    }
  end,

  -- The printed form leaves results where their threads are: all of them have to be there, in any order.
  check = function(p, run)
    local output = run.output("output")
    if p.form ~= "lecture" then
      return expect(output, function(k) return worked(work(k)) end)
    end
    local missing = {}
    for k = 0, p.queue_max - 1 do
      local result = worked(work(k))
      missing[result] = (missing[result] or 0) + 1
    end
    for i = 0, #output - 1 do
      if output[i] ~= 0 then missing[output[i]] = (missing[output[i]] or 0) - 1 end
    end
    for k = 0, p.queue_max - 1 do
      local result = worked(work(k))
      if missing[result] ~= 0 then
        return false, "item " .. k .. " was not done once: its result " .. result .. " is there "
          .. (missing[result] > 0 and "too seldom" or "too often")
      end
    end
    return true
  end,
}
