-- Questions drawn for L11, Banks.

local READ = { line = "out[lane] = words[w]", kind = "load" }
local STRIDED = { line = "float foo = shared", kind = "load" }
local COLUMN = { line = "out[row * n + col] = tile", kind = "load", block = 0, warp = 0 }

local function strided(s, base)
  return measure({ kernel = "shared_stride", params = { s = s, baseIndex = base or 0 } }):event(STRIDED)
end

local function pattern(name)
  return measure({ kernel = "bank_patterns", params = { pattern = name } }):event(READ)
end

-- The word that a lane read, as the load has it.
local function word_of(load, lane)
  return load.addresses[lane] // 4
end

local TIPS = { "Word w is in bank w % 32.", "Which lane comes back to the bank of lane 0?" }

-- ---- where a word is -----------------------------------------------------------------------------------------------

local function bank_of_word(d)
  local load, lane = strided(33, d.integer(0, 31)), d.integer(3, 31)
  local word = word_of(load, lane)
  return {
    [[A kernel keeps floats in shared memory. It reads word {word}.]], word = word, row = word // 32,
    ask = "Which bank is it in?", answer = word % 32, unit = "",
    wrong = { [word // 32] = "That is its row, if words are written in rows of 32. The column is the bank." },
    tips = { "Words are dealt to 32 banks in turn.", "Take away 32 until it is below 32." },
    because = "{word} = 32 * {row} + {answer}.",
  }
end

local function bank_of_byte(d)
  local word = d.integer(33, 500)
  return {
    [[A word of 4 bytes begins at byte {byte} of shared memory.]], byte = 4 * word, word = word,
    ask = "Which bank is it in?", answer = word % 32, unit = "",
    wrong = { [4 * word % 32] = "Bytes are not banks: a bank is 4 bytes wide." },
    tips = { "Which word is that?", "It is word {word}." },
    because = "It is word {word}, and {word} % 32 is {answer}.",
  }
end

local function neighbor_in_bank(d)
  local word, turns = d.integer(2, 30), d.integer(2, 6)
  return {
    [[Word {word} is in some bank. Going up, other words are in the same one.]], word = word, turns = turns,
    ask = "Which is number {turns} of those that follow it?", answer = word + 32 * turns, unit = "",
    wrong = {
      [word + turns] = "The next word is in the next bank.",
      [word + 16 * turns] = "There are 32 banks.",
      [32 * turns] = "That one is in bank 0.",
    },
    tips = { "How many banks are there until it begins anew?" },
    because = "The banks begin anew every 32 words: {word} + 32 * {turns}.",
  }
end

-- ---- wavefronts of a stride ----------------------------------------------------------------------------------------

local function waves_of_stride(d)
  local s = d.pick { d.integer(2, 15) * 2, d.integer(1, 16) * 2 + 1, d.pick { 4, 12, 20, 28 }, d.pick { 8, 16, 24, 32 } }
  local base = d.integer(0, 31)
  local load = strided(s, base)
  return {
    [[Lane `i` reads word {base} + {s} * i of shared memory.]], s = s, base = base, banks = load.banks_used,
    class = load.wavefronts == 1 and "free" or "queue",
    ask = "How many wavefronts does the load take?", answer = load.wavefronts, unit = "wavefronts",
    wrong = {
      [s] = "That is the stride. What counts is how many of its words meet in a bank.",
      [load.banks_used] = "So many banks are asked. Turns are 32 divided by that.",
      [32] = load.wavefronts < 32 and "Not all of them are in one bank." or nil,
    },
    tips = TIPS, because = "{banks} banks hold the 32 words: 32 / {banks} = {answer}, the greatest common divisor of {s} and 32.",
  }
end

local function banks_of_stride(d)
  local s = d.pick { 2, 3, 4, 6, 8, 10, 12, 16, 20, 24, 32 }
  local load = strided(s, d.integer(0, 31))
  return {
    [[Lane `i` reads word {s} * i.]], s = s, waves = load.wavefronts,
    class = load.wavefronts == 1 and "free" or "queue",
    ask = "How many banks are asked at all?", answer = load.banks_used, unit = "banks",
    wrong = {
      [load.wavefronts] = "That many words wait in each of these banks.",
      [32 // s] = "Going on beyond word 31, the stride may hit banks that it left out.",
    },
    tips = TIPS, because = "{answer} banks, with {waves} words each: 32 in all.",
  }
end

local function waves_of_store(d)
  local s = d.pick { d.integer(1, 15) * 2, d.integer(1, 15) * 2 + 1, d.pick { 4, 12, 20, 28 }, d.pick { 8, 16, 24, 32 } }
  local r = measure { kernel = "stride_walk", params = { first = s, last = s } }
  local store = r:event { line = "words[s * lane] = value", kind = "store" }
  return {
    [[Lane `i` stores to word {s} * i of shared memory.]], s = s, banks = store.banks_used,
    class = store.wavefronts == 1 and "free" or "queue",
    ask = "How many wavefronts does the store take?", answer = store.wavefronts, unit = "wavefronts",
    wrong = d.except(store.wavefronts, {
      [1] = "Stores queue at the banks as loads do.", [s] = "How many of the words meet in a bank?",
      [store.banks_used] = "So many banks are in use.",
    }),
    tips = TIPS, because = "32 words in {banks} banks.",
  }
end

local function free_stride(d)
  local odd = d.integer(2, 14) * 2 + 1
  local list = d.shuffle { odd, d.pick { 6, 10, 14, 18 }, d.pick { 4, 12, 20, 28 }, d.pick { 8, 16, 24, 32 } }
  local answer
  for _, s in ipairs(list) do
    answer = strided(s).conflicts == 0 and s or answer
  end
  return {
    [[Lane `i` reads word s * i of shared memory.]],
    ask = "Which s makes no conflict?", options = list, answer = answer, s = answer,
    because = "{s} shares no factor with 32: it visits each bank once.",
  }
end

-- ---- sharing a word ------------------------------------------------------------------------------------------------

local function waves_of_pattern(d)
  local texts = {
    order = "word i", permuted = "word i ^ 5", pairs = "word i / 2, rounded down", ["two-way"] = "word 2 * i",
    column = "word 32 * i", xor = "word 32 * i + (i ^ 3)",
  }
  local name = d.pick { "order", "permuted", "pairs", "two-way", "two-way", "column", "column", "xor" }
  local load = pattern(name)
  local q = {
    [[Lane `i` reads {words} of shared memory.]], words = texts[name], different = load.distinct_words, banks = load.banks_used,
    class = name == "pairs" and "shared" or load.wavefronts == 1 and "free" or "queue",
    ask = "How many wavefronts does the load take?", answer = load.wavefronts, unit = "wavefronts",
    wrong = { [32] = load.wavefronts < 32 and "Write down the banks of lanes 0, 1, 2 and 3." or nil },
    tips = { "How many different words are there?", "Which of them are in the same bank?" },
    because = "{different} different words in {banks} banks.",
  }
  if name == "pairs" then
    q.wrong[2] = "The two lanes want the same word, and share it."
  elseif name == "two-way" then
    q.wrong[1] = "Words 0 and 32 are both in bank 0."
  end
  return q
end

-- n lanes on each word of one bank, or of several.
local function lanes_and_words(d)
  local words = d.integer(2, 8)
  local lanes = words * d.integer(2, 4)
  return {
    [[In one bank {lanes} lanes want {words} different words. The other banks are asked for one word each.]],
    lanes = lanes, words = words,
    ask = "How many wavefronts does the load take?", answer = words, unit = "wavefronts",
    wrong = {
      [lanes] = "Lanes do not queue, words do: who wants the same word shares it.",
      [words - 1] = "That many conflicts: wavefronts beyond the first.",
      [1] = "A bank gives one word per wavefront.",
    },
    tips = { "What has the bank to fetch?" },
    because = "One wavefront for each different word of the busiest bank.",
  }
end

local function share_or_queue(d)
  local load = strided(d.pick { 0, 0, 2, 16, 32, 1, 31 }, d.integer(0, 31))
  local first, other = word_of(load, 0), word_of(load, 16)
  local words = { "they share it", "they queue", "neither: two banks" }
  local answer = first == other and words[1] or first % 32 == other % 32 and words[2] or words[3]
  return {
    [[In one load, lane 0 reads word {first}, and lane 16 reads word {other}.]], first = first, other = other,
    class = ({ "shared", "queue", "apart" })[first == other and 1 or first % 32 == other % 32 and 2 or 3],
    ask = "What happens at the banks?", options = words, answer = answer,
    wrong = {
      ["they queue"] = "For a conflict it takes one bank and two different words.",
      ["they share it"] = "Only the very same word can be shared.",
      ["neither: two banks"] = "Take both numbers % 32.",
    },
    because = "{first} % 32 is {one}, {other} % 32 is {two}.", one = first % 32, two = other % 32,
  }
end

-- ---- columns of tiles ----------------------------------------------------------------------------------------------

local function column_waves(d)
  local width = d.pick { d.integer(8, 16) * 2, d.integer(10, 16) * 2 + 1, d.pick { 12, 20, 24, 28 }, d.pick { 16, 32 } }
  local load = strided(width)
  return {
    [[A tile of floats is declared `tile[32][{width}]`. A warp reads down a column.]], width = width,
    class = load.wavefronts == 1 and "free" or "queue",
    ask = "How many wavefronts does one such read take?", answer = load.wavefronts, unit = "wavefronts",
    wrong = {
      [32] = load.wavefronts < 32 and "That is so with rows of 32 words." or nil,
      [1] = "Rows of {width} words: the column comes back to bank 0 before all banks were asked.",
      [width] = "That is the length of a row.",
    },
    tips = { "A column is a stride. Of how many words?" },
    because = "The stride is {width}, and gcd({width}, 32) = {answer}.",
  }
end

local function spare_columns(d)
  local width = d.pick { 16, 20, 24, 28 }
  local spare = d.integer(1, 4)
  local now, padded = strided(width), strided(width + spare)
  return {
    [[`tile[32][{width}]` of floats, read by columns. Now its rows are made longer by {spare}.]],
    width = width, spare = spare, before = now.wavefronts,
    class = padded.wavefronts == 1 and "free" or "queue",
    ask = "How many wavefronts does a column take then?", answer = padded.wavefronts, unit = "wavefronts",
    wrong = {
      [now.wavefronts - 1] = "Look at the new stride by itself: it has another divisor in common with 32.",
      [32] = padded.wavefronts < 32 and "Not all words are in one bank." or nil,
    },
    tips = { "What is the stride of a column now?" }, because = "The stride is {now} now, before it took {before}.", now = width + spare,
  }
end

local function column_conflicts(d)
  local padded, double = d.chance(0.4), d.chance(0.5)
  local kernel, type_name = padded and "transpose_32x33" or "transpose_32x32", double and "double" or "float"
  local load = measure({ kernel = kernel, params = { type = type_name } }):event(COLUMN)
  return {
    [[A tile `{type} tile[32][{width}]` is read down a column by one warp.]], type = type_name, width = padded and 33 or 32,
    class = (padded and "free" or "queue") .. (double and "_wide" or ""),
    ask = "How many wavefronts does it take?", answer = load.wavefronts, unit = "wavefronts",
    wrong = { [load.conflicts] = load.conflicts > 0 and "Those are the conflicts: wavefronts beyond what it takes anyway." or nil },
    tips = { "How many words does a warp want in all?", "How many of them are in the busiest bank?" },
    because = "{words} different words from {banks} banks, {conflicts} of the wavefronts are conflicts.",
    words = load.distinct_words, banks = load.banks_used, conflicts = load.conflicts,
  }
end

-- ---- cures ---------------------------------------------------------------------------------------------------------

local function cure_by_width(d)
  local good = d.pick { 33, 31, 35, 29, 37 }
  local bad = d.shuffle { 34, 36, 40, 48, 30, 28 }
  local list = d.shuffle { good, bad[1], bad[2], 32 }
  return {
    [[A tile of floats, `tile[32][W]`, is read by columns. Which W leaves no conflict?]],
    ask = "W is", options = list, answer = good, W = good,
    wrong = { [32] = "Then a column is in one bank.", [34] = "34 is even: two words meet in each bank of every second one." },
    because = "{W} is odd, so a column visits every bank once.",
  }
end

local function price_of_padding(d)
  local rows, size = d.pick { 16, 32, 64, 24, 48 }, d.pick { 4, 8 }
  return {
    [[A tile of {rows} rows gets one column that nobody uses. An element has {size} bytes.]], rows = rows, size = size,
    ask = "How many bytes of shared memory does that cost a block?", answer = rows * size, unit = "bytes",
    wrong = { [size] = "One element in each row.", [rows] = "That is the number of elements.", [32 * size] = "The tile has {rows} rows." },
    because = "{rows} rows, {size} bytes in each.",
  }
end

local function swizzled(d)
  local row, column = d.integer(1, 31), d.integer(0, 31)
  return {
    [[
    A tile of 32 x 32 words is stored with a swizzle. Column `c` of row `r` goes to place `c ^ r` of the row.
    ]],
    row = row, column = column,
    ask = "In which bank is column {column} of row {row}?", answer = column ~ row, unit = "",
    wrong = { [column] = "So it would be without the swizzle.", [(column + row) % 32] = "`^` is exclusive or: bits that differ." },
    tips = { "Write both as five bits.", "A bit of the result is set where the two differ." },
    because = "{column} ^ {row} = {answer}; a row begins at bank 0.",
  }
end

return {
  skill { id = "word", family = "FQ5", looks = { bank_of_word, bank_of_byte, neighbor_in_bank } },
  skill { id = "count", family = "FQ5", looks = { waves_of_stride, banks_of_stride, free_stride, waves_of_store } },
  skill { id = "share", family = "FQ5", looks = { waves_of_pattern, lanes_and_words, share_or_queue } },
  skill { id = "columns", family = "FQ5", looks = { column_waves, spare_columns, column_conflicts } },
  skill { id = "cure", family = "FQ5", looks = { cure_by_width, price_of_padding, swizzled } },
}
