-- Questions: what an author writes, made into what the host asks.

local text = use "text"

local question = {}

-- Place of the answer among the options. The answer may be given as the option
-- itself (a word or a number computed from a run) or as its number, "#2".
local function choice_answer(options, answer)
  for i, option in ipairs(options) do
    if option == answer or tostring(option) == tostring(answer) then
      return i - 1
    end
  end
  error("predict: the answer " .. tostring(answer) .. " is not among the options", 0)
end

local function to_number(value)
  if type(value) == "boolean" then
    return value and 1 or 0
  end
  return value
end

local function filled_list(list, values)
  local out = {}
  for i, item in ipairs(list or {}) do
    out[i] = type(item) == "number" and text.number(item) or text.fill(text.flow(item), values)
  end
  return out
end

-- Fields of a question, with texts filled: see lessons/README.md.
function question.make(t)
  local kind = t.kind or (t.options and "choice") or "number"
  local made = {
    question = kind,
    prompt = text.fill(text.flow(t.ask or ""), t),
    options = filled_list(t.options, t),
    unit = t.unit,
    tolerance = t.tolerance,
    tips = filled_list(t.tips, t),
    because = text.fill(text.flow(t.because or ""), t),
  }
  if t.ask == nil then
    error(kind .. " question: there is no 'ask'", 0)
  elseif t.answer == nil then
    error(kind .. " question: there is no 'answer'", 0)
  elseif kind == "choice" then
    made.answer = choice_answer(t.options or {}, t.answer)
  else
    made.answer = to_number(t.answer)
  end
  return made
end

return question
