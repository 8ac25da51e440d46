-- Draws: numbers and choices for a question. The same seed gives the same ones on every machine.

local draw = {}

-- SplitMix64, by Steele, Lea and Flood (2014): 64 bits of state, one multiplication chain per number.
local function mixed(state)
  local z = (state ~ (state >> 30)) * 0xbf58476d1ce4e5b9
  z = (z ~ (z >> 27)) * 0x94d049bb133111eb
  return z ~ (z >> 31)
end

-- A text as 64 bits: FNV-1a.
local function hashed(text)
  local hash = 0xcbf29ce484222325
  for i = 1, #text do
    hash = (hash ~ text:byte(i)) * 0x100000001b3
  end
  return mixed(hash)
end

local function generator(text)
  local state = hashed(text)
  return function()
    state = state + 0x9e3779b97f4a7c15
    return mixed(state)
  end
end

-- A whole number from 0 to count - 1, each as likely as the others but for one part in 2^40.
local function below(next_bits, count)
  return (next_bits() >> 16) % count
end

local function shuffled(next_bits, list)
  local out = {}
  for i, item in ipairs(list) do
    local j = below(next_bits, i) + 1
    out[i] = out[j]
    out[j] = item
  end
  return out
end

-- The look with this number of a row in which every look comes before one returns, and none follows itself.
local function turn(name, count, times)
  local cycle, place = times // count, times % count
  local numbers = {}
  for i = 1, count do
    numbers[i] = i
  end
  local order = shuffled(generator(name .. "/" .. cycle), numbers)
  if cycle > 0 and count > 1 and order[1] == turn(name, count, times - place - 1) then
    order[1], order[count] = order[count], order[1]
  end
  return order[place + 1]
end

-- What a skill's draw gets. seed: of the student, an integer; skill: "L03.warps"; times: how often it was drawn before;
-- try: grows where a draw has to be drawn again; look: the one of its looks that is asked, nil: they take turns.
function draw.new(seed, skill, times, try, look)
  local name = seed .. "/" .. skill
  local next_bits = generator(name .. "/" .. times .. "/" .. try)
  local picked = false
  local d = { times = times, dropped = {} }        -- dropped: texts that this draw leaves out, see except

  -- One of lo, lo + 1, ... hi.
  function d.integer(lo, hi)
    if math.type(lo) ~= "integer" or math.type(hi) ~= "integer" or lo > hi then
      error(lesson_line() .. "d.integer takes two whole numbers, the smaller one first", 0)
    end
    return lo + below(next_bits, hi - lo + 1)
  end

  -- One of a list. The first pick of a draw is the question's look: the looks take turns.
  function d.pick(list)
    if type(list) ~= "table" or #list == 0 then
      error(lesson_line() .. "d.pick takes a list", 0)
    end
    local at = picked and below(next_bits, #list) + 1 or look or turn(name, #list, times)
    picked = true
    return list[at]
  end

  -- True with probability p.
  function d.chance(p)
    return below(next_bits, 1 << 30) < p * (1 << 30)
  end

  -- The same list in another order.
  function d.shuffle(list)
    return shuffled(next_bits, list)
  end

  -- What `wrong` says to the other answers, where they are few and each may be right: { [1] = "...", [2] = "..." }.
  function d.except(answer, says)
    local out = {}
    for given, words in pairs(says) do
      if given ~= answer then
        out[given] = words
      else
        d.dropped[#d.dropped + 1] = words
      end
    end
    return out
  end

  return d
end

return draw
