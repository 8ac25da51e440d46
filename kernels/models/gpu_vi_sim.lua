return {
  name = "gpu_vi_sim", id = "K92",
  title = "GPU-VI: valid or invalid",
  about = "Every write goes through to the L2, whose directory invalidates "
    .. "the other copies. The same six operations as for MESI: compare the "
    .. "messages.",
  topic = "coherence",
  lessons = { "L18" },
  model = "coherence",
  values = { protocol = "GPU-VI", ops = "r0 r1 r2 w0 r1 w2" },
}
