-- The questions of the lectures: the eleven of the faux quiz (FQ), and those inside the lectures (EQ; EQ18 stands for
-- EQ19 and EQ20, too, which ask the same with other numbers). Each is an open question with a model answer and the points
-- that it makes; the skills that ask for the same with numbers name their family in the banks.
local QUIZ, CS378H, CS677 = "CS 378h, faux quiz, ", "CS 378h, ", "CS 677, lecture 2, "
local BOOK = "Programming in Parallel with CUDA, chapter 2, "

return {
  family {
    id = "FQ1", topic = "Occupancy", where = QUIZ .. "1", lesson = "L06",
    ask = "How is occupancy defined, and what limits it?",
    model = [[
      Occupancy is the number of warps that an SM holds, divided by the most that it can hold. Blocks are placed
      whole, until one thing runs out: slots for warps, slots for blocks, registers, or shared memory. Registers come
      in steps of eight a thread. Over time it may be lower than that, as blocks end and the grid runs dry. It serves
      to hide latency: more of it does not make a kernel faster by itself.
      ]],
    points = { "warps over warps, of one SM", "blocks are placed whole", "warp slots and block slots",
               "registers and shared memory", "more is not always faster" },
    play = function()
      local threads = 96
      local slots = picture { "occupancy", params = { profile = "v100", threads = threads, registers = 32 } }
      try {
        id = "FQ1_goal", title = "Fill it",
        [[Blocks of {threads} threads leave warp slots of a V100 empty. Left and Right change `threads`.]],
        threads = threads, goal = "All {all} warp slots are taken.", all = slots.max_warps,
        params = { "threads" }, solution = { threads = 128 },
        tips = { "How many blocks of {threads} threads go into {all} warps, and what is left?" },
        reached = function(held)
          return held.warps == held.max_warps, counted(held.warps, "warp")
        end,
      }
    end,
  },
  family {
    id = "FQ2", topic = "Two schedulers", where = QUIZ .. "2", lesson = "L05",
    ask = "What does the block scheduler decide, and what does a warp scheduler decide?",
    model = [[
      There is one block scheduler for the whole GPU. It gives a whole block to an SM that has room for it, once in
      the block's life, and in an order that is not defined. Each SM has its own warp schedulers. Every cycle each of
      them picks one of its warps that is ready, and another one when that one waits. Changing the warp costs nothing,
      as all of them keep their registers.
      ]],
    points = { "one for the GPU, several for each SM", "blocks against warps", "once against every cycle",
               "room against readiness", "changing the warp costs nothing", "the order of blocks is not defined" },
    play = function()
      local right = "another warp of its SM is issued"
      predict {
        id = "FQ2_choice", title = "Choose, and defend it",
        [[All warps of block 7 wait for memory. Other blocks are on its SM, and some are in the queue.]],
        ask = "What happens next?", kind = "choice", answer = right,
        options = { "a block from the queue takes its place", right, "its warps move to an idle SM" },
        wrong = { ["a block from the queue takes its place"] = "It keeps its registers and its shared memory.",
                  ["its warps move to an idle SM"] = "A block stays where it was placed." },
        because = "It stays, and the SM has other warps to choose from.",
      }
      rubric {
        id = "FQ2_why", title = "Why?", ask = "Say in one sentence why nothing of block 7 has to be moved.",
        model = "Its registers and shared memory stay with it, so the warp scheduler only picks another ready warp.",
        points = { "it keeps its registers", "another ready warp is picked" },
      }
    end,
  },
  family {
    id = "FQ3", topic = "Unified memory", where = QUIZ .. "3", lesson = "L09",
    ask = "With unified memory there are no copies to write. When would you use it, and when not?",
    model = [[
      One pointer is good on the host and on the device; pages move to whoever touches them. That is fine for a first
      version, for data full of pointers, for more data than the GPU holds, and for accesses nobody can foresee. For a
      stream that is known beforehand it is slow: each fault stops warps for tens of microseconds. There a prefetch or
      a copy is better. The host still has to wait for the kernel before it reads the results.
      ]],
    points = { "pages move when they are touched", "a case where it is good", "a case where it is bad",
               "faults are slow", "prefetch or advice", "one still has to synchronize" },
  },
  family {
    id = "FQ4", topic = "Divergence", where = QUIZ .. "4", lesson = "L04",
    ask = "What is divergence, and what does it cost?",
    model = [[
      The lanes of one warp take different ways at a branch. The ways run one after the other, each with the other
      lanes switched off, so the warp pays for the sum of all ways that any lane takes. With as many ways as lanes
      that is one lane at a time. A branch on which a whole warp agrees costs nothing extra, whatever other warps do.
      Very short ways are often predicated instead.
      ]],
    points = { "lanes of one warp", "one way after the other, under masks", "the sum of the ways", "the worst case",
               "other warps pay nothing", "short ways are predicated" },
    play = function()
      local r = measure { kernel = "diverge_nested", params = { k = 11 } }
      trace {
        id = "FQ4_be", title = "Be the warp",
        [[foo is `tid % 32 < {k}`, bar is true for odd lanes. Both have loops in their arms.]], k = r.parameters.k,
        run = r, ask = "mask", focus = "divergence",
        at = { { line = "value = value * 3 + 1" }, { line = "value = value * 5 + 2" },
               { line = "value = value * 7 + 3" }, { line = "out[id] = value", kind = "store" } },
        tips = { "First foo, then bar." }, because = "Each lane was in one of the three, and all meet behind.",
      }
    end,
  },
  family {
    id = "FQ5", topic = "Bank conflicts", where = QUIZ .. "5", lesson = "L11",
    ask = "What is a bank conflict?",
    model = [[
      Shared memory has 32 banks; neighboring words of four bytes lie in neighboring banks, and each bank gives one
      word at a time. When lanes of a warp want different words of the same bank in one instruction, the access takes
      as many turns as the most words that any bank has to give. Lanes that want the same word share it. With a stride
      of s words the degree is the greatest common divisor of s and 32; an unused column or another order of the words
      cures it.
      ]],
    points = { "32 banks, a word each", "same bank, different words", "the most words of a bank are the turns",
               "the same word is shared", "the rule for strides", "a cure" },
    play = function()
      local r = measure { kernel = "stride_walk", params = { first = 7, last = 16 } }
      local function stored(s)
        return { { line = "words[s * lane] = value", kind = "store", nth = s - r.parameters.first + 1 },
                 question = ("Next, s = %d. How many wavefronts?"):format(s) }
      end
      trace {
        id = "FQ5_be", title = "Be the banks", [[A warp stores: lane `i` to word `s * i`.]], run = r,
        ask = "wavefronts", focus = "banks", at = { stored(7), stored(10), stored(12), stored(16) },
        tips = { "The greatest common divisor of s and 32." }, because = "Only the factors 2 in s count.",
      }
    end,
  },
  family {
    id = "FQ6", topic = "Work efficiency", where = QUIZ .. "6", lesson = "L14",
    ask = "When is a parallel algorithm work-efficient?",
    model = [[
      When all its operations together are no more than a constant times those of the best serial algorithm. How few
      steps it takes does not matter for that. A tree adds n numbers with n - 1 additions in log n steps: efficient.
      The simple scan takes log n steps, too, but about n log n additions: not efficient. It matters as soon as there
      are more elements than lanes to work on them.
      ]],
    points = { "all operations against the serial ones", "work is not the number of steps", "an efficient example",
               "an inefficient one, with its count", "when it matters" },
  },
  family {
    id = "FQ7", topic = "Two schedulers, again", where = QUIZ .. "7", lesson = "L05",
    ask = "Why does a choice of the block scheduler last, and one of the warp scheduler not?",
    model = [[
      A block is placed once and stays, with its registers and its shared memory, until its last thread ends, even
      while it waits at a barrier. A block size that fits badly wastes that SM all the time, and leaves it idle in the
      last wave. A warp scheduler chooses anew every cycle, but only among the warps that were placed.
      ]],
    points = { "two levels", "a block is placed once, a warp is picked every cycle",
               "a waiting block keeps what it has", "warps can only be picked from what is resident" },
  },
  family {
    id = "FQ8", topic = "Atomics in hardware", where = QUIZ .. "8", lesson = "L16",
    ask = "How does a GPU do an atomic operation?",
    model = [[
      It is sent to the slice of the L2 cache that owns the address, and a small unit there reads, changes and writes.
      Those at one address queue; those at different addresses run side by side. If nobody wants the old value the
      warp need not wait for it. In shared memory the SM does it itself. Adding up in a warp or a block first leaves
      fewer of them.
      ]],
    points = { "in the L2 slice of the address", "one address queues, others do not",
               "the old value may not be wanted", "shared memory has its own", "add up first" },
  },
  family {
    id = "FQ9", topic = "How shared memory is built", where = QUIZ .. "9", lesson = "L10",
    ask = "How is shared memory built?",
    model = [[
      It is fast memory inside each SM, today the same array as the L1 cache, divided as the kernel needs it. It has
      32 banks that give a word each at a time, and a network that brings any bank's word to any lane, or one word to
      many. There are no tags and no misses: the program says what is in it. Each block has its own part from when it
      is placed until it ends.
      ]],
    points = { "inside each SM", "banks and a network between them and the lanes", "one array with L1",
               "no tags, the program manages it", "it is a block's, as long as that lives" },
  },
  family {
    id = "FQ10", topic = "Shared memory or L1", where = QUIZ .. "10", lesson = "L10",
    ask = "Why is there shared memory beside the L1 cache, and when is L1 enough?",
    model = [[
      L1 decides by itself what stays, in lines and sectors, and many warps compete for it. Shared memory keeps what
      the program put there, gives any word of each bank at full speed, and is how threads of a block exchange values.
      L1 is enough where data is only read again soon and nearby, as by a stencil or of a small table. It is not where
      threads exchange partial results, or where rows are turned into columns.
      ]],
    points = { "hardware against program", "threads exchange values in it", "what is there stays there",
               "banks against lines", "a case where L1 is enough", "a case where it is not" },
  },
  family {
    id = "FQ11", topic = "Waiting for the device", where = QUIZ .. "11", lesson = "L18",
    ask = "All is in one stream, and the results are copied back. Must the host still synchronize with the device?",
    model = [[
      Not after a cudaMemcpy to the host: it comes after the kernel in the stream, and returns when the data is there.
      It must after an asynchronous copy, and before it reads managed or mapped memory. Waiting for the one stream or
      an event is enough then. Errors of the kernel, and times, need it as well.
      ]],
    points = { "not after a copy that blocks", "why: order of the stream, and the copy waits",
               "an asynchronous copy", "managed memory", "errors or times" },
  },
  family {
    id = "EQ1", topic = "Warps of a block", where = CS677 .. "thread scheduling", lesson = "L03",
    ask = "An SM holds three blocks of 256 threads. How many warps are that, and how do you count them for any block?",
    model = [[
      Each block is cut into warps by itself, 32 threads each in the order of their numbers: 8 warps a block, 24 in
      all. No warp has threads of two blocks. Where the threads are no multiple of 32 the last warp has dark lanes, so
      one divides and rounds up, block by block.
      ]],
    points = { "warps end with their block", "32 threads, in order", "rounded up, block by block", "24" },
  },
  family {
    id = "EQ2", topic = "The size of a tile", where = CS677 .. "block granularity", lesson = "L06",
    ask = "Tiles of 8 x 8, 16 x 16 or 32 x 32: how would you choose the size of a block?",
    model = [[
      Look at every limit. With 8 x 8 the slots for blocks may run out long before those for warps. With 32 x 32 a
      block is so large that only one or two fit, and none where registers are short. 16 x 16 often fills the SM.
      Larger tiles use each value that is loaded more often. So the answer hangs on the machine and on the kernel, and
      is computed.
      ]],
    points = { "the limit on blocks", "the limit on threads or warps", "large blocks leave gaps",
               "larger tiles reuse more" },
  },
  family {
    id = "EQ3", topic = "Bytes for an operation", where = CS677 .. "adjacent differences", lesson = "L08",
    ask = "Each thread subtracts its left neighbor from its own element. What bandwidth does that need?",
    model = [[
      Each result takes two loads and one store of four bytes: 12 bytes for one subtraction. That much goes through
      the load and store units. The second load finds most of its words in sectors that the first one fetched, so less
      comes from memory: about 8 bytes a result with a cache.
      ]],
    points = { "two loads", "one store", "12 bytes", "a cache takes most of the second load" },
  },
  family {
    id = "EQ4", topic = "Who loads what how often", where = CS677 .. "adjacent differences", lesson = "L10",
    ask = "How often is input[i] loaded, without and with shared memory?",
    model = [[
      Twice: by thread i as its own element, and by thread i + 1 as its neighbor's. The first and the last element
      once. With shared memory each block loads its elements once, and the one before its first: those at the seams
      between blocks are loaded twice, the others once.
      ]],
    points = { "twice", "by which threads", "the ends", "with shared memory only at the seams" },
  },
  family {
    id = "EQ5", topic = "Where to declare", where = CS677 .. "variable declarations", lesson = "L09",
    ask = "You need a variable in a kernel. How do you decide in which memory to declare it?",
    model = [[
      Does the host have to set or read it? Then it is declared outside the functions: constant if all threads only
      read it, and the same word at a time, else in device memory. Otherwise inside the kernel: a plain variable for
      each thread's own value, shared for what a block has in common. An array with an index that the compiler does
      not know may end up in local memory.
      ]],
    points = { "does the host need it?", "constant, if all only read it", "shared, for a block",
               "registers, for a thread", "indexed arrays may be local" },
  },
  family {
    id = "EQ6", topic = "A pointer in shared memory", where = CS677 .. "pointers", lesson = "L09",
    ask = "A kernel declares `__shared__ int *ptr`. What is shared, and where does it point?",
    model = [[
      The pointer itself lies in shared memory: one for each block, not one for each thread. Where it points says
      nobody yet, as it has no value: it may point to any memory. All threads that set it write the same word, which
      is a race unless one of them does it and the others wait.
      ]],
    points = { "the pointer is shared, not what it points to", "one for each block", "it has no value yet",
               "setting it is a race" },
  },
  family {
    id = "EQ7", topic = "Where a pointer points", where = CS677 .. "pointers", lesson = "L09",
    ask = "Odd lanes let a pointer point to global memory, even lanes to shared memory. Where does it point then?",
    model = [[
      Each lane has its own pointer, so some point here and some there. Addresses are generic: the hardware finds the
      space of each lane from the address. It is right, and it is slow: one instruction has to do two kinds of access.
      Where many lanes write through it to one word, it is a race as well.
      ]],
    points = { "each lane has its own", "generic addresses", "the hardware decides, lane by lane",
               "slower, or a race" },
  },
  family {
    id = "EQ8", topic = "Traffic of the naive product", where = CS677 .. "matrix multiplication", lesson = "L12",
    ask = "What limits the naive matrix product, and what would help?",
    model = [[
      Each multiplication and addition reads two new values: eight bytes for two operations. The bandwidth divided by
      four bytes an operation is the most it can reach, far below what the SMs could do. Threads of a block read the
      same rows and columns again and again, so a tile in shared memory divides the traffic by its width. Caches do a
      part of that by themselves.
      ]],
    points = { "four bytes an operation", "bandwidth gives the limit", "far below the peak",
               "tiles divide the traffic" },
  },
  family {
    id = "EQ9", topic = "One register more", where = CS677 .. "memory resources", lesson = "L06",
    ask = "What happens to a kernel that needs a few registers more than just fit?",
    model = [[
      Registers of all threads of a block are taken together, and blocks are placed whole. If three blocks just fit,
      one register more for each thread makes it two: a third of the threads is lost at once. So it is a cliff, not a
      slope, and it pays to know how far away it is.
      ]],
    points = { "registers times threads of a block", "rounded down to whole blocks", "a whole block is lost",
               "a cliff" },
  },
  family {
    id = "EQ10", topic = "Both sides of an if", where = CS677 .. "control flow", lesson = "L04",
    ask = "What happens in a warp at `if (foo(threadIdx.x)) do_A(); else do_B();`?",
    model = [[
      If all lanes agree, one side runs. If not, both run, one after the other, with masks that together have all
      lanes. Then the lanes go on together. A branch inside divides a mask again.
      ]],
    points = { "lanes that agree run one side", "else both, one after the other", "masks that complete each other",
               "they meet again" },
  },
  family {
    id = "EQ11", topic = "Across blocks", where = CS677 .. "global communication", lesson = "L16",
    ask = "How can threads of different blocks hand values to each other?",
    model = [[
      End the kernel and start another one: in one stream it sees all that was written. Inside a kernel: atomics, with
      fences where more than one word is handed over. Or a cooperative launch, whose grid can wait for all its blocks,
      if all fit at once. Plain stores and loads are a race.
      ]],
    points = { "the end of a kernel", "atomics and fences", "a barrier of the grid needs all blocks resident",
               "plain stores race" },
  },
  family {
    id = "EQ12", topic = "Two threads, one cell", where = CS677 .. "atomics", lesson = "L16",
    ask = "Two threads change one cell, one adds 5, the other adds 1, and each reads it afterwards. What can they see?",
    model = [[
      It is not defined. Either may be first, and their reads and writes may mix, so that one of the two additions is
      lost. With an atomic addition none is lost: at the end there is always the sum. Which value each of them sees on
      its way hangs on the order still.
      ]],
    points = { "not defined", "either may be first", "an addition may be lost", "atomics keep both",
               "the order stays free" },
  },
  family {
    id = "EQ13", topic = "The stride of a loop", where = BOOK .. "reductions", lesson = "L14",
    ask = "In place, each thread sums every so many elements into its own. Can another thread need what it overwrites?",
    model = [[
      Not if the stride is the number of threads of the grid: then no two threads touch the same element, and each has
      read its own before it writes it. With a smaller stride the sets overlap, and it is a race between blocks.
      Another array for the results leaves no doubt.
      ]],
    points = { "each has its own elements", "only with the grid as stride", "else it is a race",
               "another array is safer" },
    play = function()
      local r = measure { kernel = "reduce1", form = "lecture" }
      show(r, { at = "start", code = true })
      predict {
        id = "EQ13_line", title = "Where is it?", kind = "line",
        [[{blocks} blocks of {threads} threads. The sum comes out too large or too small, except for one
          size of the grid.]],
        blocks = r.blocks, threads = r.threads, ask = "Go to the line that is wrong.",
        answer = "int stride = blockDim.x * blockDim.x",
        wrong = { ["for (int k = tid"] = "It goes on as it is told. By how much?",
                  ["if (tid < N)"] = "It guards the store." },
        tips = { "How far apart are two threads that do the same work?" },
        because = "The step is the number of all threads: gridDim.x times blockDim.x.",
      }
    end,
  },
  family {
    id = "EQ14", topic = "How many threads and blocks", where = CS378H .. "how many threads and blocks", lesson = "L01",
    ask = "How many threads and blocks do you start for n elements?",
    model = [[
      As many blocks as it takes, rounded up: n divided by the threads of a block. The threads that are too many are
      kept out by a test against n. Threads come in multiples of 32, often 128 to 256. There should be blocks for
      several waves. A loop with the grid as stride does with a fixed grid as well.
      ]],
    points = { "rounded up", "a test against n", "a multiple of 32", "enough blocks for all SMs" },
  },
  family {
    id = "EQ15", topic = "From blocks to warps", where = CS378H .. "how are threads scheduled", lesson = "L05",
    ask = "What happens to the threads of a grid from the launch on?",
    model = [[
      Whole blocks are given to SMs that have room, the others wait. Each SM cuts a block into warps of 32 by the
      number of the thread. Its schedulers issue each cycle for a warp that is ready. When a block ends, one that
      waits takes its place.
      ]],
    points = { "blocks go to SMs with room", "the others wait", "cut into warps by number", "ready warps are issued" },
  },
  family {
    id = "EQ16", topic = "As many threads as possible?", where = CS378H .. "occupancy", lesson = "L07",
    ask = "Should one not simply start as many threads as possible?",
    model = [[
      No. More than fit at once only wait. More resident threads leave each fewer registers and less shared memory, so
      values spill and less is used again. Once the latency is hidden, or the bandwidth is used, more threads bring
      nothing; fewer of them with more independent work each may be faster.
      ]],
    points = { "what does not fit waits", "fewer registers each", "no gain once latency is hidden",
               "more work for each thread helps, too" },
  },
  family {
    id = "EQ17", topic = "The staircase", where = CS378H .. "occupancy", lesson = "L06",
    ask = "What does it do to occupancy when a kernel needs a little more of something, step by step?",
    model = [[
      For a long time nothing, then a whole block is lost: a staircase. Registers go in steps of eight a thread,
      shared memory in its own steps. So saving a little pays only near the edge of a step.
      ]],
    points = { "a staircase", "whole blocks", "each resource has its steps", "saving pays near an edge" },
  },
  family {
    id = "EQ18", topic = "Blocks on a V100", where = CS378H .. "occupancy", lesson = "L06",
    ask = "How many blocks of 512 threads, of 128 and of 32 does an SM of a V100 hold, and how full is it?",
    model = [[
      It has room for 2048 threads and 32 blocks. Four blocks of 512 and sixteen of 128 fill it, if registers and
      shared memory allow. Of blocks of 32 threads only 32 fit, which are 1024 threads: half.
      ]],
    points = { "2048 threads and 32 blocks", "4 and 16", "32 blocks of a warp are half", "if registers allow" },
  },
  family {
    id = "EQ21", topic = "Two more registers", where = CS378H .. "occupancy", lesson = "L06",
    ask = "A kernel grows from 32 to 34 registers a thread, in blocks of 256. What does it cost an SM that has 65,536?",
    model = [[
      Eight blocks fitted. 34 are rounded up to 40, as registers are given to a warp in steps of 256. Then a block
      takes 10,240 and six fit: three quarters. Without the rounding it would be seven. Little more of one thing costs
      two whole blocks.
      ]],
    points = { "rounded up to 40", "six blocks", "three quarters", "whole blocks are lost" },
  },
  family {
    id = "EQ22", topic = "How to synchronize", where = CS378H .. "races", lesson = "L16",
    ask = "Threads race for a word. Which ways are there to mend that, and which comes first?",
    model = [[
      First do not share: let each warp or block count for itself and add up at the end. Else an atomic operation for
      a single word; a barrier in a block, one in a warp; the end of a kernel or a barrier of the grid between blocks.
      Locks that spin inside a warp are slow at best, and can stop for ever.
      ]],
    points = { "do not share, if it can be", "atomics for a word", "the barrier that fits the threads",
               "beware of locks" },
    play = function()
      local r = measure { kernel = "warp_lock", form = "spin", sched = "its" }
      show(r, { at = "start", code = true })
      predict {
        id = "EQ22_line", title = "Who waits where?", kind = "line",
        [[A lock for the lanes of a warp. Before Volta this never ended.]],
        ask = "Go to the line at which the lanes without the lock are.", answer = "while (atomicCAS(lock, 0, 1) != 0)",
        tips = { "Lanes of a warp meet behind a loop." },
        because = "There they go round and round. The lane with the lock waits behind the loop for them.",
      }
    end,
  },
  family {
    id = "EQ23", topic = "A product of three", where = CS378H .. "programming models", lesson = "L18",
    ask = "A library copies its matrices to the device and back at each call. What does that mean for A x B x C?",
    model = [[
      A x B goes to the host and comes back again for nothing: six copies where four would do. The caller cannot say
      that it stays, and the library cannot know. Handles to data on the device, copies only when they are needed, or
      a graph of the work cure it.
      ]],
    points = { "a copy there and back for nothing", "six against four", "the interface hides where data is", "a cure" },
  },
  family {
    id = "EQ24", topic = "Many GPUs", where = CS378H .. "programming models", lesson = "L18",
    ask = "There are several GPUs, and each call says which one it wants. What is wrong with that?",
    model = [[
      The program decides where work goes, once and for all, and does not know how busy a device is, nor which one has
      the data already. Values move between devices for it. It has to be written anew for another machine. A system
      that sees all of that should place the work.
      ]],
    points = { "the program becomes the scheduler", "it does not see load and data", "values move between devices",
               "a system should place work" },
  },
  family {
    id = "EQ25", topic = "Why not with CPUs", where = CS378H .. "programming models", lesson = "L18",
    ask = "Why does nobody have to say on which core of a CPU something runs?",
    model = [[
      The operating system puts any thread on any core, all cores see one memory, and their caches agree. So no place
      and no copy is in the program. GPUs are devices behind calls of a driver, with memory of their own, and the
      system schedules little of what runs on them.
      ]],
    points = { "the system schedules threads", "one memory, caches that agree", "a GPU is a device with its own" },
  },
}
