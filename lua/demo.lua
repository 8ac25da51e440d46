-- Demos for a lecture hall: lessons/demos/NAME.lua says its scenes, and this walks through them. lessons/README.md is
-- the manual. The file is read and checked as a whole before the first run is made.

local measure = use "measure"
local text = use "text"
local question = use "question"

local demos = {}

local run_fields = {
  kernel = true, form = true, params = true, sched = true, cut = true, seed = true, order = true, device = true,
  profile = true, timing = true, lecture = true, launch = true, order_of = true,
}
local place_fields = {
  at = true, focus = true, variant = true, margin = true, zoom = true, ptx = true, hex = true, warp = true,
  block = true, lane = true,
}
local told_fields = { say = true, values = true, note = true, seconds = true }
local scene_fields = { model = true, compare = true, label = true, big = true, hide = true }
local ask_fields = { [1] = true, ask = true, options = true, answer = true, note = true, seconds = true, values = true }
local whatif_fields = { param = true, try = true }
local keep_fields = { [1] = true, say = true, values = true, note = true }
local head_fields = { title = true, minutes = true, where = true, note = true }

local FEWEST_OPTIONS, MOST_OPTIONS, MOST_WORDS, MOST_TRIES = 2, 6, 200, 8

local function fail(t, message)
  error(t.place .. message, 0)
end

local function need(t, ok, message)
  if not ok then
    fail(t, message)
  end
end

-- ---- reading --------------------------------------------------------------------------------------------------------

local reading          -- the demo whose file is being read

-- An entry of the file: the author's table as t, and where it stands.
local function entry(kind, t, ...)
  local made = { kind = kind, t = t, place = lesson_line() }
  need(made, type(t) == "table", kind .. " takes a table: " .. kind .. " { ... }")
  need(made, kind == "demo" or reading.title, "the file begins with demo { title = \"...\", minutes = 3 }")
  local ok, why = pcall(measure.check_fields, kind, t, ...)
  need(made, ok, why)
  return made
end

local function check_words(made, name)
  local words = made.t[name]
  need(made, words == nil or type(words) == "string" or type(words) == "function",
    made.kind .. ": " .. name .. " is a text, or a function of the run that returns one")
  need(made, type(words) ~= "string" or utf8.len(words) and utf8.len(words) <= MOST_WORDS,
    made.kind .. ": " .. name .. " has more than " .. MOST_WORDS .. " characters: nobody reads that from the last row")
end

local function check_told(made)
  local t = made.t
  check_words(made, "say")
  need(made, t.note == nil or type(t.note) == "string", made.kind .. ": note is a text")
  need(made, t.seconds == nil or math.type(t.seconds) == "integer" and t.seconds > 0,
    made.kind .. ": seconds is a whole number above 0")
  need(made, t.values == nil or type(t.values) == "function" or type(t.values) == "table",
    made.kind .. ": values is a function of the run that returns a table of the {values} of the text")
end

local function add(made)
  reading.entries[#reading.entries + 1] = made
end

-- demo { title = "...", minutes = 3, where = "CS 677, transpose" }
local function read_demo(t)
  local made = entry("demo", t, head_fields)
  need(made, not reading.title, "a file has one demo { ... }, at its beginning")
  need(made, type(t.title) == "string" and #t.title > 0, "demo: title is a text")
  need(made, type(t.minutes) == "number" and t.minutes > 0, "demo: minutes is a number above 0")
  need(made, t.where == nil or type(t.where) == "string", "demo: where is a text")
  reading.title, reading.minutes, reading.where, reading.note = t.title, t.minutes, t.where, t.note
end

-- scene { kernel =, params =, at =, focus =, big =, hide =, say =, note = }, with model = or compare = another
local function read_scene(t)
  local made = entry("scene", t, run_fields, place_fields, told_fields, scene_fields)
  need(made, (t.kernel ~= nil) ~= (t.model ~= nil), "scene: there is either a kernel or a model")
  need(made, t.compare == nil or t.kernel and (type(t.compare) == "string" or type(t.compare) == "table"),
    "scene: compare is the name of a kernel, or a table with kernel and params")
  check_told(made)
  add(made)
end

local function last_of(kind)
  local last = reading.entries[#reading.entries]
  return last and last.kind == kind and last
end

local function any_scene()
  for _, made in ipairs(reading.entries) do
    if made.kind == "scene" then
      return true
    end
  end
  return false
end

-- ask { "How many turns?", options = { "1", "2" }, answer = function(run) return ... end, seconds = 40, note = }
local function read_ask(t)
  local made = entry("ask", t, ask_fields)
  need(made, any_scene(), "ask: there is no scene before it to ask about")
  made.prompt = t[1] or t.ask
  need(made, type(made.prompt) == "string", "ask: the question comes first: ask { \"How many?\", options = ... }")
  need(made, type(t.options) == "table" and #t.options >= FEWEST_OPTIONS and #t.options <= MOST_OPTIONS,
    "ask: options is a list of " .. FEWEST_OPTIONS .. " to " .. MOST_OPTIONS .. " texts")
  for _, option in ipairs(t.options) do
    need(made, type(option) == "string", "ask: options are texts, in quotation marks")
  end
  need(made, t.answer ~= nil, "ask: there is no answer: the option, or a function of the run that returns it")
  check_told(made)
  add(made)
end

-- reveal {}: what was hidden is played
local function read_reveal(t)
  local made = entry("reveal", t, place_fields, told_fields)
  need(made, last_of("ask"), "reveal: it comes right after an ask")
  check_told(made)
  add(made)
end

-- whatif { param = "type", try = { "double" } }
local function read_whatif(t)
  local made = entry("whatif", t, whatif_fields, told_fields)
  need(made, any_scene(), "whatif: there is no scene before it")
  need(made, type(t.param) == "string", "whatif: param is the name of a parameter")
  need(made, type(t.try) == "table" and #t.try > 0 and #t.try <= MOST_TRIES, "whatif: try is a list of 1 to "
    .. MOST_TRIES .. " values")
  check_told(made)
  add(made)
end

-- keep { "What to remember." }
local function read_keep(t)
  local made = entry("keep", t, keep_fields)
  made.words = t[1] or t.say
  need(made, type(made.words) == "string" or type(made.words) == "function", "keep: what to remember is a text")
  check_words(made, "say")
  add(made)
end

local function count_beats(demo)
  local beats, scenes, asks = 0, 0, 0
  for _, made in ipairs(demo.entries) do
    beats = beats + (made.kind == "whatif" and #made.t.try or 1)
    scenes = scenes + ((made.kind == "scene" or made.kind == "keep") and 1 or 0)
    asks = asks + (made.kind == "ask" and 1 or 0)
    made.scene = scenes
  end
  demo.beats, demo.scenes, demo.asks = beats, scenes, asks
end

local function check_asks(demo)
  for i, made in ipairs(demo.entries) do
    local after = demo.entries[i + 1]
    need(made, made.kind ~= "ask" or after and after.kind == "reveal", "ask: a reveal { } comes right after it")
  end
end

-- ---- the runs that it wants ----------------------------------------------------------------------------------------

local function wanted_of(t, params)
  local wanted = {}
  for name in pairs(run_fields) do
    wanted[name] = t[name]
  end
  if params then
    wanted.params = params
  end
  return measure.wanted("scene", wanted)
end

-- The other side of a comparison: a kernel, or the same one with something else.
local function beside_of(t)
  local other = type(t.compare) == "string" and { kernel = t.compare } or t.compare
  local wanted = {}
  for name, value in pairs(other) do
    wanted[name] = value
  end
  wanted.kernel = wanted.kernel or t.kernel
  return wanted
end

local function with(params, name, value)
  local all = {}
  for key, old in pairs(params or {}) do
    all[key] = old
  end
  all[name] = value
  return all
end

-- Every run of a demo is known to be possible before the first one is made: the host looks at these.
local function want(demo, made, t, params)
  local ok, wanted = pcall(wanted_of, t, params)
  need(made, ok, wanted)
  wanted.from = made.place
  demo.wants[#demo.wants + 1] = wanted
end

local function want_picture(made, name, params)
  local ok, why = pcall(model_facts, name, measure.assignments(params))
  need(made, ok, why)
end

local function list_wants(demo)
  local shown
  demo.wants = {}
  for _, made in ipairs(demo.entries) do
    local t = made.t
    if made.kind == "scene" then
      shown = t
      if t.kernel then
        want(demo, made, t)
      else
        want_picture(made, t.model, t.params)
      end
      if t.compare ~= nil then
        want(demo, made, beside_of(t))
      end
    end
    for _, value in ipairs(made.kind == "whatif" and t.try or {}) do
      local params = with(shown.params, t.param, value)
      if shown.kernel then
        want(demo, made, shown, params)
      else
        want_picture(made, shown.model, params)
      end
    end
  end
end

local function read(name)
  local ok, chunk, place = pcall(demo_file, name)
  if not ok then
    error((tostring(chunk):gsub("^lua/[%w_]+%.lua:%d+: ", "")), 0)
  end
  reading = { name = place or name, entries = {} }
  demo, scene, ask, reveal, whatif, keep = read_demo, read_scene, read_ask, read_reveal, read_whatif, read_keep
  chunk()
  if #reading.entries == 0 then
    local file = name:find("[/.]") and name or "demos/" .. name .. ".lua"
    error(file .. ":1: a demo has a scene { ... } at least", 0)
  end
  check_asks(reading)
  count_beats(reading)
  list_wants(reading)
  return reading
end

-- What the list of demos tells: that of the wish, or of all in the folder.
function demos.all()
  local wish = demo_wish()
  local names, list = wish and { wish } or demo_names(), {}
  for _, name in ipairs(names) do
    list[#list + 1] = read(name)
  end
  return list
end

-- ---- a walk through one ---------------------------------------------------------------------------------------------

local request = coroutine.yield

-- Calls f(...), and blames the entry for what goes wrong in it, unless that says itself where.
local function blame(made, f, ...)
  local ok, result = pcall(f, ...)
  if not ok then
    local why = tostring(result):gsub("^lua/[%w_]+%.lua:%d+: ", "")
    error(why:find("^[%w_./-]+%.lua:%d+: ") and why or made.place .. why, 0)
  end
  return result
end

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

-- What is shown: run, other, model, and the fields of the place.
local shown

local function place_of(t, run, other)
  local made = { kind = "show", run = run, beside = other, label = t.label, margin = "active lanes" }
  made.step, made.warp, made.block = step_of(run, t.at)
  for name in pairs(place_fields) do
    if name ~= "at" and t[name] ~= nil then
      made[name] = t[name]
    end
  end
  return made
end

local function run_of(made, t, params)
  local wanted = blame(made, wanted_of, t, params)
  wanted.from = made.place
  return request(wanted)
end

local function other_of(made, t)
  if t.compare == nil then
    return nil
  end
  return run_of(made, beside_of(t))
end

-- The numbers of a text: what `values` gives for the run that is shown, and the other one beside it.
local function words_of(made, words)
  local t, facts = made.t, shown.facts or shown.run
  if type(words) == "function" then
    words = words(facts, shown.other)
    need(made, type(words) == "string", made.kind .. ": the function of a text returns a text")
  end
  local values = t.values or {}
  if type(values) == "function" then
    values = values(facts, shown.other)
    need(made, type(values) == "table", made.kind .. ": values returns a table")
  end
  return text.fill(text.flow(words or ""), values)
end

local function staging(made, change)
  local t = made.t
  return { kind = made.kind, scene = made.scene, note = t.note, seconds = t.seconds, big = shown.big, hide = t.hide,
           from = made.place, change = change }
end

local function say(made, words, change)
  request { kind = "say", title = shown.title, text = blame(made, words_of, made, words),
            stage = staging(made, change), from = made.place }
end

local function show(made, t)
  if shown.model then
    local values = measure.assignments(shown.params)
    blame(made, function()
      shown.facts = model_facts(shown.model, values)
    end)
    request { kind = "show", model = shown.model, values = values, from = made.place }
  else
    local place = blame(made, place_of, t, shown.run, shown.other)
    place.from = made.place
    request(place)
  end
end

local walks = {}

function walks.scene(made)
  local t = made.t
  shown = { t = t, big = t.big, model = t.model, params = t.params }
  if t.kernel then
    shown.run = run_of(made, t)
    shown.other = other_of(made, t)
  end
  show(made, t)
  say(made, t.say)
end

-- The option that the answer is: its text, or the number that a run gives.
local function answer_of(made)
  local answer = made.t.answer
  if type(answer) == "function" then
    answer = answer(shown.facts or shown.run, shown.other)
  end
  local words = type(answer) == "number" and text.number(answer) or tostring(answer)
  for _, option in ipairs(made.t.options) do
    if option == words or option == tostring(answer) then
      return option
    end
  end
  fail(made, "ask: the answer of this run is " .. words .. ", which is none of the options")
end

local function question_of(made)
  local asked = { ask = words_of(made, made.prompt), options = made.t.options, answer = answer_of(made) }
  local fields = question.make(asked, { run = shown.run })
  fields.kind, fields.stage, fields.from, fields.text = "predict", staging(made), made.place, ""
  return fields
end

function walks.ask(made)
  request(blame(made, question_of, made))
end

-- The place of the scene, with what the reveal says of it.
local function changed(made)
  local t = {}
  for _, from in ipairs { shown.t, made.t } do
    for name, value in pairs(from) do
      t[name] = value
    end
  end
  return t
end

function walks.reveal(made)
  local t = changed(made)
  show(made, t)
  say(made, made.t.say or shown.t.say)
end

function walks.whatif(made)
  local was = shown
  for _, value in ipairs(made.t.try) do
    local params = with(was.params, made.t.param, value)
    shown = { t = was.t, big = was.big, model = was.model, params = params }
    if was.t.kernel then
      shown.run = run_of(made, was.t, params)
    end
    show(made, was.t)
    say(made, made.t.say or was.t.say, made.t.param .. "=" .. tostring(value))
  end
  shown = was
  show(made, was.t)
end

function walks.keep(made)
  say(made, made.words)
end

-- Makes the runs of a demo and asks for its beats, one after the other.
function demos.walk()
  local demo_read = read(demo_wish())
  for _, made in ipairs(demo_read.entries) do
    walks[made.kind](made)
  end
end

return demos
