-- What words mean. `:what is a WORD` in the explorer and in lessons, `lanescope what WORD` in a shell.
-- One or two plain sentences each; also: other names; lesson: where it is shown.

-- What lessons set in *emphasis* is one of these terms, or only stressed:
stressed {
  "adds", "all", "and used", "asked", "before", "below", "different", "different words", "every", "fetch", "from", "idle", "is", "many", "not work-efficient", "promises", "same word",
  "set", "store", "sum", "together", "well", "whole grid", "width", "words",
}

return {
  -- threads and how they are grouped
  term { "thread", [[One run of the kernel's code, with variables of its own. The machine runs threads in warps of 32.]], lesson = "L01" },
  term { "kernel", [[A function marked `__global__` that the host launches and many threads of the GPU execute.]], lesson = "L01" },
  term { "launch", [[The start of a kernel with a grid of blocks: `kernel<<<blocks, threads>>>(...)`. The host does not wait for its end.]], also = { "kernel launch" }, lesson = "L01" },
  term { "host", [[The CPU with its memory, which launches kernels and copies data.]], lesson = "L01" },
  term { "device", [[The GPU with its memory, as the host sees it.]], also = { "GPU" }, lesson = "L01" },
  term { "lane", [[The place of a thread in its warp, 0 to 31.]], lesson = "L03" },
  term { "warp", [[32 threads that execute one instruction together. Blocks are cut into warps by rank, and the last warp may be partly empty.]], lesson = "L03" },
  term { "half-warp", [[16 lanes. The first devices served memory by half-warps; newer ones serve a whole warp at once.]], lesson = "L03" },
  term { "block", [[Threads that run on the same multiprocessor, share its shared memory and can wait for each other at barriers.]], also = { "thread block", "CTA" }, lesson = "L02" },
  term { "grid", [[All blocks of one launch. They may run in any order, and not all at the same time.]], lesson = "L02" },
  term { "cluster", [[Blocks that are sure to run at the same time and can read each other's shared memory, on devices of compute capability 9.0 and later.]], lesson = "L18" },
  term { "rank", [[The number of a thread in its block, counted row by row with x first: `(z * dimy + y) * dimx + x`.]], also = { "linear index" }, lesson = "L03" },
  term { "guard", [[The `if (i < n)` that keeps the spare threads of the last block away from memory that is not there.]], lesson = "L02" },
  term { "grid-stride loop", [[A loop in which each thread goes on by the number of threads in the grid, so that a grid of any size does all elements.]], also = { "thread-linear addressing" }, lesson = "L02" },
  term { "block-major", [[An order in which each thread has a piece of neighboring elements. Neighboring threads are then far apart in memory.]], lesson = "L02" },
  term { "SIMT", [[Single instruction, multiple threads: you write for one thread, the machine runs one instruction for a whole warp of them.]], lesson = "L03" },
  term { "SIMD", [[Single instruction, multiple data: one instruction on a vector of values, as SSE and AVX have it.]], lesson = "L03" },

  -- divergence
  term { "active lane", [[A lane that executes the current instruction. The others are masked off, or do not exist.]], also = { "active" }, lesson = "L03" },
  term { "masked off", [[Of a lane: it does not take part in the current instruction, and waits for its turn.]], also = { "masked", "inactive" }, lesson = "L03" },
  term { "mask", [[32 bits, one for each lane of a warp: bit i is lane i.]], also = { "lane mask", "active mask" }, lesson = "L03" },
  term { "divergence", [[Lanes of one warp go different ways at a branch. The warp takes the ways one after the other, so its time is their sum.]], also = { "diverge", "divergent", "control divergence" }, lesson = "L04" },
  term { "reconvergence", [[Where lanes that went different ways come together again and go on as one warp.]], also = { "reconverge", "converge" }, lesson = "L04" },
  term { "predicate", [[A bit for each lane that decides whether it executes an instruction, without a branch.]], also = { "predication" }, lesson = "L04" },
  term { "select", [[An instruction that computes both values and keeps one of them for each lane. Short arms of an `if` become selects.]], lesson = "L04" },
  term { "independent thread scheduling", [[Since Volta each lane has a program counter of its own. Lanes that parted all make progress, but still one instruction at a time.]], also = { "ITS" }, lesson = "L03" },
  term { "vote", [[An instruction that collects one bit of each lane and gives all of them the answer: any, all, or the ballot.]], also = { "ballot" }, lesson = "L15" },
  term { "shuffle", [[An instruction with which lanes of a warp read each other's registers, without memory.]], lesson = "L15" },
  term { "butterfly", [[A pattern of five rounds in which each lane exchanges with the lane whose number differs in one bit. At the end all have the sum.]], lesson = "L15" },
  term { "syncwarp", [[`__syncwarp()` waits until all named lanes of the warp are there, and orders what they wrote to memory.]], lesson = "L04" },

  -- multiprocessors, scheduling, occupancy
  term { "multiprocessor", [[The part of a GPU that runs blocks, with its own registers, shared memory and warp schedulers.]], also = { "SM", "streaming multiprocessor" }, lesson = "L05" },
  term { "core", [[A unit of a multiprocessor that does one lane's arithmetic. It is far less than a core of a CPU: it picks no instructions of its own.]], also = { "CUDA core" }, lesson = "L05" },
  term { "block scheduler", [[Places whole blocks on multiprocessors that have room for them, once for each block.]], also = { "thread block scheduler", "GigaThread engine" }, lesson = "L05" },
  term { "warp scheduler", [[Picks, in every cycle, one of its warps that is ready and issues its next instruction. Most multiprocessors have four.]], lesson = "L05" },
  term { "wave", [[The blocks that run at the same time. A grid with more blocks than fit runs in several waves.]], lesson = "L05" },
  term { "tail", [[The end of a launch, when too few blocks are left to keep all multiprocessors busy.]], also = { "tail effect" }, lesson = "L05" },
  term { "transparent scalability", [[A program of independent blocks runs on few multiprocessors or on many, without a change: more of them take more blocks at once.]], lesson = "L05" },
  term { "resident", [[Of a block or warp: it has a place on a multiprocessor, with its registers and shared memory, from its start to its end.]], lesson = "L06" },
  term { "occupancy", [[Warps that are resident on a multiprocessor, divided by the most that it can hold.]], lesson = "L06" },
  term { "register", [[The fastest storage, private to a thread. A thread's registers stay its own until its block ends.]], lesson = "L06" },
  term { "spill", [[Registers that do not suffice are kept in local memory, which costs loads and stores.]], lesson = "L06" },
  term { "latency", [[The time from the start of an operation to its result. A load from global memory takes several hundred cycles.]], lesson = "L07" },
  term { "latency hiding", [[While a warp waits for its result, the scheduler issues instructions of others. With enough warps the waiting costs nothing.]], lesson = "L07" },
  term { "throughput", [[How much is done in a unit of time: instructions per cycle, bytes per second.]], lesson = "L07" },
  term { "eligible", [[Of a warp: its next instruction could be issued now.]], also = { "ready" }, lesson = "L07" },
  term { "stall", [[A warp waits: for a result, for memory, at a barrier, for a unit that is busy.]], lesson = "L07" },
  term { "instruction-level parallelism", [[Instructions of one thread that do not need each other's results, so that they can be under way together.]], also = { "ILP" }, lesson = "L07" },
  term { "Little's law", [[What must be under way is latency times throughput: as on an escalator, riders = seconds on it * riders per second.]], also = { "Little" }, lesson = "L07" },

  -- global memory
  term { "global memory", [[The large memory of the device, which all threads and the host's copies can reach.]], also = { "device memory", "DRAM" }, lesson = "L08" },
  term { "sector", [[32 bytes of global memory, the least that a load moves.]], also = { "segment" }, lesson = "L08" },
  term { "line", [[128 bytes, four sectors, which a cache keeps together.]], also = { "cache line" }, lesson = "L08" },
  term { "request", [[One load or store of a warp, as the memory sees it. It may need many sectors.]], also = { "memory request" }, lesson = "L08" },
  term { "coalesced", [[Of a load or store: neighboring lanes use neighboring words, so that a warp's request needs few sectors.]], also = { "coalescing", "coalesced access" }, lesson = "L08" },
  term { "alignment", [[An address is aligned to n if n divides it. An access of n bytes must be; a warp's row of words should begin at a sector.]], also = { "aligned", "misaligned" }, lesson = "L08" },
  term { "stride", [[The distance between what neighboring lanes, or the turns of a loop, use.]], also = { "strided access" }, lesson = "L08" },
  term { "array of structs", [[`point[i].x`: all members of an element side by side. A warp that needs one member moves all of them.]], also = { "AoS" }, lesson = "L08" },
  term { "struct of arrays", [[`x[i]`, `y[i]`: an array for each member. A warp that needs one member moves nothing else.]], also = { "SoA" }, lesson = "L08" },
  term { "bandwidth", [[Bytes per second that a memory or a link can move.]], lesson = "L08" },

  -- memory spaces
  term { "local memory", [[A thread's own variables that have no place in registers: spills, and arrays with indexes known only at run time. It lies in global memory.]], lesson = "L09" },
  term { "constant memory", [[64 KB that kernels only read. It is fast if all lanes of a warp read the same word, and takes a turn for each different one.]], lesson = "L09" },
  term { "shared memory", [[Fast memory of a multiprocessor, a piece for each block, shared by its threads and managed by the program.]], lesson = "L10" },
  term { "L1 cache", [[The cache of a multiprocessor. It and shared memory are parts of the same storage.]], also = { "L1" }, lesson = "L09" },
  term { "L2 cache", [[The cache of the whole device, through which all multiprocessors reach global memory. Atomics are done there.]], also = { "L2" }, lesson = "L09" },
  term { "texture memory", [[Global memory read by way of the texture units, which find neighbors in two dimensions and can interpolate.]], also = { "texture" }, lesson = "L09" },
  term { "generic address", [[An address that may point to global, shared or local memory. The hardware finds out which, lane by lane.]], also = { "generic addressing" }, lesson = "L09" },
  term { "unified memory", [[Memory with one address for host and device. Its pages move to whoever touches them.]], also = { "managed memory" }, lesson = "L09" },
  term { "unified addressing", [[Host and device use one range of addresses, so that a pointer alone tells whose memory it points to.]], also = { "UVA" }, lesson = "L09" },
  term { "pinned memory", [[Host memory that is not swapped out, so that copies run at full speed and beside kernels.]], also = { "page-locked memory" }, lesson = "L18" },

  -- shared memory and banks
  term { "barrier", [[A place where threads wait until all of the block are there: `__syncthreads()`. What was written before is seen behind it.]], also = { "syncthreads" }, lesson = "L10" },
  term { "race", [[Two threads use the same word, one of them writes, and nothing says which is first. The result is a matter of luck.]], also = { "data race", "race condition", "hazard" }, lesson = "L10" },
  term { "tile", [[A piece of a matrix that a block brings into shared memory to use it several times.]], also = { "tiling" }, lesson = "L12" },
  term { "halo", [[Elements at the edge of a block's piece that belong to its neighbors, and are loaded twice.]], also = { "apron" }, lesson = "L10" },
  term { "bank", [[One of the 32 parts of shared memory. Neighboring words lie in neighboring banks, and each bank gives one word per wavefront.]], lesson = "L11" },
  term { "wavefront", [[One turn in which all banks of shared memory work together. A load takes as many as its fullest bank has different words.]], lesson = "L11" },
  term { "bank conflict", [[Lanes of a warp want different words of the same bank, so that the access takes more wavefronts than it needs.]], also = { "conflict" }, lesson = "L11" },
  term { "broadcast", [[One word goes to all lanes that asked for it, at once.]], also = { "multicast" }, lesson = "L11" },
  term { "padding", [[Unused elements at the end of rows, so that a column does not lie in one bank.]], lesson = "L11" },
  term { "swizzle", [[Words of a row are kept in another order, such as column `c` of row `r` at `c ^ r`. Columns become free of conflicts, without padding.]], lesson = "L11" },
  term { "replay", [[The name of older tools for each wavefront beyond the first.]], lesson = "L11" },

  -- performance
  term { "arithmetic intensity", [[Operations for each byte that is moved. It decides whether memory or arithmetic sets the time.]], lesson = "L12" },
  term { "roofline", [[A picture of the fastest that a kernel can be: a slope where memory limits it, a flat roof where arithmetic does.]], lesson = "L12" },
  term { "reuse", [[How often something is used once it was loaded. Tiles raise it.]], also = { "data reuse" }, lesson = "L12" },
  term { "unrolling", [[Several turns of a loop written as one, with fewer branches and more instructions that do not wait for each other.]], also = { "unroll", "loop unrolling" }, lesson = "L13" },
  term { "tensor core", [[A unit that multiplies small matrices in one instruction of a warp. Each lane holds a fragment of them.]], also = { "fragment" }, lesson = "L13" },
  term { "fused multiply-add", [[`a * b + c` with one rounding, in one instruction. It counts as two operations.]], also = { "FMA", "multiply-add" }, lesson = "L12" },

  -- parallel algorithms
  term { "reduction", [[Many values become one, by sum or maximum. As a tree it takes log2 n rounds.]], also = { "reduce" }, lesson = "L14" },
  term { "scan", [[All partial sums of a list: element i is the sum up to i.]], also = { "prefix sum" }, lesson = "L15" },
  term { "work efficiency", [[An algorithm is work-efficient if it does no more operations, but for a constant factor, than the best serial one.]], also = { "work-efficient" }, lesson = "L14" },
  term { "privatization", [[Each block, warp or thread counts in a copy of its own first, and the copies are added at the end.]], also = { "privatized" }, lesson = "L16" },
  term { "histogram", [[How often each value occurs. Threads that count the same value at the same time have to queue.]], lesson = "L16" },

  -- races and atomics
  term { "atomic", [[An operation that reads, changes and writes a word as one step, such as `atomicAdd`. Those at one address queue.]], also = { "atomic operation", "atomics" }, lesson = "L16" },
  term { "contention", [[Many threads want the same word at the same time, and wait for each other.]], lesson = "L16" },
  term { "compare-and-swap", [[`atomicCAS` writes a new value only if the word still has the one that was read. Other atomics can be built from it.]], also = { "CAS", "atomicCAS" }, lesson = "L16" },
  term { "lost update", [[Two threads read a word, both add to it, both write: one addition is gone.]], lesson = "L16" },
  term { "fence", [[`__threadfence()`: what this thread wrote before is seen by others before what it writes after. It waits for nobody.]], also = { "memory fence", "threadfence" }, lesson = "L16" },
  term { "volatile", [[A promise to the compiler that others change the variable: every use is a load or store. It makes nothing atomic.]], lesson = "L16" },
  term { "deadlock", [[Threads wait for each other, and none can go on.]], lesson = "L17" },
  term { "livelock", [[Threads keep running, such as in a loop for a lock, and none gets on.]], lesson = "L17" },
  term { "lock", [[A word that says who may go on. Lanes of one warp that wait for each other's lock may never get it.]], also = { "spin lock", "mutex" }, lesson = "L16" },

  -- beyond one kernel
  term { "stream", [[A queue of copies and launches that run in order. Different streams may overlap.]], also = { "CUDA stream" }, lesson = "L18" },
  term { "stream priority", [[Waiting blocks of a kernel in a stream of high priority take the next free places. Blocks that run are never stopped.]], also = { "priority" }, lesson = "L05" },
  term { "dynamic parallelism", [[A kernel launches kernels. Its grid is done when all its children are.]], also = { "CDP" }, lesson = "L05" },
  term { "event", [[In lessons, one instruction of one warp as it was recorded. In CUDA, a mark in a stream that others can wait for.]], lesson = "L18" },
  term { "cooperative launch", [[A launch whose blocks are all resident at the same time, so that the whole grid can meet at a barrier.]], also = { "grid sync" }, lesson = "L18" },
  term { "cooperative groups", [[A library that gives groups of threads names: a tile of a warp, a block, the grid, each with its own barrier and sums.]], lesson = "L15" },
  term { "compute capability", [[The number of a device's generation, such as 7.0 or 9.0. It tells limits and instructions.]], also = { "CC" }, lesson = "L06" },
  term { "PTX", [[The instructions that CUDA code is compiled to first. The driver makes machine code of them for the device at hand.]], lesson = "L03" },
}
