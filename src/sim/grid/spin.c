// spin.c: lanes that go round for ever: they come to the same jump back with the same registers while no memory changes.
//
// After some turns in which nothing happens, everybody is watched for a round. Lanes that wait for lanes that spin are let go
// (its); if everybody spins, that is a livelock. A warp whose lanes wait at a convergence barrier is watched by itself.
#include "sim/grid/spin.h"
#include "sim/check/fault.h"
#include "sim/core/sched.h"
#include "sim/core/slots.h"
#include "sim/grid/block_wait.h"

// A group that comes to the same jump with the same registers while no memory has changed will come there for ever.
void sim_spin_branch(SimExec *exec) {
  SimBlock *b = &exec->block;
  if (!b->watching || (b->watching_warp && b->wait.looked)) { sim_wait_branch(exec); return; }
  if (b->watch_pc >= 0 && b->watch_pc != exec->pc) return;
  if (b->watch_pc < 0) b->watch_count = 0;
  if (b->watch_count > 200) return;
  uint64_t hash = sim_hash_registers(exec);
  if (b->watch_pc == exec->pc && hash == b->watch_hash && b->watch_changes == b->changes) {
    exec->warp->spinning |= exec->active;
    if (b->watching_warp) sim_end_turn(b);   // that is all there was to see
    return;
  }
  // Kept for a power of two of comings, so that longer cycles are found too.
  if (b->watch_pc < 0 || (b->watch_count & (b->watch_count - 1)) == 0) {
    b->watch_pc = exec->pc;
    b->watch_hash = hash;
    b->watch_changes = b->changes;
  }
  b->watch_count++;
}

// After a round of watching: true if everybody who can run spins for ever.
static bool all_spin(SimExec *exec) {
  bool any = false;
  for (int k = 0; k < exec->warp_count; k++) {
    uint32_t lanes = sim_lanes_that_could_run(exec, &exec->warps[k]);
    if (lanes & ~exec->warps[k].spinning) return false;
    any |= lanes != 0;
  }
  return any;
}

void sim_spin_round_start(SimExec *exec) {
  if (exec->block.idle_turns < exec->block.watch_at) return;
  exec->block.watching = exec->block.alert = true;
  exec->block.round_changes = exec->block.changes;
  for (int k = 0; k < exec->warp_count; k++) exec->warps[k].spinning = 0;
}

enum { FIRST_WATCH = 256, FIRST_WATCH_OF_PROBE = 8, LONG_AGO = 1 << 14 };   // turns

// Lanes that wait and count in memory how often they looked do change something. Blocks make progress side by side, so
// another one has its turn after a long time; soon in code that counts for whoever brings the memory (SimOptions.mappings).
static bool gives_way(SimExec *exec) {
  const SimBlock *b = &exec->block;
  if (b->changes == b->round_changes) return sim_wait_give_way(exec, all_spin(exec));
  return (exec->program->options.mapping_count || b->watch_at >= LONG_AGO) && sim_wait_give_way(exec, false);
}

void sim_spin_round_end(SimExec *exec) {
  SimBlock *b = &exec->block;
  if (!b->watching) return;
  b->watching = false;
  b->idle_turns = 0;
  if (gives_way(exec)) return;
  bool released = false;
  for (int k = 0; k < exec->warp_count && exec->sched == SIM_ITS; k++)
    if (exec->warps[k].spinning) released |= sim_sched_release(&exec->warps[k], exec->warps[k].spinning);
  if (!released && b->changes == b->round_changes && all_spin(exec)) sim_fault_livelock(exec);
  b->watch_at = released ? b->watch_at : b->watch_at * 2;
}

// Lanes that wait at a convergence barrier for lanes that spin: if these wait for the others in turn, nobody waits.
static bool has_parked(const SimWarp *w) {
  for (int c = 0; c < w->conv_count; c++) if (w->convs[c].arrived) return true;
  return false;
}

void sim_spin_turn_look(SimExec *exec) {
  SimWarp *w = exec->warp;
  bool due = !(w->turns & (w->turns - 1));
  if (exec->sched != SIM_ITS || exec->block.watching || !due || !has_parked(w)) return;
  exec->block.watching = exec->block.watching_warp = true;
  w->spinning = 0;
}

static void watch_warp_end(SimExec *exec) {
  if (!exec->block.watching_warp) return;
  exec->block.watching = exec->block.watching_warp = false;
  if (!exec->warp->spinning || !sim_sched_release(exec->warp, exec->warp->spinning)) return;
  exec->warp->let_go = true;   // it may be another warp that they wait for
  exec->warp->turns = 0;
}

enum { PATIENCE = 256, LITTLE_PATIENCE = 4 };   // turns

// Lanes that spin on memory and count their rounds never come to the same place with the same registers, so nobody can
// tell that they wait. Who waits for them at a convergence barrier goes on alone after a long time: every lane makes progress. Lanes
// that only compute are waited for.
static void make_progress(SimExec *exec) {
  SimWarp *w = exec->warp;
  if (exec->sched != SIM_ITS || !w->turns) { w->strong_turns = 0; return; }
  w->strong_turns += exec->block.charged != exec->block.turn_charged;
  if (w->strong_turns < (w->impatient ? LITTLE_PATIENCE : PATIENCE) || !has_parked(w)) return;
  if (!sim_sched_release(w, sim_lanes_that_could_run(exec, w))) return;
  w->impatient = w->let_go = true;
  w->turns = w->strong_turns = 0;
}

void sim_spin_turn_judge(SimExec *exec) {
  watch_warp_end(exec);
  make_progress(exec);
}

uint64_t sim_spin_first(const SimProgram *program) {
  return program->options.mapping_count ? FIRST_WATCH_OF_PROBE : FIRST_WATCH;
}
