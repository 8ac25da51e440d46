return {
  name = "rtm_block_size", id = "K41",
  title = "Smaller blocks pack better",
  about = "Registers allow 42 warps. Blocks of 16 warps fit twice, which "
    .. "leaves 10 of them empty; blocks of 8 warps fit five times. Set "
    .. "threads to 256.",
  topic = "occupancy",
  lessons = { "L06" },
  model = "occupancy",
  values = { profile = "fermi", threads = 512, registers = 24 },
}
