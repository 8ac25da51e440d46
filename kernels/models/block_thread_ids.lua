return {
  name = "block_thread_ids", id = "K03",
  title = "Numbers of blocks and threads",
  about = "A grid of 3 x 2 blocks of 8 x 4 threads. Each thread has an index "
    .. "in its block, each block one in the grid; from these come rank, warp, "
    .. "lane, row and column.",
  topic = "indexing",
  lessons = { "L02" },
  model = "ids",
  values = { grid_x = 3, grid_y = 2, block_x = 8, block_y = 4, block = 4,
    thread = 11 },
}
