local sides = { lanes = 1, warps = 32 }

local function work(value, steps, factor, plus)
  for _ = 1, steps do
    value = (value * factor + plus) & 0xffffffff
  end
  return value
end

return {
  name = "diverge_between_warps", id = "K27",
  title = "Divergence in warps and between them",
  about = "Half of the threads take do_A, half do_B. If whole warps choose, "
    .. "each pays for one side. If the lanes of a warp choose, every warp pays "
    .. "for both.",
  topic = "divergence",
  lessons = { "L04" },
  source = "diverge_between_warps.cu",
  kernel = "diverge_between_warps",
  params = {
    { name = "split", default = "warps", values = { "warps", "lanes" },
      help = "who chooses a side: whole warps, or lanes in turn" },
    { name = "steps", default = 4, min = 0, max = 64,
      help = "length of each side" },
    { name = "threads", default = 64, min = 1, max = 1024,
      help = "threads in the one block" },
  },

  launch = function(p)
    return {
      grid = { 1, 1, 1 }, block = { p.threads, 1, 1 }, shared = 0,
      args = {
        { name = "out", type = "u32", count = p.threads, init = "none" },
        { name = "group", type = "i32", value = sides[p.split] },
        { name = "steps", type = "i32", value = p.steps },
      },
    }
  end,

  check = function(p, run)
    return expect(run.output("out"), function(i)
      if i // sides[p.split] % 2 == 0 then
        return work(i, p.steps, 3, 1)
      end
      return work(i, p.steps, 5, 2)
    end)
  end,
}
