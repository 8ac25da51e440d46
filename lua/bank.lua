-- Banks: the skills of a lesson, from which questions are drawn. lessons/questions/LNN.lua holds one each.

local draw = use "draw"

local bank = {}
local loaded = {}        -- by lesson: list of skills in the order of the file, false where there is none

local function in_turn(looks)
  return function(d)
    return d.pick(looks)(d)
  end
end

-- skill { id = "waves", draw = function(d) return { a question } end, family = "FQ2" }, or looks = { f, g, h } in place
-- of draw: functions as that, which take turns
function bank.skill(t)
  local place = lesson_line()
  if type(t) ~= "table" or type(t.id) ~= "string" or not t.id:find("^%l[%w_]*$") then
    error(place .. "skill takes a table with an id: a small letter, then letters, digits or _", 0)
  end
  local made = t.looks and #t.looks > 0 and in_turn(t.looks) or t.draw
  if type(made) ~= "function" then
    error(place .. "skill '" .. t.id .. "' has neither a function 'draw' nor a list 'looks'", 0)
  end
  return { id = t.id, draw = made, looks = t.looks and #t.looks, family = t.family, place = place }
end

local function check_bank(list, id)
  local seen = {}
  if type(list) ~= "table" or #list == 0 then
    error("questions/" .. id .. ".lua returns no list of skills", 0)
  end
  for i, one in ipairs(list) do
    if type(one) ~= "table" or not one.draw then
      error("questions/" .. id .. ".lua: item " .. i .. " of its list is no skill", 0)
    elseif seen[one.id] then
      error(one.place .. "there are two skills called '" .. one.id .. "'", 0)
    end
    seen[one.id] = true
    one.name = id .. "." .. one.id
  end
  return list
end

-- The skills of a lesson, by its id; none if it has no bank.
function bank.of(id)
  if loaded[id] == nil then
    local chunk = question_bank(id)
    loaded[id] = chunk and check_bank(chunk(), id) or false
  end
  return loaded[id] or {}
end

-- The skill called "L03.warps".
function bank.find(name)
  for _, one in ipairs(bank.of(name:match("^[^.]*"))) do
    if one.name == name then
      return one
    end
  end
  error("there is no skill '" .. name .. "'", 0)
end

local TRIES = 20

-- A way to go wrong that leads to the right number this time: then another question is drawn.
local function misleads(question)
  local answer = question.answer
  for given in pairs(question.wrong or {}) do
    if type(given) == "number" and type(answer) == "number" and math.abs(given - answer) <= (question.tolerance or 0) then
      return true
    end
  end
  return false
end

-- Takes out of a choice's wrong ways what is said to options that are not offered this time, or are right.
local function keep_offered(question, dropped)
  local offered = {}
  for _, option in ipairs(question.options or {}) do
    offered[option] = option ~= question.answer
  end
  for option, words in pairs(question.options and question.wrong or {}) do
    if not offered[option] then
      dropped[#dropped + 1] = words
      question.wrong[option] = nil
    end
  end
end

-- One try at a question; nil if it cannot be asked.
local function drawn(one, d)
  local question = one.draw(d)
  if type(question) ~= "table" then
    error(one.place .. "draw of skill '" .. one.id .. "' returns no question", 0)
  elseif misleads(question) then
    return nil
  end
  question.skill = one.name
  keep_offered(question, d.dropped)
  question.dropped = d.dropped          -- their {values} are not forgotten ones
  return question
end

-- Draws a question. The same seed, skill and times give the same one.
function bank.draw(one, seed, times)
  for try = 1, TRIES do
    local question = drawn(one, draw.new(seed, one.name, times, try))
    if question then
      question.draws_before = times
      return question
    end
  end
  error(one.place .. "skill '" .. one.id .. "' draws questions whose 'wrong' leads to the right answer", 0)
end

local LIKE_TRIES = 400   -- a class of one in fifty is missed once in three thousand times

-- What makes draws of a skill equally hard: the look, and the class that the draw names, as "2" or "2.free".
local function class_of(one, look, question)
  local class = question.class
  if class ~= nil and (type(class) ~= "string" or not class:find("^%l[%w_]*$")) then
    error(one.place .. "skill '" .. one.id .. "': the class of a draw is a word", 0)
  end
  return class and look .. "." .. class or tostring(look)
end

-- Draws a question of a class, as "2.free"; class nil: of any, by the look number `look`, counted around. Its field
-- `class` says which it is. The same seed, skill and class give the same one.
function bank.draw_like(one, seed, look, class)
  local looks = one.looks or 1
  look = class and math.tointeger(class:match("^%d+")) or look % looks + 1
  for try = 1, LIKE_TRIES do
    local question = look <= looks and drawn(one, draw.new(seed, one.name, 0, try, one.looks and look))
    if question and (not class or class_of(one, look, question) == class) then
      question.class = class_of(one, look, question)
      return question
    end
  end
  error(one.place .. "skill '" .. one.id .. "' draws no question of class '" .. tostring(class) .. "'", 0)
end

return bank
