return {
  name = "position_soa", id = "K31",
  title = "Positions as a structure of arrays",
  about = "Each thread copies x, y and z from three arrays. The lanes lie side "
    .. "by side: four sectors for each load, every byte of them used.",
  topic = "global memory",
  lessons = { "L08" },
  source = "position_soa.cu",
  kernel = "position_soa",
  params = {
    { name = "n", default = 1024, min = 1, max = 1 << 24, scale = "log2",
      help = "positions" },
    { name = "threads", default = 256,
      values = { 32, 64, 128, 256, 512, 1024 }, help = "threads per block" },
  },
  partners = { "position_aos" },
  timing = { n = 1 << 23 },

  launch = function(p)
    return {
      grid = { cdiv(p.n, p.threads), 1, 1 }, block = { p.threads, 1, 1 },
      shared = 0,
      args = {
        { name = "out_x", type = "f32", count = p.n, init = "none" },
        { name = "out_y", type = "f32", count = p.n, init = "none" },
        { name = "out_z", type = "f32", count = p.n, init = "none" },
        { name = "data_x", type = "f32", count = p.n, init = "random:1" },
        { name = "data_y", type = "f32", count = p.n, init = "random:2" },
        { name = "data_z", type = "f32", count = p.n, init = "random:3" },
        { name = "n", type = "i32", value = p.n },
      },
    }
  end,

  check = function(_, run)
    for _, axis in ipairs { "x", "y", "z" } do
      local same, message = expect(run.output("out_" .. axis),
        run.input("data_" .. axis))
      if not same then
        return same, message
      end
    end
    return true
  end,
}
