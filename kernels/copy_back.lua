-- What stands between the launch and the host's first look, by form.
local between = {
  right = { { copy = "d2h", buffer = "y" } },
  async = { { copy = "d2h", buffer = "y", async = true, stream = "work" } },
  waited = { { copy = "d2h", buffer = "y", async = true, stream = "work" },
    { sync = "stream", stream = "work" } },
  elsewhere = { { copy = "d2h", buffer = "y", async = true, stream = "other" },
    { sync = "stream", stream = "other" } },
  ordered = { { record = "squared", stream = "work" },
    { wait = "squared", stream = "other" },
    { copy = "d2h", buffer = "y", async = true, stream = "other" },
    { sync = "stream", stream = "other" } },
  managed = {},
  waits = { { sync = "device" } },
}

local early = { verdict = "by chance", faults = { "early_read" } }

return {
  name = "copy_back", id = "K103",
  title = "May the host look already?",
  about = "A kernel, a copy back, and the host reads. A copy that blocks has "
    .. "waited for the kernel and for itself; an asynchronous one has waited "
    .. "for nothing, and managed memory has no copy that could wait. What is "
    .. "read too early is told, whether the value was there or not.",
  topic = "programs",
  lessons = { "L18" },
  source = "copy_back.cu",
  params = {
    { name = "n", default = 4096, min = 1, max = 1 << 22, scale = "log2",
      help = "elements" },
  },
  forms = {
    { name = "right", title = "cudaMemcpy, then a look" },
    { name = "async", title = "cudaMemcpyAsync, then a look", expect = early },
    { name = "waited", title = "cudaMemcpyAsync, and a wait for its stream" },
    { name = "elsewhere", title = "a copy in another stream",
      expect = { verdict = "by chance", faults = { "unordered" } } },
    { name = "ordered", title = "a copy in another stream, behind an event" },
    { name = "managed", title = "managed memory, then a look", expect = early },
    { name = "waits", title = "managed memory, and a wait for the device" },
  },

  sequence = function(p)
    local is_managed = p.form == "managed" or p.form == "waits"
    local host = is_managed and "managed" or "pinned"
    local steps = {
      { copy = "h2d", buffer = "x" },
      { launch = "square", grid = { cdiv(p.n, 256) }, block = { 256 },
        args = { "y", "x", p.n }, stream = "work" },
    }
    if is_managed then table.remove(steps, 1) end
    for _, step in ipairs(between[p.form]) do steps[#steps + 1] = step end
    steps[#steps + 1] = { read = "y" }
    return {
      buffers = {
        { name = "x", type = "i32", count = p.n, init = "mod:1000", host = host },
        { name = "y", type = "i32", count = p.n, init = "none", host = host },
      },
      streams = { "work", "other" },
      steps = steps,
    }
  end,

  check = function(_, run)
    return expect(run.output("y"), (each.index() % 1000) ^ 2)
  end,
}
