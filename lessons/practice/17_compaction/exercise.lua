-- Keep the positive elements: a ballot says who keeps, its bits below a lane are the lane's place.

local THREADS, LANES, SECTOR = 128, 32, 8       -- of a block, of a warp; integers in a sector
local UNTOUCHED = -7                            -- what out begins with: none of x

local function blocks(p)
  return math.max(1, cdiv(p.n, THREADS))
end

local function warps(p)
  return blocks(p) * (THREADS // LANES)
end

-- One element is positive in `keep` of a hundred.
local function values(p, d)
  local x = d.numbers(p.n, 1, 1000000)
  for i = 1, #x do
    x[i] = d.integer(1, 100) <= p.keep and x[i] or -x[i]
  end
  return x
end

-- How often each positive value is in x, and how many there are.
local function positive(x, count)
  local times, kept = {}, 0
  for i = 0, count - 1 do
    if x[i] > 0 then
      times[x[i]], kept = (times[x[i]] or 0) + 1, kept + 1
    end
  end
  return times, kept
end

return {
  name = "compaction",
  title = "Compaction",
  lessons = { "L15", "L16" },
  teaches = "ballot and rank; one atomic for a warp",
  kernels = { "void keep(int *out, int *count, const int *x, int n)" },
  statement = [[
Copy the positive elements of `x` to the front of `out`, in any order, without gaps, and add their number to
`count[0]`, which begins with 0. The rest of out stays as it is.

One thread for each element, in blocks of 128. The starter is right, with an atomic for each element that is kept. Let
a warp ask once for all of its lanes. All lanes that a mask names come to the call, also those past the end.]],
  numbers = "One atomic operation for a warp at most; x is loaded once, and neighbors in out are stored together.",
  cases = {
    { n = 1024, keep = 50, shown = true, count = true },
    { n = 0, keep = 50 },
    { n = 1, keep = 100 },
    { n = 31, keep = 100 },
    { n = 33, keep = 0 },
    { n = 300, keep = 3 },
    function(d) return { n = d.integer(1500, 2500), keep = d.integer(60, 95), count = true } end,
  },
  launch = function(p, d)
    return {
      grid = { blocks(p), 1, 1 }, block = { THREADS, 1, 1 }, shared = 0,
      args = {
        { name = "out", type = "i32", count = math.max(1, p.n), init = "const:" .. UNTOUCHED },
        { name = "count", type = "i32", count = 1, init = "zero" },
        { name = "x", type = "i32", values = values(p, d) },
        { name = "n", type = "i32", value = p.n },
      },
    }
  end,
  budget = 1 << 20,
  check = function(p, run)
    local out, count = run.output("out"), run.output("count")[0]
    local times, kept = positive(run.input("x"), p.n)
    if count ~= kept then
      return false, string.format("count[0] is %d, expected %d", count, kept)
    end
    for i = 0, #out - 1 do
      local v = out[i]
      if i >= kept and v ~= UNTOUCHED then
        return false, string.format("out[%d] is %d: it is behind the %d kept ones, and has to stay as it was", i,
          v, kept)
      elseif i < kept and v == UNTOUCHED then
        return false, string.format("out[%d] is a gap: nothing was written there, %d are kept", i, kept)
      elseif i < kept and (times[v] or 0) == 0 then
        return false, string.format("out[%d] is %d, which is not in x, or comes too often", i, v)
      elseif i < kept then
        times[v] = times[v] - 1
      end
    end
    return true
  end,
  limits = function(p, c)
    return {
      { "atomic operations", c.atomics, warps(p) },
      { "load sectors", c.global_load_sectors, cdiv(p.n, SECTOR) + 2 },
      { "store sectors", c.global_store_sectors, cdiv(p.n, SECTOR) + 2 * cdiv(p.n, LANES) },
      { "shuffles", c.shuffles, 3 * warps(p) },
    }
  end,
  warnings = { "exited_lanes" },
  says = {
    budget = "A loop does not end: what does each round change in its condition?",
    result = function(p, told)
      if told.message:find("count[", 1, true) then
        return p.n == 0 and "With no elements nothing is kept."
          or "Each warp adds how many of its lanes keep, __popc of the ballot, once. Lanes past the end do not "
            .. "keep."
      elseif told.message:find("gap", 1, true) or told.message:find("behind", 1, true) then
        return "The place of a lane is the number of lanes before it that keep, without itself: the first one "
          .. "gets the warp's place as it is. And every lane has to know that place, not only the one that asked."
      end
      return "Two lanes share a place, or one stores what it should not keep: the place is the warp's place plus "
        .. "the number of lanes before that keep."
    end,
    race = function(_, told)
      if told.message:find("count", 1, true) then
        return "Two warps read the same count, and get the same places: read and raise it in one step, atomicAdd."
      elseif told.message:find("out", 1, true) then
        return "Two lanes have the same place in out. Does every lane know the place that its warp got, and count "
          .. "the lanes before it?"
      end
      return "Between the thread that writes a shared variable and those that read it: __syncthreads()."
    end,
    lost_update = "Two warps read the same count, and get the same places: read and raise it in one step, "
      .. "atomicAdd.",
    bad_mask = "Lanes are missing at the call, and its mask names them: all lanes come to the ballot and to the "
      .. "shuffle, those past the end too; only the store has a condition.",
    inactive_source = "The lane that knows the place does not come to this shuffle: all lanes come; only the "
      .. "store has a condition.",
    exited_lanes = "Lanes past the end have left, and the mask names them. Keep them in with an element that is "
      .. "not kept.",
    out_of_bounds = function(_, told)
      if told.message:find(" x[", 1, true) then
        return "Lanes past the end load nothing: give them an element that is not kept, 0."
      end
      return "A place is larger than it can be: the place of a lane is the warp's place plus the number of lanes "
        .. "before that keep, and 0 is not kept."
    end,
    ["atomic operations"] = function(p, told)
      return string.format("%d atomic operations, where one a warp is enough: %d. Let one lane ask for all.",
        told.value,
        warps(p))
    end,
    ["load sectors"] = "x is loaded twice: keep the element in a register.",
    ["store sectors"] = "What a warp keeps goes side by side: its lanes' places are neighbors.",
    shuffles = "A ballot tells all lanes at once who keeps; no scan is needed. One shuffle hands on the place.",
  },
  tips = {
    "Which lanes of my warp keep, and how many of them are before me? One call can tell that to all lanes.",
    "__ballot_sync gives a mask; __popc of its bits below my lane is my place in the warp. Who asks for the "
      .. "warp's places?",
    "Lane 0: at = atomicAdd(count, __popc(kept)); then every lane: at = __shfl_sync(~0u, at, 0); its place is at "
      .. "+ __popc(kept & ((1u << lane) - 1)).",
  },
  others = {
    alt_1 = "The first lane that keeps asks; a warp in which none does leaves at once.",
    alt_2 = "One atomic for each block: the counts of its warps meet in shared memory.",
  },
  wrong = {
    starter = { by = "atomic operations", what = "An atomic for each element that is kept.",
                says = "one a warp is enough" },
    wrong_1 = { by = "result", what = "Counts itself among those before.", says = "without itself" },
    wrong_2 = { by = "exited_lanes", what = "Lanes past the end leave before the ballot.",
                says = "an element that is not kept" },
    wrong_3 = { by = "race", what = "The count is read and raised in two steps.", says = "atomicAdd" },
    wrong_4 = { by = "race", what = "Only lane 0 knows the place.", says = "Does every lane know the place" },
    wrong_5 = { by = "inactive_source", what = "Only lanes that keep come to the shuffle.",
      says = "all lanes come" },
    wrong_6 = { by = "shuffles", what = "A scan of five shuffles where a ballot is enough.",
                says = "no scan is needed" },
  },
  score = { "warp instructions", function(c) return c.warp_instructions end },
}
