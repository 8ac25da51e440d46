// fold.c: the parts of folding that are not on the common path.
#include "trace/fold.h"

#include <string.h>
#include "base/mem.h"

void trace_fold_begin(TraceFold *fold, const Launch *launch) {
  uint32_t threads = launch_threads(launch);
  fold->count = (int)LS_MIN(launch_warps(launch), TRACE_MAX_WARPS);
  for (int w = 0; w < fold->count; w++) {
    uint32_t lanes = threads - 32 * (uint32_t)w;
    TraceWarp *warp = &fold->warps[w];
    warp->live = lanes >= 32 ? UINT32_MAX : (1u << lanes) - 1;
    warp->active = warp->waiting = 0;
    warp->barrier_id = 0;
    warp->pc = -1;
    warp->events = 0;
    warp->last_step = UINT64_MAX;
    memset(warp->lane_pc, 0xff, sizeof warp->lane_pc);   // -1
  }
}

void trace_fold_lanes(TraceWarp *warp) {
  for (uint32_t lanes = warp->active; lanes; lanes &= lanes - 1) warp->lane_pc[__builtin_ctz(lanes)] = warp->pc;
}

void trace_fold_settle(TraceFold *fold) {
  for (int w = 0; w < fold->count; w++) trace_fold_lanes(&fold->warps[w]);
}

void trace_fold_special(TraceFold *fold, TraceWarp *warp, const TraceEvent *event) {
  if (trace_kind_is_fault(event->kind)) return;
  warp->waiting &= ~event->active;
  if (event->kind == TRACE_EXIT) warp->live &= ~event->mask;
  if (event->kind != TRACE_BARRIER) return;
  if (!(event->flags & TRACE_BAR_ARRIVE)) {
    warp->waiting |= event->mask;
    warp->barrier_id = event->barrier_id;
  }
  if (!(event->flags & TRACE_LAST_ARRIVAL)) return;
  for (int w = 0; w < fold->count; w++)
    if (fold->warps[w].barrier_id == event->barrier_id) fold->warps[w].waiting = 0;
}
