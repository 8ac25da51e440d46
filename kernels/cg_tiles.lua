return {
  name = "cg_tiles", id = "K74",
  title = "Tiles of a block",
  about = "Cooperative groups give a name to lanes that work together: a tile "
    .. "has a size, a rank for each thread, shuffles and a barrier of its own. "
    .. "The mask of each shuffle is the tile.",
  topic = "warp",
  lessons = { "L15" },
  source = "cg_tiles.cu",
  kernel = function(p)
    return "tiles_of_" .. p.size
  end,
  params = {
    { name = "size", default = 8, values = { 2, 4, 8, 16, 32 },
      help = "threads of a tile" },
    { name = "warps", default = 1, min = 1, max = 32, scale = "log2",
      help = "warps of the block" },
  },

  launch = function(p)
    local n = 32 * p.warps
    return {
      grid = { 1, 1, 1 }, block = { n, 1, 1 }, shared = 0,
      args = {
        { name = "sum", type = "i32", count = n // p.size, init = "none" },
        { name = "rank", type = "i32", count = n, init = "none" },
        { name = "in", type = "i32", count = n, init = "iota" },
      },
    }
  end,

  check = function(p, run)
    local ranks, message = expect(run.output("rank"), function(i)
      return i % p.size
    end)
    if not ranks then
      return false, message
    end
    return expect(run.output("sum"), function(tile)
      local sum = 0
      for i = tile * p.size, tile * p.size + p.size - 1 do
        sum = sum + i
      end
      return sum
    end)
  end,
}
