-- Launches in device code; 'what' says which, and the test what must come of it.
local N = 200
local function of_range(p) return { { launch = p.what, grid = { 2 }, block = { 256 }, args = { "y", "x", N } } } end
local function of_one(p) return { { launch = p.what, grid = { 1 }, block = { 256 }, args = { "y", "x", N } } } end
local function of_y(p) return { { launch = p.what, grid = { 1 }, block = { 1 }, args = { "y" } } } end
local function of_order(p) return { { launch = p.what, grid = { 1 }, block = { 1 }, args = { "y", "count" } } } end

local steps = {
  tails = of_order, tail_of_tail = of_order,
  made_before = of_one, not_waited = of_one, made_behind = of_one, made_for_tail = of_one, of_other_block = of_range,
  read_back = function() return { { launch = "read_back", grid = { 1 }, block = { 1 }, args = { "y", "x", N } } } end,
  in_order = of_one, forgotten = of_one, blocks = of_range, copies = of_one,
  streams = function(p) return { { launch = "streams", grid = { 1 }, block = { 1 }, args = { "y", "x", N, p.n } } } end,
  counted = function(p) return { { launch = "counted", grid = { 1 }, block = { 1 }, args = { "count", p.n } } } end,
  deep = function(p) return { { launch = "deep", grid = { 1 }, block = { 1 }, args = { "count", p.n } } } end,
  gives = of_y, errors = of_y, gives_local = of_y, gives_unused = of_y,
  gives_shared = function() return { { launch = "gives_shared", grid = { 1 }, block = { 4 }, args = { "y" } } } end,
  pending = function(p) return { { launch = "pending", grid = { 1 }, block = { 1 }, args = { "y", p.n } } } end,
  beyond = function() return { { launch = "beyond", grid = { 1 }, block = { 1 }, args = { "y", 256 } } } end,
  -- The grid of the first launch ends when its children have: what comes behind it finds what they did.
  next = function() return { { launch = "made_before", grid = { 1 }, block = { 256 }, args = { "y", "x", N } },
      { launch = "twice", grid = { 1 }, block = { 256 }, args = { "x", "y", N } },
      { copy = "d2d", buffer = "x", to = "y", count = N } } end,
  unordered = function() return { { launch = "made_before", grid = { 1 }, block = { 256 }, args = { "y", "x", N }, stream = "a" },
      { launch = "twice", grid = { 1 }, block = { 256 }, args = { "x", "y", N }, stream = "b" } } end,
}
local names = {}
for name in pairs(steps) do names[#names + 1] = name end
table.sort(names)

local wanted = {
  gives = { 1, 2, 3, 4, 5, 6, 7, 8 },
  errors = { 0, 9, 9, 0, 9, 9, 9, 0, 9, 9, 1, 1, 1, 21, 1 },   -- as an H200 answers
}

-- Where a stands in the order; 0: nowhere.
local function place(order, a)
  for i = 0, 15 do if order[i] == a then return i + 1 end end
  return 0
end

local function is_in_order(order, list)
  for i = 1, #list do
    if place(order, list[i]) == 0 or (i > 1 and place(order, list[i - 1]) >= place(order, list[i])) then return false end
  end
  return true
end

return {
  name = "family", id = "T4", title = "Kernels that launch kernels", about = "For tests.", topic = "basics", lessons = {},
  source = "family.cu",
  params = { { name = "what", values = names, default = "tails", help = "which program" },
    { name = "n", default = 1, min = 0, max = 1 << 20, help = "depth, launches, or whether an event is waited for" } },
  sequence = function(p)
    return {
      buffers = { { name = "y", type = "i32", count = 256, init = "const:-1" }, { name = "x", type = "i32", count = 512, init = "iota" },
        { name = "count", type = "i32", count = 1, init = "zero" } },
      streams = { "a", "b" },
      steps = steps[p.what](p),
    }
  end,
  check = function(p, run)
    local y, count = run.output("y"), run.output("count")
    if p.what == "tails" then
      return is_in_order(y, { 1, 2, 100, 101 }) and is_in_order(y, { 3, 100 }) and count[0] == 5, "not in order"
    elseif p.what == "tail_of_tail" then
      return is_in_order(y, { 50, 1, 2, 100, 101, 200 }) and is_in_order(y, { 50, 3, 100 }) and count[0] == 7, "not in order"
    elseif p.what == "counted" then
      return expect(count, function() return (2 << p.n) - 1 end)
    elseif p.what == "deep" then
      return expect(count, function() return p.n end)
    elseif p.what == "pending" then
      return expect(y, function(i) if i == 0 then return math.max(p.n - 2048, 0) end return -1 end)
    elseif wanted[p.what] then
      return expect(y, function(i) return wanted[p.what][i + 1] or -1 end)
    elseif p.what == "next" or ((p.what == "streams" or p.what == "in_order" or p.what == "forgotten" or p.what == "blocks")) then
      return expect(y, function(i) return i < N and 4 * i or -1 end)
    else
      return expect(y, function(i) return p.what == "gives_unused" and i == 0 and 1 or p.what ~= "gives_unused" and i < N and 2 * i or -1 end)
    end
  end,
}
