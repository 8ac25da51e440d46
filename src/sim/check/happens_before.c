// happens_before.c: what blocks have made known to one another.
//
// A block publishes with a fence and then a strong write: what it did up to then is ordered before what others do after
// they look, at whatever place. Publications are numbered, and a block remembers which was the last one when it looked.
// As long as no block waits, all of an earlier block is over when another one looks, so the latest clock of each is
// enough; after that each keeps its last publications.
//
// The word of grid.sync() is known better: whoever looks at it sees what was published up to the last time that all
// blocks had come, and not what those did since that went on first.
#include "sim/check/happens_before.h"
#include <stdlib.h>
#include <string.h>
#include "sim/core/exec.h"

static const uint64_t MOST_BLOCKS = 1u << 18;   // of which is remembered what they published
enum { MOST_ENTRIES = 16 };

typedef struct Entry { uint64_t number; uint32_t clock[SIM_MAX_WARPS]; } Entry;
typedef struct History { Entry *entries; int count, capacity; bool cut; } History;

struct SimHappensBefore {
  uint64_t count;              // publications
  uint32_t *latest;            // [block][warp]
  History *histories;          // [block]
  uint64_t blocks;
  uint64_t at_barrier, phase;  // last publication at the word of grid.sync(); the one that ended its last phase
  uint32_t barrier_bit;
};

void sim_happens_before_free(SimExec *exec) {
  struct SimHappensBefore *p = exec->happens_before;
  if (!p) return;
  for (uint64_t i = 0; i < p->blocks; i++) free(p->histories[i].entries);
  free(p->histories);
  free(p->latest);
  free(p);
  exec->happens_before = NULL;
}

static struct SimHappensBefore *happens_before_of(SimExec *exec) {
  if (exec->happens_before) return exec->happens_before;
  struct SimHappensBefore *p = ls_alloc(sizeof *p);
  p->blocks = launch_blocks(exec->program->launch);
  p->latest = ls_alloc((size_t)p->blocks * SIM_MAX_WARPS * sizeof *p->latest);
  p->histories = ls_alloc((size_t)p->blocks * sizeof *p->histories);
  exec->happens_before = p;
  return p;
}

static bool is_barrier(const SimExec *exec) {
  return exec->program->workspace && exec->addr[0] == exec->program->workspace + SIM_BARRIER_OFFSET;
}

static void remember(History *h, uint64_t number, const uint32_t *clock) {
  if (h->count == MOST_ENTRIES) {
    memmove(h->entries, h->entries + 1, sizeof *h->entries * (MOST_ENTRIES - 1));
    h->count--;
    h->cut = true;
  }
  Entry entry = {.number = number};
  memcpy(entry.clock, clock, sizeof entry.clock);
  LS_PUSH(h->entries, h->count, h->capacity, entry);
}

// clock: of the running block, which publishes it at exec->addr.
void sim_happens_before_release(SimExec *exec, const uint32_t *clock) {
  if (!exec->program->has_fences || launch_blocks(exec->program->launch) > MOST_BLOCKS || exec->hooks) return;
  struct SimHappensBefore *p = happens_before_of(exec);
  uint32_t *latest = &p->latest[(size_t)exec->block.number * SIM_MAX_WARPS];
  History *h = &p->histories[exec->block.number];
  p->count++;
  if (exec->grid.count && !h->count) remember(h, 0, latest);
  if (h->count) remember(h, p->count, clock);
  if (is_barrier(exec)) p->at_barrier = p->count;
  memcpy(latest, clock, SIM_MAX_WARPS * sizeof *latest);
}

// Its uppermost bit changes when the last block comes.
static uint64_t phase_of(struct SimHappensBefore *p, const SimExec *exec) {
  const SimAlloc *a = sim_alloc_at(exec->memory, exec->addr[0]);
  uint32_t word;
  memcpy(&word, a->bytes + SIM_BARRIER_OFFSET, sizeof word);
  if (word >> 31 == p->barrier_bit) return p->phase;
  p->barrier_bit = word >> 31;
  return p->phase = p->at_barrier + 1;
}

// The running block looks at exec->addr.
void sim_happens_before_acquire(SimExec *exec) {
  struct SimHappensBefore *p = exec->happens_before;
  uint64_t seen = !p ? 1 : is_barrier(exec) ? phase_of(p, exec) : p->count + 1;
  exec->block.acquired = LS_MAX(exec->block.acquired, seen);
}

// Has the other block published this epoch of one of its warps before the running one looked last?
bool sim_happens_before_has(const SimExec *exec, uint32_t block, int warp, uint32_t epoch) {
  const struct SimHappensBefore *p = exec->happens_before;
  if (!exec->block.acquired) return false;
  if (!p) return true;
  const History *h = &p->histories[block];
  if (!h->count) return epoch <= p->latest[(size_t)block * SIM_MAX_WARPS + (size_t)warp];
  for (int i = h->count - 1; i >= 0; i--)
    if (h->entries[i].number < exec->block.acquired) return epoch <= h->entries[i].clock[warp];
  return h->cut;
}
