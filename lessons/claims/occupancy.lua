-- Claims about occupancy: what fits on a multiprocessor, and what keeps more off it.

local function on(profile, threads, registers, shared)
  return model { "occupancy", params = { profile = profile, threads = threads, registers = registers, shared = shared or 0 } }
end

return {
  claim {
    id = "C027", lesson = "L06",
    says = "With 34 registers a thread, 7 blocks of 256 threads fit on a V100: 0.875 of its warps.",
    value = { 7, 0.875 }, unit = { "blocks", "of the warps" }, on = "occupancy", verdict = "wrong", erratum = "E137",
    now = function()
      local sm = on("v100", 256, 34)
      return { sm.blocks, sm.occupancy }
    end,
    because = "Registers are given to a warp in whole units, so 34 a thread cost as many as 40 would.",
  },
}
