// tell.c: events of a block told again, as the run told them.
#include "sim/replay/replay.h"

// The events of an instruction come together: those of them that were not asked for stay here.
typedef struct Teller { TraceSink sink, *to; SimExec *exec; uint64_t first, end; } Teller;

static void tell(TraceSink *sink, const TraceEvent *event) {
  const Teller *teller = (const Teller *)sink;
  uint64_t number = teller->exec->block.events - 1;
  if (number >= teller->first && number < teller->end) teller->to->event(teller->to, event);
}

// To the start of the instruction that event `first` is of, or further back.
static bool seek_start(SimReplay *r, uint32_t block, uint64_t first, LsErr *err) {
  for (uint64_t back = 0;; back = 2 * back + 1) {
    if (!sim_replay_seek(r, block, first > back ? first - back - 1 : UINT64_MAX, err)) return false;
    if (sim_replay_exec(r)->block.events <= first) return true;
  }
}

// Whoever listens to one block has nothing to wait for: not even where the run kept its events back.
static bool run_told(SimReplay *r, Teller *teller, LsErr *err) {
  SimExec *exec = teller->exec;
  bool deferred = exec->block.deferred;
  exec->sink = &teller->sink;
  exec->recording = true;
  exec->block.deferred = false;
  bool ok = sim_replay_run_to(r, teller->end, err);
  exec->block.deferred = deferred;
  exec->sink = NULL;
  exec->recording = false;
  return ok;
}

// From one stretch of the block to the next, where it waited for others. A block that waits for good has no next one.
static bool tell_all(SimReplay *r, uint32_t block, Teller *teller, LsErr *err) {
  const SimBlock *b = &teller->exec->block;
  LsErr why = {0};
  while (run_told(r, teller, err)) {
    if (b->events >= teller->end || !b->wait.stuck || teller->exec->failed) return true;
    if (sim_replay_go_on(r, block, &why)) continue;
    if (why.kind == LS_EREQUEST) return true;
    if (err) *err = why;
    return false;
  }
  return false;
}

bool sim_replay_emit(SimReplay *r, uint32_t block, uint64_t first, uint64_t count, TraceSink *sink, LsErr *err) {
  Teller teller = {{.event = tell}, sink, sim_replay_exec(r), first, first + count};
  if (!seek_start(r, block, first, err)) return false;
  double patience = sim_replay_set_patience(r, 0);   // half of it would be told twice
  bool ok = tell_all(r, block, &teller, err);
  sim_replay_set_patience(r, patience);
  return ok;
}
