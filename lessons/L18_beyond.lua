-- L18: something was written. Who may see it, and when: the host, the next kernel, another block, another cache?

local SIZE, RATE = 4096, 25                      -- rows of a matrix; GB/s of the link
local SIX = "r0 r1 r2 w0 r1 w2"                  -- what four cores do with one line
local LEASE = 10                                 -- cycles that a copy is good for
local READ, WRITE, VALUE, FENCE = 4, 6, 7, 8     -- when core 1 reads and core 2 writes, and what; when it is at a fence
local AGAIN = { 11, 12 }                         -- when cores 0 and 1 read again
local DATED = ("r0@0 r1@%d w2=%d@%d"):format(READ, VALUE, WRITE)

local function flow(params)
  params.size, params.rate = SIZE, RATE
  return { "dataflow", params = params }
end

local function caches(params)
  return { "coherence", params = params }
end

local function tenth(number)
  return string.format("%.1f", number)
end

-- All orders of the numbers 1 to #before in which those of before[i] stand before i.
local function orders_of(before)
  local found, order, placed = {}, {}, {}
  local function may_come(i)
    for _, earlier in ipairs(before[i]) do
      if not placed[earlier] then return false end
    end
    return not placed[i]
  end
  local function extend()
    if #order == #before then found[#found + 1] = { table.unpack(order) } end
    for i = 1, #before do
      if may_come(i) then
        order[#order + 1], placed[i] = i, true
        extend()
        order[#order], placed[i] = nil, nil
      end
    end
  end
  extend()
  return found
end

recall(2)

-- 1. a library that copies -------------------------------------------------------

local one_call = picture(flow { matrices = 2 })
local chain = model(flow { matrices = 3 })

predict {
  id = "chain", title = "Two products",
  [[
  `gemm(A, B)` copies two matrices to the GPU, multiplies, and copies the product back: {one} copies.

  Somebody needs A x B x C, and writes `gemm(gemm(A, B), C)`.
  ]],
  one = one_call.copies,
  ask = "How many copies are made?", unit = "copies", answer = chain.copies, sure = true,
  wrong = {
    [chain.least] = "So many are needed. But who tells the second call that A x B is there already?",
    [chain.copies - 1] = "The second call copies two matrices in, like the first.",
    [one_call.copies] = "That is one call.",
  },
  tips = { "What does each call copy, whatever was before?" },
  because = "{one} for each call. {least} would do.", least = chain.least,
}

picture(flow { matrices = 3 })
explain {
  title = "Out, and in again",
  [[
  A x B leaves the GPU, and comes right back. The call cannot know that somebody wants it there.

  A matrix has {mib} MiB here, the link {rate} GB/s. {made} copies take {slow} ms, {least} take {fast}.

  The lecture's `gemm` is a sketch: nobody ships it just so.
  ]],
  mib = math.tointeger(chain.megabytes), rate = RATE, slow = tenth(chain.ms), fast = tenth(chain.least_ms),
  made = chain.copies, least = chain.least,
}

hide()
predict {
  id = "kept", title = "Keep it there",
  kind = "order", ask = "By hand it takes fewer copies. In which order? One line belongs nowhere.",
  lines = { "copy A in", "copy B in", "launch A x B", "copy C in", "launch AB x C", "copy ABC out" },
  orders = orders_of { {}, {}, { 1, 2 }, {}, { 3, 4 }, { 5 } }, spare = { "copy AB out" },
  wrong = {
    ["copy AB out"] = "Nobody on the host wants to see it.",
    ["launch A x B"] = "It reads A and B. Are both there?",
    ["launch AB x C"] = "It needs the first product, and C.",
  },
  tips = { "What must be there before each launch?" },
  because = "{least} copies. C may come in while A x B runs.", least = chain.least,
}

local five = model(flow { matrices = 5 })
predict {
  id = "wasted", title = "Five matrices",
  [[A chain of {n} matrices: {calls} calls of `gemm`.]], n = 5, calls = 5 - 1,
  ask = "How many of the copies are wasted?", unit = "copies", answer = five.wasted,
  wrong = {
    [five.copies] = "Those are all. Which of them are needed?",
    [five.wasted // 2] = "Each product in the middle goes out, and comes in.",
    [model(flow { matrices = 6 }).wasted] = "The last product has to go out.",
  },
  tips = { "How many products are there in the middle? Each of them goes out, and in." },
  because = "{made} are made. {least} are needed: {n} in, one out.", made = five.copies, least = five.least,
}

-- 2. many GPUs -------------------------------------------------------------------

local GPUS, CALLS = 4, 3
predict {
  id = "placements", title = "Which GPU?",
  [[
  The computer has {gpus} GPUs. So `gemm` gets one more parameter, the *device*, and whoever calls it chooses. A
  program has {calls} calls.
  ]],
  gpus = GPUS, calls = CALLS,
  ask = "In how many ways can they be placed?", unit = "ways", answer = GPUS ^ CALLS // 1,
  wrong = {
    [GPUS * CALLS] = "Each choice of the first goes with each of the second.",
    [CALLS ^ GPUS // 1] = "Each call chooses a GPU, not each GPU a call.",
    [GPUS + CALLS] = "The choices do not add up. They multiply.",
  },
  tips = { "How many choices has the first call, and how many has the second for each of these?" },
  because = "{gpus} x {gpus} x {gpus}. With {more} calls it is {many}.", more = 2 * CALLS,
  many = GPUS ^ (2 * CALLS) // 1,
}

predict {
  id = "two-devices", title = "Two devices",
  [[A x B is made on GPU 0. The next call, with C, is placed on GPU 1: that one is idle.]],
  ask = "What does that cost?", kind = "choice",
  options = { "nothing", "AB has to move", "A and B have to move" }, answer = "AB has to move",
  wrong = {
    ["nothing"] = "Each GPU has a memory of its own. Where is AB?",
    ["A and B have to move"] = "They are multiplied already.",
  },
  tips = { "What does the second call read, and where does that lie?" },
  because = "Over the link between the GPUs, or by way of the host. Who places a call must know where its data is.",
}

explain {
  title = "The caller is the scheduler",
  [[
  The choice is written into the program. It does not know which GPU is busy, where data lies, or what other programs
  do. On another computer it may be wrong.

  In old CUDA a thread of the host had one GPU. Today any thread may turn to any of them, with `cudaSetDevice`. It
  still has to choose.
  ]],
}

predict {
  id = "os", title = "Not so with cores",
  [[Nobody writes `core = 3` behind a call. On a CPU somebody else takes care of that.]],
  ask = "What does the system do there, and not for calls of a GPU?", kind = "several",
  options = { "It chooses the core.", "It takes the core away again.", "Caches bring the data.",
    "It splits the program." },
  answer = { "It chooses the core.", "It takes the core away again.", "Caches bring the data." },
  wrong = {
    ["It splits the program."] = "Threads are made by the programmer, there and here.",
    ["It chooses the core."] = "Who puts a thread onto a core?",
    ["It takes the core away again."] = "Many programs share few cores. Who lets them take turns?",
    ["Caches bring the data."] = "Two cores read one array. Did the program copy it?",
  },
  tips = { "Which three would you miss if you had to write them yourself?" },
  because = "Cores are shared, and memory is one. A GPU is a device: its driver is asked, its memory is apart.",
}

-- 3. a pipeline ------------------------------------------------------------------

local NODES = "C G G C"
local piped = model(flow { flow = "pipeline", nodes = NODES })
local known = model(flow { flow = "pipeline", nodes = NODES, runtime = "dataflow" })

hide()
predict {
  id = "pipes", title = "capture | xform | filter | detect",
  [[
  Four programs hand on pictures through pipes. The second and the third work on the GPU, the others on the CPU. A
  pipe is in the memory of the host.
  ]],
  ask = "How often is each picture copied, to the GPU or back?", unit = "copies", answer = piped.copies,
  wrong = {
    [known.copies] = "That would do if filter knew that xform was on the GPU.",
    [piped.copies - 1] = "Two stages, and each has a way in and a way out.",
    [1] = "How does it come back to the host?",
  },
  tips = { "The picture must be in the pipe between `xform` and `filter`. Where is that?" },
  because = "In and out for each stage on the GPU.",
}

picture(flow { flow = "pipeline", nodes = NODES })
explain {
  title = "Say what, not how",
  [[
  Between `xform` and `filter` the picture goes out, and in again.

  *Dataflow* is another way to say it: these are the stages, this goes from here to there. Who knows the whole graph
  can choose where a stage runs, and when to copy: {least} in place of {made}.
  ]],
  least = known.copies, made = piped.copies,
}

local SPLIT = "C G C G C"
local split = picture(flow { flow = "pipeline", nodes = SPLIT, runtime = "dataflow", node = 2 })
try {
  id = "one-move", title = "Your turn: one move",
  [[
  Five stages, and somebody who knows the graph. There are {now} copies all the same: the picture crosses a border
  each time.

  `m` moves the chosen stage; Left and Right choose one.
  ]],
  now = split.copies,
  goal = "Half of the copies, by one move.", params = { "node", "step" },
  solution = { nodes = "C G G G C" },
  tips = { "Which stage has a border on each side?" },
  reached = function(now) return now.copies == split.copies // 2, now.copies .. " copies" end,
}

hide()
predict {
  id = "busy-host", title = "A neighbor",
  [[
  A kernel runs. Another program keeps all cores of the host busy for a second. The program of the kernel wants to
  launch the next one.
  ]],
  ask = "What happens?", kind = "choice",
  options = { "both go on in time", "this one goes on, the next is late", "both stop for a second" },
  answer = "this one goes on, the next is late",
  wrong = {
    ["both go on in time"] = "Somebody has to launch the next one. Where does that run?",
    ["both stop for a second"] = "The GPU does not need the host for what it has begun.",
  },
  tips = { "Which of the two needs a core of the host now?" },
  because = "No *isolation*: who shares the host slows the GPU. The lecture shows it; the numbers of its figure"
    .. " are lost.",
}

-- 4. the host looks --------------------------------------------------------------

local KERNEL_MS = 5
predict {
  id = "launch", title = "Who waits?",
  [[
  The host notes the time, launches a kernel that runs for {ms} ms, and prints how much time has gone by.
  ]],
  ms = KERNEL_MS,
  ask = "What does it print?", kind = "choice",
  options = { "about 0 ms", "about " .. KERNEL_MS .. " ms", "about " .. 2 * KERNEL_MS .. " ms" }, answer = "about 0 ms",
  wrong = {
    ["about " .. KERNEL_MS .. " ms"] = "So it would be behind `cudaDeviceSynchronize()`.",
    ["about " .. 2 * KERNEL_MS .. " ms"] = "Who would run it twice?",
  },
  tips = { "Who runs the kernel, and who prints?" },
  because = "A launch is an order, and the host goes on. So the question of this lesson begins here: when may"
    .. " somebody look?",
}

local two = measure { kernel = "grid_barrier", params = { version = "two" } }
local in_order = two.verdict == "right" and #two.between == 0
show(two, { at = { kind = "store", space = "global" }, focus = "segments" })
predict {
  id = "in-order", title = "One behind the other",
  [[
  `sum_parts` leaves partial sums, and `sum_all` adds them up. Both are launched in the same stream.
  ]],
  ask = "What must stand between the two launches?", kind = "choice",
  options = { "nothing", "cudaDeviceSynchronize()", "a copy to the host" },
  answer = in_order and "nothing" or "cudaDeviceSynchronize()",
  wrong = {
    ["cudaDeviceSynchronize()"] = "A lecture puts one there. It costs time, and does nothing that the stream does not.",
    ["a copy to the host"] = "The sums are where they are needed.",
  },
  tips = { "What is promised of work in one stream?" },
  because = "Launches of a stream come one after the other, and each sees all that was written before. Here:"
    .. " {verdict}.",
  verdict = two.verdict == "right" and "the right sum, and no fault" or "a wrong sum",
}

-- What the host does between the launch and its first look.
local looks = {
  { "cudaMemcpy", "right" }, { "cudaMemcpyAsync", "async" }, { "nothing: the memory is managed", "managed" },
  { "cudaMemcpyAsync, and a wait for it", "waited" },
}
local look_options, early = {}, {}
for i, look in ipairs(looks) do
  look_options[i] = look[1]
  if #measure({ kernel = "copy_back", form = look[2] }).between > 0 then early[#early + 1] = look[1] end
end

hide()
predict {
  id = "early", title = "Before the host looks",
  [[
  A kernel squares an array in *pinned memory* of the host. Then the host does one of these, and reads the result at once.
  ]],
  ask = "Which of them are too early?", kind = "several", options = look_options, answer = early,
  wrong = {
    [looks[1][1]] = "It comes back when the data is there. To be there, the kernel must have ended.",
    [looks[2][1]] = "Async means: the host goes on at once.",
    [looks[3][1]] = "No copy, so there is nothing that could wait. A launch does not.",
    [looks[4][1]] = "It waits for the copy, and the copy is behind the kernel.",
  },
  tips = { "Which calls come back only when the data is there?" },
  because = "Behind `cudaMemcpy` no `cudaDeviceSynchronize` is needed. Where no call has waited, the host has to.",
}

local async = measure { kernel = "copy_back", form = "async", cut = "compiled" }
show(async, { at = "end", focus = "program" })
explain {
  title = "Told, though it was right",
  [[
  With `cudaMemcpyAsync` and no wait, the result of this run was {verdict}. The checks say `{kind}` all the same:
  nothing orders the look behind the copy.

  Tomorrow the copy is slower.
  ]],
  verdict = async.verdict, kind = async.between[1].kind,
}

local elsewhere = measure { kernel = "copy_back", form = "elsewhere" }
local ordered = measure { kernel = "copy_back", form = "ordered" }
hide()
predict {
  id = "event", title = "Two streams",
  [[The kernel is in stream a, the copy in b. The checks say `{told}`.]], told = elsewhere.between[1].kind,
  kind = "order", ask = "Put it in order. One line belongs nowhere.",
  lines = { "launch in stream a", "record an event in a", "let b wait for the event", "copy in stream b",
            "wait for b on the host" },
  spare = { "wait for a on the host" },
  wrong = {
    ["wait for a on the host"] = "In front of the copy it would do, but the host stands still. Behind it, who copies?",
    ["let b wait for the event"] = "The copy must not begin before that.",
    ["record an event in a"] = "It marks what the stream has come to: the end of the kernel.",
  },
  tips = { "An event is a mark in a stream. What must stand before the mark?" },
  because = "Streams order one another by events, and the host goes on. Now the checks say {clean}.",
  clean = #ordered.between == 0 and "nothing" or ordered.between[1].kind,
}

-- 5. copies beside kernels -------------------------------------------------------

local function pipeline(params)
  params.n, params.rounds = 1024, 128
  return measure { kernel = "stream_pipeline", params = params, cut = "compiled" }
end

local by_streams = {}
for streams = 1, 4 do by_streams[streams] = pipeline { streams = streams } end
local alone, four, fewest = by_streams[1], by_streams[4], 4
while by_streams[fewest - 1].span == four.span do fewest = fewest - 1 end
local one, next_one = alone.launches[1], alone.launches[2]
local copy = next_one.start - one.finish - one.start   -- between two kernels go two copies; both are as long
local work = one.finish - copy                         -- with the time that a kernel takes to begin
local pieces = alone.parameters.chunks

hide()
predict {
  id = "one-stream", title = "Piece by piece",
  [[
  An array in {pieces} pieces. Each is copied in ({in_us} µs), worked on ({work} µs), copied out ({out} µs). All is in
  one stream. (Computed times.)
  ]],
  pieces = pieces, in_us = tenth(copy), work = tenth(work), out = tenth(copy),
  ask = "How many µs does it all take?", unit = "µs", tolerance = 1, answer = tonumber(tenth(alone.span)),
  wrong = {
    [copy + work + copy] = "That is one piece.",
    [pieces * work] = "In one stream copies wait, too.",
    [four.span] = "In one stream nothing goes on beside anything else.",
  },
  tips = { "One after the other: add." },
  because = "{pieces} times everything.",
  show = { run = alone, at = "start", focus = "program" },
}

predict {
  id = "four-streams", title = "Four streams",
  [[
  Now each piece has a stream of its own. One engine copies in, another one copies out, and kernels run beside them.
  In {in_us}, work {work}, out {out} µs.
  ]],
  in_us = tenth(copy), work = tenth(work), out = tenth(copy),
  ask = "How many µs now?", unit = "µs", tolerance = 1, answer = tonumber(tenth(four.span)),
  wrong = {
    [alone.span] = "While one piece is worked on, the next can come in.",
    [alone.span / pieces] = "The engine that copies in does one piece at a time.",
    [pieces * copy] = "And the last piece? It still has to be worked on, and to go out.",
  },
  tips = { "Which engine is busy from the start? What is left to do when it is done?" },
  because = "{pieces} x {in_us}, then the last piece is worked on and goes out: {gain} times faster.",
  pieces = pieces, gain = tenth(alone.span / four.span),
}

show(four, { at = "start", focus = "program" })
explain {
  title = "Over time",
  [[
  A row for each engine and stream, time to the right. The copies in have no gap between them: that engine is busy from
  the start.

  Kernels and copies out hide behind it, but for the last piece. `T` shows more: what waits for what, and what if.
  ]],
}

try {
  id = "fewest", title = "Your turn: fewer streams",
  [[Four streams take {now} µs, one takes {before}.]], now = tenth(four.span), before = tenth(alone.span),
  goal = "The fewest streams that are as fast as four.", params = { "streams" }, solution = { streams = fewest },
  tips = { "How many pieces are under way at the same time: one comes in, one is worked on, ..." },
  reached = function(run) return run.parameters.streams == fewest, tenth(run.span) .. " µs" end,
}

local slip = pipeline { streams = 4, slip = 2 }
hide()
predict {
  id = "slip", title = "One slip",
  [[
  In the second piece the stream is left out of `<<<...>>>`: its kernel goes into the default stream. {pieces} streams
  took {now} µs.
  ]],
  pieces = pieces, now = tenth(four.span),
  ask = "What becomes of the time?", kind = "choice",
  options = { "it is the same", "a bit longer", "as with one stream" },
  answer = slip.span == four.span and "it is the same" or slip.span < alone.span and "a bit longer" or "as with"
    .. " one stream",
  wrong = {
    ["it is the same"] = "The default stream waits for all that was issued before, and all that comes after"
      .. " waits for it.",
    ["as with one stream"] = "Pieces three and four still go side by side.",
  },
  tips = { "The default stream is a wall. How many walls are there?" },
  because = "{slip} µs: one wall, in the middle. Such a slip makes no error, only a gap.", slip = tenth(slip.span),
  show = { run = slip, at = "start", focus = "program" },
}

-- 6. from block to block ---------------------------------------------------------

local TAKE = { line = "out[i] =", kind = "load", space = "global", block = 0, warp = 0 }
local lonely = measure { kernel = "grid_reverse", form = "block" }
local threads = lonely.blocks * lonely.threads
local wrong_count, got = 0, lonely:output("out")
for i = 0, #got - 1 do
  if got[i] ~= #got - 1 - i then wrong_count = wrong_count + 1 end
end

hide()   -- a mark in the source would tell
predict {
  id = "blocks", title = "Within one kernel",
  [[
  {blocks} blocks of {threads} threads, each with a number `i`. The emulator runs block 0 first, then block 1, and so on.

      left[i] = i;
      __syncthreads();
      out[i] = left[n - 1 - i];
  ]],
  blocks = lonely.blocks, threads = lonely.threads,
  ask = "How many of the {all} results are wrong?", all = threads, unit = "results", answer = wrong_count,
  wrong = {
    [0] = "That barrier is for one block. In which block is the opposite?",
    [threads] = "The later blocks do find what the first ones left.",
    [lonely.threads] = "That is one block. How many of them come too early?",
  },
  tips = { "Block 0 takes from the last block. Was that there before it?" },
  because = "Half of the blocks come before their opposite. On a GPU it may be any number: it is a race.",
  show = { run = lonely, at = TAKE, focus = "segments" },
}

modify {
  id = "meet", title = "All blocks together",
  [[Mend it: *all* blocks must meet. The launch is a *cooperative launch*, so all are there.]],
  kernel = "grid_reverse", form = "block", line = "__syncthreads();", blank = "  ____;",
  fill = "cg::this_grid().sync()", accept = { "cg::sync(cg::this_grid())" },
  runs = { {}, { blocks = 3, threads = 64 } },
  wrong = {
    ["__threadfence()"] = "A fence puts stores in order. It waits for nobody.",
    ["cg::this_thread_block().sync()"] = "That is `__syncthreads()` by another name.",
  },
  offered = { "__syncwarp()" },
  tips = { "Which group is larger than a block? `namespace cg` stands at the top.",
    "`cg::this_grid()` is all of them." },
  because = "The lecture says that blocks cannot cooperate. They can, if all of them have room at once.",
}

local letter, hasty = measure { kernel = "letter" }, measure { kernel = "letter", form = "nofence" }
make {
  id = "letter", title = "A letter with a flag",
  [[
  Block 1 waits for the flag, then reads. Write what block 0 does: put `words` into `*data`, then set the flag. And
  make sure that nobody sees the flag first.
  ]],
  kernel = "letter", from = "data = words", to = "flag = 1",
  starter = "    *data = words;\n    *flag = 1;",
  solution = [[
    *data = words;
    __threadfence();
    *flag = 1;]],
  others = {
    { "no fence", "    *data = words;\n    *flag = 1;", says = "The letter may still be on its way when the"
      .. " flag is seen." },
    { "flag first", "    *flag = 1;\n    __threadfence();\n    *data = words;",
      says = "Now the flag is sure to be early." },
    { "a barrier", "    *data = words;\n    __syncthreads();\n    *flag = 1;",
      says = "A barrier orders the threads of a block. The reader is in another one." },
  },
  runs = { {}, { words = 7 } },
  tips = { "What puts two stores of one thread in order, for all others?" },
  because = "A *fence*: who sees the flag sees the words. The reader has one, too, so that it does not read the"
    .. " words first.",
}

show(hasty, { at = { line = "*got =", kind = "load", block = 1 }, focus = "segments" })
predict {
  id = "lucky", title = "It was right",
  [[
  Without any fence, this run gave {got}: the right words. The checks say `{told}`.
  ]],
  got = hasty:output("got")[0], told = hasty.faults[1].kind,
  ask = "So what is the fence for?", kind = "choice",
  options = { "for nothing", "for other days", "for speed" }, answer = "for other days",
  wrong = {
    ["for nothing"] = "One run shows what can happen, not what must.",
    ["for speed"] = "It makes a thread wait until its stores are seen.",
  },
  tips = { "What is promised, and what was only so this time?" },
  because = "Stores of a thread may be seen in another order. With the fence the checks say {clean}.",
  clean = #letter.faults == 0 and "nothing" or letter.faults[1].kind,
}

-- 7. one line in four caches -----------------------------------------------------

local function after(step, protocol)
  return { protocol = protocol or "MESI", ops = SIX, step = step }
end

local function states(step, protocol)
  return model(caches(after(step, protocol))).states
end

picture(caches(after(0)))
say {
  title = "Who has the line?",
  [[
  Cores of a CPU have caches, and may have copies of one line. *Coherence* means: who reads gets what was last written.

  *MESI* has four letters for a copy. M: changed here alone. E: alone, not changed. S: shared. I: no good.
  ]],
}

predict {
  id = "first-read", title = "The first read",
  [[Nobody has the line: `IIII`. Core 0 reads it.]],
  ask = "Which letters have cores 0 to 3 now?", kind = "text", answer = states(1),
  wrong = {
    ["SIII"] = "With whom would it share? Alone it is exclusive: a later write then needs no message.",
    ["MIII"] = "It has not written.",
  },
  tips = { "Four letters, such as IIII. Is anybody else there?" },
  because = "`{answer}`: alone, and not changed.",
}

picture(caches(after(1)))
predict {
  id = "second-read", title = "Another reader",
  [[Core 1 reads the same line.]],
  ask = "Which letters now?", kind = "text", answer = states(2),
  wrong = {
    ["EEII"] = "Nobody is alone any more.",
    ["ESII"] = "Core 0 has heard it. It is not alone.",
    ["IEII"] = "A read takes nothing away.",
  },
  tips = { "All caches hear the request on the bus." },
  because = "`{answer}`: both share.",
}

picture(caches(after(3)))
predict {
  id = "write", title = "A write",
  [[Core 2 has read, too: three share. Now core 0 writes.]],
  ask = "Which letters now?", kind = "text", answer = states(4),
  wrong = {
    ["MSSI"] = "Then two would read what is old.",
    ["MMMI"] = "Who changed it? Only one did.",
    ["SSSI"] = "Core 0 has changed its copy.",
  },
  tips = { "What must become of the other copies?" },
  because = "`{answer}`: a writer is alone. The other copies get an *invalidation*.",
}

picture(caches(after(4)))
predict {
  id = "write-back", title = "Read by another",
  [[Core 0 alone has the new value; memory does not. Core 1 reads.]],
  ask = "What happens?", kind = "choice",
  options = { "it gets the old value", "core 0 writes back, both share", "core 0 loses its copy" },
  answer = states(5) == "SSII" and "core 0 writes back, both share" or "core 0 loses its copy",
  wrong = {
    ["it gets the old value"] = "Then it would not be coherent.",
    ["core 0 loses its copy"] = "Why should it? Two may read.",
  },
  tips = { "Who hears the request on the bus?" },
  because = "The one with M answers, and memory gets the value, too.",
}

picture(caches(after(6)))
local six = model(caches(after(6)))
explain {
  title = "Six steps",
  [[
  Core 0 wrote back, and shared with core 1. At the end core 2 wrote: it is alone now.

  In all there were {invalidations} invalidations and {backs} write-back.
  ]],
  invalidations = six.invalidations, backs = six.write_backs,
}

picture(caches { ops = "r0 w0 w0", step = 1 })
local silent = model(caches { ops = "r0 w0 w0" })
local asked = model(caches { ops = "r0" })
predict {
  id = "silent", title = "What E is for",
  [[A fresh line. Core 0 reads it, then writes it twice. Nobody else wants it.]],
  ask = "How many messages do the two writes need?", unit = "messages", answer = silent.messages - asked.messages,
  wrong = {
    [2] = "It knows that it is alone. Whom should it tell?",
    [1] = "E becomes M without a word.",
  },
  tips = { "What does core 0 know about the others?" },
  because = "E means that nobody else has it, so it becomes M in silence.",
}

local TURNS = 12
local turns = {}
for i = 0, TURNS - 1 do turns[#turns + 1] = "w" .. i % 4 end
local ping = picture(caches { ops = table.concat(turns, " ") })
explain {
  title = "Ping-pong",
  [[
  {turns} writes, by four cores in turn: {invalidations} invalidations, {backs} write-backs. Every write takes the
  line away from the one before.

  That is what a counter costs that everybody adds to, if it lives in a cache of one core.
  ]],
  turns = TURNS, invalidations = ping.invalidations, backs = ping.write_backs,
}

-- 8. a GPU's caches --------------------------------------------------------------

local SMS = 80   -- of a V100
local readers = {}
for i = 0, SMS - 1 do readers[#readers + 1] = "r" .. i end
local all_read = table.concat(readers, " ")

local function of_all(protocol, ops)
  return model(caches { protocol = protocol, cores = SMS, ops = ops })
end

local heard = of_all("MESI", "r0")
hide()
predict {
  id = "heard", title = "Eighty caches",
  [[A V100 has {sms} SMs, each with a cache. Say they were on such a bus, where every cache hears every request.]],
  sms = SMS,
  ask = "How many caches have to hear a single read?", unit = "caches", answer = heard.heard,
  wrong = {
    [0] = "Somebody might have the line. Each has to look.",
    [SMS] = "Not the one that asks.",
  },
  tips = { "Who might have a copy?" },
  because = "All others. When each SM has read once, caches have heard {all} requests. A bus does not grow so far.",
  all = of_all("MESI", all_read).heard,
}

local before, after_write = of_all("GPU-VI", all_read), of_all("GPU-VI", all_read .. " w0")
local wrote = after_write.invalidations + after_write.answers
predict {
  id = "directory", title = "A book in place of a bus",
  [[
  A *directory* at the L2 knows who has a copy, and sends word only to those. *GPU-VI* keeps two letters, V and I. Each
  write goes through to the L2. All other copies become I, and each answers that it is done.

  {sms} SMs have a copy, and one of them writes.
  ]],
  sms = SMS,
  ask = "How many invalidations and answers?", unit = "messages",
  answer = wrote - before.invalidations - before.answers,
  wrong = {
    [after_write.invalidations] = "Each of them answers.",
    [2 * SMS] = "The writer itself gets none.",
    [SMS] = "Not to the writer, and each answers.",
  },
  tips = { "To whom is one sent? Who answers?" },
  because = "{others} and {others}. The write waits for the last answer.", others = after_write.invalidations,
}

picture(caches(after(5, "GPU-VI")))
predict {
  id = "not-brought", title = "Through, and not in",
  [[GPU-VI. Cores 0 and 1 have a copy, V. Core 2 has none, and writes: through to the L2, past its cache.]],
  ask = "Which letters have cores 0 to 3 now?", kind = "text", answer = states(6, "GPU-VI"),
  wrong = {
    ["IIVI"] = "A write does not bring the line in.",
    ["VVII"] = "Their copies are old now.",
    ["IIMI"] = "There is no M: the L2 has the value.",
  },
  tips = { "Whose copies are old? Does a write leave one?" },
  because = "`{answer}`. No copy is ever the only new one, so nobody has to write back.",
}

local mesi, vi = model(caches(after(6))), picture(caches(after(6, "GPU-VI")))
local book = model(caches(after(6, "directory")))
explain {
  title = "The same six steps",
  [[
  Messages of all kinds, for the same reads and writes:

  - MESI on a bus: {mesi}
  - MESI with a directory: {book}
  - GPU-VI: {vi}

  The bus pays for every ear. With {sms} SMs, each writing once while all read in between, GPU-VI sends {many}
  invalidations.
  ]],
  mesi = mesi.messages, book = book.messages, vi = vi.messages, sms = SMS, many = SMS * after_write.invalidations,
}

-- 9. copies with a date ----------------------------------------------------------

local strong = model(caches { protocol = "TC strong", lease = LEASE, ops = DATED })
picture(caches { protocol = "TC strong", lease = LEASE, ops = "r0@0 r1@4" })
predict {
  id = "strong", title = "Copies with a date",
  [[
  *Temporal coherence*: a copy is good for {lease} cycles, then it is I by itself. Core 0 read at 0, core 1 at {read}.
  Core 2 writes at {write}. *TC-strong*: a write is done when no old copy is left.
  ]],
  lease = LEASE, read = READ, write = WRITE,
  ask = "When is the write done?", unit = "cycles", answer = strong.last_done,
  wrong = {
    [WRITE] = "Others may still read the old value then.",
    [LEASE] = "Core 1 has a younger copy.",
    [WRITE + LEASE] = "A write needs no lease of its own.",
  },
  tips = { "Whose copy lives longest?" },
  because = "The copy of core 1 ends at {read} + {lease}. No message had to end it.",
}

local WANTED = 9
picture(caches { protocol = "TC strong", lease = LEASE, ops = DATED })
try {
  id = "lease", title = "Your turn: the lease",
  [[The write at {write} is done at {done}.]], write = WRITE, done = math.tointeger(strong.last_done),
  goal = "The longest lease with which it is done at {wanted}.", wanted = WANTED, params = { "lease" },
  solution = { lease = WANTED - READ }, read = READ,
  tips = { "The copy that was made at {read} decides." },
  reached = function(now)
    return now.last_done == WANTED, "done at " .. math.tointeger(now.last_done)
  end,
}

local weak_ops = ("%s r0@%d r1@%d"):format(DATED, AGAIN[1], AGAIN[2])
local function read_at(ops)
  return math.tointeger(model(caches { protocol = "TC weak", lease = LEASE, ops = ops }).last_value)
end
local first, second = read_at(("%s r0@%d"):format(DATED, AGAIN[1])), read_at(weak_ops)
local function pair(a, b) return a .. " and " .. b end

picture(caches { protocol = "TC weak", lease = LEASE, ops = DATED })
predict {
  id = "weak", title = "TC-weak",
  [[
  *TC-weak*: the write is done at once, at {write}. Old copies live on. Core 0 has one until {c0}, core 1 until {c1}.
  Core 0 reads at {again0}, core 1 at {again1}. The value was {old}, and is {new} now.
  ]],
  write = WRITE, c0 = LEASE, c1 = READ + LEASE, again0 = AGAIN[1], again1 = AGAIN[2], old = 0, new = VALUE,
  ask = "What do they get?", kind = "choice", sure = true,
  options = { pair(VALUE, VALUE), pair(VALUE, 0), pair(0, VALUE), pair(0, 0) }, answer = pair(first, second),
  wrong = {
    [pair(VALUE, VALUE)] = "Core 1 has a copy that is good until {c1}.",
    [pair(0, 0)] = "The copy of core 0 is over. It asks again.",
    [pair(0, VALUE)] = "Whose copy is the older one?",
  },
  tips = { "Look at the date of each copy." },
  because = "Core 1 gets the old value after core 0 had the new one, and both are right. That is what weak means.",
}

picture(caches { protocol = "TC weak", lease = LEASE, ops = weak_ops })
local fence = model(caches { protocol = "TC weak", lease = LEASE, ops = ("%s f2@%d"):format(DATED, FENCE) })
predict {
  id = "fence", title = "What a fence buys",
  [[Core 2 wrote at {write}. At {at} it comes to a fence. Behind it, its write must be seen by all.]], write = WRITE,
  at = FENCE,
  ask = "For how many cycles does the fence wait?", unit = "cycles", answer = fence.last_done - FENCE,
  wrong = {
    [0] = "Core 1 still has an old copy.",
    [fence.last_done] = "It is done then. When did it begin?",
    [LEASE - FENCE] = "The copy of core 1 lives longer.",
  },
  tips = { "Until when does the last old copy live?" },
  because = "Until {done}. Writes are quick, and who needs order pays for it, with a fence.",
  done = fence.last_done // 1,
}

hide()
explain {
  title = "And the GPU at hand?",
  [[
  These are designs from papers; what the lecture's slides on them drew is lost. NVIDIA's L1 caches are simpler:
  nobody tells them of a write. They begin a kernel empty.

  Within a kernel, what others write is read by `volatile`, by atomics, or behind a fence: as the letter was.
  ]],
}

-- 10. to keep --------------------------------------------------------------------

rubric {
  id = "thousand", title = "Three ways",
  ask = "A thousand blocks must know what the others found. Name three ways, and what each costs.",
  model = [[End the kernel and launch another one in the same stream: order for free, but registers are lost. A barrier
of the grid: all blocks must fit at once. An atomic in global memory: it queues, and the order stays open. A fence and a
flag: only for blocks that are running. Plain stores alone are a race.]],
  points = { "a second kernel", "the stream keeps the order", "a barrier of the grid", "all blocks must fit",
    "atomics queue",
             "plain stores race" },
}

check { draw = 5 }

recite {
  title = "From memory", ask = "Who may see what was written, and when? One line each.",
  [[
  - A launch waits for nobody, a blocking copy does.
  - A stream keeps order; events order streams.
  - Blocks: a new kernel, the grid's barrier, fence and flag.
  - A call that copies cannot know what is needed next.
  - Caches agree by messages or by dates.
  - A fence buys order.
  ]],
}

finish {
  title = "The end of the course",
  [[
  You began with one thread and its warp. You end with many GPUs, and one question is the same for all: who may see
  what I wrote, and when?

  Now open a kernel of your own: `lanescope explore yours.cu`.
  ]],
}
