-- Rooms about indices, strides and grids.

return {
  room {
    id = "E02", title = "One block too many", lesson = "L01", kernel = "grid_size", form = "lecture", cured = "right",
    says = "For n elements in blocks of 32 threads, each thread works out how many blocks that takes.",
    find = "n / 32 + 1", found = { "wrong" }, because = "Where 32 divides n, the division leaves nothing over: no further block is needed.",
    wrong = { ["length[threadIdx.x]"] = "That only fetches the n of this thread." },
    tips = { "Try it by hand for n = 32." },
    cure = "Round up by adding one less than the divisor first: `(n + 31) / 32`. The extra block does no harm behind a guard, "
      .. "but it is a block of idle threads.",
  },
  room {
    id = "E03", title = "A cipher undone", lesson = "L01", kernel = "decrypt", form = "lecture", cured = "right",
    says = "Each letter was moved on by `shift` places in the alphabet. This kernel moves it back.",
    find = "(letter - shift) % 26", found = { "wrong" },
    because = "In C the remainder of a negative number is negative: a, b and c fall out of the alphabet.",
    wrong = { ["m[id] - 'a'"] = "That gives 0 to 25, as it should." },
    tips = { "What is letter - shift for an a?" },
    cure = "Add 26 before taking the remainder, so that it is never asked of a negative number. A word whose letters all lie "
      .. "late in the alphabet comes out right, so a test with one word may not tell.",
  },
  room {
    id = "E05", title = "A matrix of 40", lesson = "L12", kernel = "matmul_tiled", form = "lecture", params = { Width = 40 },
    cured = "right",
    says = "A product of square matrices by tiles of 16. The grid has Width / 16 blocks each way.",
    ask = "Which loop, by its bound, leaves a part of each sum out?",
    find = "Width / TILE_WIDTH", found = { "never_written", "wrong" },
    because = "40 / 16 is 2: the last 8 columns of M and rows of N are never brought in. The grid is rounded down alike.",
    wrong = { ["k < TILE_WIDTH"] = "Within a tile all is added up." },
    cure = "Round the number of tiles and the grid up, and guard each load and the store: what lies outside counts as zero.",
  },
  room {
    id = "E57", title = "A stride through all steps", lesson = "L02", kernel = "gpu_sin", form = "lecture", cured = "right",
    says = "A grid of any size goes through all the steps: each thread takes its own, then one a whole grid further, and so on.",
    find = "blockDim.x * blockDim.x", found = { "wrong" },
    because = "A grid has gridDim.x blocks. The square of a block is the same only if there are as many blocks as threads in one.",
    wrong = { ["blockIdx.x * blockDim.x + threadIdx.x"] = "That is the first step of the thread, and right.",
              ["step += stride"] = "It adds what was worked out before. Is that right?" },
    tips = { "How many threads has the whole grid?" },
    cure = "The stride is the number of threads in the grid, `gridDim.x * blockDim.x`. With fewer blocks steps are left out, with "
      .. "more they are done twice, and with equal numbers it is right by luck.",
  },
  room {
    id = "E59", title = "Work done again and again", lesson = "L02", kernel = "grid3d_linear", form = "lecture", cured = "right",
    says = "A row of blocks goes through a volume. Each thread takes one element, then one a whole grid further.",
    find = "tid += blockDim.x", found = { "written_twice" },
    because = "It goes on by one block, where the grid has several: each block does all that lies behind its start.",
    wrong = { ["tid / nx % ny"] = "The place is taken apart rightly." },
    cure = "Go on by all threads of the grid. The result is right all the same, since every thread writes the same: only the time "
      .. "and the checks tell.",
  },
  room {
    id = "E60", title = "A thousand and twenty-four", lesson = "L02", kernel = "gpu_sin_if", form = "one-more",
    params = { steps = 1024 }, cured = "right",
    says = "1024 steps in blocks of 256. The host launches steps / threads + 1 blocks.",
    ask = "What does the last block do?", options = { "nothing", "it writes past the end", "it repeats the first steps" },
    answer = "nothing", found = {},
    wrong = { ["it writes past the end"] = "The `if` keeps its threads out.",
              ["it repeats the first steps"] = "Its numbers begin where the others end." },
    because = "The division was even, so all steps are done before. The book counts 3,906,251 blocks for the same reason.",
    cure = "`(steps + threads - 1) / threads`. The guard is why nobody notices.",
  },
  room {
    id = "E61", title = "Up to the last step", lesson = "L01", kernel = "sum_host_loop", form = "lecture", cured = "right",
    says = "A host adds up a function over steps 0 to steps - 1. Its loop runs while `step <= steps`; the kernel's works while "
      .. "`step < steps`.",
    ask = "By how many terms do the two sums differ?", options = { "none", "one", "two" }, answer = "one",
    found = { "wrong" }, because = "The host also adds the step whose number is steps.",
    wrong = { none = "Count for steps = 1: the host adds step 0 and step 1." },
    cure = "Use the same bound on both sides. A difference this small is easily taken for rounding.",
  },
  room {
    id = "E79", title = "Everyone leaves a sum", lesson = "L14", kernel = "reduce1", form = "unguarded", params = { N = 1000 },
    harmless = { N = 1024 }, cured = "right",
    says = "Each of 1024 threads adds up its share of N elements, and leaves the sum in place of its own element.",
    find = "x[tid] = tsum", found = { "out_of_bounds" },
    because = "With N = 1000, threads 1000 to 1023 have no element, but store their sum all the same.",
    wrong = { ["k < N"] = "The loads are guarded." },
    cure = "Guard the store as the loop guards the loads, or launch no more threads than there are elements.",
  },
  room {
    id = "E83", title = "A block of 288", lesson = "L14", kernel = "reduce2", form = "any-size", params = { threads = 288 },
    says = "A block adds up its partial sums as a tree: the upper half onto the lower, half of the threads each time.",
    find = "k = blockDim.x / 2", found = { "wrong" },
    because = "288, 144, 72, 36, 18, 9, 4: 9 cannot be halved, and the ninth sum is left behind.",
    wrong = { ["id < k"] = "That chooses the lower half. Is k always a half?" },
    cure = "Begin the tree at a power of 2 and test that the partner exists, as the next version does; or allow only such blocks. "
      .. "A second launch has as many threads as the first had blocks, so the rule holds for both.",
  },
  room {
    id = "E104", title = "Tiles of an oblong matrix", lesson = "L12", kernel = "gputiled", form = "lecture",
    params = { Ax = 48, Bx = 24 }, cured = "right",
    says = "A product of two matrices, 40 x 48 by 48 x 24, goes tile by tile along a row of one and a column of the other.",
    find = "gridDim.x", found = { "wrong" },
    because = "The grid is as wide as the result. The tiles go along the inner side of the product.",
    wrong = { ["k < TS"] = "Within a tile all is added up.", ["blockIdx.x * TS + tx"] = "That is the column of the result." },
    cure = "Count the tiles along the inner side: its length over the tile's, rounded up. Grid and inner side are the same only "
      .. "for square matrices, so a test with squares never tells.",
  },
  room {
    id = "E131", title = "A block of 256?", lesson = "L01", kernel = "vec_add", form = "comma",
    cured = "right", hidden = true,
    says = "The host writes `dim3 DimBlock = (256, 1, 1);` and launches with it.",
    ask = "How many threads has a block?", options = { "256", "3", "1" }, answer = "1", found = { "wrong" },
    wrong = { ["256"] = "That would be `dim3 DimBlock(256, 1, 1)`. Here the parentheses stand behind an equals sign.",
              ["3"] = "A list would need braces." },
    because = "Commas in parentheses are an operator: the value is the last one.",
    cure = "`dim3 DimBlock(256, 1, 1);` calls the constructor. The compiler warns that the left side of a comma has no effect: "
      .. "read its warnings.",
  },
  room {
    id = "E132", title = "Rounded up, or not", lesson = "L01", kernel = "vec_add", form = "floor",
    cured = "right", hidden = true,
    says = "1000 elements in blocks of 256. The host computes the blocks as `ceil(n / 256)`, with n an int.",
    ask = "How many blocks are there?", options = { "3", "4", "5" }, answer = "3", found = { "never_written", "wrong" },
    wrong = { ["4"] = "So it was meant. Which comes first, the division or ceil?" },
    because = "The division of two ints has dropped its remainder before ceil sees it.",
    cure = "`(n + 255) / 256`, all in ints. 232 elements were never written here.",
  },
  room {
    id = "E135", title = "Two vectors and no guard", lesson = "L01", kernel = "vec_add_host", form = "no-guard", cured = "right",
    harmless = { N = 1024 }, says = "Two vectors of N elements are added, in enough blocks of 256 threads.",
    find = "c[i] =", found = { "out_of_bounds" },
    because = "With N = 1000, the last block has 24 threads that have no element.",
    cure = "Round the grid up and guard: `if (i < n)`. Rounding alone is wrong, and so is a guard with too few blocks.",
  },
}
