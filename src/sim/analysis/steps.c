// steps.c: the way through a line that is executed whole: from each instruction to the next that is not left out.
#include "sim/analysis/analysis.h"
#include "sim/core/block.h"

static SimStep step_of(const SimInst *in) {
  if (in->kind == TRACE_BRANCH) return SIM_STEP_BRANCH;
  if (in->quiet) return SIM_STEP_PLAIN;
  if (!in->dot) return SIM_STEP_LEAN;
  return in->dot->chain || (in->dot->number >= 0 && in->dot->count >= SIM_DOT_FEWEST) ? SIM_STEP_DOT : SIM_STEP_LEAN;
}

// Lines of full_run go furthest; those of `run` end in front of an operation of the warp, where the executor looks.
static void find_next(SimInst *in) {
  const SimInst *next = in + 1;
  in->step = (uint8_t)step_of(in);
  in->hop = sizeof *in;
  in->then = SIM_STEP_OUT;
  if (in->full_run < 2) return;
  in->then = next->left_out ? next->then : next->step;
  if (next->left_out) in->hop += next->hop;
}

// Lanes that do not jump are soon where the others wait, and nowhere else is anybody waited for: they need no turns.
static bool is_aside(const SimInst *in) {
  const SimBranch *b = in->more;
  if (in->kind != TRACE_BRANCH || !in->jumps || !in->full_run) return false;
  int length = b->target - in->pc - 1;
  if (b->meeting_count != 1 || b->leave_count) return false;
  if (b->target != b->reconverge || b->level || length <= 0 || length > SIM_MOST_ASIDE) return false;
  return in[1].run == length && in[length].kind != TRACE_BRANCH;   // a loop may be there
}

void sim_find_steps(SimProgram *program) {
  for (int pc = program->module->code_count; pc >= 0; pc--) {
    SimInst *in = &program->code[pc];
    in->pc = pc;
    in->aside = is_aside(in);
    if (in->full_run) find_next(in);
  }
}
