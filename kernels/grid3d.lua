-- From this many elements on only some are compared.
local MANY = 1 << 22

-- Counts the threads as they are numbered, block after block, and returns the
-- rank of the thread of an element.
local function rank_of(p, x, y, z)
  local blocks_x, blocks_y = cdiv(p.nx, p.bx), cdiv(p.ny, p.by)
  local before = x // p.bx + blocks_x * (y // p.by) + blocks_x * blocks_y * (z // p.bz)
  local inside = x % p.bx + p.bx * (y % p.by) + p.bx * p.by * (z % p.bz)
  return before * (p.bx * p.by * p.bz) + inside
end

return {
  name = "grid3d", id = "K49",
  title = "A volume, a thread for each element",
  about = "Three dimensions of blocks and three of threads give every thread "
    .. "a place, and one number, its rank. Neighbors in rank are neighbors in "
    .. "the volume only within a row of a block. The thread with the number "
    .. "id prints what it is.",
  topic = "indexing",
  lessons = { "L02" },
  source = "grid3d.cu",
  kernel = "grid3D",
  params = {
    { name = "nx", default = 64, min = 1, max = 512, scale = "log2",
      help = "elements in x" },
    { name = "ny", default = 16, min = 1, max = 512, scale = "log2",
      help = "elements in y" },
    { name = "nz", default = 4, min = 1, max = 256, scale = "log2",
      help = "elements in z" },
    { name = "bx", default = 32, min = 1, max = 1024, scale = "log2",
      help = "threads of a block in x" },
    { name = "by", default = 8, min = 1, max = 1024, scale = "log2",
      help = "threads of a block in y" },
    { name = "bz", default = 2, min = 1, max = 64, scale = "log2",
      help = "threads of a block in z" },
    { name = "id", default = 511, min = 0, max = 1 << 26,
      help = "the thread that prints" },
  },
  lecture = { nx = 512, ny = 512, nz = 256, id = 12345 },

  launch = function(p)
    local threads = p.bx * p.by * p.bz
    if threads > 1024 then
      error("bx * by * bz is " .. threads
        .. ": a block has at most 1024 threads", 0)
    end
    local n = p.nx * p.ny * p.nz
    return {
      grid = { cdiv(p.nx, p.bx), cdiv(p.ny, p.by), cdiv(p.nz, p.bz) },
      block = { p.bx, p.by, p.bz }, shared = 0,
      args = {
        { name = "a", type = "i32", count = n, init = "none" },
        { name = "b", type = "f32", count = n, init = "none" },
        { name = "nx", type = "i32", value = p.nx },
        { name = "ny", type = "i32", value = p.ny },
        { name = "nz", type = "i32", value = p.nz },
        { name = "id", type = "i32", value = p.id },
      },
    }
  end,

  check = function(p, run)
    local every, i = cdiv(p.nx * p.ny * p.nz, MANY) | 1, each.index()
    local rank = rank_of(p, i % p.nx, i // p.nx % p.ny, i // (p.nx * p.ny))
    local same, message = expect(run.output("a"), rank, { every = every })
    if not same then
      return same, message
    end
    return expect(run.output("b"), f32(each.sqrt(f32(rank))), { every = every })
  end,
}
