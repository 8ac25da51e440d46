local FLOATS = { float = 1, float2 = 2, float4 = 4 }
local ROOM = 64   -- floats behind those that are copied from the start

return {
  name = "wide_copy", id = "K120",
  title = "Wide loads and their alignment",
  about = "A lane may load 4, 8 or 16 bytes at once, from an address that is "
    .. "a multiple of that. Where the offset does not allow it, the floats are "
    .. "copied one by one; the form cast loads all the same, and faults.",
  topic = "global memory",
  lessons = { "L08" },
  source = "wide_copy.cu",
  kernel = function(p)
    return "wide_copy<" .. p.type .. ">"
  end,
  params = {
    { name = "type", default = "float4", values = { "float", "float2", "float4" },
      help = "what a lane loads at once: 4, 8 or 16 bytes" },
    { name = "offset", default = 0, min = 0, max = ROOM,
      help = "first float that is copied" },
    { name = "n", default = 1024, min = 4, max = 1 << 24, scale = "log2",
      help = "floats to copy, a multiple of 4" },
    { name = "threads", default = 128, values = { 32, 64, 128, 256, 512, 1024 },
      help = "threads per block" },
  },
  timing = { n = 1 << 24, threads = 256 },
  forms = {
    { name = "right" },
    { name = "cast", title = "any address is taken for one of a wide piece",
      source = "wide_copy.cast.cu",
      expect = { at = { offset = 1 }, faults = { "misaligned" },
        verdict = "wrong", line = "((T *)",
        unless = function(p) return p.offset % FLOATS[p.type] == 0 end } },
  },

  launch = function(p)
    if p.n % 4 ~= 0 then
      error("n is " .. p.n .. ": pieces of 16 bytes need a multiple of 4", 0)
    end
    return {
      grid = { cdiv(p.n // FLOATS[p.type], p.threads), 1, 1 },
      block = { p.threads, 1, 1 }, shared = 0,
      args = {
        { name = "out", type = "f32", count = p.n, init = "none" },
        { name = "in", type = "f32", count = p.n + ROOM, init = "random:12345678" },
        { name = "offset", type = "i32", value = p.offset },
        { name = "n", type = "i32", value = p.n },
      },
    }
  end,

  check = function(p, run)
    return expect(run.output("out"),
      each.at(run.input("in"), p.offset + each.index()))
  end,
}
