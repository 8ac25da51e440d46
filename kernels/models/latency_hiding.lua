return {
  name = "latency_hiding", id = "K52",
  title = "Others work while one waits",
  about = "Every warp loads, then works on what came. While it waits, others "
    .. "work: with 400 cycles to memory and 25 instructions a round, 17 of "
    .. "them are enough, if they take turns well.",
  topic = "latency",
  lessons = { "L07" },
  model = "latency",
  values = { program = "rounds", warps = 4, memory = 400, work = 25,
    policy = "greedy" },
}
