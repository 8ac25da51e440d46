return {
  name = "write_winner", id = "K80",
  title = "Which lane's store stays?",
  about = "Lanes store to one word in one instruction. Each word has one of their "
    .. "numbers at the end, whole, but which one is not defined: no rule says the "
    .. "last lane. Who needs to know takes atomicMax.",
  topic = "atomics",
  lessons = { "L16" },
  source = "write_winner.cu",
  kernel = "write_winner",
  params = {
    { name = "words", default = 4, min = 1, max = 1024, scale = "log2",
      help = "words that the lanes share" },
    { name = "threads", default = 32, min = 1, max = 1024, help = "threads of a block" },
    { name = "blocks", default = 1, min = 1, max = 64, help = "blocks of the grid" },
  },
  forms = {
    { name = "race", title = "who stores last is not said",
      expect = { faults = { "race" }, line = "winner[i % words] = i",
        unless = function(p) return p.threads * p.blocks <= p.words end } },
  },

  launch = function(p)
    return {
      grid = { p.blocks, 1, 1 }, block = { p.threads, 1, 1 }, shared = 0,
      args = {
        { name = "winner", type = "i32", count = p.words, init = "const:-1" },
        { name = "words", type = "i32", value = p.words },
      },
    }
  end,

  -- Any lane of a word may have won it, but one of them did.
  check = function(p, run)
    local winner = run.output("winner")
    for w = 0, p.words - 1 do
      local empty = w >= p.threads * p.blocks
      local own = winner[w] >= 0 and winner[w] < p.threads * p.blocks and winner[w] % p.words == w
      if empty and winner[w] ~= -1 or not empty and not own then
        return false, "winner[" .. w .. "] is " .. winner[w] .. ", and no such lane stores there"
      end
    end
    return true
  end,
}
