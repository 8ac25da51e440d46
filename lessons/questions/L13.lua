-- Questions drawn for L13, Matrix multiply II.

local LANES = 32

local function commas(n)
  local text = string.format("%d", n):reverse():gsub("(%d%d%d)", "%1,"):reverse()
  return (text:gsub("^,", ""))
end

local function compiled(kernel, form, params)
  return measure { kernel = kernel, form = form, cut = "compiled", params = params }
end

-- ---- stores -------------------------------------------------------------------------------------------------------

local function shape(d)
  return { Ay = d.integer(2, 12), Ax = d.integer(3, 20), Bx = LANES * d.integer(1, 2) }
end

local function stores_in_memory(d)
  local p = shape(d)
  local run = compiled("gpumult0", nil, p)
  local warps = p.Ay * p.Bx // LANES
  return {
    [[C = A B is added up in C itself, after a zero is stored there; pointers may overlap. A is {ay} x {ax}, B is {ax} x {bx}, and a
    warp has 32 elements of a row of C.]], ay = p.Ay, ax = p.Ax, bx = p.Bx,
    ask = "How many stores of warps are made?", answer = run.counters.global_store_requests, unit = "stores",
    wrong = { [warps] = "The sum may not stay in a register.", [warps * p.Ax] = "And the zeros?", [2 * warps] = "So with restrict." },
    tips = { "{warps} warps. How often does each store?" }, warps = warps, because = "{warps} x (1 + {ax}).",
  }
end

local function stores_promised(d)
  local p, own = shape(d), d.chance(0.5)
  local run = compiled("gpumult1", own and "local" or "restrict", p)
  local warps = p.Ay * p.Bx // LANES
  return {
    [[A is {ay} x {ax}, B is {ax} x {bx}, a warp has 32 elements of a row of C. {how}, and the compiler optimizes.]],
    ay = p.Ay, ax = p.Ax, bx = p.Bx,
    how = own and "Each thread adds up in a variable and stores it at the end" or
      "C gets a zero, then is added up in place; all pointers have `__restrict__`",
    ask = "How many stores of warps are made?", answer = run.counters.global_store_requests, unit = "stores",
    wrong = { [warps * (1 + p.Ax)] = "That is without a promise, in memory.",
              [own and 2 * warps or warps] = own and "There is no zero to be stored." or "The zero is stored, too." },
    tips = { "{warps} warps." }, warps = warps,
    because = own and "One for each of {warps} warps." or "A zero and a sum for each of {warps} warps.",
  }
end

local function stores_written(d)
  local p = shape(d)
  local form = d.pick { "restrict", "local" }
  local run = measure { kernel = "gpumult1", form = form, cut = "written", params = p }
  local warps = p.Ay * p.Bx // LANES
  return {
    [[Nothing is optimized. C is {ay} x {bx}, sums have {ax} terms, a warp has 32 elements. {how}.]],
    ay = p.Ay, ax = p.Ax, bx = p.Bx,
    how = form == "local" and "Each thread adds up in a variable of its own" or
      "A zero is stored, then C is added up in place, with `__restrict__` on all pointers",
    ask = "How many stores of warps to global memory are made?", answer = run.counters.global_store_requests, unit = "stores",
    wrong = { [2 * warps] = "Who uses the permission, if nobody optimizes?",
              [form == "local" and warps * (1 + p.Ax) or warps] = form == "local" and "A variable is not in global memory."
                or "Here nobody keeps the sum in a register." },
    tips = { "Read the source as it stands." }, because = "{warps} warps, {each} each.", warps = warps,
    each = run.counters.global_store_requests // warps,
  }
end

-- ---- promises -----------------------------------------------------------------------------------------------------

local function broken_value(d)
  local shift, promised = d.pick { 0, 1, 2 }, d.chance(0.6)
  local cut = d.pick { "compiled", "written" }
  local run = measure { kernel = "restrict_broken", form = promised and "restrict" or "plain", cut = cut, params = { shift = shift } }
  local x = run:result "x"
  return {
    [[`out[0] = in[0] + 1; out[1] = in[0] + 1;` out is {where}. All words are 10. {promise}, {cut}.]],
    where = shift == 0 and "the same array as in" or "in, moved on by " .. counted(shift, "word"),
    promise = promised and "Both have `__restrict__`" or "There is no promise",
    cut = cut == "compiled" and "and the compiler optimizes" or "and nothing is optimized",
    ask = "What is `out[1]` afterwards?", answer = x[shift + 1], unit = "",
    wrong = { [10] = "It is written.", [x[shift + 1] == 12 and 11 or 12] = shift > 0 and "in[0] is not written here."
      or promised and cut == "compiled" and "in[0] may be kept." or "in[0] was changed by the line before." },
    tips = { "Is in[0] written, and is it loaded again?" },
    because = "in[0] was loaded {loads}.", loads = counted(run.counters.global_load_requests, "time"),
  }
end

local function loads_made(d)
  local promised, cut = d.chance(0.5), d.pick { "compiled", "written" }
  local run = measure { kernel = "restrict_broken", form = promised and "restrict" or "plain", cut = cut, params = { shift = 2 } }
  local n = run.counters.global_load_requests
  return {
    [[`out[0] = in[0] + 1; out[1] = in[0] + 1;` {promise}, {cut}.]],
    promise = promised and "Both pointers have `__restrict__`" or "The pointers have no promise",
    cut = cut == "compiled" and "and the compiler optimizes" or "and nothing is optimized",
    ask = "How often is in[0] loaded?", answer = n, unit = "times",
    wrong = { [3 - n] = promised and (cut == "compiled" and "It may be kept in a register." or "Somebody has to use the permission.")
      or "out[0] could be in[0]." },
    tips = { "Could the first store change in[0], as far as the compiler knows?" },
    because = n == 1 and "It is kept." or "It is loaded for each line.",
  }
end

local function who_tells(d)
  local lie = d.pick { { "`__restrict__`, and the two arrays overlap", "nobody" },
                       { "steps between columns that are shorter than a column, to a matrix library", "the library" },
                       { "A as Arow x Acol to a library that counts by columns, where it lies by rows", "nobody" },
                       { "row_major to a warp's matrix load, where columns follow one another", "nobody" } }
  return {
    [[A program promises {lie}.]], lie = lie[1],
    ask = "Who tells of it?", options = { "the compiler", "the library", "the machine", "nobody" }, answer = lie[2],
    wrong = { ["the compiler"] = "It sees one function, not who calls it with what.", ["the machine"] = "All addresses are legal.",
              ["the library"] = "Any bytes of the right number are a matrix.",
              ["nobody"] = "What cannot be is refused." },
    tips = { "Can it be seen from the numbers that are passed?" },
    because = "Only what cannot be is found. A test with oblong matrices helps.",
  }
end

-- ---- which width --------------------------------------------------------------------------------------------------

local function printed(d)
  local inner = d.integer(3, 9)
  local bx = d.pick { inner, inner - 1, inner + 2 }
  local ay = d.integer(3, 9)
  return { Ay = ay, Ax = inner, Bx = bx }
end

local function what_comes(d)
  local p = printed(d)
  local run = measure { kernel = "gpumult0", form = "lecture", params = p }
  local answer = #run.faults > 0 and "a read past the end of A" or run.verdict == "right" and "the right result" or "a wrong result"
  return {
    [[`a = A[ty * Bx + k]`, where it should be Ax. A is {ay} x {ax}, B is {ax} x {bx}.]], ay = p.Ay, ax = p.Ax, bx = p.Bx,
    ask = "What comes of it?", options = { "the right result", "a wrong result", "a read past the end of A" }, answer = answer,
    wrong = { ["the right result"] = "Ax and Bx are not the same.", ["a wrong result"] = "Compare Ax and Bx.",
              ["a read past the end of A"] = "The last row is looked for no further than A goes." },
    tips = { "Where is the last row looked for, and where does A end?" },
    because = "The last row is looked for at {at}, and A has {n} elements.", at = (p.Ay - 1) * p.Bx, n = p.Ay * p.Ax,
  }
end

local function first_past(d)
  local ay, ax, more = d.integer(4, 9), d.integer(4, 9), d.integer(1, 6)
  local bx = ax + more
  local row = 0
  while row * bx + ax <= ay * ax do
    row = row + 1
  end
  return {
    [[A is {ay} x {ax} and lies row by row. A kernel looks for row ty at `ty * {bx}`, and reads {ax} elements.]],
    ay = ay, ax = ax, bx = bx,
    ask = "Which is the first row, from 0, that reads past the end of A?", answer = row, unit = "",
    wrong = { [ay] = "So many rows has A. It goes wrong before.", [ay - 1] = row < ay - 1 and "Earlier: try the row before." or nil,
              [1] = row > 1 and "Row 1 is wrong already, but it is inside." or nil },
    tips = { "A has {n} elements. For which ty is ty * {bx} + {ax} more?" }, n = ay * ax,
    because = "{answer} x {bx} + {ax} is {end_}, more than {n}.", end_ = row * bx + ax,
  }
end

local function where_is(d)
  local ay, ax, bx = d.integer(4, 20), d.integer(4, 20), d.integer(4, 20)
  local of_a = d.chance(0.5)
  local i, j = d.integer(1, (of_a and ay or ax) - 1), d.integer(0, (of_a and ax or bx) - 1)
  local width = of_a and ax or bx
  return {
    [[A is {ay} x {ax}, B is {ax} x {bx}, both row by row.]], ay = ay, ax = ax, bx = bx,
    ask = "At which place, from 0, is element (" .. i .. ", " .. j .. ") of " .. (of_a and "A?" or "B?"), answer = i * width + j, unit = "",
    wrong = { [i * (of_a and bx or ay) + j] = width ~= (of_a and bx or ay) and "How long is a row of this matrix?" or nil,
              [i + j * (of_a and ay or ax)] = "That is column by column." },
    tips = { "How long is a row?" }, because = "{i} x {width} + {j}.", i = i, j = j, width = width,
  }
end

-- ---- unrolling ----------------------------------------------------------------------------------------------------

local function rounds_left(d)
  local u = d.pick { 2, 4, 8, 16 }
  local n = u * d.integer(2, 12)
  return {
    [[A loop of {n} rounds is unrolled by {u}.]], n = n, u = u,
    ask = "How often does it jump back or end, all in all?", answer = n // u, unit = "times",
    wrong = { [n] = "{u} rounds are one now.", [n // u - 1] = "Its end is a test, too.", [u] = "So many rounds are written out." },
    tips = { "How many rounds of {u} are {n}?" }, because = "{n} / {u}: one branch for each.",
  }
end

local function rest_of_rounds(d)
  local u = d.pick { 4, 8, 16 }
  local n = u * d.integer(1, 6) + d.integer(1, u - 1)
  return {
    [[A loop is unrolled by {u}. Only when it starts it is known that it has {n} rounds.]], n = n, u = u,
    ask = "How many rounds are left for a loop that is not unrolled?", answer = n % u, unit = "rounds",
    wrong = { [n // u] = "So often the unrolled one goes round.", [u - n % u] = "Those would be too many.",
              [0] = "Is {n} a multiple of {u}?" },
    tips = { "How many rounds of {u} fit into {n}?" }, because = "{n} % {u}.",
  }
end

local function what_changes(d)
  local inner = d.pick { 4, 16 }
  local what = d.pick { "branches", "loads from shared memory", "barriers", "instructions", "stores to global memory" }
  local name = ({ branches = "branches", ["loads from shared memory"] = "shared_load_instructions", barriers = "barriers",
                  instructions = "warp_instructions", ["stores to global memory"] = "global_store_requests" })[what]
  local size = { Ay = 32, Ax = 32, Bx = 32 }
  local before = compiled("gputiled1", nil, { Ay = size.Ay, Ax = size.Ax, Bx = size.Bx, inner = 1 }).counters[name]
  local after = compiled("gputiled1", nil, { Ay = size.Ay, Ax = size.Ax, Bx = size.Bx, inner = inner }).counters[name]
  return {
    [[A product by tiles of 16: the loop over a tile, of 16 rounds, is unrolled by {inner}.]], inner = inner,
    ask = "What becomes of the " .. what .. "?", options = { "fewer", "as many", "more" },
    answer = after < before and "fewer" or after == before and "as many" or "more",
    wrong = { ["fewer"] = "The work of a round is still to be done.", ["as many"] = "What does a loop need around its work?",
              ["more"] = "The same rounds, in another form." },
    tips = { "Is it work, or wrapping?" }, because = "{before} and {after}.", before = commas(before), after = commas(after),
  }
end

-- ---- rows and columns ---------------------------------------------------------------------------------------------

local function by_columns(d)
  local rows, columns = d.integer(3, 9), d.integer(3, 9)
  local i, j = d.integer(0, rows - 1), d.integer(1, columns - 1)
  return {
    [[A matrix of {rows} x {columns} lies column by column.]], rows = rows, columns = columns,
    ask = "At which place, from 0, is element (" .. i .. ", " .. j .. ")?", answer = i + j * rows, unit = "",
    wrong = { [i * columns + j] = "That is row by row.", [i + j * columns] = "How long is a column?",
              [i + j * rows + 1] = "Count from 0." },
    tips = { "{j} whole columns come before it." }, i = i, j = j, because = "{i} + {j} x {rows}.",
  }
end

local function leading(d)
  local n = d.integer(8, 60)
  local rows, columns = d.integer(2, 6), d.integer(2, 6)
  local by_rows = d.chance(0.5)
  return {
    [[A {rows} x {columns} piece of a matrix of {n} x {n}, which lies {how}, goes to a library{turned}.]],
    rows = rows, columns = columns, n = n, how = by_rows and "row by row" or "column by column",
    turned = by_rows and " as turned, T" or " as it is, N",
    ask = "What is its leading dimension?", answer = n, unit = "",
    wrong = { [rows] = "The piece is not packed.", [columns] = "The piece is not packed.", [n * n] = "One row or column further." },
    tips = { "How far is it to the next " .. (by_rows and "row" or "column") .. " of the piece?" },
    because = "The step is that of the whole matrix.",
  }
end

local function argument(d)
  local sides = d.shuffle { 2, 3, 4, 5, 6, 7, 8, 9 }
  local arow, acol, bcol = sides[1], sides[2], sides[3]
  local which = d.pick { "k", "lda", "ldb", "ldc", "m" }
  local answers = { k = acol, lda = acol, ldb = bcol, ldc = arow, m = arow }
  return {
    [[A is {arow} x {acol}, B is {acol} x {bcol}, both row by row. `sgemm(T, T, m, n, k, A, lda, B, ldb, C, ldc)` makes C column by
    column.]], arow = arow, acol = acol, bcol = bcol,
    ask = "What is `" .. which .. "`?", answer = answers[which], unit = "",
    wrong = d.except(answers[which], { [arow] = which == "k" and "The lecture has that. k is how many terms a sum has."
                or "Rows of A. Which step, which side is asked?",
              [acol] = "The side that A and B share. Is it asked for?", [bcol] = "Columns of C. Is it asked for?" }),
    tips = { "C is m x n, k is what A and B share; a step is how long a row of an input or a column of C is." },
    because = "m, n, k: {arow}, {bcol}, {acol}; steps {acol}, {bcol}, {arow}.",
  }
end

-- ---- warps that multiply ------------------------------------------------------------------------------------------

local function products_needed(d)
  local n = 16 * d.integer(2, 8)
  local tiles = n // 16
  return {
    [[Matrices of {n} x {n} are multiplied by warps, 16 x 16 x 16 at a time.]], n = n,
    ask = "How many such products are made, all together?", answer = tiles * tiles * tiles, unit = "products",
    wrong = { [tiles * tiles] = "So many tiles has C. Each is a sum.", [tiles] = "For one tile of C.",
              [n * n * n] = "Those are multiply-adds." },
    tips = { "{tiles} tiles on each side." }, tiles = tiles, because = "{tiles} x {tiles} tiles of C, {tiles} products each.",
  }
end

local function half(x)
  local step = 2.0 ^ (math.floor(math.log(x, 2)) - 10)
  local down = x // step * step
  local rest = (x - down) / step
  local up = rest > 0.5 or rest == 0.5 and (down / step) % 2 == 1
  return (up and down + step or down) // 1 | 0
end

local function as_half(d)
  local bits = d.integer(11, 13)
  local n = (1 << bits) + d.integer(1, (1 << bits) - 1)
  local step = 1 << (bits - 10)
  local between = n % step == step // 2
  local other = between and "Just between two: the other one has the even last digit." or "Is there one that is nearer?"
  return {
    [[A half has 11 bits for its digits, and is rounded to the nearest; between two, the one with the even last digit.]],
    ask = "What is " .. n .. " as a half?", answer = half(n), unit = "",
    wrong = { [n] = half(n) ~= n and "Here halves are {step} apart." or nil,
              [half(n) - step] = n < half(n) and other or "Is there one that is nearer?",
              [half(n) + step] = n > half(n) and other or "Is there one that is nearer?" },
    tips = { "From {from} on, halves are {step} apart." }, from = commas(1 << bits), step = step,
    because = between and string.format("It is just between %s and %s; {answer} is {step} times an even number.",
      commas(n - step // 2), commas(n + step // 2)) or "The nearest multiple of {step}.",
  }
end

local function first_element(d)
  local rows = d.chance(0.5)
  local run = measure { kernel = "wmma_ker", form = rows and "rows" or "right", cut = "compiled" }
  local i, j = d.integer(0, 3), d.integer(0, 2)
  local c = run:output "c"
  local answer = c[16 * i + j] // 1 | 0
  local other = measure({ kernel = "wmma_ker", form = rows and "right" or "rows", cut = "compiled" }):output "c"[16 * i + j] // 1 | 0
  local terms = {}
  for k = 0, 15 do
    local a = rows and (16 * i + k) % 4 or (16 * k + i) % 4
    terms[#terms + 1] = a
  end
  return {
    [[a[i] is i % 4, b[i] is i % 3, both 16 x 16. A is taken as {how}, B by rows. Column {j} of B is {column} and so on.]],
    how = rows and "`row_major`" or "`col_major`", j = j,
    column = (j % 3) .. ", " .. (j + 1) % 3 .. ", " .. (j + 2) % 3 .. ", " .. (j % 3),
    ask = "What is element (" .. i .. ", " .. j .. ") of the product?", answer = answer, unit = "",
    wrong = { [other] = "So it is with the other layout." },
    tips = { "Row " .. i .. " of A is " .. table.concat(terms, " ", 1, 4) .. " and so on. Column " .. j .. " of B has 16 terms." },
    because = rows and "The row of A repeats after 4." or "All of the row of A is the same.",
  }
end

return {
  skill { id = "stores", looks = { stores_in_memory, stores_promised, stores_written } },
  skill { id = "promise", looks = { broken_value, loads_made, who_tells } },
  skill { id = "width", looks = { what_comes, first_past, where_is } },
  skill { id = "unrolled", looks = { rounds_left, rest_of_rounds, what_changes } },
  skill { id = "layout", looks = { by_columns, leading, argument } },
  skill { id = "tensor", looks = { products_needed, as_half, first_element } },
}
