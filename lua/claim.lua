-- One claim as a lesson of a single screen: what it says beside the run that it was held against.

local claims = use "claims"

local shown, last_run, last_model = false, nil, nil
local measure_run, model_facts_of, show_run, show_picture = measure, model, show, picture

-- A claim that shows nothing itself shows the last of its runs, or of its models.
function measure(t)
  last_run, last_model = measure_run(t), nil
  return last_run
end

function model(t)
  last_model, last_run = t, nil
  return model_facts_of(t)
end

function show(run, t)
  shown = true
  return show_run(run, t)
end

function picture(t)
  shown = true
  return show_picture(t)
end

local id = claim_wish()
local result, says = claims.hold(id)
if last_run and not shown then
  show_run(last_run, {})
elseif last_model and not shown then
  show_picture(last_model)
end
coroutine.yield { kind = "end", title = id, text = says, claim = result }
