-- L09: where does a number live, and who pays for reading it?

local FROM_CONSTANT = { line = "float value = c_table[k]", kind = "load", space = "const" }
local FROM_SHARED = { line = "float value = s_table[k]", kind = "load" }
local FROM_GLOBAL = { line = "float value = table[k]", kind = "load" }
local OWN = { line = "float value = v[k]", kind = "load" }
local CONSTANT_KB = 64           -- that a kernel may have, on every device
local BLOCKS, THREADS = 8, 128   -- of the launch that copies are counted for

local function commas(n)
  local text = string.format("%d", n):reverse():gsub("(%d%d%d)", "%1,"):reverse()
  return (text:gsub("^,", ""))
end

-- A table of 32 words, of which lane i wants entry i % m.
local function look(where, m)
  return measure { kernel = "lookup_table", params = { where = where, m = m } }
end

-- Different addresses that the lanes of an event ask for.
local function distinct(event)
  local seen, count = {}, 0
  for lane = 0, 31 do
    local address = event.addresses[lane]
    if address and not seen[address] then
      seen[address], count = true, count + 1
    end
  end
  return count
end

local function passes(m)
  return distinct(look("constant", m):event(FROM_CONSTANT))
end

-- Lane t takes word t % m of an array of its own.
local function own(m)
  return measure { kernel = "local_array", params = { m = m } }
end

local function own_sectors(m)
  return own(m).counters.local_load_sectors
end

recall(2)

-- 1. one table, three places ---------------------------------------------------------

local M = 16
local table_run = look("constant", M)

show(table_run, { at = "start" })
predict {
  id = "one-door", title = "The fastest word", sure = true,
  [[
  A lecture's table of speeds says: constant memory, 1x. As fast as a register.

  A table of 32 numbers lies there. Lane i looks up entry `i % {m}`. If not all lanes can be served at once, the load
  takes several passes, one after the other.
  ]],
  m = M, ask = "How many passes does this one load of a warp take?", unit = "passes", answer = passes(M),
  wrong = {
    [1] = "1x is for one address. How many are asked for here?",
    [32] = "Lanes that want the same entry share a pass.",
    [32 // M] = "So many lanes share an entry. How many entries are there?",
    [4] = "Those would be sectors, and of 32 words.",
  },
  tips = { "Which entries does the warp want?" },
  because = "{answer} entries are wanted, and the door lets out one at a time. The table of speeds was right for "
    .. "one lane in {m}.",
  show = { run = table_run, at = FROM_CONSTANT },
}

explain {
  title = "One door",
  [[
  *Constant memory* is {kb} KB, read only. Its cache gives one word at a time, to all lanes that want it. That is {a} pass
  if all want the same, {b} for `i % 2`, {d} for `i % 8`, {e} for 32 words. It is made for a number that all lanes need at
  one moment.
  ]],
  kb = CONSTANT_KB, a = passes(1), b = passes(2), d = passes(8), e = passes(32),
}

local shared_run = look("shared", M)
local waves = shared_run:event(FROM_SHARED).wavefronts
predict {
  id = "shared", title = "The same table, shared",
  [[Now the table is in *shared memory*, a fast memory in the middle of the block, with 32 banks. Each bank gives one
  word a turn. Such a turn is called a wavefront.]],
  m = M, ask = "How many turns does `i % {m}` take there?", unit = "wavefronts", answer = waves,
  wrong = {
    [M] = "Banks give different words in one turn.",
    [32] = "Lanes do not come one by one. Each bank gives a word.",
    [2] = "Two lanes that want one word do not queue.",
  },
  tips = { "Are two of the {m} words in the same bank?" },
  because = "{m} words, {m} banks, one turn. Each word is heard by {heard} lanes.", heard = 32 // M,
  show = { run = shared_run, at = FROM_SHARED, focus = "banks" },
}

local function row(m)
  return string.format("%5d %9d %7d %7d", m, passes(m), look("shared", m):event(FROM_SHARED).wavefronts,
                       look("global", m):event(FROM_GLOBAL).sectors)
end

show(look("global", M), { at = FROM_GLOBAL, focus = "segments" })
explain {
  title = "One table, three places",
  string.format([[
  Passes of constant memory, turns of shared memory, sectors of global memory, for entry `i %% m`:

      m  constant  shared  global
  %s
  %s
  %s
  %s

  The declaration says where a number lives. The 32 addresses of a warp say what it costs.
  ]], row(1), row(4), row(16), row(32)),
}

run { kernel = "lookup_table", params = { m = 8 }, at = FROM_CONSTANT }
try {
  id = "break", title = "Your turn: four passes",
  [[The table is in constant memory again, and lane i wants entry `i % m`.]],
  goal = "The largest m at which the load takes at most 4 passes.",
  params = { "m" }, solution = { m = 4 },
  tips = { "Passes are different addresses." },
  reached = function(r)
    local m = r.parameters.m
    local count = r.counters.const_load_addresses // r.counters.const_load_requests
    return r.parameters.where == "constant" and m == 4,
    "m = " .. m .. ": " .. count .. (count == 1 and " pass" or " passes")
  end,
}

local step = measure { kernel = "fd_constant" }
local own_step = measure { kernel = "fd_constant", params = { by = "lane" } }
local warps = step.blocks * step.warps
show(step, { at = "start" })
predict {
  id = "coefficients", title = "What it is made for",
  [[A derivative: each thread adds up 16 neighbors, each times its coefficient. In step j all lanes want
  `coefficients[j]`.]],
  ask = "How many passes of constant memory do all 16 steps of a warp take?", unit = "passes",
  answer = step.counters.const_load_addresses // warps,
  wrong = {
    [1] = "One for each step.",
    [own_step.counters.const_load_addresses // warps] = "Lanes with the same address share a pass.",
  },
  tips = { "One step: how many different addresses?" },
  because = "One for each step. If each lane begins with another coefficient, the same sum takes {bad}.",
  bad = own_step.counters.const_load_addresses // warps,
  show = { run = step, at = { line = "float c = coefficients[j]", kind = "load", space = "const" } },
}

-- 2. who has a copy ------------------------------------------------------------------

hide()
say {
  title = "Five places",
  [[
  - `int x;` register, each thread its own
  - `int a[10];` each thread its own, often local memory
  - `__shared__ int s;` one for each block
  - `__device__ int g;` one for all, global memory
  - `__constant__ int c;` one for all, read only

  The last two stand outside of functions and stay when the kernel ends. The others are gone with their thread or
  block.
  ]],
}

predict {
  id = "copies", title = "How many are there?",
  [[`int x;` stands in a kernel, and it is launched with {blocks} blocks of {threads} threads.]], blocks = BLOCKS,
  threads = THREADS,
  ask = "How many variables x are there?", unit = "", answer = BLOCKS * THREADS,
  wrong = {
    [1] = "That would be a variable outside of the kernel.",
    [BLOCKS] = "That would be a shared one.",
    [THREADS] = "And the other blocks?",
  },
  tips = { "Who has one of its own: grid, block or thread?" },
  because = "One for each of {blocks} x {threads} threads.",
}

local nobody_set = measure { kernel = "ptr_shared_decl", form = "lecture" }
predict {
  id = "per-block", title = "One for each block", kind = "several",
  [[These stand in a kernel, or before it.]],
  ask = "Of which is there one for each block?",
  options = { "`int x;`", "`__shared__ int s;`", "`__shared__ int *p;`", "`__device__ int g;`", "`int a[10];`" },
  answer = { "`__shared__ int s;`", "`__shared__ int *p;`" },
  wrong = {
    ["`int x;`"] = "Each thread has an x of its own.",
    ["`__shared__ int *p;`"] = "The word belongs to the pointer itself, not to what it points to.",
    ["`__device__ int g;`"] = "All blocks have the same one.",
    ["`int a[10];`"] = "Each thread has an array of its own.",
  },
  tips = { "Read the declaration from the left: whose place does `__shared__` say?" },
  because = "`__shared__` says where s and p lie. Where p points to is another matter.",
}

-- 3. arrays of one's own -------------------------------------------------------------

local same, each = own(1), own(8)
local fixed = measure { kernel = "local_array", form = "fixed" }

show(same, { at = "start" })
say {
  title = "An array of one's own",
  [[
  Each thread has `float v[8]` and takes `v[k]`. Registers have no index: no instruction says "register number k".

  If k is known only when the kernel runs, the array needs memory. It is called *local memory*. Local means: mine.
  Not: near.
  It lies in the device's memory, like global memory.
  ]],
}

local function where_is(r)
  return r.counters.local_load_requests + r.counters.local_store_requests > 0
end

predict {
  id = "which-local", title = "Register or local?", kind = "several",
  [[Three kernels keep eight numbers.]],
  ask = "Which use local memory?",
  options = { "`v[k]`, with k read from memory", "loops unrolled, each index a number", "eight variables, a to h" },
  answer = where_is(fixed) and {} or where_is(same) and { "`v[k]`, with k read from memory" } or {},
  wrong = {
    ["`v[k]`, with k read from memory"] = "Which register would the instruction name? It is written before k is known.",
    ["loops unrolled, each index a number"] = "So says the lecture: arrays always do. But each element gets a "
      .. "register of its own here.",
    ["eight variables, a to h"] = "Eight names, eight registers.",
  },
  tips = { "Where could the compiler write a register's number in place of the index?" },
  because = "`v[k]`: {loads} load and {stores} stores of local memory. With fixed indexes: {none}.",
  loads = same.counters.local_load_requests, stores = same.counters.local_store_requests,
  none = fixed.counters.local_load_requests + fixed.counters.local_store_requests,
}

show(same, { at = { line = "v[j] =", kind = "store", space = "local" }, focus = "segments" })
predict {
  id = "same-word", title = "All want the same",
  [[All 32 lanes read `v[0]`, each of its own array. Look at the store: so they lie in memory.]],
  ask = "How many sectors does the load take?", unit = "sectors", answer = own_sectors(1),
  wrong = {
    [32] = "Each lane has its own array. But word 0 of all lanes lies side by side.",
    [1] = "These are 32 different words.",
    [8] = "{answer} sectors have room for 32 words.",
  },
  tips = { "32 words side by side: how many bytes?" },
  because = "128 bytes in a row. Local memory is cut up so that the same index of all lanes is one line.",
  show = { run = same, at = OWN, focus = "segments" },
}

show(same, { at = OWN, focus = "segments" })
predict {
  id = "each-word", title = "Each its own index", sure = true,
  [[Now lane t reads `v[t % 8]` of its array.]],
  ask = "How many sectors?", unit = "sectors", answer = own_sectors(8),
  wrong = {
    [8] = "8 rows, yes. But the 4 lanes of a row are 8 lanes apart.",
    [4] = "That was one row.",
    [16] = "A row has 4 sectors. Who wants something of which?",
  },
  tips = { "Draw 8 rows of 32 words. Lane 0 is in row 0, lane 1 in row 1, ..., lane 8 in row 0 again." },
  because = "8 rows, and in each row 4 lanes in 4 different sectors: every lane alone.",
  show = { run = each, at = OWN, focus = "segments" },
}

explain {
  title = "Side by side, or each alone",
  [[
  Sectors of the one load `v[t % m]`: {a} for m = 1, {b} for m = 2, {c} for m = 4, {d} for m = 8.

  An array of one's own is cheap as long as all lanes walk through it in step.
  ]],
  a = own_sectors(1), b = own_sectors(2), c = own_sectors(4), d = own_sectors(8),
}

show(fixed, { at = "start" })
modify {
  id = "no-index", title = "Without an index",
  [[Here all loops are unrolled, so j is a number each time. Every thread still wants its `v[k]`. Complete the line.]],
  kernel = "local_array", form = "fixed", line = "value = j == k", blank = "    value = ____ ? v[j] : value;",
  fill = "j == k",
  accept = { "k == j", "!(j - k)", "j <= k" }, runs = { { m = 8 }, { m = 3 } },
  judged = function(r)
    return r.counters.local_load_requests == 0, r.counters.local_load_requests > 0 and "local memory is read" or nil
  end,
  wrong = {
    ["k"] = "Every k but 0 is true: the last element wins.",
    ["v[j] == k"] = "That compares the number in the array with its place.",
    ["j < k"] = "It stops one too early.",
  },
  offered = { "j >= k" },
  tips = { "All eight are looked at. Which one is to be kept?" },
  because = "Eight steps in place of a load, and no memory. For small arrays that is cheaper.",
}

local heap = measure { kernel = "ten_nn", params = { num_ps = 32, num_qs = 128 } }
local sift = heap:line("d[k] = d[c];")
show(heap, { at = { line = "d[k] = d[c]", kind = "store" }, margin = "active lanes", focus = "segments" })
explain {
  title = "Ten nearest neighbors",
  [[
  Each of 32 threads looks through {qs} points and keeps the ten nearest in a heap of its own. That is an array with
  indexes that wander.

  {loads} local loads move {sectors} sectors, {each} each: nearly what a whole warp costs side by side. But on a line
  of
  the heap {lanes} of 32 lanes are left.
  ]],
  qs = heap.parameters.num_qs, loads = commas(heap.counters.local_load_requests),
  sectors = commas(heap.counters.local_load_sectors),
  each = string.format("%.1f", heap.counters.local_load_sectors / heap.counters.local_load_requests),
  lanes = string.format("%.1f", sift.thread_instructions / sift.warp_instructions),
}

local two = measure { kernel = "ten_nn", form = "lecture" }
show(two, { at = "start" })
predict {
  id = "first-block", title = "As the lecture has it", kind = "line",
  [[{points} points, blocks of {threads} threads. Half of the results are never written.]],
  points = two.parameters.num_ps, threads = two.threads,
  ask = "Go to the line that forgets something.", answer = "size_t i =",
  wrong = {
    ["result[i * 10 + k] ="] = "It writes where i says.",
    ["if (i >= num_ps)"] = "That guard is fine. What is i?",
    ["float2 p = ps[i]"] = "It reads where i says.",
  },
  tips = { "Block 1 runs as well. Which points does it take?" },
  because = "`threadIdx.x` is the place in the block: both blocks do points 0 to {last}.", last = two.threads - 1,
}

explain {
  title = "What else is local",
  [[
  If a thread needs more registers than it may have, the compiler parks some of them in local memory. That is
  a *spill*.

  The lecture calls local memory a hundred times slower, without a cache. Since 2010 the caches hold it, too. Still,
  each sector is paid for.

  PTX has registers without end, so spills are not seen here; `nvcc -Xptxas -v` tells them.
  ]],
}

-- 4. where a pointer points ----------------------------------------------------------

hide()
predict {
  id = "nowhere", title = "Where does it point?", kind = "choice",
  [[`__shared__ int *ptr;` and then `*ptr`, with nothing in between.]],
  ask = "Where does ptr point?", options = { "to the start of shared memory", "to 0", "nowhere yet" },
  answer = nobody_set.faults[1].kind == "uninitialized" and "nowhere yet" or "to 0",
  wrong = {
    ["to the start of shared memory"] = "The qualifier says where the pointer lives, not where it points.",
    ["to 0"] = "Nobody has written a 0.",
  },
  tips = { "Who has given it a value?" },
  because = "Nobody has set it. Two faults are told: ptr is read unset, and then there is nothing where it leads.",
  show = { run = nobody_set, at = { line = "*ptr", kind = "load" } },
}

local confused = measure { kernel = "ptr_confusion" }
local STORE = { line = "*ptr = 7;", kind = "store" }
show(confused, { at = "start" })
predict {
  id = "odd-even", title = "Odd and even", kind = "mask",
  [[Lane i holds the input i. Odd inputs take the address of a global variable, even ones that of a shared one. Then
  all do `*ptr = 7`.]],
  ask = "Which lanes store to shared memory?",
  answer = confused:event { line = STORE.line, kind = "store", space = "shared" }.mask,
  wrong = {
    [0xffffffff] = "So guessed the compilers of 2008. Today nobody guesses.",
    [0xaaaaaaaa] = "Odd ones go to the global variable.",
    [0] = "Half of the pointers are shared addresses.",
  },
  tips = { "Lane 0 holds 0. Is that odd?" },
  because = "The even ones. Each lane's address tells by itself where it belongs.",
}

local windows = model { "spaces", params = { pointers = "odd even" } }
predict {
  id = "two-stores", title = "One instruction",
  [[`*ptr = 7` is one instruction of the warp; {some} lanes point into shared memory, {other} into global memory.]],
  some = popcount(tonumber(windows.shared_lanes)), other = popcount(tonumber(windows.global_lanes)),
  ask = "How many accesses does it become?", unit = "accesses",
  answer = windows.global_requests + windows.shared_wavefronts,
  wrong = {
    [1] = "Two memories cannot be reached in one go.",
    [32] = "Lanes of one memory go together.",
    [16] = "Sixteen lanes with one address are one access.",
  },
  tips = { "How many memories are meant?" },
  because = "One for each memory. And all {some} lanes of each write one cell: one of them wins, nobody says which.",
}

picture { "spaces", params = { pointers = "odd even" } }
explain {
  title = "One line of addresses",
  [[
  Local, shared and global memory each have a stretch of one long line of addresses. A plain pointer is such a
  *generic address*:
  lane 0 has {zero}, lane 1 {one}.

  The load or store looks at it and goes where it belongs. That is right for any pointer, and a little slower.
  ]],
  zero = windows.lane0, one = windows.lane1,
}

local minus = model { "spaces", params = { pointers = "odd even", input = -3 } }
hide()
predict {
  id = "minus", title = "Minus three", kind = "choice",
  [[The test is `input % 2 == 1` in one program and `input % 2 != 0` in another. A lane holds -3.]],
  ask = "Which of them call -3 odd?",
  options = { "both", "only `== 1`", "only `!= 0`" },
  answer = minus.lane0_window == "global" and math.fmod(-3, 2) ~= 1 and "only `!= 0`" or "both",
  wrong = {
    ["both"] = "In C the remainder has the sign of the left number: -3 % 2 is -1.",
    ["only `== 1`"] = "-3 % 2 is -1 in C.",
  },
  tips = { "What is -3 % 2 in C?" },
  because = "-3 % 2 is -1: not 0, and not 1 either.",
}

local asked = measure { kernel = "uva_query" }
local owner = asked:result("owner")
local GLOBAL = 1
local kinds = { "memory of cudaMalloc", "pinned memory of the host", "managed memory", "a `__device__` variable",
                "a shared variable", "an array of the thread" }
local global_kinds = {}
for i, kind in ipairs(kinds) do
  if owner[i - 1] == GLOBAL then global_kinds[#global_kinds + 1] = kind end
end

show(asked, { at = "start" })
predict {
  id = "owners", title = "Ask the pointer", kind = "several",
  [[A kernel asks six pointers: `__isGlobal(ptr)`? Pinned memory of the host stays in place for the device, managed
  memory is for both.]],
  ask = "Which say yes?", options = kinds, answer = global_kinds,
  wrong = {
    ["pinned memory of the host"] = "The device reaches it by an address of the same line.",
    ["managed memory"] = "While the kernel runs it is memory of the device.",
    ["an array of the thread"] = "It lies in the same chips, but in the stretch of local addresses.",
    ["a shared variable"] = "It has a stretch of its own.",
  },
  tips = { "Only two stretches are left out: shared and local." },
  because = "What can be reached by every thread, whoever it belongs to.",
}

explain {
  title = "One line for host and device",
  [[
  With *unified addressing* host and device use one line of addresses. So the driver knows by the number alone whose
  memory it is.

  `cudaMemcpy(a, b, n, cudaMemcpyDefault)` needs no direction, and `cudaPointerGetAttributes` tells the owner.

  One line does not mean one memory: bytes still have to travel.
  ]],
}

-- 5. more doors ----------------------------------------------------------------------

local asked_for = measure { kernel = "restrict_ldg", params = { pointer = "ldg" } }
hide()
predict {
  id = "doors", title = "Nobody writes it", kind = "several",
  [[There is a load for what nobody writes: `ld.global.nc`. Its data may stay in a cache that does not look for
  changes.]],
  ask = "Which source makes the compiler use it?",
  options = { "`float *in`", "`const float *in`", "`const float *__restrict__ in`", "`__ldg(&in[i])`" },
  answer = { "`const float *__restrict__ in`", "`__ldg(&in[i])`" },
  wrong = {
    ["`const float *in`"] = "Then you do not write by this pointer. Another one may point to the same place.",
    ["`float *in`"] = "Anybody may write there.",
    ["`const float *__restrict__ in`"] = "`const`: not by this pointer. `__restrict__`: not by another.",
    ["`__ldg(&in[i])`"] = "It asks for this very load.",
  },
  tips = { "What must be sure: that you do not write it, or that nobody does?" },
  because = "A promise that no other pointer leads there (`out` needs its `__restrict__`, too), or the word itself.",
  show = { run = asked_for, at = { kind = "load" }, ptx = true },
}

local aos, ldg, staged = measure { kernel = "position_aos" }, measure { kernel = "position_ldg" },
  measure { kernel = "position_smem" }
show(ldg, { at = { kind = "load" }, focus = "segments" })
predict {
  id = "ldg", title = "Fewer sectors?",
  [[Positions as an array of structures cost {before} sectors to load, a third of the bytes used. Now each load is an
  `__ldg`.]],
  before = commas(aos.counters.global_load_sectors),
  ask = "How many sectors are asked for?", unit = "sectors", answer = ldg.counters.global_load_sectors,
  wrong = {
    [staged.counters.global_load_sectors] = "That is with shared memory in between.",
    [ldg.counters.global_load_sectors // 3] = "The addresses are the same, so the sectors are.",
  },
  tips = { "Which addresses does the warp ask for?" },
  because = "The same. What can change is where they are found: x brings the sectors, y and z find them near.",
}

local near = model { "caches", params = { access = "AoS LDG", path = "Kepler" } }
picture { "caches", params = { access = "AoS LDG", path = "Kepler" } }
explain {
  title = "Where they are found",
  [[
  {hits} of {all} sectors are found near by: those of y and z. On a card of 2013 plain loads had no cache in the
  multiprocessor, and `__ldg`
  was worth it.

  Today all loads look into one *L1 cache*, the read-only one is part of it, and the gain is small.
  ]],
  hits = commas(near.near_hits), all = commas(near.sectors),
}

local texture = measure { kernel = "texture_index" }
local texels = texture:output("out")
local STEPS = texture.parameters.steps
local function fetched(x)
  return texels[(x + 3) * STEPS]
end

show(texture, { at = "start" })
predict {
  id = "between", title = "Between two texels",
  [[
  A *texture* is memory with a lens. Its elements are called texels. Texel i holds `i + 1`, and its middle is at
  `i + 0.5`. The filter is linear: a place between two middles is mixed of both.
  ]],
  ask = "What does a fetch at x = 2.0 give?", unit = "", answer = fetched(2), tolerance = 0.001,
  wrong = {
    [3] = "Texel 2 holds 3, and its middle is at 2 + {half}.",
    [2] = "Texel 1 holds 2, and its middle is at 1 + {half}.",
  },
  tips = { "x = 2 is half way between which middles?" }, half = 0.5,
  because = "Half of texel 1, half of texel 2. The weights have 8 bits.",
  show = { run = texture, at = { kind = "load", space = "texture", warp = 0 }, lane = (2 + 3) * STEPS },
}

local border = measure { kernel = "texture_index", params = { mode = "border" } }
predict {
  id = "outside", title = "Outside",
  [[The first texel holds {first}. The mode is clamp: what is outside gets the texel at the edge.]], first = 1,
  ask = "What does a fetch at x = -3 give?", unit = "", answer = fetched(-3), tolerance = 0.001,
  wrong = {
    [0] = "So it is with border. Clamp takes the edge.",
    [-2] = "There is no texel -3.",
  },
  because = "The edge. With border it is {zero}; no `if` is needed for either.", zero = string.format("%d",
  border:output("out")[0]),
}

local pixels = measure { kernel = "texture_format", params = { texels = "i8" } }
show(pixels, { at = "start" })
predict {
  id = "format", title = "Small integers",
  [[
  Here a texel has four signed bytes, and a fetch makes floats of them: `127` becomes 1.

  The first byte is -128.
  ]],
  ask = "What becomes of -128?", unit = "", answer = pixels:output("out")[0], tolerance = 0.001,
  wrong = {
    [-128] = "The fetch makes fractions.",
    [-1.008] = "-128 / 127 would be less than -1. It is cut off there.",
    [0] = "Only for unsigned bytes 0 is the least.",
  },
  tips = { "Fractions go from -1 to 1." },
  because = "-1, like -127. One word of memory gives four floats, and no instruction converts them.",
}

-- 6. unified memory ------------------------------------------------------------------

local MB, RATE = 1024, 25
local function moved(how)
  return model { "pages", params = { how = how, size = MB, rate = RATE, back = 0 } }
end

picture { "pages", params = { how = "prefetch", size = 64, back = 0 } }
predict {
  id = "move", title = "Move it all",
  [[
  *Unified memory* has one pointer for host and device. Its pages move to whoever touches them.

  An array of {mb} MB was written by the host. The link carries {rate} GB/s.
  ]],
  mb = commas(MB), rate = RATE,
  ask = "How many ms does it take to bring all of it to the device?", unit = "ms",
  answer = moved("prefetch").move_ms, tolerance = 1,
  wrong = {
    [0] = "No copy stands in your program. Somebody moves the pages all the same.",
    [RATE] = "That is the rate. Divide by it.",
  },
  tips = { "Megabytes divided by gigabytes a second are milliseconds." },
  because = "{mb} / {rate}. One pointer saves lines, not time.",
}

picture { "pages", params = { how = "faults", size = 64, back = 0 } }
explain {
  title = "Three ways to move it",
  [[
  Who touches a page that is not there has to wait until it comes: a page fault. No mistake, but time.

  - touched page by page: {faults} ms, {stall} of them waiting for {groups} groups of faults
  - prefetched, then touched: {prefetch} ms
  - plain copies: {copies} ms

  A fault costs tens of microseconds before a byte moves. Who knows what is needed should say so:
  `cudaMemPrefetchAsync`.
  ]],
  faults = string.format("%.0f", moved("faults").ms), stall = string.format("%.0f", moved("faults").stall_ms),
  groups = moved("faults").faults, prefetch = string.format("%.0f", moved("prefetch").ms),
  copies = string.format("%.0f", moved("copies").ms),
}

local few = model { "pages", params = { how = "faults", size = 64, back = 0 } }
try {
  id = "groups", title = "Your turn: fewer faults",
  [[64 MB, page by page: {ms} ms, of them {stall} for faults.]], ms = string.format("%.2f", few.ms),
  stall = string.format("%.2f", few.stall_ms),
  goal = "At most 0.1 ms of faults, by pages that come together.",
  params = { "group", "step" }, solution = { group = 16, step = 2 },
  tips = { "A group of faults costs once, however many pages it brings." },
  reached = function(pages)
    return pages.stall_ms <= 0.1, string.format("%.2f ms of faults", pages.stall_ms)
  end,
}

local ROUNDS = 32
local kept = model { "caches", params = { access = "reuse", warps = ROUNDS, kept = 64 } }
local lost = model { "caches", params = { access = "reuse", warps = ROUNDS, kept = 0 } }
picture { "caches", params = { access = "reuse", warps = ROUNDS, kept = 0 } }
predict {
  id = "persist", title = "A place in the second cache",
  [[
  A table is read in {rounds} rounds, and between them a stream washes it out of the *L2 cache*: {lost} hits.

  Then a part of L2 is set aside for the table, and the stream may not go there.
  ]],
  rounds = ROUNDS, lost = math.floor(lost.table_hits * ROUNDS),
  ask = "In how many rounds is the table found there now?", unit = "rounds",
  answer = math.floor(kept.table_hits * ROUNDS + 0.5),
  wrong = { [ROUNDS] = "Somebody has to bring it the first time.", [0] = "It stays once it is there." },
  tips = { "What happens in the first round?" },
  because = "All but the first. This needs compute capability 8.0, and data that is read again.",
}

-- 7. to keep -------------------------------------------------------------------------

show(table_run, { at = "start" })
make {
  id = "move-table", title = "Move the table",
  [[
  Let the block bring the table to shared memory first. It is in global memory, too: `table[0]` to `table[31]`. Let
  the last 32 threads fetch it.
  ]],
  goal = "The same values, nothing from constant memory.",
  kernel = "lookup_table", from = "float value = c_table[k];",
  starter = [[
  __shared__ float t[32];
  // bring it, then read it
  float value = c_table[k];]],
  solution = [[
  __shared__ float t[32];
  int first = blockDim.x - 32;
  if (threadIdx.x >= first)
    t[threadIdx.x - first] = table[threadIdx.x - first];
  __syncthreads();
  float value = t[k];]],
  others = {
    { "by all, modulo 32", [[
  __shared__ float t[32];
  if (threadIdx.x >= blockDim.x - 32)
    t[threadIdx.x % 32] = table[threadIdx.x % 32];
  __syncthreads();
  float value = t[k];]], right = true },
    { "no barrier", [[
  __shared__ float t[32];
  int first = blockDim.x - 32;
  if (threadIdx.x >= first)
    t[threadIdx.x - first] = table[threadIdx.x - first];
  float value = t[k];]], says = "Warp 0 reads before the last warp has written." },
    { "barrier inside", [[
  __shared__ float t[32];
  int first = blockDim.x - 48;
  if (threadIdx.x >= first) {
    t[(threadIdx.x - first) % 32] = table[(threadIdx.x - first) % 32];
    __syncthreads();
  }
  float value = t[k];]], says = "Not all threads come to the barrier." },
    { "from global", [[
  float value = table[k];]], says = "Then every warp goes to global memory for it." },
  },
  runs = { { threads = 64, m = 16 }, { threads = 128, m = 32 } },
  judged = function(r)
    if r.counters.const_load_requests > 0 then return false, "constant memory is still read" end
    if r.counters.shared_load_instructions ~= r.warps then
      return false, "each warp should read the shared table once"
    end
    return true
  end,
  tips = { "What stands between 32 threads that write and all that read?" },
  because = "Fetch, wait, read. The barrier is for all threads, so it stands behind the `if`.",
}

hide()
rubric {
  id = "unified", title = "When, and when not?",
  ask = "When would you use unified memory, and when not?",
  model = [[One pointer for host and device; pages move to whoever touches them. Good to port a program, for trees and
lists, for data used here and there, or larger than the device. Bad where all of it is needed in order: each group of
faults costs tens of microseconds. Prefetch wins most of that back. Synchronize before the host reads.]],
  points = { "pages move when touched", "good: porting, or pointers, or sparse use", "good: more than fits the device",
             "bad: all of it is needed, in order", "faults cost time; prefetch", "synchronize before the host reads" },
}

check { draw = 5 }

recite {
  title = "From memory", ask = "What is to be kept of memories? One line each.",
  [[
  - The declaration says where, the addresses say what it costs.
  - Constant: one word for all lanes, else a pass for each.
  - Registers have no index: `v[k]` is local memory.
  - Local: side by side if all lanes use the same index.
  - `__shared__` is of the variable, not of what it points to.
  - A pointer belongs to a lane.
  - Unified memory moves pages; somebody waits.
  ]],
}

finish {
  title = "Memories: what to keep",
  [[
  Where a number lives is your choice. Look at the 32 addresses of a warp before you make it.

  Next: the memory in the middle of a block, and how its threads wait for each other.
  ]],
  next = "L10",
}
