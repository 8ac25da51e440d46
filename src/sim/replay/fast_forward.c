// fast_forward.c: the blocks on the way of a replay, of which only what they leave in memory matters.
//
// They run on several threads (parallel.c), without the eyes of a replay and without looking for races. If one of them
// depends on another, what they left is worth nothing: the replay starts over and goes block by block from then on.
#include "sim/core/ownership.h"
#include "sim/grid/parallel.h"
#include "sim/grid/units.h"
#include "sim/replay/replay.h"
#include "base/clock.h"

enum { WORTH_IT = 100000, FIRST_STRETCH = 64 };   // warp instructions; blocks
static const uint32_t MOST_STRETCH = 1u << 20;

// The running block has done nothing yet, and no block has ever waited for another: visits are blocks.
static bool is_fresh(const SimExec *exec) {
  const SimGrid *g = &exec->grid;
  return !g->count && g->visit + 1 == g->begun && !exec->block.events && !exec->block.executed;
}

static uint64_t mean_cost(const SimExec *exec) {
  return exec->executed / LS_MAX(exec->grid.visit, 1) + 8 * (uint64_t)exec->warp_count;
}

bool sim_pass_may(const SimPass *pass, const SimExec *exec, uint64_t visit) {
  if (pass->going) return true;
  if (pass->in_vain || !exec->grid.visit || visit <= exec->grid.visit + 1 || !is_fresh(exec) || !sim_may_part(exec))
    return false;
  return exec->program->options.threads > 1 || (visit - exec->grid.visit) * mean_cost(exec) >= WORTH_IT;
}

static bool begin(SimPass *pass, SimExec *exec) {
  pass->hooks = exec->hooks;
  pass->checks = exec->checks;
  pass->stretch = FIRST_STRETCH;
  pass->going = true;
  exec->hooks = NULL;
  exec->checks &= ~(uint32_t)SIM_CHECK_RACE;
  sim_claims_new(exec);
  return sim_crew_new(exec);
}

void sim_pass_end(SimPass *pass, SimExec *exec) {
  if (!pass->going) return;
  sim_crew_free(exec);
  sim_claims_free(exec);
  exec->hooks = pass->hooks;
  exec->checks = pass->checks;
  pass->going = false;
}

// As long as one look at the clock is worth.
static void adapt(SimPass *pass, double seconds, double patience) {
  if (seconds < patience / 4 && pass->stretch < MOST_STRETCH) pass->stretch *= 2;
  else if (seconds > patience / 2 && pass->stretch > 1) pass->stretch /= 2;
}

SimPassEnd sim_pass_on(SimPass *pass, SimExec *exec, uint64_t visit, double patience, double deadline) {
  bool ok = pass->going || begin(pass, exec);
  while (ok && exec->grid.visit < visit) {
    double start = ls_clock();
    if (patience > 0 && start > deadline) return SIM_PASS_LATE;
    uint32_t first = (uint32_t)exec->grid.visit, left = (uint32_t)(visit - first);
    uint32_t end = patience > 0 ? first + LS_MIN(left, pass->stretch) : first + left;
    ok = sim_crew_run(exec, first, end, sim_unit_blocks(exec, first, end - first)) == end;
    adapt(pass, ls_clock() - start, patience);
  }
  sim_pass_end(pass, exec);
  pass->in_vain = !ok;
  return ok ? SIM_PASS_THERE : SIM_PASS_IN_VAIN;
}
