-- What a lesson says of a run that it wants, made into what the host asks.

local text = use "text"

local measure = {}

-- Parameters as the host reads them, in an order that does not depend on pairs.
function measure.assignments(params)
  local list = {}
  for name, value in pairs(params or {}) do
    list[#list + 1] = name .. "=" .. tostring(value)
  end
  table.sort(list)
  return list
end

local run_fields = {
  kernel = true, form = true, params = true, sched = true, cut = true, seed = true, order = true, device = true,
  profile = true, timing = true, lecture = true, launch = true, order_of = true,
}

-- Fails on fields that are in none of the sets.
function measure.check_fields(what, t, ...)
  for name in pairs(t) do
    local known = false
    for _, names in ipairs { ... } do
      known = known or names[name]
    end
    if not known then
      local near = text.nearest(tostring(name), ...)
      error(string.format("%s has an unknown field '%s'%s", what, tostring(name),
        near and "; did you mean '" .. near .. "'?" or ""), 0)
    end
  end
end

local function flag(t, name)
  if t[name] ~= nil and type(t[name]) ~= "boolean" then
    error(name .. " is true or false", 0)
  end
  return t[name]
end

local function sizes_of(t)
  local timing, lecture = flag(t, "timing"), flag(t, "lecture")
  if timing and lecture then
    error("a run has the sizes of the lecture or those for timing, not both", 0)
  end
  return timing and "timing" or lecture and "lecture" or nil
end

-- what: "measure" or "run", for messages; others: a set of the other fields that t may have
function measure.wanted(what, t, others)
  if type(t) ~= "table" then
    error(what .. " takes a table: { kernel = \"...\", params = { ... } }", 0)
  end
  measure.check_fields(what, t, run_fields, others or {})
  local values = measure.assignments(t.params)
  if t.form ~= nil then
    values[#values + 1] = "form=" .. tostring(t.form)
  end
  return {
    kind = "run", kernel = t.kernel, values = values, sched = t.sched, cut = t.cut, order = t.order, seed = t.seed,
    device = t.device, profile = t.profile, sizes = sizes_of(t), launch = t.launch,
    order_of = t.order_of,
  }
end

return measure
