local function grid(p)
  local blocks = cdiv(p.N, p.THREADS_PER_BLOCK)
  if p.form == "lecture" then
    blocks = p.N // p.THREADS_PER_BLOCK
  end
  if blocks == 0 then
    error(p.N .. " / " .. p.THREADS_PER_BLOCK
      .. " is 0 blocks: CUDA refuses such a launch", 0)
  end
  return { blocks }
end

local function divides(p) return p.N % p.THREADS_PER_BLOCK == 0 end

return {
  name = "vec_add_host", id = "K81",
  title = "Vector sum with its host",
  about = "Two arrays go to the device, a kernel adds them, one comes back, "
    .. "all are freed. With N / THREADS_PER_BLOCK blocks the tail of the "
    .. "result is never written. Rounding up is half of the cure; the guard "
    .. "is the other half.",
  topic = "programs",
  lessons = { "L01" },
  source = "vec_add_host.cu",
  params = {
    { name = "N", default = 1000, min = 1, max = 1 << 24, scale = "log2",
      help = "elements" },
    { name = "THREADS_PER_BLOCK", default = 256,
      values = { 32, 64, 128, 256, 512, 1024 }, help = "threads per block" },
  },
  forms = {
    { name = "right" },
    { name = "lecture", title = "N / THREADS_PER_BLOCK blocks, no guard",
      source = "vec_add_host.lecture.cu", erratum = "E135",
      where = "CS 378h, the launch of add",
      expect = { verdict = "wrong", coverage = { c = 768 },
        faults = { "uninitialized" }, unless = divides } },
    { name = "no-guard", title = "rounded up, no guard",
      source = "vec_add_host.lecture.cu", erratum = "E135",
      where = "CS 378h, the launch of add, arbitrary sizes",
      expect = { verdict = "wrong", faults = { "out_of_bounds" },
        line = "c[i] =", unless = divides } },
  },

  sequence = function(p)
    return {
      buffers = {
        { name = "a", type = "f32", count = p.N, init = "random:12345678" },
        { name = "b", type = "f32", count = p.N, init = "random:87654321" },
        { name = "c", type = "f32", count = p.N, init = "none" },
      },
      steps = {
        { copy = "h2d", buffer = "a" },
        { copy = "h2d", buffer = "b" },
        { launch = "add", grid = grid(p), block = { p.THREADS_PER_BLOCK },
          args = { "a", "b", "c", p.N } },
        { copy = "d2h", buffer = "c" },
        { read = "c" },
        { free = "a" }, { free = "b" }, { free = "c" },
      },
    }
  end,

  check = function(_, run)
    return expect(run.output("c"), f32(run.input("a") + run.input("b")))
  end,
}
