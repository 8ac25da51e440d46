// run.c: the executor: instructions of a group, turns of warps, blocks, the grid.
#include "sim/internal.h"

// ---- events --------------------------------------------------------------------------------------------------------

TraceEvent *sim_event(Sim *sim, const SimInst *inst, uint32_t mask) {
  TraceEvent *e = &sim->event;
  memset(e, 0, sizeof *e);
  e->step = sim->step;
  e->block = sim->block.number;
  e->warp = (uint16_t)sim_warp_index(sim);
  e->kind = inst->kind;
  e->pc = sim->pc;
  e->active = sim->active;
  e->mask = mask;
  e->target = e->reconverge = e->fault = -1;
  if (sim->group->joined) {
    e->flags = TRACE_RECONVERGES;
    sim->group->joined = false;
  }
  return e;
}

void sim_emit(Sim *sim) {
  TraceSink *sink = sim->sink;
  sim->block.events++;
  if (!sink) return;
  if (sink->access && sim->event.kind != TRACE_EXEC) sink->access(sink, &sim->event);
  if (!sim->recording) return;
  if (sim->block.aside) { sim_aside_event(sim); return; }
  if (sink->event) sink->event(sink, &sim->event);
  sim->step++;
}

static void tell_exec(Sim *sim, const SimInst *inst, uint32_t mask) {
  sim_event(sim, inst, mask);
  sim_emit(sim);
}

// ---- instructions --------------------------------------------------------------------------------------------------

// Straight lines are counted where they start and end; sums over these differences count every instruction.
static void count_line(Sim *sim, int32_t pc, int n) {
  sim->run_warps[pc]++;
  sim->run_warps[pc + n]--;
  sim->run_lanes[pc] += sim->active_count;
  sim->run_lanes[pc + n] -= sim->active_count;
}

static void advance(Sim *sim, int n) {
  SimBlock *b = &sim->block;
  b->left -= n;
  b->slice -= n;
  b->executed += (uint64_t)n;
}

// Replays know which lanes ever wrote a register.
static void note_written(Sim *sim, int32_t pc, uint32_t mask) {
  const SimDests *dests = &sim->hooks->dests[pc];
  uint32_t *written = sim->hooks->written + (size_t)sim_warp_index(sim) * (size_t)sim->hooks->written_count;
  for (int i = 0; i < dests->count; i++) written[dests->regs[i]] |= mask;
}

static void run_line(Sim *sim, const SimInst *in) {
  SimBlock *b = &sim->block;
  int n = LS_MIN((int)in->run, b->left);
  if (sim->hooks && (uint64_t)n > sim->hooks->stop_at - b->events) n = (int)(sim->hooks->stop_at - b->events);
  count_line(sim, sim->pc, n);
  advance(sim, n);
  uint8_t *regs = sim->regs;
  uint32_t mask = sim->active;
  if (sim->recording) {
    for (int i = 0; i < n; i++, in++, sim->pc++) {
      in->op.run(regs, &in->op, mask);
      if (sim->hooks) note_written(sim, sim->pc, mask);
      tell_exec(sim, in, mask);
    }
    return;
  }
  for (const SimInst *end = in + n; in < end; in++) in->op.run(regs, &in->op, mask);
  for (int i = 0; i < n && sim->hooks; i++) note_written(sim, sim->pc + i, mask);
  b->events += (uint64_t)n;
  sim->pc += n;
}

// A guard that holds for no lane: the warp passes the instruction.
static SimNext pass(Sim *sim, const SimInst *in) {
  if (in->kind == TRACE_EXEC ? sim->recording : sim_wants_event(sim)) tell_exec(sim, in, 0);
  else sim_skip_event(sim);
  sim->pc++;
  return SIM_GO;
}

static SimNext run_plain(Sim *sim, const SimInst *in, uint32_t mask) {
  in->op.run(sim->regs, &in->op, mask);
  if (sim->recording) tell_exec(sim, in, mask); else sim_skip_event(sim);
  sim->pc++;
  return SIM_GO;
}

static SimNext run_one(Sim *sim, const SimInst *in) {
  uint32_t mask = sim->active;
  if (in->guard != SIM_NO_SLOT) {
    uint32_t p = sim_pred(sim->regs, in->guard);
    mask &= in->guard_negate ? ~p : p;
  }
  int32_t pc = sim->pc;
  int active = sim->active_count;
  sim->wrote = mask;
  SimNext next;
  if (!mask && in->kind != TRACE_BRANCH) next = pass(sim, in);
  else next = in->exec ? in->exec(sim, in, mask) : run_plain(sim, in, mask);
  if (next == SIM_WAIT) return next;
  if (sim->hooks) note_written(sim, pc, sim->wrote);
  sim->tally_warps[pc]++;
  sim->tally_lanes[pc] += (uint64_t)(in->kind == TRACE_BRANCH ? active : sim_popcount(sim->wrote));
  advance(sim, 1);
  return next;
}

// ---- lanes that run apart ------------------------------------------------------------------------------------------

static bool is_straight(const SimInst *in) { return !in->exec || in->exec == sim_exec_mem; }

// With a seed, lanes may run apart from one access to memory on up to where something holds them together: a branch, a
// barrier, an operation of the warp. Without __syncwarp() nothing promises that they do not.
static bool part_lanes(Sim *sim, const SimInst *in) {
  if (in->exec != sim_exec_mem || sim->active_count < 2 || sim_random(sim) % 4) return false;
  int32_t end = sim->pc + 1;
  bool another = false;
  for (; end != sim->stop_pc && is_straight(&sim->code[end]); end++) another |= sim->code[end].exec != NULL;
  uint32_t some = sim->active & (uint32_t)sim_random(sim);
  if (!another || !some || some == sim->active) return false;
  sim_sched_split(sim, some, sim->pc, sim->pc, end);
  return true;
}

static bool must_stop(const Sim *sim) {
  return sim->stopping || (sim->hooks && sim->block.events >= sim->hooks->stop_at);
}

// Runs the picked group until it waits, parts, ends, or its slice is used up. True if it was stopped before that.
static bool run_group(Sim *sim) {
  SimBlock *b = &sim->block;
  bool may_part = sim->options.seed && sim->options.sched == SIM_ITS;
  while (b->left > 0 && (sim->alone || b->slice > 0)) {
    if (sim->pc == sim->stop_pc) {
      if (sim_sched_arrive(sim)) return false;
      continue;
    }
    if (must_stop(sim)) return true;
    const SimInst *in = &sim->code[sim->pc];
    if (may_part && part_lanes(sim, in)) return false;
    if (in->run) run_line(sim, in);
    else if (run_one(sim, in) != SIM_GO) return false;
  }
  return false;
}

// ---- spinning ------------------------------------------------------------------------------------------------------

uint64_t sim_hash_registers(const Sim *sim) {
  uint64_t hash = 0xcbf29ce484222325ull;
  for (uint32_t at = 0; at + 8 <= sim->clear_bytes; at += 8) {
    uint64_t word;
    memcpy(&word, sim->regs + at, sizeof word);
    hash = (hash ^ word) * 0x100000001b3ull;
    hash ^= hash >> 29;
  }
  return hash;
}

// A group that comes to the same jump with the same registers while no memory has changed will come there for ever.
void sim_watch_branch(Sim *sim) {
  SimBlock *b = &sim->block;
  if (!b->watching || (b->watching_warp && b->wait.looked)) { sim_wait_branch(sim); return; }
  if (b->watch_pc >= 0 && b->watch_pc != sim->pc) return;
  if (b->watch_pc < 0) b->watch_count = 0;
  if (b->watch_count > 200) return;
  uint64_t hash = sim_hash_registers(sim);
  if (b->watch_pc == sim->pc && hash == b->watch_hash && b->watch_changes == b->changes) {
    sim->warp->spinning |= sim->active;
    if (b->watching_warp) b->left = 0;   // that is all there was to see
    return;
  }
  // Kept for a power of two of comings, so that longer cycles are found too.
  if (b->watch_pc < 0 || (b->watch_count & (b->watch_count - 1)) == 0) {
    b->watch_pc = sim->pc;
    b->watch_hash = hash;
    b->watch_changes = b->changes;
  }
  b->watch_count++;
}

uint32_t sim_lanes_that_could_run(const Sim *sim, const SimWarp *w) {
  uint32_t lanes = 0;
  int first = sim->options.sched == SIM_STACK ? LS_MAX(w->group_count - 1, 0) : 0;
  for (int i = first; i < w->group_count; i++) if (w->groups[i].state == SIM_GROUP_RUN) lanes |= w->groups[i].mask;
  return lanes;
}

// After a round of watching: true if everybody who can run spins for ever.
static bool all_spin(Sim *sim) {
  bool any = false;
  for (int k = 0; k < sim->warp_count; k++) {
    uint32_t lanes = sim_lanes_that_could_run(sim, &sim->warps[k]);
    if (lanes & ~sim->warps[k].spinning) return false;
    any |= lanes != 0;
  }
  return any;
}

static void watch_start(Sim *sim) {
  sim->block.watching = sim->block.alert = true;
  sim->block.round_changes = sim->block.changes;
  for (int k = 0; k < sim->warp_count; k++) sim->warps[k].spinning = 0;
}

enum { FIRST_WATCH = 256, FIRST_WATCH_OF_PROBE = 8, LONG_AGO = 1 << 14 };   // turns

// Lanes that wait and count in memory how often they looked do change something. Blocks make progress side by side, so another one
// has its turn after a long time; soon in code that counts for whoever brings the memory (SimOptions.memory).
static bool gives_way(Sim *sim) {
  const SimBlock *b = &sim->block;
  if (b->changes == b->round_changes) return sim_wait_give_way(sim, all_spin(sim));
  return (sim->options.memory_count || b->watch_at >= LONG_AGO) && sim_wait_give_way(sim, false);
}

static void watch_end(Sim *sim) {
  SimBlock *b = &sim->block;
  b->watching = false;
  b->idle_turns = 0;
  if (gives_way(sim)) return;
  bool released = false;
  for (int k = 0; k < sim->warp_count && sim->options.sched == SIM_ITS; k++)
    if (sim->warps[k].spinning) released |= sim_sched_release(&sim->warps[k], sim->warps[k].spinning);
  if (!released && b->changes == b->round_changes && all_spin(sim)) sim_fault_livelock(sim);
  b->watch_at = released ? b->watch_at : b->watch_at * 2;
}

// Lanes that wait at a convergence barrier for lanes that spin: if these wait for the others in turn, nobody waits.
static bool has_parked(const SimWarp *w) {
  for (int c = 0; c < w->conv_count; c++) if (w->convs[c].arrived) return true;
  return false;
}

static void watch_warp_start(Sim *sim) {
  SimWarp *w = sim->warp;
  bool due = w->turns && !(w->turns & (w->turns - 1));
  if (sim->options.sched != SIM_ITS || sim->block.watching || !due || !has_parked(w)) return;
  sim->block.watching = sim->block.watching_warp = true;
  w->spinning = 0;
}

static void watch_warp_end(Sim *sim) {
  if (!sim->block.watching_warp) return;
  sim->block.watching = sim->block.watching_warp = false;
  if (!sim->warp->spinning || !sim_sched_release(sim->warp, sim->warp->spinning)) return;
  sim->warp->let_go = true;   // it may be another warp that they wait for
  sim->warp->turns = 0;
}

enum { PATIENCE = 256, LITTLE_PATIENCE = 4 };   // turns

// Lanes that spin on memory and count their rounds never come to the same place with the same registers, so nobody can tell that
// they wait. Who waits for them at a convergence barrier goes on alone after a long time: every lane makes progress. Lanes
// that only compute are waited for.
static void make_progress(Sim *sim) {
  SimWarp *w = sim->warp;
  if (sim->options.sched != SIM_ITS || !w->turns) { w->strong_turns = 0; return; }
  w->strong_turns += sim->block.charged != sim->block.turn_charged;
  if (w->strong_turns < (w->impatient ? LITTLE_PATIENCE : PATIENCE) || !has_parked(w)) return;
  if (!sim_sched_release(w, sim_lanes_that_could_run(sim, w))) return;
  w->impatient = w->let_go = true;
  w->turns = w->strong_turns = 0;
}

// ---- turns ---------------------------------------------------------------------------------------------------------

void sim_poll(Sim *sim) {
  sim->poll_at = sim->executed + sim->block.executed + 65536;
  if (sim->options.cancel && atomic_load_explicit(sim->options.cancel, memory_order_relaxed))
    sim->stopping = sim->canceled = true;
  sim_progress(sim, sim->grid.ended, false);
}

// Starting a block clears its memory; a grid of nothing but starts has to end too.
uint64_t sim_block_cost(const Sim *sim) {
  return 32 * (uint64_t)sim->warp_count + (sim->shared_bytes + sim->local_bytes * (uint64_t)sim->warp_count * SIM_LANES) / 256;
}

static void turn_start(Sim *sim) {
  SimBlock *b = &sim->block;
  uint64_t used = sim->executed + b->executed, turn = SIM_TURN,
           spent = used + b->charged + (sim->grid.begun - 1) * sim_block_cost(sim);
  if (sim->options.seed && !b->watching && sim->warp->turns < 8) turn = 1 + sim_random(sim) % 512;
  if (spent >= sim->options.budget) { sim_fault_budget(sim); return; }
  if (sim->crew && sim->options.budget - spent < turn) { sim_give_up(sim); return; }   // the turn would be shorter
  b->left = (int32_t)LS_MIN(turn, sim->options.budget - spent);
  b->turn_charged = b->charged;
  watch_warp_start(sim);
  sim_wait_turn_start(sim);
  b->in_turn = true;
  if (used >= sim->poll_at) sim_poll(sim);
}

// One warp's turn. False: the run stops here (the turn may be taken up again).
static bool run_turn(Sim *sim, int warp) {
  SimBlock *b = &sim->block;
  sim->warp = &sim->warps[warp];
  sim->regs = sim->files + (size_t)warp * sim->file_bytes;
  if (!sim->warp->group_count && !b->in_turn) return true;
  if (!b->in_turn) turn_start(sim);
  uint64_t before = b->executed;
  while (b->left > 0 && !sim->stopping && sim_sched_pick(sim)) {
    b->resume = run_group(sim);
    sim_sched_leave(sim);
    b->round_progress |= b->executed != before;
    if (must_stop(sim)) return false;
  }
  if (b->left <= 0 && !b->wait.yielded) { b->idle_turns++; sim->warp->turns++; }
  watch_warp_end(sim);
  make_progress(sim);
  sim_wait_turn_end(sim);
  b->in_turn = false;
  return !sim->stopping;
}

static void round_start(Sim *sim) {
  SimBlock *b = &sim->block;
  for (int i = 0; i < sim->warp_count; i++) b->order[i] = (uint32_t)i;
  for (int i = sim->warp_count - 1; sim->options.seed && i > 0; i--) {
    int j = (int)(sim_random(sim) % (unsigned)(i + 1));
    uint32_t other = b->order[j];
    b->order[j] = b->order[i];
    b->order[i] = other;
  }
  b->turn = 0;
  b->round_progress = false;
  b->in_round = true;
  if (b->idle_turns >= b->watch_at) watch_start(sim);
  sim_wait_round_start(sim);
}

static bool anybody_lives(const Sim *sim) {
  for (int k = 0; k < sim->warp_count; k++) if (sim->warps[k].live) return true;
  return false;
}

bool sim_block_go(Sim *sim) {
  SimBlock *b = &sim->block;
  if (b->wait.hopeless) sim_fault_livelock(sim);
  for (; !sim->stopping;) {
    if (!b->in_round) round_start(sim);
    for (; b->turn < sim->warp_count; b->turn++)
      if (!run_turn(sim, (int)b->order[b->turn])) return false;
    b->in_round = false;
    if (!anybody_lives(sim)) return true;
    if (b->watching) watch_end(sim);
    if (sim_wait_round_end(sim)) return false;
    if (!b->round_progress && !sim_sync_force(sim)) sim_fault_deadlock(sim);
  }
  return false;
}

// ---- blocks --------------------------------------------------------------------------------------------------------

static uint32_t lanes_of_warp(const Sim *sim, int warp) {
  uint32_t left = sim->thread_count - (uint32_t)warp * SIM_LANES;
  return left >= SIM_LANES ? SIM_FULL : (1u << left) - 1;
}

void sim_block_start(Sim *sim, uint32_t block) {
  const uint32_t *grid = sim->launch->grid;
  uint32_t epoch = sim->block.epoch;
  if (sim->hooks)
    memset(sim->hooks->written, 0, sizeof(uint32_t) * (size_t)sim->hooks->written_count * (size_t)sim->warp_count);
  sim->block = (SimBlock){.number = block,
                          .index = {block % grid[0], block / grid[0] % grid[1], block / grid[0] / grid[1]},
                          .random = sim->options.seed * 0x9e3779b97f4a7c15ull + block,
                          .epoch = epoch,
                          .watch_at = sim->options.memory_count ? FIRST_WATCH_OF_PROBE : FIRST_WATCH,
                          .aside = sim->grid.count > 0};
  sim->group = NULL;
  for (int k = 0; k < sim->warp_count; k++) {
    sim_sched_start(sim, k, lanes_of_warp(sim, k), sim->module->funcs[sim->entry].first);
    sim_slots_fill_block(sim, k);
  }
  memset(sim->shared, 0, sim->shared_bytes);
  memset(sim->local, 0, sim->local_bytes * (uint64_t)sim->warp_count * SIM_LANES);
  if (sim->options.checks & SIM_CHECK_INIT) {
    memset(sim->shared_init, 0, sim->shared_bytes);
    memset(sim->local_init, 0, sim->local_bytes * (uint64_t)sim->warp_count * SIM_LANES);
  }
  if (sim->has_calls) {
    memset(sim->lane_params, 0, sim->lane_param_bytes * (uint64_t)sim->warp_count * SIM_LANES);
    for (int i = 0; i < sim->warp_count * SIM_LANES; i++) {
      sim->frames[i] = (uint32_t)sim->stack_first;
      sim->stack_tops[i] = (uint32_t)sim->stack_first;
    }
  }
  if (sim->options.checks & SIM_CHECK_RACE) sim_shadow_start(sim);
  sim_pending_block(sim);
}
