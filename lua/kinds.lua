-- The kinds of questions: how the answer that an author writes becomes a number, and back.
--
-- make(t, run): what the host gets besides the texts of every question. keys(t, key, made): the numbers that a key of
-- 'wrong' stands for. given(t, number, made): what a student answered, in the author's terms.

local text = use "text"

local kinds = {}

local function wrong_key(kind, what)
  error("wrong: a key of a " .. kind .. " question is " .. what, 0)
end

local function filled_list(list, values)
  local out = {}
  for i, item in ipairs(list or {}) do
    out[i] = type(item) == "number" and text.number(item) or text.fill(text.flow(item), values)
  end
  return out
end

local function is_list(value)
  return type(value) == "table"
end

-- Place in a list, from 1, of what is written as one of its items: a word, or a number computed from a run.
local function place_in(list, wanted)
  for i, item in ipairs(list or {}) do
    if item == wanted or tostring(item) == tostring(wanted) then
      return i
    end
  end
end

local function option_of(t, wanted, what)
  local place = place_in(t.options, wanted)
  return place and place - 1 or error(what .. "'" .. tostring(wanted) .. "' is not among the options", 0)
end

-- ---- a number, 32 lanes, one of some -------------------------------------------

kinds.number = {
  make = function(t)
    local answer = t.answer
    if type(answer) == "boolean" then
      answer = answer and 1 or 0
    end
    return { answer = answer }
  end,
  keys = function(_, key)
    return { type(key) == "number" and key or wrong_key("number", "a number, such as [2] = \"...\"") }
  end,
}

kinds.mask = {
  make = kinds.number.make,
  keys = function(_, key)
    return { math.tointeger(key) or wrong_key("mask", "32 bits, such as [0xffff] = \"...\"") }
  end,
}

kinds.choice = {
  make = function(t)
    return { options = filled_list(t.options, t), answer = option_of(t, t.answer, "the answer ") }
  end,
  keys = function(t, key)
    return { option_of(t, key, "wrong: ") }
  end,
  given = function(t, number)
    return t.options[math.tointeger(number) + 1]
  end,
}

-- ---- all that are true ----------------------------------------------------------

kinds.several = {
  make = function(t)
    if not is_list(t.answer) then
      error("several: the answer is a list of the options that are true", 0)
    end
    local bits = 0
    for _, item in ipairs(t.answer) do
      bits = bits | 1 << option_of(t, item, "the answer ")
    end
    return { options = filled_list(t.options, t), answer = bits }
  end,
  keys = kinds.choice.keys,
  given = function(t, number)
    local list, bits = {}, math.tointeger(number)
    for i, option in ipairs(t.options) do
      if bits >> (i - 1) & 1 == 1 then
        list[#list + 1] = option
      end
    end
    return list
  end,
}

-- ---- lines in order ----------------------------------------------------------------

-- Lines may be code, which has braces of its own: only names of values are replaced.
local function fill_known(line, values)
  return (tostring(line):gsub("{(%a[%w_]*)}", function(name)
    local value = values[name]
    if type(value) == "number" then
      return text.number(value)
    end
    return type(value) == "string" and value or nil
  end))
end

-- Numbers that depend on the words only, so that a question is shown the same way every time.
local function seed_of(words)
  local seed = 17
  for i = 1, #words do
    seed = (seed * 31 + words:byte(i)) % 2147483647
  end
  return seed
end

local function is_sorted(list)
  for i = 2, #list do
    if list[i] < list[i - 1] then
      return false
    end
  end
  return true
end

-- The numbers from 1 to count, in disorder.
local function shuffled(count, seed)
  local list = {}
  for i = 1, count do
    list[i] = i
  end
  repeat
    for i = count, 2, -1 do
      seed = seed * 48271 % 2147483647
      local j = seed % i + 1
      list[i], list[j] = list[j], list[i]
    end
  until count < 2 or not is_sorted(list)
  return list
end

local function all_lines(t)
  if not is_list(t.lines) then
    error("order: there is no list 'lines'", 0)
  end
  local lines = {}
  for _, part in ipairs { t.lines, t.spare or {} } do
    for _, line in ipairs(part) do
      lines[#lines + 1] = line
    end
  end
  return lines
end

-- Where each line is shown: shown[number as written] = number on the screen, from 1.
local function shown_places(t)
  local lines = all_lines(t)
  local order, shown = shuffled(#lines, seed_of(t.id or t.ask)), {}
  for place, number in ipairs(order) do
    shown[number] = place
  end
  return lines, order, shown
end

-- An order as the host has it: four bits a line, the first line in the lowest.
local function packed(numbers, shown)
  local bits = 0
  for place, number in ipairs(numbers) do
    bits = bits | (shown[number] or error("order: there is no line " .. tostring(number), 0)) << 4 * (place - 1)
  end
  return bits
end

kinds.order = {
  make = function(t)
    local lines, order, shown = shown_places(t)
    if #lines > 12 then
      error("order: at most 12 lines, with those to spare", 0)
    end
    local made = { options = {}, others = {}, spare = #(t.spare or {}) }
    for place, number in ipairs(order) do
      made.options[place] = fill_known(lines[number], t)
    end
    local right = {}
    for i = 1, #t.lines do
      right[i] = i
    end
    made.answer = packed(right, shown)
    for i, other in ipairs(t.orders or {}) do
      made.others[i] = packed(other, shown)
    end
    return made
  end,
  keys = function(t, key)
    local lines, _, shown = shown_places(t)
    local number = place_in(lines, key)
    return { number and shown[number] or wrong_key("order", "the text of one of its lines, not '" .. tostring(key) .. "'") }
  end,
  given = function(t, number)
    local lines, order = shown_places(t)
    local list, bits = {}, math.tointeger(number)
    while bits ~= 0 do
      list[#list + 1] = lines[order[bits & 15]]
      bits = bits >> 4
    end
    return list
  end,
}

-- ---- a line of the source ----------------------------------------------------------

-- The numbers of a line, or of all that have a text in them.
local function numbers_of_line(source, wanted)
  if math.tointeger(wanted) then
    return { math.tointeger(wanted) }
  end
  local numbers = {}
  for number, line in ipairs(source) do
    if line:find(wanted, 1, true) then
      numbers[#numbers + 1] = number
    end
  end
  return #numbers > 0 and numbers or error("no line of the source has '" .. tostring(wanted) .. "' in it", 0)
end

kinds.line = {
  make = function(t, run)
    local made = { options = run.source, others = {} }
    for _, wanted in ipairs(is_list(t.answer) and t.answer or { t.answer }) do
      for _, number in ipairs(numbers_of_line(made.options, wanted)) do
        made.others[#made.others + 1] = number
      end
    end
    made.answer = made.others[1]
    return made
  end,
  keys = function(_, key, made)
    return numbers_of_line(made.options, key)
  end,
}

-- ---- a short text --------------------------------------------------------------------

kinds.text = {
  make = function(t)
    local made = { options = {}, others = {}, answer = 0 }
    for i, word in ipairs(is_list(t.answer) and t.answer or { t.answer }) do
      made.options[i] = tostring(word)
      made.others[i] = i - 1
    end
    return made
  end,
  keys = function(_, key, made)
    for i = 1, #made.others do
      if made.options[i]:gsub("%s", ""):lower() == tostring(key):gsub("%s", ""):lower() then
        return { i - 1 }
      end
    end
    made.options[#made.options + 1] = tostring(key)
    return { #made.options - 1 }
  end,
}

return kinds
