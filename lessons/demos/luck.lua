demo { title = "Right by luck", minutes = 3, where = "Thinking and Coding in Parallel, example 2.7" }

-- The sum that all blocks left together.
local function sum_of(r)
  local y, sum = r:output("y"), 0
  for b = 0, #y - 1 do
    sum = sum + y[b]
  end
  return math.floor(sum + 0.5)
end

local ADD = { line = "tsum[id] += x[k]", kind = "load", space = "global" }

local function reduce(blocks)
  return { N = 1024, threads = 8, blocks = blocks }
end

-- How often the loop comes to the elements: how many it leaves out, and how many it visits twice or more.
local function visited(r)
  local count, none, again = r:output("count"), 0, 0
  for i = 0, #count - 1 do
    none = none + (count[i] == 0 and 1 or 0)
    again = again + (count[i] > 1 and 1 or 0)
  end
  return none, again
end

scene {
  kernel = "reduce2", form = "lecture", params = reduce(8), at = ADD,
  big = true,
  say = "A sum by {blocks} blocks of {threads} threads, as a book has it: {sum}. That is correct.",
  values = function(r)
    return { blocks = r.blocks, threads = r.threads, sum = sum_of(r) }
  end,
  note = "The book runs 256 blocks of 256 threads, and its output is right. Here the same in small.",
}
scene {
  kernel = "reduce2", form = "lecture", params = reduce(9), at = ADD,
  big = true, hide = true,
  say = "The book goes on: take more blocks than that, as the device has room. So one more: {blocks}.",
  values = function(r)
    return { blocks = r.blocks }
  end,
  note = "The book says 288 in place of 256. Nothing else changes.",
}
ask {
  "What becomes of the sum?", options = { "larger", "smaller", "the same", "a fault" }, seconds = 40,
  answer = function(r)
    local expected = r.parameters.N / 2              -- numbers from 0 to 1
    local sum = sum_of(r)
    return #r.faults > 0 and "a fault" or sum > 1.05 * expected and "larger" or sum < 0.95 * expected and "smaller"
      or "the same"
  end,
  note = "Most say the same: the loop goes on until N. Ask what the step of the loop is.",
}
reveal {
  say = "{sum}, too much, and no fault: the step of the loop is blockDim.x squared, not the grid.",
  values = function(r)
    return { sum = sum_of(r) }
  end,
}
scene {
  kernel = "visits", form = "lecture", params = { steps = 1024, threads = 8, blocks = 9 }, big = true,
  at = "end",
  say = "Count the visits: {again} of {all} elements are added twice.",
  values = function(r)
    local _, again = visited(r)
    return { again = again, all = r.parameters.steps }
  end,
}
whatif {
  param = "blocks", try = { 4, 8, 16 },
  say = "{blocks} blocks: {none} elements left out, {again} visited again.",
  values = function(r)
    local none, again = visited(r)
    return { blocks = r.blocks, none = none, again = again }
  end,
  note = "With 8 blocks of 8 threads it is right: by luck.",
}
keep { "A test at one launch shape proves nothing. Count the visits." }
