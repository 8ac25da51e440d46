// reduction.c: finds atomics whose results nobody reads.
#include "ptx/reduction.h"
#include <stdlib.h>
#include "base/mem.h"
#include "ptx/def_use.h"

static bool may_be_one(const PtxInstr *in) {
  return in->op == PTX_OP_atom && in->mode != PTX_AT_CAS && in->mode != PTX_AT_EXCH && in->operand_count > 0;
}

static bool is_read(const PtxInstr *in, const uint8_t *read) {
  for (PtxRef r = {0}; ptx_each_def(in, &r);)
    if (r.kind == PTX_REF_REG && read[r.reg]) return true;
  return false;
}

static bool has_atomics(const PtxModule *m, const PtxFunc *f) {
  for (int pc = f->first; pc < f->first + f->count; pc++) if (may_be_one(&m->code[pc])) return true;
  return false;
}

static void look_through(const PtxModule *m, const PtxFunc *f, uint8_t *found) {
  if (!has_atomics(m, f)) return;
  uint8_t *read = ls_alloc((size_t)f->reg_count + 1);
  for (int pc = f->first; pc < f->first + f->count; pc++) {
    for (PtxRef r = {0}; ptx_each_use(&m->code[pc], &r);)
      if (r.kind == PTX_REF_REG) read[r.reg] = 1;
  }
  for (int pc = f->first; pc < f->first + f->count; pc++)
    found[pc] = may_be_one(&m->code[pc]) && !is_read(&m->code[pc], read);
  free(read);
}

uint8_t *ptx_find_reductions(const PtxModule *module) {
  uint8_t *found = ls_alloc((size_t)module->code_count + 1);
  for (int f = 0; f < module->func_count && !module->debug; f++) look_through(module, &module->funcs[f], found);
  return found;
}
