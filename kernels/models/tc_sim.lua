return {
  name = "tc_sim", id = "K93",
  title = "Temporal coherence: copies with a date",
  about = "A copy is good for 10 cycles and ends without a message. A strong "
    .. "write waits until all copies are over; a weak one is done at once, "
    .. "and a fence waits.",
  topic = "coherence",
  lessons = { "L18" },
  model = "coherence",
  values = { protocol = "TC strong", lease = 10, ops = "r0 r1@4 w2=7@6 r0" },
}
