-- Cards: mistakes that do not run.

return {
  card {
    id = "E01", title = "A copy without a source", kind = "does not compile", lesson = "L01",
    says = "A host calls cudaMemcpy with three arguments.",
    cure = "It takes four: where to, where from, how many bytes, which way.",
  },
  card {
    id = "E06", title = "512 threads at most", kind = "dated", lesson = "L05",
    says = "A block was said to have at most 512 threads.",
    cure = "1024 since compute capability 2.0.",
  },
  card {
    id = "E08", title = "Two digits swapped", kind = "number", lesson = "L12",
    says = "A GPU of 128 cores at 1.35 GHz was said to reach 346.5 GFLOPS.",
    cure = "Cores times clock times two operations of a fused multiply-add gives 345.6.",
  },
  card {
    id = "E09", title = "Sixteen times 21.6", kind = "number", lesson = "L12",
    says = "86.4 / 4 * 16 was said to be 347.6.",
    cure = "345.6. And the bandwidth is in GB a second.",
  },
  card {
    id = "E10", title = "Loads of a block", kind = "text", lesson = "L12",
    says = "A block was said to make 512 loads for 8192 operations.",
    cure = "That is one phase of it. The whole block has Width / 16 phases.",
  },
  card {
    id = "E11", title = "Two blocks of 1024", kind = "number", lesson = "L12",
    says = "Tiles of 32 were said to let two blocks run on a G80.",
    cure = "Shared memory would allow it. 1024 threads are more than a block of a G80 may have.",
  },
  card {
    id = "E12", title = "4096 loads under way", kind = "number", lesson = "L12",
    says = "Eight blocks of 16 x 16 threads were said to wait for 4096 loads.",
    cure = "Three such blocks fill the 768 threads of an SM: 1536 loads.",
  },
  card {
    id = "E13", title = "Whose 768 threads?", kind = "number", lesson = "L06",
    says = "16,384 registers for 768 threads were said to be 21 each, on a GT200.",
    cure = "A GT200 holds 1024 threads: 16 registers each.",
  },
  card {
    id = "E16", title = "A hundred times slower", kind = "dated", lesson = "L09",
    says = "Local and global memory were said to be 100 times slower and never cached.",
    cure = "Both are cached since Fermi. Constant memory is fast only if all lanes read one word.",
  },
  card {
    id = "E17", title = "Fast sines", kind = "does not compile", lesson = "L09",
    says = "__sin(x) was named as the fast sine.",
    cure = "Its name ends in f: __sinf(x), and so __powf, __logf, __expf.",
  },
  card {
    id = "E18", title = "A host thread, a device", kind = "dated", lesson = "L18",
    says = "A host thread was said to drive one device only.",
    cure = "Any thread may choose a device with cudaSetDevice since CUDA 4.0.",
  },
  card {
    id = "E24", title = "One warp at a time", kind = "dated", lesson = "L05",
    says = "An SM was said to execute one warp at a time.",
    cure = "Four schedulers choose a warp each since Kepler, two on a P100.",
  },
  card {
    id = "E26", title = "Two threads and one cell", kind = "gap", lesson = "L16",
    says = "What does thread 0 find in a, what thread 1917? The code that asked this is lost.",
    cure = "With v += 5 and v += 1 seven ends are possible. lanescope stats race_add_5_1 --orders 20 finds them all.",
  },
  card {
    id = "E29", title = "A counter of ints", kind = "does not compile", lesson = "L16",
    says = "atomicInc was given an int.",
    cure = "It counts in unsigned int.",
  },
  card {
    id = "E31", title = "Workers that go on", kind = "text", lesson = "L16",
    says = "A comment says that threads go on taking work.",
    cure = "Each takes one piece. A loop would make it true, and the result belongs to the piece, not to the thread.",
  },
  card {
    id = "E33", title = "Slow atomics", kind = "dated", lesson = "L16",
    says = "Atomics were said to be slow, and missing on the G80.",
    cure = "They came with compute capability 1.1. Today the second cache and shared memory do them fast, unless many want"
      .. " one address.",
  },
  card {
    id = "E35", title = "Built-in variables", kind = "text", lesson = "L02",
    says = "threadIdx and blockIdx were said to be of type dim3.",
    cure = "They are uint3. blockDim and gridDim are dim3.",
  },
  card {
    id = "E38", title = "Lanes of three warps", kind = "number", lesson = "L03",
    says = "A block of 40 x 2 threads was said to take 92 threads of the hardware.",
    cure = "Three warps are 96 lanes, 16 of them idle.",
  },
  card {
    id = "E39", title = "A global array", kind = "text", lesson = "L09",
    says = "Arrays in global memory were marked __global__.",
    cure = "That marks kernels. A variable is __device__.",
  },
  card {
    id = "E40", title = "A fast root", kind = "does not compile", lesson = "L09",
    says = "__sqrtf() was named.",
    cure = "It does not exist. There is __fsqrt_rn, or a flag of the compiler for approximate roots.",
  },
  card {
    id = "E41", title = "SMs of Kepler", kind = "number", lesson = "L05",
    says = "Kepler chips were said to have 1 to 14 SMs.",
    cure = "The full chip has 15.",
  },
  card {
    id = "E42", title = "Four times better", kind = "number", lesson = "L08",
    says = "Segments of 32 bytes were said to be four times better than lines for scattered loads.",
    cure = "Only if there are no more segments than lines. In general between once and four times.",
  },
  card {
    id = "E43", title = "Lines and segments", kind = "dated", lesson = "L08",
    says = "Loads were said to move lines of 128 bytes, or segments where the cache is off.",
    cure = "Since Maxwell a line has four sectors of 32 bytes, and only those missed are fetched. Loads hit the first "
      .. "cache again since Volta.",
  },
  card {
    id = "E44", title = "Which bank", kind = "text", lesson = "L11",
    says = "The bank was given as the address modulo 256.",
    cure = "That is a place in a row. Divided by the width of a bank it is the bank.",
  },
  card {
    id = "E45", title = "A row of the padded tile", kind = "number", lesson = "L11",
    says = "With a spare column a row was said to be 17 words.",
    cure = "33. The 17 is left over from a tile of 16.",
  },
  card {
    id = "E46", title = "A column of doubles", kind = "dated", lesson = "L11",
    says = "A column of doubles was said to be a conflict of 32.",
    cure = "With banks of 8 bytes. With banks of 4 it takes 32 wavefronts where 2 are the least.",
  },
  card {
    id = "E47", title = "How deep is a conflict", kind = "text", lesson = "L11",
    says = "A conflict of N was said to be N threads in one bank.",
    cure = "N different words. Lanes that want the same word share it.",
  },
  card {
    id = "E48", title = "Wide banks", kind = "dated", lesson = "L11",
    says = "The width of banks was said to be a setting.",
    cure = "Of Kepler only.",
  },
  card {
    id = "E49", title = "Stores and caches", kind = "dated", lesson = "L08",
    says = "Stores were said not to be cached in an SM.",
    cure = "Since Volta the first cache may keep what is stored. The second sees every store all the same.",
  },
  card {
    id = "E50", title = "Two at once", kind = "dated", lesson = "L07",
    says = "A scheduler was said to issue two instructions a cycle.",
    cure = "It could from Kepler to Pascal. Since Volta four schedulers issue one each.",
  },
  card {
    id = "E51", title = "Waiting for a child", kind = "dated", lesson = "L05",
    says = "A kernel launched another and waited for it with cudaDeviceSynchronize.",
    cure = "That call is gone from device code. A tail launch begins when its parent is over.",
  },
  card {
    id = "E52", title = "32 kernels at once", kind = "dated", lesson = "L05",
    says = "At most 32 kernels were said to run at once.",
    cure = "128 on most later GPUs.",
  },
  card {
    id = "E53", title = "1.25 and 1.28", kind = "text", lesson = "L06",
    says = "A gain of 1.28 was explained by 1.25 times as many warps.",
    cure = "What is left over came from elsewhere. More warps are a reason, not an equation.",
  },
  card {
    id = "E54", title = "A cache for reading only", kind = "dated", lesson = "L09",
    says = "The read-only cache was said to be one of its own.",
    cure = "It is one with the first cache since Maxwell, and __ldg is hardly more than a hint.",
  },
  card {
    id = "E56", title = "One instruction", kind = "text", lesson = "L09",
    says = "A fast sine was said to be a single instruction.",
    cure = "It is two: the angle is brought into range first.",
  },
  card {
    id = "E64", title = "Members of dim3", kind = "does not compile", lesson = "L02",
    says = "Members of dim3 were said to be const, and uint3 to have arithmetic.",
    cure = "They can be assigned to, and neither type has operators.",
  },
  card {
    id = "E65", title = "Inline or not", kind = "text", lesson = "L02",
    says = "Device functions were said to be inline.",
    cure = "The compiler decides, since functions can be called.",
  },
  card {
    id = "E66", title = "Four for each SM", kind = "number", lesson = "L05",
    says = "Four blocks for each SM were advised, and 288 used for 36 SMs.",
    cure = "That is eight for each. On that GPU four fit, so there are two waves.",
  },
  card {
    id = "E69", title = "Element 1,234,567", kind = "number", lesson = "L02",
    says = "It was said to lie at z 5, y between 168 and 175.",
    cure = "z 4, y between 176 and 183: [4][180][359], as the program prints.",
  },
  card {
    id = "E71", title = "Prints that never come", kind = "gap", lesson = "L02",
    says = "A program ends without waiting for its kernel.",
    cure = "What a kernel prints comes out when the host waits. Wait before the end.",
  },
  card {
    id = "E72", title = "2048 threads of what", kind = "text", lesson = "L05",
    says = "A block was said to have up to 2048 threads.",
    cure = "An SM has.",
  },
  card {
    id = "E73", title = "64 blocks of one warp", kind = "number", lesson = "L06",
    says = "Blocks of 32 threads were said to fill an SM of Pascal.",
    cure = "32 blocks at most: half of it.",
  },
  card {
    id = "E78", title = "Twice the additions", kind = "text", lesson = "L14",
    says = "Folding was said to double the number of additions.",
    cure = "N - 1 additions make a sum in any order. The traffic is what triples.",
  },
  card {
    id = "E80", title = "Room for y", kind = "text", lesson = "L14",
    says = "y was said to need as many elements as a block has threads.",
    cure = "As many as there are blocks.",
  },
  card {
    id = "E84", title = "A shift", kind = "does not compile", lesson = "L14",
    says = "`k >=> 1` was printed.",
    cure = "`k >>= 1`.",
  },
  card {
    id = "E85", title = "The highest bit", kind = "text", lesson = "L14",
    says = "__clz was said to give the number of the highest bit set.",
    cure = "It counts the zeros above it.",
  },
  card {
    id = "E86", title = "512 threads", kind = "text", lesson = "L14",
    says = "The unrolled reduction was said to need 256 to 511 threads.",
    cure = "512 are right, too.",
  },
  card {
    id = "E92", title = "Fewer kernels", kind = "text", lesson = "L06",
    says = "A kernel with much shared memory was said to let fewer kernels run on an SM.",
    cure = "Fewer blocks.",
  },
  card {
    id = "E93", title = "Words for a thread", kind = "number", lesson = "L10",
    says = "A thread was said to have 8 or 16 words of shared memory.",
    cure = "6 to 20.5, by the book's own table.",
  },
  card {
    id = "E94", title = "More than there is", kind = "text", lesson = "L10",
    says = "A launch was said to fail above what an SM has.",
    cure = "It fails above 48 KB for a block, unless more is asked for beforehand.",
  },
  card {
    id = "E95", title = "Which index is summed", kind = "number", lesson = "L12",
    says = "A product of matrices was given as the sum of A_jk B_kj.",
    cure = "A_ik B_kj: row i of A along column j of B.",
  },
  card {
    id = "E96", title = "A matrix by value", kind = "does not compile", lesson = "L12",
    says = "A function takes `float A` and reads A[k].",
    cure = "`float *A`.",
  },
  card {
    id = "E98", title = "Where restrict comes from", kind = "text", lesson = "L13",
    says = "restrict was said to be of C++11.",
    cure = "Of C99. In C++ it is an extension, __restrict__.",
  },
  card {
    id = "E101", title = "Arguments of a program", kind = "text", lesson = "L12",
    says = "A test for argument 1 reads argument 2.",
    cure = "Each index is one too large. As printed, the sample passes no text at all to atoi.",
  },
  card {
    id = "E102", title = "A launch closed early", kind = "does not compile", lesson = "L12",
    says = "`>>(` ends a launch.",
    cure = "Three: `>>>(`.",
  },
  card {
    id = "E105", title = "Tiles of other sizes", kind = "text", lesson = "L12",
    says = "A tile that is not 8, 16 or 32 launches nothing, without a word.",
    cure = "Say so. A program that does nothing looks fast.",
  },
  card {
    id = "E109", title = "Alpha by address", kind = "does not compile", lesson = "L13",
    says = "A library call is given the number alpha.",
    cure = "It wants to know where alpha lies: `&alpha`.",
  },
  card {
    id = "E113", title = "Tensor cores for floats", kind = "dated", lesson = "L13",
    says = "A flag let the library use tensor cores for floats.",
    cure = "It has given way to modes named by type. Digits of the mantissa are lost: compare with fewer of them.",
  },
  card {
    id = "E115", title = "Six times and more", kind = "number", lesson = "L13",
    says = "The library was said to be more than six times faster.",
    cure = "6747 / 1217 is 5.5.",
  },
  card {
    id = "E116", title = "Order of a sum", kind = "text", lesson = "L14",
    says = "Adding floats was said not to commute.",
    cure = "It commutes. It is not associative, so the order of a long sum matters a little.",
  },
  card {
    id = "E117", title = "Flynn's four", kind = "text", lesson = "L01",
    says = "SIMT was listed with Flynn's classes.",
    cure = "It came with GPUs; the other four are his.",
  },
  card {
    id = "E121", title = "Votes and capabilities", kind = "text", lesson = "L15",
    says = "Votes were said to need compute capability 7.",
    cure = "With masks they came with CUDA 9 for older GPUs, too. Matching needs 7.",
  },
  card {
    id = "E123", title = "A name without its d", kind = "does not compile", lesson = "L17",
    says = "An array is called Mem in one line and dMem in another.",
    cure = "One name, and the host must fill that one.",
  },
  card {
    id = "E124", title = "Two of three brackets", kind = "does not compile", lesson = "L17",
    says = "A launch is written with two.",
    cure = "`<<<10, size>>>`.",
  },
  card {
    id = "E129", title = "Matrix instructions", kind = "dated", lesson = "L13",
    says = "They were said to be for half floats only.",
    cure = "bf16, tf32, double and int8 have come since.",
  },
  card {
    id = "E130", title = "The tool's name", kind = "dated", lesson = "L17",
    says = "cuda-memcheck was named.",
    cure = "compute-sanitizer, since CUDA 12.",
  },
  card {
    id = "E133", title = "Brackets and names", kind = "does not compile", lesson = "L01",
    says = "A launch with a bracket too few and two names for one grid.",
    cure = "Let the compiler speak.",
  },
  card {
    id = "E134", title = "Names from nowhere", kind = "does not compile", lesson = "L01",
    says = "A function uses A_d, B_d, C_d and n, but has no parameters.",
    cure = "Pass them.",
  },
  card {
    id = "E136", title = "What limits occupancy", kind = "text", lesson = "L06",
    says = "Memory bandwidth was said to limit occupancy.",
    cure = "Slots, registers and shared memory do. Bandwidth limits what it is good for.",
  },
  card {
    id = "E137", title = "34 registers", kind = "number", lesson = "L06",
    says = "34 registers a thread were said to leave 7 of 8 blocks.",
    cure = "They are given out in units: 34 cost as much as 40, and 6 blocks are left.",
  },
  card {
    id = "E139", title = "16 banks", kind = "dated", lesson = "L11",
    says = "16 banks serve half a warp, and one word can be shared.",
    cure = "32 for a warp since Fermi, and any number of words can be shared.",
  },
  card {
    id = "E140", title = "Fire and forget", kind = "text", lesson = "L16",
    says = "Atomics were said to be sent off and forgotten.",
    cure = "Only if nobody uses the old value. They are done in the second cache, those of shared memory in the SM.",
  },
  card {
    id = "E144", title = "A call in words", kind = "gap", lesson = "L18",
    says = "A product is called with a device that its body does not use.",
    cure = "Read it as a sketch.",
  },
  card {
    id = "E145", title = "The size of the grid", kind = "text", lesson = "L06",
    says = "The grid was said to change what an SM can hold.",
    cure = "A block's threads, registers and shared memory do.",
  },
  card {
    id = "E146", title = "What occupancy says", kind = "text", lesson = "L06",
    says = "Occupancy was said to measure how well the hardware is used.",
    cure = "It says what could be. Full can be slow, a quarter can be fast.",
  },
  card {
    id = "E148", title = "Systems on GPUs", kind = "dated", lesson = "L18",
    says = "Separate memories were said to keep an operating system off a GPU.",
    cure = "Some machines share memory between both today.",
  },
  card {
    id = "E150", title = "What a kernel can be given", kind = "text", lesson = "L01",
    says = "Only scalars and pointers were said to be possible.",
    cure = "Structures by value, too, up to 4 KB, and more on newer GPUs.",
  },
}
