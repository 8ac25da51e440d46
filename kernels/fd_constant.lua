local COEFFICIENTS = { 1, -2, 3, -4, 5, -6, 7, -8, 8, -7, 6, -5, 4, -3, 2, -1 }

return {
  name = "fd_constant", id = "K35",
  title = "Coefficients in constant memory",
  about = "A sum over 16 neighbors with 16 coefficients. If all lanes want the "
    .. "same coefficient, the constant cache gives it to all in one pass. If "
    .. "each lane begins elsewhere, the same sum takes 16 passes a load.",
  topic = "memory",
  lessons = { "L09" },
  source = "fd_constant.cu",
  kernel = function(p)
    return "deriv_" .. p.by
  end,
  params = {
    { name = "by", default = "step", values = { "step", "lane" },
      help = "the first coefficient: the same for all, or the lane's own" },
    { name = "n", default = 256, min = 1, max = 1 << 24, scale = "log2",
      help = "elements of the result" },
    { name = "threads", default = 128,
      values = { 32, 64, 128, 256, 512, 1024 }, help = "threads per block" },
  },
  timing = { n = 1 << 24, threads = 256 },

  launch = function(p)
    return {
      grid = { cdiv(p.n, p.threads), 1, 1 }, block = { p.threads, 1, 1 },
      shared = 0,
      args = {
        { name = "deriv", type = "f32", count = p.n, init = "none" },
        { name = "data", type = "f32", count = p.n + #COEFFICIENTS,
          init = "mod:251" },
        { name = "n", type = "i32", value = p.n },
      },
    }
  end,

  -- Whole numbers below 2^24: every order of additions gives the same.
  check = function(p, run)
    local data = run.input("data")
    return expect(run.output("deriv"), function(i)
      local sum = 0
      for j, c in ipairs(COEFFICIENTS) do
        sum = sum + c * data[i + j - 1]
      end
      return sum
    end, { every = p.n > 1 << 16 and 997 or 1 })
  end,
}
