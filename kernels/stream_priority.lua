local function is_right(p, run, name)
  local scale, add = 0.5 ^ p.rounds, 2 * (1 - 0.5 ^ p.rounds)
  local got, was = run.output(name), run.input(name)
  for i = 0, #got - 1, 97 do
    local want = was[i] * scale + add
    if math.abs(got[i] - want) > 1e-5 * math.abs(want) then
      return false, string.format("%s[%d] is %.9g, expected %.9g", name, i,
        got[i], want)
    end
  end
  return true
end

return {
  name = "stream_priority", id = "K95",
  title = "A small kernel that hurries",
  about = "A kernel of several waves runs when a small one comes in another "
    .. "stream. With a higher priority its blocks pass those that wait, and "
    .. "never those that run: it begins with the next wave. Without, it comes "
    .. "last. T shows both over time.",
  topic = "programs",
  lessons = { "L18", "L05" },
  source = "stream_priority.cu",
  params = {
    { name = "urgent", default = "yes", values = { "yes", "no" },
      help = "whether the small kernel's stream has the higher priority" },
    { name = "blocks", default = 1056, min = 1, max = 8192,
      help = "of the large kernel; an H200 holds 264 of 1024 threads at once" },
    { name = "small", default = 66, min = 1, max = 1056,
      help = "blocks of the small kernel" },
    { name = "rounds", default = 128, min = 1, max = 4096, scale = "log2",
      help = "rounds of both: how long a block takes" },
  },

  sequence = function(p)
    local function launch(buffer, blocks, stream)
      return { launch = "work", grid = { blocks }, block = { 1024 },
        args = { buffer, p.rounds }, stream = stream }
    end
    return {
      buffers = {
        { name = "large", type = "f32", count = 1024 * p.blocks,
          init = "mod:1009", host = "none" },
        { name = "small", type = "f32", count = 1024 * p.small,
          init = "mod:1013", host = "none" },
      },
      streams = { "background",
        { name = "hurry", priority = p.urgent == "yes" and -1 or 0 } },
      steps = {
        launch("large", p.blocks, "background"),
        launch("small", p.small, "hurry"),
        { sync = "device" },
      },
    }
  end,

  check = function(p, run)
    local right, words = is_right(p, run, "large")
    if not right then return right, words end
    return is_right(p, run, "small")
  end,
}
