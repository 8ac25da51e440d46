return {
  name = "image_twice", id = "K99",
  title = "Twice as bright, a thread per pixel",
  about = "An image whose sides no block divides: the grid sticks out on the "
    .. "right and below, and needs a guard for each. Rows lie in x, so that "
    .. "neighboring lanes get neighboring words.",
  topic = "indexing",
  lessons = { "L02" },
  source = "image_twice.cu",
  kernel = "twice",
  params = {
    { name = "w", default = 75, min = 1, max = 4096, scale = "log2",
      help = "pixels of a row" },
    { name = "h", default = 20, min = 1, max = 4096, scale = "log2",
      help = "rows" },
    { name = "bx", default = 32, min = 1, max = 1024, scale = "log2",
      help = "threads of a block in x" },
    { name = "by", default = 8, min = 1, max = 1024, scale = "log2",
      help = "threads of a block in y" },
  },
  timing = { w = 4096, h = 4096 },
  forms = {
    { name = "right" },
    { name = "one-guard", title = "if (y * w + x < w * h)",
      source = "image_twice.oneguard.cu",
      expect = { verdict = "wrong", faults = { "race" },
        unless = function(p) return p.w % p.bx == 0 or p.h == 1 end } },
    { name = "columns", title = "p[x * h + y]",
      source = "image_twice.columns.cu" },
    { name = "grid-row", title = "rows as long as the grid's",
      source = "image_twice.gridrow.cu",
      expect = { verdict = "wrong", faults = { "out_of_bounds" },
        unless = function(p) return p.w % p.bx == 0 or p.h == 1 end } },
  },

  launch = function(p)
    if p.bx * p.by > 1024 then
      error("bx * by is " .. p.bx * p.by
        .. ": a block has at most 1024 threads", 0)
    end
    return {
      grid = { cdiv(p.w, p.bx), cdiv(p.h, p.by), 1 },
      block = { p.bx, p.by, 1 }, shared = 0,
      args = {
        { name = "p", type = "f32", count = p.w * p.h, init = "mod:1000" },
        { name = "w", type = "i32", value = p.w },
        { name = "h", type = "i32", value = p.h },
      },
    }
  end,

  check = function(_, run)
    return expect(run.output("p"), 2.0 * (each.index() % 1000))
  end,
}
