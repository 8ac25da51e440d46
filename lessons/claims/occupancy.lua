-- Claims about occupancy: what fits on a multiprocessor, and what keeps more off it.

local function on(profile, threads, registers, shared)
  return model {
    "occupancy", params = { profile = profile, threads = threads, registers = registers or 32, shared = shared or 0 },
  }
end

local function table_of(list, f)
  local out = {}
  for i, item in ipairs(list) do
    out[i] = f(item)
  end
  return out
end

local kepler_to_volta = { "k20x", "gtx750ti", "gtx980", "p100", "gtx1080", "v100", "rtx2070", "a100" }

return {
  claim {
    id = "C022", lesson = "L06",
    says = "Occupancy is the warps on an SM over the warps that it can hold.",
    value = 0.75, on = "occupancy", verdict = "holds",
    now = function()
      local sm = on("v100", 256, 40)
      return sm.occupancy == sm.warps / sm.max_warps and sm.occupancy or false
    end,
  },
  claim {
    id = "C023", lesson = "L06",
    says = "A V100 holds 64 warps and 32 blocks on an SM: 4 blocks of 512 threads, 16 of 128.",
    value = { 64, 32, 4, 16 }, on = "occupancy", verdict = "holds",
    now = function()
      local sm = device "v100"
      return { sm.warps_per_sm, sm.blocks_per_sm, on("v100", 512).blocks, on("v100", 128).blocks }
    end,
  },
  claim {
    id = "C024", lesson = "L06",
    says = "32 blocks of 32 threads fill only half of it.",
    value = 0.5, on = "occupancy", verdict = "holds",
    now = function()
      return on("v100", 32).occupancy
    end,
  },
  claim {
    id = "C025", lesson = "L06",
    says = "A V100 has 65,536 registers in an SM, four files of 16,384, and at most 255 for a thread.",
    value = { 65536, 16384, 255 }, on = "profile", verdict = "holds",
    now = function()
      local sm = device "v100"
      return { sm.registers_per_sm, sm.registers_per_sm // sm.schedulers, sm.registers_per_thread }
    end,
  },
  claim {
    id = "C026", lesson = "L06",
    says = "256 threads of 32 registers take 8192: 8 blocks, 2048 threads, a full SM.",
    value = { 8192, 8, 2048 }, unit = { "registers", "blocks", "threads" }, on = "occupancy", verdict = "holds",
    now = function()
      local sm = on("v100", 256, 32)
      return { sm.registers_per_block, sm.blocks, sm.warps * 32 }
    end,
  },
  claim {
    id = "C027", lesson = "L06",
    says = "With 34 registers a thread, 7 blocks of 256 threads fit on a V100: 0.875 of its warps.",
    value = { 7, 0.875 }, unit = { "blocks", "of the warps" }, on = "occupancy", verdict = "wrong", erratum = "E137",
    now = function()
      local sm = on("v100", 256, 34)
      return { sm.blocks, sm.occupancy }
    end,
    because = "Registers are given to a warp in whole units, so 34 a thread cost more than that.",
  },
  claim {
    id = "C028", lesson = "L06",
    says = "GT200: 16,384 registers for 768 threads are 21 for each.",
    value = 21, unit = "registers", on = "profile", verdict = "wrong", erratum = "E13",
    now = function()
      local sm = device "gt200"
      return sm.registers_per_sm // (sm.warps_per_sm * 32)
    end,
    because = "768 threads are the limit of the G80. A GT200 holds a third more, which leaves fewer for each.",
  },
  claim {
    id = "C029", lesson = "L06",
    says = "And with 22 registers and blocks of 256? (The lecture asks.) Two blocks, half of a GT200.",
    value = { 2, 0.5 }, unit = { "blocks", "of the warps" }, on = "occupancy", verdict = "holds",
    now = function()
      local sm = on("gt200", 256, 22)
      return { sm.blocks, sm.occupancy }
    end,
  },
  claim {
    id = "C030", lesson = "L06",
    says = "Blocks times shared memory of a block cannot be more than an SM has.",
    value = { 4, 98304 }, unit = { "blocks", "bytes" }, on = "occupancy", verdict = "holds",
    now = function()
      local sm = on("v100", 256, 32, 24576)
      return { sm.blocks, sm.blocks * sm.shared_per_block }
    end,
  },
  claim {
    id = "C031", lesson = "L12",
    says = "Tiles of 16 take 2 KB, so 8 blocks fit on an SM of 16 KB: 4096 loads are under way.",
    value = { 8, 4096 }, unit = { "blocks", "loads" }, on = "occupancy", verdict = "wrong", erratum = "E12",
    now = function()
      local sm = on("g80", 256, 10, 2 * 16 * 16 * 4)
      return { sm.blocks, sm.blocks * 2 * 256 }
    end,
    because = "By shared memory alone. The G80 has room for the threads of three blocks.",
  },
  claim {
    id = "C032", lesson = "L12",
    says = "Tiles of 32 take 8 KB, so two blocks fit.",
    value = 2, unit = "blocks", on = "profile", verdict = "wrong", erratum = "E11",
    now = function()
      local sm = device "g80"
      return 32 * 32 > sm.threads_per_block and 0 or sm.shared_per_sm // (2 * 32 * 32 * 4)
    end,
    because = "32 x 32 threads are more than a block of the G80 may have.",
  },
  claim {
    id = "C033", lesson = "L10",
    says = "Of 64 KB, a block that takes more than half leaves no room for a second one.",
    value = 1, unit = "block", on = "occupancy", verdict = "holds",
    now = function()
      return on("p100", 256, 32, 33 * 1024).blocks
    end,
  },
  claim {
    id = "C034", lesson = "L06",
    says = "A Kepler SM: 65,536 registers, 48 KB, 2048 threads, 16 blocks; with blocks of one warp it has 16 warps.",
    value = { 65536, 49152, 2048, 16, 16 }, on = "occupancy", verdict = "holds",
    now = function()
      local sm = device "k20x"
      return { sm.registers_per_sm, sm.shared_per_sm, sm.warps_per_sm * 32, sm.blocks_per_sm, on("k20x", 32).warps }
    end,
  },
  claim {
    id = "C035", lesson = "L06",
    says = "A kernel may have 42 warps on an SM. Blocks of 16 warps give 32, blocks of 8 give 40, 1.25 times as many.",
    value = { 32, 40, 1.25 }, on = "occupancy", verdict = "holds",
    now = function()
      local large, small = on("k20x", 512, 48).warps, on("k20x", 256, 48).warps
      return { large, small, small / large }
    end,
  },
  claim {
    id = "C036", lesson = "L06", verdict = "not measurable here",
    says = "Begin with 128 to 256 threads a block, 1000 blocks and more, 1000 threads on each SM.",
    takes = "A rule of thumb, no number to measure. What it rests on is measured one by one: waves, warps, lanes.",
  },
  claim {
    id = "C037", lesson = "L07",
    says = "Four schedulers with instructions that take 10 cycles need 40 warps, if no two of a warp are independent.",
    value = 40, unit = "warps", on = "model", verdict = "holds",
    now = function()
      return 4 * model { "latency", params = { program = "one chain", arithmetic = 10 } }.warps_needed
    end,
  },
  claim {
    id = "C038", lesson = "L10",
    says = "256 threads with a float, a short and a char each take 1792 bytes of shared memory; two arrays take 1024 + 512.",
    value = { 1792, 1536 }, unit = "bytes", on = "formula", verdict = "holds",
    now = function()
      return { 256 * (4 + 2 + 1), 256 * 4 + 256 * 2 }
    end,
  },
  claim {
    id = "T22", lesson = "L06",
    says = "Pascal, 32 to 1024 threads a block: 64, 32, 16, 8, 4 and 2 blocks fill an SM.",
    value = { 64, 32, 16, 8, 4, 2 }, unit = "blocks", on = "occupancy", verdict = "wrong", erratum = "E73",
    now = function()
      return table_of({ 32, 64, 128, 256, 512, 1024 }, function(threads)
        return on("gtx1080", threads, 32).blocks
      end)
    end,
    because = "An SM takes 32 blocks at most. Blocks of one warp fill half of it.",
  },
  claim {
    id = "T23", lesson = "L06",
    says = "Shared memory for each thread of a full SM. From K20X to A100: 24, 32, 48, 32, 48, 48, 64 and 82 bytes.",
    value = { 24, 32, 48, 32, 48, 48, 64, 82 }, unit = "bytes", on = "profile", verdict = "holds", tolerance = 0.5,
    now = function()
      return table_of(kepler_to_volta, function(name)
        local sm = device(name)
        return sm.shared_per_sm / (sm.warps_per_sm * 32)
      end)
    end,
  },
}
