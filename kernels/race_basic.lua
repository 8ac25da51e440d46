return {
  name = "race_basic", id = "K80",
  title = "Two threads, one cell",
  about = "Each thread stores its number into the same cell of shared memory. Whose "
    .. "number stays is not said anywhere. It is the smallest race there is: two "
    .. "stores, one address, no order.",
  topic = "atomics",
  lessons = { "L17" },
  source = "race_basic.cu",
  kernel = "Basic",
  params = {
    { name = "threads", default = 2, min = 1, max = 1024,
      help = "threads of the one block" },
  },
  forms = {
    { name = "lecture", title = "a volatile cell", where = "CUDA Compute Sanitizer, racecheck",
      expect = { faults = { "race" }, line = "i = threadIdx.x",
        unless = function(p) return p.threads == 1 end } },
    { name = "plain", title = "an ordinary cell", define = "PLAIN",
      where = "CUDA Compute Sanitizer, racecheck",
      expect = { faults = { "race" }, line = "i = threadIdx.x",
        unless = function(p) return p.threads == 1 end } },
  },

  launch = function(p)
    return {
      grid = { 1, 1, 1 }, block = { p.threads, 1, 1 }, shared = 0,
      args = { { name = "last", type = "i32", count = 1, init = "none" } },
    }
  end,

  -- Any of them may have been the last.
  check = function(p, run)
    local last = run.output("last")[0]
    if last >= 0 and last < p.threads then
      return true
    end
    return false, "the cell holds " .. last .. ", and no thread has that number"
  end,
}
