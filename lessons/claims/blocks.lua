-- Claims about blocks, warps and multiprocessors.

-- The blocks and threads of a size that an SM of the G80 holds.
local function on_g80(threads)
  local sm, warps = device "g80", cdiv(threads, 32)
  local blocks = threads > sm.threads_per_block and 0 or math.min(sm.blocks_per_sm, sm.warps_per_sm // warps)
  return blocks, blocks * threads
end


return {
  claim {
    id = "C001", lesson = "L05",
    says = "A block has at most 512 threads.",
    value = 512, unit = "threads", on = "profile", verdict = "dated", erratum = "E06",
    now = function()
      return device "g80".threads_per_block
    end,
    today = function()
      return device "h200".threads_per_block
    end,
    because = "True of the G80. Since compute capability 2.0 it is twice as many.",
  },
  claim {
    id = "C002", lesson = "L06",
    says = "An SM of the G80 takes 8 blocks and 768 threads at most: 3 blocks of 256 or 6 of 128.",
    value = { 8, 768, 3, 6 }, on = "occupancy", verdict = "holds",
    now = function()
      local sm = device "g80"
      return { sm.blocks_per_sm, sm.warps_per_sm * 32, (on_g80(256)), (on_g80(128)) }
    end,
  },
  claim {
    id = "C003", lesson = "L05",
    says = "3 blocks of 256 threads on an SM are 24 warps.",
    value = 24, unit = "warps", on = "occupancy", verdict = "holds",
    now = function()
      return model { "occupancy", params = { profile = "g80", threads = 256, registers = 10 } }.warps
    end,
  },
  claim {
    id = "C004", lesson = "L06",
    says = "Blocks of 8 x 8 threads: 12 would fit by their threads, 8 are allowed, so 512 threads at once.",
    value = { 12, 8, 512 }, unit = { "wanted", "allowed", "threads" }, on = "profile", verdict = "holds",
    now = function()
      local blocks, threads = on_g80(64)
      return { device "g80".warps_per_sm * 32 // 64, blocks, threads }
    end,
  },
  claim {
    id = "C005", lesson = "L06",
    says = "Blocks of 16 x 16 threads: three of them fill the SM with 768 threads.",
    value = { 3, 768 }, unit = { "blocks", "threads" }, on = "profile", verdict = "holds",
    now = function()
      return { on_g80(256) }
    end,
  },
  claim {
    id = "C006", lesson = "L06",
    says = "Blocks of 32 x 32 threads: not even one fits on an SM of the G80.",
    value = 0, unit = "blocks", on = "profile", verdict = "dated",
    now = function()
      return (on_g80(1024))
    end,
    today = function()
      return model { "occupancy", params = { profile = "h200", threads = 1024, registers = 32 } }.blocks
    end,
    because = "More threads than a block may have, and more than the SM holds. A device of today holds two.",
  },
  claim {
    id = "C007", lesson = "L03",
    says = "A warp is 32 threads in a row, counted through the block.",
    value = { 32, 32, 16 }, unit = "threads in three warps of a block", on = "run", verdict = "holds",
    now = function()
      local r = measure { kernel = "warp_map_40x2" }
      local lanes = {}
      for warp = 0, r.warps - 1 do
        lanes[warp + 1] = popcount(r:event { kind = "store", warp = warp }.mask)
      end
      return lanes
    end,
  },
  claim {
    id = "C008", lesson = "L03",
    says = "A block of 40 by 2 threads takes 92 threads of the hardware.",
    value = 92, unit = "threads", on = "run", verdict = "wrong", erratum = "E38",
    now = function()
      return measure { kernel = "warp_map_40x2" }.warps * 32
    end,
    because = "Three warps of 32 lanes. Half of the third is idle, as the same slide says.",
  },
  claim {
    id = "C009", lesson = "L06",
    says = "A block of 48 threads wastes 25 % of its lanes.",
    value = 25, unit = "%", on = "occupancy", verdict = "holds",
    now = function()
      return 100 * (1 - model { "occupancy", params = { profile = "rtx2070", threads = 48, registers = 32 } }.lanes_used)
    end,
  },
  claim {
    id = "C010", lesson = "L05",
    says = "A block of 64 threads is two warps.",
    value = 2, unit = "warps", on = "run", verdict = "holds",
    now = function()
      return measure { kernel = "warp_map_40x2", params = { bx = 64, by = 1 } }.warps
    end,
  },
  claim {
    id = "C011", lesson = "L02",
    says = "A block has 1 to 1024 threads, better a multiple of 32.",
    value = 1024, unit = "threads", on = "profile", verdict = "holds",
    now = function()
      return device "rtx2070".threads_per_block
    end,
  },
  claim {
    id = "C012", lesson = "L02",
    says = "A thousand million steps in blocks of 256 are 3,906,251 blocks.",
    value = 3906251, unit = "blocks", on = "formula", verdict = "wrong", erratum = "E60",
    now = function()
      return cdiv(10 ^ 9 // 1, 256)
    end,
    because = "The number divides evenly. One more block would find nothing to do.",
  },
  claim {
    id = "C013", lesson = "L05",
    says = "Four blocks of 256 threads for each SM are a good start: 288 on a GPU with 36 of them.",
    value = 288, unit = "blocks", on = "formula", verdict = "wrong", erratum = "E66",
    now = function()
      return 4 * device "rtx2070".sms
    end,
    because = "4 x 36 = 144. The 288 that the book uses are eight for each.",
  },
  claim {
    id = "C014", lesson = "L02",
    says = "Rank (z * ny + y) * nx + x, taken apart again by division and remainder, gives x, y and z.",
    value = 0, unit = "elements differ", on = "run", verdict = "holds",
    now = function()
      local written, wrong = measure { kernel = "grid3d_linear", params = { nx = 7, ny = 5, nz = 3 } }:output "a", 0
      for i = 0, 7 * 5 * 3 - 1 do
        wrong = wrong + (written[i] == i and 0 or 1)
      end
      return wrong
    end,
    because = "In a volume of 7 x 5 x 3 each thread takes its number apart. It writes where x, y and z lead.",
  },
  claim {
    id = "C015", lesson = "L02",
    says = "In blocks of 32 x 8 x 2, a volume of 512 x 512 x 256 takes 131,072 blocks: 67,108,864 threads.",
    value = { 131072, 67108864 }, unit = { "blocks", "threads" }, on = "formula", verdict = "holds",
    now = function()
      local blocks = cdiv(512, 32) * cdiv(512, 8) * cdiv(256, 2)
      return { blocks, blocks * 32 * 8 * 2 }
    end,
  },
  claim {
    id = "C016", lesson = "L02",
    says = "Thread 1,234,567 of these is number 135 of block 2,411, and writes element [4][180][359].",
    value = { 2411, 135, 4, 180, 359 }, on = "formula", verdict = "holds",
    now = function()
      local block, thread = 1234567 // 512, 1234567 % 512
      local across, deep = cdiv(512, 32), cdiv(512, 8)
      local x = block % across * 32 + thread % 32
      local y = block // across % deep * 8 + thread // 32 % 8
      local z = block // (across * deep) * 2 + thread // 256
      return { block, thread, z, y, x }
    end,
  },
  claim {
    id = "C017", lesson = "L02",
    says = "With 288 blocks of 256, element 1,234,567 falls to thread 54,919 in pass 16, in block 214: [4][363][135].",
    value = { 54919, 16, 214, 4, 363, 135 }, on = "formula", verdict = "holds",
    now = function()
      local id, all = 1234567, 288 * 256
      local thread = id % all
      return { thread, id // all, thread // 256, id // (512 * 512), id // 512 % 512, id % 512 }
    end,
  },
  claim {
    id = "C018", lesson = "L02",
    says = "With 512 in x and y, bits give the place: x is the lowest 9, y the next 9, z the rest.",
    value = 0, unit = "elements differ", on = "run", verdict = "holds",
    now = function()
      local r = measure { kernel = "grid3d_bits" }
      return r.verdict == "right" and 0 or #r.faults + 1
    end,
  },
  claim {
    id = "C019", lesson = "L01",
    says = "helloworld, moved on by 3, is khoorzruog.",
    value = "khoorzruog", on = "run", verdict = "holds",
    now = function()
      local text, letters = measure { kernel = "encrypt_parallel" }:output "m", {}
      for i = 0, 9 do
        letters[#letters + 1] = string.char(text[i])
      end
      return table.concat(letters)
    end,
  },
  claim {
    id = "C020", lesson = "L01",
    says = "A vector unit of 128 bits takes 4 floats, one of 512 bits takes 16.",
    value = { 4, 16 }, unit = "floats", on = "formula", verdict = "holds",
    now = function()
      return { 128 // 32, 512 // 32 }
    end,
  },
  claim {
    id = "C021", verdict = "not measurable here",
    says = "CERN lets more than 200,000 cores work side by side without a word between them.",
    takes = "A computing centre. It is said as an example of work that parts by itself.",
  },
}
