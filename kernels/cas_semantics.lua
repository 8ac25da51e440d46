-- What the cell holds when all have been there, and how it is kept.
local wanted = {
  add = function(count) return count end,
  max = function(count) return count - 1 end,
  float = function(count) return 0.5 * count end,
}

return {
  name = "cas_semantics", id = "K21",
  title = "Any atomic from compare and swap",
  about = "Each thread adds 1 (or takes the maximum, or adds 0.5 to a float) by "
    .. "compare and swap. Of the lanes that try together one gets through, the "
    .. "others learn what is there now and try again: tries[] says how often.",
  topic = "atomics",
  lessons = { "L16" },
  source = "cas_semantics.cu",
  kernel = function(p) return "cas_" .. p.op end,
  params = {
    { name = "op", default = "add", values = { "add", "max", "float" },
      help = "what is made of it" },
    { name = "threads", default = 32, min = 1, max = 1024,
      help = "threads in each block" },
    { name = "blocks", default = 1, min = 1, max = 16, help = "blocks of the grid" },
  },
  forms = {
    { name = "right", title = "one step, in hardware" },
    { name = "body", title = "the C text that says what it means", define = "BODY",
      erratum = "E27", where = "CS 677, Compare and Swap",
      expect = { verdict = "wrong", faults = { "race" },
        unless = function(p) return p.threads * p.blocks == 1 end } },
  },

  launch = function(p)
    local count = p.threads * p.blocks
    return {
      grid = { p.blocks, 1, 1 }, block = { p.threads, 1, 1 }, shared = 0,
      args = {
        { name = "p", type = p.op == "float" and "f32" or "i32", count = 1, init = "zero" },
        { name = "tries", type = "i32", count = count, init = "none" },
      },
    }
  end,

  check = function(p, run)
    local count, tries = p.threads * p.blocks, run.output("tries")
    for i = 0, count - 1 do
      if tries[i] < 1 then
        return false, "thread " .. i .. " tried " .. tries[i] .. " times"
      end
    end
    return expect(run.output("p"), function() return wanted[p.op](count) end)
  end,
}
