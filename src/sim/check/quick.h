// quick.h: checks of accesses whose shape is known (core/shape.h), where all lanes are judged at once.
#ifndef LS_SIM_QUICK_H
#define LS_SIM_QUICK_H

#include <stdbool.h>
#include <stdint.h>
#include "sim/check/shadow_words.h"
#include "sim/core/exec.h"

// Decides how accesses of this shape are judged, once it is known.
void sim_quick_learn(const SimExec *exec, const SimInst *inst, SimShape *shape);
// What was taken to be never written is written: shapes that took it for that ask again.
void sim_quick_forget(const SimExec *exec);
bool sim_quick_judge(SimExec *exec, const SimShape *shape, const uint8_t *place);

// Judges the access at exec->pc before its bytes are moved. False: that takes a closer look, and nothing is noted yet
// that would not be noted then. place: of the first lane's bytes.
static inline bool sim_quick_passes(SimExec *exec, const SimShape *shape, const uint8_t *place) {
  if (shape->judge == SIM_JUDGE_NOTHING) return true;
  if (shape->judge == SIM_JUDGE_READ && sim_shadow_is_safe(exec)) {
    sim_shadow_push_late(exec, (uint32_t)(place - exec->shared) / 4, shape->late_how, exec->pc);
    return true;
  }
  return shape->judge != SIM_JUDGE_SLOWLY && sim_quick_judge(exec, shape, place);
}

#endif
