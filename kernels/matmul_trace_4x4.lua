local TILE = 2

-- Which thread reads which element: of M its row, of N its column, the whole
-- of it or, with tiles, the one of each tile that is its own.
local function reads(p, row, col, step)
  if p.form == "tiled" then
    local ty, tx = row % TILE, col % TILE
    return row * p.Width + TILE * step + tx,
      (TILE * step + ty) * p.Width + col
  end
  return row * p.Width + step, step * p.Width + col
end

local function steps_of(p)
  return p.form == "tiled" and p.Width // TILE or p.Width
end

-- Every thread's notes, against the list of what it has to read.
local function notes_are_right(p, run)
  local steps = steps_of(p)
  local M, N = run.output("Mread"), run.output("Nread")
  local function of(i)
    local thread, step = i // steps, i % steps
    return reads(p, thread // p.Width, thread % p.Width, step)
  end
  local right, words = expect(M, function(i) return (of(i)) end)
  if not right then
    return right, words
  end
  return expect(N, function(i) return select(2, of(i)) end)
end

-- How often block (0, 0) reads each element of its two rows and two columns.
local function uses_are_even(p, run)
  local steps, times = steps_of(p), p.form == "tiled" and 1 or TILE
  for _, name in ipairs({ "Mread", "Nread" }) do
    local notes, uses = run.output(name), {}
    for row = 0, TILE - 1 do
      for col = 0, TILE - 1 do
        for step = 0, steps - 1 do
          local at = notes[(row * p.Width + col) * steps + step]
          uses[at] = (uses[at] or 0) + 1
        end
      end
    end
    for at, count in pairs(uses) do
      if count ~= times then
        return false, string.format("%s: block (0,0) reads element %d %d times, "
          .. "expected %d", name, at, count, times)
      end
    end
  end
  return true
end

return {
  name = "matmul_trace_4x4", id = "K05",
  title = "Who reads what: 4 x 4 matrices, blocks of 2 x 2",
  about = "Each thread notes which element of M and of N it loads at each "
    .. "step. The four threads of a block read every element of two rows and "
    .. "two columns twice; with tiles they read each once.",
  topic = "matrix multiply",
  lessons = { "L12" },
  source = "matmul_trace_4x4.cu",
  kernel = "trace",
  params = {
    { name = "Width", default = 4, values = { 2, 4, 6, 8 },
      help = "rows and columns of the matrices" },
  },
  forms = {
    { name = "naive" },
    { name = "tiled", title = "by tiles of 2 x 2",
      source = "matmul_trace_4x4.tiled.cu" },
  },

  launch = function(p)
    local size, blocks, steps = p.Width * p.Width, p.Width // TILE, steps_of(p)
    return {
      grid = { blocks, blocks, 1 }, block = { TILE, TILE, 1 }, shared = 0,
      args = {
        { name = "P", type = "f32", count = size, init = "none" },
        { name = "Mread", type = "i32", count = size * steps, init = "none" },
        { name = "Nread", type = "i32", count = size * steps, init = "none" },
        { name = "M", type = "f32", count = size, init = "iota" },
        { name = "N", type = "f32", count = size, init = "iota" },
        { name = "Width", type = "i32", value = p.Width },
      },
    }
  end,

  check = function(p, run)
    local M, N = run.input("M"), run.input("N")
    local right, words = expect(run.output("P"), function(i)
      local row, col, sum = i // p.Width, i % p.Width, 0.0
      for k = 0, p.Width - 1 do
        sum = sum + M[row * p.Width + k] * N[k * p.Width + col]
      end
      return sum
    end)
    if right then
      right, words = notes_are_right(p, run)
    end
    if right then
      right, words = uses_are_even(p, run)
    end
    return right, words
  end,
}
