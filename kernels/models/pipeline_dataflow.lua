return {
  name = "pipeline_dataflow", id = "K90",
  title = "A pipeline that knows where its data is",
  about = "Capture and detect run on the host, xform and filter on the "
    .. "device. With pipes every stage on the device copies in and out; with "
    .. "dataflow only where data crosses from one to the other.",
  topic = "programs",
  lessons = { "L18" },
  model = "dataflow",
  values = { flow = "pipeline", runtime = "dataflow", nodes = "C G G C" },
}
