-- Claims about global memory. On the GPUs of the lecture a request moved lines of 128 bytes or segments of 32; since
-- Maxwell it moves 32-byte sectors, so only the second column still holds.

local function pattern(name, offset)
  local r = measure { kernel = "load_patterns", params = { pattern = name, offset = offset } }
  local at = { line = "base[word]", kind = "load", space = "global" }
  show(r, { at = at, focus = "segments" })
  return r:event(at)
end

-- Sectors, and how much of what they move is used.
local function sectors(name, offset)
  local load = pattern(name, offset)
  return { load.sectors, 100 * load.bytes_used / load.bytes_moved }
end

-- Lines of 128 bytes, and the same.
local function lines(name, offset)
  local load = pattern(name, offset)
  return { load.lines, 100 * load.bytes_used / (128 * load.lines) }
end

local line_units, sector_units = { "line", "% used" }, { "sectors", "% used" }

local function ratio(one, other, counter)
  local left, right = measure(one), measure(other)
  return left.counters[counter] / right.counters[counter]
end

return {
  claim {
    id = "C061", lesson = "L08",
    says = "32 words in a row, aligned: one line of 128 bytes, all of it used.",
    value = { 1, 100 }, unit = line_units, on = "run", verdict = "holds",
    now = function()
      return lines "aligned"
    end,
  },
  claim {
    id = "C062", lesson = "L08",
    says = "The same in segments of 32 bytes: 4, all used.",
    value = { 4, 100 }, unit = sector_units, on = "run", verdict = "holds",
    now = function()
      return sectors "aligned"
    end,
  },
  claim {
    id = "C063", lesson = "L08",
    says = "The same words in another order: still one line.",
    value = { 1, 100 }, unit = line_units, on = "run", verdict = "holds",
    now = function()
      return lines "permuted"
    end,
  },
  claim {
    id = "C064", lesson = "L08",
    says = "And still 4 segments.",
    value = { 4, 100 }, unit = sector_units, on = "run", verdict = "holds",
    now = function()
      return sectors "permuted"
    end,
  },
  claim {
    id = "C065", lesson = "L08",
    says = "In a row, but one word off: two lines, half of them used.",
    value = { 2, 50 }, unit = { "lines", "% used" }, on = "run", verdict = "holds",
    now = function()
      return lines("offset", 1)
    end,
  },
  claim {
    id = "C066", lesson = "L08",
    says = "The same in segments: at most 5, at least 80 % used; 4 again where the offset is a multiple of 8 words.",
    value = { 5, 80, 4 }, unit = { "sectors", "% used", "sectors" }, on = "run", verdict = "holds",
    now = function()
      local most, least = pattern("offset", 1), 0
      for offset = 1, 31 do
        local load = pattern("offset", offset)
        if load.sectors > most.sectors then
          most = load
        end
        least = offset % 8 == 0 and math.max(least, load.sectors) or least
      end
      return { most.sectors, 100 * most.bytes_used / most.bytes_moved, least }
    end,
  },
  claim {
    id = "C067", lesson = "L08",
    says = "One word for all lanes: one line, of which 4 bytes are used, 3.125 %.",
    value = { 1, 3.125 }, unit = line_units, on = "run", verdict = "holds",
    now = function()
      return lines("same", 0)
    end,
  },
  claim {
    id = "C068", lesson = "L08",
    says = "The same in segments: one, 12.5 % used.",
    value = { 1, 12.5 }, unit = { "sector", "% used" }, on = "run", verdict = "holds",
    now = function()
      return sectors("same", 0)
    end,
  },
  claim {
    id = "C069", lesson = "L08",
    says = "32 words far from each other: as many lines, 3.125 % used.",
    value = { 32, 3.125 }, unit = { "lines", "% used" }, on = "run", verdict = "holds",
    now = function()
      return lines "scattered"
    end,
  },
  claim {
    id = "C070", lesson = "L08",
    says = "The same in segments: 32, 12.5 % used.",
    value = { 32, 12.5 }, unit = sector_units, on = "run", verdict = "holds",
    now = function()
      return sectors "scattered"
    end,
    because = "Four times better than lines, as the slide says, for there are as many segments as lines. In general there "
      .. "can be up to four times as many (E42).",
  },
  claim {
    id = "C073", lesson = "L08",
    says = "Three floats in a structure: each load takes 12 segments, and three times the bytes are moved.",
    value = { 12, 3 }, unit = { "sectors", "times" }, on = "run", verdict = "holds",
    now = function()
      local together = measure { kernel = "position_aos" }
      local apart = measure { kernel = "position_soa" }
      return { together:event { kind = "load", space = "global" }.sectors,
               together.counters.global_load_sectors / apart.counters.global_load_sectors }
    end,
  },
  claim {
    id = "C074", lesson = "L08",
    says = "Three arrays are 1.51 times as fast as structures.",
    value = 1.51, unit = "times", on = "recording", verdict = "dated", band = { 0.75, 1.5 },
    now = function()
      local together = measure { kernel = "position_aos", timing = true, device = "recorded", cut = "compiled" }
      local apart = measure { kernel = "position_soa", timing = true, device = "recorded", cut = "compiled" }
      show(together, { at = { kind = "load", space = "global" }, focus = "segments" })
      return together.time / apart.time
    end,
    because = "A K20X measured that. The first cache of an H200 keeps what the next two loads want, so structures lose nothing; "
      .. "three times the sectors remain.",
  },
  claim {
    id = "C071", lesson = "L08", verdict = "not measurable here",
    says = "A lane loads 1, 2, 4, 8 or 16 bytes at once, at an address that is a multiple of that.",
    takes = "A GPU of each kind. The list is one of instructions: compute capability 10.0 adds loads of 32 bytes.",
  },
  claim {
    id = "C072", lesson = "L08",
    says = "Stores leave in segments of 32 bytes: 4 for 32 words in a row.",
    value = 4, unit = "sectors", on = "run", verdict = "holds",
    now = function()
      local r = measure { kernel = "vec_add", params = { n = 1024 } }
      return r:event { kind = "store" }.sectors
    end,
  },
  claim {
    id = "C075", lesson = "L09", verdict = "not measurable here",
    says = "64 KB are parted into cache and shared memory: 16 and 48, 48 and 16, with Kepler 32 and 32.",
    takes = "A GPU of that time. Today the two share more, and the part is chosen for each kernel.",
  },
  claim {
    id = "C076", lesson = "L09", verdict = "not measurable here",
    says = "The read-only cache answers 4 threads at a time: a warp asks it at least 8 times.",
    takes = "A Kepler and its counters. 32 lanes by 4 are 8. Since Maxwell it is one with the first cache (E54).",
  },
  claim {
    id = "C077", lesson = "L09", verdict = "not measurable here",
    says = "A texture mixes two texels with weights of 9 bits: 8 behind the point.",
    takes = "A texture unit, read at places close together: 8 bits behind the point are 2^8 steps from texel to texel."
      .. " The emulator mixes in such steps because the guide says so, which proves nothing.",
  },
  claim {
    id = "C078", lesson = "L09",
    says = "There are 64 KB of constant memory, read one word at a time. So 16 coefficients take 16 passes if each lane has its own.",
    value = { 1, 16 }, unit = "passes", on = "model", verdict = "holds",
    now = function()
      local function passes(distinct)
        local c = model { "caches", params = { access = "constant", path = "Kepler", warps = 1, distinct = distinct } }
        return c.passes
      end
      return { 1, passes(16) / passes(1) }
    end,
  },
  claim {
    id = "C079", lesson = "L09",
    says = "Hundreds of threads share a first cache, thousands the second.",
    value = { 100, 1000 }, unit = { "on an SM", "on the GPU" }, on = "profile",
    verdict = "holds in shape", band = { 1, 30 },
    now = function()
      local k20x = device "k20x"
      local threads = k20x.warps_per_sm * 32
      return { threads, k20x.sms * threads }
    end,
    because = "That is a K20X filled to the last warp; few kernels fill it.",
  },
  claim {
    id = "C080", lesson = "L04",
    says = "A switch of N arms over neighboring lanes takes N turns, 32 at most.",
    value = { 2, 8, 32 }, unit = "turns", on = "run", verdict = "holds",
    now = function()
      local turns = {}
      for i, arms in ipairs { 2, 8, 32 } do
        -- a warp parts once less than it takes turns
        turns[i] = 1 + measure { kernel = "diverge_switch_n", params = { N = arms } }.counters.divergent_branches
      end
      return turns
    end,
  },
  claim {
    id = "C081", lesson = "L08",
    says = "A scattered load costs 16 to 32 times an ordered one.",
    value = 32, unit = "times", on = "run", verdict = "dated",
    now = function()
      local ordered = pattern "aligned"
      return pattern "scattered".lines / ordered.lines
    end,
    today = function()
      local ordered = pattern "aligned"
      return pattern "scattered".sectors / ordered.sectors
    end,
    because = "In lines of 128 bytes, for a warp; half a warp, which the first GPUs served at a time, made it 16. "
      .. "In sectors of 32 bytes it is 8.",
  },
  claim {
    id = "C082", lesson = "L02",
    says = "Numbers that go along the grid first part neighbors: a serious loss of memory performance.",
    value = 8, unit = "times the sectors", on = "run", verdict = "holds",
    now = function()
      return ratio({ kernel = "gpu_sin_block_major" }, { kernel = "gpu_sin_if" }, "global_store_sectors")
    end,
  },
  claim {
    id = "C083", lesson = "L10",
    says = "Differences of n neighbors: 2 (n - 1) loads, with shared memory n and one for each further block.",
    value = { 2046, 1027 }, unit = "words", on = "run", verdict = "holds",
    now = function()
      local plain = measure { kernel = "adj_diff_naive", params = { n = 1024, threads = 256 } }
      local shared = measure { kernel = "adj_diff_shared", params = { n = 1024, threads = 256 } }
      return { plain.counters.global_load_bytes // 4, shared.counters.global_load_bytes // 4 }
    end,
  },
  claim {
    id = "C084", lesson = "L12",
    says = "A plain product needs 4 bytes for each operation: at 86.4 GB/s no more than 21.6 GFLOPS.",
    value = { 4, 21.6 }, unit = { "bytes", "GFLOPS" }, on = "model", verdict = "holds", tolerance = 0.001,
    now = function()
      local roof = model { "roofline", params = { profile = "g80", flops = 2, bytes = 8 } }
      return { 1 / roof.intensity, roof.attainable }
    end,
  },
  claim {
    id = "C085", lesson = "L12",
    says = "Tiles of 16 ask global memory for a sixteenth.",
    value = 16, unit = "times fewer requests", on = "run", verdict = "holds",
    now = function()
      return ratio({ kernel = "matmul_naive", params = { Width = 64, TILE_WIDTH = 16 } },
        { kernel = "matmul_tiled", params = { Width = 64, TILE_WIDTH = 16 } }, "global_load_requests")
    end,
  },
  claim {
    id = "C086", lesson = "L12",
    says = "A plain product reads each element Width times; with tiles it is Width over the tile.",
    value = { 64, 4 }, unit = "times", on = "run", verdict = "holds",
    now = function()
      local size = { Width = 64, TILE_WIDTH = 16 }
      local tiled = measure { kernel = "matmul_tiled", params = size }
      local reuse = model { "reuse", params = { width = 64, tile = "naive" } }
      return { reuse.reads_of_an_element, tiled.counters.global_load_bytes / (2 * 64 * 64 * 4) }
    end,
  },
}
