local NEAREST = 10

-- Squared distances of a point to those of a list of x, y, x, y, ..., sorted.
local function distances(x, y, points, first, count)
  local all = {}
  for k = 1, count do
    local at = 2 * (first + k - 1)
    local dx, dy = points[at] - x, points[at + 1] - y
    all[k] = dx * dx + dy * dy
  end
  table.sort(all)
  return all
end

return {
  name = "ten_nn", id = "K07",
  title = "Ten nearest neighbors",
  about = "Each thread has a point in registers and ten neighbors in an array "
    .. "of its own. The place in the array is known only when the kernel "
    .. "runs, so the array lies in local memory. All threads read the same "
    .. "q, and few of them want it.",
  topic = "memory",
  lessons = { "L09" },
  source = "ten_nn.cu",
  kernel = "ten_nn",
  params = {
    { name = "num_ps", default = 64, min = 1, max = 4096, scale = "log2",
      help = "points, each with a thread of its own" },
    { name = "num_qs", default = 128, min = 10, max = 4096, scale = "log2",
      help = "candidates" },
    { name = "threads", default = 32, min = 1, max = 1024,
      help = "threads per block" },
  },
  timing = { num_ps = 4096, num_qs = 4096, threads = 128 },
  forms = {
    { name = "right" },
    { name = "lecture", title = "each block begins with point 0",
      source = "ten_nn.lecture.cu", erratum = "E19",
      where = "CUDA Memories, ten nearest neighbors",
      expect = { verdict = "wrong", faults = { "written_twice" },
        line = "result[i * 10 + k] =",
        unless = function(p) return p.num_ps <= p.threads end } },
  },

  launch = function(p)
    return {
      grid = { cdiv(p.num_ps, p.threads), 1, 1 }, block = { p.threads, 1, 1 },
      shared = 0,
      args = {
        { name = "result", type = "f32", count = 2 * NEAREST * p.num_ps,
          init = "none" },
        { name = "ps", type = "f32", count = 2 * p.num_ps, init = "random:1" },
        { name = "qs", type = "f32", count = 2 * p.num_qs, init = "random:2" },
        { name = "num_ps", type = "u64", value = p.num_ps },
        { name = "num_qs", type = "u64", value = p.num_qs },
      },
    }
  end,

  -- Which of two equally far points is kept nobody says: distances are
  -- compared, of some points only where there are many.
  check = function(p, run)
    local ps, qs, result = run.input("ps"), run.input("qs"), run.output("result")
    for i = 0, p.num_ps - 1, cdiv(p.num_ps * p.num_qs, 1 << 16) do
      local x, y = ps[2 * i], ps[2 * i + 1]
      local want = distances(x, y, qs, 0, p.num_qs)
      local got = distances(x, y, result, NEAREST * i, NEAREST)
      for k = 1, NEAREST do
        if math.abs(got[k] - want[k]) > 1e-5 * want[k] then
          return false, string.format("neighbor %d of point %d is at %.6g, "
            .. "squared, expected %.6g", k, i, got[k], want[k])
        end
      end
    end
    return true
  end,
}
