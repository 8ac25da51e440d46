-- Names of fields: an author's slip is found by its name, not by what does not happen.

local text = use "text"

local fields = {}

-- Collects the names in braces of all texts in a value.
local function collect(value, used, depth)
  if type(value) == "string" then
    for name in value:gmatch("{(%a[%w_]*)}") do
      used[name] = true
    end
  elseif type(value) == "table" and depth < 4 then
    for _, item in pairs(value) do
      collect(item, used, depth + 1)
    end
  end
end

-- An error about a field that is neither known nor a {value} of the texts. what: the table, in messages.
function fields.check(t, known, what)
  local used = {}
  for _, name in ipairs(known) do
    collect(t[name], used, 0)
    used[name] = true
  end
  collect(t[1], used, 0)
  local unknown
  for name in pairs(t) do
    if type(name) == "string" and not used[name] and (not unknown or name < unknown) then
      unknown = name
    end
  end
  if unknown then
    local near = text.nearest(unknown, used)
    error(string.format("%s has an unknown field '%s'%s", what, unknown, near and "; did you mean '" .. near .. "'?"
      or ", which no text has in {}"), 0)
  end
end

return fields
