// timeline.c: which block ran when: needed to find an event again once blocks have waited for one another.
//
// A turn is a stretch in which one block runs. As long as none has to wait, turn v is the block that begins at place v
// (core/block_order.h), from its start to its end, and nothing is kept. From the first one on that ends with a wait,
// every turn that was seen is.
#include "sim/core/block_order.h"
#include "sim/core/exec.h"
#include "sim/replay/replay.h"

void sim_timeline_note(SimTimeline *timeline, const SimExec *exec) {
  const SimBlock *b = &exec->block;
  bool waits = b->wait.stuck;
  if (!timeline->count && !waits) return;
  if (!timeline->count) timeline->first = exec->grid.turn;
  if (exec->grid.turn != timeline->first + (uint64_t)timeline->count) return;   // seen before
  SimTurn turn = {b->number, b->resumed_at, waits ? b->events : UINT64_MAX};
  LS_PUSH(timeline->items, timeline->count, timeline->capacity, turn);
}

uint64_t sim_timeline_find(const SimTimeline *timeline, const SimProgram *program, uint32_t block, uint64_t events) {
  uint64_t place = sim_place_of(program, block);
  if (!timeline->count || place < timeline->first) return place;
  for (int i = 0; i < timeline->count; i++) {
    const SimTurn *t = &timeline->items[i];
    if (t->block == block && events <= t->end && (events > t->from || !events)) return timeline->first + (uint64_t)i;
  }
  return timeline->first + (uint64_t)timeline->count;
}
