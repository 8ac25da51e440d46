-- Rooms about the order in which lanes, warps and launches do things.

return {
  room {
    id = "E58", title = "A sum in three launches", lesson = "L14", kernel = "sums", form = "lecture", params = { version = 1 },
    cured = "right",
    says = "The first launch leaves partial sums in place of the elements, the second adds these up, the third the rest. "
      .. "The stride is `blockDim.x * blockDim.x`.",
    ask = "What does the second launch, one block of 256 threads, add up?",
    options = { "all partial sums", "256 of them", "the elements once more" }, answer = "256 of them",
    found = { "wrong" },
    wrong = { ["all partial sums"] = "Its stride is 65,536: after the first 256 it is past the end." },
    because = "Each thread takes one partial sum and jumps past the rest.",
    cure = "`gridDim.x * blockDim.x`, the threads of the grid, in every launch.",
  },
  room {
    id = "E76", title = "Which sum is wrong?", lesson = "L14", kernel = "reduce_host", form = "float",
    says = "A host adds up many floats, one after the other, into a float.",
    ask = "What becomes of a small number that is added to a large sum?",
    options = { "it is added", "its last digits are lost", "it is an error" }, answer = "its last digits are lost",
    found = { "wrong" },
    wrong = { ["it is added"] = "A float has 24 bits for all of its digits." },
    because = "The larger the sum, the coarser the steps between two floats.",
    cure = "Add into a double, or as a tree, as the GPU does. The book holds its kernels against such a sum, and the kernels were "
      .. "the better ones.",
  },
  room {
    id = "E87", title = "The last warp alone", lesson = "L15", kernel = "reduce4", form = "nosyncwarp", cured = "right",
    says = "When 32 sums are left, one warp adds them up by itself. Lanes of a warp go in step, so no barrier is needed.",
    ask = "Which is the first line that reads what another lane may not have written yet?",
    find = "tsum[id] += tsum[id + 8]", found = { "race" },
    because = "It reads what lanes 8 to 15 wrote in the line before, and nothing makes anybody wait.",
    wrong = { ["tsum[id] += tsum[id + 16]"] = "Before it stands a barrier of the block.",
              ["tsum[id] += tsum[id + 32]"] = "Before it stands a barrier of the block." },
    cure = "`__syncwarp()` between two such lines. Since Volta lanes need not go in step. That the result is right on one GPU "
      .. "proves nothing.",
  },
  room {
    id = "E128", title = "A mask and its lanes", lesson = "L15", kernel = "mask_rule", form = "outsiders", cured = "right",
    says = "Lanes take the value of lane 3. A mask says which lanes take part.",
    find = "__shfl_sync", found = { "bad_mask", "wrong" },
    because = "All 32 lanes come to the call, but the mask names 16 of them.",
    wrong = { ["__ballot_sync"] = "All lanes vote here, and the mask says so." },
    cure = "Who calls must be named in the mask, and who is named must call. Part the lanes by the same condition that made the "
      .. "mask.",
  },
  room {
    id = "E141", title = "A lock inside of a warp", lesson = "L16", kernel = "warp_lock", sched = "stack",
    says = "Each lane takes a lock, adds, and gives it back, as a GPU before Volta runs it: lanes that part wait for each other.",
    ask = "Why does this form end?",
    options = { "the lock is free", "the work is inside of the loop", "the lanes take turns" },
    answer = "the work is inside of the loop", found = {},
    wrong = { ["the lanes take turns"] = "Not before Volta: a lane that waits is run until it is through." },
    because = "The lane that gets the lock gives it back before it meets the others.",
    cure = "With the work behind the loop, the owner would wait for lanes that wait for the lock. Since Volta both end.",
  },
  room {
    id = "E142", title = "Two halves of a warp", lesson = "L16", kernel = "warp_meeting", form = "sets",
    says = "The lanes of the `if` set a flag, those of the `else` wait for it.",
    ask = "On which GPUs is it certain that this ends?",
    options = { "on all", "before Volta only", "from Volta on only" }, answer = "from Volta on only", found = {},
    wrong = { ["on all"] = "Which side a warp takes first is not said anywhere.",
              ["before Volta only"] = "There the side that goes first has to end before the other begins." },
    because = "Before Volta it rests on which side goes first, and no order is promised.",
    cure = "Lanes that wait for other lanes of their warp need Volta's rule that each lane goes on in the end. Better: do not let "
      .. "them wait in a branch.",
  },
}
