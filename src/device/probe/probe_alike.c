// probe_alike.c: accesses to shared memory whose places are apart by the same distance in all lanes: they meet the same
// banks, each in its own turn, and are counted as one.
//
// An address is followed back through sums to registers that were there before, as far as one instruction comes after
// the other. What two addresses do not have in common has to be the same for all lanes.
#include "device/probe/probe_alike.h"
#include "device/probe/probe_affine.h"

enum { MOST_TERMS = 8, WORD_BYTES = 4 };

typedef struct Term { int reg, defined; } Term;   // defined: pc; -1: before
typedef struct Terms { Term of[MOST_TERMS]; int count; bool many; } Terms;

// Can the instruction be reached from elsewhere than the one before it?
static bool is_joined(const PtxModule *m, int pc) {
  const PtxFunc *f = &m->funcs[m->code[pc].func];
  if (pc == f->first || ptx_leaves(&m->code[pc - 1])) return true;
  for (int from = f->first; from < f->first + f->count; from++)
    for (int i = 0; i < m->code[from].operand_count; i++) {
      const PtxOperand *o = &m->code[from].operands[i];
      if (o->kind == PTX_OPD_LABEL && o->target == pc) return true;
      for (int k = 0; o->kind == PTX_OPD_TABLE && k < m->tables[o->index].target_count; k++)
        if (m->tables[o->index].targets[k] == pc) return true;
    }
  return false;
}

static int definition(const PtxModule *m, int first, int pc, int reg) {
  for (int at = pc - 1; at >= first; at--)
    if (ptx_defines(&m->code[at], reg)) return at;
  return -1;
}

static bool is_sum(const PtxInstr *in) {
  bool whole = !ptx_type_is_float((PtxType)in->type) && !(in->flags & (PTX_F_SAT | PTX_F_CC)) && in->guard < 0;
  return whole && (in->op == PTX_OP_add || in->op == PTX_OP_mov) && in->operands[0].kind == PTX_OPD_REG;
}

static void expand(const PtxModule *m, int first, int pc, const PtxOperand *o, Terms *terms) {
  if (o->kind == PTX_OPD_IMM || o->kind == PTX_OPD_VAR) return;
  if (o->kind != PTX_OPD_REG || terms->count == MOST_TERMS) { terms->many = true; return; }
  int defined = definition(m, first, pc, o->reg);
  if (defined < 0 || !is_sum(&m->code[defined])) {
    terms->of[terms->count++] = (Term){o->reg, defined};
    return;
  }
  for (int i = 1; i < m->code[defined].operand_count; i++)
    expand(m, first, defined, &m->code[defined].operands[i], terms);
}

static Terms address_terms(const PtxModule *m, int first, int pc) {
  const PtxOperand *address = ptx_address(&m->code[pc]);
  Terms terms = {.many = address->base != PTX_BASE_REG && address->base != PTX_BASE_VAR};
  PtxOperand base = {.kind = PTX_OPD_REG, .reg = address->reg};
  if (address->base == PTX_BASE_REG) expand(m, first, pc, &base, &terms);
  return terms;
}

static void cross_out(Terms *a, Terms *b) {
  for (int i = 0; i < a->count; i++)
    for (int k = 0; k < b->count; k++) {
      if (a->of[i].reg != b->of[k].reg || a->of[i].defined != b->of[k].defined) continue;
      a->of[i--] = a->of[--a->count];
      b->of[k] = b->of[--b->count];
      break;
    }
}

static bool all_uniform(AffineRegs *affine_regs, int func, const Terms *terms) {
  for (int i = 0; i < terms->count; i++)
    if (!affine_uniform(affine_regs, func, terms->of[i].reg)) return false;
  return !terms->many;
}

// An aligned access of at least a word is apart from another one by whole words.
bool probe_is_alike(const Probe *probe, AffineRegs *affine_regs, const ProbeGroup *g, int pc) {
  const PtxModule *m = probe->module;
  if (g->space != PTX_SHARED || g->what == PROBE_ATOM || g->width < WORD_BYTES) return false;
  int first = g->first_pc, func = m->code[pc].func;
  while (!is_joined(m, first)) first--;
  Terms a = address_terms(m, first, g->first_pc), b = address_terms(m, first, pc);
  cross_out(&a, &b);
  return all_uniform(affine_regs, func, &a) && all_uniform(affine_regs, func, &b);
}
