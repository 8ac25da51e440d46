-- Sums from the left over all of an array, in one launch: publish, look back, and wait only for who has begun.

local THREADS, INT = 128, 4                 -- of a block; bytes
local LARGE = 10000                         -- elements; from here on it is looked at who has published
local TALK = 2048                           -- bytes of state that a block may read and write while it waits

return {
  name = "look_back",
  title = "Scan in one pass",
  lessons = { "L16", "L18" },
  teaches = "flag and value in one word; who may wait for whom",
  kernels = { "void scan(int *y, u64 *state, unsigned *ticket, const int *x, int n)" },
  statement = [[
Sums from the left over all of `x`: `y[i]` is `x[0] + ... + x[i]`. One launch, blocks of 128 threads, one thread for
each element; x is read once and y is written once.

`state` has a word of 64 bits for each block, and begins with 0: let a block publish its sum there, and later the sum
of all up to its end. Flag and value go in one word. `ticket[0]` begins with 0, too: which block has begun as which.

Blocks may begin in any order. A device may have room for only a few at a time; one case is on such a device.]],
  numbers = "x once in, y once out, and a few words of state for each block; traffic must not grow with the "
    .. "square of n.",
  cases = {
    { n = 2048, shown = true, count = true },
    { n = 1 },
    { n = 31 },
    { n = 128 },
    { n = 129 },
    function(d) return { n = d.integer(3000, 6000), count = true } end,
    { n = 12801, once = true, profile = "gtx750ti" },
  },
  launch = function(p, d)
    return {
      grid = { cdiv(p.n, THREADS), 1, 1 }, block = { THREADS, 1, 1 }, shared = 0,
      args = {
        { name = "y", type = "i32", count = p.n, init = "none" },
        { name = "state", type = "u64", count = cdiv(p.n, THREADS), init = "zero" },
        { name = "ticket", type = "u32", count = 1, init = "zero" },
        { name = "x", type = "i32", values = d.numbers(p.n, 1, 999) },
        { name = "n", type = "i32", value = p.n },
      },
    }
  end,
  budget = 1 << 20,
  check = function(p, run)
    local x, want, sum = run.input("x"), {}, 0
    for i = 0, p.n - 1 do
      sum = sum + x[i]
      want[i] = sum
    end
    local right, message = expect(run.output("y"), function(i) return want[i] end)
    for b = 0, right and p.n > LARGE and cdiv(p.n, THREADS) - 2 or -1 do
      if run.output("state")[b] == 0 then
        return false, string.format("state[%d] is 0 at the end: nobody published there", b)
      end
    end
    return right, message
  end,
  limits = function(p, c)
    local blocks = cdiv(p.n, THREADS)
    return {
      { "bytes of x and y", c.global_load_bytes + c.global_store_bytes, 2 * INT * p.n + TALK * blocks },
      { "atomics", c.global_atom_requests + c.global_red_requests, 60 * blocks },
    }
  end,
  says = {
    result = function(_, told)
      if told.message:find("published", 1, true) then
        return "y is right. But all blocks share the work: each one has 128 elements, and publishes their sum."
      elseif told.unwritten then
        return "Each thread with an element stores its sum: y[i], where i < n."
      elseif told.index and told.index >= THREADS then
        return string.format("Element %d is in part %d: check what it gets from the parts before. Flag 1, add the "
          .. "sum and look further back; flag 2, add and stop.", told.index, told.index // THREADS)
      elseif told.index then
        return "This is in the first part, which waits for nobody: the scan in the block is off (exercise 14)."
      end
    end,
    livelock = function(_, told)
      if told.message:find("begin", 1, true) or told.message:find("begun", 1, true) then
        return "A block waits for another that cannot begin, since all places are taken by blocks that wait. "
          .. "Numbers by a ticket, taken when a block begins, make sure that all lower ones have begun."
      end
      return "A block waits for a word that nobody will write: every block publishes, block 0 too, and before it "
        .. "waits for others."
    end,
    deadlock = "Somebody waits for what nobody will publish: every block publishes, also the first and the last.",
    budget = "Somebody waits for ever. Does every block publish, also the first? Are lower numbers sure to have "
      .. "begun? A ticket, taken when a block begins, makes sure.",
    race = function(_, told)
      if told.message:find("state", 1, true) and not told.message:find("of block.*of block") then
        return "Two threads of a block write the same word, and nothing says which of them comes last: let one "
          .. "thread publish."
      elseif told.message:find("state", 1, true) then
        return "Who sees the flag need not see the value: they are two words, or plain ones. Put both into one "
          .. "word of 64 bits, written and read as a whole by atomics or volatile."
      elseif told.message:find("ticket", 1, true) then
        return "Two blocks may draw the same ticket: atomicAdd draws it in one piece."
      end
      return "A shared variable has one thread that writes it (only one draws the ticket), and a __syncthreads() "
        .. "before the others read it."
    end,
    uninitialized = "Read before it was written: a shared variable has one thread that writes it, and a "
      .. "__syncthreads() before the others read it.",
    lost_update = "Two blocks may draw the same ticket: atomicAdd draws it in one piece.",
    ["bytes of x and y"] = function(p, told)
      return string.format("Right, but %d bytes where x and y have %d, and it grows with the square of n: each "
        .. "block reads again what others have added up.", told.value, 2 * INT * p.n)
    end,
    atomics = "Each block looks back over many others. Once its own sum is whole, a block says so (flag 2), and "
      .. "those behind it stop there.",
  },
  tips = {
    "Block b needs a single number: what all before it come to. Who could have it?",
    "A ticket, drawn at the beginning by thread 0, is the block's number: all lower ones have begun. Publish the "
      .. "own sum at once, then look back.",
    "Flag 0: look again. Flag 1: add the block's sum and go one further back. Flag 2: add, and stop. Then publish "
      .. "the sum up to the own end with flag 2. atomicExch writes a word whole, atomicAdd(&state[k], 0ull) reads "
      .. "it.",
  },
  others = {
    alt_1 = "A chain: each block waits for the one before it, and passes the sum on. Short, but one waits for all.",
    alt_2 = "A chain through volatile words of 64 bits: no atomics but the ticket, and no fence.",
  },
  wrong = {
    wrong_1 = { by = "livelock", what = "No ticket, and the numbers run backwards.", says = "cannot begin" },
    wrong_2 = { by = "bytes of x and y", what = "Each block adds up all before it again.",
                says = "grows with the square of n" },
    wrong_3 = { by = "race", what = "Flag and value are two words, the value a plain one.",
                says = "one word of 64 bits" },
    wrong_4 = { by = "race", what = "Two volatile words without a fence.", says = "one word of 64 bits" },
    wrong_5 = { by = "livelock", what = "blockIdx in place of the ticket.", says = "cannot begin" },
    wrong_6 = { by = "result", what = "Block 0 does all.", says = "all blocks share the work" },
    starter = { by = "result" },
  },
  score = { "global bytes", function(c) return c.global_load_bytes + c.global_store_bytes end },
}
