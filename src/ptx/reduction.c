// reduction.c: see reduction.h.
#include "ptx/reduction.h"
#include <stdlib.h>
#include "base/mem.h"

static void note_reads(const PtxOperand *o, uint8_t *read) {
  if (o->kind == PTX_OPD_REG) read[o->reg] = 1;
  if (o->kind == PTX_OPD_MEM && o->base == PTX_BASE_REG) read[o->reg] = 1;
  for (int i = 0; i < o->elem_count; i++) note_reads(&o->elems[i], read);
}

static bool may_be_one(const PtxInstr *in) {
  return in->op == PTX_OP_atom && in->mode != PTX_AT_CAS && in->mode != PTX_AT_EXCH && in->operand_count > 0;
}

static bool is_read(const PtxOperand *o, const uint8_t *read) {
  bool found = o->kind == PTX_OPD_REG && read[o->reg];
  for (int i = 0; i < o->elem_count && !found; i++) found = is_read(&o->elems[i], read);
  return found;
}

// What an instruction writes it may read as well, as far as this goes: only the result of an atomic is known to be written.
static void look_through(const PtxModule *m, const PtxFunc *f, uint8_t *found) {
  uint8_t *read = ls_alloc((size_t)f->reg_count + 1);
  for (int pc = f->first; pc < f->first + f->count; pc++) {
    const PtxInstr *in = &m->code[pc];
    if (in->guard >= 0) read[in->guard] = 1;
    for (int i = may_be_one(in) ? 1 : 0; i < in->operand_count; i++) note_reads(&in->operands[i], read);
  }
  for (int pc = f->first; pc < f->first + f->count; pc++)
    found[pc] = may_be_one(&m->code[pc]) && !is_read(&m->code[pc].operands[0], read);
  free(read);
}

uint8_t *ptx_find_reductions(const PtxModule *module) {
  uint8_t *found = ls_alloc((size_t)module->code_count + 1);
  for (int f = 0; f < module->func_count && !module->debug; f++) look_through(module, &module->funcs[f], found);
  return found;
}
