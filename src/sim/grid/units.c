// units.c: the blocks of a grid, in order: all on this thread, or in units that several threads run (parallel.c).
//
// A unit is a few blocks that come one after the other, about half a millisecond of them. The grid is gone through in
// stretches, each up to 15 times as long as all before: what the blocks so far have cost says how long the units of the
// next stretch are, and whether it is worth the trouble of other threads. Units do not depend on how many threads
// there are, so neither does a trace, of which every unit ends a chunk.
//
// The first blocks run on this thread and claim what they use (ownership.c), as later ones on other threads do. When
// anything comes up that only blocks in order can settle, all is forgotten but what the sink has been told, and the
// launch begins again on this thread, silently up to there.
#include "sim/internal.h"

enum { GROWTH = 15, UNIT_COST = 16384, LEAST_UNIT_COST = 4096, CREW_COST = 100000, UNIT_EVENTS = 32768, TRIED = 16 };

// ---- the plan ------------------------------------------------------------------------------------------------------

// What a block costs on average, in warp instructions.
static uint64_t mean_cost(const Sim *sim, uint32_t done) {
  return (sim->executed + 1) / done + 8 * (uint64_t)sim->warp_count;
}

static uint32_t blocks_for(uint64_t wanted, uint64_t each) {
  return (uint32_t)LS_MIN((wanted + each - 1) / LS_MAX(each, 1), 1u << 30);
}

// Blocks of a unit: no more than makes 64 units, but enough to be worth telling of, and to fill a chunk of a trace.
uint32_t sim_unit_blocks(const Sim *sim, uint32_t done, uint32_t stretch) {
  if (sim->options.unit || !done) return LS_MAX(sim->options.unit, 1);
  uint64_t cost = mean_cost(sim, done), events = sim->step / done;
  uint32_t unit = LS_MIN(blocks_for(UNIT_COST, cost), stretch / 64);
  unit = LS_MAX(unit, blocks_for(LEAST_UNIT_COST, cost));
  if (events) unit = LS_MAX(unit, LS_MIN(blocks_for(UNIT_EVENTS, events), stretch / 8));
  return LS_MAX(unit, 1);
}

// Where the budget ends is up to one thread: it would have to do all again.
static bool will_exceed_budget(const Sim *sim, uint32_t done, uint32_t blocks) {
  return (double)blocks * ((double)sim->executed / done + (double)sim_block_cost(sim)) > (double)sim->options.budget;
}

// A block had to wait for another.
static bool has_waited(const Sim *sim) { return sim->grid.count || sim->grid.visit != sim->grid.begun; }

// True once it is worth it. False for good if nothing is claimed any more.
static bool wants_crew(Sim *sim, uint32_t done, uint32_t blocks, uint32_t stretch) {
  if (!sim->claimant || !done) return false;
  uint64_t cost = mean_cost(sim, done);
  bool is_long = sim->options.threads > 1 || stretch * cost >= CREW_COST / 2;
  bool is_short = !sim->crew && !is_long && done >= TRIED && (blocks - done) * cost < CREW_COST;
  if (sim->fault_count || has_waited(sim) || is_short || (done >= TRIED && will_exceed_budget(sim, done, blocks))) {
    sim_crew_free(sim);
    sim_claims_free(sim);
    sim->thread_total = 1;
    return false;
  }
  return sim->crew || (is_long && sim_crew_new(sim));
}

// ---- running -------------------------------------------------------------------------------------------------------

// Until all blocks before `end` have begun. With those that wait for others, the blocks after them may be part of a unit.
static void run_here(Sim *sim, uint32_t first, uint32_t end, uint32_t unit) {
  const SimGrid *g = &sim->grid;
  while (g->begun < end && !sim->stopping && sim_grid_next(sim)) {
    sim_visit_block(sim);
    bool is_end = !g->count && ((g->begun - first) % unit == 0 || g->begun == end);
    if (is_end && sim->sink && sim->sink->cut) sim->sink->cut(sim->sink);
  }
}

// The launch once more up to where the sink stands, on this thread, and nobody listens.
static void begin_again(Sim *sim, uint32_t done) {
  TraceSink *sink = sim->sink;
  uint64_t step = sim->step;
  sim_crew_free(sim);
  sim_claims_free(sim);
  sim_memory_reset(sim);
  sim_output_free(&sim->output);
  sim_run_start(sim, NULL);
  while (sim->grid.begun < done && !sim->stopping && sim_grid_next(sim)) sim_visit_block(sim);
  sim->sink = sink;
  sim->step = step;
}

void sim_run_units(Sim *sim) {
  uint32_t blocks = (uint32_t)launch_blocks(sim->launch), done = 0;
  if (sim_may_part(sim)) sim_claims_new(sim);
  while (done < blocks && !sim->stopping) {
    uint32_t stretch = (uint32_t)LS_MIN(blocks - done, done ? (uint64_t)done * GROWTH : 1);
    uint32_t end = done + stretch, unit = sim_unit_blocks(sim, done, stretch);
    bool together = wants_crew(sim, done, blocks, stretch);
    uint32_t from = together ? sim_crew_run(sim, done, end, unit) : done;
    if (together && from < end && !sim->stopping) begin_again(sim, from);
    run_here(sim, from, end, unit);
    done = end;
  }
  sim_crew_free(sim);
  sim_claims_free(sim);
  while (!sim->stopping && sim_grid_next(sim)) sim_visit_block(sim);   // those that waited
}
