// copy_loads.c: loads whose values are only stored elsewhere, or only masked, from the code alone; atomics whose old value
// nobody uses.
//
// Copies of structures take their padding along, and a bit field is first set in a word that nobody wrote. Neither
// looks at the bytes in question, so they are no reads of what nobody wrote (shadow.c).
#include <stdlib.h>
#include "ptx/def_use.h"
#include "ptx/reduction.h"
#include "sim/analysis/analysis.h"
#include "sim/core/program.h"

typedef enum Use { USE_STORE, USE_MASK, USE_OTHER, USE_COUNT } Use;
typedef struct Uses { uint32_t count[USE_COUNT]; } Uses;

// and d, a, mask; bfi d, field, a, at, bits
static Use use_of(const PtxInstr *in, int operand) {
  if ((in->op == PTX_OP_st || in->op == PTX_OP_sust) && operand == 1) return USE_STORE;
  if (in->op == PTX_OP_and && operand == 1 && in->operands[2].kind == PTX_OPD_IMM) return USE_MASK;
  if (in->op == PTX_OP_bfi && operand == 2) return USE_MASK;
  return USE_OTHER;
}

static void note_uses(Uses *regs, const PtxInstr *in) {
  for (PtxRef use = {0}; ptx_each_use(in, &use);)
    if (use.kind == PTX_REF_REG) regs[use.reg].count[use_of(in, use.operand)]++;
}

static Uses uses_of_results(const Uses *regs, const PtxInstr *in) {
  Uses total = {0};
  for (PtxRef def = {0}; ptx_each_def(in, &def);)
    for (int u = 0; u < USE_COUNT && def.kind == PTX_REF_REG; u++) total.count[u] += regs[def.reg].count[u];
  return total;
}

void sim_find_copy_loads(SimProgram *program) {
  const PtxModule *m = program->module;
  Uses **uses = LS_NEW_ARRAY(program->arena, Uses *, m->func_count + 1);
  for (int f = 0; f < m->func_count; f++) uses[f] = LS_NEW_ARRAY(program->arena, Uses, m->funcs[f].reg_count + 1);
  for (int pc = 0; pc < m->code_count; pc++) note_uses(uses[m->code[pc].func], &m->code[pc]);
  uint8_t *reductions = ptx_find_reductions(m);
  for (int pc = 0; pc < m->code_count; pc++) {
    const PtxInstr *in = &m->code[pc];
    if ((in->op != PTX_OP_ld && in->op != PTX_OP_atom) || program->code[pc].access != SIM_MEMORY_ACCESS) continue;
    Uses all = uses_of_results(uses[in->func], in);
    SimMem *mem = (SimMem *)(uintptr_t)program->code[pc].more;
    mem->unused = !all.count[USE_STORE] && !all.count[USE_MASK] && !all.count[USE_OTHER];
    mem->is_reduction = reductions[pc];
    if (in->op == PTX_OP_atom) continue;
    mem->only_copied = all.count[USE_STORE] && !all.count[USE_MASK] && !all.count[USE_OTHER];
    mem->only_masked = all.count[USE_MASK] && !all.count[USE_STORE] && !all.count[USE_OTHER];
  }
  free(reductions);
}
