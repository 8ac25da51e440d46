-- Questions drawn for L04, Divergence.

local DO_A, DO_B, DO_C = "value = value * 3 + 1", "value = value * 5 + 2", "value = value * 7 + 3"
local ARM = "value = value * 3 + arm"

local function nested(k, steps)
  return measure { kernel = "diverge_nested", params = { k = k, steps = steps or 3 } }
end

local function switch(n)
  return measure { kernel = "diverge_switch_n", params = { N = n } }
end

local function branches(params)
  return measure { kernel = "diverge_if_else", params = params }
end

-- Instructions that warps spent in these lines.
local function spent(r, ...)
  local sum = 0
  for _, line in ipairs { ... } do
    sum = sum + r:line(line).warp_instructions
  end
  return sum
end

-- Whether any lane executes the line.
local function inhabited(r, line)
  return r:line(line).warp_instructions > 0
end

local NEST = "`if (tid % 32 < {k}) { if (tid % 2 == 1) do_A(); else do_B(); } else do_C();`"

-- ---- masks of nested branches --------------------------------------------------------------------------------------

local function nested_mask(line, name, outer)
  return function(d)
    local k = d.integer(3, 30)
    local r = nested(k)
    local inside = (1 << k) - 1
    return {
      "One warp: " .. NEST, k = k, beside = r,
      ask = "Which lanes are active in " .. name .. "?", kind = "mask", answer = r:event({ line = line }).mask,
      wrong = {
        [outer and ~inside & 0xffffffff or inside] = "Those reach the second if. It splits them once more.",
        [0xaaaaaaaa] = "The first if has taken lanes away already.",
        [0x55555555] = "The first if has taken lanes away already.",
        [0xffffffff] = "Some lanes go elsewhere.",
      },
      tips = { "Which lanes get through the first if?", "Which of those are odd, which even?" },
      because = "{lanes}.", lanes = lanes_of(r:event({ line = line }).mask),
    }
  end
end

local function lanes_of_do_c(d)
  local k = d.integer(1, 31)
  local r = nested(k)
  return {
    "One warp: " .. NEST, k = k, beside = r,
    ask = "How many lanes wait while do_C runs?", answer = 32 - r:event({ line = DO_C }).lanes, unit = "lanes",
    wrong = { [32 - k] = "So many are in do_C. The others wait." },
    tips = { "Which lanes are not in do_C?" }, because = "The {k} lanes for which the first condition holds.",
  }
end

-- ---- turns of nested branches and switches -------------------------------------------------------------------------

local function ways_of_nest(d)
  local k = d.pick { 0, 1, 2, 32, d.integer(3, 31) }
  local r = nested(k)
  local ways = 0
  for _, line in ipairs { DO_A, DO_B, DO_C } do
    ways = ways + (inhabited(r, line) and 1 or 0)
  end
  return {
    "One warp: " .. NEST, k = k, beside = r,
    class = ({ "one", "two", "three" })[ways],
    ask = "Through how many of do_A, do_B and do_C does the warp go?", answer = ways, unit = "ways",
    wrong = d.except(ways, {
      [3] = "A way that no lane takes is left out.",
      [2] = "Look for lanes that do_A, do_B and do_C get, one by one.",
      [1] = "Look for lanes that do_A, do_B and do_C get, one by one.",
    }),
    tips = { "Is there an odd lane below {k}? An even one?", "Is there a lane from {k} on?" },
    because = "do_A: {a}. do_B: {b}. do_C: {c}.", a = inhabited(r, DO_A) and "yes" or "no",
    b = inhabited(r, DO_B) and "yes" or "no", c = inhabited(r, DO_C) and "yes" or "no",
  }
end

local function turns_of_switch(d)
  local n = d.pick { d.integer(2, 31), 32, d.integer(33, 48) }
  local r = switch(math.min(n, 32))
  local turns = r:line(ARM).warp_instructions // switch(1):line(ARM).warp_instructions
  return {
    [[A full warp comes to `switch (threadIdx.x % {n})`. Every value has an arm of its own.]], n = n,
    class = n > 32 and "above" or n == 32 and "full" or "below",
    ask = "How many arms does the warp go through?", answer = turns, unit = "arms",
    wrong = d.except(turns, { [n] = "A warp has only 32 lanes to take them.", [1] = "The lanes do not agree." }),
    tips = { "How many different values do 32 lanes have?" }, because = "32 lanes, values 0 to {last}: {answer} arms.",
    last = math.min(n, 32) - 1,
  }
end

local function idle_in_switch(d)
  local n = d.pick { 2, 4, 8, 16, 32 }
  local lanes = switch(n):event({ line = ARM }).lanes
  return {
    [[A full warp comes to `switch (threadIdx.x % {n})`. Every value has an arm of its own.]], n = n,
    ask = "How many lanes are at work in one arm?", answer = lanes, unit = "lanes",
    wrong = d.except(lanes, { [n] = "That is the number of arms.", [32] = "Lanes with other values wait." }),
    tips = { "How many lanes have the same remainder?" }, because = "32 / {n}.",
  }
end

-- ---- time ----------------------------------------------------------------------------------------------------------

local function time_of_nest(d)
  local k, steps = d.pick { 0, 1, 32, d.integer(2, 31), d.integer(2, 31) }, d.integer(2, 6)
  local one = spent(nested(0, steps), DO_C)
  local now = spent(nested(k, steps), DO_A, DO_B, DO_C)
  return {
    "One warp; each of the arms costs it {one} instructions. " .. NEST, one = one, k = k,
    class = ({ "one", "two", "three" })[now // one],
    ask = "How many does it spend in the arms?", answer = now, unit = "instructions",
    wrong = d.except(now, {
      [one] = "Lanes go more than one way.", [2 * one] = "Count the arms that have a lane.",
      [3 * one] = "Count the arms that have a lane.",
    }),
    tips = { "How many of the arms have a lane?" }, because = "The sum of the arms that are taken.",
  }
end

local function share_of_lanes(d)
  local k, length = d.integer(1, 15) * 2, d.integer(2, 8)
  local r = branches { period = 32, k = k, threads = 32, a_steps = length, b_steps = length }
  local a, b = r:event { line = DO_A }, r:event { line = DO_B }
  return {
    [[In one warp {a} lanes take do_A and {b} take do_B. Both arms are equally long.]], a = a.lanes, b = b.lanes,
    ask = "What part of the lanes is at work in the arms, on average, in percent?",
    answer = 100 * (a.lanes + b.lanes) / 64, unit = "%", tolerance = 0.5,
    wrong = { [100] = "In each arm some lanes wait.", [100 * a.lanes / 32] = "That is so in do_A. There is do_B, too." },
    tips = { "What part works in do_A, and what part in do_B?" }, because = "All 32 lanes work once, in two turns.",
  }
end

local function one_lane(d)
  local a, b = d.integer(2, 12), d.integer(13, 40)
  local r = branches { period = 32, k = 1, threads = 32, a_steps = a, b_steps = b }
  local full = branches { period = 32, k = 0, threads = 32, a_steps = a, b_steps = b }
  local extra, all = spent(r, DO_A), spent(full, DO_B)
  return {
    [[31 lanes of a warp take do_B, which costs {all} instructions. Lane 0 alone takes do_A, {extra} instructions.]],
    extra = extra, all = all,
    ask = "How many does the warp spend in the arms?", answer = spent(r, DO_A, DO_B), unit = "instructions",
    wrong = {
      [all] = "Lane 0 is of this warp, and takes its turn.", [math.max(all, extra)] = "Not the longer one alone.",
      [all + extra // 32] = "A turn for one lane costs what a turn for all costs.",
    },
    tips = { "Does do_B start before do_A has ended?" }, because = "{extra} + {all}: one lane makes the warp go both ways.",
  }
end

-- ---- between warps -------------------------------------------------------------------------------------------------

local function cost_by_group(d)
  local group = d.pick { 1, 2, 8, 16, 32, 64 }
  local warps = d.pick { 4, 8 }
  local r = branches { period = 2 * group, k = group, threads = 32 * warps }
  local all_one = spent(branches { period = 2, k = 2, threads = 32 * warps }, DO_A, DO_B)
  local times = spent(r, DO_A, DO_B) / all_one
  return {
    [[
    {warps} warps, arms of the same length. Lanes choose do_A or do_B in groups of {group}: `tid / {group} % 2`. Compare it with
    all lanes in do_A.
    ]],
    warps = warps, group = group,
    class = group < 32 and "mixed" or "alike",
    ask = "How many times as many instructions do the arms take?", answer = times, unit = "times", tolerance = 0.01,
    wrong = d.except(times // 1, { [1] = "Groups of {group} are smaller than a warp.", [2] = "Groups of {group} are whole warps." }),
    tips = { "Are both kinds of lanes in one warp?" },
    because = group < 32 and "Every warp has both kinds." or "Every warp has one kind only.",
  }
end

local function warps_that_part(d)
  local border = d.integer(1, 3) * 32 + d.pick { 0, d.integer(1, 31) }
  local r = branches { period = 128, k = border, threads = 128 }
  local divided = r:line("if (foo)").divergent_branches
  return {
    [[A block of {threads} threads comes to `if (threadIdx.x < {border})`.]], threads = r.threads, border = border,
    class = divided > 0 and "inside" or "between",
    ask = "How many of its warps diverge?", answer = divided, unit = "warps",
    wrong = d.except(divided, {
      [r.warps] = "Most warps lie on one side of the border.", [border // 32] = "Those lie below the border, and agree.",
      [0] = "{border} is no multiple of 32.", [1] = "{border} is a multiple of 32.",
    }),
    tips = { "Which warp has the border inside?" },
    because = "At most the warp with thread {border}, if the border is inside of it.",
  }
end

local function sorted(d)
  local kinds = d.integer(2, 6)
  return {
    [[Each element is of one of {kinds} kinds, in any order. Each kind has a long arm of its own.]], kinds = kinds,
    ask = "What makes most warps go one way only?",
    options = d.shuffle { "sort the elements by kind", "more threads in a block", "a switch in place of ifs", "__syncwarp() before it" },
    answer = "sort the elements by kind",
    wrong = {
      ["more threads in a block"] = "A warp has 32 lanes, however large its block is.",
      ["a switch in place of ifs"] = "The ways are the same, however they are written.",
      ["__syncwarp() before it"] = "It makes lanes meet; they part again at once.",
    },
    because = "Then nearly all warps have elements of one kind.",
  }
end

-- ---- loops ---------------------------------------------------------------------------------------------------------

local function longest_lane(d)
  local short, long = d.integer(2, 9), d.integer(10, 60)
  local lane = d.integer(0, 31)
  return {
    [[31 lanes of a warp go through a loop {short} times. Lane {lane} goes through it {long} times.]],
    short = short, long = long, lane = lane,
    ask = "How many rounds does the warp make?", answer = long, unit = "rounds",
    wrong = {
      [short] = "Lane {lane} is of this warp, and the others wait for it.",
      [31 * short + long] = "Rounds of different lanes are made together.",
      [short + long] = "The first {short} rounds of all lanes are the same ones.",
    },
    tips = { "When is the last lane done?" }, because = "As many as its longest lane.",
  }
end

local function loops_by_group(d)
  local group, warps = d.pick { 1, 4, 16, 32, 64 }, 4
  local short, long = d.integer(2, 6), d.integer(7, 20)
  local alike = group >= 32
  return {
    [[
    {warps} warps. Threads go through a loop {short} times or {long} times, in groups of {group}: `tid / {group} % 2`.
    ]],
    warps = warps, short = short, long = long, group = group,
    class = alike and "alike" or "mixed",
    ask = "How many rounds do the warps make in all?", unit = "rounds",
    answer = alike and warps // 2 * (short + long) or warps * long,
    wrong = d.except(alike and warps // 2 * (short + long) or warps * long, {
      [warps * long] = "Whole warps have the short loop.",
      [warps // 2 * (short + long)] = "Each warp has lanes with the long loop.",
      [32 * warps // 2 * (short + long)] = "Rounds of lanes are made together.",
    }),
    tips = { "Which lanes are in one warp?", "A warp goes on as long as its longest lane." },
    because = alike and "Half of the warps are done early." or "Each warp has a lane that takes {long}.",
  }
end

local function lanes_in_round(d)
  local round = d.integer(2, 31)
  return {
    [[Lane `i` of a full warp goes through a loop i + 1 times. Rounds count from 1.]], round = round,
    ask = "How many lanes are at work in round {round}?", answer = 33 - round, unit = "lanes",
    wrong = d.except(33 - round, {
      [32] = "Lane 0 is done after one round.", [round] = "That is the round.",
      [32 - round] = "Lane {round} - 1 is there, too.",
      [1] = "Only in the last round.",
    }),
    tips = { "Which lanes have {round} rounds or more?" }, because = "Those from lane {first} on.", first = round - 1,
  }
end

-- ---- selects and meeting again -------------------------------------------------------------------------------------

local function select_or_branch(d)
  local a, b = d.integer(2, 9), d.integer(2, 9)
  return {
    [[A short `x = foo ? a : b` became a select. Computing a takes {a} instructions, b takes {b}. No lane of the warp wants b.]],
    a = a, b = b,
    ask = "How many are spent on a and b?", answer = a + b, unit = "instructions",
    wrong = {
      [a] = "A select has both values computed, also where nobody wants one.",
      [math.max(a, b)] = "Both are computed, one after the other.",
    },
    because = "Both, always. It saves the branch, not the arm.",
  }
end

local function select_pays(d)
  local kind = d.pick { "short", "long", "uniform" }
  local texts = {
    short = "Both arms are one instruction, and lanes of a warp disagree.",
    long = "One arm takes hundreds of instructions, and whole warps seldom need it.",
    uniform = "All threads of the grid agree, and both arms are long.",
  }
  return {
    texts[kind], class = kind, ask = "What should the compiler make of the if?", options = { "a select", "a branch" },
    answer = kind == "short" and "a select" or "a branch",
    because = kind == "short" and "A branch would cost more than the arm that it saves."
      or "A branch leaves out the arm that nobody wants; a select never does.",
  }
end

local function after_the_if(d)
  local k = d.integer(1, 31)
  local r = branches { period = 32, k = k, threads = 32 }
  local store = r:event { line = "out[id]", kind = "store" }
  return {
    [[One warp, `if (tid % 32 < {k}) do_A(); else do_B();`, and then a store by all.]], k = k,
    ask = "How many lanes does the store have, with reconvergence?", answer = store.lanes, unit = "lanes",
    wrong = { [k] = "The others come to the store as well, and wait until all are there.", [32 - k] = "Those of do_A take part, too." },
    tips = { "Where do both ways meet?" }, because = "Behind the if the warp is whole again.",
  }
end

return {
  skill { id = "masks", family = "EQ10", looks = { nested_mask(DO_A, "do_A"), nested_mask(DO_B, "do_B"), lanes_of_do_c } },
  skill { id = "ways", family = "FQ4", looks = { ways_of_nest, turns_of_switch, idle_in_switch } },
  skill { id = "time", family = "FQ4", looks = { time_of_nest, share_of_lanes, one_lane } },
  skill { id = "warps", family = "FQ4", looks = { cost_by_group, warps_that_part, sorted } },
  skill { id = "loops", looks = { longest_lane, loops_by_group, lanes_in_round } },
  skill { id = "meeting", looks = { select_or_branch, select_pays, after_the_if } },
}
