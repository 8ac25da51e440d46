-- Questions drawn for L09, Memory spaces.

local FROM_CONSTANT = { line = "float value = c_table[k]", kind = "load", space = "const" }

local function look(where, m)
  return measure { kernel = "lookup_table", params = { where = where, m = m } }
end

local function passes(m)
  local event, seen, count = look("constant", m):event(FROM_CONSTANT), {}, 0
  for lane = 0, 31 do
    if not seen[event.addresses[lane]] then
      seen[event.addresses[lane]], count = true, count + 1
    end
  end
  return count
end

-- ---- copies of a variable ------------------------------------------------------------------------------------------

local declared = {
  ["int x;"] = function(_, threads, blocks) return blocks * threads end,
  ["__shared__ int x;"] = function(_, _, blocks) return blocks end,
  ["__shared__ int *x;"] = function(_, _, blocks) return blocks end,
  ["__device__ int x;"] = function() return 1 end,
}

local function copies(d)
  local text = d.pick { "int x;", "__shared__ int x;", "__shared__ int *x;", "__device__ int x;" }
  local blocks, threads = d.integer(2, 40), 32 * d.integer(1, 16)
  local answer = declared[text](nil, threads, blocks)
  return {
    [[A kernel with {blocks} blocks of {threads} threads, and the declaration `{text}`.]],
    blocks = blocks, threads = threads, text = text,
    ask = "How many x are there?", answer = answer, unit = "",
    wrong = d.except(answer, {
      [1] = "One for all would be `__device__`.", [blocks] = "One for each block would be `__shared__`.",
      [blocks * threads] = "One for each thread would have no qualifier.", [threads] = "And the other blocks?",
    }),
    tips = { "Who has one of its own: the grid, a block, a thread?" },
    because = "No qualifier: each thread. `__shared__`: each block. `__device__`: all together.",
  }
end

local function own_bytes(d)
  local blocks, threads, words = d.integer(2, 20), 32 * d.integer(1, 8), d.integer(4, 20)
  local shared = d.chance(0.5)
  return {
    [[{blocks} blocks of {threads} threads; in the kernel stands `{word}float a[{words}];`.]],
    blocks = blocks, threads = threads, words = words, word = shared and "__shared__ " or "",
    class = shared and "blocks" or "threads",
    ask = "How many floats are that in all?", answer = words * blocks * (shared and 1 or threads), unit = "floats",
    wrong = d.except(words * blocks * (shared and 1 or threads), {
      [words] = "So many has one of them.", [words * blocks] = "Each thread has an array of its own.",
      [words * blocks * threads] = "A block has one, for all its threads.",
    }),
    tips = { "How many arrays are there?" }, because = "{words} for each {who}.", who = shared and "block" or "thread",
  }
end

local places = {
  { "a few coefficients that all lanes read in the same order, and nobody changes", "constant memory",
    "One word for all lanes at once: one pass." },
  { "some counters that the threads of a block add to together", "shared memory", "One set for each block, near its "
    .. "threads." },
  { "a running sum that one thread adds to in a loop", "a register", "No index, one thread: a plain variable." },
  { "the result that the host reads after the kernel", "global memory", "Only that outlives the kernel and is "
    .. "written by it." },
  { "an array of one thread, with an index read from memory", "local memory", "Registers have no index." },
}
local names = { "a register", "local memory", "shared memory", "constant memory", "global memory" }

local not_there = {
  ["a register"] = "One thread has it, and it has no index.",
  ["local memory"] = "It is one thread's own, for what needs an index.",
  ["shared memory"] = "It is a whole block's, and gone with it.",
  ["constant memory"] = "No kernel may write there, and each different word takes a pass.",
  ["global memory"] = "It is for all, and far away.",
}

local function best_place(d)
  local place = d.pick(places)
  return {
    [[To be kept: {what}.]], what = place[1],
    ask = "Where does it live best, or must it live?", options = names, answer = place[2],
    wrong = d.except(place[2], not_there),
    tips = { "Who uses it? Who writes it? How long is it needed?" }, because = place[3],
  }
end

-- ---- passes of constant memory -------------------------------------------------------------------------------------

local function passes_of_keys(d)
  local m = d.integer(2, 31)
  return {
    [[A table in constant memory. Lane i reads entry `i % {m}`.]], m = m,
    ask = "How many passes does the load take?", answer = passes(m), unit = "passes",
    wrong = d.except(passes(m), { [1] = "One pass is one word.", [32] = "Lanes with the same entry share a pass." }),
    tips = { "How many different entries are wanted?" }, because = "{answer} different entries, one after the other.",
  }
end

local function passes_of_groups(d)
  local size = d.pick { 2, 4, 8, 16, 32 }
  local warps = d.integer(2, 8)
  return {
    [[Table in constant memory. {size} neighboring lanes read the same entry, the next {size} another one,
    and so on.]],
    size = size, warps = warps,
    ask = "How many passes do the loads of {warps} warps take?", answer = warps * (32 // size), unit = "passes",
    wrong = d.except(warps * (32 // size), {
      [32 // size] = "That is one warp.", [size * warps] = "A group shares a pass.", [size] = "That is the size of "
        .. "a group.",
    }),
    tips = { "How many groups has a warp?" }, because = "{groups} groups in each of {warps} warps.",
    groups = 32 // size,
  }
end

local function table_in_shared(d)
  local m = d.pick { 2, 4, 8, 16, 32, d.integer(3, 31) }
  local waves = look("shared", m):event({ line = "float value = s_table[k]", kind = "load" }).wavefronts
  local saved = passes(m) - waves
  return {
    [[Lane i reads entry `i % {m}` of a table of 32 words. It moves from constant memory to shared memory.]], m = m,
    ask = "How many turns does each load save?", answer = saved, unit = "",
    wrong = d.except(saved, { [0] = "Constant memory gives one word at a time.", [m] = "One turn is still needed." }),
    tips = { "Turns in constant memory? In shared memory, with 32 banks?" }, because = "{before} passes before, "
      .. "{waves} now.",
    before = passes(m), waves = waves,
  }
end

-- ---- local memory --------------------------------------------------------------------------------------------------

local function own(m)
  return measure { kernel = "local_array", params = { m = m } }
end

local function local_sectors(d)
  local m = d.integer(1, 8)
  local sectors = own(m).counters.local_load_sectors
  return {
    [[Each thread has `float v[8]` in local memory. Lane t reads `v[t % {m}]` of its own.]], m = m,
    ask = "How many sectors does the load take?", answer = sectors, unit = "sectors",
    wrong = d.except(sectors, {
      [4] = "So many are one row, the same index for all.", [32] = "Lanes side by side with one index share a sector.",
      [m] = "So many rows are touched.", [1] = "32 lanes have 32 words.",
    }),
    tips = { "Word j of all lanes is one row of 4 sectors, 8 lanes each." },
    because = "{m} rows; in each, count the sectors that some lane wants.",
  }
end

local function local_bytes(d)
  local words, threads = d.integer(5, 32), 32 * d.integer(2, 16)
  return {
    [[Each of {threads} threads has an array of {words} floats in local memory.]], words = words, threads = threads,
    ask = "How many KB is that?", answer = threads * words * 4 / 1024, unit = "KB", tolerance = 0.01,
    wrong = d.except(threads * words * 4 / 1024, {
      [threads * words / 1024] = "A float has 4 bytes.", [words * 4 / 1024] = "That is one thread.",
      [threads * words * 4] = "Those are bytes.",
    }),
    tips = { "{words} floats, 4 bytes each, {threads} times." }, because = "{threads} x {words} x 4 / 1024.",
  }
end

local arrays = {
  { "`v[k]`, k read from memory", true }, { "`v[i]` in a loop that is not unrolled", true },
  { "`v[threadIdx.x % 4]`", true },
  { "`v[3]` and `v[5]` only", false }, { "`v[i]` in loops that are unrolled", false },
}

local function local_or_not(d)
  local array = d.pick(arrays)
  local seen = own(8).counters.local_load_requests > 0
  local never = measure({ kernel = "local_array", form = "fixed" }).counters.local_load_requests > 0
  local yes = array[2] and seen or not array[2] and never
  return {
    [[A thread has an array `float v[8]` and uses it as {how}.]], how = array[1],
    ask = "Where does the compiler put it?", options = { "in registers", "in local memory", "in shared memory" },
    answer = yes and "in local memory" or "in registers",
    wrong = { ["in shared memory"] = "Only what is declared so.",
              ["in local memory"] = "Each index is a number: each element is a register.",
              ["in registers"] = "Registers have no index." },
    tips = { "Is each index a number when the compiler is done?" },
    because = "Fixed numbers: registers. Else: local memory.",
  }
end

-- ---- where a pointer points ----------------------------------------------------------------------------------------

-- Lanes of a model are text such as 0x55555555.
local function lanes(text)
  return tonumber(text)
end

local function pointed(input)
  return model { "spaces", params = { pointers = "odd even", input = input } }
end

local function shared_lanes(d)
  local first = d.integer(-9, 9)
  local windows = pointed(first)
  return {
    [[
    Lane i holds {first} + i. Where that is odd, its pointer is `&in_global`, else `&in_shared`. All store through it.
    ]],
    first = first,
    ask = "Which lanes store to {what} memory?", what = "shared", kind = "mask", answer = lanes(windows.shared_lanes),
    wrong = { [lanes(windows.global_lanes)] = "Those hold odd numbers.",
              [0xffffffff] = "Each lane's address decides." },
    tips = { "Is {first} odd?" }, because = "Those with even numbers: {mask}.",
    mask = mask(lanes(windows.shared_lanes)),
  }
end

local function window_of_lane(d)
  local first, lane = d.integer(-20, 0), d.integer(0, 31)
  local windows = pointed(first + lane)   -- its lane 0 stands for ours
  return {
    [[Lane i holds {first} + i. Where `input % 2 != 0`, its pointer is `&in_global`, else `&in_shared`.]],
    first = first, lane = lane,
    ask = "Where does the pointer of lane {lane} point?", options = { "to global memory", "to shared memory",
    "nowhere" },
    answer = "to " .. windows.lane0_window .. " memory",
    wrong = d.except("to " .. windows.lane0_window .. " memory", {
      ["nowhere"] = "Every lane has set it.", ["to global memory"] = "{value} is even.",
      ["to shared memory"] = "{value} is odd.",
    }),
    tips = { "What does lane {lane} hold?" }, because = "It holds {value}.", value = first + lane,
  }
end

local function accesses(d)
  local pointers = d.pick { "odd even", "all shared" }
  local each = d.pick { "one variable", "array" }
  local windows = model { "spaces", params = { pointers = pointers, each = each, input = d.integer(-9, 9) } }
  local to_shared, to_global = popcount(lanes(windows.shared_lanes)), popcount(lanes(windows.global_lanes))
  local parts = (to_shared > 0 and 1 or 0) + (to_global > 0 and 1 or 0)
  return {
    [[
    One store through a plain pointer. {shared} lanes hold an address of shared memory, {global} one of global memory.
    ]],
    shared = to_shared, global = to_global,
    class = parts == 1 and "one" or "two",
    ask = "How many accesses does it become?", answer = parts, unit = "accesses",
    wrong = d.except(parts, { [1] = "Two memories cannot be reached in one.", [2] = "Is there anybody for the "
      .. "second one?",
                              [32] = "Lanes of one memory go together." }),
    tips = { "How many memories are meant?" }, because = "One for each memory that somebody means.",
  }
end

-- ---- textures ------------------------------------------------------------------------------------------------------

local function fetch(mode, filter, x)
  local out = measure({ kernel = "texture_index", params = { mode = mode, filter = filter, steps = 4 } }):output("out")
  return out[math.floor((x + 3) * 4 + 0.5)]
end

local function between_texels(d)
  local x = d.integer(5, 30) / 4
  local value = fetch("clamp", "linear", x)
  return {
    [[Texel i of a texture holds i + 1, its middle is at i + 0.5. The filter is linear.]],
    ask = "What does a fetch at x = {x} give?", x = string.format("%.2f", x), answer = value, unit = "",
    tolerance = 0.01,
    wrong = d.except(value, { [math.floor(x) + 1] = "That is the texel x is in, without the filter.",
                              [x + 1] = "Middles are at i + 0.5." }),
    tips = { "Between which two middles is it, and how far?" }, because = "x - 0.5, and one more.",
  }
end

local function outside_texture(d)
  local mode, x = d.pick { "clamp", "border", "wrap", "mirror" }, d.integer(-12, -2) / 4
  local value = fetch(mode, "point", x)
  local index = math.floor(x)
  local says = {
    clamp = "what is outside gets the texel at the edge", border = "what is outside gets 0",
    wrap = "the texture comes again from its start", mirror = "the texture comes again, in reverse",
  }
  return {
    [[
    A texture of 8 texels; texel i holds i + 1. No filter. Mode {mode}: {says}.
    ]],
    mode = mode, says = says[mode],
    ask = "What does a fetch at x = {x} give?", x = string.format("%.2f", x), answer = value, unit = "",
    tolerance = 0.01,
    wrong = d.except(value, { [index + 1] = "There is no texel {index}.", [0] = "Only with border.",
                              [1] = "Only where it stops at the edge, or begins anew there." }),
    index = index,
    tips = { "x lies in texel {index}, if there were one." }, because = "Texel {index} does not exist; {says}.",
  }
end

local function small_integers(d)
  local texels = d.pick { "u8", "i8", "u16", "i16" }
  local channel = d.pick { 0, 1 }
  local out = measure({ kernel = "texture_format", params = { texels = texels } }):output("out")
  local least = { u8 = "0", i8 = "-128", u16 = "0", i16 = "-32768" }
  local largest = { u8 = "255", i8 = "127", u16 = "65535", i16 = "32767" }
  local value = out[channel]
  local held = channel == 0 and least[texels] or largest[texels]
  return {
    [[A texture of numbers of type {texels}, read as floats. One number of a texel is {what}.]],
    texels = texels, what = held,
    ask = "What does the fetch give?", answer = value, unit = "", tolerance = 0.001,
    wrong = d.except(value, { [tonumber(held)] = "The fetch makes fractions.", [0.5] = "The largest number becomes 1.",
                              [-1] = channel == 0 and "Numbers without a sign begin at 0." or "The largest becomes 1.",
                              [0] = channel == 0 and "With a sign the least becomes -1." or "The largest becomes 1." }),
    tips = { "From -1 or 0 to 1: where in this range?" }, because = "The largest is 1; the least is 0, or -1 with a "
      .. "sign.",
  }
end

-- ---- who moves the pages -------------------------------------------------------------------------------------------

local function move_ms(d)
  local mb, rate = 100 * d.integer(2, 10), d.pick { 10, 20, 25, 50 }
  local pages = model { "pages", params = { how = "prefetch", size = mb, rate = rate, back = 0 } }
  return {
    [[A managed array of {mb} MB, written by the host, over a link of {rate} GB/s.]], mb = mb, rate = rate,
    ask = "How many ms until all of it has moved to the device?", answer = pages.move_ms, unit = "ms", tolerance = 0.5,
    wrong = d.except(pages.move_ms, { [0] = "Somebody has to move the pages.", [rate * mb] = "Divide." }),
    tips = { "MB by GB/s are ms." }, because = "{mb} / {rate}.",
  }
end

local function fault_ms(d)
  local size, group, fault = 32 * d.integer(1, 4), d.pick { 1, 2, 4, 8 }, d.pick { 20, 30, 50 }
  local pages = model { "pages", params = { how = "faults", size = size, group = group, fault = fault, back = 0 } }
  return {
    [[{size} MB in pages of 2 MB. A group of faults brings {group} of them, and costs {fault} us besides the bytes.]],
    size = size, group = group, fault = fault,
    ask = "How many us do the faults cost in all?", answer = pages.stall_ms * 1000, unit = "us", tolerance = 1,
    wrong = d.except(pages.stall_ms * 1000, { [fault] = "That is one group.",
                                              [size * fault] = "Pages have 2 MB, and come in groups." }),
    tips = { "How many pages? How many groups?" }, because = "{groups} groups.", groups = pages.faults,
  }
end

local function kept_rounds(d)
  local rounds, kept = d.integer(4, 60), d.pick { 0, 64 }
  local caches = model { "caches", params = { access = "reuse", warps = rounds, kept = kept } }
  local hits = math.floor(caches.table_hits * rounds + 0.5)
  return {
    [[
    A table of 64 KB is read in {rounds} rounds, and a stream washes through the L2 cache in between. {kept} KB of it
    are set
    aside for the table.
    ]],
    rounds = rounds, kept = kept,
    class = kept > 0 and "kept" or "washed",
    ask = "In how many rounds is the table found in L2?", answer = hits, unit = "rounds",
    wrong = d.except(hits, { [rounds] = "The first time somebody has to bring it.",
                             [rounds - 1] = "What is left of the table after the stream?", [0] = "Its place is "
                               .. "kept." }),
    tips = { "Does the table stay where it is?" }, because = kept > 0 and "All but the first." or "The stream has "
      .. "washed it out.",
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

-- ---- a pointer in shared memory ------------------------------------------------------------------------------------

local function pointers(form, blocks)
  return measure { kernel = "ptr_shared_decl", params = { form = form, blocks = blocks } }
end

local function how_many_pointers(d)
  local blocks = d.integer(2, 40)
  local store = pointers("right", blocks):count { line = "ptr = &target", kind = "store" }
  return {
    [[`__shared__ int *ptr;` in a kernel with {blocks} blocks of 32 threads. Thread 0 of each sets it.]],
    blocks = blocks,
    ask = "How many pointers are there?", answer = store, unit = "pointers",
    wrong = d.except(store, { [1] = "Shared memory belongs to a block.",
    [32 * blocks] = "They are not the threads' own." }),
    tips = { "Who shares shared memory?" }, because = "One for each block.",
  }
end

local function where_does_it_point(d)
  local case = d.pick {
    { "nobody has set it", "nowhere yet" }, { "thread 0 did `ptr = &target[3]`, an array of the launch",
    "into global memory" },
    { "thread 0 did `ptr = &tile[3]`, an array of the block", "into shared memory" },
    { "it was set in the launch before", "nowhere yet" }, { "thread 0 did `ptr = out`, an argument",
    "into global memory" },
    { "thread 5 did `ptr = tile`, with a barrier behind it", "into shared memory" },
  }
  return {
    [[A kernel declares `__shared__ int *ptr;`, and {case}.]], case = case[1], kind = "choice",
    ask = "Where does it point?",
    options = { "nowhere yet", "into global memory", "into shared memory" }, answer = case[2],
    wrong = { ["into shared memory"] = "There it lies. Where it points is another matter.",
              ["into global memory"] = "Only if somebody lets it." },
    tips = { "`__shared__` is said of the pointer, not of what it points to." },
    because = "The word says where the pointer lies; its value says where it points.",
  }
end

local function read_first(d)
  local threads, barrier = d.pick { 32, 64, 128, 256 }, d.chance(0.5)
  local writer = d.chance(0.5)
  local answer = writer and barrier and "fine" or writer and "a race" or "never written"
  if not writer then barrier = d.chance(0.5) end
  return {
    [[{first} {second} Then all {threads} threads read `*ptr`; `ptr` lies in shared memory.]], threads = threads,
    first = writer and "Thread 0 sets `ptr`." or "No thread sets `ptr`.",
    second = barrier and "A barrier." or "No barrier.", kind = "choice",
    class = answer:match("%l+$"),
    ask = "What is told of it?", options = { "fine", "a race", "never written" }, answer = answer,
    wrong = { ["fine"] = writer and "Who makes the others wait for thread 0?" or "It has no value.",
              ["a race"] = writer and "The barrier orders the store and the reads." or "Nobody writes it at all." },
    tips = { "Is there a store, and does anything order it before the reads?" },
    because = "Set once, then a barrier, then read.",
  }
end

-- ---- unified memory: when ------------------------------------------------------------------------------------------

local CASES = {
  { "a first version, to see whether it works", "as it is" }, { "a tree of pointers that the kernel walks",
  "as it is" },
  { "a few pages out of a huge file, nobody knows which", "as it is" },
  { "an array that every launch reads from end to end, once made by the host", "with a prefetch" },
  { "two arrays of 1 GB, filled by the host, then summed by the device", "with a prefetch" },
  { "a frame of a video, while the last one is worked on", "as copies in a stream" },
  { "chunks of a stream, copied while the kernel works on others", "as copies in a stream" },
}

local function use_case(d)
  local case = d.pick(CASES)
  return {
    [[The data: {case}.]], case = case[1], kind = "choice", ask = "How would you bring it to the device?",
    options = { "as it is", "with a prefetch", "as copies in a stream" }, answer = case[2],
    wrong = { ["as it is"] = "It is known beforehand what is needed: faults would stop warps page by page.",
              ["with a prefetch"] = case[2] == "as it is" and "Nobody knows beforehand what will be touched."
                or "What overlaps with kernels is best said in full.",
              ["as copies in a stream"] = case[2] == "as it is" and "That is much work for nothing known."
                or "A prefetch does that, and pointers stay as they are." },
    tips = { "Is it known beforehand what will be touched, and when?" },
    because = "Unified memory as it is where nobody knows; a prefetch where all of it is needed; copies where they overlap.",
  }
end

local function unified_facts(d)
  local options, answer, says = some_of(d, {
    { "A page moves when the other side touches it.", "That is what happens without a prefetch." },
    { "The host has to wait for the kernel before it reads.", "A launch returns at once, here as anywhere." },
    { "One pointer is good on both sides.", "That is what it is for." },
    { "A fault stops the warp until its page is there.", "It does, for tens of microseconds." },
  }, {
    { "Nothing is copied.", "Pages move, in both directions." },
    { "The host may read at once after the launch.", "The kernel may not have begun." },
    { "A prefetch makes it slower.", "It saves the faults." },
    { "It needs one call for each page.", "Pages move by themselves." },
  }, d.pick { 1, 2, 3 })
  return {
    [[Of unified memory, as `cudaMallocManaged` gives it.]], kind = "several", ask = "Which are true?",
    options = options,
    answer = answer, wrong = says, tips = { "Who moves what, and who waits for whom?" },
    because = "Pages move to whoever touches them; order is still the program's business.",
  }
end

local function who_pays(d)
  local case = d.pick {
    { "The host fills it, then a kernel reads it", "the kernel's warps" },
    { "A kernel fills it, the host waits, then reads it", "the host" },
    { "The host fills it and prefetches it to the device, then a kernel reads it", "nobody" },
    { "A kernel fills it, and another kernel reads it", "nobody" },
    { "A kernel fills it, it is prefetched to the host, which waits and reads it", "nobody" },
    { "The host changes one word, then a kernel reads all of it", "the kernel's warps" },
  }
  return {
    [[Managed memory of {pages} pages. {case}.]], pages = d.integer(2, 60), case = case[1], kind = "choice",
    ask = "Who is held up by faults at the reads?", options = { "the host", "the kernel's warps", "nobody" },
    answer = case[2],
    wrong = { ["nobody"] = "Where do the pages lie when the reads begin?",
              ["the host"] = "The host is not the one that reads last.",
              ["the kernel's warps"] = "Where do the pages lie when the reads begin?" },
    tips = { "Who touched the pages last, and who touches them now?" },
    because = "Who touches a page that lies on the other side waits for it.",
  }
end

return {
  skill { id = "place", family = "EQ5", looks = { copies, own_bytes, best_place } },
  skill { id = "constant", family = "EQ5", looks = { passes_of_keys, passes_of_groups, table_in_shared } },
  skill { id = "own", family = "EQ5", looks = { local_sectors, local_bytes, local_or_not } },
  skill { id = "pointer", family = "EQ7", looks = { shared_lanes, window_of_lane, accesses } },
  skill { id = "texture", family = "EQ5", looks = { between_texels, outside_texture, small_integers } },
  skill { id = "unified", family = "FQ3", looks = { move_ms, fault_ms, kept_rounds } },
  skill { id = "shared_pointer", family = "EQ6", looks = { how_many_pointers, where_does_it_point, read_first } },
  skill { id = "when", family = "FQ3", looks = { use_case, unified_facts, who_pays } },
}
