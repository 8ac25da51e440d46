-- How often each thread runs its loop: 1 to 16 times, as many threads for
-- each number; or once, but for one thread.
local function counts_of(p)
  local counts = {}
  for id = 0, p.threads - 1 do
    counts[id + 1] = p.data == "sorted" and 16 * id // p.threads + 1
      or p.data == "mixed" and 7 * id % 16 + 1
      or id == 5 and 16 or 1
  end
  return counts
end

return {
  name = "data_steps", id = "K123",
  title = "Loops as long as the data says",
  about = "Thread i runs its loop counts[i] times. Where numbers are mixed, "
    .. "each warp has a lane with 16 rounds, and the others wait for it; where "
    .. "they are sorted, most warps are done before. One lane with 16 rounds is "
    .. "enough to hold up 31.",
  topic = "divergence",
  lessons = { "L04" },
  source = "data_steps.cu",
  kernel = "data_steps",
  params = {
    { name = "data", default = "mixed", values = { "mixed", "sorted", "one" },
      help = "how the numbers 1 to 16 lie in the array; one: all 1, but for one" },
    { name = "threads", default = 128, values = { 32, 64, 128, 256, 512, 1024 },
      help = "threads in the one block" },
  },

  launch = function(p)
    return {
      grid = { 1, 1, 1 }, block = { p.threads, 1, 1 }, shared = 0,
      args = {
        { name = "out", type = "u32", count = p.threads, init = "none" },
        { name = "counts", type = "i32", count = p.threads, values = counts_of(p) },
      },
    }
  end,

  check = function(_, run)
    local counts = run.input("counts")
    return expect(run.output("out"), function(i)
      local value = i
      for _ = 1, counts[i] do
        value = (value * 3 + 1) & 0xffffffff
      end
      return value
    end)
  end,
}
