return {
  name = "warp_map_40x2", id = "K26",
  title = "How a block folds into warps",
  about = "Threads are numbered row by row and cut into warps of 32. A block "
    .. "of 40 x 2 has three warps: the second holds the end of one row and "
    .. "the start of the next, the third has 16 lanes that never exist.",
  topic = "indexing",
  lessons = { "L03" },
  source = "warp_map_40x2.cu",
  kernel = "warp_map_40x2",
  params = {
    { name = "bx", default = 40, min = 1, max = 1024,
      help = "threads of the block in x" },
    { name = "by", default = 2, min = 1, max = 1024,
      help = "threads of the block in y" },
  },
  lecture = { bx = 40, by = 2 },
  forms = {
    { name = "right" },
    { name = "lecture", title = "the lane from threadIdx.x alone",
      source = "warp_map_40x2.lecture.cu", erratum = "E149",
      where = "Thinking and Coding in Parallel, threads and warps",
      expect = { verdict = "wrong",
        unless = function(p) return p.by == 1 or p.bx % 32 == 0 end } },
  },

  launch = function(p)
    local threads = p.bx * p.by
    if threads > 1024 then
      error("bx * by is " .. threads .. ": a block has at most 1024 threads", 0)
    end
    return {
      grid = { 1, 1, 1 }, block = { p.bx, p.by, 1 }, shared = 0,
      args = {
        { name = "warp", type = "i32", count = threads, init = "none" },
        { name = "lane", type = "i32", count = threads, init = "none" },
      },
    }
  end,

  -- Walks through the block as the hardware numbers it and counts.
  check = function(p, run)
    local warps, lanes, warp, lane = {}, {}, 0, 0
    for _ = 1, p.by do
      for _ = 1, p.bx do
        warps[#warps + 1], lanes[#lanes + 1] = warp, lane
        lane = lane + 1
        if lane == 32 then
          warp, lane = warp + 1, 0
        end
      end
    end
    local same, message = expect(run.output("warp"),
      function(i) return warps[i + 1] end)
    if not same then
      return same, message
    end
    return expect(run.output("lane"), function(i) return lanes[i + 1] end)
  end,
}
