return {
  name = "block_dispatch", id = "K15",
  title = "Blocks go to whatever SM has room",
  about = "The same grid on a small device and, with more SMs, on a larger "
    .. "one: blocks wait in a queue, each takes the first place that is free, "
    .. "in no order that anybody promises. Play it, then change sms.",
  topic = "blocks",
  lessons = { "L05" },
  model = "waves",
  values = { sms = 2, blocks = 8, spread = 40 },
}
