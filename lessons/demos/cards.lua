demo { title = "How to deal the cards", minutes = 2, where = "Thinking and Coding in Parallel, the block-major index" }

local STORE = { line = "sums[step] = sum", kind = "store" }

scene {
  kernel = "gpu_sin_if", at = STORE, focus = "segments", big = true,
  say = "Each thread makes one result. A warp stores {lanes} of them into {sectors} sectors: all bytes are used.",
  values = function(r)
    local store = r:event(STORE)
    return { lanes = store.lanes, sectors = store.sectors }
  end,
  note = "The index is blockIdx.x * blockDim.x + threadIdx.x, as in every first lesson.",
}
scene {
  kernel = "gpu_sin_block_major", at = STORE, focus = "segments", big = true, hide = true,
  say = "Now neighbors go to other blocks: threadIdx.x * gridDim.x + blockIdx.x. Same threads, same results.",
  note = "A programmer of CPUs would call that good: each thread is far from the others. Do not say 'coalesced' yet.",
}
ask {
  "How many sectors does a warp's store touch now?", options = { "1", "4", "8", "32" }, seconds = 40,
  answer = function(r)
    return r:event(STORE).sectors
  end,
  note = "Ask for the distance between the results of lane 0 and lane 1.",
}
reveal {
  say = "{sectors} sectors, {used} bytes used of {moved}: {share} percent.",
  values = function(r)
    local store = r:event(STORE)
    return { sectors = store.sectors, used = store.bytes_used, moved = store.bytes_moved,
             share = 100 * store.bytes_used / store.bytes_moved }
  end,
}
scene {
  kernel = "gpu_sin_if", compare = "gpu_sin_block_major", label = "neighbors to other blocks", at = STORE,
  focus = "segments", big = true,
  say = "For {results} results: {near} sectors, or {far}.",
  values = function(r, far)
    return { results = r.parameters.steps, near = r.counters.global_store_sectors,
             far = far.counters.global_store_sectors }
  end,
}
keep { "Neighboring lanes, neighboring words." }
