-- L11: shared memory is 32 banks wide, and what happens when lanes crowd into one.

local READ = { line = "out[lane] = words[w]", kind = "load" }
local STRIDED = { line = "float foo = shared", kind = "load" }
local COLUMN = { line = "out[row * n + col] = tile", kind = "load", block = 0, warp = 0 }
local ROW = { line = "tile[ty][tx] = in", kind = "store", block = 0, warp = 0 }

local function pattern(name)
  return measure { kernel = "bank_patterns", params = { pattern = name } }
end

local function strided(s, base)
  return measure { kernel = "shared_stride", params = { s = s, baseIndex = base or 0 } }
end

recall(2)

-- 1. the building ------------------------------------------------------------

local order = pattern("order")
local in_order = order:event(READ)

show(order, { at = READ, focus = "banks" })
say {
  title = "32 counters, one clerk each",
  [[
  Shared memory is cut into 32 *banks*. Each of them can hand out one word of 4 bytes at a time. Neighboring words lie in
  neighboring banks: word 0 in bank 0, word 31 in bank 31. Word 32 is in bank 0 again.

  A warp asks for 32 words at once. This lesson is about one question: how many turns does that take?
  ]],
}

-- Lane 2 of this run reads word 11 + 33 * 2 = 77.
local seventy_seven = strided(33, 11):event(STRIDED).addresses[2] // 4

predict {
  title = "Where is word {word}?",
  [[
  Word `w` is in bank `w % 32`. Put differently, write the words in rows of 32; the column is the bank.
  ]],
  ask = "In which bank is word {word}?",
  word = seventy_seven,
  answer = seventy_seven % 32, unit = "",
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
  title = "In disorder",
  [[Now lane `i` reads word `i ^ 5`: {first} and so on. The words are the same, the lanes are shuffled.]],
  first = (function()
    local words = {}
    for lane = 0, 5 do words[#words + 1] = lane ~ 5 end
    return table.concat(words, ", ")
  end)(),
  ask = "How many wavefronts?",
  answer = permuted.wavefronts, unit = "wavefronts",
  because = "Still one. A crossbar brings any word to any lane; order costs nothing.",
}

show(permuted_run, { at = READ, focus = "banks" })

local pairs_run = pattern("pairs")
local in_pairs = pairs_run:event(READ)

predict {
  title = "Two lanes, one word",
  [[Lanes 0 and 1 both read word 0, lanes 2 and 3 read word 1, and so on. Half of the banks have two customers each.]],
  ask = "How many wavefronts?",
  answer = in_pairs.wavefronts, unit = "wavefronts",
  tips = { "Ask what a bank has to *fetch*, not whom it has to tell." },
  because = "A bank fetches its word once and every lane that wants it listens. {words} words, {banks} banks, {answer} wavefront.",
  words = in_pairs.distinct_words, banks = in_pairs.banks_used,
}

show(pairs_run, { at = READ, focus = "banks" })
explain {
  title = "Sharing is free",
  [[
  {banks} cells are filled, and two lanes share each of them; a `+` says so where there is room. Reading the *same word* is never
  a conflict, with two lanes or with all 32. The word goes out once, to everybody who asked.
  ]],
  banks = in_pairs.banks_used,
}

local two_way_run = pattern("two-way")
local two_way = two_way_run:event(READ)

predict {
  title = "Every second word",
  [[Lane `i` reads word `2 * i`: words 0, 2, 4, and so on. Only the even banks are asked.]],
  ask = "How many wavefronts?",
  answer = two_way.wavefronts, unit = "wavefronts",
  tips = { "Lane 0 reads word 0. Which lane reads word 32, and where is that?" },
  because = "Words 0 and 32 are both in bank 0. Two different words, two turns.",
}

show(two_way_run, { at = READ, focus = "banks" })
explain {
  title = "A bank conflict",
  [[
  {banks} banks have two words to give, the other {idle} have none. A bank gives one word per wavefront, so the load takes {waves}.

  The extra one is the *conflict*. Nothing breaks: the warp waits, and the load costs twice.

  `v` shows other machines: fewer banks, for half a warp at a time, or banks of 8 bytes.
  ]],
  banks = two_way.banks_used, idle = 32 - two_way.banks_used, waves = two_way.wavefronts,
}

local three_way_run = pattern("three-way")
local three_way = three_way_run:event(READ)

predict {
  title = "Four lanes, three words",
  [[
  Eight banks are asked, by four lanes each. But in every bank two of the four lanes want the same word, so only three words
  are wanted.
  ]],
  ask = "How many wavefronts?",
  answer = three_way.wavefronts, unit = "wavefronts",
  tips = { "Is it lanes that queue, or words?" },
  because = "{answer}: different *words* in a bank queue, lanes do not. It is a three-way conflict with four lanes.",
}

show(three_way_run, { at = READ, focus = "banks" })
explain {
  title = "The whole rule",
  [[
  For each bank, count the *different words* that the warp wants from it. The largest count is the number of wavefronts.

  - one word each: no conflict
  - the same word for many: no conflict
  - n words in some bank: n wavefronts
  ]],
}

-- 3. strides ----------------------------------------------------------------------

local table_lines, stride_runs = {}, {}
for _, s in ipairs { 1, 2, 3, 4, 6, 16, 32 } do
  stride_runs[s] = strided(s)
  local read = stride_runs[s]:event(STRIDED)
  table_lines[#table_lines + 1] = string.format("  s = %2d   banks %2d   wavefronts %2d", s, read.banks_used, read.wavefronts)
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
  title = "Stride 12",
  [[
  The lanes come back to bank 0 as soon as `s * i` is a multiple of 32. The count of wavefronts is the greatest common
  divisor of `s` and 32.
  ]],
  ask = "Stride 12: how many wavefronts?",
  answer = twelve.wavefronts, unit = "wavefronts",
  tips = { "Which powers of 2 divide both 12 and 32?" },
  because = "gcd(12, 32) = {answer}. Only the power of 2 in the stride counts; the 3 is harmless.",
}

show(twelve_run, { at = STRIDED, focus = "banks" })

local zero = strided(0):event(STRIDED)

predict {
  title = "Stride 0",
  [[With `s = 0` all 32 lanes read the same word of the same bank.]],
  ask = "How many wavefronts?",
  answer = zero.wavefronts, unit = "wavefronts",
  because = "One word, one wavefront: a broadcast. gcd(0, 32) is 32, but the rule is for *different* words.",
}

local plain, moved = strided(2), strided(2, 5)

show(plain, { at = STRIDED, focus = "banks" })
predict {
  title = "Does the start matter?",
  [[You see a stride of 2 that starts at word 0. Now lane 0 starts at word 5 instead, with the same stride.]],
  ask = "What happens to the wavefronts?",
  options = { "fewer", "the same", "more" },
  answer = moved:event(STRIDED).wavefronts == plain:event(STRIDED).wavefronts and "the same"
    or moved:event(STRIDED).wavefronts < plain:event(STRIDED).wavefronts and "fewer" or "more",
  because = "All words move on by 5 banks together. Who meets whom stays as it was.",
}

run { kernel = "shared_stride", params = { s = 24 }, at = STRIDED, focus = "banks" }
try {
  title = "Your turn: out of the jam",
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

-- 4. the transpose ------------------------------------------------------------------

local jam = measure { kernel = "transpose_32x32" }
local free = measure { kernel = "transpose_32x33" }
local row, column = jam:event(ROW), jam:event(COLUMN)

show(jam, { at = ROW, focus = "banks" })
explain {
  title = "Why anybody reads columns",
  [[
  To transpose a matrix, a block copies a tile into shared memory by rows and out by columns. Global memory sees rows both
  times; the turn happens here.

  A warp writes one row of the tile: {waves}.
  ]],
  waves = counted(row.wavefronts, "wavefront"),
}

predict {
  title = "Down a column",
  [[
  Now the warp reads `tile[tx][ty]`: one word of each of 32 rows. The tile is `float tile[32][32]`, so a row is 32 words long.
  ]],
  ask = "How many wavefronts does one such read take?",
  answer = column.wavefronts, unit = "wavefronts",
  tips = { "This is a stride. Of how many words?" },
  because = "The stride is 32: every word of a column lies in the same bank. {answer} turns, and all other banks idle in each of them.",
}

show(jam, { at = COLUMN, focus = "banks" })
explain {
  title = "The worst there is",
  [[
  One bank, {words} words, {conflicts} conflicts. For the whole matrix of {n} x {n} the kernel made {all} of them.

  The remedy costs one number in the source: `tile[32][33]`.
  ]],
  words = column.distinct_words, conflicts = column.conflicts, all = jam.counters.shared_load_bank_conflicts,
  n = jam.parameters.n,
}

predict {
  title = "One column that nobody uses",
  [[A row is 33 words long now; the last word of each is never touched.]],
  ask = "How many wavefronts does the column read take?",
  answer = free:event(COLUMN).wavefronts, unit = "wavefronts",
  because = "Row `r` of a column is word 33 r, in bank (33 r) % 32 = r. Each row is one bank further: a diagonal.",
}

show(free, { at = COLUMN, focus = "banks" })
explain {
  title = "Padding",
  [[
  The column runs through all banks. Conflicts of the whole kernel: {before} before, {after} now.

  The price is 32 words, {bytes} bytes of the block's shared memory. Rows are as good as before: words that follow one
  another never conflict.
  ]],
  before = jam.counters.shared_load_bank_conflicts, after = free.counters.shared_load_bank_conflicts, bytes = 32 * 4,
}

local wide = measure { kernel = "transpose_32x33", params = { type = "double" } }
local wide_column = wide:event(COLUMN)

predict {
  title = "Doubles",
  [[With `double` every lane reads 8 bytes: two words, in two banks. 2 x 32 = 64 words are wanted, and there are 32 banks.]],
  ask = "The padded tile of doubles: how many wavefronts for a column?",
  answer = wide_column.wavefronts, unit = "wavefronts",
  tips = { "Can 32 banks give twice as many words in one turn?" },
  because = "{answer}, and it is no conflict: so many words from 32 banks cannot take fewer. The padding works for doubles too.",
}

-- 5. another remedy ------------------------------------------------------------------

local swizzle_run = pattern("xor")
local swizzled = swizzle_run:event(READ)

show(swizzle_run, { at = READ, focus = "banks" })
explain {
  title = "Without a spare column",
  [[
  Instead of longer rows one can *store* the words of a row in another order. Column `c` of row `r` goes to place `c ^ r`.

  This is column 3 of a 32 x 32 tile kept that way: lane `i` reads word `32 * i + (i ^ 3)`. It takes {waves} and not a byte
  more memory. That is a *swizzle*.
  ]],
  waves = counted(swizzled.wavefronts, "wavefront"),
}

run { kernel = "bank_patterns", params = { pattern = "column" }, at = READ, focus = "banks" }
try {
  title = "Your turn: fewer words, no queue",
  [[The patterns of this kernel are the ones you have seen. Choose another one, and watch words and wavefronts.]],
  goal = "Find a pattern that fetches fewer than 32 different words and has no conflict.",
  params = { "pattern" }, solution = { pattern = "pairs" },
  tips = { "Fewer words than lanes means that lanes share.", "Shared words are free if the words are in different banks." },
  reached = function(r)
    local read = r:event(READ)
    return read.distinct_words < 32 and read.conflicts == 0,
      string.format("%s: %s, %s", r.parameters.pattern, counted(read.distinct_words, "word"), counted(read.wavefronts, "wavefront"))
  end,
}

-- 6. check -----------------------------------------------------------------------------

hide()
rubric {
  id = "conflict",
  title = "In your own words",
  ask = "What is a bank conflict, what does it cost, and how do you get rid of one?",
  model = [[
  Shared memory has 32 banks; word w is in bank w % 32. When lanes of a warp want different words of one bank, the bank gives
  one per wavefront, so the fullest bank sets the time. The same word is shared, free. A stride costs gcd(s, 32); an odd row
  length or a swizzle is the cure.
  ]],
  points = {
    "banks, and how words are dealt to them", "different words of the same bank queue", "the fullest bank sets the time",
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
  - A stride costs gcd(s, 32); odd strides nothing.
  - A spare column, or a swizzle, frees a tile's columns.
  ]],
}

finish {
  title = "Banks: what to keep",
  [[
  - Word `w` is in bank `w % 32`.
  - The most different words in one bank are the wavefronts.
  - The same word for many lanes is free.
  - A stride costs gcd(s, 32); odd strides nothing.
  - A spare column, or a swizzle, frees a tile's columns.
  ]],
  next = "L12",
}
