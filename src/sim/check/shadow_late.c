// shadow_late.c: reads of rows of shared memory that are noted late, or never.
//
// Between two barriers most kernels only read what was written before the first one. Such a read needs no look at its
// cells as long as the last write to any word is ordered before it. And to note it there is in vain if all warps of the
// block meet before somebody writes: then it is over, and nothing can meet it any more. So it waits in a list. Whoever
// asks the cells who reads, or changes what they know of that, has the list noted first.
#include "sim/check/shadow_words.h"

static void note(const SimExec *exec, const SimLateRead *read) {
  const SimCells *cells = &exec->shadow->cells;
  const SimLaneOps *ops = exec->lane_ops;
  uint32_t warp = read->info & 31;
  SimActor actor = {.writer = read->epoch | warp, .ordered = read->ordered, .warp_bit = 1u << warp, .info = read->info};
  bool twice = read->high != read->word;   // else the upper half stands for both
  if (read->in_rows) {
    if (twice) ops->note_read_row(cells, read->word, 0, &actor);
    ops->note_read_row(cells, read->high, SIM_LANES / 2, &actor);
  } else {
    if (twice) sim_cell_note_read(cells, read->word, SIM_LANES / 2 - 1, &actor);
    sim_cell_note_read(cells, read->high, SIM_LANES - 1, &actor);
  }
}

void sim_shadow_note_late(SimExec *exec) {
  struct SimShadow *shadow = exec->shadow;
  for (int i = 0; i < shadow->late_count; i++) note(exec, &shadow->late[i]);
  shadow->late_count = 0;
}
