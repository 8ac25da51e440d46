-- Questions: what an author writes, made into what the host asks.

local text = use "text"
local fields = use "fields"
local kinds = use "kinds"

local question = {}

-- What an author may write; other fields are values of the texts.
question.fields = {
  "title", "text", "ask", "answer", "beside", "options", "kind", "unit", "tolerance", "tips", "because", "id", "wrong", "show",
  "sure", "lines", "spare", "orders",
  "skill", "draws_before", "again", "dropped", "class",   -- of drawn questions, see lua/frame.lua
}

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

-- Words after numbers: the order does not depend on pairs.
local function sorted_keys(t)
  local keys = {}
  for key in pairs(t) do
    keys[#keys + 1] = key
  end
  table.sort(keys, function(a, b)
    if type(a) == type(b) and type(a) ~= "boolean" then
      return a < b
    end
    return type(a) < type(b)
  end)
  return keys
end

-- Two lists: the keys as numbers, in order, and what is said.
local function wrong_lists(t, kind, made)
  local list = {}
  for _, key in ipairs(sorted_keys(t.wrong or {})) do
    local says = t.wrong[key]
    if type(says) ~= "string" then
      error("wrong: what is said is a text", 0)
    end
    local words = text.fill(text.flow(says), t)
    for _, number in ipairs(kind.keys(t, key, made)) do
      list[#list + 1] = { number, words }
    end
  end
  local numbers, texts = {}, {}
  for i, item in ipairs(list) do
    numbers[i], texts[i] = item[1], item[2]
  end
  return numbers, texts
end

local function kind_of(t)
  local name = t.kind or (t.options and "choice") or (t.lines and "order") or "number"
  return name, kinds[name] or error("there is no question of kind '" .. tostring(name) .. "'", 0)
end

local function check_fields(t, name, place)
  fields.check(t, question.fields, name .. " question")
  if t.ask == nil then
    error(name .. " question: there is no 'ask'", 0)
  elseif t.answer == nil and name ~= "order" then
    error(name .. " question: there is no 'answer'", 0)
  elseif name == "line" and not place.run then
    error("line question: show a run first", 0)
  end
end

-- Fields of a question, with texts filled: see lessons/README.md. place: what is shown beside it.
function question.make(t, place)
  local name, kind = kind_of(t)
  check_fields(t, name, place)
  check_name(t.id)
  local made = kind.make(t, place.run)
  made.wrong_keys, made.wrong_texts = wrong_lists(t, kind, made)
  made.question = name
  made.id = t.id
  made.prompt = text.fill(text.flow(t.ask), t)
  made.unit = t.unit
  made.tolerance = t.tolerance
  made.sure = t.sure
  made.tips = question.tips(t)
  made.because = text.fill(text.flow(t.because or ""), t)
  return made
end

-- What the host says was answered, in the author's terms: a choice is the option itself.
function question.given(t, given)
  local _, kind = kind_of(t)
  return kind.given and kind.given(t, given) or given
end

function question.tips(t)
  local out = {}
  for i, tip in ipairs(t.tips or {}) do
    out[i] = text.fill(text.flow(tip), t)
  end
  return out
end

return question
