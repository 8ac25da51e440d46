-- The frame of a lesson: what was learned before is asked first, and at its end what was learned now, with numbers that
-- differ from student to student. The words here become global in a lesson, as those of lua/lesson.lua.

local bank = use "bank"
local text = use "text"

local PASSED = 0.8       -- share of right answers
local LISTED = 4         -- questions that the last screen names; it tells how many others there are

local request = coroutine.yield

-- core: ask(kind, question) asks, and returns what was answered and whether it was right, by way of make(kind, question)
-- and answer_to(made, question); blame(f, ...) calls f and blames the lesson for what goes wrong in it; trace(t) asks
-- a trace; screen(kind, t) makes a screen; forget() what was measured; place() and go(place) of what is shown, and
-- place_of(t) of the fields of show.
return function(core)
  local frame = { skill = bank.skill }
  local asked = {}       -- every question of the lesson: kind, question, place, right
  local checks = 0

  -- Remembers a question for the last screen.
  function frame.remember(kind, question, place, right)
    if not question.again then
      asked[#asked + 1] = { kind = kind, question = question, place = place, right = right }
    end
  end

  -- ---- drawing -------------------------------------------------------------------------------------------------

  local function add_names(names, id)
    for _, one in ipairs(bank.of(id)) do
      names[#names + 1] = one.name
    end
  end

  -- Which skills are asked, and how often they were drawn before: the host knows what failed and what is due. The first
  -- `needed` of the names come before the others.
  local function chosen(slot, count, names, needed)
    return request { kind = "draw", slot = slot, count = count, skills = names, needed = needed or #names }
  end

  -- Asks a drawn question, beside the source of the run that it shows, if it does; the answer shows the run. name: of
  -- the draw.
  local function put(skill, name, question)
    local function blame(f, ...)
      local ok, made = pcall(f, ...)
      if not ok then
        error(skill.place .. "skill '" .. skill.id .. "', " .. name .. ": " .. tostring(made), 0)
      end
      return made
    end
    local before = core.place()
    if question.beside then
      core.go(blame(core.place_of, { run = question.beside, at = "start", code = true }))
    end
    local given, right, score = core.answer_to(blame(core.make, "check", question), question)
    if question.beside then
      core.go(before)
    end
    return given, right, score
  end

  -- A trace is one answer: the share of its events that were right.
  local function ask_trace(question, one)
    local fields = {}
    for name, value in pairs(question) do
      fields[name] = value
    end
    for _, name in ipairs { "kind", "skill", "draws_before", "dropped", "sure", "again" } do
      fields[name] = nil
    end
    local before = core.place()
    local right, total = core.trace(fields)
    request { kind = "scored", skill = one.skill, draws_before = one.times, right = right, total = total }
    core.go(before)
    return right, right == total, right / total
  end

  -- Its name in the lesson says what was drawn, so that a saved answer is never taken for one to other numbers.
  local function ask_drawn(one, seed, fields)
    local skill = bank.find(one.skill)
    core.forget()
    local question = bank.draw(skill, seed, one.times)
    fields.id = string.format("%s.%s.%d", fields.id, skill.id, one.times)
    for name, value in pairs(fields) do
      if question[name] == nil then
        question[name] = value
      end
    end
    if question.kind == "trace" then
      return ask_trace(question, one)
    end
    return put(skill, "draw " .. one.times, question)
  end

  -- Asks what was chosen for a slot, one after the other, after so many `before`. title: words with {number} and {count},
  -- or a function that makes them. Returns how many were right, how many there were, the skills that failed, and what
  -- came of each: { skill =, right =, score = }.
  local function ask_list(list, slot, title, fields, before)
    local right_count, failed, results, count = 0, {}, {}, (before or 0) + #list
    for i, one in ipairs(list) do
      local words = type(title) == "function" and title(one) or title
      local own = { id = slot .. "_" .. i, title = text.fill(words, { number = (before or 0) + i, count = count }) }
      for name, value in pairs(fields or {}) do
        own[name] = value
      end
      own.sure = fields and fields.sure and i % fields.sure == 0
      local _, right, score = ask_drawn(one, list.seed, own)
      right_count = right_count + (right and 1 or 0)
      failed[#failed + 1] = not right and one.skill or nil
      results[i] = { skill = one.skill, right = right, score = score }
    end
    return right_count, #list, failed, results
  end

  -- Questions of one skill from the bank, drawn for the `first` to `last` time.
  function frame.drill(skill, seed, first, last)
    for times = first, last do
      ask_drawn({ skill = skill, times = times }, seed, { id = "draw_" .. times, title = skill })
    end
  end

  -- ask_like({ skill =, seed =, look =, class = }, fields): one question of that class, as bank.draw_like draws it, with
  -- these fields. How sure one is is not asked.
  function frame.ask_like(item, fields)
    local skill = bank.find(item.skill)
    local question = bank.draw_like(skill, item.seed, item.look, item.class)
    question.sure = nil
    for name, value in pairs(fields) do
      question[name] = value
    end
    return put(skill, "class " .. question.class, question)
  end

  -- ---- recall --------------------------------------------------------------------------------------------------

  -- recall(2): questions of earlier lessons, drawn from their banks. What failed before comes first, then what is due,
  -- then what this lesson needs.
  function frame.recall(count)
    if math.type(count) ~= "integer" or count < 1 then
      error(lesson_line() .. "recall takes how many questions: recall(2)", 0)
    end
    local place, names = course_place(), {}
    for _, id in ipairs(place.needs) do
      add_names(names, id)
    end
    local needed = #names
    for _, id in ipairs(place.others) do
      add_names(names, id)
    end
    if #names == 0 then
      return 0, 0
    end
    return ask_list(chosen("recall", count, names, needed), "recall", function(one)
      return "Recall {number} of {count}: " .. one.skill:match("^[^.]*")
    end)
  end

  -- ---- quiz ----------------------------------------------------------------------------------------------------

  -- ask_skills { skills =, count =, due = true, sure = 3 }: questions that the host chooses of these skills; with due
  -- only those that are due, and new ones of lessons that were begun, as many as the day may have. After each third one
  -- it asks how sure the student is. Returns what came of each, in order: { skill =, right =, score = }.
  function frame.ask_skills(t)
    local list = request { kind = "draw", slot = "quiz", count = t.count, skills = t.skills, needed = #t.skills,
                           due = t.due }
    local _, _, _, results = ask_list(list, "quiz", function(one)
      return "{number} of {count}: " .. (t.title and t.title(one.skill) or one.skill)
    end, { sure = t.sure })
    return results
  end

  -- Of these skills: { { skill = "L03.warps", days = 3, rests = false }, ... }, days until they are due.
  function frame.skill_states(names)
    if #names == 0 then
      return {}
    end
    return request { kind = "skills", skills = names }
  end

  -- ---- check ---------------------------------------------------------------------------------------------------

  local function tell(title, words, values)
    values[1], values.title = words, title
    request(core.screen("say", values))
  end

  -- Asks what failed once more, with other numbers. Returns how many of them were right now.
  local function ask_again(failed, slot)
    return (ask_list(chosen(slot, #failed, failed), slot, "Again {number} of {count}", { again = true }))
  end

  local function repeat_failed(failed, slot, right_count, total)
    tell("Once more", [[
      You had {right} of {total} at the first try; {needed} pass the check.

      What went wrong comes again at once, with other numbers.
      ]], { right = right_count, total = total, needed = math.ceil(PASSED * total) })
    right_count = right_count + ask_again(failed, slot)
    if right_count < PASSED * total then
      tell("To be continued", [[
        That is {right} of {total} now. Go on: what was hard is asked again at the beginning of later lessons.
        ]], { right = right_count, total = total })
    end
    return right_count
  end

  -- The questions that are written out, one after the other.
  local function ask_written(t, total)
    local right_count = 0
    for i, one in ipairs(t) do
      one.title = one.title or string.format("Check %d of %d", i, total)
      local _, right = core.ask("check", one)
      right_count = right_count + (right and 1 or 0)
    end
    return right_count
  end

  local function ask_bank(count, slot, written)
    local names = {}
    add_names(names, course_place().id)
    if #names == 0 then
      error(lesson_line() .. "check: there is no bank of questions for this lesson (lessons/questions)", 0)
    end
    local right_count, _, failed = ask_list(chosen(slot, count, names), slot, "Check {number} of {count}", {}, written)
    return right_count, failed
  end

  -- check { {question}, ..., draw = 5 }: questions at the end, those written out and those drawn from the lesson's bank.
  -- Returns how many were right, counting what was right when asked again, and how many there are.
  function frame.check(t)
    local drawn = t.draw or 0
    local total = #t + drawn
    local right_count, failed = ask_written(t, total), {}
    checks = checks + 1
    local slot = "check_" .. checks
    if drawn > 0 then
      local more
      more, failed = ask_bank(drawn, slot, #t)
      right_count = right_count + more
    end
    if #failed > 0 then
      right_count = repeat_failed(failed, slot .. "_again", right_count, total)
    end
    request { kind = "checked", right = right_count, total = total, passed = right_count >= PASSED * total }
    return right_count, total
  end

  -- ---- words of one's own --------------------------------------------------------------------------------------

  local writings = { rubric = 0, recite = 0 }

  local function writing(t, kind, model, points)
    local made = core.screen("write", t)
    if type(t.ask) ~= "string" or type(model) ~= "string" then
      error(kind .. ": there is no '" .. (t.ask and "model" or "ask") .. "'", 0)
    end
    writings[kind] = writings[kind] + 1
    made.id = t.id or kind .. "_" .. writings[kind]
    made.prompt, made.model = text.fill(text.flow(t.ask), t), text.fill(text.flow(model), t)
    made.list, made.points = points == nil, {}
    for i, point in ipairs(points or {}) do
      made.points[i] = text.fill(point, t)
    end
    return made
  end

  -- Nothing is shown beside it; what was shown before comes back.
  local function put_writing(made)
    local shown = core.place()
    core.go {}
    local points = request(made)
    core.go(shown)
    return points
  end

  -- rubric { title =, [[text]], ask =, model = [[...]], points = { "...", ... } }: a free text, held against a model
  -- answer. Returns how many of the points it made.
  function frame.rubric(t)
    return put_writing(core.blame(writing, t, "rubric", t.model, t.points or {}))
  end

  -- recite { title =, ask =, [[the list]] }: the list from memory first, then the list itself.
  function frame.recite(t)
    local copy = {}
    for name, value in pairs(t) do
      copy[name] = name ~= 1 and value or nil
    end
    copy.ask = copy.ask or "The rules of this lesson, one line each."
    put_writing(core.blame(writing, copy, "recite", t[1]))
  end

  -- ---- the end -------------------------------------------------------------------------------------------------

  local function missed_of(list)
    local missed = {}
    for _, one in ipairs(list) do
      missed[#missed + 1] = not one.right and one or nil
    end
    return missed
  end

  -- A question in one short line: its title, or, where that is only a number, how it begins.
  local function name_of(question)
    local title = text.fill(question.title or "", question)
    if title == "" or title:find("^Check ") or title:find("^Recall ") or title:find("^Again ")
      or title:find("^%d+ of %d+") then
      title = text.fill(text.flow(question[1] or question.text or question.ask), question):match("[^\n]*")
    end
    if #title <= 60 then
      return title
    end
    return title:sub(1, 56):gsub("[^%w]*%w*$", ""):gsub("[`*]", "") .. " ..."
  end

  local function missed_words(missed)
    if #missed == 0 then
      return ""
    end
    local lines = { "", "", "Not right at once:" }
    for i = 1, math.min(#missed, LISTED) do
      lines[#lines + 1] = "- " .. name_of(missed[i].question)
    end
    if #missed > LISTED then
      lines[#lines + 1] = "- and " .. #missed - LISTED .. " more"
    end
    return table.concat(lines, "\n")
  end

  -- A screen's question once more: a drawn one with other numbers, another one as it was, beside what it was asked at.
  local function ask_once_more(one, i, count, round)
    local fields = { id = string.format("redo_%d_%d", round, i), title = string.format("Again %d of %d", i, count), again = true }
    core.go(one.place)
    if one.question.skill then
      local list = chosen(fields.id, 1, { one.question.skill })
      return ask_drawn(list[1], list.seed, fields)
    end
    local copy = {}
    for name, value in pairs(one.question) do
      copy[name] = value
    end
    copy.id, copy.again = fields.id, true
    return core.ask(one.kind, copy)
  end

  -- That lesson of the course, or the first one behind it that is written; nil: none is.
  local function next_lesson(id)
    local found = not id
    for _, lesson in ipairs(course_place().lessons) do
      found = found or lesson.id == id
      if id and found and lesson.written then
        return lesson
      end
    end
    if not found then
      error(lesson_line() .. "finish: there is no lesson '" .. tostring(id) .. "' to be the next", 0)
    end
  end

  -- finish { title =, [[text]], next = "L06" }: the last screen. It names what was not right, and asks just that again
  -- if the student wants it.
  function frame.finish(t)
    local made = core.blame(core.screen, "end", t)
    local next_one, words, shown, round = next_lesson(t.next), made.text, core.place(), 0
    if next_one then
      words = words .. "\n\nNext: " .. next_one.id .. ", " .. next_one.title .. "."
      made.next = next_one.id
    end
    local left = missed_of(asked)
    while true do
      made.text, made.missed = words .. missed_words(left), #left
      if request(made) ~= 1 or #left == 0 then
        return
      end
      round = round + 1
      for i, one in ipairs(left) do
        local _, right = ask_once_more(one, i, #left, round)
        one.right = right
      end
      left = missed_of(left)
      core.go(shown)
    end
  end

  return frame
end
