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
void sim_quick_forget(SimExec *exec);
bool sim_quick_judge(SimExec *exec, const SimShape *shape, const uint8_t *place);
// Judges reads of shared memory that need no more than to be remembered: several, and those in many rounds of a loop.
// False: as sim_quick_passes.
bool sim_quick_reads_all(SimExec *exec, const SimLateRead *reads, int count);
bool sim_quick_reads_rounds(SimExec *exec, const SimLateRound *reads, int count, int rounds);
// The same of all that a sum of products reads (core/dots.h), whose first factors are there.
bool sim_quick_reads_dot(SimExec *exec, int number, const uint8_t *one, const uint8_t *row);

// ---- quick_rows.c --------------------------------------------------------------------------------------------------
bool sim_quick_rows_fit(const SimShape *shape);   // of words of global memory, by all lanes
// offset: of the first lane, in the buffer; exec->reported_pc is set. Says nothing of loads of what nobody wrote.
bool sim_quick_judge_rows(SimExec *exec, const SimShape *shape, uint64_t offset);

// ---- quick.c -------------------------------------------------------------------------------------------------------
// Judges a read of shared memory at pc that needs no more than to be remembered. False: any other access.
static inline bool sim_quick_reads(SimExec *exec, const SimShape *shape, const uint8_t *place, int32_t pc) {
  if (shape->judge != SIM_JUDGE_READ || !sim_shadow_is_safe(exec)) return false;
  sim_shadow_push_late(exec, (uint32_t)(place - exec->shared) / 4, shape->late_how, pc);
  return true;
}

// Judges the access at exec->pc before its bytes are moved. False: that takes a closer look, and nothing is noted yet
// that would not be noted then. place: of the first lane's bytes.
static inline bool sim_quick_passes(SimExec *exec, const SimShape *shape, const uint8_t *place) {
  if (shape->judge == SIM_JUDGE_NOTHING || sim_quick_reads(exec, shape, place, exec->pc)) return true;
  return shape->judge != SIM_JUDGE_SLOWLY && sim_quick_judge(exec, shape, place);
}

#endif
