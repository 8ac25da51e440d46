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

enum { EIGHT = SIM_LIKE_UNIT / 4 };   // so many steps of words make a multiple of SIM_LIKE_UNIT

// Rounds that began at addresses that are `low` modulo SIM_LIKE_UNIT.
static void settle_rounds(const SimDotPlan *plan, SimDotSide *side, int64_t step, uint64_t low) {
  uint64_t begun = side->begun[low], rounds = (uint64_t)plan->rounds, *times = side->like.times;
  side->begun[low] = 0;
  for (uint64_t k = 0, at = low; begun && k < EIGHT; k++, at += (uint64_t)step)
    times[at % SIM_LIKE_UNIT] += begun * (rounds / EIGHT + (k < rounds % EIGHT));
}

void sim_dots_settle_rounds(SimDotPlan *plan) {
  for (int side = 0; side < SIM_DOT_SIDES && plan->rounds; side++)
    for (uint64_t low = 0; low < SIM_LIKE_UNIT; low++)
      settle_rounds(plan, &plan->sides[side], plan->steps[side], low);
}

static void settle(SimDotPlan *plan) {
  sim_dots_settle_rounds(plan);
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
