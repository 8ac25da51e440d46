-- The museum: the lectures' mistakes as rooms. lessons/museum.lua names its wings, lessons/museum/NAME.lua holds one each.
-- A room runs a form of a kernel that has the mistake; a card is one that does not run.

local check_fields = use "measure".check_fields
local text = use "text"

local museum = {}

local room_fields = {
  id = true, title = true, says = true, ask = true, kernel = true, form = true, params = true, sched = true,
  cut = true, seed = true, launch = true, find = true, options = true, answer = true, wrong = true, found = true, because = true,
  cure = true, cured = true, at = true, focus = true, lesson = true, tips = true, hidden = true,
}
local card_fields = { id = true, title = true, kind = true, says = true, cure = true, lesson = true }
local kinds = {
  ["does not compile"] = true, number = true, text = true, dated = true, scan = true, gap = true, ["a picture"] = true,
}

local function need(t, place, ok, message)
  if not ok then
    error(place .. "room " .. tostring(t.id) .. ": " .. message, 0)
  end
end

-- Errata are numbered lecture by lecture: up to which number, and whose.
local sources = {
  { 37, "CS 677" }, { 56, "GTC 2013, S3046" }, { 120, "Thinking and Coding in Parallel" }, { 130, "Extended CUDA features" },
  { 148, "CS 378h" }, { 150, "Thinking and Coding in Parallel" },
}

local function source_of(t)
  local number = math.tointeger(t.id:match("^E(%d+)$"))
  for _, source in ipairs(sources) do
    if number and number <= source[1] then
      return source[2]
    end
  end
end

local function common(what, t, fields)
  local place = lesson_line()
  check_fields(place .. what, t, fields)
  need(t, place, type(t.id) == "string" and t.id:find("^%u%w*$"), "an id is a capital letter, then letters and digits")
  for _, name in ipairs { "title", "says", "cure" } do
    need(t, place, type(t[name]) == "string", name .. " is a text")
  end
  t.place, t.source = place, source_of(t)
  return t
end

-- room { id = "E57", title =, kernel = "reduce1", form = "lecture", says =, find = "piece of the line", cure =, ... }
local function read_room(t)
  common("room", t, room_fields)
  need(t, t.place, t.kernel, "there is no kernel")
  need(t, t.place, (t.find ~= nil) ~= (t.options ~= nil), "either find, a line, or options with an answer")
  need(t, t.place, t.options or t.tips, "who looks for a line gets a tip for a second try")
  need(t, t.place, type(t.found) == "table", "found is a list: the faults and the verdict that the run must tell")
  t.runs = true
  return t
end

-- card { id = "E08", title =, kind = "number", says =, cure = }
local function read_card(t)
  common("card", t, card_fields)
  need(t, t.place, kinds[t.kind], "kind is 'does not compile', 'number', 'text', 'dated', 'scan', 'gap' or 'a picture'")
  return t
end

local list             -- of all of them, in the order of the wings
local by_id = {}

local function load_wing(wing)
  local chunk = museum_file(wing.name)
  if not chunk then
    error("museum.lua names the wing '" .. wing.name .. "', but there is no museum/" .. wing.name .. ".lua", 0)
  end
  for _, one in ipairs(chunk()) do
    if by_id[one.id] then
      error(one.place .. "there are two rooms called " .. one.id, 0)
    end
    one.wing, by_id[one.id] = wing.title, one
    list[#list + 1] = one
  end
end

-- All rooms and cards: id, title, wing, says, kernel, form, kind, lesson, source.
function museum.all()
  if not list then
    list = {}
    room, card = read_room, read_card
    for _, wing in ipairs(museum_wings()()) do
      load_wing(wing)
    end
  end
  return list
end

-- ---- a walk through one ---------------------------------------------------------------------------------------------

-- What the run wastes, if the room is about that.
local function findings_of(t, run)
  local wanted, matching, seen = {}, {}, {}
  for _, kind in ipairs(t.found) do
    wanted[kind] = true
  end
  for _, finding in ipairs(run.findings) do
    if wanted[finding.kind] and not seen[finding.kind] then
      seen[finding.kind] = true
      matching[#matching + 1] = finding
    end
  end
  return matching
end

-- Kinds of what the checks tell, once each, and the verdict if there is one.
local function found_in(t, run)
  local found, seen = {}, {}
  for _, fault in ipairs(run.faults) do
    if fault.grade ~= "note" and not seen[fault.kind] then
      seen[fault.kind] = true
      found[#found + 1] = fault.kind
    end
  end
  for _, finding in ipairs(findings_of(t, run)) do
    found[#found + 1] = finding.kind
  end
  if run.verdict == "wrong" then
    found[#found + 1] = "wrong"
  end
  return found
end

local function same_set(one, other)
  local left = {}
  for _, word in ipairs(one) do
    left[word] = true
  end
  for _, word in ipairs(other) do
    if not left[word] then
      return false
    end
    left[word] = nil
  end
  return next(left) == nil
end

local TOLD = 2         -- messages of faults that are shown

local function told(t, run)
  local parts = {}
  for i, fault in ipairs(run.faults) do
    if i <= TOLD then
      parts[#parts + 1] = fault.message:sub(1, 1):upper() .. fault.message:sub(2)
    end
  end
  if #run.faults > TOLD then
    parts[#parts + 1] = text.counted(#run.faults - TOLD, "message") .. " more: `!` lists them."
  end
  for _, finding in ipairs(findings_of(t, run)) do
    parts[#parts + 1] = "Line " .. finding.line .. ": " .. finding.message .. " " .. finding.cause
  end
  if run.verdict == "wrong" then
    parts[#parts + 1] = "*Wrong result*: " .. run.verdict_text
  end
  return #parts > 0 and table.concat(parts, "\n\n") or "The checks say nothing, and the result is right here."
end

local function result_of(t, run)
  local found = found_in(t, run)
  return {
    value = table.concat(t.found, ", "), now = #found > 0 and table.concat(found, ", ") or "nothing",
    verdict = #found > 0 and "found" or "not told", agrees = same_set(found, t.found),
  }
end

local function place_of_fault(t, run)
  if t.at then
    return t.at
  end
  if run:count { kind = "fault" } > 0 then
    return { kind = "fault" }
  end
  for _, fault in ipairs(run.faults) do
    if fault.line > 0 and run:count { line = fault.line } > 0 then
      return { line = fault.line }
    end
  end
  local line = type(t.find) == "table" and t.find[1] or t.find
  return line and run:count { line = line } > 0 and { line = line } or "start"
end

-- Is the cure in the kernel, or in its launch? A form may as well be the same text with a macro.
local function is_other_code(run, cured)
  local code, other = run.source, cured.source
  for number, line in ipairs(other) do
    if code[number] ~= line or (run:count { line = number } > 0) ~= (cured:count { line = number } > 0) then
      return true
    end
  end
  return #code ~= #other
end

local function show_cure(t, run, cured)
  local fields = { at = place_of_fault(t, run), focus = t.focus, code = true }
  if is_other_code(run, cured) then
    fields.label = "the cure"
    compare(run, cured, fields)
  else
    fields.at = "start"
    show(cured, fields)
  end
end

local function walk_room(t)
  local function wanted(form)
    return { kernel = t.kernel, form = form, params = t.params, sched = t.sched, cut = t.cut, seed = t.seed,
             launch = t.launch }
  end
  local run, code = measure(wanted(t.form)), not t.focus
  if t.hidden then
    hide()
  else
    show(run, { focus = t.focus, code = code })
  end
  predict {
    id = "find", title = t.id .. ": " .. t.title, t.says, kind = t.find and "line" or "choice",
    ask = t.ask or "Which line is the mistake?", options = t.options, answer = t.find or t.answer, wrong = t.wrong,
    tips = t.tips, because = t.because,
  }
  show(run, { at = place_of_fault(t, run), focus = t.focus, code = code })
  explain { title = "What the checks say", told(t, run) }
  if t.cured then
    show_cure(t, run, measure(wanted(t.cured)))
  end
  return result_of(t, run)
end

-- Shows one room, screen by screen; returns the text of the last screen and what came out.
function museum.walk(id)
  museum.all()
  local t = by_id[id]
  if not t then
    error("there is no room '" .. id .. "'", 0)
  end
  if not t.runs then
    local result = { value = t.kind, verdict = "a card", agrees = true }
    return t.id .. ": " .. t.title, t.says .. "\n\n*Better*: " .. t.cure, result
  end
  local result = walk_room(t)
  return "The cure", t.cure, result
end

return museum
