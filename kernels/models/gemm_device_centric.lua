return {
  name = "gemm_device_centric", id = "K88",
  title = "A product of three by a library's calls",
  about = "Each call copies its matrices in and its result out, and forgets "
    .. "where they are. The first product leaves the device only to come back "
    .. "for the second one.",
  topic = "programs",
  lessons = { "L18" },
  model = "dataflow",
  values = { flow = "chain", runtime = "calls", matrices = 3, size = 4096 },
}
