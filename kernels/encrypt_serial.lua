return {
  name = "encrypt_serial", id = "K01",
  title = "Caesar cipher, one thread",
  about = "One thread shifts letter after letter: one lane of 32 is lit, on "
    .. "one multiprocessor. With 32 threads and the same loop every thread "
    .. "does all of the work, and they race for every letter.",
  topic = "basics",
  lessons = { "L01" },
  source = "encrypt_serial.cu",
  kernel = "cuda_encrypt",
  params = {
    { name = "message", default = "helloworld",
      values = { "helloworld", "abcdefghijklmnopqrstuvwxyz",
        "thequickbrownfoxjumpsoverthelazy",
        "thequickbrownfoxjumpsoverthelazydog" },
      help = "lower-case letters to encrypt" },
    { name = "shift", default = 3, min = 0, max = 25,
      help = "places to move each letter in the alphabet" },
  },
  forms = {
    { name = "right", title = "<<<1, 1>>>" },
    { name = "crowd", title = "the same loop, <<<1, 32>>>",
      expect = { verdict = "by chance", faults = { "race" } } },
  },

  launch = function(p)
    return {
      grid = { 1, 1, 1 }, block = { p.form == "crowd" and 32 or 1, 1, 1 },
      shared = 0,
      args = {
        { name = "m", type = "i8", count = #p.message,
          init = "text:" .. p.message },
        { name = "m_len", type = "i32", value = #p.message },
        { name = "shift", type = "i32", value = p.shift },
      },
    }
  end,

  check = function(p, run)
    local alphabet = "abcdefghijklmnopqrstuvwxyz"
    local shifted = alphabet:sub(p.shift + 1) .. alphabet:sub(1, p.shift)
    return expect(run.output("m"), function(i)
      local place = alphabet:find(p.message:sub(i + 1, i + 1), 1, true)
      return shifted:byte(place)
    end)
  end,
}
