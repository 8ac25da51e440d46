-- The questions of an exam for one student, one after the other: drawn ones of the classes that the exam has chosen,
-- and open ones of families. Whoever drives it keeps them, and lets the student go back and forth among them.

local families = use "families"

for i, item in ipairs(exam_wish()) do
  if item.family then
    local family = families.find(item.family)
    if not family or not family.open then
      error("there is no open question of a family '" .. item.family .. "'", 0)
    end
    rubric { title = family.topic, ask = family.ask, model = family.model, points = family.points, id = "open_" .. i }
  else
    -- The name tells one student's lines in disorder from another's.
    ask_like(item, { title = families.topic(item.skill), id = "exam_" .. i .. "_" .. item.seed:sub(1, 16) })
  end
end
