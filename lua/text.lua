-- Texts of lessons: values filled in, lines flowed into paragraphs.

local text = {}

-- A number as people read it: 12345 -> "12,345", 0.8 -> "0.8".
function text.number(value)
  if math.type(value) == "float" and value == math.floor(value)
    and math.abs(value) < 2^53 then
    value = math.tointeger(value)
  end
  if math.type(value) ~= "integer" then
    return string.format("%.4g", value)
  end
  local digits = tostring(math.abs(value))
  local first = (#digits - 1) % 3 + 1
  local parts = { digits:sub(1, first) }
  for i = first + 1, #digits, 3 do
    parts[#parts + 1] = digits:sub(i, i + 2)
  end
  return (value < 0 and "-" or "") .. table.concat(parts, ",")
end

-- 0x0000ffff
function text.mask(value)
  return string.format("0x%08x", value)
end

-- The lanes of a mask as people write them: "0-15, 31"
function text.lanes(bits)
  local parts, lane = {}, 0
  while lane < 32 do
    local first = lane
    while lane < 32 and bits >> lane & 1 == 1 do
      lane = lane + 1
    end
    if lane > first + 1 then
      parts[#parts + 1] = first .. "-" .. lane - 1
    elseif lane > first then
      parts[#parts + 1] = tostring(first)
    end
    lane = lane + 1
  end
  return #parts > 0 and table.concat(parts, ", ") or "none"
end

-- part of whole as "80%"
function text.percent(part, whole)
  local value = 100 * part / whole
  local rounded = math.floor(value + 0.5)
  if math.abs(value - rounded) < 0.05 then
    return rounded .. "%"
  end
  return string.format("%.1f%%", value)
end

-- 1 sector, 2 sectors
function text.counted(value, word)
  return text.number(value) .. " " .. word .. (value == 1 and "" or "s")
end

-- Replaces {name} by the field of that name.
function text.fill(template, values)
  return (template:gsub("{(%a[%w_]*)}", function(name)
    local value = values[name]
    if value == nil then
      error("the text has {" .. name .. "}, but no value of that name", 0)
    end
    return type(value) == "number" and text.number(value) or tostring(value)
  end))
end

local function lines_of(source)
  local lines, from = {}, 1
  while true do
    local to = source:find("\n", from, true)
    lines[#lines + 1] = source:sub(from, (to or #source + 1) - 1)
    if not to then
      return lines
    end
    from = to + 1
  end
end

local function indent_of(line)
  return #line:match("^ *")
end

-- The spaces that all lines have in front, which come from the file's own layout.
local function common_indent(lines)
  local least
  for i, line in ipairs(lines) do
    if line:find("%S") and (i > 1 or indent_of(line) > 0) then
      least = math.min(least or 1000, indent_of(line))
    end
  end
  return least or 0
end

-- Joins the lines of a paragraph. An empty line parts paragraphs; a line that
-- starts with "- " or, beyond the common indent, with a blank stays as it is.
function text.flow(source)
  local lines, out = lines_of(source), {}
  local indent = common_indent(lines)
  local open = false
  for i, line in ipairs(lines) do
    line = line:sub((i == 1 and indent_of(line) < indent) and 1 or indent + 1)
    local alone = line:sub(1, 1) == " "
    if not line:find("%S") then
      if #out > 0 and out[#out] ~= "" then
        out[#out + 1] = ""
      end
      open = false
    elseif open and not alone and line:sub(1, 2) ~= "- " then
      out[#out] = out[#out] .. " " .. line
    else
      out[#out + 1] = line
      open = not alone
    end
  end
  if out[#out] == "" then
    out[#out] = nil
  end
  return table.concat(out, "\n")
end

-- Edits that make one word of the other.
local function distance(a, b)
  local row = {}
  for j = 0, #b do
    row[j] = j
  end
  for i = 1, #a do
    local diagonal = row[0]
    row[0] = i
    for j = 1, #b do
      local above = row[j]
      local change = diagonal + (a:byte(i) == b:byte(j) and 0 or 1)
      row[j] = math.min(change, above + 1, row[j - 1] + 1)
      diagonal = above
    end
  end
  return row[#b]
end

-- The name in these sets that is most like a word, if one is.
function text.nearest(word, ...)
  local best, least
  for _, names in ipairs { ... } do
    for name in pairs(names) do
      local d = type(name) == "string" and distance(word, name)
      if d and d < math.min(3, #name) and (not least or d < least or d == least and name < best) then
        best, least = name, d
      end
    end
  end
  return best
end

return text
