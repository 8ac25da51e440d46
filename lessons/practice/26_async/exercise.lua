-- Copies that go on while the block computes.

return {
  name = "async", title = "Copy while you compute", lessons = { "L10", "L07" },
  teaches = "asynchronous copies, groups, two buffers",
  kernels = { "void mirror(float *y, const float *x, int tiles)" },
  statement = [[
Tiles of 256 floats. In each of them `y[t] = x[t] + 2 * x[255 - t]`. Block `b` makes the tiles `b`, `b + gridDim.x`
and so on, with 256 threads.

While one tile is computed, the next one is on its way: two buffers, and `__pipeline_memcpy_async`. At most 4096 bytes
of shared memory.]],
  numbers = "What each tile loads, and how often warps come to a barrier.",
  rules = {
    shared_bytes = 4096,
    has = {
      { "copies under way", "cp%.async%.c" },
      { "waiting while a copy goes on", "cp%.async%.wait_group%s+[1-9]" },
    },
  },
  cases = {
    { tiles = 6, blocks = 2, shown = true, count = true },
    { tiles = 1, blocks = 1 },
    { tiles = 2, blocks = 3 },
    { tiles = 3, blocks = 1 },
    function(d) return { tiles = d.integer(11, 19), blocks = d.integer(3, 4), count = true } end,
  },
  launch = function(p, d)
    return {
      grid = { p.blocks, 1, 1 }, block = { 256, 1, 1 },
      args = {
        { name = "y", type = "f32", count = 256 * p.tiles, init = "none" },
        { name = "x", type = "f32", values = d.numbers(256 * p.tiles, -99, 99) },
        { name = "tiles", type = "i32", value = p.tiles },
      },
    }
  end,
  check = function(_, run)
    local x = run.input("x")
    return expect(run.output("y"), function(i) return x[i] + 2 * x[i - i % 256 + 255 - i % 256] end)
  end,
  limits = function(p, c)
    return {
      { "load sectors", c.global_load_sectors, 32 * p.tiles },
      { "barrier arrivals", c.barriers, 8 * (2 * p.tiles + 2 * p.blocks) },
      { "bank conflicts", c.shared_load_bank_conflicts + c.shared_store_bank_conflicts, 0 },
    }
  end,
  says = {
    pending_copy = "A tile is read before it has arrived: wait until at most the next one is under way. Or the next copy "
      .. "lands in a buffer that others still read: a barrier comes before it.",
    uninitialized = "Your own copies have arrived, those of the other threads perhaps not: a barrier behind the wait.",
    race = "Your own copies have arrived, those of the other threads perhaps not: a barrier behind the wait.",
    result = "Some element is not x[t] + 2 x[255 - t] of its own tile.",
    ["copies under way"] = "The floats pass through registers. Copy them by __pipeline_memcpy_async.",
    ["waiting while a copy goes on"] = "Each wait is for all copies: nothing is on its way while you compute.",
    ["barrier arrivals"] = "Two barriers a tile are enough.",
    shared_bytes = "Two or three tiles of 1024 bytes are enough.",
  },
  tips = {
    "While you compute tile `q`, tile `q + gridDim.x` can be on its way.",
    "Commit one group for each tile, also where there is nothing to copy. Wait until at most one group is under "
      .. "way; then a barrier.",
    "`__pipeline_wait_prior(1);` `__syncthreads();` compute; `__syncthreads();` and the buffers change places.",
  },
  others = {
    alt_1 = "Three buffers in turn: one barrier a tile.",
    alt_2 = "64 threads copy, 16 bytes each.",
  },
  wrong = {
    starter = { by = "copies under way", what = "Copies nothing.", says = "pass through registers" },
    wrong_1 = { by = "pending_copy", what = "Two groups may be under way.", says = "at most the next one" },
    wrong_2 = { by = "race", what = "No barrier behind the wait.", says = "those of the other threads" },
    wrong_3 = { by = "pending_copy", what = "No barrier before the next copy.", says = "a barrier comes before it" },
    wrong_4 = { by = "waiting while a copy goes on", what = "Waits for all.", says = "nothing is on its way" },
    wrong_5 = { by = "copies under way", what = "Loads and stores.", says = "pass through registers" },
  },
  score = { "barrier arrivals", function(c) return c.barriers end },
}
