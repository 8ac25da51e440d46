-- Questions drawn for L03, Warps and SIMT.

local DO_A, DO_B = "value = value * 3 + 1", "value = value * 5 + 2"
local RANK = "int rank = ty * blockDim.x + tx"

local function block_of(bx, by)
  return measure { kernel = "warp_map_40x2", params = { bx = bx, by = by } }
end

local function branches(params)
  return measure { kernel = "diverge_if_else", params = params }
end

local function votes(period, k)
  return measure { kernel = "vote_match", params = { period = period, k = k } }
end

-- Instructions that warps spent in the two arms.
local function arms(r)
  return r:line(DO_A).warp_instructions + r:line(DO_B).warp_instructions
end

-- Rows of a block whose threads are no multiple of 32.
local function ragged(d)
  local bx, by = d.integer(9, 60), d.integer(2, 5)
  if bx * by % 32 == 0 then
    bx = bx + 1
  end
  return bx, by
end

-- ---- warps of a block ----------------------------------------------------------------------------------------------

local function warps_of_rows(d)
  local bx, by = ragged(d)
  local r = block_of(bx, by)
  return {
    [[A block has {bx} x {by} threads.]], bx = bx, by = by, threads = r.threads,
    ask = "How many warps are set up for it?", answer = r.warps, unit = "warps",
    wrong = {
      [r.threads // 32] = "{threads} threads leave a rest, and a warp with few threads is still a warp.",
      [cdiv(bx, 32) * by] = "Rows do not matter: threads are numbered on from row to row.",
      [r.threads] = "Those are the threads. A warp has 32 of them.",
    },
    tips = { "How many threads are there?", "{threads} threads, 32 to a warp." },
    because = "{threads} / 32, rounded up: {answer}.",
  }
end

local function dark_lanes(d)
  local bx, by = ragged(d)
  local r = block_of(bx, by)
  return {
    [[A block has {bx} x {by} threads.]], bx = bx, by = by, threads = r.threads, warps = r.warps,
    ask = "How many lanes of its warps stay dark?", answer = 32 * r.warps - r.threads, unit = "lanes",
    wrong = {
      [r.threads % 32] = "So many threads are left for the last warp. Its other lanes are dark.",
      [0] = "{threads} is no multiple of 32.",
    },
    tips = { "How many lanes do {warps} warps have?" },
    because = "{warps} warps have 32 lanes each, for {threads} threads.",
  }
end

local function warps_of_blocks(d)
  local blocks, threads = d.integer(2, 6), d.integer(5, 30) * 8
  if threads % 32 == 0 then
    threads = threads + 8
  end
  local r = block_of(threads, 1)
  return {
    [[{blocks} blocks of {threads} threads each are on a multiprocessor.]], blocks = blocks, threads = threads,
    warps = r.warps,
    ask = "How many warps is that?", answer = blocks * r.warps, unit = "warps",
    wrong = {
      [cdiv(blocks * threads, 32)] = "A warp never spans two blocks: each block rounds up for itself.",
      [blocks * (threads // 32)] = "The rest of each block is a warp, too.",
    },
    tips = { "How many warps has one of the blocks?" },
    because = "{warps} warps a block, rounded up for each block.",
  }
end

-- ---- where a thread lands ------------------------------------------------------------------------------------------

-- A question about a thread, and its lane and warp.
local function some_thread(d)
  local bx, by = ragged(d)
  local x, y = d.integer(0, bx - 1), d.integer(1, by - 1)
  local r, rank = block_of(bx, by), y * bx + x
  return {
    [[A block of {bx} x {by} threads. Take the thread with x = {x}, y = {y}.]],
    bx = bx, by = by, x = x, y = y, rank = rank, tips = { "What is its rank?", "Its rank is {rank}." },
  }, r:output("lane")[rank], r:output("warp")[rank]
end

local function lane_of_thread(d)
  local q, lane, warp = some_thread(d)
  q.ask, q.answer, q.unit = "Which lane of its warp is it?", lane, ""
  q.wrong = {
    [q.x % 32] = "That is x % 32: right only in a block with one row, or with rows that are multiples of 32.",
    [q.rank] = "That is its rank in the block. A warp has lanes 0 to 31.",
    [warp] = "That is its warp.",
  }
  q.because = "Its rank is {y} * {bx} + {x} = {rank}, and {rank} % 32 is {answer}."
  return q
end

local function warp_of_thread(d)
  local q, lane, warp = some_thread(d)
  q.ask, q.answer, q.unit = "Which warp of its block is it in?", warp, ""
  q.wrong = {
    [q.y] = "That is its row. Warps do not care where rows end.",
    [warp + 1] = "Warps are counted from 0.",
    [lane] = "That is its lane.",
  }
  q.because = "Its rank is {y} * {bx} + {x} = {rank}, and {rank} / 32 is {answer}, rounded down."
  return q
end

local function first_of_warp(d)
  local bx, by = d.integer(11, 31), d.integer(4, 6)
  local r = block_of(bx, by)
  local warp = d.integer(1, r.warps - 1)
  local first = 0
  while r:output("warp")[first] ~= warp do
    first = first + 1
  end
  return {
    [[A block of {bx} x {by} threads. Take the first thread of warp {warp}.]], bx = bx, by = by, warp = warp, first = first,
    ask = "What is its y?", answer = first // bx, unit = "",
    wrong = { [warp] = "Warp {warp} is no row: a row has {bx} threads, a warp 32." },
    tips = { "What is its rank?", "Its rank is {first}." },
    because = "Its rank is 32 * {warp} = {first}, and {first} / {bx} is {answer}, rounded down.",
  }
end

-- ---- masks ---------------------------------------------------------------------------------------------------------

local function split(d)
  local period = d.pick { 4, 8, 16, 32 }
  local k = d.integer(1, period - 1)
  return branches { period = period, k = k, threads = 32 },
    { period = period, k = k, class = period < 32 and "repeats" or "once" }
end

local function mask_inside(d)
  local r, q = split(d)
  local other = r:event { line = DO_B }.mask
  q[1], q.beside = [[One warp, and `if (tid % {period} < {k})`.]], r
  q.ask, q.kind, q.answer = "Which lanes are active inside?", "mask", r:event({ line = DO_A }).mask
  q.wrong = {
    [other] = "Those are the lanes for which it is false.",
    [0xffffffff] = "The others are masked off: for them it is false.",
    [(1 << q.k) - 1] = q.period < 32 and "The pattern repeats every {period} lanes." or nil,
  }
  q.because = "{lanes}."
  q.lanes = lanes_of(q.answer)
  return q
end

local function mask_of_else(d)
  local r, q = split(d)
  local other = r:event { line = DO_A }.mask
  q[1], q.beside = [[One warp, and `if (tid % {period} < {k}) do_A(); else do_B();`.]], r
  q.ask, q.kind, q.answer = "Which lanes are active in do_B?", "mask", r:event({ line = DO_B }).mask
  q.wrong = {
    [other] = "Those take do_A.",
    [0xffffffff] = "The lanes of do_A wait: they are masked off here.",
  }
  q.because = "All but {those}: {lanes}."
  q.those, q.lanes = lanes_of(other), lanes_of(q.answer)
  return q
end

local function mask_of_last(d)
  local bx, by = ragged(d)
  local r = block_of(bx, by)
  local last = r:event { line = RANK, warp = r.warps - 1 }
  return {
    [[A block of {bx} x {by} threads.]], bx = bx, by = by, threads = r.threads, lit = last.lanes,
    ask = "Which lanes of its last warp are there?", kind = "mask", answer = last.mask,
    wrong = {
      [0xffffffff] = "{threads} is no multiple of 32.",
      [~last.mask & 0xffffffff] = "Those are the dark ones.",
    },
    tips = { "How many threads are left for the last warp?" },
    because = "{threads} threads leave {lit} for the last warp, from lane 0 on.",
  }
end

-- ---- what a branch costs -------------------------------------------------------------------------------------------

local function sum_of_arms(d)
  local a, b = d.integer(2, 9), d.integer(10, 30)
  local k = d.pick { 0, 32, 1, 8, 16, 31 }
  local function cost(lanes)
    return arms(branches { period = 32, k = lanes, threads = 32, a_steps = a, b_steps = b })
  end
  local full_a, full_b, now = cost(32), cost(0), cost(k)
  local both = k > 0 and k < 32
  return {
    [[One warp. do_A costs it {a} instructions, do_B {b}. In `if (tid % 32 < {k}) do_A(); else do_B();`]],
    a = full_a, b = full_b, k = k,
    class = both and "both" or "one",
    ask = "how many does the warp spend in the arms?", answer = now, unit = "instructions",
    wrong = both and {
      [full_b] = "Not the longer one alone: the arms come one after the other.",
      [full_a] = "Other lanes go the other way.",
    } or {
      [full_a + full_b] = "A way that nobody goes costs nothing.",
      [full_a + full_b - now] = "No lane goes that way.",
    },
    tips = { "Which ways are taken by at least one lane?" },
    because = both and "Both ways are taken: {a} + {b}." or "All lanes go the same way.",
  }
end

local function divided_warps(d)
  local warps = d.integer(3, 8)
  local k = d.integer(1, 32 * warps - 1)
  local period = d.pick { 64, 128 }
  k = k % period
  local r = branches { period = period, k = k, threads = 32 * warps }
  return {
    [[A block of {threads} threads, and `if (tid % {period} < {k})`.]], threads = r.threads, period = period, k = k,
    ask = "How many of its warps diverge?", answer = r:line("if (foo)").divergent_branches, unit = "warps",
    wrong = {
      [warps] = "Look at each warp by itself: in some of them all lanes agree.",
      [0] = "{k} is no multiple of 32, so it cuts through a warp.",
    },
    tips = { "Which threads are in warp 0, which in warp 1?", "Where does {k} fall?" },
    because = "Only a warp with lanes on both sides of {k}, in each {period} threads, is divided.",
  }
end

local function bill(d)
  local p1, p2 = d.pick { 2, 4, 8, 64 }, d.pick { 2, 16, 64 }
  local one = arms(branches { period = p1, k = p1 // 2, threads = 64 })
  local two = arms(branches { period = p2, k = p2 // 2, threads = 64 })
  local words = { "less", "as much", "more" }
  return {
    [[
    Two warps and arms of the same length. First the condition is `tid % {p1} < {k1}`, then it is `tid % {p2} < {k2}`.
    ]],
    p1 = p1, k1 = p1 // 2, p2 = p2, k2 = p2 // 2, one = one, two = two,
    class = (two > one and "more") or (two < one and "less") or "same",
    ask = "How much do the arms cost the second time?",
    options = words, answer = words[(two > one and 3) or (two < one and 1) or 2],
    wrong = { more = "Count the warps with lanes on both sides.", less = "Count the warps with lanes on both sides." },
    because = "{one} instructions, then {two}. It matters how many warps are divided, not how finely.",
  }
end

-- ---- conditions ----------------------------------------------------------------------------------------------------

-- Conditions that divide no warp, and conditions that divide some, as the kernel's parameters.
local function condition(period, k)
  local r = branches { period = period, k = k, threads = 128 }
  return { text = "tid % " .. period .. " < " .. k, divided = r:line("if (foo)").divergent_branches }
end

local function texts_of(list)
  local out = {}
  for i, one in ipairs(list) do
    out[i] = one.text
  end
  return out
end

local function odd_one(d, ask, because, one, others)
  return {
    [[One-dimensional blocks of four warps.]],
    ask = ask, options = texts_of(d.shuffle { one, table.unpack(others) }), answer = one.text, because = because,
    one = one.text,
  }
end

local function divides_none(d)
  local free = condition(d.pick { 64, 128 }, 32 * d.integer(1, 1))
  local q = odd_one(d, "Which condition divides no warp?", "`{one}` is the same for all lanes of a warp.", free,
    { condition(32, d.integer(1, 31)), condition(64, d.integer(33, 63)), condition(2, 1) })
  q.wrong = { ["tid % 2 < 1"] = "It differs from lane to lane, in every warp." }
  return q
end

local function divides_some(d)
  local some = condition(128, d.pick { 32, 64, 96 } + d.integer(1, 31))
  local q = odd_one(d, "Which condition divides some warps, but not all?",
    "`{one}` cuts through one warp; the others agree.", some, { condition(64, 32), condition(16, d.integer(1, 15)), condition(128, 64) })
  q.wrong = {
    ["tid % 64 < 32"] = "Its border lies between two warps: it divides none.",
    ["tid % 128 < 64"] = "Its border lies between two warps: it divides none.",
  }
  return q
end

local function divides_all(d)
  local all = condition(d.pick { 2, 4, 8, 16, 32 }, 1)
  local q = odd_one(d, "Which condition divides every warp?", "`{one}` has both answers in each piece of 32.", all,
    { condition(64, 32), condition(128, d.integer(33, 63)), condition(64, d.integer(33, 63)) })
  q.wrong = { ["tid % 64 < 32"] = "Its border lies between two warps: it divides none." }
  return q
end

-- ---- votes ---------------------------------------------------------------------------------------------------------

local function vote(d)
  local period = d.pick { 4, 8, 16, 32 }
  local k = d.integer(1, period - 1)
  return votes(period, k), {
    [[In a warp `foo` is `laneId % {period} < {k}`.]], period = period, k = k,
    class = period < 32 and "repeats" or "once",
  }
end

local function ballot(d)
  local r, q = vote(d)
  q.ask, q.kind, q.answer = "What does `__ballot_sync(0xffffffff, foo)` give?", "mask", r:output("ballot")[0]
  q.wrong = {
    [~q.answer & 0xffffffff] = "A bit is set where foo is true.",
    [0xffffffff] = "That is the mask of the lanes that take part, not of those that vote yes.",
    [1] = "That is what `__any_sync` gives: a bit for all of them.",
  }
  q.because = "One bit for each lane whose foo is true."
  return q
end

local function active(d)
  local r, q = vote(d)
  q.ask, q.unit, q.answer = "How many bits does `__activemask()` set behind `if (foo)`?", "bits", popcount(r:output("inside")[0])
  q.wrong = { [32] = "Behind the if there are only the lanes whose foo is true.", [q.k] = "The pattern repeats every {period} lanes." }
  q.because = "So many of 32 lanes go in."
  return q
end

-- k may be 0 or the whole period here, so that all three answers come up.
local function any_and_all(d)
  local period = d.pick { 4, 8, 16 }
  local k = d.pick { 0, d.integer(1, period - 1), period }
  local r = votes(period, k)
  local any, all = r:output("any")[0] ~= 0, r:output("all")[0] ~= 0
  return {
    [[In a warp `foo` is `laneId % {period} < {k}`.]], period = period, k = k,
    class = all and "all" or any and "some" or "none",
    ask = "What do `__any_sync` and `__all_sync` say of foo?",
    options = { "any: yes, all: yes", "any: yes, all: no", "any: no, all: no" },
    answer = string.format("any: %s, all: %s", any and "yes" or "no", all and "yes" or "no"),
    wrong = { ["any: no, all: no"] = "Is foo true for lane 0?", ["any: yes, all: yes"] = "Is foo true for lane 31?" },
    because = "foo is true for {count} of 32 lanes.", count = popcount(r:output("ballot")[0]),
  }
end

-- ---- the skills ----------------------------------------------------------------------------------------------------

return {
  skill { id = "warps", family = "EQ1", looks = { warps_of_rows, dark_lanes, warps_of_blocks } },
  skill { id = "place", looks = { lane_of_thread, warp_of_thread, first_of_warp } },
  skill { id = "masks", family = "EQ10", looks = { mask_inside, mask_of_else, mask_of_last } },
  skill { id = "bill", family = "FQ4", looks = { sum_of_arms, divided_warps, bill } },
  skill { id = "conditions", family = "FQ4", looks = { divides_none, divides_some, divides_all } },
  skill { id = "votes", looks = { ballot, active, any_and_all } },
}
