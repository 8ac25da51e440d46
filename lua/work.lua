-- Code to be written in a lesson: modify, make and parsons, made into what the host asks.

local text = use "text"
local measure = use "measure"
local question = use "question"

local work = {}

local function need(t, what, name, kind)
  if type(t[name]) ~= (kind or "string") then
    error(string.format("%s needs '%s', a %s", what, name, kind or "string"), 0)
  end
  return t[name]
end

-- Without the line end after [[ and before ]], and without trailing blanks.
local function code_of(source)
  return (source:gsub("^\n", ""):gsub("%s+$", ""))
end

local function runs_of(t)
  local list = {}
  for i, params in ipairs(t.runs or { {} }) do
    local values = measure.assignments(params)
    if t.form ~= nil then
      values[#values + 1] = "form=" .. tostring(t.form)
    end
    list[i] = { values = values }
  end
  return list
end

local function says(t, words)
  return words == true and "" or text.fill(text.flow(words), t)
end

-- Adds an answer, unless it is there.
local function add(made, name, code, words)
  for _, known in ipairs(made.texts) do
    if known == code then
      return
    end
  end
  made.names[#made.names + 1] = name
  made.texts[#made.texts + 1] = code
  made.says[#made.says + 1] = words or ""
end

-- Names of a table in an order that does not depend on pairs; those of a list are its items.
local function each(list)
  local names = {}
  for key, value in pairs(list or {}) do
    if math.type(key) == "integer" then
      names[#names + 1] = { value, true }
    else
      names[#names + 1] = { key, value }
    end
  end
  table.sort(names, function(a, b) return tostring(a[1]) < tostring(b[1]) end)
  return names
end

local function judge_of(kind, t)
  if t.judged == nil then
    return nil
  end
  local judged = need(t, kind, "judged", "function")
  return function(run)
    return judged(run, run.parameters)
  end
end

local function common(kind, t)
  return {
    kind = "work", work = kind, id = t.id, kernel = need(t, kind, "kernel"), cut = t.cut, sched = t.sched, seed = t.seed,
    profile = t.profile, runs = runs_of(t), any_result = t.result == "any" or nil, any_faults = t.faults == "any" or nil,
    judged = judge_of(kind, t),
    goal = t.goal and text.fill(text.flow(t.goal), t), because = t.because and text.fill(text.flow(t.because), t),
    tips = question.tips(t),
    names = {}, texts = {}, says = {},
  }
end

-- The line around its blank: at least two underscores.
local function parts_of(blank)
  local left, right = blank:match("^%s*(.-)_____*(.*)$")   -- four, before the two of __popc
  if not left then left, right = blank:match("^%s*(.-)___*(.*)$") end
  if not left then
    error("modify: 'blank' has no blank in it, ____", 0)
  end
  return left, right
end

function work.modify(t)
  local made = common("modify", t)
  made.from = need(t, "modify", "line")
  made.left, made.right_part = parts_of(need(t, "modify", "blank"))
  add(made, need(t, "modify", "fill"), t.fill)
  for _, one in ipairs(each(t.accept)) do
    add(made, tostring(one[1]), tostring(one[1]), says(t, one[2]))
  end
  made.right_count = #made.texts
  for _, one in ipairs(each(t.wrong)) do
    add(made, tostring(one[1]), tostring(one[1]), says(t, one[2]))
  end
  for _, one in ipairs(t.offered or {}) do
    add(made, tostring(one), tostring(one))
  end
  return made
end

-- Other versions of several lines: { "name", [[code]], says = "..." }; right = true: this one is as good.
local function add_versions(made, t, right)
  for i, one in ipairs(t.others or {}) do
    if type(one) ~= "table" or type(one[1]) ~= "string" or type(one[2]) ~= "string" then
      error("others: number " .. i .. " is not { \"name\", [[code]], says = \"...\" }", 0)
    end
    if (one.right or false) == right then
      add(made, one[1], code_of(one[2]), one.says and says(t, one.says))
    end
  end
end

function work.make(t)
  local made = common("make", t)
  made.from, made.to = need(t, "make", "from"), t.to
  made.starter = code_of(t.starter or "")
  add(made, "the solution", code_of(need(t, "make", "solution")))
  add_versions(made, t, true)
  made.right_count = #made.texts
  add_versions(made, t, false)
  return made
end

function work.parsons(t)
  local made = common("parsons", t)
  made.from, made.to = need(t, "parsons", "from"), t.to
  made.pieces = {}
  for _, line in ipairs(t.lines or {}) do
    made.pieces[#made.pieces + 1] = code_of(line)
  end
  for _, line in ipairs(t.spare or {}) do
    made.pieces[#made.pieces + 1] = code_of(line)
  end
  made.spare_count = #(t.spare or {})
  add_versions(made, t, true)
  made.right_count = #made.texts
  add_versions(made, t, false)
  return made
end

return work
