// stints.c: turns of warps that are taken in pieces, so that the warps of a block go on side by side.
#include "sim/grid/stints.h"
#include "sim/core/sched.h"

enum { LONGEST = 64, MOST_LONE = 8 };   // instructions of a stint that goes on to the end of a line; doublings

// ---- passes --------------------------------------------------------------------------------------------------------

static void shuffle(SimExec *exec) {
  SimBlock *b = &exec->block;
  for (int i = exec->warp_count - 1; exec->seed && i > 0; i--) {
    int j = (int)(sim_random(exec) % (unsigned)(i + 1));
    uint32_t other = b->order[j];
    b->order[j] = b->order[i];
    b->order[i] = other;
  }
}

void sim_stints_start(SimExec *exec) {
  for (int k = 0; k < exec->warp_count; k++) {
    SimStint *t = &exec->warps[k].stint;
    t->served = t->spent = false;
    t->open &= !exec->block.watching;   // who watches wants to see whole turns
  }
  exec->block.ran = 0;
}

bool sim_stints_pass(SimExec *exec) {
  SimBlock *b = &exec->block;
  bool all = true, open = false;
  for (int k = 0; k < exec->warp_count; k++) {
    all &= exec->warps[k].stint.served;
    open |= exec->warps[k].stint.open;
  }
  if (all && open) b->wait.round_quiet = false;   // somebody is in the middle of another turn
  b->lone = b->ran <= 1 ? LS_MIN(b->lone + 1, MOST_LONE) : 0;
  b->ran = 0;
  b->turn = 0;
  if (!all) shuffle(exec);
  return !all;
}

// ---- a stint -------------------------------------------------------------------------------------------------------

bool sim_stint_none(SimExec *exec) {
  SimStint *t = &exec->warp->stint;
  if (!exec->warp->group_count) {
    if (t->open) exec->block.wait.round_quiet = false;   // it ended
    t->open = false;
    t->served = true;
    return true;
  }
  return !t->open && t->served && (t->spent || !sim_lanes_that_could_run(exec, exec->warp));
}

// A warp that has the block to itself need not hurry.
static uint64_t stint_length(SimExec *exec) {
  const SimBlock *b = &exec->block;
  if (b->watching) return SIM_TURN;
  if (exec->seed) return 1 + sim_random(exec) % (2 * SIM_STINT);
  return (uint64_t)SIM_STINT << b->lone;
}

static void take_up(SimExec *exec, const SimStint *t) {
  SimBlock *b = &exec->block;
  b->slice = t->slice;
  b->resume = t->resume;
  b->alert = t->alert || b->watching;
  b->turn_charged = b->charged - t->charged;
  b->wait.yielded = false;
  b->wait.looked = t->looked;
  b->wait.turn_quiet = t->quiet;
  b->wait.turn_executed = b->executed - t->executed;
  b->wait.turn_changes = b->changes - t->changes;
  exec->warp->wait_changes = b->changes - t->waited;
}

static void put_away(SimExec *exec, SimStint *t) {
  SimBlock *b = &exec->block;
  t->slice = b->slice;
  t->resume = b->resume;
  t->alert = b->alert;
  t->charged = b->charged - b->turn_charged;
  t->looked = b->wait.looked;
  t->quiet = b->wait.turn_quiet;
  t->executed = b->executed - b->wait.turn_executed;
  t->changes = b->changes - b->wait.turn_changes;
  t->waited = b->changes - exec->warp->wait_changes;
  b->resume = false;
}

void sim_stint_start(SimExec *exec, uint64_t budget_left) {
  SimBlock *b = &exec->block;
  SimStint *t = &exec->warp->stint;
  if (t->open) take_up(exec, t);
  else t->left = SIM_TURN;
  t->open = true;
  uint64_t length = LS_MIN(stint_length(exec), (uint64_t)t->left);
  b->left = (int32_t)LS_MIN(length, budget_left);
  b->stint_from = b->executed;
  b->over = false;
}

static int32_t left_of_turn(const SimExec *exec) {
  return exec->warp->stint.left - (int32_t)(exec->block.executed - exec->block.stint_from);
}

int32_t sim_stint_more(const SimExec *exec, int32_t pc, int32_t ahead) {
  const SimBlock *b = &exec->block;
  uint64_t spent = b->executed + (uint64_t)ahead - b->stint_from;
  if (b->over || spent >= LONGEST || exec->seed) return 0;
  return LS_MIN((int32_t)exec->program->to_line[pc], LS_MAX(left_of_turn(exec) - ahead, 0));
}

int32_t sim_stint_round(const SimExec *exec, const SimInst *line, int32_t *at) {
  int32_t length = 0, more = SIM_STINT;
  for (; more; more = length < LONGEST ? exec->program->to_line[line->pc + *at] : 0) {
    length += more;
    *at = (*at + more) % line->run;
  }
  return length;
}

bool sim_stint_extend(SimExec *exec, int32_t pc) {
  SimBlock *b = &exec->block;
  if (b->left > 0) return false;
  int32_t more = sim_stint_more(exec, pc, 0);
  if (more) b->left = more;
  return more;
}

bool sim_stint_end(SimExec *exec) {
  SimBlock *b = &exec->block;
  SimStint *t = &exec->warp->stint;
  b->ran += b->executed != b->stint_from;
  t->left = left_of_turn(exec);
  if (b->left <= 0 && !b->over && !b->watching_warp && t->left > 0) {
    put_away(exec, t);
    return false;
  }
  t->open = false;
  t->served = true;
  t->spent = b->left <= 0;   // else it waits for others
  b->resume = false;
  return true;
}
