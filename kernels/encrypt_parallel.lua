local function blocks(p)
  local length = #p.message
  if p.form == "one-block" then
    return 1
  end
  if p.grid == "lecture" then
    return length // 32 + 1
  end
  return cdiv(length, 32)
end

return {
  name = "encrypt_parallel", id = "K02",
  title = "Caesar cipher, a thread per letter",
  about = "Shifts every letter of a word in place. With ten letters only ten "
    .. "lanes work; with 32 letters the lecture's grid of length / 32 + 1 "
    .. "starts a second block that has nothing to do.",
  topic = "basics",
  lessons = { "L01" },
  source = "encrypt_parallel.cu",
  kernel = "cuda_encrypt",
  params = {
    { name = "message", default = "helloworld",
      values = { "helloworld", "abcdefghijklmnopqrstuvwxyz",
        "thequickbrownfoxjumpsoverthelazy",
        "thequickbrownfoxjumpsoverthelazydog" },
      help = "lower-case letters to encrypt" },
    { name = "shift", default = 3, min = 0, max = 25,
      help = "places to move each letter in the alphabet" },
    { name = "grid", default = "rounded",
      values = { "rounded", "lecture" },
      help = "blocks: (length + 31) / 32, or the lecture's length / 32 + 1" },
  },
  lecture = { message = "helloworld", shift = 3, grid = "lecture" },
  forms = {
    { name = "right" },
    { name = "one-block", title = "<<<1, 32>>> for any word",
      expect = { verdict = "wrong",
        at = { message = "thequickbrownfoxjumpsoverthelazydog" },
        unless = function(p) return #p.message <= 32 end } },
    { name = "no-block", title = "id = threadIdx.x",
      source = "encrypt_parallel.noblock.cu",
      expect = { verdict = "wrong", faults = { "race" },
        at = { message = "thequickbrownfoxjumpsoverthelazydog" },
        unless = function(p) return blocks(p) == 1 end } },
    { name = "no-guard", title = "without the if",
      source = "encrypt_parallel.noguard.cu",
      expect = { verdict = "wrong", faults = { "out_of_bounds" },
        line = "int letter",
        unless = function(p) return #p.message == 32 * blocks(p) end } },
  },

  launch = function(p)
    return {
      grid = { blocks(p), 1, 1 }, block = { 32, 1, 1 }, shared = 0,
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
