-- L11: shared memory is 32 banks wide, and what happens when lanes crowd into one.

local READ = { line = "out[lane] = words[w]", kind = "load" }
local STRIDED = { line = "float foo = shared", kind = "load" }
local COLUMN = { line = "out[row * n + col] = tile", kind = "load", block = 0, warp = 0 }
local ROW = { line = "tile[ty][tx] = in", kind = "store", block = 0, warp = 0 }
local WORD, BANKS = 4, 32   -- bytes, and banks

local function pattern(name)
  return measure { kernel = "bank_patterns", params = { pattern = name } }
end

local function strided(s, base)
  return measure { kernel = "shared_stride", params = { s = s, baseIndex = base or 0 } }
end

-- The store of a round of stride_walk, whose stride is the number of the round, and what is asked of it.
local function stored(s)
  local words = string.format("Next, s = %d:\n  `words[%d * lane] = value;`\nHow many wavefronts?", s, s)
  return { { line = "words[s * lane] = value", kind = "store", nth = s }, question = words }
end

-- The lanes of a load whose words are in this bank.
local function lanes_of_bank(load, bank)
  local lanes = 0
  for lane, address in pairs(load.addresses) do
    lanes = lanes | (address // WORD % BANKS == bank and 1 << lane or 0)
  end
  return lanes
end

recall(2)

-- 1. the building ------------------------------------------------------------

local order = pattern("order")
local in_order = order:event(READ)

show(order, { at = READ, focus = "banks" })
say {
  title = "32 counters, one clerk each",
  [[
  Shared memory is cut into 32 *banks*. Each of them can hand out one word of 4 bytes at a time. Neighboring words lie
  in neighboring banks: word 0 in bank 0, word 31 in bank 31. Word 32 is in bank 0 again.

  A warp asks for 32 words at once. This lesson is about one question: how many turns does that take?
  ]],
}

-- Lane 2 of this run reads word 11 + 33 * 2 = 77.
local seventy_seven = strided(33, 11):event(STRIDED).addresses[2] // WORD

predict {
  id = "word", title = "Where is word {word}?",
  [[
  Word `w` is in bank `w % 32`. Put differently, write the words in rows of 32; the column is the bank.
  ]],
  ask = "In which bank is word {word}?",
  word = seventy_seven,
  answer = seventy_seven % BANKS, unit = "",
  wrong = {
    [seventy_seven // BANKS] = "That is the row. The column is the bank.",
    [seventy_seven] = "There are banks 0 to 31.",
    [seventy_seven - BANKS] = "That is still above bank 31.",
  },
  tips = { "Take away 32 until what is left is below 32." },
  because = "{word} = 2 x 32 + {answer}: row 2, bank {answer}.",
}

explain {
  title = "One word from each bank",
  [[
  Here lane `i` reads word `i`. Every bank is asked for one word, so all {banks} give it in the same turn.

  Such a turn is a *wavefront*: the banks work once, all together. This load took {waves}, the least there is.
  ]],
  banks = in_order.banks_used, waves = counted(in_order.wavefronts, "wavefront"),
}

-- 2. who shares, who queues -----------------------------------------------------

local permuted_run = pattern("permuted")
local permuted = permuted_run:event(READ)

predict {
  id = "disorder", title = "In disorder",
  [[Now lane `i` reads word `i ^ 5`: {first} and so on. The words are the same, the lanes are shuffled.]],
  first = (function()
    local words = {}
    for lane = 0, 5 do words[#words + 1] = lane ~ 5 end
    return table.concat(words, ", ")
  end)(),
  ask = "How many wavefronts?",
  answer = permuted.wavefronts, unit = "wavefronts",
  wrong = {
    [2] = "Which bank has two words to give?",
    [32] = "Each bank is asked for one word, by whomever.",
  },
  tips = { "How many words has each bank to give?" },
  because = "Still one. A crossbar brings any word to any lane; order costs nothing.",
  show = { run = permuted_run, at = READ, focus = "banks" },
}

local pairs_run = pattern("pairs")
local in_pairs = pairs_run:event(READ)

predict {
  id = "pairs", title = "Two lanes, one word",
  [[Lanes 0 and 1 both read word 0, lanes 2 and 3 read word 1, and so on. Half of the banks have two customers each.]],
  ask = "How many wavefronts?", sure = true,
  answer = in_pairs.wavefronts, unit = "wavefronts",
  wrong = {
    [2] = "Two customers, but both want the same word.",
    [16] = "So many banks work, all at the same time.",
  },
  tips = { "Ask what a bank has to *fetch*, not whom it has to tell." },
  because = "A bank fetches its word once and every lane that wants it listens. {words} words, {banks} banks, {answer} "
    .. "wavefront.",
  words = in_pairs.distinct_words, banks = in_pairs.banks_used,
  show = { run = pairs_run, at = READ, focus = "banks" },
}

explain {
  title = "Sharing is free",
  [[
  {banks} cells are filled, and two lanes share each of them; a `+` says so where there is room. Reading the *same
  word* is never a conflict, with two lanes or with all 32. The word goes out once, to everybody who asked.
  ]],
  banks = in_pairs.banks_used,
}

local two_way_run = pattern("two-way")
local two_way = two_way_run:event(READ)

predict {
  id = "two-way", title = "Every second word",
  [[Lane `i` reads word `2 * i`: words 0, 2, 4, and so on. Only the even banks are asked.]],
  ask = "How many wavefronts?",
  answer = two_way.wavefronts, unit = "wavefronts",
  wrong = {
    [1] = "32 different words, and only the even banks: who gives the others?",
    [16] = "So many banks are asked. How many words has each of them to give?",
  },
  tips = { "Lane 0 reads word 0. Which lane reads word 32, and where is that?" },
  because = "Words 0 and 32 are both in bank 0. Two different words, two turns.",
  show = { run = two_way_run, at = READ, focus = "banks" },
}

explain {
  title = "A bank conflict",
  [[
  {banks} banks have two words to give, the other {idle} have none. A bank gives one word per wavefront, so the load
  takes {waves}.

  The extra one is the *conflict*. Nothing breaks: the warp waits, and the load costs twice.

  `v` shows other machines: 16 banks for half a warp at a time, or banks of 8 bytes.
  ]],
  banks = two_way.banks_used, idle = BANKS - two_way.banks_used, waves = two_way.wavefronts,
}

local three_way_run = pattern("three-way")
local three_way = three_way_run:event(READ)

predict {
  id = "three-way", title = "Four lanes, three words",
  [[
  Eight banks are asked, by four lanes each. But in every bank two of the four lanes want the same word, so only three
  words are wanted.
  ]],
  ask = "How many wavefronts?",
  answer = three_way.wavefronts, unit = "wavefronts",
  wrong = {
    [4] = "So many lanes. Two of them want the same word.",
    [8] = "So many banks, and they work at the same time.",
    [2] = "Three different words, one for each wavefront.",
  },
  tips = { "Is it lanes that queue, or words?" },
  because = "{answer}: different *words* in a bank queue, lanes do not. A slide calls n threads in a bank an n-way "
    .. "conflict; with its own four threads it is a three-way one.",
  show = { run = three_way_run, at = READ, focus = "banks" },
}

explain {
  title = "The whole rule",
  [[
  For each bank, count the *different words* that the warp wants from it. The largest count is the number of wavefronts.

  - one word each: no conflict
  - the same word for many: no conflict
  - n words in some bank: n wavefronts
  ]],
}

local READS = { ["word i / 2"] = in_pairs, ["word 2 * i"] = two_way, ["word i ^ 5"] = permuted,
                ["word 32 * i"] = pattern("column"):event(READ) }
local jammed = {}
for _, name in ipairs { "word i / 2", "word 2 * i", "word i ^ 5", "word 32 * i" } do
  jammed[#jammed + 1] = READS[name].conflicts > 0 and name or nil
end

hide()
predict {
  id = "which", title = "By the rule alone", kind = "several",
  [[Lane `i` reads ...]],
  ask = "Which of these loads have a conflict?",
  options = { "word i / 2", "word 2 * i", "word i ^ 5", "word 32 * i" }, answer = jammed,
  wrong = {
    ["word i / 2"] = "Two lanes want the same word, and share it.",
    ["word i ^ 5"] = "The same words in disorder: a bank for each.",
    ["word 2 * i"] = "Words 0 and 32 are in the same bank.",
    ["word 32 * i"] = "Which bank is word 32 in, and word 64?",
  },
  tips = { "Different words, and one bank." },
  because = "{some} wavefronts for every second word, {all} for every 32nd.",
  some = two_way.wavefronts, all = READS["word 32 * i"].wavefronts,
}

-- 3. strides ----------------------------------------------------------------------

local table_lines, stride_runs = {}, {}
for _, s in ipairs { 1, 2, 3, 4, 6, 16, 32 } do
  stride_runs[s] = strided(s)
  local read = stride_runs[s]:event(STRIDED)
  table_lines[#table_lines + 1] = string.format("  s = %2d   banks %2d   wavefronts %2d", s, read.banks_used,
    read.wavefronts)
end

show(stride_runs[6], { at = STRIDED, focus = "banks" })
explain {
  title = "Walking with a stride",
  "Lane `i` reads word `s * i`. Measured just now:\n\n" .. table.concat(table_lines, "\n")
    .. "\n\nBanks in use times wavefronts is 32 each time. Odd strides visit every bank. The picture is s = 6.",
}

local twelve_run = strided(12)
local twelve = twelve_run:event(STRIDED)

predict {
  id = "stride-12", title = "Stride 12",
  [[
  The lanes come back to bank 0 as soon as `s * i` is a multiple of 32. The count of wavefronts is the greatest common
  divisor of `s` and 32.
  ]],
  ask = "Stride 12: how many wavefronts?",
  answer = twelve.wavefronts, unit = "wavefronts",
  wrong = {
    [12] = "12 does not divide 32.",
    [3] = "3 does not divide 32.",
    [2] = "A larger number divides both.",
    [8] = "So many banks are in use.",
  },
  tips = { "Which powers of 2 divide both 12 and 32?" },
  because = "gcd(12, 32) = {answer}. Only the power of 2 in the stride counts; the 3 is harmless.",
}

local crowd = lanes_of_bank(twelve, 4)

hide()
predict {
  id = "crowd", title = "Who meets in bank 4?",
  [[The same load: lane `i` reads word `12 * i`.]],
  ask = "Which lanes want a word of bank 4?", kind = "mask", answer = crowd,
  wrong = {
    [0x08080808 & crowd & 0xff] = "Lane 3 reads word 36. Who comes back to its bank later?",
    [0x11111111] = "Bank 4, not every fourth lane.",
    [0x00000010] = "Lane 4 reads word 48: bank 16.",
  },
  tips = { "For which i is 12 * i % 32 = 4? The first one is below 4.",
           "From there on every eighth: 12 * 8 = 96 = 3 * 32." },
  because = "Lanes {lanes}: four words of one bank, one for each wavefront.", lanes = lanes_of(crowd),
  show = { run = twelve_run, at = STRIDED, focus = "banks" },
}

-- Strides of a range with so many wavefronts.
local function strides_with(waves, from, to)
  local found = {}
  for s = from, to do
    if strided(s):event(STRIDED).wavefronts == waves then
      found[#found + 1] = s
    end
  end
  return found
end

hide()
predict {
  id = "backwards", title = "The other way round",
  [[Somebody measures 8 wavefronts. The stride is between 17 and 31.]],
  ask = "Which stride is it?", unit = "",
  answer = strides_with(8, 17, 31)[1],
  wrong = {
    [20] = "gcd(20, 32) is 4.", [28] = "gcd(28, 32) is 4.", [18] = "gcd(18, 32) is 2.", [30] = "gcd(30, 32) is 2.",
  },
  tips = { "It is a multiple of 8, but not of twice that." },
  because = "{answer} = 3 * 8. {count} stride of this range has 8.",
  count = #strides_with(8, 17, 31) == 1 and "No other" or "Another",
}

local zero_run = strided(0)
local zero = zero_run:event(STRIDED)

predict {
  id = "zero", title = "Stride 0",
  [[With `s = 0` all 32 lanes read the same word of the same bank.]],
  ask = "How many wavefronts?",
  answer = zero.wavefronts, unit = "wavefronts",
  wrong = {
    [32] = "That is for different words in one bank.",
    [0] = "The word has to be fetched.",
  },
  tips = { "How many different words are there?" },
  because = "One word, one wavefront: a broadcast. gcd(0, 32) is 32, but the rule is for *different* words.",
  show = { run = zero_run, at = STRIDED, focus = "banks" },
}

local plain, moved = strided(2), strided(2, 5)

show(plain, { at = STRIDED, focus = "banks" })
predict {
  id = "start", title = "Does the start matter?", kind = "choice",
  [[You see a stride of 2 that starts at word 0. Now lane 0 starts at word 5 instead, with the same stride.]],
  ask = "What happens to the wavefronts?",
  options = { "fewer", "the same", "more" },
  answer = moved:event(STRIDED).wavefronts == plain:event(STRIDED).wavefronts and "the same"
    or moved:event(STRIDED).wavefronts < plain:event(STRIDED).wavefronts and "fewer" or "more",
  wrong = {
    fewer = "An odd start makes no odd stride.",
    more = "In global memory a start inside of a sector costs. Banks have no such borders.",
  },
  tips = { "Lanes 0 and 16 met in a bank. Where do both of them go?" },
  because = "All words move on by 5 banks together. Who meets whom stays as it was.",
  show = { run = moved, at = STRIDED, focus = "banks" },
}

run { kernel = "shared_stride", params = { s = 24 }, at = STRIDED, focus = "banks" }
try {
  id = "free-stride", title = "Your turn: out of the jam",
  [[
  Stride 24 is {waves} deep. Change `s`; the kernel runs again at once, and the banks show what you did.
  ]],
  waves = strided(24):event(STRIDED).wavefronts,
  goal = "Find a stride of 20 or more without any conflict.",
  params = { "s" }, solution = { s = 21 },
  tips = { "What do strides without conflict have in common?", "A number that shares no factor 2 with 32." },
  reached = function(r)
    local read = r:event(STRIDED)
    return r.parameters.s >= 20 and read.conflicts == 0,
      string.format("stride %d: %s", r.parameters.s, counted(read.wavefronts, "wavefront"))
  end,
}

local outside = measure { kernel = "shared_stride", form = "lecture", params = { s = 9 }, cut = "written" }
local beyond = outside:event(STRIDED)
local WORDS = 256   -- of the lecture's array

-- The first lane whose word is not in the array.
local function first_outside()
  for lane = 0, 31 do
    if beyond.addresses[lane] // WORD >= WORDS then
      return lane
    end
  end
end

hide()
predict {
  id = "outside", title = "A step too large",
  [[A lecture declares `float shared[256]` and reads word `s * threadIdx.x`. One warp, s = 9: odd, so there is no conflict.]],
  ask = "Which is the first lane that leaves the array?", unit = "",
  answer = first_outside(),
  wrong = {
    [first_outside() - 1] = "9 * {before} is {word}: the last words are still inside.",
    [31] = "That is the last lane. Some before it are outside, too.",
    [32] = "A warp has lanes 0 to 31.",
  },
  before = first_outside() - 1, word = 9 * (first_outside() - 1),
  tips = { "The last word is number 255. How often does 9 go into 255?" },
  because = "9 * {answer} is above 255. It is told as {told}; a GPU may say nothing, and give what lies there.",
  told = outside.faults[1].kind,
  show = { run = outside, at = STRIDED, focus = "banks" },
}

local walk = measure { kernel = "stride_walk" }

trace {
  id = "stores", title = "Be the banks",
  [[
  A warp stores now: lane `i` to word `s * i`, and s goes from {first} to {last}. Nobody said yet what stores cost.
  ]],
  first = walk.parameters.first, last = walk.parameters.last,
  run = walk, ask = "wavefronts", focus = "banks",
  at = { stored(3), stored(4), stored(5), stored(6), stored(8) },
  wrong = {
    [1] = { [3] = "3 is odd: every bank once." },
    [2] = { [1] = "Stores queue at the banks as loads do." },
    [4] = { [6] = "6 does not divide 32.", [3] = "Only the 2 in 6 counts." },
    [5] = { [4] = "32 / 4. How many banks does a stride of 8 visit?" },
  },
  tips = { "The greatest common divisor of s and 32." },
  because = "A store is no better and no worse than a load.",
}

-- 4. the transpose ------------------------------------------------------------------

local jam = measure { kernel = "transpose_32x32" }
local free = measure { kernel = "transpose_32x33" }
local row, column = jam:event(ROW), jam:event(COLUMN)

show(jam, { at = { kind = "barrier", block = 0, warp = 0 }, margin = "executions" })
say {
  title = "Why anybody reads columns",
  [[
  To transpose a matrix, a block copies a tile into shared memory by rows and out by columns. Global memory sees rows
  both times; the turn happens here.

  A block has 32 x 32 threads, a warp is one row of them: `ty` is the same for all its lanes, `tx` is the lane.
  ]],
}

predict {
  id = "jam", title = "Where is the jam?", kind = "line",
  [[Two lines use the tile. In one of them all 32 lanes want words of a single bank.]],
  ask = "Go to that line.",
  answer = COLUMN.line,
  wrong = {
    [ROW.line] = "Lane tx stores to column tx of one row: 32 words in a row, a bank for each.",
    ["__shared__ T tile"] = "The width is decided here. But who asks for the words?",
  },
  tips = { "Which index has the lane in it: the row's or the column's?" },
  because = "`tile[tx][ty]`: each lane has a row of its own, all the same column.",
  show = { run = jam, at = ROW, focus = "banks", margin = "executions" },
}

predict {
  id = "column", title = "Down a column",
  [[
  You see a row being stored: {row}. The warp reads `tile[tx][ty]`: one word of each of 32 rows. A row is 32 words long.
  ]],
  row = counted(row.wavefronts, "wavefront"),
  ask = "How many wavefronts does one such read take?",
  answer = column.wavefronts, unit = "wavefronts",
  wrong = {
    [1] = "So it is along a row. How far apart are the words of a column?",
    [31] = "So many are too many. How many are there in all?",
    [2] = "The tile has 32 rows, all of them in question.",
  },
  tips = { "This is a stride. Of how many words?" },
  because = "The stride is 32: every word of a column lies in the same bank. {answer} turns, and 31 banks idle in each "
    .. "of them.",
  show = { run = jam, at = COLUMN, focus = "banks" },
}

explain {
  title = "The worst there is",
  [[
  One bank, {words} words, {conflicts} conflicts. For the whole matrix of {n} x {n} the kernel made {all} of them.

  The remedy costs one number in the source.
  ]],
  words = column.distinct_words, conflicts = column.conflicts, all = jam.counters.shared_load_bank_conflicts,
  n = jam.parameters.n,
}

modify {
  id = "width", title = "One number",
  [[Make rows longer, so that no column lies in one bank. The new places may stay empty.]],
  kernel = "transpose_32x32", line = "__shared__ T tile", blank = "  __shared__ T tile[32][____];", fill = "33",
  accept = { "35", "37" },
  runs = { { n = 32 }, { n = 64, type = "double" } },
  wrong = {
    ["32"] = "Then each column is in one bank.",
    ["34"] = "Better, but 34 is even: two words meet in every second bank.",
    ["64"] = "64 is 0 more banks further: as bad as before, and twice the memory.",
    ["31"] = "The tile has 32 columns.",
  },
  offered = { "36" },
  judged = function(run)
    local conflicts = run.counters.shared_load_bank_conflicts + run.counters.shared_store_bank_conflicts
    return conflicts == 0, counted(conflicts, "conflict")
  end,
  tips = { "The length of a row is the stride of a column.", "Odd strides visit every bank." },
  because = "Any odd width does. 33 costs the least memory.",
}

-- Lane 7 of the first column read is row 7 of column 0; three columns on is bank + 3.
local first_column = free:event(COLUMN)
local row_7 = first_column.addresses[7] // WORD - first_column.addresses[0] // WORD

predict {
  id = "diagonal", title = "One column that nobody uses",
  [[A row is 33 words long now; the last word of each is never touched. The tile begins at bank 0.]],
  ask = "In which bank is column 3 of row 7?", unit = "",
  answer = (row_7 + 3) % BANKS,
  wrong = {
    [3] = "So it was with rows of 32 words.",
    [7] = "That is where row 7 begins.",
    [21] = "Rows follow one another: 7 rows of 33 words, then 3 more.",
  },
  tips = { "Which word is it? 7 rows, and 3 more.", "Each row begins one bank further." },
  because = "Word 7 * 33 + 3. Row r begins at bank r, and so a column is a diagonal.",
  show = { run = free, at = COLUMN, focus = "banks" },
}

explain {
  title = "Padding",
  [[
  The column runs through all banks. Conflicts of the whole kernel: {before} before, {after} now. The price is 32 words,
  {bytes} bytes of the block's shared memory.

  A slide says that a column's stride is 17 now. It is {stride}; 17 is left over from a tile of 16.
  ]],
  before = jam.counters.shared_load_bank_conflicts, after = free.counters.shared_load_bank_conflicts, bytes = 32 * WORD,
  stride = first_column.addresses[1] // WORD - first_column.addresses[0] // WORD,
}

local double_jam = measure { kernel = "transpose_32x32", params = { type = "double" } }
local double_row, double_column = double_jam:event(ROW), double_jam:event(COLUMN)

predict {
  id = "double-row", title = "A row of doubles",
  [[With `double` every lane stores 8 bytes: two words, in two banks. A warp stores one row of the tile.]],
  ask = "How many wavefronts?", sure = true,
  answer = double_row.wavefronts, unit = "wavefronts",
  wrong = {
    [1] = "Can 32 banks take 64 words in one turn?",
    [32] = "The words lie in a row: all banks are in use.",
    [64] = "So many words, 32 at a time.",
  },
  tips = { "How many words are that? How many can go at once?" },
  because = "{answer}, and {conflicts} conflicts: 64 words through 32 banks cannot take fewer.",
  conflicts = double_row.conflicts,
  show = { run = double_jam, at = ROW, focus = "banks" },
}

local wide = measure { kernel = "transpose_32x33", params = { type = "double" } }
local wide_column = wide:event(COLUMN)

predict {
  id = "double-column", title = "A column of doubles",
  [[Down a column the tile of doubles takes {jam} wavefronts. Now it has a column to spare: `tile[32][33]`.]],
  jam = double_column.wavefronts,
  ask = "How many wavefronts for a column?",
  answer = wide_column.wavefronts, unit = "wavefronts",
  wrong = {
    [1] = "64 words, as before.",
    [double_column.wavefronts] = "A row is 2 x 33 = 66 words long now. Which bank does the next row begin at?",
    [4] = "Rows begin 2 banks further, and each lane takes 2 banks: nobody meets more often than he must.",
  },
  tips = { "The best possible is what a row takes." },
  because = "{answer}: no conflict. The slide's 32-way conflict is of banks with 8 bytes; with ours it is {jam} where "
    .. "{answer} would do.",
  show = { run = wide, at = COLUMN, focus = "banks" },
}

local function recorded(kernel)
  return measure { kernel = kernel, timing = true, device = "recorded", cut = "compiled" }
end
local slow, fast = recorded "transpose_32x32", recorded "transpose_32x33"

explain {
  title = "What it is worth",
  [[
  A lecture says: twice as fast. On an H200 a matrix of {n} x {n} takes {slow} us with 32 columns, {fast} us with 33:
  {gain} times.

  Not 32 times: only one of the four accesses was slow, and the other three go on while it waits.
  ]],
  n = slow.parameters.n, slow = string.format("%.0f", slow.time), fast = string.format("%.0f", fast.time),
  gain = string.format("%.1f", slow.time / fast.time),
}

-- 5. another remedy ------------------------------------------------------------------

local swizzle_run = pattern("xor")
local swizzled = swizzle_run:event(READ)

show(swizzle_run, { at = READ, focus = "banks" })
explain {
  title = "Without a spare column",
  [[
  Instead of longer rows one can *store* the words of a row in another order. Column `c` of row `r` goes to place `c ^
  r`.

  This is column 3 of a 32 x 32 tile kept that way: lane `i` reads word `32 * i + (i ^ 3)`. It takes {waves} and not a
  byte more memory. That is a *swizzle*.
  ]],
  waves = counted(swizzled.wavefronts, "wavefront"),
}

show(jam, { margin = "executions" })
make {
  id = "swizzle", title = "A swizzle of your own",
  [[
  Rows of 32 words, {bytes} bytes, and no conflict. Store column c of row r at place `c ^ r`, and find it again.
  ]],
  bytes = 32 * 32 * WORD,
  kernel = "transpose_32x32", from = "tile[ty][tx] = in", to = "out[row * n + col] = tile",
  starter = [[
  tile[ty][tx] = in[row * n + col];
  __syncthreads();
  col = blockIdx.y * 32 + tx;
  row = blockIdx.x * 32 + ty;
  out[row * n + col] = tile[tx][ty];]],
  solution = [[
  tile[ty][tx ^ ty] = in[row * n + col];
  __syncthreads();
  col = blockIdx.y * 32 + tx;
  row = blockIdx.x * 32 + ty;
  out[row * n + col] = tile[tx][ty ^ tx];]],
  others = {
    { "turned", right = true, [[
  tile[ty][(tx + ty) % 32] = in[row * n + col];
  __syncthreads();
  col = blockIdx.y * 32 + tx;
  row = blockIdx.x * 32 + ty;
  out[row * n + col] = tile[tx][(ty + tx) % 32];]] },
    { "stored only", [[
  tile[ty][tx ^ ty] = in[row * n + col];
  __syncthreads();
  col = blockIdx.y * 32 + tx;
  row = blockIdx.x * 32 + ty;
  out[row * n + col] = tile[tx][ty];]], says = "Who reads has to look where the other one put it." },
    { "as it was", [[
  tile[ty][tx] = in[row * n + col];
  __syncthreads();
  col = blockIdx.y * 32 + tx;
  row = blockIdx.x * 32 + ty;
  out[row * n + col] = tile[tx][ty];]], says = "Right, and in one bank." },
  },
  runs = { { n = 32 }, { n = 64 } },
  judged = function(run)
    local conflicts = run.counters.shared_load_bank_conflicts + run.counters.shared_store_bank_conflicts
    return conflicts == 0, counted(conflicts, "conflict")
  end,
  tips = { "The store has row ty and column tx.", "The read has row tx and column ty." },
  because = "Row and column are swapped in the read, and `^` does not mind.",
}

-- 6. to keep ------------------------------------------------------------------------------

hide()
predict {
  id = "widths", title = "No picture", kind = "order",
  [[A tile of floats is read by columns.]],
  ask = "Put the declarations in order, the fewest wavefronts first.",
  lines = { "tile[32][33]", "tile[32][30]", "tile[32][28]", "tile[32][24]", "tile[32][32]" },
  wrong = {
    ["tile[32][32]"] = "Its columns lie in one bank each.",
    ["tile[32][33]"] = "33 is odd.",
  },
  tips = { "Which power of 2 divides the length of a row?" },
  because = "{a}, {b}, {c}, {d} and {e} wavefronts.",
  a = strided(33):event(STRIDED).wavefronts, b = strided(30):event(STRIDED).wavefronts,
  c = strided(28):event(STRIDED).wavefronts, d = strided(24):event(STRIDED).wavefronts, e = column.wavefronts,
}

rubric {
  id = "conflict",
  title = "In your own words",
  ask = "What is a bank conflict, what does it cost, and how do you get rid of one?",
  model = [[
  Shared memory has 32 banks; word w is in bank w % 32. When lanes of a warp want different words of one bank, the bank
  gives one per wavefront, so the fullest bank sets the time. The same word is shared, free. A stride costs gcd(s, 32);
  an odd row length or a swizzle is the cure.
  ]],
  points = {
    "banks, and how words are dealt to them", "different words of the same bank queue",
    "the fullest bank sets the time",
    "the same word is shared", "strides: gcd, or odd is free", "a cure: padding or a swizzle",
  },
}

check { draw = 5 }

recite {
  title = "The rules, from memory",
  ask = "The rules of banks, one line each. Do not look back.",
  [[
  - Word `w` is in bank `w % 32`.
  - The most different words in one bank are the wavefronts.
  - The same word for many lanes is free.
  - Stores queue as loads do.
  - A stride costs gcd(s, 32); odd strides nothing.
  - A spare column, or a swizzle, frees a tile's columns.
  ]],
}

finish {
  title = "Banks: what to keep",
  [[
  Order is free, sharing is free, the start is free. What costs is different words in one bank, and it is the power of
  2 in a stride that brings them there.

  Next: tiles at work.
  ]],
  next = "L12",
}
