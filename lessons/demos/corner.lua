demo { title = "The warp that turns the corner", minutes = 1.5, where = "CS 677, warps of a block" }

local STORE = { line = "lane[rank] =", kind = "store" }

local function warp_of(rank)
  return rank // 32, rank % 32
end

scene {
  kernel = "warp_map_40x2", at = STORE, focus = "geometry", big = true, hide = true,
  say = "A block of 40 x 2 threads: two rows of 40. The hardware cuts it into warps of 32.",
  note = "Draw the block on the board as people think of it: two rows.",
}
ask {
  "Thread (0,1) begins the second row. Which lane of its warp is it?",
  options = { "0", "8", "16", "39" }, seconds = 30,
  answer = function(r)
    local _, lane = warp_of(r.block[1])
    return lane
  end,
  note = "Most say 0.",
}
reveal {
  say = "Lane {lane} of warp {warp}: that warp holds {first} threads of one row and {second} of the other.",
  values = function(r)
    local warp, lane = warp_of(r.block[1])
    return { warp = warp, lane = lane, first = lane, second = 32 - lane }
  end,
}
scene {
  kernel = "warp_map_40x2", at = { line = "lane[rank] =", kind = "store", warp = 2 }, focus = "geometry", warp = 2,
  big = true,
  say = "{threads} threads are {warps} warps, {lanes} lanes: {dark} of them stay dark in every instruction.",
  values = function(r)
    return { threads = r.threads, warps = r.warps, lanes = r.warps * 32, dark = r.warps * 32 - r.threads }
  end,
  note = "The slide adds up to 92 threads.",
}
whatif {
  param = "bx", try = { 48 },
  say = "Rows of 48: {threads} threads, {warps} warps, no dark lane.",
  values = function(r)
    return { threads = r.threads, warps = r.warps }
  end,
}
keep { "The hardware counts threads. Rows are yours." }
