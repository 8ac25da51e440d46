local function work(value, factor, steps)
  for _ = 1, steps do
    value = (value * factor + 1) & 0xffffffff
  end
  return value
end

-- A lane is sure of itself only. Both sides begin by asking the same, so the compiler may ask once, before they part: an
-- H200 does that with the code as written, and every lane hears of all.
local function check_masks(masks)
  for lane = 0, 31 do
    if masks[lane] & 1 << lane == 0 then
      return false, string.format("the mask of lane %d is 0x%08x: it is not in it itself", lane, masks[lane])
    end
  end
  return true
end

return {
  name = "diverge_example", id = "K86",
  title = "One side, the other, and together again",
  about = "Lanes with the condition run one side, the others the second one. "
    .. "Each side asks who is there, and so does the line behind both. In the "
    .. "form lecture nothing makes the lanes meet there: they do here, but no "
    .. "rule says so.",
  topic = "divergence",
  lessons = { "L04" },
  source = "diverge_example.cu",
  kernel = "diverge_example",
  params = {
    { name = "period", default = 32, values = { 1, 2, 4, 8, 16, 32 },
      help = "the condition is tid % period < k" },
    { name = "k", default = 20, min = 0, max = 32,
      help = "lanes of a period with the condition" },
    { name = "steps", default = 2, min = 0, max = 64,
      help = "length of the first side; the other one is twice as long" },
  },
  forms = {
    { name = "right" },
    { name = "lecture", title = "nothing is said about meeting again",
      source = "diverge_example.lecture.cu", erratum = "E142",
      where = "Parallel Algorithms, Control Flow Divergence" },
  },

  launch = function(p)
    return {
      grid = { 1, 1, 1 }, block = { 32, 1, 1 }, shared = 0,
      args = {
        { name = "out", type = "u32", count = 32, init = "none" },
        { name = "inside", type = "u32", count = 32, init = "none" },
        { name = "again", type = "u32", count = 32, init = "none" },
        { name = "period", type = "i32", value = p.period },
        { name = "k", type = "i32", value = p.k },
        { name = "steps", type = "i32", value = p.steps },
      },
    }
  end,

  check = function(p, run)
    for _, name in ipairs { "inside", "again" } do
      local right, message = check_masks(run.output(name))
      if not right then
        return false, message
      end
    end
    return expect(run.output("out"), function(lane)
      if lane % p.period < p.k then
        return work(lane, 3, p.steps)
      end
      return work(lane, 5, 2 * p.steps)
    end)
  end,
}
