-- Claims about waves of blocks, and what the last one costs.

local function waves(params)
  return model { "waves", params = params }
end

return {
  claim {
    id = "C055", lesson = "L05",
    says = "12 blocks on 8 SMs, one on each: 2 waves, the last at 50 %, 75 % in all.",
    value = { 2, 50, 75 }, unit = { "waves", "%", "%" }, on = "model", verdict = "holds",
    now = function()
      local w = waves { sms = 8, per_sm = 1, blocks = 12 }
      return { w.waves, 100 * w.last_full, 100 * w.used }
    end,
  },
  claim {
    id = "C056", lesson = "L05",
    says = "Large blocks: 2 waves, the last at 25 %, and it takes half of the time.",
    value = { 2, 25, 50 }, unit = { "waves", "%", "% of the time" }, on = "model", verdict = "holds",
    now = function()
      local w = waves { sms = 4, per_sm = 1, blocks = 5 }
      return { w.waves, 100 * w.last_full, 100 * w.last_share }
    end,
  },
  claim {
    id = "C057", lesson = "L05",
    says = "The same work in blocks of a third: 4 waves, the last at 75 %, 1.5 times as fast.",
    value = { 4, 75, 1.5 }, unit = { "waves", "%", "times" }, on = "model", verdict = "holds", tolerance = 1e-9,
    now = function()
      local large, small = waves { sms = 4, per_sm = 1, blocks = 5 }, waves { sms = 4, per_sm = 1, blocks = 5, cut = 3 }
      return { small.waves, 100 * small.last_full, large.seconds / small.seconds }
    end,
  },
  claim {
    id = "C058", lesson = "L05",
    says = "Five waves of which the last is half full: 90 % of the places are used.",
    value = 90, unit = "%", on = "model", verdict = "holds", tolerance = 1e-9,
    now = function()
      return 100 * waves { sms = 8, per_sm = 1, blocks = 36 }.used
    end,
  },
  claim {
    id = "C059", lesson = "L05",
    says = "Twenty waves of which the last is half full: 97.5 %.",
    value = 97.5, unit = "%", on = "model", verdict = "holds", tolerance = 1e-9,
    now = function()
      return 100 * waves { sms = 8, per_sm = 1, blocks = 156 }.used
    end,
  },
  claim {
    id = "C060", lesson = "L05",
    says = "With tens of waves the tail does not matter: at most a twentieth is lost with 20 and more.",
    value = 95, unit = "%", on = "model", verdict = "holds in shape", band = { 1, 1.06 },
    now = function()
      return 100 * waves { sms = 8, per_sm = 1, blocks = 153 }.used
    end,
  },
}
