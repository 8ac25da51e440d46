-- One launch, many steps: a barrier of the whole grid between them.

return {
  name = "grid_sync", title = "Iteration with a grid barrier", lessons = { "L15", "L18" },
  teaches = "cooperative groups: everybody comes; two buffers",
  kernels = { "void relax(int *a, int *b, int n, int steps)" },
  statement = [[
Each step replaces every element by `(left + 2 own + right) / 4`. The outermost ones are their own neighbors.

Step 1 goes from `a` to `b`, step 2 from `b` to `a`, and so on: with an odd number of steps the result is in `b`.

One cooperative launch makes all steps, with any grid of blocks of 128 threads. `steps` may be 0.]],
  numbers = "What the steps store, and the atomics of the grid barrier: one for each block that comes.",
  cases = {
    { n = 256, blocks = 2, steps = 4, shown = true, count = true },
    { n = 1, blocks = 2, steps = 3 },
    { n = 31, blocks = 1, steps = 1 },
    { n = 33, blocks = 2, steps = 0 },
    function(d) return { n = d.integer(700, 1000), blocks = 3, steps = d.pick { 3, 5 }, count = true } end,
  },
  launch = function(p, d)
    return {
      grid = { p.blocks, 1, 1 }, block = { 128, 1, 1 }, cooperative = true,
      args = {
        { name = "a", type = "i32", values = d.numbers(p.n, 0, 1 << 20) },
        { name = "b", type = "i32", count = p.n, init = "none" },
        { name = "n", type = "i32", value = p.n },
        { name = "steps", type = "i32", value = p.steps },
      },
    }
  end,
  check = function(p, run)
    local from, a = {}, run.input("a")
    for i = 0, p.n - 1 do
      from[i] = a[i]
    end
    for _ = 1, p.steps do
      local to = {}
      for i = 0, p.n - 1 do
        to[i] = (from[math.max(i - 1, 0)] + 2 * from[i] + from[math.min(i + 1, p.n - 1)]) // 4
      end
      from = to
    end
    return expect(run.output(p.steps % 2 == 0 and "a" or "b"), function(i) return from[i] end)
  end,
  limits = function(p, c)
    return {
      { "store sectors", c.global_store_sectors, 1.05 * p.steps * cdiv(p.n, 8) + p.steps + 2 },
      { "grid barriers", c.global_atom_requests + c.global_red_requests, p.steps * p.blocks },
    }
  end,
  says = {
    uninitialized = "An element of another block is read before that block has made it. A barrier of the block does "
      .. "not wait for other blocks.",
    race = "A neighbor may be a step ahead, or not have come so far. It takes two buffers, and between steps a barrier "
      .. "of the grid: that of the block does not wait for other blocks.",
    livelock = "Threads left, and the others wait for them at the barrier of the grid. Those without an element "
      .. "have to come, too.",
    deadlock = "Threads left, and the others wait for them at the barrier of the grid. Those without an element "
      .. "have to come, too.",
    result = "Some element is not what the steps make of it. With an odd number of steps the result is in b, with "
      .. "an even one in a.",
    ["grid barriers"] = "One barrier of the grid a step is enough: the buffers change places behind it.",
    ["store sectors"] = "Each step stores each element once.",
  },
  tips = {
    "Step 2 needs what other blocks made in step 1.",
    "`grid.sync()` once a step, by all threads of all blocks, also those without an element.",
    "From `a` to `b`, `grid.sync()`, then the two pointers change places.",
  },
  others = {
    alt_1 = "No barrier behind the last step.",
    alt_2 = "Two steps a round: nothing changes places.",
  },
  wrong = {
    starter = { by = "result", what = "Does nothing.", says = "what the steps make" },
    wrong_1 = { by = "race", what = "A barrier of the block.", says = "does not wait for other blocks" },
    wrong_2 = { by = "deadlock", what = "Threads leave.", says = "have to come" },
    wrong_3 = { by = "race", what = "One buffer.", says = "two buffers" },
    wrong_4 = { by = "grid barriers", what = "Two barriers a step.", says = "is enough" },
  },
  score = { "atomics of the barrier", function(c) return c.global_atom_requests + c.global_red_requests end },
}
