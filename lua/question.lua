-- Questions: what an author writes, made into what the host asks.

local text = use "text"
local fields = use "fields"

local question = {}

-- What an author may write; other fields are values of the texts.
question.fields = {
  "title", "text", "ask", "answer", "options", "kind", "unit", "tolerance", "tips", "because", "id", "wrong", "show",
  "skill", "again",        -- of drawn questions, see lua/frame.lua
}

local function to_number(value)
  if type(value) == "boolean" then
    return value and 1 or 0
  end
  return value
end

local function filled(item, values)
  return type(item) == "number" and text.number(item) or text.fill(text.flow(item), values)
end

local function filled_list(list, values)
  local out = {}
  for i, item in ipairs(list or {}) do
    out[i] = filled(item, values)
  end
  return out
end

-- Place of an option, from 0: it is given as it was written (a word, or a number computed from a run).
local function place_of_option(t, wanted)
  for i, option in ipairs(t.options or {}) do
    if option == wanted or tostring(option) == tostring(wanted) then
      return i - 1
    end
  end
end

local function choice_answer(t)
  return place_of_option(t, t.answer)
    or error("the answer " .. tostring(t.answer) .. " is not among the options", 0)
end

-- Names of questions; each of them once in a lesson.
local named = {}

local function check_name(id)
  if id == nil then
    return
  elseif type(id) ~= "string" or not id:find("^%a[%w_.-]*$") or #id > 40 then
    error("an id is a word of letters, digits, '_' and '-', at most 40 of them", 0)
  elseif named[id] then
    error("two questions are called '" .. id .. "'", 0)
  end
  named[id] = true
end

-- For each kind: the number that stands for a key of 'wrong'.
local keys = {
  number = function(_, key)
    return type(key) == "number" and key or error("wrong: a key is a number, such as [2] = \"...\"", 0)
  end,
  choice = function(t, key)
    return place_of_option(t, key) or error("wrong: '" .. tostring(key) .. "' is not among the options", 0)
  end,
  mask = function(_, key)
    return math.tointeger(key) or error("wrong: a key is a mask, such as [0xffff] = \"...\"", 0)
  end,
}

-- Lists of equal length: the keys as numbers, in order, and what is said.
local function wrong_lists(t, kind)
  local list = {}
  for key, says in pairs(t.wrong or {}) do
    if type(says) ~= "string" then
      error("wrong: what is said is a text", 0)
    end
    list[#list + 1] = { keys[kind](t, key), filled(says, t) }
  end
  table.sort(list, function(a, b) return a[1] < b[1] end)
  local numbers, texts = {}, {}
  for i, item in ipairs(list) do
    numbers[i], texts[i] = item[1], item[2]
  end
  return numbers, texts
end

local function check_fields(t, kind)
  fields.check(t, question.fields, kind .. " question")
  if t.ask == nil then
    error(kind .. " question: there is no 'ask'", 0)
  elseif t.answer == nil then
    error(kind .. " question: there is no 'answer'", 0)
  end
end

-- Fields of a question, with texts filled: see lessons/README.md.
function question.make(t)
  local kind = t.kind or (t.options and "choice") or "number"
  if not keys[kind] then
    error("there is no question of kind '" .. tostring(kind) .. "'", 0)
  end
  check_fields(t, kind)
  check_name(t.id)
  local made = {
    question = kind,
    id = t.id,
    prompt = text.fill(text.flow(t.ask), t),
    options = filled_list(t.options, t),
    unit = t.unit,
    tolerance = t.tolerance,
    tips = question.tips(t),
    because = text.fill(text.flow(t.because or ""), t),
    answer = kind == "choice" and choice_answer(t) or to_number(t.answer),
  }
  made.wrong_keys, made.wrong_texts = wrong_lists(t, kind)
  return made
end

-- What the host says was answered, in the author's terms: a choice is the option itself.
function question.given(t, given)
  return t.options and t.options[math.tointeger(given) + 1] or given
end

function question.tips(t)
  return filled_list(t.tips, t)
end

return question
