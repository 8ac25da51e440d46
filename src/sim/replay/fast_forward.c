// fast_forward.c: the blocks on the way of a replay, of which only what they leave in memory matters.
//
// They run on several threads (parallel.c), without the eyes of a replay and without looking for races. If one of them
// depends on another, what they left is worth nothing: the replay starts over and goes block by block from then on.
#include "base/clock.h"
#include "sim/core/ownership.h"
#include "sim/grid/parallel.h"
#include "sim/replay/replay.h"

enum { WORTH_IT = 100000, FIRST_STRETCH = 64 };   // warp instructions; blocks
static const uint32_t MOST_STRETCH = 1u << 20;

// The running block has done nothing yet, and no block has ever waited for another: turns are blocks.
static bool is_fresh(const SimExec *exec) {
  const SimGrid *g = &exec->grid;
  return !g->count && g->turn + 1 == g->begun && !exec->block.events && !exec->block.executed;
}

static uint64_t mean_cost(const SimExec *exec) {
  return exec->executed / LS_MAX(exec->grid.turn, 1) + 8 * (uint64_t)exec->warp_count;
}

bool sim_fast_forward_may(const SimFastForward *forward, const SimExec *exec, uint64_t turn) {
  if (forward->going) return true;
  if (forward->failed || !exec->grid.turn || turn <= exec->grid.turn + 1 || !is_fresh(exec) || !sim_may_part(exec))
    return false;
  return exec->program->options.threads > 1 || (turn - exec->grid.turn) * mean_cost(exec) >= WORTH_IT;
}

static bool begin(SimFastForward *forward, SimExec *exec) {
  forward->hooks = exec->hooks;
  forward->checks = exec->checks;
  forward->stretch = FIRST_STRETCH;
  forward->going = true;
  exec->hooks = NULL;
  exec->checks &= ~(uint32_t)SIM_CHECK_RACE;
  sim_ownership_new(exec);
  return sim_crew_new(exec);
}

void sim_fast_forward_end(SimFastForward *forward, SimExec *exec) {
  if (!forward->going) return;
  sim_crew_free(exec);
  sim_ownership_free(exec);
  exec->hooks = forward->hooks;
  exec->checks = forward->checks;
  forward->going = false;
}

// As long as one look at the clock is worth.
static void adapt(SimFastForward *forward, double seconds, double patience) {
  if (seconds < patience / 4 && forward->stretch < MOST_STRETCH) forward->stretch *= 2;
  else if (seconds > patience / 2 && forward->stretch > 1) forward->stretch /= 2;
}

SimFastForwardEnd sim_fast_forward_to(SimFastForward *forward, SimExec *exec, uint64_t turn, double patience,
                                      double deadline) {
  bool ok = forward->going || begin(forward, exec);
  while (ok && exec->grid.turn < turn) {
    double start = ls_clock();
    if (patience > 0 && start > deadline) return SIM_FAST_FORWARD_LATE;
    uint32_t first = (uint32_t)exec->grid.turn, left = (uint32_t)(turn - first);
    uint32_t end = patience > 0 ? first + LS_MIN(left, forward->stretch) : first + left;
    ok = sim_crew_run(exec, first, end, exec->program->options.unit) == end;
    adapt(forward, ls_clock() - start, patience);
  }
  sim_fast_forward_end(forward, exec);
  forward->failed = !ok;
  return ok ? SIM_FAST_FORWARD_THERE : SIM_FAST_FORWARD_FAILED;
}
