-- Families of questions: an open question of the lectures, and the skills of the banks that ask for the same with numbers.
-- lessons/families.lua holds them; which skills are theirs is said in the banks (skill { family = "FQ5" }).

local bank = use "bank"
local fields = use "fields"

local families = {}
local known = { "id", "topic", "where", "lesson", "ask", "model", "points", "play" }

local function check(t)
  local place = lesson_line()
  local function fail(message)
    error(place .. "family " .. tostring(t.id) .. ": " .. message, 0)
  end
  fields.check(t, known, "family")
  if type(t.id) ~= "string" or not t.id:find("^[EF]Q%d+$") then
    fail "an id is as FQ5 or EQ17"
  end
  for _, name in ipairs { "topic", "where", "lesson" } do
    if type(t[name]) ~= "string" then
      fail("there is no '" .. name .. "'")
    end
  end
  if (t.ask == nil) ~= (t.model == nil) or (t.ask == nil) ~= (t.points == nil) then
    fail "'ask', 'model' and 'points' belong together"
  end
  if t.play ~= nil and type(t.play) ~= "function" then
    fail "'play' is a function that asks"
  end
  t.place, t.skills = place, {}
  return t
end

local function add_skills(by_id)
  for _, lesson in ipairs(course_place().lessons) do
    for _, skill in ipairs(bank.of(lesson.id)) do
      local one = by_id[skill.family]
      if one then
        one.skills[#one.skills + 1] = skill.name
      elseif skill.family then
        error(skill.place .. "skill '" .. skill.id .. "' is of no family '" .. skill.family .. "'", 0)
      end
    end
  end
end

local list

-- All families in the order of their file, each with the names of its skills.
function families.all()
  if list then
    return list
  end
  local by_id = {}
  family = check
  list = family_file()()
  for _, one in ipairs(list) do
    if by_id[one.id] then
      error(one.place .. "there are two families called " .. one.id, 0)
    end
    by_id[one.id], one.open = one, one.ask ~= nil
  end
  add_skills(by_id)
  return list
end

-- The family of this name; nil if there is none.
function families.find(id)
  for _, one in ipairs(families.all()) do
    if one.id == id then
      return one
    end
  end
end

-- The topic of the family that a skill belongs to, else its lesson's title.
function families.topic(skill)
  local one, id = families.find(bank.find(skill).family), skill:match("^[^.]*")
  for _, lesson in ipairs(course_place().lessons) do
    if not one and lesson.id == id then
      return lesson.title
    end
  end
  return one.topic
end

return families
