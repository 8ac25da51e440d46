// probe_carry.c: where the carry of add.cc and its kin is still wanted: a call does not keep it (PTX ISA 9.7.2), so
// what is put there has to.
#include "device/probe/probe_impl.h"

static bool falls_through(const PtxInstr *in) { return in->guard >= 0 || !ptx_leaves(in); }

// What those want that may come next.
static bool wanted_behind(const Probe *probe, const PtxFunc *f, int pc) {
  const PtxInstr *in = &probe->module->code[pc];
  bool wanted = falls_through(in) && pc + 1 < f->first + f->count && probe->carry[pc + 1];
  for (int i = 0; i < in->operand_count && !wanted; i++) {
    const PtxOperand *o = &in->operands[i];
    if (o->kind == PTX_OPD_LABEL) wanted = probe->carry[o->target];
    if (o->kind != PTX_OPD_TABLE || in->op != PTX_OP_brx) continue;
    const PtxTable *table = &probe->module->tables[o->index];
    for (int k = 0; k < table->target_count && !wanted; k++) wanted = probe->carry[table->targets[k]];
  }
  return wanted;
}

static bool wanted_at(const Probe *probe, const PtxFunc *f, int pc) {
  const PtxInstr *in = &probe->module->code[pc];
  if (ptx_reads_carry(in)) return true;
  if (in->op == PTX_OP_call || (in->flags & PTX_F_CC && in->guard < 0)) return false;
  return wanted_behind(probe, f, pc);
}

void probe_find_carry(Probe *probe, int func) {
  const PtxFunc *f = &probe->module->funcs[func];
  for (bool changed = true; changed;) {
    changed = false;
    for (int pc = f->first + f->count - 1; pc >= f->first; pc--) {
      bool wanted = wanted_at(probe, f, pc);
      changed |= wanted != probe->carry[pc];
      probe->carry[pc] = wanted;
    }
  }
}
