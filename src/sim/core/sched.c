// sched.c: which lanes of a warp run together, where they part and where they meet again.
//
// A warp's lanes are in groups with one program counter each. A branch that some lanes take parts the group and sets
// a convergence barrier at the immediate post-dominator; lanes that come there leave their group and wait, and when
// the last one is there (or has ended) they go on as one group.
//
// Both schedulers use this. `its`: any group that can run has its turn. `stack`: only the youngest group runs, so the
// list of groups is the reconvergence stack, and a group that waits or spins holds up the warp.
#include <assert.h>
#include "sim/internal.h"

uint64_t sim_random(Sim *sim) {   // splitmix64
  uint64_t x = sim->block.random += 0x9e3779b97f4a7c15ull;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ x >> 27) * 0x94d049bb133111ebull;
  return x ^ x >> 31;
}

// ---- groups --------------------------------------------------------------------------------------------------------

// No lane is in two groups, and no group is without lanes: whoever takes its last lane away removes it.
static void group_add(SimWarp *w, SimLanes group) {
  static_assert(sizeof w->groups / sizeof w->groups[0] >= SIM_LANES, "as many groups as lanes");
  assert(w->group_count < SIM_LANES);
  w->groups[w->group_count++] = group;
}

static void group_remove(SimWarp *w, int index) {
  memmove(&w->groups[index], &w->groups[index + 1], sizeof w->groups[0] * (size_t)(w->group_count - index - 1));
  w->group_count--;
  if (w->picked >= index) w->picked--;
  if (w->prefer == index) w->prefer = -1;
  else if (w->prefer > index) w->prefer--;
}

void sim_sched_start(Sim *sim, int warp, uint32_t lanes, int32_t pc) {
  SimWarp *w = &sim->warps[warp];
  memset(w->convs, 0, sizeof w->convs[0] * (size_t)w->conv_count);
  w->conv_count = w->group_count = 0;
  w->turns = w->spinning = w->strong_turns = 0;
  w->impatient = w->let_go = false;
  w->exist = w->live = lanes;
  w->picked = -1;
  w->prefer = -1;
  w->exit_pc = -1;
  w->asleep = false;
  if (lanes) group_add(w, (SimLanes){.mask = lanes, .pc = pc, .conv = -1});
}

// ---- convergence barriers ------------------------------------------------------------------------------------------

int sim_sched_conv(Sim *sim, uint32_t members, int32_t pc, uint16_t depth, int16_t parent) {
  for (int c = 0; c < SIM_MAX_CONVS; c++) {
    if (sim->warp->convs[c].members) continue;
    sim->warp->convs[c] = (SimConv){members, 0, pc, parent, depth};
    sim->warp->conv_count = LS_MAX(sim->warp->conv_count, c + 1);
    return c;
  }
  return -1;
}

// Lanes that have ended no longer count. When all others are there, they run on together.
static bool conv_check(SimWarp *w, int c) {
  SimConv *v = &w->convs[c];
  if (!v->members || v->arrived != v->members) return false;
  w->turns = 0;
  group_add(w, (SimLanes){.mask = v->members, .pc = v->pc, .conv = v->parent, .depth = v->depth, .joined = true});
  v->members = v->arrived = 0;
  while (w->conv_count && !w->convs[w->conv_count - 1].members) w->conv_count--;
  return true;
}

static void set_stop(Sim *sim) {
  const SimLanes *g = sim->group;
  sim->stop_pc = -1;
  if (g->conv >= 0 && sim->warp->convs[g->conv].depth == g->depth) sim->stop_pc = sim->warp->convs[g->conv].pc;
}

bool sim_sched_arrive(Sim *sim) {
  SimWarp *w = sim->warp;
  int c = sim->group->conv;
  SimConv *v = &w->convs[c];
  if (v->members == sim->active) {   // nobody else is to come
    sim->group->conv = v->parent;
    v->members = v->arrived = 0;
    while (w->conv_count && !w->convs[w->conv_count - 1].members) w->conv_count--;
    set_stop(sim);
    return false;
  }
  v->arrived |= sim->active;
  group_remove(w, w->picked);
  sim->group = NULL;
  conv_check(w, c);
  return true;
}

bool sim_sched_release(Sim *sim, SimWarp *w, uint32_t blockers) {
  bool any = false;
  (void)sim;
  for (int c = 0; c < w->conv_count; c++) {
    SimConv *v = &w->convs[c];
    if (!v->members || !v->arrived || !(v->members & ~v->arrived & blockers)) continue;
    group_add(w, (SimLanes){.mask = v->arrived, .pc = v->pc, .conv = v->parent, .depth = v->depth});
    v->members &= ~v->arrived;
    v->arrived = 0;
    any = true;
  }
  return any;
}

void sim_sched_split(Sim *sim, uint32_t mask, int32_t pc, int32_t rest_pc, int32_t meet) {
  SimWarp *w = sim->warp;
  SimLanes *g = sim->group;
  if (meet >= 0 && meet != sim->stop_pc) {
    int c = sim_sched_conv(sim, g->mask, meet, g->depth, g->conv);
    if (c >= 0) g->conv = (int16_t)c;
  }
  SimLanes rest = *g;
  rest.mask = g->mask & ~mask;
  rest.pc = rest_pc;
  g->mask = mask;
  g->pc = sim->pc = pc;
  group_add(w, rest);
  w->prefer = w->group_count - 1;
}

void sim_swap_top(Sim *sim) {
  SimWarp *w = sim->warp;
  int n = w->group_count;
  if (n < 2) return;
  SimLanes top = w->groups[n - 1];
  w->groups[n - 1] = w->groups[n - 2];
  w->groups[n - 2] = top;
  w->picked = n - 1;
  w->prefer = n - 2;
  sim->group = &w->groups[n - 1];
}

void sim_sched_exit(Sim *sim, uint32_t lanes) {
  SimWarp *w = sim->warp;
  w->live &= ~lanes;
  w->exit_pc = sim->pc;
  sim->group->mask &= ~lanes;
  sim->active &= ~lanes;
  bool empty = !sim->group->mask;
  if (empty) { group_remove(w, w->picked); sim->group = NULL; }
  for (int c = 0; c < w->conv_count; c++) {
    SimConv *v = &w->convs[c];
    if (!v->members) continue;
    v->members &= ~lanes;
    if (v->members) conv_check(w, c);
  }
  sim->block.idle_turns = 0;
  w->turns = 0;
  sim->block.changes++;
  sim_sync_recheck(sim, w);
  sim_barriers_recheck(sim);
}

// ---- choosing ------------------------------------------------------------------------------------------------------

static int next_group(Sim *sim) {
  SimWarp *w = sim->warp;
  if (w->prefer >= 0 && w->prefer < w->group_count && w->groups[w->prefer].state == SIM_GROUP_RUN) return w->prefer;
  int first = w->picked + 1;
  if (sim->options.seed && w->group_count > 1) first = (int)(sim_random(sim) % (unsigned)w->group_count);
  for (int i = 0; i < w->group_count; i++) {
    int index = (first + i) % w->group_count;
    if (w->groups[index].state == SIM_GROUP_RUN) return index;
  }
  return -1;
}

static uint32_t waiting_lanes(const SimWarp *w) {
  uint32_t lanes = 0;
  for (int i = 0; i < w->group_count; i++) if (w->groups[i].state != SIM_GROUP_RUN) lanes |= w->groups[i].mask;
  return lanes;
}

static int choose(Sim *sim) {
  SimWarp *w = sim->warp;
  if (sim->options.sched == SIM_STACK) {
    int top = w->group_count - 1;
    return top >= 0 && w->groups[top].state == SIM_GROUP_RUN ? top : -1;
  }
  int index = next_group(sim);
  // Lanes at a convergence barrier whose others are blocked do not wait for them.
  if (index < 0 && sim_sched_release(sim, w, waiting_lanes(w))) index = next_group(sim);
  return index;
}

static bool others_can_run(const Sim *sim) {
  const SimWarp *w = sim->warp;
  if (sim->options.sched == SIM_STACK) return false;
  for (int i = 0; i < w->group_count; i++) if (i != w->picked && w->groups[i].state == SIM_GROUP_RUN) return true;
  return false;
}

bool sim_sched_pick(Sim *sim) {
  SimWarp *w = sim->warp;
  int index = sim->block.resume ? w->picked : choose(sim);
  w->prefer = -1;
  if (index < 0) return false;
  w->picked = index;
  sim->group = &w->groups[index];
  sim->active = sim->group->mask;
  sim->active_count = sim_popcount(sim->active);
  sim->pc = sim->group->pc;
  sim->alone = !others_can_run(sim);
  if (!sim->block.resume) {
    sim->block.slice = sim->block.watching ? SIM_TURN : SIM_SLICE;
    sim->block.watch_pc = -1;
  }
  sim->block.resume = false;
  set_stop(sim);
  return true;
}

void sim_sched_leave(Sim *sim) {
  if (sim->group) sim->group->pc = sim->pc;
  sim->group = NULL;
}

void sim_sched_enter(Sim *sim, int32_t pc) {
  sim->pc = pc;
  set_stop(sim);
}
