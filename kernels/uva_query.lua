-- A bit for each space, as the kernel tells it.
local GLOBAL, SHARED, LOCAL, CONSTANT = 1, 2, 4, 8
local OWNERS = { GLOBAL, GLOBAL, GLOBAL, GLOBAL, SHARED, LOCAL, CONSTANT }

return {
  name = "uva_query", id = "K14",
  title = "One line of addresses",
  about = "Host and device share one range of addresses, so a copy can be told "
    .. "its direction by the pointers alone (cudaMemcpyDefault). Numbers go "
    .. "from host to host, to the device, on the device and back; in between "
    .. "a kernel asks seven pointers which space they point into.",
  topic = "programs",
  lessons = { "L09" },
  source = "uva_query.cu",
  params = {
    { name = "n", default = 256, min = 7, max = 1 << 22, scale = "log2",
      help = "numbers that make the round" },
  },

  sequence = function(p)
    return {
      buffers = {
        { name = "plain", type = "i32", count = p.n, init = "random:14" },
        { name = "pinned", type = "i32", count = p.n, init = "none",
          host = "pinned" },
        { name = "managed", type = "i32", count = p.n, init = "zero",
          host = "managed" },
        { name = "device", type = "i32", count = p.n, init = "none",
          host = "none" },
        { name = "owner", type = "i32", count = #OWNERS, init = "none" },
      },
      steps = {
        { copy = "h2h", buffer = "plain", to = "pinned" },
        { copy = "h2d", buffer = "pinned" },
        { copy = "d2d", buffer = "pinned", to = "device" },
        { launch = "uva_query", grid = { 1 }, block = { #OWNERS },
          args = { "owner", "device", "pinned", "managed" } },
        { copy = "d2d", buffer = "device", to = "managed" },
        { copy = "d2h", buffer = "owner" },
        { sync = "device" },
        { read = "managed" },
        { read = "owner" },
      },
    }
  end,

  check = function(_, run)
    local same, message = expect(run.output("managed"), run.input("plain"))
    if not same then
      return same, message
    end
    return expect(run.output("owner"), function(i) return OWNERS[i + 1] end)
  end,
}
