return {
  name = "kepler_bank_map", id = "K38",
  title = "Banks of four and of eight bytes",
  about = "Kepler's banks give 8 bytes at once. In its wide mode two words "
    .. "that follow one another lie in one bank; in the other mode words w "
    .. "and w + 32 do. Change map, stride and width.",
  topic = "shared memory",
  lessons = { "L11" },
  model = "banks",
  values = { map = "8 bytes", stride = 2 },
}
