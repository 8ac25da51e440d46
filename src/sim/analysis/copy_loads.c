// copy_loads.c: loads whose values are only stored elsewhere, or only masked, from the code alone; atomics whose old value
// nobody uses.
//
// Copies of structures take their padding along, and a bit field is first set in a word that nobody wrote. Neither
// looks at the bytes in question, so they are no reads of what nobody wrote (shadow.c).
#include <stdlib.h>
#include "ptx/reduction.h"
#include "sim/analysis/analysis.h"
#include "sim/core/program.h"

typedef enum Use { USE_STORE, USE_MASK, USE_OTHER, USE_COUNT } Use;
typedef struct Uses { uint32_t count[USE_COUNT]; } Uses;

static void note_use(Uses *regs, const PtxOperand *o, Use use) {
  if (o->kind == PTX_OPD_REG) regs[o->reg].count[use]++;
  if (o->kind == PTX_OPD_MEM && o->base == PTX_BASE_REG) regs[o->reg].count[USE_OTHER]++;
  bool many = o->kind == PTX_OPD_VEC || o->kind == PTX_OPD_ARGS || o->kind == PTX_OPD_MEM;   // MEM: coordinates
  for (int i = 0; many && i < o->elem_count; i++) note_use(regs, &o->elems[i], use);
}

static bool has_destination(const PtxInstr *in) {
  switch (in->op) {
  case PTX_OP_st: case PTX_OP_red: case PTX_OP_bra: case PTX_OP_brx: case PTX_OP_call: case PTX_OP_sust: return false;
  case PTX_OP_bar: case PTX_OP_barrier: case PTX_OP_prefetch: case PTX_OP_prefetchu: return false;
  default: return true;
  }
}

// and d, a, mask; bfi d, field, a, at, bits
static Use use_of(const PtxInstr *in, int operand) {
  if ((in->op == PTX_OP_st || in->op == PTX_OP_sust) && operand == 1) return USE_STORE;
  if (in->op == PTX_OP_and && operand == 1 && in->operands[2].kind == PTX_OPD_IMM) return USE_MASK;
  if (in->op == PTX_OP_bfi && operand == 2) return USE_MASK;
  return USE_OTHER;
}

static void add_uses(Uses *total, const Uses *regs, const PtxOperand *o) {
  if (o->kind == PTX_OPD_REG)
    for (int u = 0; u < USE_COUNT; u++) total->count[u] += regs[o->reg].count[u];
  for (int i = 0; o->kind == PTX_OPD_VEC && i < o->elem_count; i++) add_uses(total, regs, &o->elems[i]);
}

void sim_find_copy_loads(SimProgram *program) {
  const PtxModule *m = program->module;
  Uses **uses = LS_NEW_ARRAY(program->arena, Uses *, m->func_count + 1);
  for (int f = 0; f < m->func_count; f++) uses[f] = LS_NEW_ARRAY(program->arena, Uses, m->funcs[f].reg_count + 1);
  for (int pc = 0; pc < m->code_count; pc++) {
    const PtxInstr *in = &m->code[pc];
    for (int i = has_destination(in) ? 1 : 0; i < in->operand_count; i++)
      note_use(uses[in->func], &in->operands[i], use_of(in, i));
  }
  uint8_t *reductions = ptx_find_reductions(m);
  for (int pc = 0; pc < m->code_count; pc++) {
    const PtxInstr *in = &m->code[pc];
    Uses all = {0};
    if ((in->op != PTX_OP_ld && in->op != PTX_OP_atom) || program->code[pc].access != SIM_MEMORY_ACCESS) continue;
    add_uses(&all, uses[in->func], &in->operands[0]);
    SimMem *mem = (SimMem *)(uintptr_t)program->code[pc].more;
    mem->unused = !all.count[USE_STORE] && !all.count[USE_MASK] && !all.count[USE_OTHER];
    mem->is_reduction = reductions[pc];
    if (in->op == PTX_OP_atom) continue;
    mem->only_copied = all.count[USE_STORE] && !all.count[USE_MASK] && !all.count[USE_OTHER];
    mem->only_masked = all.count[USE_MASK] && !all.count[USE_STORE] && !all.count[USE_OTHER];
  }
  free(reductions);
}
