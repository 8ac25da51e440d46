return {
  name = "escalator", id = "K42",
  title = "Little's law on an escalator",
  about = "20 steps, a step every two seconds, a person on a step. One rider "
    .. "alone is 0.025 people a second; 20 of them fill the stairs, and more "
    .. "give nothing.",
  topic = "latency",
  lessons = { "L07" },
  model = "little",
  values = { riders = 1, steps = 20, seconds = 2 },
}
