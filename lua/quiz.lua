-- A quiz as a short lesson: the questions of a family, of a lesson, of the whole course, or those that are due.

local bank = use "bank"
local families = use "families"

local LEAST = 3          -- questions of a family: a skill alone is asked more than once
local MOST = 50          -- at a time; how many of them are due, and how many new, the day says
local FROM_LESSON = 10
local SURE = 3           -- after each so many it is asked how sure the student is

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

-- ---- the last screen -----------------------------------------------------------------------------------------------

-- What came of each skill the last time it was asked, each once.
local function last_of(results)
  local by_skill, names = {}, {}
  for _, one in ipairs(results) do
    if not by_skill[one.skill] then
      names[#names + 1] = one.skill
    end
    by_skill[one.skill] = one
  end
  return by_skill, names
end

local function when(days)
  return days <= 0 and "now" or days == 1 and "tomorrow" or "in " .. days .. " days"
end

local function how(one)
  return one.score >= 1 and "right" or one.score > 0 and "counts " .. string.format("%.2g", one.score)
    or one.right and "practice" or "wrong"
end

-- The sooner it comes back, the further up.
local function comes_back(states, by_skill)
  local lines, resting = {}, {}
  table.sort(states, function(a, b)
    if a.days ~= b.days then
      return a.days < b.days
    end
    return a.skill < b.skill
  end)
  for _, one in ipairs(states) do
    local name = families.topic(one.skill) .. " (`" .. one.skill .. "`, " .. how(by_skill[one.skill]) .. ")"
    if one.rests then
      resting[#resting + 1] = one.skill
    else
      lines[#lines + 1] = "- " .. when(one.days) .. ": " .. name
    end
  end
  return table.concat(lines, "\n"), resting
end

local function rest_words(resting)
  local lesson = resting[1] and resting[1]:match("^[^.]*")
  if not lesson then
    return ""
  end
  return string.format("\n\nWrong on four days: `%s`. It rests until you were in its lesson again: Enter opens %s.",
                       table.concat(resting, "`, `"), lesson), lesson
end

-- "2 right, 1 after a tip, 1 wrong"
local function counts_of(results)
  local right, wrong, practice = 0, 0, 0
  for _, one in ipairs(results) do
    local word = how(one)
    right = right + (word == "right" and 1 or 0)
    wrong = wrong + (word == "wrong" and 1 or 0)
    practice = practice + (word == "practice" and 1 or 0)
  end
  local partly = #results - right - wrong - practice
  local words = { right .. " right at once" }
  words[#words + 1] = partly > 0 and partly .. " in part or with help" or nil
  words[#words + 1] = practice > 0 and practice .. " after looking" or nil
  words[#words + 1] = wrong .. " wrong"
  return table.concat(words, ", "), right
end

local function points_of(results)
  local points = 0
  for _, one in ipairs(results) do
    points = points + one.score
  end
  return string.format("%.3g", points)
end

-- Nothing is asked today; what rests is named.
local function tell_nothing(skills)
  local resting = {}
  for _, one in ipairs(skill_states(skills)) do
    resting[#resting + 1] = one.rests and one.skill or nil
  end
  local rest, lesson = rest_words(resting)
  finish { title = "Nothing is due", rest = rest, next = lesson, [[
    No question waits for you today. `lanescope quiz --mix 10` asks ten of what you know least, `lanescope quiz FQ5`
    those of one family.{rest}
    ]] }
end

local function tell(results)
  local by_skill, names = last_of(results)
  local again, resting = comes_back(skill_states(names), by_skill)
  local rest, lesson = rest_words(resting)
  local counts, right = counts_of(results)
  finish { title = "{right} of {count} right", right = right, count = #results, counts = counts,
           points = points_of(results), again = again, rest = rest, next = lesson, [[
    {counts}: {points} of {count} points.

    What comes back, and when:

    {again}{rest}
    ]] }
end

-- ---- the questions -------------------------------------------------------------------------------------------------

local wish = quiz_wish()
local family = wish.family and families.find(wish.family)
local asked = { title = families.topic, sure = SURE }
if family then
  asked.skills, asked.count, asked.title = family.skills, math.max(LEAST, #family.skills), nil
elseif wish.lesson then
  asked.skills, asked.count = of_lesson(wish.lesson), FROM_LESSON
else
  asked.skills, asked.count, asked.due = all_skills(), MOST, not wish.mix
end
asked.count = wish.mix or asked.count

local results = {}
if #asked.skills > 0 then
  results = ask_skills(asked)
end
if family and family.play and not wish.mix then
  family.play()          -- what is done rather than answered: a goal, a walk, a line, a choice to defend
end
if family and family.open then
  rubric { title = family.id .. ": " .. family.topic, ask = family.ask, model = family.model, points = family.points,
           id = family.id }
end
if #results > 0 then
  tell(results)
elseif family then
  finish { title = family.topic, [[
    That was the open question. Questions with numbers come with lesson {lesson}.
    ]], lesson = family.lesson }
else
  tell_nothing(asked.skills)
end
