-- Claims about shared memory and its banks.

local function stride(s)
  local r = measure { kernel = "shared_stride", params = { s = s } }
  local at = { line = "float foo = shared", kind = "load" }
  show(r, { at = at, focus = "banks" })
  return r:event(at).wavefronts
end

local function conflicts(kernel, type)
  return measure { kernel = kernel, params = { n = 32, type = type } }.counters.shared_load_wavefronts
end

return {
  claim {
    id = "C087", lesson = "L10", verdict = "not measurable here",
    says = "Shared memory answers 20 to 30 times sooner than DRAM, and gives about ten times the bytes.",
    takes = "A kernel that follows pointers under a clock on the GPUs named.",
  },
  claim {
    id = "C088", lesson = "L11",
    says = "32 banks of 8 bytes are 256 bytes a cycle; 14 SMs at 732 MHz make 2.6 TB/s.",
    value = { 256, 2.6 }, unit = { "bytes a cycle", "TB/s" }, on = "formula", verdict = "holds", tolerance = 0.05,
    now = function()
      return { 32 * 8, 32 * 8 * device "k20x".sms * 0.732e9 / 1e12 }
    end,
  },
  claim {
    id = "C089", lesson = "L11",
    says = "In the mode of 8 bytes the bank is the address over 8, modulo 32.",
    value = 31, unit = "is the bank of byte 248", on = "model", verdict = "holds",
    now = function()
      return model { "banks", params = { map = "8 bytes", width = 8, stride = 2 } }.lane31_bank
    end,
    because = "Lane 31 of a warp that reads doubles in a row.",
  },
  claim {
    id = "C090", lesson = "L11",
    says = "A conflict of N words in a bank is repeated N - 1 times: 31 at worst.",
    value = { 1, 31 }, unit = "repeats", on = "run", verdict = "holds",
    now = function()
      return { stride(2) - 1, stride(32) - 1 }
    end,
  },
  claim {
    id = "C091", lesson = "L11",
    says = "Four lanes that want three words of one bank: a conflict of three.",
    value = 3, unit = "wavefronts", on = "run", verdict = "holds",
    now = function()
      local r = measure { kernel = "bank_patterns", params = { pattern = "three-way" } }
      local at = { kind = "load", space = "shared" }
      show(r, { at = at, focus = "banks" })
      return r:event(at).wavefronts
    end,
  },
  claim {
    id = "C092", lesson = "L11",
    says = "Of 32 banks a stride is free if it is odd, else gcd(stride, 32) lanes meet.",
    value = 0, unit = "strides differ", on = "run", verdict = "holds",
    now = function()
      local differ = 0
      for s = 1, 33 do
        differ = differ + (stride(s) == gcd(s, 32) and 0 or 1)
      end
      return differ
    end,
  },
  claim {
    id = "C093", lesson = "L11",
    says = "16 banks for half a warp on the first GPUs, 32 for a warp since Fermi.",
    value = { 16, 32 }, unit = "banks", on = "profile", verdict = "holds",
    now = function()
      return { device "gt200".banks, device "fermi".banks }
    end,
  },
  claim {
    id = "C094", lesson = "L11",
    says = "A column of a 32 x 32 tile meets in one bank, 32 deep; with a 33rd column no two meet.",
    value = { 32, 1 }, unit = "wavefronts for a load", on = "run", verdict = "holds",
    now = function()
      local plain, padded = conflicts("transpose_32x32", "float"), conflicts("transpose_32x33", "float")
      return { plain / 32, padded / 32 }
    end,
    because = "The slide counts a row of 17 words (E45); it is 33.",
  },
  claim {
    id = "C095", lesson = "L11",
    says = "The 33rd column makes the transpose twice as fast.",
    value = 2, unit = "times", on = "recording", verdict = "holds in shape", band = { 0.5, 2 },
    now = function()
      local plain = measure { kernel = "transpose_32x32", timing = true, device = "recorded", cut = "compiled" }
      local padded = measure { kernel = "transpose_32x33", timing = true, device = "recorded", cut = "compiled" }
      return plain.time / padded.time
    end,
  },
  claim {
    id = "C096", lesson = "L10",
    says = "An SM has 48 KB of shared memory or more, typically 64.",
    value = { 48, 64 }, unit = "KB", on = "profile", verdict = "holds",
    now = function()
      return { device "k20x".shared_per_sm // 1024, device "rtx2070".shared_per_sm // 1024 }
    end,
    because = "A K20X, and the RTX 2070 of the book. An H200 has more than three times that.",
  },
}
