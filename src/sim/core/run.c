// run.c: the executor: instructions of a group, turns of warps, blocks, the grid.
#include "sim/internal.h"

// ---- events --------------------------------------------------------------------------------------------------------

TraceEvent *sim_event(SimExec *exec, const SimInst *inst, uint32_t mask) {
  TraceEvent *e = &exec->event;
  memset(e, 0, sizeof *e);
  e->step = exec->step;
  e->block = exec->block.number;
  e->warp = (uint16_t)sim_warp_index(exec);
  e->kind = inst->kind;
  e->pc = exec->pc;
  e->active = exec->active;
  e->mask = mask;
  e->target = e->reconverge = e->fault = -1;
  if (exec->group->joined) {
    e->flags = TRACE_RECONVERGES;
    exec->group->joined = false;
  }
  return e;
}

void sim_emit(SimExec *exec) {
  TraceSink *sink = exec->sink;
  exec->block.events++;
  if (!sink) return;
  if (sink->access && exec->event.kind != TRACE_EXEC) sink->access(sink, &exec->event);
  if (!exec->recording) return;
  if (exec->block.aside) { sim_aside_event(exec); return; }
  if (sink->event) sink->event(sink, &exec->event);
  exec->step++;
}

static void tell_exec(SimExec *exec, const SimInst *inst, uint32_t mask) {
  sim_event(exec, inst, mask);
  sim_emit(exec);
}

// ---- instructions --------------------------------------------------------------------------------------------------

// Straight lines are counted where they start and end; sums over these differences count every instruction.
static void count_line(SimExec *exec, int32_t pc, int n) {
  exec->run_warps[pc]++;
  exec->run_warps[pc + n]--;
  exec->run_lanes[pc] += exec->active_count;
  exec->run_lanes[pc + n] -= exec->active_count;
}

static void advance(SimExec *exec, int n) {
  SimBlock *b = &exec->block;
  b->left -= n;
  b->slice -= n;
  b->executed += (uint64_t)n;
}

// Replays know which lanes ever wrote a register.
static void note_written(SimExec *exec, int32_t pc, uint32_t mask) {
  const SimDests *dests = &exec->hooks->dests[pc];
  uint32_t *written = exec->hooks->written + (size_t)sim_warp_index(exec) * (size_t)exec->hooks->written_count;
  for (int i = 0; i < dests->count; i++) written[dests->regs[i]] |= mask;
}

static void run_line(SimExec *exec, const SimInst *in) {
  SimBlock *b = &exec->block;
  int n = LS_MIN((int)in->run, b->left);
  if (exec->hooks && (uint64_t)n > exec->hooks->stop_at - b->events) n = (int)(exec->hooks->stop_at - b->events);
  count_line(exec, exec->pc, n);
  advance(exec, n);
  uint8_t *regs = exec->regs;
  uint32_t mask = exec->active;
  if (exec->recording) {
    for (int i = 0; i < n; i++, in++, exec->pc++) {
      in->op.run(regs, &in->op, mask);
      if (exec->hooks) note_written(exec, exec->pc, mask);
      tell_exec(exec, in, mask);
    }
    return;
  }
  for (const SimInst *end = in + n; in < end; in++) in->op.run(regs, &in->op, mask);
  for (int i = 0; i < n && exec->hooks; i++) note_written(exec, exec->pc + i, mask);
  b->events += (uint64_t)n;
  exec->pc += n;
}

// A guard that holds for no lane: the warp passes the instruction.
static SimNext pass(SimExec *exec, const SimInst *in) {
  if (in->kind == TRACE_EXEC ? exec->recording : sim_wants_event(exec)) tell_exec(exec, in, 0);
  else sim_skip_event(exec);
  exec->pc++;
  return SIM_GO;
}

static SimNext run_plain(SimExec *exec, const SimInst *in, uint32_t mask) {
  in->op.run(exec->regs, &in->op, mask);
  if (exec->recording) tell_exec(exec, in, mask); else sim_skip_event(exec);
  exec->pc++;
  return SIM_GO;
}

static SimNext run_one(SimExec *exec, const SimInst *in) {
  uint32_t mask = exec->active;
  if (in->guard != SIM_NO_SLOT) {
    uint32_t p = sim_pred(exec->regs, in->guard);
    mask &= in->guard_negate ? ~p : p;
  }
  int32_t pc = exec->pc;
  int active = exec->active_count;
  exec->wrote = mask;
  SimNext next;
  if (!mask && in->kind != TRACE_BRANCH) next = pass(exec, in);
  else next = in->handler ? in->handler(exec, in, mask) : run_plain(exec, in, mask);
  if (next == SIM_WAIT) return next;
  if (exec->hooks) note_written(exec, pc, exec->wrote);
  exec->tally_warps[pc]++;
  exec->tally_lanes[pc] += (uint64_t)(in->kind == TRACE_BRANCH ? active : sim_popcount(exec->wrote));
  advance(exec, 1);
  return next;
}

// ---- lanes that run apart ------------------------------------------------------------------------------------------

static bool is_straight(const SimInst *in) { return !in->handler || in->handler == sim_exec_mem; }

// With a seed, lanes may run apart from one access to memory on up to where something holds them together: a branch, a
// barrier, an operation of the warp. Without __syncwarp() nothing promises that they do not.
static bool part_lanes(SimExec *exec, const SimInst *in) {
  if (in->handler != sim_exec_mem || exec->active_count < 2 || sim_random(exec) % 4) return false;
  int32_t end = exec->pc + 1;
  bool another = false;
  for (; end != exec->stop_pc && is_straight(&exec->code[end]); end++) another |= exec->code[end].handler != NULL;
  uint32_t some = exec->active & (uint32_t)sim_random(exec);
  if (!another || !some || some == exec->active) return false;
  sim_sched_split(exec, some, exec->pc, exec->pc, end);
  return true;
}

static bool must_stop(const SimExec *exec) {
  return exec->stopping || (exec->hooks && exec->block.events >= exec->hooks->stop_at);
}

// Runs the picked group until it waits, parts, ends, or its slice is used up. True if it was stopped before that.
static bool run_group(SimExec *exec) {
  SimBlock *b = &exec->block;
  bool may_part = exec->seed && exec->sched == SIM_ITS;
  while (b->left > 0 && (exec->alone || b->slice > 0)) {
    if (exec->pc == exec->stop_pc) {
      if (sim_sched_arrive(exec)) return false;
      continue;
    }
    if (must_stop(exec)) return true;
    const SimInst *in = &exec->code[exec->pc];
    if (may_part && part_lanes(exec, in)) return false;
    if (in->run) run_line(exec, in);
    else if (run_one(exec, in) != SIM_GO) return false;
  }
  return false;
}

// ---- spinning ------------------------------------------------------------------------------------------------------

uint64_t sim_hash_registers(const SimExec *exec) {
  uint64_t hash = 0xcbf29ce484222325ull;
  for (uint32_t at = 0; at + 8 <= exec->program->clear_bytes; at += 8) {
    uint64_t word;
    memcpy(&word, exec->regs + at, sizeof word);
    hash = (hash ^ word) * 0x100000001b3ull;
    hash ^= hash >> 29;
  }
  return hash;
}

// A group that comes to the same jump with the same registers while no memory has changed will come there for ever.
void sim_watch_branch(SimExec *exec) {
  SimBlock *b = &exec->block;
  if (!b->watching || (b->watching_warp && b->wait.looked)) { sim_wait_branch(exec); return; }
  if (b->watch_pc >= 0 && b->watch_pc != exec->pc) return;
  if (b->watch_pc < 0) b->watch_count = 0;
  if (b->watch_count > 200) return;
  uint64_t hash = sim_hash_registers(exec);
  if (b->watch_pc == exec->pc && hash == b->watch_hash && b->watch_changes == b->changes) {
    exec->warp->spinning |= exec->active;
    if (b->watching_warp) b->left = 0;   // that is all there was to see
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

uint32_t sim_lanes_that_could_run(const SimExec *exec, const SimWarp *w) {
  uint32_t lanes = 0;
  int first = exec->sched == SIM_STACK ? LS_MAX(w->group_count - 1, 0) : 0;
  for (int i = first; i < w->group_count; i++) if (w->groups[i].state == SIM_GROUP_RUN) lanes |= w->groups[i].mask;
  return lanes;
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

static void watch_start(SimExec *exec) {
  exec->block.watching = exec->block.alert = true;
  exec->block.round_changes = exec->block.changes;
  for (int k = 0; k < exec->warp_count; k++) exec->warps[k].spinning = 0;
}

enum { FIRST_WATCH = 256, FIRST_WATCH_OF_PROBE = 8, LONG_AGO = 1 << 14 };   // turns

// Lanes that wait and count in memory how often they looked do change something. Blocks make progress side by side, so another one
// has its turn after a long time; soon in code that counts for whoever brings the memory (SimOptions.mappings).
static bool gives_way(SimExec *exec) {
  const SimBlock *b = &exec->block;
  if (b->changes == b->round_changes) return sim_wait_give_way(exec, all_spin(exec));
  return (exec->program->options.mapping_count || b->watch_at >= LONG_AGO) && sim_wait_give_way(exec, false);
}

static void watch_end(SimExec *exec) {
  SimBlock *b = &exec->block;
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

static void watch_warp_start(SimExec *exec) {
  SimWarp *w = exec->warp;
  bool due = w->turns && !(w->turns & (w->turns - 1));
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

// Lanes that spin on memory and count their rounds never come to the same place with the same registers, so nobody can tell that
// they wait. Who waits for them at a convergence barrier goes on alone after a long time: every lane makes progress. Lanes
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

// ---- turns ---------------------------------------------------------------------------------------------------------

void sim_poll(SimExec *exec) {
  exec->poll_at = exec->executed + exec->block.executed + 65536;
  if (exec->cancel && atomic_load_explicit(exec->cancel, memory_order_relaxed))
    exec->stopping = exec->canceled = true;
  sim_progress(exec, exec->grid.ended, false);
}

// Starting a block clears its memory; a grid of nothing but starts has to end too.
uint64_t sim_block_cost(const SimProgram *program) {
  return 32 * (uint64_t)program->warp_count +
         (program->shared_bytes + program->local_bytes * (uint64_t)program->warp_count * SIM_LANES) / 256;
}

static void turn_start(SimExec *exec) {
  SimBlock *b = &exec->block;
  uint64_t used = exec->executed + b->executed, turn = SIM_TURN,
           spent = used + b->charged + (exec->grid.begun - 1) * sim_block_cost(exec->program);
  if (exec->seed && !b->watching && exec->warp->turns < 8) turn = 1 + sim_random(exec) % 512;
  if (spent >= exec->budget) { sim_fault_budget(exec); return; }
  if (sim_is_worker(exec) && exec->budget - spent < turn) { sim_give_up(exec); return; }   // the turn would be shorter
  b->left = (int32_t)LS_MIN(turn, exec->budget - spent);
  b->turn_charged = b->charged;
  watch_warp_start(exec);
  sim_wait_turn_start(exec);
  b->in_turn = true;
  if (used >= exec->poll_at) sim_poll(exec);
}

// One warp's turn. False: the run stops here (the turn may be taken up again).
static bool run_turn(SimExec *exec, int warp) {
  SimBlock *b = &exec->block;
  exec->warp = &exec->warps[warp];
  exec->regs = exec->files + (size_t)warp * exec->program->file_bytes;
  if (!exec->warp->group_count && !b->in_turn) return true;
  if (!b->in_turn) turn_start(exec);
  uint64_t before = b->executed;
  while (b->left > 0 && !exec->stopping && sim_sched_pick(exec)) {
    b->resume = run_group(exec);
    sim_sched_leave(exec);
    b->round_progress |= b->executed != before;
    if (must_stop(exec)) return false;
  }
  if (b->left <= 0 && !b->wait.yielded) { b->idle_turns++; exec->warp->turns++; }
  watch_warp_end(exec);
  make_progress(exec);
  sim_wait_turn_end(exec);
  b->in_turn = false;
  return !exec->stopping;
}

static void round_start(SimExec *exec) {
  SimBlock *b = &exec->block;
  for (int i = 0; i < exec->warp_count; i++) b->order[i] = (uint32_t)i;
  for (int i = exec->warp_count - 1; exec->seed && i > 0; i--) {
    int j = (int)(sim_random(exec) % (unsigned)(i + 1));
    uint32_t other = b->order[j];
    b->order[j] = b->order[i];
    b->order[i] = other;
  }
  b->turn = 0;
  b->round_progress = false;
  b->in_round = true;
  if (b->idle_turns >= b->watch_at) watch_start(exec);
  sim_wait_round_start(exec);
}

static bool anybody_lives(const SimExec *exec) {
  for (int k = 0; k < exec->warp_count; k++) if (exec->warps[k].live) return true;
  return false;
}

bool sim_block_go(SimExec *exec) {
  SimBlock *b = &exec->block;
  if (b->wait.hopeless) sim_fault_livelock(exec);
  for (; !exec->stopping;) {
    if (!b->in_round) round_start(exec);
    for (; b->turn < exec->warp_count; b->turn++)
      if (!run_turn(exec, (int)b->order[b->turn])) return false;
    b->in_round = false;
    if (!anybody_lives(exec)) return true;
    if (b->watching) watch_end(exec);
    if (sim_wait_round_end(exec)) return false;
    if (!b->round_progress && !sim_sync_force(exec)) sim_fault_deadlock(exec);
  }
  return false;
}

// ---- blocks --------------------------------------------------------------------------------------------------------

static uint32_t lanes_of_warp(const SimExec *exec, int warp) {
  uint32_t left = exec->program->thread_count - (uint32_t)warp * SIM_LANES;
  return left >= SIM_LANES ? SIM_FULL : (1u << left) - 1;
}

void sim_block_start(SimExec *exec, uint32_t block) {
  const uint32_t *grid = exec->program->launch->grid;
  uint32_t epoch = exec->block.epoch;
  if (exec->hooks)
    memset(exec->hooks->written, 0, sizeof(uint32_t) * (size_t)exec->hooks->written_count * (size_t)exec->warp_count);
  exec->block = (SimBlock){.number = block,
                           .index = {block % grid[0], block / grid[0] % grid[1], block / grid[0] / grid[1]},
                           .random = exec->seed * 0x9e3779b97f4a7c15ull + block,
                           .epoch = epoch,
                           .watch_at = exec->program->options.mapping_count ? FIRST_WATCH_OF_PROBE : FIRST_WATCH,
                           .aside = exec->grid.count > 0};
  exec->group = NULL;
  for (int k = 0; k < exec->warp_count; k++) {
    sim_sched_start(exec, k, lanes_of_warp(exec, k), exec->program->module->funcs[exec->program->entry].first);
    sim_slots_fill_block(exec, k);
  }
  memset(exec->shared, 0, exec->program->shared_bytes);
  memset(exec->local, 0, exec->program->local_bytes * (uint64_t)exec->warp_count * SIM_LANES);
  if (exec->checks & SIM_CHECK_INIT) {
    memset(exec->shared_init, 0, exec->program->shared_bytes);
    memset(exec->local_init, 0, exec->program->local_bytes * (uint64_t)exec->warp_count * SIM_LANES);
  }
  if (exec->program->has_calls) {
    memset(exec->lane_params, 0, exec->program->lane_param_bytes * (uint64_t)exec->warp_count * SIM_LANES);
    for (int i = 0; i < exec->warp_count * SIM_LANES; i++) {
      exec->frames[i] = (uint32_t)exec->program->stack_first;
      exec->stack_tops[i] = (uint32_t)exec->program->stack_first;
    }
  }
  if (exec->checks & SIM_CHECK_RACE) sim_shadow_start(exec);
  sim_pending_block(exec);
}
