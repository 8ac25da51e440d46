local BLOCK = 128

local function outside(p, told)
  if not told.message or not told.message:find(" p[", 1, true) then
    return "A block has 128 points, 384 floats to hand over."
  end
  return ("p ends at p[%d]. The guard must test the float that is loaded, not the point of the thread.")
    :format(3 * p.n - 1)
end

local function loads(p, told)
  return ("%d times what is needed: they bring the same sectors again. Which 32 floats should a warp load at once?")
    :format(told.value // cdiv(3 * p.n, 8))
end

return {
  name = "aos_soa", title = "Points to three arrays", lessons = { "L08", "L10" },
  teaches = "array of structures; staging through shared memory",
  kernels = { "void split(float *x, float *y, float *z, const float *p, int n)" },
  statement = [[
`p` holds n points, x y z x y z ... Write three arrays: `x[i]`, `y[i]` and `z[i]` for `i < n`.

Blocks have 128 threads, a point for each. A load of `p[3 * i]` touches 12 sectors, and the next one the same 12.
Load `p` side by side, through shared memory.]],
  numbers = "A sector is 8 floats: 3 n / 8 loaded, 3 n / 8 stored. A conflict is one more pass through the banks.",
  cases = {
    { n = 1024, shown = true, count = true },
    { n = 1 },
    { n = 31 },
    { n = 33 },
    { n = 300 },
    { n = 2001, count = true },
    function(d) return { n = d.integer(500, 1500), count = true } end,
  },
  launch = function(p, d)
    return {
      grid = { cdiv(p.n, BLOCK), 1, 1 }, block = { BLOCK, 1, 1 }, shared = 0,
      args = {
        { name = "x", type = "f32", count = p.n, init = "none" },
        { name = "y", type = "f32", count = p.n, init = "none" },
        { name = "z", type = "f32", count = p.n, init = "none" },
        { name = "p", type = "f32", values = d.numbers(3 * p.n, -1000, 1000) },
        { name = "n", type = "i32", value = p.n },
      },
    }
  end,
  check = function(_, run)
    local points = run.input("p")
    local function part(name, at)
      return expect(run.output(name), function(i) return points[3 * i + at] end)
    end
    return part("x", 0) and part("y", 1) and part("z", 2)
  end,
  limits = function(p, c)
    return {
      { "load sectors", c.global_load_sectors, 1.1 * cdiv(3 * p.n, 8) + 2 },
      { "store sectors", c.global_store_sectors, 1.1 * 3 * cdiv(p.n, 8) + 2 },
      { "bank conflicts", c.shared_load_bank_conflicts + c.shared_store_bank_conflicts, 0 },
    }
  end,
  says = {
    race = "Another thread brings the float that you take. What makes you wait until it has? A barrier, if all come.",
    uninitialized = "Nobody brought that float. p has 3 n of them, and threads without a point bring some, too.",
    out_of_bounds = outside,
    result = "Float k of a block belongs to its point k / 3: thread t finds its own at 3 t, 3 t + 1 and 3 t + 2.",
    ["load sectors"] = loads,
    ["store sectors"] = "Neighboring threads should store neighboring elements.",
    ["bank conflicts"] = "32 lanes need 32 banks, on the way in and out. Words in a row have them; words 3 apart, too.",
  },
  tips = {
    "A warp needs 96 floats that lie side by side. In which order should it load them?",
    "Load k, k + 128 and k + 256 of the block's 384 floats, whosever they are. Hand them over in shared memory.",
    "After a barrier thread t finds its point at `s[3 * t]` and behind it. Three words apart: no conflicts.",
  },
  others = {
    alt_1 = "Each warp stages its own 96 floats: no barrier of the block.",
    alt_2 = "No shared memory: three loads, then shuffles.",
  },
  wrong = {
    starter = { by = "load sectors", what = "Three loads of the same sectors.", says = "3 times what is needed" },
    wrong_1 = { by = "race", what = "No barrier between filling and taking.", says = "makes you wait" },
    wrong_2 = { by = "load sectors", what = "Shared memory filled in the old order.", says = "3 times what is needed" },
    wrong_3 = { by = "out_of_bounds", what = "The guard tests the point, not the float.", says = "p ends at p[2]" },
    wrong_4 = { by = "uninitialized", what = "Threads without a point leave early.", says = "without a point bring" },
    wrong_5 = { by = "result", what = "Thirds of p are taken for x, y and z.", says = "belongs to its point" },
  },
  score = { "sectors", function(c) return c.global_load_sectors + c.global_store_sectors end },
}
