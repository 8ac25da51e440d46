return {
  name = "vec_add", id = "K82",
  title = "Vector sum",
  about = "One thread adds one pair: two loads, one addition, one store. Look "
    .. "at the last warp, where the test against n keeps lanes out.",
  topic = "basics",
  lessons = { "L01", "L17" },
  source = "vec_add.cu",
  kernel = "addKernel",
  params = {
    { name = "n", default = 1000, min = 1, max = 1 << 26, scale = "log2",
      help = "elements" },
    { name = "threads", default = 256,
      values = { 32, 64, 128, 256, 512, 1024 }, help = "threads per block" },
  },
  timing = { n = 1 << 24 },
  forms = {
    { name = "right" },
    { name = "floor", title = "n / threads blocks, rounded down",
      erratum = "E132", where = "CS 378h, the launch of vecAdd",
      expect = { verdict = "wrong", faults = { "never_written" },
        coverage = { C_d = 768 },
        unless = function(p) return p.n % p.threads == 0 end } },
    { name = "comma", title = "dim3 DimBlock = (256, 1, 1)",
      erratum = "E131", where = "CS 378h, the launch of vecAdd",
      expect = { verdict = "wrong", findings = { "partial_warps" },
        coverage = { C_d = 4 },
        unless = function(p) return p.n == 1 end } },
    { name = "commas", title = "DimGrid = (ceil(n/256), 1, 1) as well",
      erratum = "E131", where = "CS 378h, the launch of vecAdd, both lines",
      expect = { verdict = "wrong", findings = { "partial_warps" },
        coverage = { C_d = 1 },
        unless = function(p) return p.n == 1 end } },
  },

  -- (256, 1, 1) is 1: commas in parentheses give their last value.
  launch = function(p)
    local blocks, threads = cdiv(p.n, p.threads), p.threads
    if p.form == "floor" then
      blocks = math.max(p.n // p.threads, 1)
    elseif p.form == "comma" then
      threads = 1
    elseif p.form == "commas" then
      blocks, threads = 1, 1
    end
    return {
      grid = { blocks, 1, 1 }, block = { threads, 1, 1 },
      shared = 0,
      args = {
        { name = "A_d", type = "f32", count = p.n, init = "random:12345678" },
        { name = "B_d", type = "f32", count = p.n, init = "random:87654321" },
        { name = "C_d", type = "f32", count = p.n, init = "none" },
        { name = "n", type = "i32", value = p.n },
      },
    }
  end,

  check = function(_, run)
    return expect(run.output("C_d"), f32(run.input("A_d") + run.input("B_d")))
  end,
}
