// barrier.c: who has come to a barrier of the block: a warp is there when all its living lanes are.
#include "sim/core/barrier.h"

static void settle(SimExec *exec, SimBarrier *b, int warp) {
  uint32_t bit = 1u << warp, lanes = b->lanes[warp];
  if (!lanes) return;
  b->there |= bit;
  if (exec->warps[warp].live & ~lanes) b->whole &= ~bit;
  else b->whole |= bit;
}

SimBarrier *sim_barrier_use(SimExec *exec, int id) {
  SimBarrier *b = &exec->block.barriers[id];
  if (b->used) return b;
  *b = (SimBarrier){.used = true, .all = true};
  exec->block.used_barriers |= 1u << id;
  return b;
}

void sim_barrier_arrive(SimExec *exec, SimBarrier *b, uint32_t lanes) {
  int warp = sim_warp_index(exec);
  b->lanes[warp] |= lanes;
  settle(exec, b, warp);
}

void sim_barrier_end(SimExec *exec, int id) {
  exec->block.barriers[id] = (SimBarrier){0};
  exec->block.used_barriers &= ~(1u << id);
}

void sim_barriers_settle(SimExec *exec) {
  SIM_FOR_LANES(id, exec->block.used_barriers) settle(exec, &exec->block.barriers[id], sim_warp_index(exec));
}

uint32_t sim_barrier_threads(const SimBarrier *b) {
  uint32_t threads = SIM_LANES * (uint32_t)sim_popcount(b->whole);
  SIM_FOR_LANES(k, b->there & ~b->whole) threads += (uint32_t)sim_popcount(b->lanes[k]);
  return threads;
}

static uint32_t warps_expected(const SimExec *exec, const SimBarrier *b) {
  if (b->threads) return (b->threads + SIM_LANES - 1) / SIM_LANES;
  return (uint32_t)sim_popcount(exec->block.live_warps | b->there);
}

bool sim_barrier_is_complete(const SimExec *exec, const SimBarrier *b) {
  if (b->threads) return sim_barrier_threads(b) >= b->threads;
  return b->there && b->there == b->whole && !(exec->block.live_warps & ~b->whole);
}

void sim_barrier_count(const SimExec *exec, const SimBarrier *b, TraceEvent *e) {
  e->arrived = (uint16_t)sim_popcount(b->whole);
  e->expected = (uint16_t)warps_expected(exec, b);
  if (sim_barrier_is_complete(exec, b)) e->flags |= TRACE_LAST_ARRIVAL;
}
