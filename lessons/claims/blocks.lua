-- Claims about blocks, warps and multiprocessors.

local function warps(threads)
  return cdiv(threads, 32)
end

return {
  claim {
    id = "C008", lesson = "L03",
    says = "A block of 40 by 2 threads fills three warps, and half of the third one is empty.",
    value = { 3, 16 }, unit = { "warps", "empty lanes" }, on = "run", verdict = "holds",
    now = function()
      local r = measure { kernel = "warp_map_40x2" }
      return { r.warps, r.warps * 32 - r.threads }
    end,
  },
  claim {
    id = "C010", lesson = "L03",
    says = "A block of 64 threads is two warps.",
    value = 2, unit = "warps", on = "formula", verdict = "holds",
    now = function()
      return warps(64)
    end,
  },
}
