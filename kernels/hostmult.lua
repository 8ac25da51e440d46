-- What the lecture's host took for matrices of 1024 x 1024.
local HOST_MS = { hostmult0 = 2121.046, hostmult1 = 1468.845 }
local HOST_SIZE = 1024

-- C = A * B as three loops in C do it, with a float for the sum. Without a
-- promise the sum is in memory, else in a register: the same numbers.
local function multiply(p, host)
  local A, B, C = host.read("A"), host.read("B"), host.write("C")
  for i = 0, p.Ay - 1 do
    for j = 0, p.Bx - 1 do
      local sum = 0.0
      for n = 0, p.Ax - 1 do
        local k = p.order == "up" and n or p.Ax - 1 - n
        sum = f32(sum + f32(A[i * p.Ax + k] * B[k * p.Bx + j]))
      end
      C[i * p.Bx + j] = sum
    end
  end
end

local function ms_of(p)
  return HOST_MS[p.form] * p.Ay * p.Ax * p.Bx / HOST_SIZE ^ 3
end

return {
  name = "hostmult", id = "K63",
  title = "A matrix product on the host, and the same on the device",
  about = "Three loops on the host, then gpumult1 on the device: T shows how "
    .. "long each takes. The host's times are the lecture's, for as many "
    .. "multiply-adds. Adding the other way round changes last digits.",
  topic = "matrix multiply",
  lessons = { "L13" },
  source = "hostmult.cu",
  params = {
    { name = "Ay", default = 24, min = 1, max = 128, scale = "log2",
      help = "rows of A and C" },
    { name = "Ax", default = 32, min = 1, max = 128, scale = "log2",
      help = "columns of A, rows of B" },
    { name = "Bx", default = 40, min = 1, max = 128, scale = "log2",
      help = "columns of B and C" },
    { name = "order", default = "up", values = { "up", "down" },
      help = "in which order the host adds the terms of a sum" },
  },
  forms = {
    { name = "hostmult0", title = "the host's pointers may overlap" },
    { name = "hostmult1", title = "the host's pointers have __restrict" },
  },

  sequence = function(p)
    return {
      buffers = {
        { name = "A", type = "f32", count = p.Ay * p.Ax,
          init = "random:12345678" },
        { name = "B", type = "f32", count = p.Ax * p.Bx,
          init = "random:87654321" },
        { name = "C", type = "f32", count = p.Ay * p.Bx, init = "none",
          host = "pinned" },
        { name = "D", type = "f32", count = p.Ay * p.Bx, init = "none" },
      },
      steps = {
        { host = "multiplies A and B", ms = ms_of(p),
          run = function(host) multiply(p, host) end },
        { copy = "h2d", buffer = "A" },
        { copy = "h2d", buffer = "B" },
        { launch = "gpumult1", grid = { cdiv(p.Bx, 32), cdiv(p.Ay, 8) },
          block = { 32, 8 }, args = { "D", "A", "B", p.Ay, p.Ax, p.Bx } },
        { copy = "d2h", buffer = "D" },
        { read = "D" },
      },
    }
  end,

  -- Each against a sum in double, rounded at its end only.
  check = function(p, run)
    local exact = each.product(run.input("A"), run.input("B"), p.Ax, p.Bx)
    local right, words = expect(run.output("C"), exact, { rel = 1e-5 })
    if not right then
      return right, words
    end
    return expect(run.output("D"), exact, { rel = 1e-5 })
  end,
}
