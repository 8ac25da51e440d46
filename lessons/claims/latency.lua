-- Claims about latency, issue and parallelism.

return {
  claim {
    id = "C039", lesson = "L07", verdict = "not measurable here",
    says = "An instruction takes 10 to 20 cycles, a load from DRAM 400 to 800.",
    takes = "The GPUs of that time and a kernel that follows pointers under a clock. The models take these numbers as sliders.",
  },
  claim {
    id = "C040", lesson = "L07",
    says = "A wait of 10 cycles is hidden by 10 warps, one instruction a cycle.",
    value = 0, unit = "empty cycles", on = "model", verdict = "holds",
    now = function()
      return model { "latency", params = { program = "one chain", arithmetic = 10, warps = 10 } }.empty
    end,
  },
  claim {
    id = "C041", lesson = "L07",
    says = "16 warps on a scheduler and a latency of 400 cycles: 25 cycles of work in each keep it busy.",
    value = 25, unit = "cycles", on = "model", verdict = "holds in shape", band = { 0.9, 1.1 },
    now = function()
      local few, enough = 2, 50      -- cycles of work that leave some empty, and that leave none
      while enough - few > 1 do
        local work = (few + enough) // 2
        local params = { program = "rounds", policy = "greedy", warps = 16, memory = 400, work = work }
        if model { "latency", params = params }.round_empty == 0 then
          enough = work
        else
          few = work
        end
      end
      return enough
    end,
    because = "400 / 16 is 25. But a warp cannot fill its own wait: 400 / 15 = 26.7 cycles each of the others has to fill. "
      .. "With 25 some cycles of each round stay empty.",
  },
  claim {
    id = "C042", lesson = "L07",
    says = "A Kepler SM: four schedulers that issue two instructions each, 8 a cycle at best.",
    value = 4, unit = "schedulers", on = "profile", verdict = "holds",
    now = function()
      return device "k20x".schedulers
    end,
    because = "Volta and later issue one for each scheduler.",
  },
  claim {
    id = "C043", lesson = "L05", verdict = "not measurable here", erratum = "E41",
    says = "GPUs of the Kepler family have 1 to 14 SMs.",
    takes = "A list of all its chips. The K20X, the only one that is held here, has 14; the full chip has 15.",
  },
  claim {
    id = "C044", lesson = "L07", verdict = "not measurable here",
    says = "An SM of the GK110: 192 lanes for floats, 64 for doubles, 32 for special functions, 32 for memory, 16 for textures.",
    takes = "A GPU of that time. The table of profiles has its limits, not its lanes.",
  },
  claim {
    id = "C052", lesson = "L05", verdict = "not measurable here",
    says = "Up to 32 kernels at once since compute capability 3.5, 16 before; priorities since 3.5.",
    takes = "GPUs of both kinds. The model of queues shows both rules.",
  },
  claim {
    id = "C045", lesson = "L07",
    says = "192 lanes are 6 warps a cycle; without independent instructions four schedulers fill 128 of them, 66.7 %.",
    value = { 6, 128, 66.7 }, unit = { "warps", "lanes", "%" }, on = "formula", verdict = "holds", tolerance = 0.05,
    now = function()
      local lanes = device "k20x".schedulers * 32
      return { 192 // 32, lanes, 100 * lanes / 192 }
    end,
  },
  claim {
    id = "C046", lesson = "L07",
    says = "64 lanes for doubles are 2 warps a cycle: one of four schedulers' worth of them takes two.",
    value = { 2, 2 }, unit = { "warps", "cycles" }, on = "formula", verdict = "holds",
    now = function()
      return { 64 // 32, device "k20x".schedulers * 32 // 64 }
    end,
  },
  claim {
    id = "C047", lesson = "L07",
    says = "About 1700 independent operations on floats keep a Kepler SM busy.",
    value = 1700, unit = "operations", on = "formula", verdict = "holds in shape", band = { 0.95, 1.05 },
    now = function()
      return 192 * 9
    end,
    because = "192 lanes times a latency of 9 cycles.",
  },
  claim {
    id = "C048", lesson = "L07",
    says = "Stairs of 20 steps, a step every 2 s: 40 s to the top. One rider is 0.025 people a second; 20 riders fill it.",
    value = { 40, 0.025, 20 }, unit = { "s", "people a second", "riders" }, on = "model", verdict = "holds",
    now = function()
      local one = model { "little", params = { riders = 1, steps = 20, seconds = 2 } }
      return { one.ride, one.rate, one.riders_needed }
    end,
  },
  claim {
    id = "C049", lesson = "L07",
    says = "About 100 lines of 128 bytes have to be under way for each SM of a K20X.",
    value = 100, unit = "lines", on = "model", verdict = "holds in shape", band = { 0.9, 1.1 },
    now = function()
      return model { "little", params = { profile = "k20x", mhz = 732, latency = 500 } }.lines
    end,
  },
  claim {
    id = "C050", lesson = "L07",
    says = "Two elements for a thread in place of one: twice the loads that are under way at once.",
    value = 2, unit = "times", on = "model", verdict = "holds",
    now = function()
      local one = model { "little", params = { profile = "k20x", loads = 2 } }
      local two = model { "little", params = { profile = "k20x", loads = 4 } }
      return one.warps_needed / two.warps_needed
    end,
  },
  claim {
    id = "C051", lesson = "L06",
    says = "A quarter of a V100's SM has a scheduler of its own and 16,384 registers.",
    value = { 4, 16384 }, on = "profile", verdict = "holds",
    now = function()
      local sm = device "v100"
      return { sm.schedulers, sm.registers_per_sm // sm.schedulers }
    end,
  },
  claim {
    id = "C053", lesson = "L12",
    says = "Where arithmetic and memory balance, a GPU does 4 to 10 operations for each byte.",
    value = 4, unit = "operations a byte", on = "model", verdict = "dated", tolerance = 0.01,
    now = function()
      return model { "roofline", params = { profile = "g80" } }.ridge
    end,
    today = function()
      return model { "roofline", params = { profile = "h200" } }.ridge
    end,
    because = "A G80 does 4, and arithmetic has grown faster than memory since. Today is an H200 and its "
      .. "floats, without tensor cores.",
  },
  claim {
    id = "C054", lesson = "L07",
    says = "An RTX 2070 with 2304 lanes at 1.1 GHz and more does several million million operations a second.",
    value = 2.5, unit = "x 10^12", on = "profile", verdict = "holds in shape", band = { 1, 4 },
    now = function()
      return device "rtx2070".fp32_tflops
    end,
    because = "A fused multiply-add counts as two, and the clock is higher than its name plate under load.",
  },
}
