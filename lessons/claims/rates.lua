-- Claims about times and rates. Those of other GPUs compare in shape only: their ratios are held against recordings.


local function recorded(kernel)
  return measure { kernel = kernel, timing = true, device = "recorded", cut = "compiled" }.time
end

return {
  claim {
    id = "C097", lesson = "L14", verdict = "not measurable here",
    says = "A host adds 2^24 floats in 14.012 ms.",
    takes = "The host of the book. Here it would be another number on every machine.",
  },
  claim {
    id = "C098", lesson = "L14",
    says = "The reductions take 0.267, 0.202, 0.196 and 0.195 ms: the last is 1.37 times as fast as the second.",
    value = 1.37, unit = "times", on = "recording", verdict = "holds in shape", band = { 0.75, 1.35 },
    now = function()
      return recorded "reduce1" / recorded "reduce4"
    end,
  },
  claim {
    id = "C099", lesson = "L14", verdict = "not measurable here",
    says = "The fourth reduction is about 70 times as fast as the host.",
    takes = "The host of the book. Its own numbers give a little more.",
  },
  claim {
    id = "C100", lesson = "L14",
    says = "Floats that are added as a tree lose less than floats that are added one after the other.",
    value = "less", on = "formula", verdict = "holds",
    now = function()
      local n, list, exact, one = 32768, {}, 0.0, 0.0
      for i = 1, n do
        list[i] = f32(i * i % 10007 / 10007)
        exact, one = exact + list[i], f32(one + list[i])
      end
      for half = n // 2, 1, -1 do
        if n % half == 0 and half & (half - 1) == 0 then
          for i = 1, half do
            list[i] = f32(list[i] + list[i + half])
          end
        end
      end
      return math.abs(list[1] - exact) < math.abs(one - exact) and "less" or "more"
    end,
  },
  claim {
    id = "C102", lesson = "L12", verdict = "not measurable here",
    says = "A product of 1024 x 1024 on a host: 2121 ms, with restrict 1469 ms.",
    takes = "The host and the compiler of the book.",
  },
  claim {
    id = "C104", lesson = "L13", verdict = "not measurable here",
    says = "Tiles of 32 reach 1104 GFlops, unrolled 1217, on an RTX 2070.",
    takes = "An RTX 2070.",
  },
  claim {
    id = "C106", lesson = "L12",
    says = "The memory gives about 400 GB/s, so a nominal rate of 5081 GB/s can only come from caches.",
    value = "caches", on = "profile", verdict = "holds",
    now = function()
      return 6 * 846.8 > device "rtx2070".bandwidth and "caches" or "memory"
    end,
  },
  claim {
    id = "C109", lesson = "L12", verdict = "not measurable here",
    says = "Host and GPU agree in about 6 digits; tiles of 32 are the fastest.",
    takes = "The GPU of the book for the second half. Products of floats here are held against a host's sum in double.",
  },
  claim {
    id = "C113", lesson = "L15", verdict = "not measurable here", erratum = "E121",
    says = "Shuffles need compute capability 3.0, votes with masks and matches 7.0, reductions of a warp 8.0.",
    takes = "GPUs of each kind. Votes with masks came to older ones, too, with CUDA 9; only matching needs 7.0.",
  },
  claim {
    id = "C101", lesson = "L14",
    says = "The first reduction moves three words for an addition, the later ones a single one: up to three times less.",
    value = 3, unit = "words an addition", on = "run", verdict = "holds",
    now = function()
      local r = measure { kernel = "reduce0" }
      local words = (r.counters.global_load_bytes + r.counters.global_store_bytes) // 4
      return words / (r.blocks * r.threads)
    end,
  },
  claim {
    id = "C103", lesson = "L12",
    says = "The product with tiles takes 1.945 ms, the plain one 2.536 ms: 1.3 times.",
    value = 1.3, unit = "times", on = "recording", verdict = "holds in shape", band = { 0.7, 2 },
    now = function()
      local plain = measure { kernel = "matmul_naive", lecture = true, device = "recorded", cut = "compiled" }
      local tiled = measure { kernel = "matmul_tiled", lecture = true, device = "recorded", cut = "compiled" }
      return plain.time / tiled.time
    end,
    because = "For the matrices of the lecture on an H200, with its tiles.",
  },
  claim {
    id = "C105", lesson = "L13",
    says = "The library reaches 6747 GFlops where tiles reach 1217: six times and more.",
    value = 6, unit = "times", on = "formula", verdict = "wrong", erratum = "E115",
    now = function()
      return 6747 / 1217
    end,
    because = "By its own numbers 5.5 times.",
  },
  claim {
    id = "C107", lesson = "L12",
    says = "Rates of memory were counted as 12 bytes for each term, so GB/s are six times the GFlops.",
    value = { 1927, 5081 }, unit = "GB/s", on = "formula", verdict = "holds", tolerance = 0.5,
    now = function()
      return { 6 * 321.2, 6 * 846.8 }
    end,
  },
  claim {
    id = "C108", lesson = "L12",
    says = "A product of two matrices of 1000 by 1000 is 2,000 million operations.",
    value = 2e9, unit = "operations", on = "formula", verdict = "holds",
    now = function()
      return 2.0 * 1000 ^ 3
    end,
  },
  claim {
    id = "C110", lesson = "L18",
    says = "A x B x C by two calls copies 6 matrices, where 4 would do.",
    value = { 6, 4 }, unit = "copies", on = "model", verdict = "holds",
    now = function()
      local chain = model { "dataflow", params = { flow = "chain", runtime = "calls", matrices = 3 } }
      return { chain.copies, chain.least }
    end,
  },
  claim {
    id = "C111", lesson = "L15",
    says = "A sum of 31 to 0 by a butterfly leaves 496 in every lane.",
    value = { 496, 496 }, on = "run", verdict = "holds",
    now = function()
      local out = measure { kernel = "warp_reduce" }:output "out"
      local least, most = out[0], out[0]
      for lane = 1, 31 do
        least, most = math.min(least, out[lane]), math.max(most, out[lane])
      end
      return { least, most }
    end,
    because = "The least and the most of what the 32 lanes hold.",
  },
  claim {
    id = "C112", lesson = "L14",
    says = "Halving 2^24 numbers again and again takes 23 launches.",
    value = 23, unit = "launches", on = "formula", verdict = "wrong", erratum = "E74",
    now = function()
      local launches, m = 0, 2 ^ 24 // 2
      while m >= 1 do
        launches, m = launches + 1, m // 2
      end
      return launches
    end,
    because = "From 2^23 pairs down to a single one are 24 steps.",
  },
  claim {
    id = "C114", lesson = "L13",
    says = "A warp's matrix instruction of 16 x 16 x 16 does 4096 multiply-adds.",
    value = 4096, unit = "multiply-adds", on = "model", verdict = "holds",
    now = function()
      return model { "fragment", params = { instruction = "wmma m16n16k16 f16" } }.products
    end,
  },
  claim {
    id = "C115", lesson = "L17",
    says = "Index 10 of 8 ints is byte 40 from the beginning, 8 behind the end.",
    value = { 40, 8 }, unit = "bytes", on = "formula", verdict = "holds",
    now = function()
      return { 10 * 4, 10 * 4 - 8 * 4 }
    end,
  },
  claim {
    id = "C116", lesson = "L12",
    says = "A plain product does 0.25 operations a byte, tiles of 16 do 4.",
    value = { 0.25, 4 }, unit = "operations a byte", on = "model", verdict = "holds",
    now = function()
      return { model { "reuse", params = { width = 64, tile = "naive" } }.flop_per_byte,
               model { "reuse", params = { width = 64, tile = "16" } }.flop_per_byte }
    end,
  },
  claim {
    id = "C117", lesson = "L18", verdict = "not measurable here",
    says = "A loaded processor slows a GPU program down, and a loaded GPU the pointer of the mouse.",
    takes = "The machine of the lecture; its numbers are lost with the figure.",
  },
}
