-- Words of all the lengths around which the three formulas part.
local LENGTHS = { 1, 2, 10, 26, 31, 32, 33, 35, 48, 63, 64, 65, 90, 95, 96, 97,
  100, 127, 128, 129, 200, 255, 256, 257, 500, 511, 512, 513, 999, 1000, 1023,
  1024 }

return {
  name = "grid_size", id = "K100",
  title = "How many blocks for n",
  about = "The arithmetic of a launch, done by the kernel itself for 32 sizes: "
    .. "rounded up, as the lecture has it with one block too many now and "
    .. "then, and rounded down, which loses elements.",
  topic = "basics",
  lessons = { "L01" },
  source = "grid_size.cu",
  kernel = "grid_size",
  params = {},
  forms = {
    { name = "right" },
    { name = "lecture", title = "n / 32 + 1", source = "grid_size.lecture.cu",
      erratum = "E02", where = "CUDA introduction, Parallel Encryption Example",
      expect = { verdict = "wrong" } },
    { name = "floor", title = "n / 32", source = "grid_size.floor.cu",
      erratum = "E135", where = "CS 378h, the launch of add",
      expect = { verdict = "wrong" } },
  },

  launch = function()
    return {
      grid = { 1, 1, 1 }, block = { #LENGTHS, 1, 1 }, shared = 0,
      args = {
        { name = "grid", type = "i32", count = #LENGTHS, init = "none" },
        { name = "length", type = "i32", count = #LENGTHS, values = LENGTHS },
      },
    }
  end,

  -- One block after the other, until every element has a thread.
  check = function(_, run)
    return expect(run.output("grid"), function(i)
      local blocks, threads = 0, 0
      while threads < LENGTHS[i + 1] do
        blocks, threads = blocks + 1, threads + 32
      end
      return blocks
    end)
  end,
}
