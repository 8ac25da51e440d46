-- Dynamic work: whoever is free takes the next job.

local function divisor(v)
  local d = 2
  while v % d ~= 0 do
    d = d + 1
  end
  return d
end

-- Mostly short jobs, some primes that take a hundred times as long.
local function jobs(d, n)
  local primes, list = { 211, 307, 401, 499 }, {}
  for i = 1, n do
    list[i] = d.chance(0.1) and d.pick(primes) or 2 * d.integer(2, 200) + (d.chance(0.3) and 1 or 0)
  end
  return list
end

return {
  name = "tickets", title = "Tickets", lessons = { "L16" },
  teaches = "dynamic work: take a number, test it, store by it",
  kernels = { "void work(int *out, int *next, const int *job, int n)" },
  statement = [[
`out[q] = divisor(job[q])` for every `q` below `n`. `divisor` is given.

Some jobs are a hundred times as long as others. With fixed shares some threads would be done early and wait. So
whoever is free takes the next number: `next[0]`, which is 0 at the start.

Any grid, any `n`.]],
  numbers = "An atomic operation for each ticket, and one more for each thread that finds none left.",
  cases = {
    { n = 200, blocks = 2, threads = 64, shown = true, count = true },
    { n = 0, blocks = 1, threads = 32 },
    { n = 1, blocks = 2, threads = 32 },
    { n = 31, blocks = 1, threads = 64 },
    { n = 33, blocks = 1, threads = 32 },
    function(d) return { n = d.integer(500, 900), blocks = d.integer(2, 4), threads = 96, count = true } end,
  },
  launch = function(p, d)
    local count = math.max(p.n, 1)
    return {
      grid = { p.blocks, 1, 1 }, block = { p.threads, 1, 1 },
      args = {
        { name = "out", type = "i32", count = count, init = "const:-7" },
        { name = "next", type = "i32", values = { 0 } },
        { name = "job", type = "i32", values = jobs(d, count) },
        { name = "n", type = "i32", value = p.n },
      },
    }
  end,
  check = function(p, run)
    local job = run.input("job")
    local fine, why = expect(run.output("out"), function(q) return q < p.n and divisor(job[q]) or -7 end)
    if not fine then
      return fine, why
    end
    local taken = run.output("next")[0]
    return taken >= p.n, ("next[0] is %d at the end: %d of %d tickets were taken"):format(taken, taken, p.n)
  end,
  limits = function(p, c)
    return {
      { "ticket atomics", c.atomics, least = cdiv(p.n, 64) },
      { "ticket atomics", c.atomics, p.n + p.blocks * p.threads },
      { "store requests", c.global_store_requests, p.n },
    }
  end,
  says = {
    out_of_bounds = "A ticket is used before it is tested: job[n] does not exist. Compare with n first.",
    lost_update = "A ticket that is read and raised in two steps goes to two threads. It takes an atomic.",
    race = "A ticket that is read and raised in two steps goes to two threads. It takes an atomic.",
    uninitialized = "A ticket is used before it is tested.",
    result = function(_, told)
      if told.message:find("next", 1, true) then
        return "The shares are fixed before anybody knows how long the jobs are. Take tickets."
      end
      return "A result belongs to its job: out[ticket]. And a thread that is free again takes another ticket."
    end,
    ["ticket atomics"] = "Several threads do the same job, or take tickets for nothing.",
  },
  tips = {
    "Who is free takes the next number, does that job, and comes back.",
    "`atomicAdd` gives the number as it was before. Test it before you use it.",
    "`int ticket = atomicAdd(next, 1);` leave the loop when it is `n` or more, else store to `out[ticket]`.",
  },
  others = {
    alt_1 = "One atomic of a warp draws 32 tickets.",
    alt_2 = "A ticket is good for two jobs.",
  },
  wrong = {
    wrong_1 = { by = "out_of_bounds", what = "atomicInc hands out n itself, then 0 again.", says = "before it is "
      .. "tested" },
    wrong_2 = { by = "lost_update", what = "Reads the ticket, then raises it.", says = "two steps" },
    wrong_3 = { by = "result", what = "One ticket a thread, stored by thread.", says = "belongs to its job" },
    wrong_4 = { by = "out_of_bounds", what = "Tests the ticket of the round before.", says = "before it is tested" },
    wrong_5 = { by = "result", what = "Fixed shares.", says = "Take tickets" },
    starter = { by = "result", what = "Does nothing.", says = "belongs to its job" },
  },
  score = { "atomic operations", function(c) return c.atomics end },
  warnings = true,
}
