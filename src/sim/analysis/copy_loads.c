// copy_loads.c: loads whose values are only stored elsewhere, or only masked, from the code alone; atomics whose old value
// nobody uses.
//
// Copies of structures take their padding along, and a bit field is first set in a word that nobody wrote. Neither
// looks at the bytes in question, so they are no reads of what nobody wrote (shadow.c). A copy may go through other
// registers, and two words of it may be put together: "shl.b64 high, high, 32; or.b64 both, high, low".
#include <stdlib.h>
#include "ptx/def_use.h"
#include "ptx/reduction.h"
#include "sim/analysis/analysis.h"
#include "sim/core/program.h"

typedef enum Use { USE_STORE, USE_MASK, USE_OTHER, USE_COUNT } Use;
typedef struct Uses { uint32_t count[USE_COUNT]; bool looked_at, shifted, multiplied; } Uses;   // of a register

// and d, a, mask; bfi d, field, a, at, bits
static Use use_of(const PtxInstr *in, int operand) {
  if ((in->op == PTX_OP_st || in->op == PTX_OP_sust) && operand == 1) return USE_STORE;
  if (in->op == PTX_OP_and && operand == 1 && in->operands[2].kind == PTX_OPD_IMM) return USE_MASK;
  if (in->op == PTX_OP_bfi && operand == 2) return USE_MASK;
  return USE_OTHER;
}

static bool is_or_of_shifted(const Uses *regs, const PtxInstr *in) {
  for (int i = 1; in->op == PTX_OP_or && i < in->operand_count; i++)
    if (in->operands[i].kind == PTX_OPD_REG && regs[in->operands[i].reg].shifted) return true;
  return false;
}

// By whole bytes, past a word of two bytes at least: what multiplies shifts by less.
static bool is_word_shift(const PtxInstr *in) {
  return in->op == PTX_OP_shl && in->operands[0].kind == PTX_OPD_REG && in->operands[2].kind == PTX_OPD_IMM &&
         in->operands[2].imm >= 16 && in->operands[2].imm % 8 == 0;
}

// The bits of a source are those of the result, somewhere: what becomes of it is what becomes of the result.
static bool is_move(const Uses *regs, const PtxInstr *in, int operand) {
  bool whole = in->op == PTX_OP_cvt && !in->round;
  if (in->operand_count < 2 || in->operands[0].kind != PTX_OPD_REG || operand < 0) return false;
  return in->op == PTX_OP_mov || whole || (operand == 1 && is_word_shift(in)) ||
         is_or_of_shifted(regs, in);
}

static void note_shift(Uses *regs, const PtxInstr *in) {
  if (is_word_shift(in)) regs[in->operands[0].reg].shifted = true;
}

// Whether a register's own bits are looked at, here or where it is moved to; true: that is news.
static bool note_looks(Uses *regs, const PtxInstr *in) {
  bool news = false;
  for (PtxRef use = {0}; ptx_each_use(in, &use);) {
    if (use.kind != PTX_REF_REG || regs[use.reg].looked_at) continue;
    bool looks = is_move(regs, in, use.operand) ? regs[in->operands[0].reg].looked_at : use_of(in,
        use.operand) != USE_STORE;
    regs[use.reg].looked_at = looks;
    news |= looks;
  }
  return news;
}

static void note_uses(Uses *regs, const PtxInstr *in) {
  for (PtxRef use = {0}; ptx_each_use(in, &use);) {
    if (use.kind != PTX_REF_REG) continue;
    bool moved = is_move(regs, in, use.operand) && !regs[in->operands[0].reg].looked_at;
    regs[use.reg].count[moved ? USE_STORE : use_of(in, use.operand)]++;
    regs[use.reg].multiplied |= ptx_op_class((PtxOp)in->op) == PTX_CLASS_MATRIX;
  }
}

static void note_all_looks(const PtxModule *m, Uses **uses) {
  for (int pc = 0; pc < m->code_count; pc++) note_shift(uses[m->code[pc].func], &m->code[pc]);
  for (bool news = true; news;) {
    news = false;
    for (int pc = m->code_count - 1; pc >= 0; pc--) news |= note_looks(uses[m->code[pc].func], &m->code[pc]);
  }
}

// What values are used for, and not only whether they are, is asked by one check alone.
static void note_all(const SimProgram *program, Uses **uses) {
  const PtxModule *m = program->module;
  if (program->options.checks & SIM_CHECK_INIT) note_all_looks(m, uses);
  for (int pc = 0; pc < m->code_count; pc++) note_uses(uses[m->code[pc].func], &m->code[pc]);
}

static Uses uses_of_results(const Uses *regs, const PtxInstr *in) {
  Uses total = {0};
  for (PtxRef def = {0}; ptx_each_def(in, &def);) {
    total.multiplied |= def.kind == PTX_REF_REG && regs[def.reg].multiplied;
    for (int u = 0; u < USE_COUNT && def.kind == PTX_REF_REG; u++) total.count[u] += regs[def.reg].count[u];
  }
  return total;
}

void sim_find_copy_loads(SimProgram *program) {
  const PtxModule *m = program->module;
  Uses **uses = LS_NEW_ARRAY(program->arena, Uses *, m->func_count + 1);
  for (int f = 0; f < m->func_count; f++) uses[f] = LS_NEW_ARRAY(program->arena, Uses, m->funcs[f].reg_count + 1);
  note_all(program, uses);
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
    mem->multiplied = all.multiplied;
    mem->only_masked = all.count[USE_MASK] && !all.count[USE_STORE] && !all.count[USE_OTHER];
  }
  free(reductions);
}
