// unset.c: uses of registers that nothing has set. A watched register has a bit per lane in the register file, which is
// cleared when a block starts: whether it is set, from set values.
#include "sim/check/unset.h"
#include "ptx/def_use.h"
#include "sim/check/fault.h"
#include "sim/core/slots.h"

static uint32_t *set_of(SimExec *exec, int number) {
  return sim_u32(exec->regs, exec->program->watch_slot + 4 * (uint32_t)number);
}

static const char *role_of(const PtxInstr *in, const SimWatchUse *use) {
  if (use->way == PTX_AS_ADDRESS) return "an address is made of";
  if (use->way == PTX_AS_GUARD || ptx_op_class((PtxOp)in->op) == PTX_CLASS_BRANCH) return "a branch is decided by";
  return ptx_op_class((PtxOp)in->op) == PTX_CLASS_MATRIX ? "matrices are multiplied with" : "what is stored is";
}

static void report(SimExec *exec, int32_t pc, const SimWatchUse *use, uint32_t lanes) {
  const PtxInstr *in = &exec->program->module->code[pc];
  LsText text = {0};
  ls_text_addf(&text, "%s a value that nothing has set on the way here (%s)", role_of(in, use),
               exec->program->module->funcs[in->func].regs[use->reg].name);
  sim_fault(exec, &(SimFaultPlace){.kind = FAULT_UNINITIALIZED, .mask = lanes, .space = TRACE_LOCAL,
                                   .text = ls_text_str(&text)});
  ls_text_free(&text);
}

// Of a vector that is stored as a whole, lanes in which some element is set.
static uint32_t partly_set(SimExec *exec, const SimWatch *w, const SimWatchUse *use) {
  uint32_t set = 0;
  for (int i = 0; use->whole && i < w->use_count; i++)
    if (w->uses[i].operand == use->operand && w->uses[i].told) set |= *set_of(exec, w->uses[i].number);
  return set;
}

// Once: what was told counts as set.
static void tell(SimExec *exec, int32_t pc, const SimWatch *w, uint32_t mask) {
  for (int i = 0; i < w->use_count; i++) {
    const SimWatchUse *use = &w->uses[i];
    uint32_t lanes = use->way == PTX_AS_GUARD ? exec->active : mask;
    lanes &= ~*set_of(exec, use->number) & ~partly_set(exec, w, use);
    if (!use->told || !lanes) continue;
    report(exec, pc, use, lanes);
    for (int k = 0; k < w->use_count; k++)
      if (w->uses[k].told && w->uses[k].operand == use->operand) *set_of(exec, w->uses[k].number) |= lanes;
  }
}

uint32_t sim_unset_before(SimExec *exec, int32_t pc, uint32_t mask) {
  const SimWatch *w = exec->program->watches[pc];
  uint32_t good = SIM_FULL, chosen = 0;
  tell(exec, pc, w, mask);
  int func = exec->program->module->code[pc].func;
  if (w->picks >= 0) chosen = sim_pred(exec->regs, exec->program->funcs[func].slots[w->picks]);
  for (int i = 0; i < w->use_count; i++) {
    const SimWatchUse *use = &w->uses[i];
    if (!use->passed) continue;
    uint32_t set = *set_of(exec, use->number);
    if (w->picks >= 0) set |= use->operand == 1 ? ~chosen : use->operand == 2 ? chosen : 0;
    good &= set;
  }
  return good;
}

void sim_unset_after(SimExec *exec, int32_t pc, uint32_t good) {
  const SimWatch *w = exec->program->watches[pc];
  for (int i = 0; i < w->def_count; i++) {
    uint32_t *set = set_of(exec, w->defs[i]);
    *set = (*set & ~exec->wrote) | (good & exec->wrote);
  }
}
