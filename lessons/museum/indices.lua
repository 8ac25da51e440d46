-- Rooms about indices, strides and grids.

return {
  room {
    id = "E104", title = "Tiles counted by the grid", lesson = "L12", kernel = "gputiled", form = "lecture",
    params = { Ax = 48, Bx = 24 },
    says = "A product of two matrices goes tile by tile along a row of one and a column of the other. "
      .. "The number of tiles is taken from the grid.",
    find = "gridDim.x", found = { "wrong" }, cured = "right",
    because = "The grid is as wide as the result. The tiles go along the inner side of the product.",
    cure = "Count the tiles along the inner side: its length over the tile's, rounded up. Grid and inner side are the same "
      .. "only for square matrices, so a test with squares never tells.",
  },
  card {
    id = "E08", title = "346.5 in place of 345.6", kind = "number", lesson = "L12",
    says = "A GPU of 128 cores at 1.35 GHz was said to reach 346.5 GFLOPS.",
    cure = "Cores times clock times two operations of a fused multiply-add gives 345.6: two digits were swapped.",
  },
}
