-- A quiz as a short lesson: the questions of a family, of a lesson, of the whole course, or those that are due.

local bank = use "bank"
local families = use "families"

local LEAST = 3          -- questions of a family: a skill alone is asked more than once
local DUE, FRESH = 15, 4 -- at a time
local FROM_LESSON = 10

local function all_skills()
  local names = {}
  for _, lesson in ipairs(course_place().lessons) do
    for _, skill in ipairs(bank.of(lesson.id)) do
      names[#names + 1] = skill.name
    end
  end
  return names
end

local function of_lesson(id)
  local names = {}
  for _, skill in ipairs(bank.of(id)) do
    names[#names + 1] = skill.name
  end
  return names
end

local function boxes(states)
  local lines = {}
  for _, one in ipairs(states) do
    local again = one.days <= 0 and "now" or one.days == 1 and "tomorrow" or "in " .. one.days .. " days"
    lines[#lines + 1] = "- " .. families.topic(one.skill) .. " (`" .. one.skill .. "`): again " .. again
  end
  return table.concat(lines, "\n")
end

-- Each name once.
local function once(names)
  local seen, list = {}, {}
  for _, name in ipairs(names) do
    if not seen[name] then
      seen[name], list[#list + 1] = true, name
    end
  end
  return list
end

local wish = quiz_wish()
local family = wish.family and families.find(wish.family)
local asked = { title = families.topic }
if family then
  asked.skills, asked.count, asked.title = family.skills, math.max(LEAST, #family.skills), nil
elseif wish.lesson then
  asked.skills, asked.count = of_lesson(wish.lesson), FROM_LESSON
else
  asked.skills, asked.count = all_skills(), wish.mix or DUE + FRESH
  asked.due, asked.fresh = not wish.mix, FRESH
end
asked.count = wish.mix or asked.count

local right, count, names = 0, 0, {}
if #asked.skills > 0 then
  right, count, names = ask_skills(asked)
end
if family and family.open then
  rubric { title = family.id .. ": " .. family.topic, ask = family.ask, model = family.model, points = family.points,
           id = family.id }
end
if count > 0 then
  finish { title = "{right} of {count} right", right = right, count = count, again = boxes(skill_states(once(names))), [[
    What comes back, and when:

    {again}
    ]] }
elseif family then
  finish { title = family.topic, [[
    That was the open question. Questions with numbers come with lesson {lesson}.
    ]], lesson = family.lesson }
else
  finish { title = "Nothing is due", [[
    No question waits for you today. `lanescope quiz --mix 10` asks ten of what you know least, `lanescope quiz FQ5` those
    of one family.
    ]] }
end
