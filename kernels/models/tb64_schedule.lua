return {
  name = "tb64_schedule", id = "K83",
  title = "Blocks of two warps onto SMs",
  about = "A block of 64 threads is two warps. An SM takes as many blocks as "
    .. "it has room for, the rest waits. Play it and watch the queue.",
  topic = "blocks",
  lessons = { "L05" },
  model = "waves",
  values = { sms = 4, per_sm = 2, blocks = 20, spread = 20 },
}
