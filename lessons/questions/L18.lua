-- Questions drawn for L18, Beyond one kernel.

local function flow(params)
  return model { "dataflow", params = params }
end

local function caches(protocol, ops, params)
  params = params or {}
  params.protocol, params.ops = protocol, ops
  return model { "coherence", params = params }
end

-- ---- copies of calls -----------------------------------------------------------------------------------------------

local function copies_made(d)
  local n = d.integer(2, 8)
  local chain = flow { matrices = n }
  return {
    [[
    A library's call copies both matrices in, multiplies, and copies the product out. A chain of {n} matrices takes
    {calls}.
    ]],
    n = n, calls = counted(n - 1, "call"),
    ask = "How many copies are made?", answer = chain.copies, unit = "copies",
    wrong = d.except(chain.copies, {
      [chain.least] = "So many are needed. The calls do not know that.",
      [2 * (n - 1)] = "And each product comes out.", [3 * n] = "There is one call less than there are matrices.",
    }),
    tips = { "What does each call copy?" }, because = "3 for each of {calls}.",
  }
end

local function copies_needed(d)
  local n = d.integer(3, 8)
  local chain = flow { matrices = n }
  return {
    [[A chain of {n} matrices is multiplied on a GPU. What is there stays there, and the host wants the result only.]],
    n = n,
    ask = "How many copies does that take at least?", answer = chain.least, unit = "copies",
    wrong = d.except(chain.least, { [chain.copies] = "That is with a call that copies in and out.",
                                    [n] = "And the result?" }),
    tips = { "What must come in, what must go out?" }, because = "{n} in, one out.",
  }
end

local function copies_wasted(d)
  local n = d.integer(3, 8)
  local chain = flow { matrices = n }
  return {
    [[A chain of {n} matrices, by calls that copy in and out.]], n = n,
    ask = "How many of the copies carry what was just there?", answer = chain.wasted, unit = "copies",
    wrong = d.except(chain.wasted, {
      [chain.copies] = "Those are all copies.", [chain.wasted // 2] = "Each of these products goes out, and comes in.",
    }),
    tips = { "Which products does the host never look at?" }, because = "{made} are made, {least} needed.",
    made = chain.copies, least = chain.least,
  }
end

-- ---- pipelines -----------------------------------------------------------------------------------------------------

local function stages(d)
  local list, count, on_gpu = { "C" }, d.integer(2, 5), 0
  for i = 2, count + 1 do
    list[i] = (i == 2 or d.chance(0.6)) and "G" or "C"
    on_gpu = on_gpu + (list[i] == "G" and 1 or 0)
  end
  list[#list + 1] = "C"
  return table.concat(list, " "), on_gpu
end

local function by_pipes(d)
  local nodes, on_gpu = stages(d)
  local piped = flow { flow = "pipeline", nodes = nodes }
  return {
    [[Stages of a pipeline, on the CPU (C) or the GPU (G): {nodes}. Pipes lie in the memory of the host.]],
    nodes = nodes,
    ask = "How often does a picture cross the link?", answer = piped.copies, unit = "times",
    wrong = d.except(piped.copies, {
      [on_gpu] = "In, and out again.", [piped.least] = "That is with somebody who knows the whole graph.",
    }),
    tips = { "What does each stage on the GPU cost?" }, because = "In and out for each of {on_gpu}.", on_gpu = on_gpu,
  }
end

local function by_graph(d)
  local nodes, on_gpu = stages(d)
  local known = flow { flow = "pipeline", nodes = nodes, runtime = "dataflow" }
  return {
    [[
    Stages on the CPU (C) or the GPU (G): {nodes}. The runtime knows the graph, and leaves on the GPU what is needed
    there.
    ]],
    nodes = nodes,
    ask = "How often does a picture cross the link?", answer = known.copies, unit = "times",
    wrong = d.except(known.copies, { [2 * on_gpu] = "Between two stages of the GPU it stays there.",
                                     [on_gpu] = "Count borders." }),
    tips = { "How many borders are there between C and G?" }, because = "One for each border.",
  }
end

local function placements(d)
  local gpus, calls = d.integer(2, 6), d.integer(2, 5)
  if gpus == calls then calls = calls + 1 end
  return {
    [[{gpus} GPUs, and {calls} calls that each name one.]], gpus = gpus, calls = calls,
    ask = "In how many ways can the calls be placed?", answer = math.tointeger(gpus ^ calls), unit = "ways",
    wrong = d.except(math.tointeger(gpus ^ calls), {
      [gpus * calls] = "Each choice goes with each choice of the next call.",
      [math.tointeger(calls ^ gpus)] = "A call chooses a GPU, not a GPU a call.", [gpus + calls] = "They multiply.",
    }),
    tips = { "How many choices has the first, and the second for each of these?" },
    because = "{gpus}, {calls} times multiplied.",
  }
end

-- ---- who waits -----------------------------------------------------------------------------------------------------

local function earliest(d)
  local kernel, copy, host = d.integer(2, 9), d.integer(1, 9), d.integer(0, 25)
  local from = math.max(kernel + copy, host)
  return {
    [[
    At 0 the host launches a kernel of {kernel} ms, and behind it an asynchronous copy of {copy} ms. Then it works for
    {host} ms, and then it waits for the stream.
    ]],
    kernel = kernel, copy = copy, host = host,
    ask = "When may it read, at the earliest?", answer = from, unit = "milliseconds",
    wrong = d.except(from, { [kernel + copy + host] = "It works while the GPU does.",
      [kernel] = "The copy comes behind it.",
                             [copy] = "The copy waits for the kernel.", [host] = "The stream is not done yet." }),
    tips = { "When is the stream done? When is the host?" }, because = "The later one of {kernel} + {copy} and {host}.",
  }
end

local LOOKS = {
  { "right", "`cudaMemcpy` brings the result" }, { "async", "`cudaMemcpyAsync` brings the result" },
  { "waited", "`cudaMemcpyAsync` brings the result, and the host waits for its stream" },
  { "elsewhere", "`cudaMemcpyAsync` in another stream, and the host waits for that one" },
  { "ordered", "an event orders another stream behind the kernel; the copy goes there, and the host waits for it" },
  { "managed", "the memory is managed, so there is no copy" },
  { "waits", "the memory is managed, and the host waits for the device" },
}

local function may_look(d)
  local look = d.pick(LOOKS)
  local early = #measure({ kernel = "copy_back", form = look[1] }).between > 0
  return {
    [[A kernel runs in a stream, then {how}. Then the host reads.]], how = look[2],
    kind = "choice", ask = "Is that in order?", options = { "in order", "too early" },
    answer = early and "too early" or "in order",
    tips = { "Find what has waited for the kernel." },
    because = early and "Nothing has waited for the kernel and for what brings its result."
      or "The look is behind the copy, and that behind the kernel.",
  }
end

-- Three engines, one piece at a time on each; a piece goes through them in turn.
local function pipeline(pieces, times)
  local free, done = { 0, 0, 0 }, 0
  for _ = 1, pieces do
    local at = 0
    for engine = 1, 3 do
      at = math.max(at, free[engine]) + times[engine]
      free[engine] = at
    end
    done = at
  end
  return done
end

local function over_streams(d)
  local pieces, times = d.integer(2, 6), { d.integer(1, 4), d.integer(1, 6), d.integer(1, 4) }
  local sum, many = times[1] + times[2] + times[3], d.chance(0.7)
  local all = many and pipeline(pieces, times) or pieces * sum
  return {
    [[
    {pieces} pieces, each {a} ms in, {b} ms of kernel that fills the GPU, {c} ms out, {how}. There is an engine for each
    direction.
    ]],
    pieces = pieces, a = times[1], b = times[2], c = times[3],
    how = many and "each in a stream of its own" or "all in one stream",
    class = many and "streams" or "stream",
    ask = "How long does it all take?", answer = all, unit = "milliseconds",
    wrong = d.except(all, {
      [many and pieces * sum or pipeline(pieces, times)] = many and "While one is worked on, the next comes in."
        or "In one stream nothing goes on beside anything else.",
      [sum] = "That is one piece.", [pieces * math.max(times[1], times[2],
        times[3])] = "And what comes before, and behind?",
    }),
    tips = { many and "What takes longest? The others hide behind it, but for once." or "Add." },
    because = many and "The longest {pieces} times, the others once." or "{pieces} x ({a} + {b} + {c}).",
  }
end

-- ---- from block to block -------------------------------------------------------------------------------------------

local function too_early(d)
  local blocks, threads = 2 * d.integer(1, 5), d.pick { 32, 64, 128 }
  local out = measure({ kernel = "grid_reverse", form = "block", params = { blocks = blocks,
    threads = threads } }):output "out"
  local wrong = 0
  for i = 0, #out - 1 do
    if out[i] ~= #out - 1 - i then wrong = wrong + 1 end
  end
  return {
    [[
    {blocks} blocks of {threads} threads run one after the other. Each thread leaves its number, waits for its block,
    and takes what its opposite in the grid left.
    ]],
    blocks = blocks, threads = threads,
    ask = "How many results are wrong?", answer = wrong, unit = "results",
    wrong = d.except(wrong, { [0] = "`__syncthreads()` waits for one block.",
      [blocks * threads] = "Later blocks find what was left.",
                              [threads] = "That is one block." }),
    tips = { "Which blocks come before their opposite?" }, because = "Those of the first half of the blocks.",
  }
end

local WAYS = {
  { "adds to one word from all blocks, in any order", "an atomic" },
  { "lets block 1 see the words that block 0 wrote before its flag", "a fence" },
  { "makes all blocks of one launch meet", "a barrier of the grid" },
  { "lets the threads of one block meet", "__syncthreads()" },
  { "puts two stores of a thread in order, and waits for nobody", "a fence" },
  { "is refused if not all blocks fit at once", "a barrier of the grid" },
}

local function which_way(d)
  local way = d.pick(WAYS)
  return {
    [[Threads want to agree.]], kind = "choice", ask = "What {does}?", does = way[1],
    options = { "an atomic", "a fence", "a barrier of the grid", "__syncthreads()" }, answer = way[2],
    wrong = d.except(way[2], { ["__syncthreads()"] = "That is for one block, and it waits.",
                               ["a fence"] = "A fence is order, not waiting." }),
    tips = { "For whom is it: a word, a thread, a block, the grid?" }, because = "That is {way}.", way = way[2],
  }
end

local function told(d)
  local form = d.pick { "right", "nofence" }
  local words = d.integer(2, 999)
  local run = measure { kernel = "letter", form = form, params = { words = words } }
  return {
    [[Block 0 writes {words}, {fence} sets a flag. Block 1 waits for the flag, and reads {got}.]],
    words = words, got = run:output("got")[0], fence = form == "right" and "comes to a fence, and" or "and at once",
    kind = "choice", class = form, ask = "What do the checks say?", options = { "nothing", "a race" },
    answer = #run.faults == 0 and "nothing" or "a race",
    tips = { "Must the words be seen before the flag?" },
    because = form == "right" and "Who sees the flag sees the words." or "It was right this time. Nothing promises it.",
  }
end

-- ---- MESI ----------------------------------------------------------------------------------------------------------

local function steps(d, count)
  local list, words = {}, {}
  for i = 1, count do
    local kind, core = i == 1 and "r" or d.pick { "r", "r", "w" }, d.integer(0, 3)
    list[i] = kind .. core
    words[i] = (kind == "r" and "%d reads" or "%d writes"):format(core)
  end
  return table.concat(list, " "), table.concat(words, ", ")
end

local function letters(protocol)
  return function(d)
    local ops, words = steps(d, d.integer(2, 4))
    local c = caches(protocol, ops)
    local other = caches(protocol, (ops:gsub("w", "r"))).states
    return {
      [[{protocol}, four caches, one line that nobody has. Core {words}.]], protocol = protocol, words = words,
      ask = "Which letters have cores 0 to 3?", kind = "text", answer = c.states,
      wrong = other ~= c.states and { [other] = "That is without the writes." } or nil,
      tips = { protocol == "MESI" and "Who reads alone has E. Who writes is alone, with M."
        or "A write makes the other copies I, and brings nothing in." },
      because = "`{answer}`, with {count} sent.", count = counted(c.invalidations, "invalidation"),
    }
  end
end

local function invalidated(d)
  local readers = d.integer(2, 4)
  local list = {}
  for i = 0, readers - 1 do list[#list + 1] = "r" .. i end
  local writer = d.integer(0, 3)
  local ops = table.concat(list, " ")
  local sent = caches("MESI", ops .. " w" .. writer).invalidations
  return {
    [[MESI, four cores. Cores 0 to {last} have read a line. Then core {writer} writes it.]], last = readers - 1,
    writer = writer,
    ask = "How many copies are invalidated?", answer = sent, unit = "copies",
    wrong = d.except(sent, { [readers] = "Does the writer have one of them?", [3] = "Only copies are invalidated.",
                             [readers - 1] = "The writer had none." }),
    tips = { "Who has a copy, besides the writer?" }, because = "All copies but the writer's own.",
  }
end

local function backs(d)
  local count, cores = d.integer(3, 9), d.pick { 1, 2, 4 }
  local list = {}
  for i = 0, count - 1 do list[#list + 1] = "w" .. i % cores end
  local sent = caches("MESI", table.concat(list, " ")).write_backs
  return {
    [[MESI. {count} writes to one line, by {who}.]], count = count,
    who = cores == 1 and "core 0 alone" or ("%d cores in turn"):format(cores),
    ask = "How often is the line written back for another core?", answer = sent, unit = "times",
    wrong = d.except(sent, { [count] = "The first one takes it from nobody.", [count - 1] = "Nobody else wants it." }),
    tips = { "When does the line go from one core to another?" },
    because = cores == 1 and "It stays with its core, M." or "Each write but the first takes it from the one before.",
  }
end

-- ---- GPU-VI, and dates ---------------------------------------------------------------------------------------------

local function answers(d)
  local sms, readers, own = d.pick { 36, 80, 108, 132 }, d.integer(3, 35), d.chance(0.5)
  local list = {}
  for i = 0, readers - 1 do list[#list + 1] = "r" .. i end
  local c = caches("GPU-VI", table.concat(list, " ") .. " w" .. (own and 0 or readers), { cores = sms })
  local sent = c.invalidations + c.answers
  return {
    [[GPU-VI on {sms} SMs. {readers} of them have a copy. {who} writes.]], sms = sms, readers = readers,
    who = own and "One of these" or "Another one",
    ask = "How many invalidations and answers are sent?", answer = sent, unit = "messages",
    wrong = d.except(sent, {
      [c.invalidations] = "Each of them answers.", [2 * sms] = "Only who has a copy gets one.",
      [2 * readers] = "The writer sends none to itself.", [2 * (readers - 1)] = "All of these are others.",
    }),
    tips = { "Who has a copy, besides the writer? Who answers?" }, because = "{others} and {others}.",
    others = c.invalidations,
  }
end

local function heard(d)
  local sms, reads = d.pick { 8, 16, 36, 80, 108, 132 }, d.integer(1, 3)
  local list = {}
  for i = 0, reads - 1 do list[#list + 1] = "r" .. i end
  local ears = caches("MESI", table.concat(list, " "), { cores = sms }).heard
  return {
    [[{sms} caches on one bus. {reads} read a line that nobody has.]], sms = sms, reads = counted(reads, "core"),
    ask = "How often does a cache hear a request of another?", answer = ears, unit = "times",
    wrong = d.except(ears, { [reads] = "Those are the requests. Who hears each?",
      [reads * sms] = "Not the one that asks.",
                             [0] = "Each must look whether it has the line." }),
    tips = { "How many others are there?" }, because = "{others} others, for each request.", others = sms - 1,
  }
end

-- Two reads and a write later, under leases.
local function dated(d)
  local lease = d.integer(6, 20)
  local second = d.integer(1, 5)
  local at = second + d.integer(1, lease - 1)
  return lease, second, at, ("r0@0 r1@%d w2=7@%d"):format(second, at)
end

local function strong(d)
  local lease, second, at, ops = dated(d)
  local done = math.tointeger(caches("TC strong", ops, { lease = lease }).last_done)
  return {
    [[TC-strong, a lease of {lease} cycles. Core 0 reads at 0, core 1 at {second}. Core 2 writes at {at}.]],
    lease = lease, second = second, at = at,
    ask = "When is the write done?", answer = done, unit = "cycles",
    wrong = d.except(done, { [at] = "Old copies live on.", [at + lease] = "The write needs no lease.",
                             [lease] = "Core 1 has a younger copy." }),
    tips = { "Whose copy lives longest?" }, because = "At {second} + {lease}.",
  }
end

local function weak(d)
  local lease, second, at, ops = dated(d)
  local core = d.integer(0, 1)
  local from = math.max(at + 1, lease - 2)
  local when = d.integer(from, from + 4)
  local value = math.tointeger(caches("TC weak", ("%s r%d@%d"):format(ops, core, when), { lease = lease }).last_value)
  return {
    [[
    TC-weak, a lease of {lease}. Core 0 reads at 0, core 1 at {second}: they get 0. Core 2 writes 7 at {at}. Core
    {core} reads at {time}.
    ]],
    lease = lease, second = second, at = at, core = core, time = when,
    ask = "What does it get?", kind = "choice", options = { "0", "7" }, answer = tostring(value),
    tips = { "Until when is its copy good?" }, because = "Its copy was good until {until_then}.",
    until_then = (core == 0 and 0 or second) + lease,
  }
end

local function fence(d)
  local lease, second, at, ops = dated(d)
  local from = at + d.integer(1, 3)
  local waits = math.tointeger(caches("TC weak", ("%s f2@%d"):format(ops, from), { lease = lease }).last_done) - from
  return {
    [[
    TC-weak, a lease of {lease}. Core 0 reads at 0, core 1 at {second}. Core 2 writes at {at}, and comes to a fence at
    {from}.
    ]],
    lease = lease, second = second, at = at, from = from,
    ask = "For how long does the fence wait?", answer = waits, unit = "cycles",
    wrong = d.except(waits, { [waits + from] = "Then it is done. When did it begin?",
      [lease] = "Not for a whole lease.",
                              [0] = "Old copies live on." }),
    tips = { "Until when does the last old copy live?" }, because = "Until {second} + {lease}, or not at all if"
      .. " that is over.",
  }
end

-- Some that are true and some that are not, out of two lists, for a question in which all true ones are wanted.
local function some_of(d, right, wrong, count)
  local yes, no = d.shuffle(right), d.shuffle(wrong)
  local options, answer, says = {}, {}, {}
  for i = 1, 4 do
    local one = i <= count and yes[i] or no[i]
    options[i], says[one[1]] = one[1], one[2]
    answer[i] = i <= count and one[1] or nil
  end
  return d.shuffle(options), answer, says
end

-- ---- what the host does, in order ----------------------------------------------------------------------------------

local function host_steps(d)
  local all = { "memory on the device", "copy the input there", "launch the kernel", "copy the result back",
                "read the result", "free the memory" }
  local left, lines = d.pick { 1, 2, 6, 5 }, {}
  for i, line in ipairs(all) do
    if i ~= left then lines[#lines + 1] = line end
  end
  local spare = d.pick { "launch it once more", "copy the result there", "free the result, then read it" }
  return {
    [[A sum of {n} numbers, on the device.]], n = 1024 * d.integer(2, 90), kind = "order",
    ask = "What does the host do, in order? One line is too many.", lines = lines, spare = { spare },
    wrong = { [spare] = "Nobody needs that." }, tips = { "In, work, out, look." },
    because = "In, work, out; and the last copy waits for the kernel.",
  }
end

local function safe_read(d)
  local case = d.pick {
    { "`cudaMemcpy` back, then the read", "yes" }, { "`cudaMemcpyAsync` back, then the read", "no" },
    { "`cudaMemcpyAsync` back, a wait for its stream, then the read", "yes" },
    { "the launch, then the read of managed memory", "no" },
    { "the launch, `cudaDeviceSynchronize`, then the read of managed memory", "yes" },
    { "`cudaMemcpyAsync` back, a wait for another stream, then the read", "no" },
    { "`cudaMemcpyAsync` back in stream 1 without an event, the kernel in stream 2, a wait for both", "no" },
  }
  return {
    [[{threads} threads make the result. Behind the launch: {case}.]], case = case[1], threads = 32 * d.integer(2,
    60), kind = "choice",
    ask = "Is the value sure to be right?", options = { "yes", "no" }, answer = case[2],
    wrong = { yes = "What makes the host, or the copy, wait for the kernel?",
              no = "Look again at what waits for the kernel and the copy." },
    tips = { "What does each call wait for?" },
    because = "A blocking copy waits; an asynchronous one does not, and streams do not wait for each other.",
  }
end

local function how_long_blocked(d)
  local launch, kernel, copy = d.integer(2, 9), d.integer(20, 400), d.integer(10, 90)
  local blocking = d.chance(0.5)
  local answer = blocking and launch + kernel + copy or launch + launch
  return {
    [[A call that does not wait takes the host {launch} us, a kernel {kernel} us, a copy {copy} us. The host launches the
    kernel, then calls {call}.]],
    launch = launch, kernel = kernel, copy = copy,
    call = blocking and "`cudaMemcpy`" or "`cudaMemcpyAsync` of pinned memory",
    class = blocking and "blocks" or "goes_on",
    ask = "After how many us does the host go on?", answer = answer, unit = "us",
    wrong = d.except(answer, { [launch + launch] = "A blocking copy returns when it is over.",
                               [kernel + copy] = "Who waits for whom?",
                               [launch + kernel + copy] = "Neither of the two calls waits." }),
    tips = { "Which of the calls waits, and for what?" },
    because = blocking and "The copy waits for the kernel, and the host for the copy." or "Neither of them waits.",
  }
end

-- ---- hosts with many cores -----------------------------------------------------------------------------------------

local function whose_is_it(d)
  local case = d.pick {
    { "Any thread may run on any of its cores.", "a CPU" }, { "A thread that waits is put aside by the system.",
    "a CPU" },
    { "Its caches agree by themselves.", "a CPU" }, { "What it works on has to be brought there.", "a GPU" },
    { "Work is handed to it by calls of a driver.", "a GPU" }, { "The program says where a piece of work runs.",
    "a GPU" },
    { "It has a memory of its own.", "a GPU" }, { "All of its cores see the memory of the host.", "a CPU" },
  }
  return {
    [[{case}]], case = case[1], kind = "choice", ask = "Of which is that true?", options = { "a CPU", "a GPU", "both" },
    answer = case[2], wrong = { both = "Who decides where something runs, and where its data lie?" },
    tips = { "Who decides where something runs?" },
    because = "The system schedules cores that share one memory. A GPU is a device behind a driver.",
  }
end

local function cpu_facts(d)
  local options, answer, says = some_of(d, {
    { "The system moves threads from core to core.", "It does, and nobody notices." },
    { "All cores see one memory.", "That is why no copies are written." },
    { "The caches of the cores agree.", "The hardware sees to that." },
  }, {
    { "Each core has a memory of its own.", "Caches, yes. The memory is one." },
    { "The program copies data to each core.", "It does so for devices." },
    { "A thread stays on the core where it began.", "The system moves it." },
    { "The compiler chooses the core.", "The system does, while it runs." },
  }, d.pick { 1, 2 })
  return {
    [[Of a CPU with {cores} cores.]], cores = d.integer(2, 64), kind = "several", ask = "Which are true?",
    options = options, answer = answer,
    wrong = says, tips = { "Why does nobody say where a thread runs?" },
    because = "One memory, caches that agree, and a system that schedules.",
  }
end

local function who_decides(d)
  local case = d.pick {
    { "on which core a thread of the host runs", "the system" }, { "on which GPU a kernel runs", "the program" },
    { "on which SM a block runs", "the device" }, { "when a copy to a GPU begins", "the program" },
    { "which thread of the host goes on next", "the system" }, { "which warp is issued next", "the device" },
  }
  return {
    [[A machine with {cores} cores and {gpus} GPUs.]], cores = d.integer(8, 64), gpus = d.integer(2, 8),
    kind = "choice",
    what = case[1], ask = "Who decides {what}?", options = { "the program", "the system", "the device" },
    answer = case[2],
    wrong = { ["the program"] = "Nobody writes that down.",
    ["the system"] = "The system knows little of what goes on in a GPU.",
              ["the device"] = "It does not know of it before somebody hands it work." },
    tips = { "Would a line of the program say it?" },
    because = "Cores are scheduled by the system, GPUs are chosen by the program, SMs and warps by the device.",
  }
end

return {
  skill { id = "calls", family = "EQ23", looks = { copies_made, copies_needed, copies_wasted } },
  skill { id = "places", family = "EQ24", looks = { by_pipes, by_graph, placements } },
  skill { id = "host", family = "FQ11", looks = { earliest, may_look, over_streams } },
  skill { id = "blocks", family = "EQ11", looks = { too_early, which_way, told } },
  skill { id = "mesi", looks = { letters "MESI", invalidated, backs } },
  skill { id = "sharers", looks = { letters "GPU-VI", answers, heard } },
  skill { id = "dates", looks = { strong, weak, fence } },
  skill { id = "waiting", family = "FQ11", looks = { host_steps, safe_read, how_long_blocked } },
  skill { id = "cpu", family = "EQ25", looks = { whose_is_it, cpu_facts, who_decides } },
}
