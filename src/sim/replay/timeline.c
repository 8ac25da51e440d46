// timeline.c: which block ran when: needed to find an event again once blocks have waited for one another.
//
// A visit is a stretch in which one block runs. As long as none has to wait, visit v is block v from its start to its
// end, and nothing is kept. From the first one on that ends with a wait, every visit that was seen is.
#include "sim/core/exec.h"
#include "sim/replay/replay.h"

void sim_visits_note(SimVisits *visits, const SimExec *exec) {
  const SimBlock *b = &exec->block;
  bool waits = b->wait.stuck;
  if (!visits->count && !waits) return;
  if (!visits->count) visits->first = exec->grid.visit;
  if (exec->grid.visit != visits->first + (uint64_t)visits->count) return;   // seen before
  SimVisit visit = {b->number, b->resumed_at, waits ? b->events : UINT64_MAX};
  LS_PUSH(visits->items, visits->count, visits->capacity, visit);
}

uint64_t sim_visits_find(const SimVisits *visits, uint32_t block, uint64_t events) {
  if (!visits->count || block < visits->first) return block;
  for (int i = 0; i < visits->count; i++) {
    const SimVisit *v = &visits->items[i];
    if (v->block == block && events <= v->end && (events > v->from || !events)) return visits->first + (uint64_t)i;
  }
  return visits->first + (uint64_t)visits->count;
}
