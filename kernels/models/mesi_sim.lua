return {
  name = "mesi_sim", id = "K91",
  title = "MESI on a bus",
  about = "Four caches, one line. Who reads it alone has it exclusive, who "
    .. "writes it invalidates all other copies. Every cache hears every "
    .. "request. Choose a core, press r or w.",
  topic = "coherence",
  lessons = { "L18" },
  model = "coherence",
  values = { protocol = "MESI", ops = "r0 r1 r2 w0 r1 w2" },
}
