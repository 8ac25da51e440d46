-- Questions drawn for L06, Occupancy.

local V100, KB, FILE, MOST_BLOCKS = "v100", 96, 65536, 32      -- what an SM of it has

local function sm(profile, threads, registers, shared)
  return model { "occupancy", params = { profile = profile, threads = threads, registers = registers,
                                        shared = shared or 0 } }
end

local function tenths(fraction)
  return math.floor(1000 * fraction + 0.5) / 10
end

-- What an SM of a V100 has.
local function gauges_of(held)
  return ("%d warps, %d blocks, %d registers, %d KB"):format(held.max_warps, MOST_BLOCKS, FILE, KB)
end

local gauges = { warps = "warp slots", blocks = "block slots", registers = "registers",
                 ["shared memory"] = "shared memory" }
local names = { "warp slots", "block slots", "registers", "shared memory" }

-- ---- blocks of an SM -----------------------------------------------------------------------------------------------

local function blocks_by_slots(d)
  local threads = 32 * d.pick { 1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32 }
  local held = sm(V100, threads, 32)
  return {
    [[A V100 has {warps} warp slots and {slots} block slots. Blocks of {threads} threads; registers are no limit.]],
    warps = held.max_warps, slots = held.by_blocks, threads = threads,
    ask = "How many blocks are resident on an SM?", answer = held.blocks, unit = "blocks",
    wrong = d.except(held.blocks,
                     { [held.max_warps] = "Those are warps.",
                       [held.by_warps] = "There are only {slots} block slots.",
              [held.by_blocks] = "Their warps would not all find a slot." }),
    tips = { "How many warps has a block?" },
    because = "{each} warps a block: the {limit} are full.", each = held.warps_per_block,
    limit = gauges[held.limit],
  }
end

local function occupancy_of_block(d)
  local threads = d.pick { 32, 64, 96, 128, 192, 256, 320, 384, 448, 512, 576, 640, 704, 768, 832, 896, 960 }
  local held = sm(V100, threads, 32)
  return {
    [[A V100: {all} warp slots, {slots} block slots. Blocks of {threads} threads, few registers.]],
    all = held.max_warps, slots = held.by_blocks, threads = threads,
    class = held.warps == held.max_warps and "full" or "part",
    ask = "How many warps are resident?", answer = held.warps, unit = "warps",
    wrong = d.except(held.warps,
                     { [held.max_warps] = "Do whole blocks fill all slots?",
                       [held.blocks] = "So many blocks." }),
    tips = { "Blocks first, then their warps." }, because = "{blocks} blocks of {each} warps.", blocks = held.blocks,
    each = held.warps_per_block,
  }
end

local function empty_slots(d)
  local warps = d.integer(5, 32)
  local held = sm(V100, 32 * warps, 32)
  return {
    [[Blocks of {threads} threads on an SM with {all} warp slots; nothing else is short.]],
    threads = 32 * warps, all = held.max_warps,
    ask = "How many warp slots stay empty?", answer = held.max_warps - held.warps, unit = "slots",
    wrong = d.except(held.max_warps - held.warps,
                     { [held.blocks] = "So many blocks fit.", [held.warps] = "Those are taken." }),
    tips = { "A block is {warps} warps. How often does that go into {all}?" }, warps = warps,
    because = "{blocks} blocks of {warps} warps.", blocks = held.blocks,
  }
end

-- ---- warps that are not whole --------------------------------------------------------------------------------------

local function ragged(d)
  return 32 * d.integer(1, 7) + d.pick { 4, 8, 12, 16, 20, 24, 28 }
end

local function warps_taken(d)
  local threads = ragged(d)
  local held = sm(V100, threads, 32)
  return {
    [[Blocks of {threads} threads move in.]], threads = threads,
    ask = "How many warp slots does each take?", answer = held.warps_per_block, unit = "slots",
    wrong = d.except(held.warps_per_block,
                     { [threads // 32] = "The rest needs a warp, too.", [threads] = "Those are threads.",
                       [threads / 32] = "Slots are whole." }),
    tips = { "{threads} / 32, rounded up." }, because = "{threads} / 32, rounded up.",
  }
end

local function dark_lanes(d)
  local threads = ragged(d)
  local held = sm(V100, threads, 32)
  local dark = held.blocks * (32 * held.warps_per_block - threads)
  return {
    [[{blocks} blocks of {threads} threads are resident on an SM.]], blocks = held.blocks, threads = threads,
    ask = "How many lanes of their warps stay dark?", answer = dark, unit = "lanes",
    wrong = d.except(dark, { [dark // held.blocks] = "That is one block.", [0] = "{threads} is no multiple of 32." }),
    tips = { "How many lanes has a block, how many threads?" }, because = "{blocks} x ({lanes} - {threads}).",
    lanes = 32 * held.warps_per_block,
  }
end

local function counted_warps(d)
  local threads = d.pick { 40, 48, 56, 112, 120, 240, 248, 80, 100, 150, 200 }
  local held = sm(V100, threads, 32)
  local lanes = tenths(held.occupancy * held.lanes_used)
  return {
    [[Blocks of {threads} threads on a V100 ({all} warps, {slots} blocks), few registers.]],
    threads = threads, all = held.max_warps, slots = held.by_blocks,
    ask = "What is the occupancy, in percent?", answer = tenths(held.occupancy), unit = "%", tolerance = 0.1,
    wrong = d.except(tenths(held.occupancy), { [lanes] = "That counts lanes. Occupancy counts warps." }),
    tips = { "{each} warps a block. How many blocks?" }, each = held.warps_per_block,
    because = "{blocks} blocks, {warps} of {all} warps. Dark lanes do not count against it.", blocks = held.blocks,
    warps = held.warps,
  }
end

-- ---- registers -----------------------------------------------------------------------------------------------------

local function blocks_by_registers(d)
  local threads, registers = d.pick { 128, 256, 512 }, d.integer(33, 128)
  local held = sm(V100, threads, registers)
  local flat = 65536 // (threads * registers)
  return {
    [[A V100 has 65,536 registers, in portions of 8 a thread. Blocks of {threads} threads, {registers} registers.]],
    threads = threads, registers = registers,
    ask = "How many blocks are resident on an SM?", answer = held.blocks, unit = "blocks",
    wrong = d.except(held.blocks,
                     { [flat] = "Round {registers} up first.",
                       [sm(V100, threads, 32).blocks] = "That is with 32 registers." }),
    tips = { "{registers} counts as {rounded}." }, rounded = rup(registers, 8),
    because = "{each} registers a block.", each = held.registers_per_block,
  }
end

local function counts_as(d)
  local registers = d.integer(17, 127)
  return {
    [[A kernel needs {registers} registers a thread, on a V100.]], registers = registers,
    ask = "How many does a warp get?", answer = rup(registers, 8) * 32, unit = "registers",
    wrong = d.except(rup(registers, 8) * 32,
                     { [registers * 32] = "A warp gets portions of 256.", [rup(registers, 8)] = "That is one lane.",
                       [registers] = "That is one thread." }),
    tips = { "32 lanes, and portions of 256." }, because = "{rounded} for each of 32 lanes.",
    rounded = rup(registers, 8),
  }
end

local function next_step(d)
  local threads, registers = d.pick { 128, 256 }, d.integer(33, 80)
  local free = 0
  while sm(V100, threads, registers + free + 1).blocks == sm(V100, threads, registers).blocks do
    free = free + 1
  end
  return {
    [[Blocks of {threads} threads, {registers} registers, on a V100: {blocks} blocks.]], threads = threads,
    registers = registers,
    blocks = sm(V100, threads, registers).blocks,
    ask = "How many registers more for each thread cost no block?", answer = free, unit = "registers",
    wrong = d.except(free, { [free + 1] = "That one is over the step." }),
    tips = { "Registers go by eights; how many blocks fit with the next eight?" },
    because = "{last} still fit {blocks} times.", last = registers + free,
  }
end

-- ---- shared memory -------------------------------------------------------------------------------------------------

local function blocks_by_shared(d)
  local kb = d.integer(13, 48)
  local held = sm(V100, 256, 32, kb * 1024)
  return {
    [[A V100 has {all} KB of shared memory. Blocks of 256 threads, 32 registers, {kb} KB.]], kb = kb, all = KB,
    ask = "How many blocks are resident on an SM?", answer = held.blocks, unit = "blocks",
    wrong = d.except(held.blocks,
                     { [held.by_warps] = "That is without shared memory.",
                       [held.blocks + 1] = "Whole blocks only." }),
    tips = { "How often does {kb} go into {all}?" }, because = "{all} / {kb}, rounded down.",
  }
end

local function most_bytes(d)
  local blocks = d.pick { 2, 3, 4, 6, 8 }
  local threads = 2048 // blocks // 32 * 32
  local bytes = 98304 // blocks // 256 * 256
  local fits = sm(V100, threads, 32, bytes).blocks == blocks and sm(V100, threads, 32, bytes + 1).blocks < blocks
  return {
    [[{blocks} blocks shall live on an SM with {kb} KB of shared memory. Portions are 256 bytes.]], blocks = blocks,
    kb = KB,
    ask = "How many floats can each have, at most?", answer = fits and bytes // 4 or 0, unit = "floats",
    wrong = d.except(fits and bytes // 4 or 0,
                     { [bytes] = "Those are bytes.", [98304 // 4] = "All of it belongs to {blocks} blocks." }),
    tips = { "98,304 bytes for {blocks} blocks." }, because = "98,304 / {blocks} / 4.",
  }
end

local function tile_blocks(d)
  local side, tiles = d.pick { 16, 32 }, d.pick { 1, 2, 4 }   -- no two gauges are full at once
  local threads, bytes = d.pick { 96, 128, 256 }, side * side * 4 * tiles
  local held = sm(V100, threads, 32, bytes)
  return {
    [[
    Each block keeps {tiles} tiles of {side} x {side} floats in shared memory, of 96 KB. Blocks of {threads} threads.
    ]],
    tiles = tiles, side = side, threads = threads,
    ask = "Which gauge of the V100 is full?", options = names, answer = gauges[held.limit],
    wrong = { ["registers"] = "They are few here." },
    tips = { "{bytes} bytes a block, and {each} warps." }, bytes = bytes, each = held.warps_per_block,
    because = "By warps {w} blocks, by slots {b}, by shared memory {s}.", w = held.by_warps, b = held.by_blocks,
    s = held.by_shared,
  }
end

-- ---- the full gauge ------------------------------------------------------------------------------------------------

local function launch(d)
  local kind = d.pick { "registers", "shared", "warps", "blocks" }
  if kind == "registers" then return d.pick { 128, 256, 512 }, d.integer(49, 120), 1024 * d.integer(0, 3) end
  if kind == "shared" then return d.pick { 128, 256 }, 32, 1024 * d.integer(17, 44) end
  if kind == "warps" then return d.pick { 128, 256, 512, 640 }, d.integer(16, 24), 1024 * d.integer(0, 2) end
  return 32, d.integer(16, 40), 1024 * d.integer(0, 2)
end

local function full_gauge(d)
  local threads, registers, shared = launch(d)
  local held = sm(V100, threads, registers, shared)
  return {
    [[
    V100: {gauges}. Blocks of {threads} threads, {registers} registers, {kb} KB.
    ]],
    gauges = gauges_of(held), threads = threads, registers = registers, kb = shared // 1024,
    class = held.limit:match("%l+"),
    ask = "Which gauge is full?", options = names, answer = gauges[held.limit],
    tips = { "How many blocks would each of the four allow?" },
    because = "By warps {w} blocks, by slots {b}, by registers {r}{s}.", w = held.by_warps, b = held.by_blocks,
    r = held.by_registers, s = held.by_shared and ", by shared memory " .. held.by_shared or "",
  }
end

local function what_helps(d)
  local threads, registers, shared = launch(d)
  local held = sm(V100, threads, registers, shared)
  local cures = { warps = "the SM: its warp slots are full", blocks = "larger blocks", registers = "fewer registers",
                  ["shared memory"] = "less shared memory" }
  return {
    [[
    V100: {gauges}. Blocks of {threads} threads, {registers} registers, {kb} KB.
    ]],
    gauges = gauges_of(held), threads = threads, registers = registers, kb = shared // 1024,
    class = held.limit:match("%l+"),
    ask = "What has to change first for more warps?",
    options = { "fewer registers", "less shared memory", "larger blocks", cures.warps }, answer = cures[held.limit],
    tips = { "Which gauge is full?" }, because = "{blocks} blocks: the full gauge is {limit}.", blocks = held.blocks,
    limit = gauges[held.limit],
  }
end

local function tightest(d)
  local threads, registers, kb = d.pick { 128, 192, 256 }, d.integer(33, 96), d.integer(9, 40)
  local held = sm(V100, threads, registers, kb * 1024)
  return {
    [[By warp slots {w} blocks would fit, by block slots {b}, by registers {r}, by shared memory {s}.]],
    w = held.by_warps, b = held.by_blocks, r = held.by_registers, s = held.by_shared, warps = held.warps_per_block,
    ask = "A block has {warps} warps. How many warps are resident?", answer = held.warps, unit = "warps",
    wrong = d.except(held.warps,
                     { [held.blocks] = "Those are blocks.",
                       [held.by_warps * held.warps_per_block] = "The tightest gauge counts." }),
    tips = { "The least of the four." }, because = "{blocks} blocks of {warps} warps.", blocks = held.blocks,
  }
end

-- ---- other devices, other sizes ------------------------------------------------------------------------------------

local function old_blocks(d)
  local registers, threads = d.integer(10, 40), d.pick { 128, 192, 256 }
  local held = sm("gt200", threads, registers)
  return {
    [[
    GT200: {all} warps, {slots} blocks, {file} registers, given to whole blocks in portions of {portion}. Blocks of
    {threads} threads, {registers} registers.
    ]],
    all = held.max_warps, slots = held.by_blocks, file = "16,384", portion = 512, threads = threads,
    registers = registers,
    ask = "How many blocks are resident?", answer = held.blocks, unit = "blocks",
    wrong = d.except(held.blocks,
                     { [held.by_warps] = "By warp slots alone.",
                       [held.by_blocks] = "By block slots alone." }),
    tips = { "A block takes {each} registers." }, each = held.registers_per_block,
    because = "By warps {w}, by slots {slots}, by registers {r}.", w = held.by_warps, r = held.by_registers,
  }
end

local function best_size(d)
  local profile = d.pick { "g80", "k20x", "v100", "gt200" }
  local sizes = d.shuffle(d.pick { { 32, 256, 320 }, { 64, 192, 448 }, { 32, 128, 352 }, { 64, 256, 416 } })
  local options, best, ties = {}, sizes[1], 0
  for i, size in ipairs(sizes) do
    options[i] = tostring(size)
    if sm(profile, size, 10).warps > sm(profile, best, 10).warps then best = size end
  end
  for _, size in ipairs(sizes) do
    ties = ties + (sm(profile, size, 10).warps == sm(profile, best, 10).warps and 1 or 0)
  end
  local held = sm(profile, best, 10)
  if ties > 1 then
    return {
      [[An SM has {all} warp slots and {slots} block slots. Blocks of {threads} threads, 10 registers.]],
      all = held.max_warps, slots = held.by_blocks, threads = best,
      ask = "How many warps are resident?", answer = held.warps, unit = "warps",
      wrong = d.except(held.warps, { [held.blocks] = "Those are blocks." }),
      tips = { "Whole blocks, and two kinds of slots." }, because = "{blocks} blocks.", blocks = held.blocks,
    }
  end
  return {
    [[An SM has {all} warp slots and {slots} block slots; registers are no limit.]],
    all = held.max_warps, slots = held.by_blocks,
    ask = "Which block size fills it best?", options = options, answer = tostring(best),
    tips = { "For each: warps of a block, blocks that fit, their product." },
    because = "{warps} of {all} warps.", warps = held.warps,
  }
end

local function half_the_block(d)
  local registers = d.integer(33, 72)
  local large, small = sm(V100, 512, registers), sm(V100, 256, registers)
  return {
    [[A V100, {registers} registers. Blocks of 512 threads become blocks of 256.]], registers = registers,
    ask = "How many warps more are resident?", answer = small.warps - large.warps, unit = "warps",
    wrong = d.except(small.warps - large.warps,
                     { [small.blocks - large.blocks] = "Those are blocks.", [small.warps] = "That is all of them." }),
    tips = { "{rounded} registers for each of 512, then 256 threads; 65,536 in all." }, rounded = rup(registers, 8),
    because = "{a} blocks of 512 threads, then {b} of 256.", a = large.blocks, b = small.blocks,
  }
end

-- ---- edges and steps -----------------------------------------------------------------------------------------------

-- A number of registers at which one more costs a block.
local function edge(d, threads)
  local registers = d.integer(33, 100)
  while sm(V100, threads, registers + 1).blocks == sm(V100, threads, registers).blocks do
    registers = registers + 1
  end
  return registers
end

local function over_the_edge(d)
  local threads = d.pick { 128, 192, 256, 384, 512 }
  local registers = edge(d, threads)
  local before, after = sm(V100, threads, registers), sm(V100, threads, registers + 1)
  local lost = threads * (before.blocks - after.blocks)
  return {
    [[A V100. {blocks} blocks of {threads} threads are resident, with {registers} registers a thread. The next version
    needs one register more.]],
    blocks = before.blocks, threads = threads, registers = registers, next = registers + 1,
    ask = "How many threads does an SM lose?", answer = lost, unit = "threads",
    wrong = d.except(lost, { [0] = "{registers} is the last number that fits so often.",
                             [before.blocks - after.blocks] = "Those are blocks.",
                             [before.warps - after.warps] = "Those are warps." }),
    tips = { "{next} counts as {rounded}. How many blocks fit now?" }, rounded = rup(registers + 1, 8),
    because = "{after} blocks fit in place of {blocks}: a whole one goes at once.", after = after.blocks,
  }
end

local function left_over(d)
  local threads, registers = d.pick { 128, 192, 256, 384 }, d.integer(34, 90)
  local held = sm(V100, threads, registers)
  if held.limit ~= "registers" then
    registers = edge(d, threads)
    held = sm(V100, threads, registers)
  end
  local left = FILE - held.blocks * held.registers_per_block
  return {
    [[{blocks} blocks of {threads} threads are resident on a V100; each takes {each} of its {file} registers.]],
    blocks = held.blocks, threads = threads, each = held.registers_per_block, file = FILE,
    ask = "How many registers are in nobody's use?", answer = left, unit = "registers",
    wrong = d.except(left, { [FILE - held.registers_per_block] = "That is beside one block.",
                             [0] = "Another whole block would have to fit into the rest." }),
    tips = { "{file} less those of {blocks} blocks." },
    because = "They are too few for one block more, so nobody gets them.",
  }
end

local function which_is_dear(d)
  local threads = d.pick { 128, 256, 512 }
  local least = edge(d, threads)
  local steps = d.shuffle { { least, least + 1 }, { rup(least + 1, 8) - 7, rup(least + 1, 8) - 1 },
                            { 17, 30 }, { 25, 31 } }
  local options, answer = {}, nil
  for i, step in ipairs(steps) do
    options[i] = ("from %d to %d"):format(step[1], step[2])
    if sm(V100, threads, step[1]).blocks > sm(V100, threads, step[2]).blocks then answer = options[i] end
  end
  return {
    [[Blocks of {threads} threads on a V100, with {file} registers, in portions of 8 a thread.]], threads = threads,
    file = FILE,
    ask = "Which change of the registers costs blocks?", options = options, answer = answer,
    wrong = { ["from 17 to 30"] = "Up to 32 registers all warp slots are full.",
              ["from 25 to 31"] = "Both count as 32 at most, and 32 fit everywhere." },
    tips = { "Round up to eights. Then: how many blocks?" },
    because = "A cliff is where one more portion does not fit into all blocks.",
  }
end

-- ---- the staircase -------------------------------------------------------------------------------------------------

local function most_registers(d)
  local threads, blocks = d.pick { 128, 256, 192 }, d.integer(2, 7)
  local most = 255
  while most > 1 and sm(V100, threads, most).blocks < blocks do
    most = most - 1
  end
  return {
    [[Blocks of {threads} threads, on a V100 with {file} registers in portions of 8 a thread. {blocks} blocks are to
    live on an SM.]],
    threads = threads, file = FILE, blocks = blocks,
    ask = "How many registers may a thread have, at most?", answer = most, unit = "registers",
    wrong = d.except(most, { [FILE // (threads * blocks)] = "Round that down to eights; and a thread has 255 at most." }),
    tips = { "{file} / ({blocks} x {threads}), and portions of 8." },
    because = "One more, and the last block does not fit.",
  }
end

local function same_step(d)
  local threads = d.pick { 128, 256, 512 }
  local registers = d.integer(33, 96)
  local held, options = sm(V100, threads, registers), {}
  local first, last = registers, registers
  while first > 1 and sm(V100, threads, first - 1).blocks == held.blocks do first = first - 1 end
  while last < 254 and sm(V100, threads, last + 1).blocks == held.blocks do last = last + 1 end
  options[1] = tostring(d.integer(first,
  last) == registers and (registers > first and first or last) or d.integer(first, last))
  options[2], options[3] = tostring(last + 1), tostring(math.max(first - 1, 1))
  return {
    [[A V100 holds {blocks} blocks of {threads} threads, with {registers} registers a thread.]],
    blocks = held.blocks, threads = threads, registers = registers,
    ask = "With how many registers does it hold just as many?", options = d.shuffle(options), answer = options[1],
    wrong = { [options[2]] = "That is the first number that costs a block.",
              [options[3]] = "That few would leave room for one more." },
    tips = { "{file} / {threads} / {blocks}, by eights." }, file = FILE,
    because = "From {first} to {last} it is one step.", first = first, last = last,
  }
end

local function steps_of_shared(d)
  local threads, blocks = d.pick { 128, 256 }, d.integer(2, 6)
  local kb = KB // blocks
  local more = kb
  while sm(V100, threads, 32, 1024 * (more + 1)).blocks == sm(V100, threads, 32, 1024 * kb).blocks do
    more = more + 1
  end
  local now = kb - d.integer(0, 1)
  local held = sm(V100, threads, 32, 1024 * now)
  local last = now
  while sm(V100, threads, 32, 1024 * (last + 1)).blocks == held.blocks do last = last + 1 end
  return {
    [[Each block has {now} KB of shared memory, of {all}: {blocks} blocks of {threads} threads are resident.]],
    now = now, all = KB, blocks = held.blocks, threads = threads,
    ask = "How many KB may a block have without a loss of blocks?", answer = last, unit = "KB",
    wrong = d.except(last, { [now] = "Is there nothing left over?", [last + 1] = "That costs a block.",
                             [KB] = "All of it belongs to {blocks} blocks." }),
    tips = { "{all} KB for {blocks} blocks, whole KB." }, because = "{all} / {blocks}, rounded down.",
  }
end

return {
  skill { id = "slots", family = "EQ18", looks = { blocks_by_slots, occupancy_of_block, empty_slots } },
  skill { id = "whole", family = "FQ1", looks = { warps_taken, dark_lanes, counted_warps } },
  skill { id = "registers", family = "EQ21", looks = { blocks_by_registers, counts_as, next_step } },
  skill { id = "shared", family = "FQ9", looks = { blocks_by_shared, most_bytes, tile_blocks } },
  skill { id = "limit", family = "FQ1", looks = { full_gauge, what_helps, tightest } },
  skill { id = "sizes", family = "EQ2", looks = { old_blocks, best_size, half_the_block } },
  skill { id = "edge", family = "EQ9", looks = { over_the_edge, left_over, which_is_dear } },
  skill { id = "stairs", family = "EQ17", looks = { most_registers, same_step, steps_of_shared } },
}
