// sched.c: which lanes of a warp run together, where they part and where they meet again.
//
// A warp's lanes are in groups with one program counter each. A branch that some lanes take parts the group and sets
// a convergence barrier for each place where lanes of both sides may meet (PtxBlock.meetings); lanes that come there
// leave their group and wait, and when the last one is there (or has ended) they go on as one group. Lanes that go
// where the place is no longer ahead (PtxBlock.leaves) belong to its barrier no longer. So a group's barriers are those
// from its innermost one outward that its lanes still belong to.
//
// Both schedulers use this. `its`: any group that can run has its turn. `stack`: only the youngest group runs, so the
// list of groups is the reconvergence stack, and a group that waits or spins holds up the warp.
#include "sim/core/sched.h"
#include <assert.h>
#include <string.h>
#include "sim/core/path.h"

uint64_t sim_random(SimExec *exec) {   // splitmix64
  uint64_t x = exec->block.random += 0x9e3779b97f4a7c15ull;
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
  w->group_count--;
  for (int i = index; i < w->group_count; i++) w->groups[i] = w->groups[i + 1];
  if (w->picked >= index) w->picked--;
  if (w->prefer == index) w->prefer = -1;
  else if (w->prefer > index) w->prefer--;
}

// Seldom: a block mostly ends with none.
__attribute__((noinline, cold)) static void free_convs(SimWarp *w) {
  memset(w->convs, 0, sizeof w->convs[0] * (size_t)w->conv_count);
  w->conv_count = 0;
}

void sim_sched_start(SimExec *exec, int warp, uint32_t lanes, int32_t pc) {
  SimWarp *w = &exec->warps[warp];
  if (w->conv_count) free_convs(w);
  w->turns = w->spinning = w->strong_turns = 0;
  w->impatient = w->let_go = w->has_parted = false;
  w->passed = w->apart = 0;
  w->exist = w->live = lanes;
  exec->block.live_warps |= (uint32_t)(lanes != 0) << warp;
  w->picked = -1;
  w->prefer = -1;
  w->exit_pc = -1;
  w->asleep = false;
  w->stint = (SimStint){0};
  w->groups[0] = (SimLanes){.mask = lanes, .pc = pc, .conv = -1};
  w->group_count = lanes != 0;
}

// ---- convergence barriers ------------------------------------------------------------------------------------------

int sim_sched_conv(SimExec *exec, uint32_t members, int32_t pc, uint16_t depth, int16_t parent) {
  for (int c = 0; c < SIM_MAX_CONVS; c++) {
    if (exec->warp->convs[c].members) continue;
    exec->warp->convs[c] = (SimConv){.members = members, .pc = pc, .parent = parent, .depth = depth, .node = -1};
    exec->warp->conv_count = LS_MAX(exec->warp->conv_count, c + 1);
    return c;
  }
  return -1;
}

// From c outward, the first that these lanes belong to: they may have left some.
static int16_t conv_of(const SimWarp *w, int16_t c, uint32_t lanes) {
  while (c >= 0 && !(w->convs[c].members & lanes)) c = w->convs[c].parent;
  return c;
}

// Nobody belongs to it any more. If lanes have left it, others may still stand further in.
static void conv_free(SimWarp *w, int c) {
  SimConv *v = &w->convs[c];
  v->members = v->arrived = 0;
  for (int i = 0; v->left && i < w->group_count; i++) if (w->groups[i].conv == c) w->groups[i].conv = v->parent;
  for (int i = 0; v->left && i < w->conv_count; i++) if (w->convs[i].parent == c) w->convs[i].parent = v->parent;
  while (w->conv_count && !w->convs[w->conv_count - 1].members) w->conv_count--;
}

// Lanes that have ended, or left, no longer count. When all others are there, they run on together.
static bool conv_check(SimWarp *w, int c) {
  SimConv *v = &w->convs[c];
  if (!v->members || v->arrived != v->members) return false;
  w->turns = 0;
  SimLanes all = {.mask = v->members, .pc = v->pc, .conv = conv_of(w, v->parent, v->members), .depth = v->depth,
                  .joined = true};
  conv_free(w, c);
  group_add(w, all);
  return true;
}

static inline void set_stop(SimExec *exec) {
  const SimLanes *g = exec->group;
  exec->stop_pc = -1;
  if (g->conv >= 0 && exec->warp->convs[g->conv].depth == g->depth) exec->stop_pc = exec->warp->convs[g->conv].pc;
}

bool sim_sched_arrive(SimExec *exec) {
  SimWarp *w = exec->warp;
  int c = exec->group->conv;
  SimConv *v = &w->convs[c];
  if (v->members == exec->active) {   // nobody else is to come
    exec->group->conv = conv_of(w, v->parent, v->members);
    conv_free(w, c);
    set_stop(exec);
    return false;
  }
  v->arrived |= exec->active;
  group_remove(w, w->picked);
  exec->group = NULL;
  conv_check(w, c);
  return true;
}

// Where lanes meet only to end.
static bool is_end(const SimExec *exec, int32_t pc, uint16_t depth) {
  const PtxInstr *code = exec->program->module->code;
  while (code[pc].op == PTX_OP_bra && code[pc].guard < 0 && code[pc].operands[0].target > pc)
    pc = code[pc].operands[0].target;
  return depth == 0 && exec->code[pc].kind == TRACE_EXIT;
}

uint32_t sim_sched_expected(const SimExec *exec, const SimWarp *w, uint32_t mask, uint32_t others) {
  uint32_t expected = others & (w->passed | w->apart);
  for (int c = 0; c < w->conv_count; c++) {
    const SimConv *v = &w->convs[c];
    if (v->members & mask && v->members & others && !is_end(exec, v->pc, v->depth)) expected |= v->members & others;
  }
  return expected;
}

bool sim_sched_release(SimWarp *w, uint32_t blockers) {
  bool any = false;
  for (int c = 0; c < w->conv_count; c++) {
    SimConv *v = &w->convs[c];
    if (!v->members || !v->arrived || !(v->members & ~v->arrived & blockers)) continue;
    int16_t outer = conv_of(w, v->parent, v->arrived);
    group_add(w, (SimLanes){.mask = v->arrived, .pc = v->pc, .conv = outer, .depth = v->depth});
    v->members &= ~v->arrived;
    v->arrived = 0;
    any = true;
  }
  return any;
}

// The running group is to meet at `pc`, if that is not known already.
static void expect(SimExec *exec, int32_t pc) {
  SimLanes *g = exec->group;
  if (pc < 0 || pc == exec->stop_pc) return;
  int c = sim_sched_conv(exec, g->mask, pc, g->depth, g->conv);
  if (c >= 0) g->conv = (int16_t)c;
}

// The group's barrier for a place of the function that it runs in; -1.
static int conv_for(const SimExec *exec, int32_t node) {
  const SimWarp *w = exec->warp;
  int c = exec->group->conv;
  while (c >= 0 && w->convs[c].depth == exec->group->depth && w->convs[c].node != node) c = w->convs[c].parent;
  return c >= 0 && w->convs[c].depth == exec->group->depth ? c : -1;
}

// And where the branch has its lanes meet. They belong to the outer barriers already if they have parted before.
static void expect_all(SimExec *exec, const SimBranch *b) {
  SimLanes *g = exec->group;
  int known = b->meeting_count;
  while (known && conv_for(exec, b->meetings[known - 1].node) < 0) known--;
  for (int i = known; i < b->meeting_count; i++) {
    int c = sim_sched_conv(exec, g->mask, b->meetings[i].pc, g->depth, g->conv);
    if (c < 0) return;
    exec->warp->convs[c].node = b->meetings[i].node;
    g->conv = (int16_t)c;
  }
}

void sim_sched_expect(SimExec *exec, const SimBranch *b) {
  expect_all(exec, b);
  set_stop(exec);
}

// ---- ways out ------------------------------------------------------------------------------------------------------

static bool leaves(const SimBranch *b, int32_t node, int32_t to) {
  for (int i = 0; i < b->leave_count; i++) if (b->leaves[i].node == node && b->leaves[i].to == to) return true;
  return false;
}

// These lanes do not come there any more. Whether the others, who wait, go on.
static bool conv_leave(SimWarp *w, int c, uint32_t lanes) {
  SimConv *v = &w->convs[c];
  v->left = true;
  v->members &= ~lanes;
  if (v->members) return conv_check(w, c);
  conv_free(w, c);
  return false;
}

// A group of lanes goes on at `to`.
static bool leave_all(SimWarp *w, const SimBranch *b, int index, int32_t to) {
  uint32_t lanes = w->groups[index].mask;
  uint16_t depth = w->groups[index].depth;
  bool any = false;
  if (!b->leave_count) return false;
  for (int c = w->groups[index].conv, outer; c >= 0 && w->convs[c].depth == depth; c = outer) {
    outer = w->convs[c].parent;
    if (w->convs[c].members & lanes && leaves(b, w->convs[c].node, to)) any |= conv_leave(w, c, lanes);
  }
  w->groups[index].conv = conv_of(w, w->groups[index].conv, lanes);
  return any;
}

void sim_sched_go(SimExec *exec, const SimBranch *b, int32_t to) {
  if (leave_all(exec->warp, b, exec->warp->picked, to)) exec->alone = false;
  exec->pc = to;
  set_stop(exec);
}

void sim_sched_part(SimExec *exec, const SimBranch *b, uint32_t mask, int32_t to, int32_t rest_to) {
  SimWarp *w = exec->warp;
  int32_t here = exec->pc;
  expect_all(exec, b);
  sim_sched_split(exec, mask, to, rest_to, -1);
  int rest = w->group_count - 1;
  leave_all(w, b, w->picked, to);
  if (rest_to != here) leave_all(w, b, rest, rest_to);
}

void sim_sched_return(SimExec *exec) {
  SimWarp *w = exec->warp;
  SimLanes *g = exec->group;
  uint32_t lanes = g->mask;
  int c = g->conv;
  if (c < 0 || w->convs[c].depth != g->depth) return;
  for (int outer; c >= 0 && w->convs[c].depth == g->depth; c = outer) {
    outer = w->convs[c].parent;
    if (w->convs[c].members & lanes && conv_leave(w, c, lanes)) exec->alone = false;
  }
  g->conv = conv_of(w, g->conv, lanes);
}

void sim_sched_split(SimExec *exec, uint32_t mask, int32_t pc, int32_t rest_pc, int32_t meet) {
  SimWarp *w = exec->warp;
  SimLanes *g = exec->group;
  SimLanes rest = *g;   // before any of it changes, as above
  w->has_parted = true;
  expect(exec, meet);
  rest.conv = g->conv;
  rest.mask = g->mask & ~mask;
  rest.pc = rest_pc;
  g->mask = mask;
  g->pc = exec->pc = pc;
  group_add(w, rest);
  w->prefer = w->group_count - 1;
}

// ---- levels of a recursion -----------------------------------------------------------------------------------------

// Nobody waits there any more; who did goes on, and those still to come go past. All next meet at `outer`.
static void dissolve(SimWarp *w, int c, int16_t outer) {
  SimConv *v = &w->convs[c];
  for (int i = 0; i < w->group_count; i++) if (w->groups[i].conv == c) w->groups[i].conv = outer;
  for (int i = 0; i < w->conv_count; i++) if (w->convs[i].parent == c) w->convs[i].parent = outer;
  if (v->arrived) group_add(w, (SimLanes){.mask = v->arrived, .pc = v->pc, .conv = outer, .depth = v->depth});
  w->passed |= v->members;
  v->members = v->arrived = 0;
}

// The next level from c outward where lanes leave, most of them if asked; -1.
static int level_outward(const SimWarp *w, int c, int recursion, bool most) {
  while (c >= 0 && w->convs[c].recursion == recursion && !(w->convs[c].parts && (w->convs[c].most_leave || !most)))
    c = w->convs[c].parent;
  return c >= 0 && w->convs[c].recursion == recursion ? c : -1;
}

void sim_sched_level(SimExec *exec, int func, uint32_t leave, uint32_t go_on) {
  SimWarp *w = exec->warp;
  int recursion = func + 1, own = exec->group->conv;
  if (own < 0 || w->convs[own].depth != exec->group->depth) return;   // there was no room for one more
  SimConv *here = &w->convs[own];
  here->recursion = (uint16_t)recursion;
  here->parts = true;
  here->most_leave = sim_popcount(leave) >= sim_popcount(go_on);
  int most = level_outward(w, here->parent, recursion, true);
  int c = most < 0 ? -1 : level_outward(w, w->convs[most].parent, recursion, false), outer = c;
  while (outer >= 0 && w->convs[outer].recursion == recursion) outer = w->convs[outer].parent;
  for (int next; c != outer; c = next) {
    next = w->convs[c].parent;
    dissolve(w, c, (int16_t)outer);
    w->let_go = true;
  }
}

void sim_sched_take(SimExec *exec, int index) {
  SimWarp *w = exec->warp;
  exec->group->mask |= w->groups[index].mask;
  group_remove(w, index);
  exec->group = &w->groups[w->picked];
}

void sim_swap_top(SimExec *exec) {
  SimWarp *w = exec->warp;
  int n = w->group_count;
  if (n < 2) return;
  SimLanes top = w->groups[n - 1];
  w->groups[n - 1] = w->groups[n - 2];
  w->groups[n - 2] = top;
  w->picked = n - 1;
  w->prefer = n - 2;
  exec->group = &w->groups[n - 1];
}

static void group_exit(SimExec *exec, uint32_t lanes) {
  SimWarp *w = exec->warp;
  exec->group->mask &= ~lanes;
  exec->active &= ~lanes;
  if (exec->group->mask) return;
  exec->group = NULL;
  if (w->group_count > 1) group_remove(w, w->picked);
  else w->group_count = 0, w->picked = w->prefer = -1;
}

void sim_sched_exit(SimExec *exec, uint32_t lanes) {
  SimWarp *w = exec->warp;
  w->live &= ~lanes;
  if (!w->live) exec->block.live_warps &= ~(1u << sim_warp_index(exec));
  w->exit_pc = exec->pc;
  group_exit(exec, lanes);
  for (int c = 0; c < w->conv_count; c++) {
    SimConv *v = &w->convs[c];
    if (!v->members) continue;
    v->members &= ~lanes;
    if (v->members) conv_check(w, c);
  }
  exec->block.idle_turns = 0;
  w->turns = 0;
  exec->block.changes++;
}

uint32_t sim_lanes_that_could_run(const SimExec *exec, const SimWarp *w) {
  uint32_t lanes = 0;
  int first = exec->sched == SIM_STACK ? LS_MAX(w->group_count - 1, 0) : 0;
  for (int i = first; i < w->group_count; i++) if (w->groups[i].state == SIM_GROUP_RUN) lanes |= w->groups[i].mask;
  return lanes;
}

// ---- choosing ------------------------------------------------------------------------------------------------------

static void sort_by_lanes(const SimWarp *w, int *groups, int count) {
  for (int i = 1; i < count; i++)
    for (int k = i; k > 0 && w->groups[groups[k]].mask < w->groups[groups[k - 1]].mask; k--) {
      int other = groups[k];
      groups[k] = groups[k - 1];
      groups[k - 1] = other;
    }
}

// On a path: whoever has something to do before an access; else one of those that come to one, if it may.
static int choose_group(SimExec *exec) {
  const SimWarp *w = exec->warp;
  int able[SIM_LANES], count = 0;
  for (int i = 0; i < w->group_count; i++) {
    if (w->groups[i].state != SIM_GROUP_RUN) continue;
    if (!sim_path_is_at_access(exec, sim_warp_index(exec), &w->groups[i])) return i;
    able[count++] = i;
  }
  sort_by_lanes(w, able, count);            // whatever places they have in the list
  if (!count) return -1;
  bool many = count > 1 && exec->block.granted;
  return able[many ? sim_path_choose(exec, (uint32_t)count, 1 + (uint32_t)sim_warp_index(exec)) : 0];
}

static int next_group(SimExec *exec) {
  SimWarp *w = exec->warp;
  if (exec->program->options.path) return choose_group(exec);
  if (w->prefer >= 0 && w->prefer < w->group_count && w->groups[w->prefer].state == SIM_GROUP_RUN) return w->prefer;
  int first = w->picked + 1;
  if (exec->seed && w->group_count > 1) first = (int)(sim_random(exec) % (unsigned)w->group_count);
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

static int choose(SimExec *exec) {
  SimWarp *w = exec->warp;
  if (exec->sched == SIM_STACK) {
    int top = w->group_count - 1;
    return top >= 0 && w->groups[top].state == SIM_GROUP_RUN ? top : -1;
  }
  int index = next_group(exec);
  // Lanes at a convergence barrier whose others are blocked do not wait for them.
  if (index < 0) {
    uint32_t waiting = waiting_lanes(w);
    w->passed |= sim_sched_expected(exec, w, waiting, w->live & ~waiting);
    if (sim_sched_release(w, waiting)) index = next_group(exec);
  }
  return index;
}

static bool others_can_run(const SimExec *exec) {
  const SimWarp *w = exec->warp;
  if (exec->sched == SIM_STACK) return false;
  for (int i = 0; i < w->group_count; i++) if (i != w->picked && w->groups[i].state == SIM_GROUP_RUN) return true;
  return false;
}

static inline void take_up(SimExec *exec, int index) {
  SimWarp *w = exec->warp;
  w->prefer = -1;
  w->picked = index;
  exec->group = &w->groups[index];
  exec->active = exec->group->mask;
  exec->active_count = exec->active == SIM_FULL ? SIM_LANES : sim_popcount(exec->active);
  exec->pc = exec->group->pc;
}

static inline void new_slice(SimExec *exec) {
  exec->block.slice = exec->block.watching ? SIM_TURN : SIM_SLICE;
  exec->block.watch_pc = -1;
}

// The usual case: the warp has not parted.
static bool is_whole(const SimExec *exec) {
  return exec->warp->group_count == 1 && !exec->program->options.path && !exec->block.resume;
}

static bool pick_of_many(SimExec *exec) {
  SimWarp *w = exec->warp;
  bool waits = is_whole(exec) && !w->conv_count;   // and nobody waits for it
  int index = waits ? -1 : exec->block.resume ? w->picked : choose(exec);
  w->prefer = -1;
  if (index < 0) return false;
  take_up(exec, index);
  exec->alone = !others_can_run(exec);
  if (!exec->block.resume) new_slice(exec);
  exec->block.resume = false;
  set_stop(exec);
  return true;
}

bool sim_sched_pick(SimExec *exec) {
  const SimWarp *w = exec->warp;
  if (!w->group_count) return false;
  if (!is_whole(exec) || w->groups[0].state != SIM_GROUP_RUN) return pick_of_many(exec);
  take_up(exec, 0);
  exec->alone = true;
  new_slice(exec);
  set_stop(exec);
  return true;
}

bool sim_sched_aside(SimExec *exec) {
  const SimWarp *w = exec->warp;
  const SimLanes *waiting = &w->groups[0];
  if (exec->sched != SIM_ITS || exec->seed || w->group_count != 2 || waiting->conv < 0) return false;
  const SimConv *v = &w->convs[waiting->conv];
  if (v->members != SIM_FULL || v->arrived || v->pc != waiting->pc || w->groups[1].conv != waiting->conv) return false;
  take_up(exec, 1);
  exec->alone = false;
  new_slice(exec);
  set_stop(exec);
  return true;
}

bool sim_sched_may_part_aside(const SimExec *exec) {
  const SimWarp *w = exec->warp;
  return exec->sched == SIM_ITS && !exec->seed && w->group_count == 1 && !w->conv_count && w->groups[0].conv < 0;
}

void sim_sched_part_aside(SimExec *exec, uint32_t jumpers, int32_t meet) {
  SimWarp *w = exec->warp;
  SimLanes *waiting = &w->groups[0], *others = &w->groups[1];
  w->has_parted = true;
  w->convs[0] = (SimConv){.members = SIM_FULL, .pc = meet, .parent = -1, .depth = waiting->depth, .node = -1};
  w->conv_count = 1;
  *others = *waiting;   // before any of it changes: who copies what was just written in parts waits for it
  waiting->conv = others->conv = 0;
  waiting->mask = jumpers;
  waiting->pc = meet;
  others->mask = ~jumpers;
  others->pc = exec->pc + 1;
  w->group_count = 2;
  take_up(exec, 1);
  exec->alone = false;
  new_slice(exec);
  exec->stop_pc = meet;
}

void sim_sched_aside_end(SimExec *exec) {
  SimWarp *w = exec->warp;
  SimConv *v = &w->convs[w->groups[0].conv];
  w->turns = 0;
  w->groups[0] = (SimLanes){.mask = SIM_FULL, .pc = v->pc, .conv = v->parent, .depth = v->depth, .joined = true};
  w->group_count = 1;
  v->members = v->arrived = 0;
  while (w->conv_count && !w->convs[w->conv_count - 1].members) w->conv_count--;
  take_up(exec, 0);
  exec->alone = true;
  new_slice(exec);
  set_stop(exec);
}

void sim_sched_enter(SimExec *exec, int32_t pc) {
  exec->pc = pc;
  set_stop(exec);
}
