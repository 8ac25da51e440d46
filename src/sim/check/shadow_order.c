// shadow_order.c: what is ordered within a block: the clocks of its warps.
//
// Every warp has a vector clock (as in FastTrack, Flanagan and Freund 2009): accesses of warp v up to epoch clock[v]
// are ordered before what it does now. A barrier joins the clocks of the warps that met there. A fence followed by a strong
// access (atomic, volatile, relaxed) publishes the clock; a strong access followed by a fence takes it over. What was
// fenced for the block alone is not published to other blocks (happens_before.c).
#include <string.h>
#include "sim/check/happens_before.h"
#include "sim/check/shadow.h"
#include "sim/check/shadow_words.h"
#include "sim/core/ownership.h"

static void set_floor(SimExec *exec, SimWarp *w) {
  w->floor = UINT32_MAX;
  for (int v = 0; v < exec->warp_count; v++)
    if (v != w - exec->warps) w->floor = LS_MIN(w->floor, w->clock[v]);
}

void sim_shadow_set_actor(SimExec *exec) {
  struct SimShadow *shadow = exec->shadow;
  const SimWarp *w = exec->warp;
  uint32_t warp = (uint32_t)sim_warp_index(exec), epoch = exec->block.epoch;
  shadow->actor = (SimActor){
      .writer = epoch << SIM_CELL_SHIFT | warp,
      .ordered = (w->floor + 1) << SIM_CELL_SHIFT,
      .own_ordered = exec->sched == SIM_STACK ? UINT32_MAX : (w->lanes_met + 1) << SIM_CELL_SHIFT,
      .warp_bit = 1u << warp};
  shadow->actor_warp = w;
  shadow->actor_epoch = epoch;
}

// Without fences only one of the clocks is looked at, and the others stay as they are: at nothing.
static void start_clocks(SimExec *exec, uint32_t now) {
  uint32_t all[SIM_MAX_WARPS];
  for (int v = 0; v < SIM_MAX_WARPS; v++) all[v] = now;
  for (int k = 0; k < exec->warp_count; k++) {
    SimWarp *w = &exec->warps[k];
    w->floor = w->lanes_met = w->lanes_read = now;
    memcpy(w->clock, all, sizeof all);
    if (!exec->program->has_fences) continue;
    memcpy(w->seen, all, sizeof all);
    memcpy(w->fenced, all, sizeof all);
    memcpy(w->fenced_wide, all, sizeof all);
  }
}

// Epochs go on from block to block, so that what an earlier block did is ordered before everything.
void sim_shadow_start(SimExec *exec) {
  uint32_t now = exec->block.epoch;
  if (now > SIM_LAST_EPOCH / 2 || now == 0) {
    sim_shadow_clear(exec->shadow);
    now = 1;
  }
  start_clocks(exec, now);
  memset(exec->shadow->released, 0, sizeof exec->shadow->released);
  memset(exec->shadow->released_wide, 0, sizeof exec->shadow->released_wide);
  sim_shadow_forget_strong(exec->shadow);
  sim_shadow_drop_late(exec->shadow);
  exec->shadow->actor_warp = NULL;
  exec->block.epoch = now + 1;
}

static void join(uint32_t *to, const uint32_t *from) {
  for (int v = 0; v < SIM_MAX_WARPS; v++) to[v] = LS_MAX(to[v], from[v]);
}

// The numbers are used up: everything so far is forgotten.
static void next_epoch(SimExec *exec) {
  sim_shadow_distrust(exec->shadow);
  if (++exec->block.epoch < SIM_LAST_EPOCH) return;
  if (sim_is_worker(exec)) sim_give_up(exec);
  exec->block.epoch = 0;               // before the first of them: sim_shadow_start clears the cells
  sim_shadow_start(exec);
}

// What each of them has fenced one thread may publish; what one has seen all may use.
static void meet_fenced(SimExec *exec, uint32_t warps) {
  uint32_t fenced[SIM_MAX_WARPS] = {0}, wide[SIM_MAX_WARPS] = {0}, seen[SIM_MAX_WARPS] = {0};
  SIM_FOR_LANES(k, warps) {
    join(seen, exec->warps[k].seen);
    join(fenced, exec->warps[k].fenced);
    join(wide, exec->warps[k].fenced_wide);
  }
  SIM_FOR_LANES(k, warps) {
    memcpy(exec->warps[k].fenced, fenced, sizeof fenced);
    memcpy(exec->warps[k].fenced_wide, wide, sizeof wide);
    memcpy(exec->warps[k].seen, seen, sizeof seen);
  }
}

// Then each knows of all up to now, and nothing is left to be noted. Clocks of warps that are not there do no harm.
static void meet_all(SimExec *exec) {
  uint32_t now = exec->block.epoch, all[SIM_MAX_WARPS];
  for (int v = 0; v < SIM_MAX_WARPS; v++) all[v] = now;
  for (int k = 0; k < exec->warp_count; k++) {
    SimWarp *w = &exec->warps[k];
    memcpy(w->clock, all, sizeof all);
    w->floor = exec->warp_count > 1 ? now : UINT32_MAX;
    w->lanes_met = w->lanes_read = now;
  }
  sim_shadow_drop_late(exec->shadow);
}

static void meet_some(SimExec *exec, uint32_t warps) {
  uint32_t all[SIM_MAX_WARPS] = {0};
  SIM_FOR_LANES(k, warps) {
    join(all, exec->warps[k].clock);
    all[k] = exec->block.epoch;
  }
  SIM_FOR_LANES(k, warps) {
    memcpy(exec->warps[k].clock, all, sizeof all);
    set_floor(exec, &exec->warps[k]);
    exec->warps[k].lanes_met = exec->warps[k].lanes_read = exec->block.epoch;
  }
}

void sim_shadow_meet(SimExec *exec, uint32_t warps) {
  if (sim_popcount(warps) == exec->warp_count) meet_all(exec);
  else meet_some(exec, warps);
  if (exec->program->has_fences) meet_fenced(exec, warps);
  if (exec->checks & SIM_CHECK_INIT) sim_shadow_look_whole(exec);
  next_epoch(exec);
}

void sim_shadow_fence(SimExec *exec, bool wide) {
  if (!(exec->checks & SIM_CHECK_RACE)) return;
  SimWarp *w = exec->warp;
  join(w->clock, w->seen);
  memcpy(w->fenced, w->clock, sizeof w->fenced);
  w->fenced[sim_warp_index(exec)] = w->lanes_met = w->lanes_read = exec->block.epoch;
  if (wide) memcpy(w->fenced_wide, w->fenced, sizeof w->fenced);
  set_floor(exec, w);
  next_epoch(exec);
}

void sim_shadow_lanes_met(SimExec *exec, bool barrier) {
  if (!(exec->checks & SIM_CHECK_RACE) || exec->sched == SIM_STACK) return;
  exec->warp->lanes_read = exec->block.epoch;
  if (barrier) exec->warp->lanes_met = exec->block.epoch;
  next_epoch(exec);
}

// Others can only be found where they are, too.
static bool is_for_all(const SimExec *exec, const SimMem *m, uint32_t mask) {
  uint64_t offset;
  if (m->how & SIM_BLOCK_SCOPE) return false;
  if (m->space != PTX_GENERIC) return m->space == PTX_GLOBAL;
  return sim_classify(exec->addr[__builtin_ctz(mask)], &offset) == TRACE_GLOBAL;
}

// Whoever drops the old value of an atomic has not seen it.
static bool sees(const SimInst *inst) {
  const SimMem *m = inst->more;
  if (inst->kind != TRACE_ATOM) return inst->kind == TRACE_LOAD;
  return m->op >= SIM_MBAR_LOOK || !(m->unused || m->data[0] == SIM_NO_SLOT);
}

// A strong write publishes what was fenced before it; a strong read sees what was published.
void sim_shadow_strong(SimExec *exec, const SimInst *inst, uint32_t mask) {
  if (!(exec->checks & SIM_CHECK_RACE)) return;
  exec->strong_number++;
  if (!exec->program->has_fences) return;   // nothing is published
  bool for_all = is_for_all(exec, inst->more, mask);
  if (sees(inst)) {
    join(exec->warp->seen, exec->shadow->released);
    if (for_all) sim_happens_before_acquire(exec);
  }
  if (inst->kind == TRACE_LOAD) return;
  join(exec->shadow->released, exec->warp->fenced);
  if (!for_all) return;
  join(exec->shadow->released_wide, exec->warp->fenced_wide);
  sim_happens_before_release(exec, exec->shadow->released_wide);
}
