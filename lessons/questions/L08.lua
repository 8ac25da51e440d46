-- Questions drawn for L08, Global memory.

local LOAD = { line = "out[lane] = base[word]", kind = "load" }
local STORE = { line = "sums[step] = sum", kind = "store" }
local FIRST_X = { line = "float x = data", kind = "load" }

local function pattern(name, offset)
  return measure({ kernel = "load_patterns", params = { pattern = name, offset = offset or 0 } }):event(LOAD)
end

-- The store of a warp whose lanes are so many words apart.
local function strided(words)
  return measure({ kernel = "gpu_sin_block_major", params = { steps = 32 * words, terms = 1, threads = 32 } }):event(STORE)
end

local RULER = { "Memory moves sectors of 32 bytes, 8 words each.", "Which sector has the first word, which the last?" }

-- ---- sectors of a row of words -------------------------------------------------------------------------------------

local function sectors_of_row(d)
  local offset = d.pick { d.integer(1, 7), d.integer(9, 15), 8 * d.integer(0, 8), d.integer(17, 23) }
  local load = pattern("offset", offset)
  return {
    [[Lane `i` loads word {offset} + i of an array that begins at a sector.]], offset = offset, bytes = load.bytes_used,
    ask = "How many sectors does the warp's load move?", answer = load.sectors, unit = "sectors",
    wrong = d.except(load.sectors, {
      [4] = "{bytes} bytes are 4 sectors if the row begins at one. Word {offset} does not.",
      [5] = "Word {offset} is where a sector begins.", [32] = "Neighboring words share sectors.", [1] = "A sector has 32 bytes.",
    }),
    tips = RULER,
    because = offset % 8 == 0 and "{offset} is a multiple of 8: the row begins at a sector."
      or "The row begins and ends inside of sectors.",
  }
end

local function share_of_row(d)
  local offset = d.pick { d.integer(1, 7), 8 * d.integer(0, 8), d.integer(9, 15) }
  local load = pattern("offset", offset)
  return {
    [[Lane `i` loads word {offset} + i of an array that begins at a sector.]], offset = offset,
    used = load.bytes_used, moved = load.bytes_moved,
    ask = "What part of the bytes moved is used, in percent?", unit = "%", tolerance = 0.5,
    answer = 100 * load.bytes_used / load.bytes_moved,
    wrong = d.except(100 * load.bytes_used // load.bytes_moved, {
      [100] = "Word {offset} lies inside of a sector: the first and the last one are moved for a part of them.",
      [80] = "Word {offset} is where a sector begins.",
    }),
    tips = RULER, because = "{used} of {moved} bytes.",
  }
end

local function free_offset(d)
  local good = 8 * d.integer(1, 7)
  local list = d.shuffle { good, good + d.integer(1, 3), good + 4, good - d.integer(1, 3) }
  local answer
  for _, offset in ipairs(list) do
    answer = pattern("offset", offset).sectors == 4 and offset or answer
  end
  return {
    [[Lane `i` loads word o + i of an array that begins at a sector.]],
    ask = "With which o does the load move the least?", options = list, answer = answer, o = answer,
    because = "{o} is a multiple of 8 words, 32 bytes: the row begins at a sector.",
  }
end

-- ---- order, sharing, scattering ------------------------------------------------------------------------------------

local function sectors_of_pattern(d)
  local name = d.pick { "permuted", "same", "scattered", "aligned" }
  local texts = {
    permuted = "word `i ^ 5`", same = "the same word, number 40", scattered = "a word of its own, each far from the others",
    aligned = "word i of an array that begins at a sector",
  }
  local load = pattern(name, 40)
  return {
    [[Lane `i` loads {words}.]], words = texts[name],
    ask = "How many sectors does the warp's load move?", answer = load.sectors, unit = "sectors",
    wrong = d.except(load.sectors, {
      [32] = "Some of the lanes' words are in the same sector.", [1] = "Not all words are in one sector.",
      [4] = "Four sectors are for words side by side.", [5] = "Nothing sticks out here.",
    }),
    tips = { "Which sectors do the words lie in?", "Each of them is moved once." },
    because = "A warp pays for the different sectors that its lanes touch.",
  }
end

local function order_matters(d)
  local shift = d.pick { 1, 3, 5, 7 }
  return {
    [[First lane `i` loads word i, then it loads word `i ^ {shift}`: the same words, in another order.]], shift = shift,
    ask = "How many sectors more does the second load move?", unit = "sectors",
    answer = pattern("permuted").sectors - pattern("aligned").sectors,
    wrong = { [1] = "Do other sectors come in?", [4] = "The words are the same.", [28] = "The words are the same." },
    because = "None: what counts is which sectors, not which lane has which word.",
  }
end

local function lanes_per_sector(d)
  local size, count = d.pick { 1, 2, 4, 8, 16 }, d.pick { 8, 16, 32 }
  return {
    [[{count} lanes load neighboring elements of {size} bytes each, the first at the beginning of a sector.]], count = count, size = size,
    ask = "How many sectors is that?", answer = cdiv(count * size, 32), unit = "sectors",
    wrong = {
      [count] = "Neighbors share sectors: one has 32 bytes.", [count * size] = "Those are the bytes.",
      [cdiv(count, 32)] = "A sector has 32 bytes, not 32 elements.",
    },
    tips = { "How many bytes are that?" }, because = "{count} * {size} bytes in pieces of 32.",
  }
end

-- ---- strides -------------------------------------------------------------------------------------------------------

local function sectors_of_stride(d)
  local words = d.pick { 1, 2, 3, 4, 5, 6, 7, d.integer(8, 40) }
  local store = strided(words)
  return {
    [[Lane `i` stores word {words} * i of an array of floats that begins at a sector.]], words = words,
    ask = "How many sectors does the warp's store touch?", answer = store.sectors, unit = "sectors",
    wrong = d.except(store.sectors, {
      [4] = "The words are {words} apart: their row is {words} times as long.", [32] = "Some neighbors share a sector still.",
      [words] = "That is the distance in words.",
    }),
    tips = { "From the first to the last lane, how many bytes is that?", "It cannot be more than one sector a lane." },
    because = words >= 8 and "From 8 words on each lane has a sector of its own." or "{bytes} bytes in a row: every sector of it.",
    bytes = words < 8 and 4 * (31 * words + 1) or nil,
  }
end

local function least_worst_stride(d)
  local words = d.integer(8, 64)
  local store = strided(math.min(words, 40))
  return {
    [[Lanes store words that are {words} apart.]], words = words,
    ask = "What part of each sector is written, in percent?", answer = 100 * 4 * 32 / (store.sectors * 32), unit = "%", tolerance = 0.5,
    wrong = { [100] = "One word of a sector is.", [100 / words // 1] = "A sector has 8 words, however far apart the lanes are." },
    tips = { "How many lanes write to the same sector?" }, because = "One word of 4 bytes in each sector of 32.",
  }
end

local function who_is_block_major(d)
  local blocks, threads = d.integer(9, 200), d.pick { 64, 128, 256 }
  local bad, forward = "threadIdx.x * gridDim.x + blockIdx.x", "blockIdx.x * blockDim.x + threadIdx.x"
  local backward = "n - 1 - (blockIdx.x * blockDim.x + threadIdx.x)"
  return {
    [[{blocks} blocks of {threads} threads, each with one element of an array of n.]], blocks = blocks, threads = threads,
    ask = "Which index makes a warp touch 32 sectors?",
    options = d.shuffle { bad, forward, backward },
    answer = bad,
    wrong = {
      [forward] = "Neighboring lanes, neighboring elements: 4 sectors.", [backward] = "Backwards, but side by side.",
    },
    because = "Neighboring lanes are {blocks} elements apart.",
  }
end

-- ---- structs -------------------------------------------------------------------------------------------------------

local function struct_sectors(d)
  local members = d.pick { 2, 3, 4, 6, 8 }
  return {
    [[`data[i].x` with structs of {members} floats. A warp loads x, lane by lane.]], members = members,
    ask = "How many sectors does it move?", answer = strided(members).sectors, unit = "sectors",
    wrong = d.except(strided(members).sectors, {
      [4] = "Between two x there are the other members.", [4 * members + 1] = "The array begins at a sector.",
      [32] = members < 8 and "Some structs share a sector." or "",
    }),
    tips = { "How many bytes are {members} floats?", "How long is the row of 32 structs?" },
    because = "32 structs of {bytes} bytes lie in a row, and their sectors are moved whole.", bytes = 4 * members,
  }
end

local function aos_against_soa(d)
  local which = d.pick { "struct", "arrays" }
  local kernel = which == "struct" and "position_aos" or "position_soa"
  local r = measure { kernel = kernel, params = { n = d.pick { 32, 64, 128, 256 }, threads = 32 } }
  local load = r:event(which == "struct" and FIRST_X or { kind = "load" })
  return {
    which == "struct" and [[Positions are structs of three floats, x, y, z. A warp loads its x.]]
      or [[x, y and z of positions are three arrays. A warp loads its x.]],
    ask = "How many sectors does it move?", answer = load.sectors, unit = "sectors",
    wrong = which == "struct" and { [4] = "y and z lie between them." } or { [12] = "y and z are elsewhere." },
    tips = { "How far are the x of neighbors apart?" },
    because = "{used} bytes used of {moved}.", used = load.bytes_used, moved = load.bytes_moved,
  }
end

local function share_of_struct(d)
  local members, wanted = d.integer(2, 8), 1
  local many = d.chance(0.5)
  wanted = many and d.integer(1, members) or wanted
  return {
    [[A kernel uses {wanted} of the {members} floats of each struct of a large array, in the same loop.]],
    wanted = wanted, members = members,
    ask = "What part of the bytes moved does it need, in percent?", answer = 100 * wanted / members, unit = "%", tolerance = 0.6,
    wrong = d.except(100 * wanted // members, { [100] = "The other members come along in the same sectors." }),
    tips = { "What lies in the sectors beside what it needs?" }, because = "{wanted} of {members}: the sectors have all members.",
  }
end

-- ---- counting for a whole kernel -----------------------------------------------------------------------------------

local function loads_of_differences(d)
  local n, threads = 32 * d.integer(4, 20), d.pick { 32, 64, 128 }
  local naive = measure { kernel = "adj_diff_naive", params = { n = n, threads = threads } }
  local words = 0
  for nth = 1, naive:count { kind = "load" } do
    words = words + naive:event({ kind = "load", nth = nth }).lanes
  end
  return {
    [[Each of {n} threads subtracts the element before its own, from global memory. Thread 0 loads nothing.]], n = n,
    ask = "How many words do all threads load?", answer = words, unit = "words",
    wrong = { [n] = "Each thread loads two words.", [2 * n] = "Thread 0 has nobody before it.", [n - 1] = "Each of them loads two words." },
    tips = { "How many threads subtract?", "How many words does each of them load?" }, because = "2 * ({n} - 1).",
  }
end

local function loads_of_element(d)
  local n = d.integer(40, 900)
  local i = d.pick { 0, n - 1, d.integer(1, n - 2), d.integer(1, n - 2) }
  local times = (i == 0 or i == n - 1) and 1 or 2
  return {
    [[Each of {n} threads but thread 0 loads its element and the one before it.]], n = n, i = i,
    ask = "How many times is element {i} loaded?", answer = times, unit = "times",
    wrong = d.except(times, {
      [1] = "Thread {i} loads it, and somebody else.", [2] = "At the ends one of the two is missing.",
    }),
    tips = { "Which threads need it?" },
    because = "By thread {i} as its own, by thread {after} as the one before, where they are.", after = i + 1,
  }
end

local function bytes_of_elements(d)
  local rate = 12 * d.integer(10, 250)
  return {
    [[A kernel loads two floats and stores one for each element, with no cache. The memory moves {rate} GB/s.]], rate = rate,
    ask = "How many billions of elements a second are that at most?", answer = rate / 12, unit = "", tolerance = 0.05,
    wrong = {
      [rate / 4] = "Three words are moved for each element.", [rate / 8] = "The store moves bytes, too.",
      [rate / 3] = "A word has 4 bytes.",
    },
    tips = { "How many bytes does an element take?" }, because = "12 bytes an element.",
  }
end

-- ---- several elements for each thread ------------------------------------------------------------------------------

local function chunk_sectors(d)
  local each = d.pick { 2, 4, 8, 16, 32 }
  local r = measure { kernel = "share_out", form = "chunks", params = { each = each, n = 32 * each, threads = 32 } }
  local load = r:event { line = "float value = x[i]", kind = "load" }
  return {
    [[Each thread has {each} numbers in a row for itself: in round k it loads `x[t * {each} + k]`.]], each = each,
    ask = "How many sectors does one such load of a warp touch?", answer = load.sectors, unit = "sectors",
    wrong = d.except(load.sectors, {
      [4] = "So it is if the lanes have neighbors.", [32] = "Some pieces share a sector.",
      [each] = "So many rounds. How far apart are the lanes?", [1] = "One load is of 32 threads at the same moment.",
    }),
    tips = { "Lanes are {each} words apart.", "How many of them are in one sector of 8 words?" },
    because = "The lanes are {bytes} bytes apart.", bytes = 4 * each,
  }
end

local function element_in_turns(d)
  local threads, blocks = d.pick { 32, 64, 128, 256 }, d.integer(2, 9)
  local t, k = d.integer(1, threads - 1), d.integer(1, 6)
  return {
    [[
    {blocks} blocks of {threads} threads go through an array side by side: all threads take neighbors, then step on
    together.
    ]],
    blocks = blocks, threads = threads, t = t, k = k,
    ask = "Which element has thread {t} of block 0 in round {k}, if rounds count from 0?",
    answer = k * blocks * threads + t, unit = "",
    wrong = d.except(k * blocks * threads + t, {
      [k * threads + t] = "The other blocks have elements in each round, too.",
      [t + k] = "Then the next lane would have the same one.",
      [(k + 1) * blocks * threads + t] = "In round 0 it has element {t}.",
    }),
    tips = { "In round 0 it is element {t}.", "Each round goes on by the number of all threads." },
    because = "{all} threads a round: {k} * {all} + {t}.", all = blocks * threads,
  }
end

local function element_in_chunks(d)
  local each, t = d.integer(3, 40), d.integer(2, 60)
  local k = d.integer(1, each - 1)
  return {
    [[Each thread has a piece of {each} elements in a row for itself; rounds count from 0.]], each = each, t = t, k = k,
    ask = "Which element has thread {t} in round {k}?", answer = t * each + k, unit = "",
    wrong = d.except(t * each + k, {
      [t + k * each] = "So it is if the threads step on together, with {each} of them.",
      [t * each] = "That is its first one.",
    }),
    tips = { "Where does its piece begin?" }, because = "Its piece begins at {first}.", first = t * each,
  }
end

-- ---- wide loads ----------------------------------------------------------------------------------------------------

local FLOATS = { float = 1, float2 = 2, float4 = 4 }
local PIECE = { line = "T piece = ((T *)from)[i]", kind = "load" }

local function wide(type_name, offset, form)
  local params = { type = type_name, offset = offset, n = 128, threads = 32 }
  return measure { kernel = "wide_copy", form = form, params = params }
end

local function wide_sectors(d)
  local name = d.pick { "float2", "float4" }
  local offset = FLOATS[name] * d.integer(0, 8)
  local load = wide(name, offset):event(PIECE)
  return {
    [[32 lanes load a `{type}` each, side by side, from float {offset} of an aligned array on.]],
    type = name, offset = offset,
    ask = "How many sectors does the load touch?", answer = load.sectors, unit = "sectors",
    wrong = d.except(load.sectors, {
      [4] = "A lane loads more than 4 bytes.", [32] = "Neighbors share sectors.",
      [load.ideal_sectors] = "The row does not begin at a sector.",
      [load.ideal_sectors + 1] = "{offset} floats are {bytes} bytes: the row begins at a sector.",
    }),
    bytes = 4 * offset, row = 32 * 4 * FLOATS[name],
    tips = { "How long is the row, in bytes?", "Does it begin at a multiple of 32 bytes?" },
    because = "{row} bytes in a row, from byte {bytes} on.",
  }
end

local function wide_offset(d)
  local name = d.pick { "float2", "float4" }
  local floats = FLOATS[name]
  local good = floats * d.integer(1, 9)
  local list = d.shuffle { good, good + 1, good + 3, floats == 4 and good + 2 or good - 1 }
  local answer
  for _, offset in ipairs(list) do
    answer = #wide(name, offset, "cast").faults == 0 and offset or answer
  end
  return {
    [[`{type}` pieces are loaded from an aligned array of floats.]], type = name, size = 4 * floats,
    ask = "From which float on may the first piece begin?", options = list, answer = answer, first = answer,
    wrong = d.except(answer, {
      [good + 1] = "4 bytes further than one that does.", [good + 3] = "Times 4 bytes: does {size} divide that?",
    }),
    tips = { "A piece has {size} bytes. Its address is a multiple of that." },
    because = "{size} divides 4 * {first}.",
  }
end

local function wide_requests(d)
  local name = d.pick { "float", "float2", "float4" }
  local n = 128 * d.integer(1, 12)
  local r = measure { kernel = "wide_copy", params = { type = name, n = n, threads = 32 } }
  local loads = r:line(PIECE.line).global_load_requests
  return {
    [[{n} floats are loaded, a `{type}` by each thread.]], n = n, type = name,
    ask = "How many loads do the warps make?", answer = loads, unit = "loads",
    wrong = d.except(loads, {
      [n] = "A load is one instruction of 32 lanes.", [n / 32] = "Each lane loads more than one float.",
      [n / FLOATS[name]] = "So many threads. They load by warps.", [n / 8] = "Those are sectors.",
    }),
    tips = { "How many floats does one load of a warp bring?" },
    because = "{each} floats with each load.", each = 32 * FLOATS[name],
  }
end

return {
  skill { id = "rows", looks = { sectors_of_row, share_of_row, free_offset } },
  skill { id = "patterns", looks = { sectors_of_pattern, order_matters, lanes_per_sector } },
  skill { id = "strides", looks = { sectors_of_stride, least_worst_stride, who_is_block_major } },
  skill { id = "structs", looks = { struct_sectors, aos_against_soa, share_of_struct } },
  skill { id = "shares", looks = { chunk_sectors, element_in_turns, element_in_chunks } },
  skill { id = "wide", looks = { wide_sectors, wide_offset, wide_requests } },
  skill { id = "counts", family = "EQ3", looks = { loads_of_differences, loads_of_element, bytes_of_elements } },
}
