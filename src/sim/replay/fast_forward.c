// fast_forward.c: the blocks on the way of a replay, of which only what they leave in memory matters.
//
// They run on several threads (parallel.c), without the eyes of a replay and without looking for races. If one of them
// depends on another, what they left is worth nothing: the replay starts over and goes block by block from then on.
#include "sim/replay/replay.h"

enum { WORTH_IT = 100000, FIRST_STRETCH = 64 };   // warp instructions; blocks
static const uint32_t MOST_STRETCH = 1u << 20;

// The running block has done nothing yet, and no block has ever waited for another: visits are blocks.
static bool is_fresh(const Sim *sim) {
  const SimGrid *g = &sim->grid;
  return !g->count && g->visit + 1 == g->begun && !sim->block.events && !sim->block.executed;
}

static uint64_t mean_cost(const Sim *sim) { return sim->executed / LS_MAX(sim->grid.visit, 1) + 8 * (uint64_t)sim->warp_count; }

bool sim_pass_may(const SimPass *pass, const Sim *sim, uint64_t visit) {
  if (pass->going) return true;
  if (pass->in_vain || !sim->grid.visit || visit <= sim->grid.visit + 1 || !is_fresh(sim) || !sim_may_part(sim)) return false;
  return sim->options.threads > 1 || (visit - sim->grid.visit) * mean_cost(sim) >= WORTH_IT;
}

static bool begin(SimPass *pass, Sim *sim) {
  pass->hooks = sim->hooks;
  pass->checks = sim->options.checks;
  pass->stretch = FIRST_STRETCH;
  pass->going = true;
  sim->hooks = NULL;
  sim->options.checks &= ~(uint32_t)SIM_CHECK_RACE;
  sim_claims_new(sim);
  return sim_crew_new(sim);
}

void sim_pass_end(SimPass *pass, Sim *sim) {
  if (!pass->going) return;
  sim_crew_free(sim);
  sim_claims_free(sim);
  sim->hooks = pass->hooks;
  sim->options.checks = pass->checks;
  pass->going = false;
}

// As long as one look at the clock is worth.
static void adapt(SimPass *pass, double seconds, double patience) {
  if (seconds < patience / 4 && pass->stretch < MOST_STRETCH) pass->stretch *= 2;
  else if (seconds > patience / 2 && pass->stretch > 1) pass->stretch /= 2;
}

SimPassEnd sim_pass_on(SimPass *pass, Sim *sim, uint64_t visit, double patience, double deadline) {
  bool ok = pass->going || begin(pass, sim);
  while (ok && sim->grid.visit < visit) {
    double start = sim_replay_now();
    if (patience > 0 && start > deadline) return SIM_PASS_LATE;
    uint32_t first = (uint32_t)sim->grid.visit, left = (uint32_t)(visit - first);
    uint32_t end = patience > 0 ? first + LS_MIN(left, pass->stretch) : first + left;
    ok = sim_crew_run(sim, first, end, sim_unit_blocks(sim, first, end - first)) == end;
    adapt(pass, sim_replay_now() - start, patience);
  }
  sim_pass_end(pass, sim);
  pass->in_vain = !ok;
  return ok ? SIM_PASS_THERE : SIM_PASS_IN_VAIN;
}
