return {
  name = "reduce0", id = "K55",
  title = "Fold an array in half",
  about = "One of the launches by which the lecture adds up an array: x[i] "
    .. "gains x[i + m]. The host halves m from launch to launch, 24 times for "
    .. "2^24 elements, and every add costs two loads and a store.",
  topic = "reduction",
  lessons = { "L14" },
  source = "reduce0.cu",
  kernel = "reduce0",
  params = {
    { name = "m", default = 1024, min = 1, max = 1 << 23, scale = "log2",
      help = "adds of this fold, a power of 2; x holds 2 m elements" },
  },
  lecture = { m = 1 << 23 },

  launch = function(p)
    if p.m & (p.m - 1) ~= 0 then
      error("m must be a power of 2: no thread tests its range", 0)
    end
    local threads = math.min(256, p.m)
    return {
      grid = { p.m // threads, 1, 1 }, block = { threads, 1, 1 }, shared = 0,
      args = {
        { name = "x", type = "f32", count = 2 * p.m,
          init = "random:12345678" },
        { name = "m", type = "i32", value = p.m },
      },
    }
  end,

  -- A single addition rounds as f32 does, so the sums must be equal.
  check = function(p, run)
    local x, i = run.input("x"), each.index()
    return expect(run.output("x"),
      each.pick(each.less(i, p.m), f32(x + each.at(x, i + p.m)), x))
  end,
}
