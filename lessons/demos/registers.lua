demo { title = "Two registers more", minutes = 1.5, where = "CS 378h, occupancy of a V100" }

local function held(f)
  return { blocks = f.blocks, warps = f.warps, most = f.max_warps, share = 100 * f.occupancy, limit = f.limit }
end

scene {
  model = "occupancy", params = { profile = "v100", threads = 256, registers = 32 }, big = true,
  say = "A V100, blocks of 256 threads, 32 registers: {blocks} blocks, {warps} of {most} warps, {share} percent.",
  values = held,
  note = "The model needs no GPU. All warp slots are taken.",
}
scene {
  model = "occupancy", params = { profile = "v100", threads = 256, registers = 34 }, big = true, hide = true,
  say = "The next version of the kernel needs 34. That is 6 percent more.",
}
ask {
  "How much of the occupancy is left?", options = { "100 %", "87.5 %", "75 %", "50 %" }, seconds = 30,
  answer = function(f)
    return ("%g %%"):format(100 * f.occupancy)
  end,
  note = "The slide says 7 blocks, 87.5 %. Who works with 65536 / (34 x 256) gets that.",
}
reveal {
  say = "{share} percent: {blocks} blocks. Registers come by eights, so 34 cost as much as 40.",
  values = held,
}
whatif {
  param = "registers", try = { 33, 40, 41 },
  say = "{blocks} blocks, {share} percent.",
  values = held,
  note = "33 to 40 are one step of the staircase; 41 is the next.",
}
keep { "Blocks are whole, and registers come by eights: it is a staircase." }
