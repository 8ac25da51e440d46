// barrier.c: who has come to a barrier of the block: a warp is there when all its living lanes are.
#include "sim/core/barrier.h"

static bool warp_is_there(const SimWarp *w, uint32_t lanes) { return lanes && !(w->live & ~lanes); }

static uint32_t threads_there(const SimExec *exec, const SimBarrier *b, uint32_t *warps) {
  uint32_t threads = 0;
  *warps = 0;
  for (int k = 0; k < exec->warp_count; k++) {
    if (!b->lanes[k]) continue;
    bool whole = warp_is_there(&exec->warps[k], b->lanes[k]);
    threads += whole ? SIM_LANES : (uint32_t)sim_popcount(b->lanes[k]);
    if (whole) ++*warps;
  }
  return threads;
}

uint32_t sim_barrier_threads(const SimExec *exec, const SimBarrier *b) {
  uint32_t warps;
  return threads_there(exec, b, &warps);
}

static uint32_t warps_expected(const SimExec *exec, const SimBarrier *b) {
  if (b->threads) return (b->threads + SIM_LANES - 1) / SIM_LANES;
  uint32_t count = 0;
  for (int k = 0; k < exec->warp_count; k++) if (exec->warps[k].live || b->lanes[k]) count++;
  return count;
}

bool sim_barrier_is_complete(const SimExec *exec, const SimBarrier *b) {
  uint32_t warps, threads = threads_there(exec, b, &warps);
  if (b->threads) return threads >= b->threads;
  for (int k = 0; k < exec->warp_count; k++)
    if (exec->warps[k].live & ~b->lanes[k]) return false;
  return threads > 0;
}

void sim_barrier_count(const SimExec *exec, const SimBarrier *b, TraceEvent *e) {
  uint32_t warps;
  threads_there(exec, b, &warps);
  e->arrived = (uint16_t)warps;
  e->expected = (uint16_t)warps_expected(exec, b);
  if (sim_barrier_is_complete(exec, b)) e->flags |= TRACE_LAST_ARRIVAL;
}
