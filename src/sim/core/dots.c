// dots.c: how often the accesses of sums of products were as their shapes say, brought to the shapes.
#include "sim/core/dots.h"

// What a side found at addresses that are `low` modulo SIM_LIKE_UNIT.
static void settle_at(SimDotPlan *plan, int side, uint64_t low) {
  uint64_t *times = &plan->sides[side].like.times[low];
  for (int i = side ^ plan->first_side; *times && i < 2 * plan->dot->count; i += 2) {
    const SimDotAccess *a = &plan->accesses[i];
    a->shape->like.times[(low + (uint64_t)a->apart) % SIM_LIKE_UNIT] += *times;
  }
  *times = 0;
}

static void settle(SimDotPlan *plan) {
  for (int side = 0; side < SIM_DOT_SIDES; side++)
    for (uint64_t low = 0; low < SIM_LIKE_UNIT; low++) settle_at(plan, side, low);
  plan->is_pending = false;
}

void sim_dots_settle(SimExec *exec) {
  for (int i = 0; exec->dots_pending && i < exec->program->dot_count; i++)
    if (exec->dots[i] && exec->dots[i]->is_pending) settle(exec->dots[i]);
  exec->dots_pending = false;
}

void sim_dots_forget(const SimExec *exec) {
  for (int i = 0; i < exec->program->dot_count; i++) if (exec->dots[i]) exec->dots[i]->version = 0;
}
