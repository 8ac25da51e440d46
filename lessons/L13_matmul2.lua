-- L13: what have I promised, and who checks it?

local LANES = 32

local function commas(n)
  local text = string.format("%d", n):reverse():gsub("(%d%d%d)", "%1,"):reverse()
  return (text:gsub("^,", ""))
end

local function list(buffer, count)
  local words = {}
  for i = 0, (count or #buffer) - 1 do
    words[#words + 1] = string.format("%g", buffer[i])
  end
  return table.concat(words, " ")
end

-- The lecture's times, in milliseconds, and rates, in billion operations a second.
local MS = { added_up = 6.685, promised = 2.536, host = 2121.046, host_promised = 1468.845 }
local RATE = { added_up = 321.2, tiles = 1104.3, unrolled = 1217.0, library = 6747.1, tensor = 8882.3 }
local function rate(name) return commas((RATE[name] + 0.5) // 1 | 0) end

recall(2)

-- 1. one word ------------------------------------------------------------------------------------------

local function broken(form, cut, shift)
  return measure { kernel = "restrict_broken", form = form, cut = cut, params = { shift = shift or 0 } }
end

local careful, trusting = broken("plain", "compiled"), broken("restrict", "compiled")
local function two(run) return "{" .. list(run:result "x", 2):gsub(" ", ", ") .. "}" end

show(careful, { at = "start" })
predict {
  id = "word", title = "One word", sure = true,
  [[
  A kernel does `out[0] = in[0] + 1`, then `out[1] = in[0] + 1`. Here `out` and `in` are the same array, {before}.
  Afterwards it begins with {after}. Now both pointers get one word more, `__restrict__`. It makes matrix products
  {times} times as fast.
  ]],
  before = "all tens", after = two(careful), times = string.format("%.1f", MS.added_up / MS.promised),
  ask = "And what does the array begin with now?", kind = "choice",
  options = { two(careful), "{11, 11}", "there is a fault" }, answer = two(trusting),
  wrong = {
    [two(careful)] = "Then in[0] would have been loaded twice.",
    ["there is a fault"] = "Nobody looks. The compiler believes you.",
  },
  because = "{loads} in place of {twice}: in[0] was loaded once and kept. No error, no warning, no fault.",
  loads = counted(trusting.counters.global_load_requests, "load"), twice = careful.counters.global_load_requests,
}

show(trusting, { at = { kind = "store", nth = 2 }, ptx = true })
explain {
  title = "What it believed",
  [[
  `__restrict__` *promises* that what is stored through one pointer is not read through the other.

  Then the second line needs no load of its own. The compiler cannot check it, the machine does not, and the result is {verdict}.
  ]],
  verdict = trusting.verdict,
}

local slowly = broken("restrict", "written")
predict {
  id = "written", title = "A permission",
  [[The same code with the promise, compiled without any optimization.]],
  ask = "What does the array begin with?", kind = "choice",
  options = { two(careful), two(trusting), "{10, 11}" }, answer = two(slowly),
  wrong = { [two(trusting)] = "Who keeps in[0], if nobody optimizes?", ["{10, 11}"] = "out[0] is written, and first." },
  because = "{answer}: the word allows, it does not order. So a bug of this kind comes and goes with the options of a compiler.",
  show = { run = slowly, at = { kind = "store", nth = 2 } },
}

local harmless, shifts = {}, { "the same word", "one word further", "two words further" }
for i, words in ipairs(shifts) do
  if broken("restrict", "compiled", i - 1).verdict == "right" then
    harmless[#harmless + 1] = words
  end
end
predict {
  id = "harmless", title = "Overlap", kind = "several",
  [[
  With the promise, and optimized. `out` may point to the same word as `in`, or further on. Only `in[0]` is read,
  `out[0]` and `out[1]` are written.
  ]],
  ask = "For which is the result right?", options = shifts, answer = harmless,
  wrong = {
    ["the same word"] = "The first store changes in[0].",
    ["one word further"] = "in[0] stays as it is: it is neither out[0] nor out[1].",
    ["two words further"] = "in[0] stays as it is.",
  },
  tips = { "Is a word that is read also written?" },
  because = "The promise is about words that are used, not about arrays.",
}

-- 2. C in memory, C in a register ------------------------------------------------------------------------

local CUBE = { Ay = 32, Ax = 32, Bx = 32 }
local function compiled(kernel, form, params)
  return measure { kernel = kernel, form = form, cut = "compiled", params = params or CUBE }
end
local in_memory, kept, own = compiled "gpumult0", compiled "gpumult1", compiled("gpumult1", "local")
local warps = in_memory.blocks * in_memory.warps
local STEP = { line = "C[ty * Bx + tx] += a * b", kind = "store", block = 0, warp = 0 }

show(in_memory, { at = STEP, margin = "executions" })
say {
  title = "C in memory",
  [[
  `gpumult0` adds up in `C` itself. Could C be a part of A? The compiler cannot know: somebody may call it so.

  So after each step the sum has to be stored, for the next load may want it.
  ]],
}

local stores = in_memory.counters.global_store_requests
predict {
  id = "stores", title = "Count the stores",
  [[A and B have {n} x {n} elements, and {warps} warps have {n} steps each. Before its loop a thread stores a zero.]],
  n = CUBE.Ax, warps = warps,
  ask = "How many stores of warps are that?", unit = "requests", answer = stores,
  wrong = {
    [warps] = "One each at the end: if only it could be known.", [warps * CUBE.Ax] = "And the zeros?",
    [in_memory.counters.global_load_requests] = "Those are loads, of A and of B.",
    [stores * LANES] = "That is stores of threads.",
  },
  tips = { "One warp: a zero, then one store for each step." },
  because = "{warps} x (1 + {n}).",
  show = { run = in_memory, at = STEP, margin = "executions" },
}

predict {
  id = "promised", title = "With the promise",
  [[`gpumult1` is the same, with `__restrict__` on all three pointers. The compiler may keep the sum in a register.]],
  ask = "How many stores now?", unit = "requests", answer = kept.counters.global_store_requests,
  wrong = {
    [warps] = "The zero is still stored, before the loop.", [stores] = "Nobody else reads C now. So why store each step?",
  },
  tips = { "Which stores does the source have outside of the loop, and when can the sum leave its register?" },
  because = "A zero and a sum for each warp. Sectors stored: {sectors} in place of {before}. Loads are {loads} in both.",
  sectors = commas(kept.counters.global_store_sectors), before = commas(in_memory.counters.global_store_sectors),
  loads = commas(kept.counters.global_load_requests),
  show = { run = kept, at = { kind = "store", block = 0, warp = 0, nth = 2 }, margin = "executions" },
}

local promised_written = measure { kernel = "gpumult1", cut = "written", params = CUBE }
predict {
  id = "unoptimized", title = "Without the optimizer",
  [[`gpumult1` again, compiled with no optimization.]],
  ask = "How many stores?", unit = "requests", answer = promised_written.counters.global_store_requests,
  wrong = { [kept.counters.global_store_requests] = "Somebody has to use the permission." },
  because = "As many as without the word.",
  show = { run = promised_written, at = { kind = "store", block = 0, warp = 0, nth = 2 }, margin = "executions" },
}

show(in_memory, { at = "start" })
make {
  id = "own", title = "Without any promise",
  [[Plain pointers. Write it so that each warp stores once, however it is compiled.]],
  kernel = "gpumult0", cut = "written", from = "  C[ty * Bx + tx] = 0.0f;", to = "  }",
  starter = [[
  C[ty * Bx + tx] = 0.0f;
  for (int k = 0; k < Ax; k++) {
    C[ty * Bx + tx] += A[ty * Ax + k] * B[k * Bx + tx];
  }]],
  solution = [[
  float c = 0.0f;
  for (int k = 0; k < Ax; k++) {
    c += A[ty * Ax + k] * B[k * Bx + tx];
  }
  C[ty * Bx + tx] = c;
  ]],
  others = {
    { "in memory", [[
  C[ty * Bx + tx] = 0.0f;
  for (int k = 0; k < Ax; k++) {
    C[ty * Bx + tx] += A[ty * Ax + k] * B[k * Bx + tx];
  }]], says = "Where can a thread keep a number that nobody else wants?" },
    { "stored each time", [[
  float c = 0.0f;
  for (int k = 0; k < Ax; k++) {
    c += A[ty * Ax + k] * B[k * Bx + tx];
    C[ty * Bx + tx] = c;
  }]], says = "The store belongs behind the loop." },
    { "added at the end", [[
  float c = 0.0f;
  C[ty * Bx + tx] = 0.0f;
  for (int k = 0; k < Ax; k++) {
    c += A[ty * Ax + k] * B[k * Bx + tx];
  }
  C[ty * Bx + tx] += c;]], says = "That is right, but it stores a zero first, and loads it again." },
    { "never zero", [[
  float c;
  for (int k = 0; k < Ax; k++) {
    c = A[ty * Ax + k] * B[k * Bx + tx];
  }
  C[ty * Bx + tx] = c;]], says = "That keeps the last product alone." },
  },
  runs = { CUBE, { Ay = 9, Ax = 5, Bx = 40 } },
  judged = function(run, p)
    local least = p.Ay * cdiv(p.Bx, LANES)
    local made = run.counters.global_store_requests
    return made == least, string.format("%s of warps; %d are needed", counted(made, "store"), least)
  end,
  tips = { "A variable of the thread's own." },
  because = "Nobody can point to a variable of your own. What you can say in code, say in code; promise only the rest.",
}

show(own, { at = { kind = "store", block = 0, warp = 0 }, margin = "executions" })
explain {
  title = "What it is worth",
  [[
  Added up in C, with the promise, in a variable: {stores}, {kept}, {own} stores, and {a}, {b}, {c} instructions.

  The lecture's card took {slow} ms without the word and {fast} with it. On its host the word made it {host} times as
  fast. C has had it since C99, as `restrict`; in C++ it is an extension.
  ]],
  stores = commas(stores), kept = kept.counters.global_store_requests, own = own.counters.global_store_requests,
  a = commas(in_memory.counters.warp_instructions), b = commas(kept.counters.warp_instructions),
  c = commas(own.counters.warp_instructions), slow = string.format("%.3f", MS.added_up), fast = string.format("%.3f", MS.promised),
  host = string.format("%.2f", MS.host / MS.host_promised),
}

-- 3. which width ------------------------------------------------------------------------------------------

local OBLONG = { Ay = 2, Ax = 3, Bx = 2 }
local slip = measure { kernel = "gpumult0", form = "lecture", params = OBLONG }
show(slip, { at = "start" })
predict {
  id = "factor", title = "Which factor?", kind = "line",
  [[As it is printed. A is {ay} x {ax}, B is {ax} x {bx}; row 0 of C comes out right, and row 1 is {verdict}.]],
  ay = OBLONG.Ay, ax = OBLONG.Ax, bx = OBLONG.Bx, verdict = slip.verdict,
  ask = "Go to the line.", answer = "float a = A[ty * Bx + k]",
  wrong = {
    ["float b = B"] = "Rows of B have Bx elements: that is right.",
    ["if (ty >= Ay"] = "It sends threads away that have no element of C.",
    ["k < Ax"] = "A row of A has Ax elements.",
    ["C[ty * Bx + tx]"] = "C is as wide as B: that is right.",
  },
  tips = { "Where does row 1 of A begin?" },
  because = "Row ty of A begins at ty * Ax. With ty = 0 no factor matters.",
}

local function printed(params)
  return measure { kernel = "gpumult0", form = "lecture", params = params }
end
show(slip, { at = { line = "float a = A", kind = "load", block = 0, warp = 1 }, focus = "segments" })
local same_width = printed { Ay = 7, Ax = 5, Bx = 5 }.verdict == "right"
predict {
  id = "shapes", title = "The test was square",
  [[`A[ty * Bx + k]`, where it should be Ax.]],
  ask = "For which shapes is it right all the same?", kind = "choice",
  options = { "square ones only", "Ax = Bx", "none" }, answer = same_width and "Ax = Bx" or "square ones only",
  wrong = {
    ["square ones only"] = "Does Ay stand in the index?", ["none"] = "When are the two widths the same number?",
  },
  because = "A test with squares never tells. Test with three different numbers.",
}

local WIDE = { Ay = 40, Ax = 24, Bx = 48 }
local outside = printed(WIDE)
local first_row = 0
while first_row * WIDE.Bx + WIDE.Ax <= WIDE.Ay * WIDE.Ax do
  first_row = first_row + 1
end
predict {
  id = "outside", title = "Past the end",
  [[Now A is {ay} x {ax} and B {ax} x {bx}: A has {n} elements, and row ty is looked for at ty * {bx}.]],
  ay = WIDE.Ay, ax = WIDE.Ax, bx = WIDE.Bx, n = WIDE.Ay * WIDE.Ax,
  ask = "Which is the first row that reads past the end of A?", unit = "", answer = first_row,
  wrong = {
    [WIDE.Ay] = "Rows are numbered from 0, and half of them are already too far.",
    [first_row - 1] = "That one still ends inside.", [first_row + 1] = "One earlier: count from 0.",
  },
  tips = { "For which ty is ty * {bx} no longer below {n}?" },
  because = "{answer} x {bx} = {n}: the first place that is not there. A fault is told, `{fault}`.",
  fault = outside.faults[1].kind,
  show = { run = outside, at = { kind = "fault" } },
}

modify {
  id = "lambda", title = "One function for all",
  [[`gpumult2` has a small function for the place of element (i, j). The lecture's takes the width of B for all three matrices.]],
  kernel = "gpumult2", line = "float a = A[idx(ty, k, Ax)]", blank = "    float a = A[idx(ty, k, ____)];", fill = "Ax",
  runs = { { Ay = 2, Ax = 3, Bx = 2 }, { Ay = 9, Ax = 5, Bx = 12 } },
  wrong = {
    ["Bx"] = "So long are rows of B and of C.", ["Ay"] = "That is how many rows A has.",
  },
  offered = { "tx" },
  tips = { "How many elements has a row of A?" },
  because = "Three matrices, two widths. The compiler makes the same code of it as without the function.",
}

-- 4. unrolled -----------------------------------------------------------------------------------------------

local function unrolled(inner)
  return compiled("gputiled1", nil, { Ay = 64, Ax = 64, Bx = 64, inner = inner })
end
local one, four, sixteen = unrolled(1), unrolled(4), unrolled(16)
local INNER = { line = "csum += Atile[ty][k]", kind = "load", space = "shared", block = 0, warp = 0 }

show(one, { at = INNER, margin = "executions" })
predict {
  id = "branches", title = "Written out",
  [[
  Tiles of 16: the inner loop has 16 rounds. As a loop the kernel makes {branches} branches. Now the compiler writes all 16 rounds
  one after the other.
  ]],
  branches = commas(one.counters.branches),
  ask = "How many branches are left?", kind = "choice",
  options = { "0", commas(sixteen.counters.branches), commas(one.counters.branches // 2) },
  answer = commas(sixteen.counters.branches),
  wrong = {
    ["0"] = "The loop over the tiles is still there, and so are the tests.",
    [commas(one.counters.branches // 2)] = "Half of them would go if two rounds were written as one.",
  },
  because = "A branch a round is gone. Those of the outer loop and of the tests stay.",
  show = { run = sixteen, at = INNER, margin = "executions" },
}

predict {
  id = "left", title = "What goes, what stays", kind = "several",
  [[The same kernel, with the loop and written out. Each of these is counted in both.]],
  ask = "Of which are there fewer when it is written out?",
  options = { "branches", "additions to k", "loads from shared memory", "multiply-adds" },
  answer = sixteen.counters.shared_load_instructions == one.counters.shared_load_instructions and { "branches", "additions to k" }
    or { "branches", "additions to k", "loads from shared memory" },
  wrong = {
    ["loads from shared memory"] = "All 16 pairs are still needed.", ["multiply-adds"] = "A sum has as many terms as before.",
    ["branches"] = "No loop, no jump back.", ["additions to k"] = "Each round has its k written in.",
  },
  because = "The work stays, its wrapping goes. What a round loads early needs registers until it is used.",
}

local function row(inner, run)
  return string.format("%6d %13s %9s %8s", inner, commas(run.counters.warp_instructions), commas(run.counters.branches),
    commas(run.counters.shared_load_instructions))
end
explain {
  title = "How much goes",
  [[
  Rounds written out, and what is left:

      rounds  instructions  branches    loads
      {a}
      {b}
      {c}

  The lecture unrolls the loop over the tiles and gains {gain} Gflop/s. The inner loop it tried in vain: its length is known, so
  the compiler had written it out already.
  ]],
  a = row(1, one), b = row(4, four), c = row(16, sixteen),
  gain = string.format("%.0f", RATE.unrolled - RATE.tiles),
}

run { kernel = "gputiled1", cut = "compiled", params = { Ay = 64, Ax = 64, Bx = 64, inner = 1 }, at = INNER, margin = "executions" }
try {
  id = "unroll", title = "Your turn: half of it",
  [[With the loops as they are there are {n} instructions. Press `p`, change `inner` or `outer`.]],
  n = commas(one.counters.warp_instructions),
  goal = "The same product with at most {most} instructions.", most = commas(one.counters.warp_instructions * 6 // 10),
  params = { "inner", "outer" }, solution = { inner = 16 },
  tips = { "Which loop has more rounds in all?" },
  reached = function(r)
    local made = r.counters.warp_instructions
    return made <= one.counters.warp_instructions * 6 // 10 and r.verdict == "right", commas(made) .. " instructions"
  end,
}

-- 5. rows and columns -----------------------------------------------------------------------------------------

-- C = op(A) * op(B) as BLAS counts, column by column; lists from 1.
local function gemm(ta, tb, m, n, k, a, lda, b, ldb)
  local function element(op, matrix, ld, i, j)
    return op == "N" and matrix[i + j * ld + 1] or matrix[j + i * ld + 1]
  end
  local c = {}
  for j = 0, n - 1 do
    for i = 0, m - 1 do
      local sum = 0
      for t = 0, k - 1 do
        sum = sum + element(ta, a, lda, i, t) * element(tb, b, ldb, t, j)
      end
      c[#c + 1] = sum
    end
  end
  return table.concat(c, " ")
end

hide()
say {
  title = "Which way round?",
  [[
  Six numbers lie in memory:  0 1 2 3 4 5.

      as 2 rows of 3:      as 3 x 2, by columns:
          0 1 2                  0 3
          3 4 5                  1 4
                                 2 5

  The same bytes: read by columns they are the transpose. The language C counts by rows, BLAS, a library of 1979, by
  columns.
  ]],
}

predict {
  id = "place", title = "Column by column",
  [[A matrix has {rows} rows and {columns} columns, and lies column by column.]], rows = 5, columns = 7,
  ask = "At which place, from 0, is the element in row {i}, column {j}?", i = 1, j = 3, unit = "", answer = 1 + 3 * 5,
  wrong = { [1 * 7 + 3] = "That is row by row.", [1 + 3 * 7] = "A column has 5 elements.", [1 + 3 * 5 + 1] = "Count from 0." },
  tips = { "Three whole columns come before it." },
  because = "i + j * ld, where ld is the step from one column to the next, the *leading dimension*: here {rows}.",
}

local A, B = { 1, 2, 3, 4 }, { 5, 6, 7, 8 }
local product, swapped = gemm("N", "N", 2, 2, 2, B, 2, A, 2), gemm("N", "N", 2, 2, 2, A, 2, B, 2)
local turned = gemm("T", "T", 2, 2, 2, A, 2, B, 2)
predict {
  id = "whose", title = "The library does not know",
  [[
  `sgemm(N, N, m, n, k, A, lda, B, ldb, C, ldc)` of BLAS makes C, m x n, of sums of k terms, all by columns. `N` takes a
  factor as it is, `T` turned.

  A is {a}, B is {b}, 2 x 2 and row by row. A program calls `sgemm(N, N, 2, 2, 2, A, 2, B, 2, C, 2)` and reads C row by row.
  ]],
  a = table.concat(A, " "), b = table.concat(B, " "),
  ask = "What does it read?", kind = "choice",
  options = { product .. ", which is A B", swapped .. ", which is B A", turned .. ", A B turned" },
  answer = swapped .. ", which is B A",
  wrong = {
    [product .. ", which is A B"] = "To the library these are columns.",
    [turned .. ", A B turned"] = "So it is with T and T. Here it saw both turned, and the result is read turned, too.",
  },
  tips = { "It sees A and B turned, A' and B', and makes A' B'. What is that, turned?" },
  because = "It sees A and B turned: A' and B'. A' B' is (B A)', and read by rows (B A)' is B A.",
}

local call = measure { kernel = "sgemm_call", form = "swapped" }
local TERM = { line = "return op == N", kind = "load", block = 0, warp = 0 }
show(call, { at = TERM, focus = "segments" })
explain {
  title = "So ask for the other",
  [[
  Give it B first and A second: C comes out as A B, row by row. This `sgemm` is ours, with the arguments of BLAS but for its two
  factors, alpha and beta.

  The lecture turns both inputs, gets C by columns, and turns that by a second call.
  ]],
}

modify {
  id = "swapped", title = "B first",
  [[A is `Arow` x `Acol`, B is `Acol` x `Bcol`, both row by row, and C is to lie row by row.]],
  kernel = "sgemm_call", form = "swapped", line = "sgemm(N, N, Bcol, Arow, Acol,", blank = "  sgemm(N, N, ____, Acol,",
  fill = "Bcol, Arow", runs = { {}, { Arow = 5, Acol = 2, Bcol = 3 } },
  wrong = {
    ["Arow, Bcol"] = "So many rows and columns has C. Here C' is made.",
    ["Acol, Arow"] = "Acol is how many terms a sum has.",
  },
  offered = { "Bcol, Acol" },
  tips = { "m and n are rows and columns of what the library sees: C'." },
  because = "C' has Bcol rows and Arow columns.",
}

show(measure { kernel = "sgemm_call" }, { at = TERM, focus = "segments" })
make {
  id = "arguments", title = "Both turned",
  [[Now as in the lecture: both inputs are taken as turned, `T`, and C comes out column by column. Mend the call.]],
  kernel = "sgemm_call", from = "  sgemm(T, T, Arow, Bcol, Acol,", to = "        A, Acol, B, Bcol, C, Arow);",
  starter = [[
  sgemm(T, T, Arow, Bcol, Arow,
        A, Arow, B, Acol, C, Arow);]],
  solution = [[
  sgemm(T, T, Arow, Bcol, Acol,
        A, Acol, B, Bcol, C, Arow);
  ]],
  others = {
    { "as printed", [[
  sgemm(T, T, Arow, Bcol, Arow,
        A, Acol, B, Bcol, C, Arow);]], says = "k is how many terms a sum has: the side that A and B share." },
    { "rows for steps", [[
  sgemm(T, T, Arow, Bcol, Acol,
        A, Arow, B, Acol, C, Arow);]], says = "The step from row to row of A is how long a row is." },
    { "C row by row", [[
  sgemm(T, T, Arow, Bcol, Acol,
        A, Acol, B, Bcol, C, Bcol);]], says = "C comes by columns. How long is one?" },
  },
  runs = { {}, { Arow = 5, Acol = 2, Bcol = 3 } },
  tips = { "m, n, k: rows of C, columns of C, terms of a sum.", "Each step: how far is it to the next row of a matrix that lies by rows?" },
  because = "k is Acol. The lecture has Arow there, which is right for squares.",
}

hide()
predict {
  id = "corner", title = "A corner",
  [[A is the upper left {rows} x {columns} corner of a {n} x {n} matrix that lies row by row. It is passed as turned.]],
  rows = 2, columns = 3, n = 10,
  ask = "What is its leading dimension?", unit = "", answer = 10,
  wrong = {
    [3] = "How far is it from one row to the next?", [2] = "That is how many rows it has.",
    [100] = "So many elements has the whole matrix. How far is it to the next row?",
  },
  because = "{n}: the step from row to row is that of the whole matrix. So a part needs no copy.",
}

local refused = measure { kernel = "sgemm_geam", form = "lecture" }
predict {
  id = "refused", title = "The second call",
  [[
  C has {rows} rows and {columns} columns. D is to be C turned, and the lecture's second call says m = {rows}, n = {columns}. Those are
  rows and columns of C, not of D.
  ]],
  rows = 2, columns = 4,
  ask = "What is in D?", kind = "choice",
  options = { "C turned", "C turned, with wrong numbers", "nothing: the call is refused" },
  answer = refused:result "D"[0] == 0 and "nothing: the call is refused" or "C turned",
  wrong = {
    ["C turned"] = "Rows and columns of which matrix does the library ask for?",
    ["C turned, with wrong numbers"] = "A step shorter than a column cannot be. That it does check.",
  },
  tips = { "m rows with a step of less than m?" },
  because = "Its steps do not fit. That is all that a library can check; shapes that fit and are wrong it takes.",
}

explain {
  title = "What a library is worth",
  [[
  The lecture's rates, in billion operations a second: {a} added up in memory, {t} with tiles, {u} unrolled, {l} by the library.

  The library is {times} times as fast as the best kernel so far; the lecture says six times and more. For small matrices own
  kernels come nearer.
  ]],
  a = rate "added_up", t = rate "tiles", u = rate "unrolled", l = rate "library",
  times = string.format("%.1f", RATE.library / RATE.unrolled),
}

-- 6. a warp that multiplies -------------------------------------------------------------------------------------

local ker = measure { kernel = "wmma_ker", cut = "compiled" }
local by_tiles = compiled("matmul_tiled", nil, { Width = 16 })
local fragment = model { "fragment", params = { instruction = "wmma m16n16k16 f16" } }

-- The loads, and what they call in, lie in mma.h. Behind the second load comes the product.
local A_LOAD, B_LOAD = { kind = "load", nth = 1 }, { kind = "load", nth = 2 }
picture { "fragment", params = { instruction = "wmma m16n16k16 f16", lane = 5, matrix = "C" } }
say {
  title = "A warp that multiplies",
  [[
  One instruction of a whole warp multiplies 16 x 16 by 16 x 16, on *tensor cores*. The factors are halves, floats of 16 bits, and
  sums are floats. Each lane holds a *fragment*: {each} of the 16 x 16 = 256 sums.
  ]],
  each = fragment.c_per_lane,
}

show(ker, { at = ker:find(B_LOAD) + 1, focus = "divergence" })
predict {
  id = "instructions", title = "How many instructions?",
  [[With tiles in shared memory a product of this size takes {n} instructions of warps.]],
  n = commas(by_tiles.counters.warp_instructions),
  ask = "And here, all together?", kind = "choice",
  options = { commas(ker.counters.warp_instructions), commas(by_tiles.counters.warp_instructions // 10),
              commas(by_tiles.counters.warp_instructions) },
  answer = commas(ker.counters.warp_instructions),
  wrong = {
    [commas(by_tiles.counters.warp_instructions // 10)] = "No lane goes through its terms one by one.",
    [commas(by_tiles.counters.warp_instructions)] = "One instruction makes all {products} multiply-adds.",
  },
  products = commas(fragment.products),
  tips = { "A few loads, one product, a few stores." },
  because = "{answer}, and one of them makes {products} multiply-adds.",
}

picture { "fragment", params = { instruction = "mma m16n8k16 f16", lane = 0, matrix = "C" } }
try {
  id = "holder", title = "Your turn: who holds it?",
  [[Of `mma` it is said which lane holds what. Left and Right change `lane`.]],
  goal = "The lane that holds row 3, column 5 of the sums.", params = { "lane" }, solution = { lane = 14 },
  tips = { "A row has four lanes, with two neighbors each." },
  reached = function(now)
    return (" " .. now.c_places .. " "):find(" 3,5 ", 1, true) ~= nil, now.c_places
  end,
}

local rows = measure { kernel = "wmma_ker", form = "rows", cut = "compiled" }
local by_columns, by_rows = ker:output "c"[0], rows:output "c"[0]
show(ker, { at = A_LOAD, focus = "segments" })
predict {
  id = "layout", title = "Which way round, again",
  [[
  a[i] is i % 4, b[i] is i % 3. The kernel says `col_major` for A, and C[0][0] is {first}. Now only this word becomes `row_major`.
  ]],
  first = string.format("%g", by_columns),
  ask = "What is C[0][0] then?", kind = "choice",
  options = { string.format("%g", by_columns), string.format("%g", by_rows), "there is a fault" },
  answer = string.format("%g", by_rows),
  wrong = {
    [string.format("%g", by_columns)] = "Row 0 of A now is a[0], a[1], a[2] and so on: 0 1 2 3 0 1 2 3.",
    ["there is a fault"] = "Any halves are a matrix, if there are enough.",
  },
  tips = { "By columns row 0 of A is a[0], a[16], a[32]: all 0. And by rows?" },
  because = "The same bytes, another frame. The layout is a promise, and the result is {verdict}.", verdict = rows.verdict,
  show = { run = rows, at = A_LOAD, focus = "segments" },
}

local whole, refilled = compiled("wmma_tiles", nil, { N = 32 }), compiled("wmma_tiles", "refill", { N = 32 })
show(whole, { at = "start" })
parsons {
  id = "loop", title = "A larger product",
  [[A warp for each tile of C, and k goes along the inner side. Put the lines in order; one belongs nowhere.]],
  kernel = "wmma_tiles", cut = "compiled", from = "  wmma::fill_fragment(c, 0.0f);", to = "    wmma::mma_sync(c, a, b, c);",
  spare = { "    wmma::fill_fragment(c, 0.0f);" }, runs = { { N = 32 } },
  others = {
    { "filled each time", [[
  #pragma unroll 1
  for (int k = 0; k < N; k += 16) {
    wmma::fill_fragment(c, 0.0f);
    wmma::load_matrix_sync(a, &A[row * N + k], N);
    wmma::load_matrix_sync(b, &B[k * N + col], N);
    wmma::mma_sync(c, a, b, c);]], says = "What must survive from one k to the next?" },
  },
  tips = { "The sums of one tile live as long as the loop." },
  because = "c is filled once. Filled in the loop, the first half of each sum is forgotten: {verdict}.", verdict = refilled.verdict,
}

local narrow = compiled("wmma_tiles", "ld16", { N = 32 })
show(whole, { at = "start" })
predict {
  id = "step", title = "The step between rows",
  [[`load_matrix_sync(a, address, ld)` gets 16 for ld. The matrices are 32 x 32.]],
  ask = "What comes of it?", kind = "choice",
  options = { "a fault", "a wrong result, and nothing is told", "the right result" },
  answer = #narrow.faults == 0 and narrow.verdict == "wrong" and "a wrong result, and nothing is told" or "a fault",
  wrong = {
    ["a fault"] = "All these places are inside of the matrix.",
    ["the right result"] = "Row 1 of a tile would then be looked for in the middle of row 0.",
  },
  because = "A leading dimension again: from row to row it is 32.",
  show = { run = narrow, at = A_LOAD, focus = "segments" },
}

-- A number as a half of 11 significant bits, to the nearest, ties to even.
local function half(x)
  local step = 2.0 ^ (math.floor(math.log(x, 2)) - 10)
  local down = x // step * step
  local rest = (x - down) / step
  local up = rest > 0.5 or rest == 0.5 and (down / step) % 2 == 1
  return up and down + step or down
end

hide()
predict {
  id = "half", title = "What a half forgets",
  [[
  A half has 11 bits for its digits. Up to {n} every whole number is a half. What lies just between two halves becomes
  the one whose last bit is 0.
  ]],
  n = 1 << 11,
  ask = "What is {asked} as a half?", asked = (1 << 11) + 1, unit = "", answer = half((1 << 11) + 1) // 1 | 0,
  wrong = {
    [(1 << 11) + 1] = "It needs one bit more.",
    [(1 << 11) + 2] = "The last bit of this half is 1, that of the one below is 0.",
    [0] = "Only its last bit is lost.",
  },
  tips = { "Above {n} only every second number is there." },
  because = "{answer}. And 0.1 is {tenth}, so a product of such numbers has three good digits. Sums are floats and lose little more.",
  tenth = string.format("%.7f", half(0.1)),
}

-- 7. adding the other way round ------------------------------------------------------------------------------------

local up = measure { kernel = "hostmult" }
local down = measure { kernel = "hostmult", params = { order = "down" } }
local function differing()
  local a, b, count = up:result "C", down:result "C", 0
  for i = 0, #a - 1 do
    count = count + (a[i] ~= b[i] and 1 or 0)
  end
  return count, #a
end
local different, elements = differing()
predict {
  id = "order", title = "Does the order matter?",
  [[The host multiplies two matrices, once with k going up and once with k going down. The terms are the same.]],
  ask = "Are the results the same, to the last bit?", kind = "choice",
  options = { "all of them", "some of them", "none of them" },
  answer = different == 0 and "all of them" or different < elements and "some of them" or "none of them",
  wrong = {
    ["all of them"] = "a + b is b + a. But (a + b) + c is rounded in another place than a + (b + c).",
    ["none of them"] = "Many roundings come out alike.",
  },
  because = "{n} of {all} differ in their last digits. So own kernel and library are compared with a tolerance.",
  n = commas(different), all = commas(elements),
}

-- 8. to keep ---------------------------------------------------------------------------------------------------------

explain {
  title = "Four steps",
  [[
  From {a} to {t} billion operations a second, by the lecture's numbers: a promise about pointers, a fixed number of rounds,
  a library with its layout, tensor cores with halves.

  Its switch for tensor cores is out of date; today a call says in which type it may compute.
  ]],
  a = rate "added_up", t = rate "tensor",
}

rubric {
  id = "promises", title = "The list of promises",
  ask = "Take one of the four steps. What is promised, what breaks, and who would notice a lie?",
  model = [[restrict: no word stored through one pointer is read through another; the result changes, and nobody tells. The
library: my rows are your columns, and these are the steps between them; only steps that cannot be are refused. Tensor cores: all
32 lanes come, the layout is as said, halves are precise enough. Unrolling promises nothing; it costs registers.]],
  points = { "what is promised", "what breaks if it is not true", "who checks it: mostly nobody",
             "a test that would tell, such as an oblong one" },
}

check { draw = 5 }

recite {
  title = "From memory", ask = "What is to be kept of promises? One line each.",
  [[
  - A local variable needs no promise.
  - `__restrict__` is believed, not checked.
  - Test with three different sides.
  - Unrolling takes branches, not loads.
  - By rows and by columns: the same bytes, turned.
  - k is the side that A and B share.
  - All lanes of the warp, and halves.
  ]],
}

finish {
  title = "Promises: what to keep",
  [[
  Each step is bought with a promise, and nobody checks one of them. Say it in code before you promise; test with oblong matrices;
  try a library first.

  Next: one sum by a thousand threads.
  ]],
  next = "L14",
}
