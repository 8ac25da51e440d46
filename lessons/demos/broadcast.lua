demo { title = "Sixteen times, or eight?", minutes = 2, where = "CS 378h, the tiled product" }

scene {
  kernel = "matmul_naive", at = { kind = "load", space = "global" }, focus = "segments", big = true,
  say = "The naive product asks {requests} times for global memory, {sectors} sectors in all.",
  values = function(r)
    return { requests = r.counters.global_load_requests, sectors = r.counters.global_load_sectors }
  end,
  note = "Show the load of a row of A: all lanes of a row want one word. It is a broadcast.",
}
scene {
  kernel = "matmul_tiled", compare = "matmul_naive", label = "naive", at = { kind = "load", space = "global" },
  focus = "segments", big = true, hide = true,
  say = "Tiles of 16 x 16 load each word once a block: the requests become 16 times fewer.",
}
ask {
  "How many times fewer sectors?", options = { "4", "8", "16", "32" }, seconds = 40,
  answer = function(r, naive)
    return naive.counters.global_load_sectors / r.counters.global_load_sectors
  end,
  note = "The slide says 16. It counts requests.",
}
reveal {
  say = "{times} times: {now} in place of {before}. A broadcast was cheap already.",
  values = function(r, naive)
    local now, before = r.counters.global_load_sectors, naive.counters.global_load_sectors
    return { times = before / now, now = now, before = before }
  end,
}
keep { "Count sectors, not loads: lanes that want one word share it." }
