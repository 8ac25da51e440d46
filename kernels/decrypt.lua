local ALPHABET = "abcdefghijklmnopqrstuvwxyz"

-- The alphabet as it stands under the plain one on a cipher wheel.
local function wheel(shift)
  return ALPHABET:sub(shift + 1) .. ALPHABET:sub(1, shift)
end

local function ciphered(p)
  return (p.message:gsub(".", function(letter)
    local place = ALPHABET:find(letter, 1, true)
    return wheel(p.shift):sub(place, place)
  end))
end

return {
  name = "decrypt", id = "K97",
  title = "Caesar cipher, undone",
  about = "A thread for each letter of a ciphered word brings it back. C's "
    .. "remainder keeps the sign of what it divides: the lecture's formula "
    .. "with a minus is right for some words and wrong for others.",
  topic = "basics",
  lessons = { "L01" },
  source = "decrypt.cu",
  kernel = "decrypt",
  params = {
    { name = "message", default = "thequickbrownfoxjumpsoverthelazydog",
      values = { "helloworld", "abcdefghijklmnopqrstuvwxyz",
        "thequickbrownfoxjumpsoverthelazy",
        "thequickbrownfoxjumpsoverthelazydog" },
      help = "what comes out: the kernel gets it ciphered" },
    { name = "shift", default = 3, min = 0, max = 25,
      help = "places that the letters were moved in the alphabet" },
  },
  forms = {
    { name = "right" },
    { name = "lecture", title = "minus instead of plus",
      source = "decrypt.lecture.cu", erratum = "E03",
      where = "CUDA introduction, Parallel Encryption Example",
      expect = { verdict = "wrong",
        unless = function(p)
          return not ciphered(p):find("[" .. ALPHABET:sub(1, p.shift) .. "%z]")
        end } },
  },

  launch = function(p)
    local text = ciphered(p)
    return {
      grid = { cdiv(#text, 32), 1, 1 }, block = { 32, 1, 1 }, shared = 0,
      args = {
        { name = "m", type = "i8", count = #text, init = "text:" .. text },
        { name = "m_len", type = "i32", value = #text },
        { name = "shift", type = "i32", value = p.shift },
      },
    }
  end,

  check = function(p, run)
    return expect(run.output("m"), function(i) return p.message:byte(i + 1) end)
  end,
}
