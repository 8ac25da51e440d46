-- Not finished before somebody stops it.
return {
  kernel = "spin",
  launch = function()
    return {
      grid = { 1, 1, 1 }, block = { 32, 1, 1 },
      args = {
        { name = "out", type = "u32", count = 32, init = "none" },
        { name = "n", type = "u32", value = 4000000000 },
      },
    }
  end,
  check = function() return true end,
}
