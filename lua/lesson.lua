-- The words that lessons are written in. lessons/README.md is their manual.
--
-- Each of them makes a table and yields it; whoever drives the lesson answers.
-- What this file returns becomes global in a lesson, with the words of lua/frame.lua.

local text = use "text"
local question = use "question"
local measure = use "measure"
local work = use "work"

local lesson = {
  counted = text.counted,
  percent = text.percent,
  mask = text.mask,
  lanes_of = text.lanes,
}

local request = coroutine.yield
local place = {}      -- what is shown: fields of show, kept for focus

-- Calls f(...), and blames the line of the lesson, or of its bank of questions, for what goes wrong in it.
local function blame_lesson(f, ...)
  local ok, result = pcall(f, ...)
  if not ok then
    error(lesson_line() .. tostring(result), 0)
  end
  return result
end

local function body(t)
  if type(t) ~= "table" then
    error("this takes a table: { title = ..., [[text]] }", 0)
  end
  return text.fill(text.flow(t[1] or t.text or ""), t)
end

local function screen(kind, t)
  return { kind = kind, title = t.title and text.fill(t.title, t), text = body(t) }
end

-- say { title = "...", [[text with {values}]], values = ... }
function lesson.say(t)
  request(blame_lesson(screen, "say", t))
end

-- The same, about what is shown.
function lesson.explain(t)
  request(blame_lesson(screen, "explain", t))
end

local last = {}       -- what was measured or worked out last: { run = } or { model =, values = }

-- measure { kernel =, params = { N = 64 }, form =, seed =, ... }: runs it, shows nothing, returns the run
function lesson.measure(t)
  last.run, last.model = request(blame_lesson(measure.wanted, "measure", t)), nil
  return last.run
end

local place_fields = { "focus", "variant", "margin", "zoom", "code", "ptx", "hex", "warp", "block", "lane" }
local shown_fields = { at = true }
for _, name in ipairs(place_fields) do
  shown_fields[name] = true
end

-- The step, and the warp and block that execute it where they are known.
local function step_of(run, at)
  if at == nil or at == "start" then
    return 0, 0, 0
  elseif at == "end" then
    return math.max(run.steps - 1, 0)
  elseif type(at) == "number" then
    return at
  end
  local event = run:event(at)
  return event.step, event.warp, event.block
end

local function place_of(run, t)
  local step, warp, block = step_of(run, t.at)
  local made = { kind = "show", run = run, step = step, warp = warp, block = block, margin = "active lanes" }
  for _, name in ipairs(place_fields) do
    if t[name] ~= nil then
      made[name] = t[name]
    end
  end
  return made
end

-- Where a draw found its answer: the event of its run that it asked for last, else the first one of the line that it
-- asked for, else the end; or its model at its values. nil: it needed neither.
local function place_behind()
  if last.model then
    return { kind = "show", model = last.model, values = last.values }
  elseif not last.run or last.run.steps == 0 then
    return nil
  end
  local step, line = last.run:looked_at()
  local found, first = pcall(last.run.find, last.run, { line = line or 0 })
  return place_of(last.run, { at = step or found and first or "end" })
end

-- show(run, { at = {line =, kind =, nth =, warp =}, focus =, warp =, ... }): sends the explorer there
function lesson.show(run, t)
  blame_lesson(measure.check_fields, "show", t or {}, shown_fields)
  place = blame_lesson(place_of, run, t or {})
  request(place)
  return run
end

local beside_fields = { label = true }

local function both(a, b, t)
  measure.check_fields("compare", t, shown_fields, beside_fields)
  if type(a) ~= "userdata" or type(b) ~= "userdata" then
    error("compare takes two runs, what measure returns: compare(a, b, { at = ... })", 0)
  end
  local made = place_of(a, t)
  made.beside, made.label = b, t.label
  return made
end

-- compare(a, b, { at = { line = ... }, label = "33 columns", ... }): shows the explorer with both, b at the right
function lesson.compare(a, b, t)
  place = blame_lesson(both, a, b, t or {})
  request(place)
end

-- run { kernel =, params =, at =, focus =, ... }: measure and show
function lesson.run(t)
  local made = request(blame_lesson(measure.wanted, "run", t, shown_fields))
  place = blame_lesson(place_of, made, t)
  request(place)
  return made
end

-- The fields of show, with the run among them.
local function place_after(t)
  if type(t) ~= "table" or not t.run then
    error("show is a table: { run = r, at = { line = \"...\" }, focus = \"segments\" }", 0)
  end
  return place_of(t.run, t)
end

local function ask(kind, t)
  local made = screen(kind, t)
  for name, value in pairs(question.make(t, place)) do
    made[name] = value
  end
  made.after = t.show and place_after(t.show)
  made.skill, made.draws_before, made.again, made.class = t.skill, t.draws_before, t.again, t.class
  made.opens = t.skill and (made.after or place_behind())
  made.hides = t.beside ~= nil
  made.after = made.after or t.beside and made.opens
  return made
end

local remember           -- of the frame, below

-- Asks what was made of a question t; the place that the answer shows stays.
local function answer_to(asked, t)
  local before = place
  local given, right, score = request(asked)
  remember(asked.kind, t, before, right)
  if asked.after then
    place = asked.after
    request(place)
  end
  return given, right, score
end

-- predict { title =, [[text]], ask =, options = {...}, answer =, ... }: returns what was answered first, and whether it
-- was right. A choice gives the option itself.
function lesson.predict(t)
  local given, right = answer_to(blame_lesson(ask, "predict", t), t)
  return question.given(t, given), right
end

local function changed_place(t)
  if not place.run then
    error("focus: no run is shown", 0)
  end
  measure.check_fields("focus", t, shown_fields)
  local step = t.at and step_of(place.run, t.at) or place.step
  local made = { kind = "show", run = place.run, beside = place.beside, label = place.label, step = step }
  for _, name in ipairs(place_fields) do
    made[name] = place[name]
    if t[name] ~= nil then
      made[name] = t[name]
    end
  end
  return made
end

-- focus { focus = "banks", zoom = true, at = ... }: changes a part of what is shown
function lesson.focus(t)
  place = blame_lesson(changed_place, t)
  request(place)
end

local model_fields = { [1] = true, name = true, params = true }

local function model_of(t)
  if type(t) ~= "table" then
    error("this takes a table: { \"occupancy\", params = { threads = 256 } }", 0)
  end
  measure.check_fields("a model", t, model_fields)
  return t[1] or t.name or "", measure.assignments(t.params)
end

local function facts_of(t)
  return model_facts(model_of(t))
end

-- model { "occupancy", params = { threads = 256 } }: what it gives, as a table of numbers and words; shows nothing
function lesson.model(t)
  local facts = blame_lesson(facts_of, t)   -- no tail call, which would leave its line out
  last.model, last.values = model_of(t)
  return facts
end

-- picture { "occupancy", params = { ... } }: the same, and shows it
function lesson.picture(t)
  local facts = blame_lesson(facts_of, t)
  local name, values = model_of(t)
  place = { kind = "show", model = name, values = values }
  request(place)
  return facts
end

-- hide(): no kernel beside the text
function lesson.hide()
  place = { kind = "show" }
  request(place)
end

local function goal(t)
  local made = screen("try", t)
  if not place.run and not place.model then
    error("try: show a run first", 0)
  end
  made.id = t.id
  made.goal = t.goal and text.fill(text.flow(t.goal), t)
  made.params = t.params
  made.solution = measure.assignments(t.solution)
  made.tips = question.tips(t)
  made.reached = t.reached
  return made
end

-- try { title =, [[text]], goal =, params = {"s"}, reached = function(run) return ok, note end, solution = { s = 5 }, tips = {...} }
-- returns whether it was reached
lesson["try"] = function(t)
  local _, reached = request(blame_lesson(goal, t))
  return reached
end

local function code_screen(make, t)
  local made = screen("work", t)
  for name, value in pairs(make(t)) do
    made[name] = value
  end
  return made
end

-- modify { kernel =, line =, blank = "int lane = ____ ;", fill =, runs =, ... }: a blank in a line of a kernel is filled
-- make { kernel =, from =, to =, starter =, solution =, others =, ... }: several lines are written
-- parsons { kernel =, from =, to =, lines =, spare =, ... }: lines are put in order
-- Each returns whether it was done.
for _, kind in ipairs { "modify", "make", "parsons" } do
  lesson[kind] = function(t)
    local _, done = request(blame_lesson(code_screen, work[kind], t))
    return done
  end
end

-- trace { id =, run =, at = { EVENT, ... }, ask = "mask", ... }: before each of these events the student says what it
-- will do. Returns how many were right, and how many there are.
lesson.trace = use "trace" {
  ask = function(kind, t)
    return answer_to(blame_lesson(ask, kind, t), t)
  end,
  show = function(run, t)
    place = place_of(run, t)
    request(place)
  end,
  explain = function(t)
    request(blame_lesson(screen, "explain", t))
  end,
  blame = blame_lesson,
}

local frame = use "frame" {
  ask = function(kind, t)
    return answer_to(blame_lesson(ask, kind, t), t)
  end,
  make = ask,
  answer_to = answer_to,
  screen = screen,
  blame = blame_lesson,
  place = function()
    return place
  end,
  trace = lesson.trace,
  place_of = place_after,
  forget = function()
    last = {}
  end,
  go = function(to)
    place = to
    request(to.kind and to or { kind = "show" })
  end,
}
remember = frame.remember
for _, word in ipairs { "skill", "recall", "check", "rubric", "recite", "finish", "drill", "ask_skills", "ask_like",
  "skill_states" } do
  lesson[word] = frame[word]
end

return lesson
