-- Threads of a block, at most, on every device since compute capability 2.0.
local MOST = 1024

return {
  name = "tile_sweep", id = "K06",
  title = "Tiles of 8, 16 and 32",
  about = "The same product three times, with blocks of 64, 256 and 1024 "
    .. "threads. Go through the launches with { and }: requests halve from "
    .. "one to the next. With largest=64 a fourth one is asked for, whose "
    .. "tiles fit into shared memory, and whose threads fit into no block.",
  topic = "matrix multiply",
  lessons = { "L12" },
  source = "tile_sweep.cu",
  params = {
    { name = "Width", default = 64, min = 1, max = 512, scale = "log2",
      help = "rows and columns of the matrices" },
    { name = "largest", default = 32, min = 8, max = 64, scale = "log2",
      help = "the largest tile, from 8 on and then twice as wide each time" },
  },

  sequence = function(p)
    local size = p.Width * p.Width
    local steps = { { copy = "h2d", buffer = "M" }, { copy = "h2d", buffer = "N" } }
    local buffers = {
      { name = "M", type = "f32", count = size, init = "random:12345678" },
      { name = "N", type = "f32", count = size, init = "random:87654321" },
    }
    local tile = 8
    while tile <= p.largest do
      if tile * tile > MOST then
        error("a tile of " .. tile .. " needs " .. tile * tile
          .. " threads, one for each element, and a block has at most " .. MOST,
          0)
      end
      local result, tiles = "P" .. tile, cdiv(p.Width, tile)
      buffers[#buffers + 1] = { name = result, type = "f32", count = size,
        init = "none", host = "none" }
      steps[#steps + 1] = { launch = "MatrixMulKernel<" .. tile .. ">",
        grid = { tiles, tiles }, block = { tile, tile },
        args = { "M", "N", result, p.Width } }
      tile = 2 * tile
    end
    return { buffers = buffers, steps = steps }
  end,

  -- All products add the same terms in the same order; the first is held
  -- against a sum in double, at so many elements as take no time.
  check = function(p, run)
    local P8, terms = run.output("P8"), p.Width * p.Width * p.Width
    local right, words = expect(P8,
      each.product(run.input("M"), run.input("N"), p.Width, p.Width),
      { rel = 1e-5, every = cdiv(terms, 1 << 24) | 1 })
    local tile = 16
    while right and tile <= p.largest do
      right, words = expect(run.output("P" .. tile), P8)
      tile = 2 * tile
    end
    return right, words
  end,
}
