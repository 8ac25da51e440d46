return {
  name = "waves_tails", id = "K43",
  title = "Waves and tails",
  about = "12 blocks on 8 SMs: two waves, and the second one is half empty. "
    .. "Cut the blocks smaller, take more of them, or let a second kernel "
    .. "fill the places that stand empty.",
  topic = "blocks",
  lessons = { "L05" },
  model = "waves",
  values = { sms = 8, blocks = 12 },
}
