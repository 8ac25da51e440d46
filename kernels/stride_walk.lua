return {
  name = "stride_walk", id = "K122",
  title = "One stride after another",
  about = "A warp stores to words of shared memory that are s apart, and reads "
    .. "them, for each s from first to last. A store queues at the banks as a "
    .. "load does: the greatest common divisor of s and 32.",
  topic = "shared memory",
  lessons = { "L11" },
  source = "stride_walk.cu",
  kernel = "stride_walk",
  params = {
    { name = "first", default = 1, min = 1, max = 32, help = "first stride, in words" },
    { name = "last", default = 8, min = 1, max = 32, help = "last stride" },
  },

  launch = function(p)
    if p.last < p.first then
      error("last is " .. p.last .. ": it has to be first, or above", 0)
    end
    return {
      grid = { 1, 1, 1 }, block = { 32, 1, 1 }, shared = 0,
      args = {
        { name = "out", type = "i32", count = 32, init = "none" },
        { name = "first", type = "i32", value = p.first },
        { name = "last", type = "i32", value = p.last },
      },
    }
  end,

  -- Lane i has what lane 31 - i had, doubled, with s added: in 32 bits.
  check = function(p, run)
    local function wrapped(value)
      value = value & 0xffffffff
      return value < 1 << 31 and value or value - (1 << 32)
    end
    return expect(run.output("out"), function(lane)
      local rounds = p.last - p.first + 1
      local value = rounds % 2 == 0 and lane or 31 - lane
      for s = p.first, p.last do
        value = 2 * value + s
      end
      return wrapped(value)
    end)
  end,
}
