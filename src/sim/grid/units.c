// units.c: the blocks of a grid, in order: all on this thread, or in units that several threads run (parallel.c).
//
// A unit is a few blocks that come one after the other, about half a millisecond of them. The grid is gone through in
// stretches, each up to 15 times as long as all before: what the blocks so far have cost says how long the units of the
// next stretch are, and whether it is worth the trouble of other threads. Units of a trace, of which every one ends a
// chunk, do not depend on how many threads there are. Where nobody sees what the units are, the threads share all the
// rest of the grid as it suits them (parallel.c): at the end of a stretch they would wait for each other.
//
// The first blocks run on this thread and claim what they use (ownership.c), as later ones on other threads do; if the
// number of threads is asked for, others begin at once. When
// anything comes up that only blocks in order can settle, all is forgotten but what the sink has been told, and the
// launch begins again on this thread, silently up to there.
#include "sim/grid/units.h"
#include "sim/check/access_history.h"
#include "sim/check/coverage.h"
#include "sim/core/ownership.h"
#include "sim/core/sums.h"
#include "sim/grid/grid.h"
#include "sim/grid/parallel.h"
#include "sim/grid/run.h"

enum { GROWTH = 15, UNIT_COST = 16384, LEAST_UNIT_COST = 4096, CREW_COST = 100000, UNIT_EVENTS = 32768, TRIED = 16 };

// ---- how long a unit is --------------------------------------------------------------------------------------------

// What a block costs on average, in warp instructions.
static uint64_t mean_cost(const SimExec *exec, uint32_t done) {
  return (exec->executed + 1) / done + 8 * (uint64_t)exec->warp_count;
}

static uint32_t blocks_for(uint64_t wanted, uint64_t each) {
  return (uint32_t)LS_MIN((wanted + each - 1) / LS_MAX(each, 1), 1u << 30);
}

// Blocks of a unit: no more than makes 64 units, but enough to be worth telling of, and to fill a chunk of a trace.
static uint32_t unit_blocks(const SimExec *exec, uint32_t done, uint32_t stretch) {
  if (exec->program->options.unit || !done) return LS_MAX(exec->program->options.unit, 1);
  uint64_t cost = mean_cost(exec, done), events = exec->step / done;
  uint32_t unit = LS_MIN(blocks_for(UNIT_COST, cost), stretch / 64);
  unit = LS_MAX(unit, blocks_for(LEAST_UNIT_COST, cost));
  if (events) unit = LS_MAX(unit, LS_MIN(blocks_for(UNIT_EVENTS, events), stretch / 8));
  return LS_MAX(unit, 1);
}

static bool shows_units(const SimExec *exec) {
  return exec->program->options.unit || (exec->sink && exec->sink->cut);
}

// A block had to wait for another.
static bool has_waited(const SimExec *exec) { return exec->grid.count || exec->grid.turn != exec->grid.begun; }

// True once it is worth it. False for good if nothing is claimed any more.
static bool wants_crew(SimExec *exec, uint32_t done, uint32_t blocks, uint32_t stretch) {
  if (!exec->owner_number) return false;
  if (!done) return exec->program->options.threads > 1 && !shows_units(exec) && sim_crew_new(exec);
  uint64_t cost = mean_cost(exec, done);
  bool is_long = exec->program->options.threads > 1 || stretch * cost >= CREW_COST / 2;
  bool is_short = !exec->crew && !is_long && done >= TRIED && (blocks - done) * cost < CREW_COST;
  if (exec->fault_count || has_waited(exec) || is_short || sim_will_exceed_budget(exec, done)) {
    sim_crew_free(exec);
    sim_ownership_free(exec);
    exec->thread_total = 1;
    return false;
  }
  return exec->crew || (is_long && sim_crew_new(exec));
}

// ---- running -------------------------------------------------------------------------------------------------------

// Until all blocks before `end` have begun. With those that wait for others, the blocks after them may be part of a unit.
static void run_here(SimExec *exec, uint32_t first, uint32_t end, uint32_t unit) {
  const SimGrid *g = &exec->grid;
  while (g->begun < end && !exec->stopping && sim_grid_next(exec)) {
    sim_run_turn(exec);
    bool is_end = !g->count && ((g->begun - first) % unit == 0 || g->begun == end);
    if (!is_end) continue;
    sim_sums_tell(exec);
    if (exec->sink && exec->sink->cut) exec->sink->cut(exec->sink);
  }
}

// The launch once more up to where the sink stands, on this thread, and nobody listens.
static void begin_again(SimExec *exec, uint32_t done) {
  TraceSink *sink = exec->sink;
  uint64_t step = exec->step;
  sim_crew_free(exec);
  sim_ownership_free(exec);
  sim_memory_reset(exec->program, exec->memory);
  sim_history_forget(exec);
  sim_coverage_clear(exec->memory);
  sim_output_free(&exec->output);
  sim_run_start(exec, NULL);
  while (exec->grid.begun < done && !exec->stopping && sim_grid_next(exec)) sim_run_turn(exec);
  sim_sums_forget(exec);
  exec->sink = sink;
  exec->step = step;
}

void sim_run_units(SimExec *exec) {
  uint32_t blocks = (uint32_t)launch_blocks(exec->program->launch), done = 0;
  if (sim_may_part(exec)) sim_ownership_new(exec);
  while (done < blocks && !exec->stopping) {
    uint32_t stretch = (uint32_t)LS_MIN(blocks - done, done ? (uint64_t)done * GROWTH : 1);
    bool together = wants_crew(exec, done, blocks, stretch), rest = together && !shows_units(exec);
    uint32_t end = rest ? blocks : done + stretch, unit = rest ? 0 : unit_blocks(exec, done, stretch);
    uint32_t from = together ? sim_crew_run(exec, done, end, unit) : done;
    if (together && from < end && !exec->stopping) begin_again(exec, from);
    if (!rest) run_here(exec, from, end, unit);
    done = rest ? from : end;   // what the others gave up is gone through like the beginning
  }
  sim_crew_free(exec);
  sim_ownership_free(exec);
  while (!exec->stopping && sim_grid_next(exec)) sim_run_turn(exec);   // those that waited
}
