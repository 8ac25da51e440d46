-- Claims about the limits of devices: the lecture's table of compute capabilities, row by row, from 1.0 to 5.0.

local named = { "g80", "gt200", "fermi", "gk104", "k20x", "gtx750ti" }

local function row(field, divide)
  local out = {}
  for i, name in ipairs(named) do
    out[i] = device(name)[field] // (divide or 1)
  end
  return out
end

local function table_row(id, says, value, field, divide)
  return claim {
    id = id, lesson = "L06", says = says .. " of compute capability 1.0, 1.3, 2.x, 3.0, 3.5 and 5.0.",
    value = value, on = "profile", verdict = "holds",
    now = function()
      return row(field, divide)
    end,
  }
end

return {
  table_row("G1", "Threads of a block", { 512, 512, 1024, 1024, 1024, 1024 }, "threads_per_block"),
  table_row("G2", "Blocks on an SM", { 8, 8, 8, 16, 16, 32 }, "blocks_per_sm"),
  table_row("G3", "Warps on an SM", { 24, 32, 48, 64, 64, 64 }, "warps_per_sm"),
  table_row("G4", "Registers of an SM, in thousands of 1024,", { 8, 16, 32, 64, 64, 64 }, "registers_per_sm", 1024),
  table_row("G5", "Registers of a thread", { 128, 128, 63, 63, 255, 255 }, "registers_per_thread"),
  table_row("G6", "KB of shared memory of an SM", { 16, 16, 48, 48, 48, 64 }, "shared_per_sm", 1024),
  table_row("G7", "Banks", { 16, 16, 32, 32, 32, 32 }, "banks"),
}
