-- The steps of the host, and what is left out or out of order in each form.
local function steps_of(p)
  local length = #p.message
  local copy_in = { copy = "h2d", buffer = "m" }
  local launch = { launch = "cuda_encrypt", grid = { cdiv(length, 32) },
    block = { 32 }, args = { "m", length, p.shift } }
  local copy_out = { copy = "d2h", buffer = "m" }
  local print = { host = "print the word", run = function(host)
    local word, paper = host.read("m"), host.write("printed")
    for i = 0, length - 1 do paper[i] = word[i] end
  end }
  local release = { free = "m" }
  if p.form == "no-copy-back" then
    return { copy_in, launch, print, release }
  elseif p.form == "early" then
    return { copy_in, copy_out, launch, print, release }
  end
  return { copy_in, launch, copy_out, print, release }
end

return {
  name = "encrypt_host", id = "K96",
  title = "Caesar cipher with its host",
  about = "The whole program around a kernel: bring the word to the device, "
    .. "start the kernel, fetch the result, give the memory back. T shows "
    .. "it over time. Without the copy back the host keeps its plain text.",
  topic = "programs",
  lessons = { "L01" },
  source = "encrypt_host.cu",
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
    { name = "right" },
    { name = "no-copy-back", title = "the result is never fetched",
      expect = { verdict = "wrong",
        unless = function(p) return p.shift == 0 end } },
    { name = "early", title = "the result is fetched before the launch",
      expect = { verdict = "wrong",
        unless = function(p) return p.shift == 0 end } },
  },

  sequence = function(p)
    return {
      buffers = {
        { name = "m", type = "i8", count = #p.message,
          init = "text:" .. p.message },
        { name = "printed", type = "i8", count = #p.message, init = "zero",
          host = "pinned" },
      },
      steps = steps_of(p),
    }
  end,

  check = function(p, run)
    local alphabet = "abcdefghijklmnopqrstuvwxyz"
    local shifted = alphabet:sub(p.shift + 1) .. alphabet:sub(1, p.shift)
    return expect(run.output("printed"), function(i)
      local place = alphabet:find(p.message:sub(i + 1, i + 1), 1, true)
      return shifted:byte(place)
    end)
  end,
}
