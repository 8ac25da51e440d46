-- A lock mended: take, fence, work, fence, give back.

return {
  name = "lock", title = "A lock mended", lessons = { "L16" },
  teaches = "take, fence, work, fence, give back; nobody waits while holding it",
  kernels = { "void add(int *lock, int *total, const int *x)" },
  statement = [[
`total[0]` is the sum of `x`, `total[1]` its largest element. Both change together, under a lock. There is one element
for each thread.

Everything is 0 at the start. The lock has to be 0 at the end, too.

The starter takes the lock as it should. But what the lock guards may be seen too late, and an ordinary store gives
the lock back.]],
  numbers = "Atomic operations, those of threads that wait included. The limit is wide.",
  cases = {
    { blocks = 2, threads = 64, shown = true, count = true },
    { blocks = 1, threads = 1 },
    { blocks = 1, threads = 32 },
    { blocks = 1, threads = 33 },
    function(d) return { blocks = 3, threads = d.integer(40, 60), count = true } end,
  },
  launch = function(p, d)
    return {
      grid = { p.blocks, 1, 1 }, block = { p.threads, 1, 1 },
      args = {
        { name = "lock", type = "i32", values = { 0 } },
        { name = "total", type = "i32", values = { 0, 0 } },
        { name = "x", type = "i32", values = d.numbers(p.blocks * p.threads, 1, 99) },
      },
    }
  end,
  check = function(p, run)
    local x, sum, largest = run.input("x"), 0, 0
    for i = 0, p.blocks * p.threads - 1 do
      sum, largest = sum + x[i], math.max(largest, x[i])
    end
    local want = { [0] = sum, largest }
    local fine, why = expect(run.output("total"), function(i) return want[i] end)
    if not fine then
      return fine, why
    end
    return expect(run.output("lock"), function() return 0 end)
  end,
  limits = function(p, c)
    local threads = p.blocks * p.threads
    return { { "atomic operations", c.atomics, 2 * threads * threads + 60 } }
  end,
  says = {
    race = "The lock alone orders nothing. Between taking it and the first read, and between the last write and "
      .. "giving it back, stands a fence; and an atomic gives it back.",
    lost_update = "The lock alone orders nothing: a fence behind taking it, a fence before giving it back.",
    livelock = "Somebody holds the lock and waits, or left with it. All others want it for ever.",
    deadlock = "Somebody waits at a barrier with the lock in hand. The others wait for the lock.",
    divergent_barrier = "Somebody waits at a barrier with the lock in hand. The others wait for the lock.",
    result = "Both numbers have to change under the lock, and the lock has to be 0 at the end.",
  },
  tips = {
    "A thread gets the lock. What does it see of `total`: the newest, or what it has in a register?",
    "`volatile` or atomics for what the lock guards, `__threadfence()` on both sides, `atomicExch` to give the lock "
      .. "back.",
    "`while (waiting) if (atomicCAS(lock, 0, 1) == 0) { ... atomicExch(lock, 0); waiting = false; }`, with a fence "
      .. "as the first and the last thing before the exchange.",
  },
  others = {
    alt_1 = "The lanes of a warp come one after the other.",
    alt_2 = "No lock: each number has an atomic of its own.",
    alt_3 = "Each lane waits for itself, which is right since Volta.",
  },
  wrong = {
    starter = { by = "race", what = "No fence, and a plain store gives the lock back.", says = "fence" },
    wrong_1 = { by = "divergent_barrier|livelock", what = "A barrier with the lock in hand.", says = "the lock" },
    wrong_2 = { by = "race", what = "The largest element without a lock.", says = "fence" },
    wrong_3 = { by = "race", what = "No fences, plain accesses.", says = "fence" },
    wrong_4 = { by = "livelock", what = "Returns with the lock.", says = "left with it" },
    wrong_5 = { by = "lost_update", what = "volatile without fences.", says = "fence" },
  },
  score = { "atomic operations", function(c) return c.atomics end },
  warnings = true,
}
