-- Cards: mistakes that do not run.

return {
  card {
    id = "E08", title = "Two digits swapped", kind = "number", lesson = "L12",
    says = "A GPU of 128 cores at 1.35 GHz was said to reach 346.5 GFLOPS.",
    cure = "Cores times clock times two operations of a fused multiply-add gives 345.6.",
  },
}
