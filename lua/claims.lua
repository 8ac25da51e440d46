-- Claims: what the lectures say with a number, each held against a run, a formula or a recording.
-- lessons/claims.lua names the topics, lessons/claims/NAME.lua holds one each.

local measure = use "measure"
local text = use "text"

local claims = {}

local fields = {
  id = true, says = true, value = true, unit = true, now = true, today = true, on = true, tolerance = true, band = true,
  verdict = true, erratum = true, lesson = true, because = true, takes = true,
}
local sources = { run = true, occupancy = true, model = true, formula = true, recording = true, profile = true }
local verdicts = {
  holds = true, ["holds in shape"] = true, dated = true, wrong = true, ["not measurable here"] = true,
}

local function need(t, place, ok, message)
  if not ok then
    error(place .. "claim " .. tostring(t.id) .. ": " .. message, 0)
  end
end

-- What a verdict rests on has to be there, and nothing that it does not use.
local function check_verdict(t, place)
  need(t, place, verdicts[t.verdict], "verdict is 'holds', 'holds in shape', 'dated', 'wrong' or 'not measurable here'")
  need(t, place, (t.verdict == "not measurable here") == (t.takes ~= nil), "takes says what it would take to measure it")
  need(t, place, (t.takes == nil) == (t.now ~= nil), "either now, a function, or takes, a text")
  need(t, place, (t.verdict == "dated" and t.on ~= "recording") == (t.today ~= nil),
    "a dated claim has today, a function, unless it rests on a recording; no other claim has it")
  need(t, place, t.verdict ~= "wrong" or t.erratum, "a wrong claim names its erratum")
  need(t, place, t.verdict ~= "holds in shape" or t.band, "a claim that holds in shape has a band { low, high }")
  need(t, place, t.takes or sources[t.on], "on is 'run', 'occupancy', 'model', 'formula', 'recording' or 'profile'")
end

-- claim { id = "C027", says = "...", value = 0.875, on = "occupancy", now = function() ... end, verdict = "wrong", ... }
local function read(t)
  local place = lesson_line()
  measure.check_fields(place .. "claim", t, fields)
  need(t, place, type(t.id) == "string" and t.id:find("^%u%w*$"), "an id is a capital letter, then letters and digits")
  need(t, place, type(t.says) == "string", "says is the lecture's claim, in our words")
  need(t, place, t.takes or t.value ~= nil, "value is the lecture's number")
  check_verdict(t, place)
  t.place = place
  return t
end

local list             -- of all claims, in the order of the topics
local by_id = {}

local function load_topic(topic)
  local chunk = claim_file(topic.name)
  if not chunk then
    error("claims.lua names the topic '" .. topic.name .. "', but there is no claims/" .. topic.name .. ".lua", 0)
  end
  for _, one in ipairs(chunk()) do
    if by_id[one.id] then
      error(one.place .. "there are two claims called " .. one.id, 0)
    end
    one.topic, by_id[one.id] = topic.title, one
    list[#list + 1] = one
  end
end

-- All claims: id, topic, says, verdict, on, erratum, lesson. The word of the files becomes global with the first call.
function claims.all()
  if not list then
    list = {}
    claim, device = read, device_facts
    for _, topic in ipairs(claim_topics()()) do
      load_topic(topic)
    end
  end
  return list
end

-- ---- holding them against what comes out ------------------------------------------------------------------------------

local function near(one, other, tolerance)
  if type(one) == "number" and type(other) == "number" then
    return math.abs(one - other) <= (tolerance or 0)
  end
  return one == other
end

local function same(one, other, tolerance)
  if type(one) ~= "table" or type(other) ~= "table" then
    return near(one, other, tolerance)
  end
  for i = 1, math.max(#one, #other) do
    if not near(one[i], other[i], tolerance) then
      return false
    end
  end
  return true
end

-- Every ratio of ours to the lecture's lies in the band.
local function in_band(value, now, band)
  local ours, theirs = type(now) == "table" and now or { now }, type(value) == "table" and value or { value }
  for i = 1, math.max(#ours, #theirs) do
    local ratio = ours[i] and theirs[i] and ours[i] / theirs[i]
    if not ratio or ratio < band[1] or ratio > band[2] then
      return false
    end
  end
  return true
end

local function verdict_of(t, now, today)
  if not t.now then
    return "not measurable here"
  elseif same(t.value, now, t.tolerance) then
    return today ~= nil and not same(t.value, today, t.tolerance) and "dated" or "holds"
  elseif t.band and in_band(t.value, now, t.band) then
    return "holds in shape"
  end
  return t.on == "recording" and "dated" or "wrong"   -- a time of another GPU is not wrong
end

-- A value with its unit; several with one behind all of them, or with one each.
local function words(value, unit)
  if value == nil then
    return nil
  elseif type(value) == "table" then
    local parts = {}
    for i, one in ipairs(value) do
      parts[i] = words(one, type(unit) == "table" and unit[i] or nil)
    end
    return table.concat(parts, ", ") .. (type(unit) == "string" and " " .. unit or "")
  end
  local shown = type(value) == "number" and text.number(value) or tostring(value)
  return shown .. (not unit and "" or unit == "%" and unit or " " .. unit)
end

local from = {
  run = "counted in a run", occupancy = "limits of the device", model = "a model", formula = "worked out",
  recording = "recorded on an H200", profile = "the device's data",
}

local function told(t, result)
  local rows = {}
  local function row(label, value)
    if value then
      rows[#rows + 1] = string.format("  %-9s%s", label, value)
    end
  end
  row("lecture", t.value ~= nil and result.value)
  row("here", result.now and "*" .. result.now .. "*")
  row("today", result.today)
  row("from", result.now and from[t.on])
  row("verdict", "*" .. result.verdict .. "*" .. (t.erratum and ", " .. t.erratum or ""))
  local why = t.because or t.takes
  return t.says .. "\n\n" .. table.concat(rows, "\n") .. (why and "\n\n" .. why or "")
end

-- What comes out for a claim. Asks for its runs on the way.
function claims.hold(id)
  claims.all()
  local t = by_id[id]
  if not t then
    error("there is no claim '" .. id .. "'", 0)
  end
  local now, today = t.now and t.now(), t.today and t.today()
  if t.now and now == nil then
    error(t.place .. "claim " .. id .. ": now returns nothing", 0)
  end
  local verdict = verdict_of(t, now, today)
  local result = {
    value = words(t.value, t.unit), now = words(now, t.unit), today = words(today, t.unit), verdict = verdict,
    agrees = verdict == t.verdict,
  }
  return result, told(t, result)
end

return claims
