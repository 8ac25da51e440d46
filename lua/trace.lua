-- Be the warp: before recorded events the student says what they will do; right after each it is shown.

local fields = use "fields"
local question = use "question"
local text = use "text"

local LEAST, MOST = 3, 8   -- events of a trace

local known = {
  "id", "title", "text", "run", "at", "ask", "tips", "because", "focus", "margin", "variant", "wrong", "tolerance", "unit", "question",
}

local function fact(name)
  return function(_, event)
    return event[name]
  end
end

-- What can be asked of an event.
local askable = {
  ["mask"] = { kind = "mask", ask = "Which lanes run it?", answer = fact("mask") },
  ["taken"] = { kind = "mask", ask = "Which lanes take the branch?", answer = fact("taken") },
  ["sectors"] = { unit = "sectors", ask = "How many sectors does it touch?", answer = fact("sectors") },
  ["wavefronts"] = { unit = "wavefronts", ask = "How many wavefronts does it take?", answer = fact("wavefronts") },
  ["queues"] = { unit = "addresses", ask = "How many different addresses does it change?", answer = fact("queues") },
  ["longest queue"] = { unit = "lanes", ask = "How many lanes stand in the longest queue?", answer = fact("longest_queue") },
  ["arrived"] = { unit = "warps", ask = "How many warps have arrived after it?", answer = fact("arrived") },
  ["next warp"] = { unit = "", ask = "Which warp goes next?", answer = fact("warp"), any_warp = true },
}

-- "value of sum in lane 3"
local function value_asked(what)
  local name, lane = what:match("^value of ([%a_][%w_]*) in lane (%d+)$")
  if not name then
    return nil
  end
  return {
    unit = "", ask = "What is `" .. name .. "` in lane " .. lane .. " after it?",
    answer = function(run, event)
      return run:value(event.step, name, math.tointeger(lane))
    end,
  }
end

local function asked_of(what)
  local one = type(what) == "string" and (askable[what] or value_asked(what))
  if not one then
    local words = {}
    for name in pairs(askable) do
      words[#words + 1] = name
    end
    table.sort(words)
    error("trace cannot ask '" .. tostring(what) .. "'; it asks " .. table.concat(words, ", ")
      .. ", value of NAME in lane 0", 0)
  end
  return one
end

-- The step of an event: a number, or a table of conditions.
local function step_of(run, at)
  return math.type(at) == "integer" and at or run:find(at)
end

-- { EVENT, ask = "sectors", question = "s is 3. How many?" } asks something else than the others, or in other words.
local function split(item)
  if type(item) == "table" and item[1] ~= nil then
    return item[1], item.ask, item.question
  end
  return item
end

local function titled(t, what, between)
  return (t.title and text.fill(t.title, t) or "Be the warp") .. between .. what
end

local function shown(t, made)
  made.focus, made.margin, made.variant = t.focus, t.margin, t.variant
  return made
end

-- Where the warp stands before it: what it did last, or, where it has done nothing yet, what was done last. Of lanes
-- that are asked for, nothing is shown that counts all of the run.
local function place_before(t, event, one)
  local before = t.run:before(event.step, not one.any_warp) or t.run:before(event.step) or event.step
  local made = shown(t, { at = before, block = event.block })
  if not one.any_warp then
    made.warp = event.warp
  end
  if one.kind == "mask" then
    made.focus, made.margin, made.variant = "geometry", "executions", nil
  end
  return made
end

local function next_words(run, event, one)
  if one.any_warp then
    return one.ask
  end
  return string.format("Next, warp %d, line %d:\n  `%s`\n%s", event.warp, event.line, run:text(event.line), one.ask)
end

local function question_of(t, index, event, one, words)
  words = words or t.question
  return {
    text.fill(text.flow(t[1] or t.text or ""), t), title = titled(t, index .. " of " .. #t.at, ", "),
    id = t.id and t.id .. "_" .. index, kind = one.kind, unit = t.unit or one.unit, tolerance = t.tolerance,
    answer = one.answer(t.run, event), ask = words and text.fill(text.flow(words), t) or next_words(t.run, event, one),
    tips = question.tips(t), because = event.sentence, wrong = t.wrong and t.wrong[index],
    show = shown(t, { run = t.run, at = event.step, block = event.block, warp = event.warp }),
  }
end

local function check(t)
  if type(t) ~= "table" or type(t.at) ~= "table" then
    error("trace takes a table: { run = r, at = { EVENT, ... }, ask = \"mask\" }", 0)
  elseif type(t.run) ~= "userdata" then
    error("trace needs 'run', what measure returns", 0)
  elseif #t.at < LEAST or #t.at > MOST then
    error(string.format("trace asks of %d to %d events, not of %d", LEAST, MOST, #t.at), 0)
  end
  fields.check(t, known, "trace")
end

-- Adds `show` to core: show(run, t) as lessons have it.
return function(core)
  local function prepare(t)
    check(t)
    local steps = {}
    for i, item in ipairs(t.at) do
      local at, what, words = split(item)
      local one = asked_of(what or t.ask)
      local event = t.run:event_at(step_of(t.run, at))
      steps[i] = { before = place_before(t, event, one), question = question_of(t, i, event, one, words) }
    end
    return steps
  end

  -- Returns how many were right, and how many there are.
  return function(t)
    local steps, right = core.blame(prepare, t), 0
    for _, one in ipairs(steps) do
      core.show(t.run, one.before)
      local _, ok, score = core.ask("predict", one.question)
      right = right + (ok and score > 0 and 1 or 0)     -- not what was looked up
    end
    if t.because then
      core.explain { text.fill(text.flow(t.because), t), title = titled(t, right .. " of " .. #steps, ": ") }
    end
    return right, #steps
  end
end
