-- The course: lessons in order. A lesson without a file is planned: it is listed, and its kernels can be explored.
-- steps and questions are counted by the tests.
return {
  title = "CUDA, seen from inside a warp",
  lessons = {
    {
      id = "L01", name = "hello", title = "Hello, GPU",
      glimpse = "One lit lane, then a whole warp: the same letter shift by one thread and by many.",
      kernels = { "encrypt_serial", "encrypt_parallel", "encrypt_host", "decrypt", "vec_add" }, minutes = 35,
      covers = { claims = { "C019" }, questions = { "EQ14" }, errata = { "E01", "E02", "E03", "E131", "E132" } },
      file = "L01_hello.lua", steps = 40, questions = 23,
    },
    {
      id = "L02", name = "indexing", title = "Who am I? Indexing",
      glimpse = "Which element belongs to which thread, and what the last block does with its spare ones.",
      kernels = { "gpu_sin_if", "gpu_sin", "visits", "image_twice", "grid3d", "gpu_sin_block_major" }, minutes = 35,
      needs = { "L01" }, covers = { claims = { "C016", "C082" }, questions = { "EQ14" }, errata = { "E57", "E69" } },
      file = "L02_indexing.lua", steps = 38, questions = 23,
    },
    {
      id = "L03", name = "warps", title = "Warps and SIMT",
      glimpse = "How a block folds into warps, which lanes are lit, and one instruction for 32 of them.",
      kernels = { "warp_map_40x2", "diverge_if_else", "vote_match", "warp_reduce" }, minutes = 35, needs = { "L02" },
      covers = { claims = { "C003", "C007", "C008", "C009", "C010" }, questions = { "EQ1", "EQ10" }, errata = { "E38" } },
      file = "L03_warps.lua", steps = 29, questions = 16,
    },
    {
      id = "L04", name = "divergence", title = "Divergence",
      glimpse = "Both sides of a branch, one after the other, and where the lanes meet again.",
      kernels = { "diverge_if_else", "diverge_between_warps", "diverge_nested", "diverge_switch_n", "scan4" },
      minutes = 30, needs = { "L03" },
      covers = { claims = { "C080" }, questions = { "EQ10", "FQ4" }, errata = {} },
      file = "L04_divergence.lua", steps = 26, questions = 15,
    },
    {
      id = "L05", name = "blocks", title = "Blocks, SMs, waves",
      glimpse = "Blocks queue for multiprocessors, and the last wave leaves some of them idle.",
      kernels = { "gpu_sin", "reduce2" }, minutes = 25, needs = { "L02" },
    },
    {
      id = "L06", name = "occupancy", title = "Occupancy",
      glimpse = "Four gauges, and the one that is full: what keeps another block off a multiprocessor.",
      kernels = { "matmul_tiled" }, minutes = 30, needs = { "L05" },
    },
    {
      id = "L07", name = "latency", title = "Latency hiding",
      glimpse = "A scheduler that always finds another warp, until it does not.",
      kernels = { "gpu_sin", "matmul_naive" }, minutes = 25, needs = { "L06" },
    },
    {
      id = "L08", name = "global", title = "Global memory",
      glimpse = "32 addresses on a ruler of sectors: what a load moves, and how much of that anybody wanted.",
      kernels = { "load_patterns", "adj_diff_naive", "position_aos", "position_soa" }, minutes = 35, needs = { "L03" },
      covers = { claims = { "C062", "C064", "C066", "C068", "C070", "C073", "C074", "C083" },
                 questions = { "EQ3" }, errata = {} },
      file = "L08_global.lua", steps = 28, questions = 16,
    },
    {
      id = "L09", name = "spaces", title = "Memory spaces",
      glimpse = "Registers, local, shared, global, constant: one address line, and who sees what.",
      kernels = { "adj_diff_shared", "matmul_tiled" }, minutes = 30, needs = { "L08" },
    },
    {
      id = "L10", name = "shared", title = "Shared memory and barriers",
      glimpse = "A block loads once, waits for its last warp, and reads what its neighbors brought.",
      kernels = { "adj_diff_shared", "adj_diff_dynamic", "reduce2" }, minutes = 30, needs = { "L08" },
    },
    {
      id = "L11", name = "banks", title = "Banks",
      glimpse = "32 banks, one word each at a time: from 32 wavefronts to 1 with a single unused column.",
      kernels = { "bank_patterns", "shared_stride", "transpose_32x32", "transpose_32x33" }, minutes = 35, needs = { "L10" },
      covers = { claims = { "C090", "C091", "C092", "C094" }, questions = { "FQ5" }, errata = {} },
      file = "L11_banks.lua", steps = 33, questions = 18,
    },
    {
      id = "L12", name = "matmul", title = "Matrix multiply I",
      glimpse = "Tiles slide over two matrices, and every load serves 16 multiply-adds instead of one.",
      kernels = { "matmul_naive", "matmul_tiled", "gpumult0", "gputiled" }, minutes = 35, needs = { "L10", "L11" },
    },
    {
      id = "L13", name = "matmul2", title = "Matrix multiply II",
      glimpse = "What the compiler makes of the same product: unrolling, wider loads, and who holds which fragment.",
      kernels = { "matmul_tiled" }, minutes = 25, needs = { "L12" },
    },
    {
      id = "L14", name = "reduction", title = "Reduction",
      glimpse = "A tree that folds an array in half, warp by warp and then lane by lane.",
      kernels = { "reduce_host", "reduce0", "reduce1", "reduce2", "reduce3", "reduce4", "sums" }, minutes = 45, needs = { "L10" },
      covers = { claims = { "C098", "C101" }, questions = { "EQ13", "FQ6" }, errata = { "E57", "E58", "E74", "E78", "E79", "E87" } },
      file = "L14_reduction.lua", steps = 43, questions = 28,
    },
    {
      id = "L15", name = "shuffles", title = "Warp-level programming",
      glimpse = "Values cross the warp without memory: broadcast, scan, and a butterfly in five rounds.",
      kernels = { "bcast", "shfl_variants", "scan4", "warp_reduce", "vote_match", "warp_rank", "mask_rule", "warp_meeting",
                  "syncwarp_exchange", "block_sum_shuffle", "cg_tiles" },
      minutes = 40, needs = { "L04" },
      covers = { claims = { "C111", "C112" }, questions = { "FQ6" }, errata = { "E128", "E142" } },
      file = "L15_shuffles.lua", steps = 42, questions = 25,
    },
    {
      id = "L16", name = "atomics", title = "Races and atomics",
      glimpse = "Two threads and one counter: a lost update, then a queue at an address.",
      kernels = { "histogram", "global_max_naive", "warp_lock" }, minutes = 35, needs = { "L08" },
    },
    {
      id = "L17", name = "tools", title = "Tools and safety",
      glimpse = "Faults caught in the act: out of bounds, races, barriers that not everybody reaches.",
      kernels = { "adj_diff_shared", "reduce2" }, minutes = 30, needs = { "L10", "L16" },
    },
    {
      id = "L18", name = "beyond", title = "Beyond one kernel",
      glimpse = "Who moves the data between kernels, and what it costs to keep copies in step.",
      kernels = { "matmul_tiled" }, minutes = 25, needs = { "L12" },
    },
  },
}
