// fold.h: what the warps of a block are doing, folded from its events one by one.
//
// The writer folds along to put the state at the start of each chunk into the chunk; the reader goes on from there.
#ifndef LS_TRACE_FOLD_H
#define LS_TRACE_FOLD_H

#include "trace/format.h"

// While folding, the lanes of `active` stand at the warp's `pc` and their lane_pc is out of date; trace_fold_settle
// writes it. So the common event (same lanes as before) costs only a few stores.
typedef struct TraceFold {
  TraceWarp warps[TRACE_MAX_WARPS];
  int count;
} TraceFold;

void trace_fold_begin(TraceFold *fold, const Launch *launch);   // before a block's first event
void trace_fold_settle(TraceFold *fold);
// A barrier makes its lanes wait (unless TRACE_BAR_ARRIVE), TRACE_LAST_ARRIVAL frees all that wait at the same barrier,
// EXIT ends lanes. Lanes that execute anything else do not wait, whatever the events before said.
void trace_fold_special(TraceFold *fold, TraceWarp *warp, const TraceEvent *event);
void trace_fold_lanes(TraceWarp *warp);

// `count` events of a warp in a row, all like this one, but for their pcs: the last one's is `pc`.
static inline void trace_fold_line(TraceFold *fold, const TraceEvent *event, int32_t pc, int count, uint64_t step) {
  if (event->warp >= fold->count) return;
  TraceWarp *warp = &fold->warps[event->warp];
  if (warp->active != event->active) {
    trace_fold_lanes(warp);
    warp->active = event->active;
  }
  warp->pc = pc;
  warp->last_step = step + (uint64_t)count - 1;
  warp->events += (uint64_t)count;
  if (event->kind == TRACE_BARRIER || event->kind == TRACE_EXIT || warp->waiting) trace_fold_special(fold, warp, event);
}

// As many more events of a warp, which stands where it stood, the last one at `step`.
static inline void trace_fold_again(TraceFold *fold, uint32_t warp, uint64_t count, uint64_t step) {
  if (warp >= (uint32_t)fold->count) return;
  fold->warps[warp].events += count;
  fold->warps[warp].last_step = step;
}

static inline void trace_fold_event(TraceFold *fold, const TraceEvent *event, uint64_t step) {
  trace_fold_line(fold, event, event->pc, 1, step);
}

#endif
