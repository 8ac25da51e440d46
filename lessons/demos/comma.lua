demo { title = "A block of one thread", minutes = 1, where = "CS 378h, the launch of vecAdd" }

scene {
  kernel = "vec_add", form = "right", focus = "geometry", big = true,
  say = "A vector sum: {blocks} blocks of {threads} threads for {n} elements.",
  values = function(r)
    return { blocks = r.blocks, threads = r.threads, n = r.parameters.n }
  end,
}
scene {
  kernel = "vec_add", form = "comma", focus = "geometry", big = true, hide = true,
  say = "In C somebody writes: dim3 DimBlock = (256, 1, 1); and it compiles.",
  note = "Do not point at the parentheses. It is the line of the slide.",
}
ask {
  "How many threads has a block now?", options = { "1", "256", "768", "none: an error" }, seconds = 30,
  answer = function(r)
    return r.threads
  end,
}
reveal {
  say = "{threads}: commas in parentheses give the last value. {done} of {n} sums are made, and no fault.",
  values = function(r)
    return { threads = r.threads, done = r.blocks * r.threads, n = r.parameters.n }
  end,
}
keep { "dim3 block(256, 1, 1): no equals sign. And count what was written." }
