// disjoint.c: buffers in which each block uses places of its own, and those to which all blocks only add.
//
// Blocks on several threads never meet in the first:
//
//   i = %ctaid.x * 256 + %tid.x;
//   c[i] = a[i] + b[i];
//
// The numbers of a launch are known before it runs. Where each address of a buffer is a sum of multiples of the numbers
// of block and thread, it can be read like a number whose digits these are: if every digit from the lowest one of a
// block on weighs at least as much as all below it can come to, no two blocks have an address in common. That is asked
// of all accesses together, loads too, and of the launch's own extents: tiles of a matrix count as well.
//
//   for (i = ...; i < n; i += gridDim.x * blockDim.x)
//
// Rounds of such a loop are one more digit, the highest one, which nothing bounds. In 32 bits that holds if its weight
// is a power of two: then an index that wraps around still is what it was modulo that weight.
#include <stdlib.h>
#include <string.h>
#include "ptx/def_use.h"
#include "sim/analysis/analysis.h"

enum { ROUND = 6, DIGITS, DEEPEST = 64 };   // %ctaid.x to z, then %tid.x to z
#define FARTHEST (1ll << 62)

// first + the sum of per[k] * digit k. A register has it modulo 2 to the power of its bits.
typedef struct Affine { int64_t first, per[DIGITS]; } Affine;

typedef enum Known { UNKNOWN, AT_WORK, AFFINE, OTHER } Known;
typedef struct Reg { Known known; Affine value; } Reg;

// The accesses of one buffer: `like` but for where they begin, low to high, with the last one's bytes.
// added: the first atomic that adds, if all are as it is.
typedef struct Group { bool some, fails, others; Affine like; int64_t low, high; const SimMem *added; } Group;

typedef struct Finder {
  SimProgram *program;
  const SimMemory *memory;
  uint32_t extents[DIGITS];
  Reg *regs;                 // of the kernel
  Group *groups;             // of each allocation
  bool any;                  // there are accesses that may be of any buffer
} Finder;

// ---- sums and products ---------------------------------------------------------------------------------------------

static bool is_const(const Affine *a) {
  for (int k = 0; k < DIGITS; k++) if (a->per[k]) return false;
  return true;
}

// Two that change with rounds may be of different rounds.
static bool add_times(Affine *a, const Affine *b, int64_t times) {
  int64_t more;
  if (a->per[ROUND] && b->per[ROUND]) return false;
  if (__builtin_mul_overflow(b->first, times, &more) || __builtin_add_overflow(a->first, more, &a->first)) return false;
  for (int k = 0; k < DIGITS; k++)
    if (__builtin_mul_overflow(b->per[k], times, &more) || __builtin_add_overflow(a->per[k], more, &a->per[k]))
      return false;
  return true;
}

static bool multiply(const Affine *a, const Affine *b, Affine *out) {
  const Affine *factor = is_const(a) ? a : b, *other = is_const(a) ? b : a;
  *out = (Affine){0};
  return is_const(factor) && add_times(out, other, factor->first);
}

// Is it from least to most in all threads, in no round or the first?
static bool lies_in(const Finder *f, const Affine *a, int64_t least, int64_t most) {
  __int128 low = a->first, high = a->first;
  for (int k = 0; k < ROUND; k++) {
    __int128 far = (__int128)a->per[k] * (f->extents[k] - 1);
    if (far < 0) low += far; else high += far;
  }
  return low >= least && high <= most;
}

// ---- values --------------------------------------------------------------------------------------------------------

static bool value_of_reg(Finder *f, int reg, int depth, Affine *out);

static int bits_of(uint8_t type) {
  switch (type) {
  case PTX_S32: case PTX_U32: case PTX_B32: return 32;
  case PTX_S64: case PTX_U64: case PTX_B64: return 64;
  default: return 0;
  }
}

static bool of_sreg(const Finder *f, int sreg, Affine *out) {
  const Launch *l = f->program->launch;
  *out = (Affine){0};
  if (sreg >= PTX_SR_CTAID_X && sreg <= PTX_SR_CTAID_Z) out->per[sreg - PTX_SR_CTAID_X] = 1;
  else if (sreg >= PTX_SR_TID_X && sreg <= PTX_SR_TID_Z) out->per[3 + sreg - PTX_SR_TID_X] = 1;
  else if (sreg >= PTX_SR_NTID_X && sreg <= PTX_SR_NTID_Z) out->first = l->block[sreg - PTX_SR_NTID_X];
  else if (sreg >= PTX_SR_NCTAID_X && sreg <= PTX_SR_NCTAID_Z) out->first = l->grid[sreg - PTX_SR_NCTAID_X];
  else return false;
  return true;
}

static bool of_operand(Finder *f, const PtxOperand *o, int depth, Affine *out) {
  switch (o->kind) {
  case PTX_OPD_REG: return value_of_reg(f, o->reg, depth, out);
  case PTX_OPD_IMM: *out = (Affine){.first = (int64_t)o->imm}; return true;
  case PTX_OPD_SREG: return of_sreg(f, o->sreg, out);
  default: return false;
  }
}

static bool of_param(const Finder *f, const PtxInstr *in, Affine *out) {
  const PtxFunc *entry = &f->program->module->funcs[f->program->entry];
  const PtxOperand *mem = &in->operands[1];
  int size = bits_of(in->type) / 8;
  if (in->space != PTX_PARAM || mem->kind != PTX_OPD_MEM || mem->base != PTX_BASE_VAR || in->vec > 1) return false;
  for (int i = 0; i < entry->param_count; i++) {
    const PtxParam *p = &entry->params[i];
    if (p->var != mem->var || mem->offset < 0 || mem->offset + size > (int64_t)p->size) continue;
    int32_t narrow;
    const uint8_t *at = f->program->params + p->offset + mem->offset;
    *out = (Affine){0};
    if (size == 8) memcpy(&out->first, at, 8);
    else memcpy(&narrow, at, 4), out->first = narrow;
    return true;
  }
  return false;
}

// To 64 bits: it has to be what the narrow register holds, not only modulo 2 to the power of 32.
static bool widens(const Finder *f, const Affine *a, bool is_signed) {
  int64_t step = llabs(a->per[ROUND]);
  if (step) return step <= INT32_MAX && !(step & (step - 1));
  return is_signed ? lies_in(f, a, INT32_MIN, INT32_MAX) : lies_in(f, a, 0, UINT32_MAX);
}

static bool is_signed(uint8_t type) { return ptx_type_is_signed((PtxType)type); }

static bool of_product(Finder *f, const PtxInstr *in, int depth, Affine *out) {
  Affine a, b, c = {0};
  bool wide = in->mode == PTX_MUL_WIDE;
  if ((!wide && in->mode != PTX_MUL_LO) || (wide && bits_of(in->type) != 32)) return false;
  if (!of_operand(f, &in->operands[1], depth, &a) || !of_operand(f, &in->operands[2], depth, &b)) return false;
  if (wide && (!widens(f, &a, is_signed(in->type)) || !widens(f, &b, is_signed(in->type)))) return false;
  if (in->op == PTX_OP_mad && !of_operand(f, &in->operands[3], depth, &c)) return false;
  return multiply(&a, &b, out) && add_times(out, &c, 1);
}

static bool of_sum(Finder *f, const PtxInstr *in, int depth, Affine *out) {
  Affine b;
  return of_operand(f, &in->operands[1], depth, out) && of_operand(f, &in->operands[2], depth, &b) &&
         add_times(out, &b, in->op == PTX_OP_sub ? -1 : 1);
}

static bool of_shift(Finder *f, const PtxInstr *in, int depth, Affine *out) {
  const PtxOperand *by = &in->operands[2];
  Affine a;
  *out = (Affine){0};
  return by->kind == PTX_OPD_IMM && by->imm < LS_MIN((uint64_t)bits_of(in->type), 62u) &&
         of_operand(f, &in->operands[1], depth, &a) && add_times(out, &a, 1ll << by->imm);
}

static bool of_conversion(Finder *f, const PtxInstr *in, int depth, Affine *out) {
  int to = bits_of(in->type), from = bits_of(in->type2);
  if (!from || !of_operand(f, &in->operands[1], depth, out)) return false;
  return to <= from || widens(f, out, is_signed(in->type2));
}

static bool of_result(Finder *f, const PtxInstr *in, int depth, Affine *out) {
  if (in->guard >= 0 || !bits_of(in->type) || in->operands[0].kind != PTX_OPD_REG) return false;
  if (in->op == PTX_OP_cvta) return in->space == PTX_GLOBAL && of_operand(f, &in->operands[1], depth, out);
  if (in->flags || ptx_reads_carry(in)) return false;
  switch (in->op) {
  case PTX_OP_ld: return of_param(f, in, out);
  case PTX_OP_mov: return of_operand(f, &in->operands[1], depth, out);
  case PTX_OP_add: case PTX_OP_sub: return of_sum(f, in, depth, out);
  case PTX_OP_mul: case PTX_OP_mad: return of_product(f, in, depth, out);
  case PTX_OP_shl: return of_shift(f, in, depth, out);
  case PTX_OP_cvt: return of_conversion(f, in, depth, out);
  default: return false;
  }
}

static bool is_reg(const PtxOperand *o, int reg) { return o->kind == PTX_OPD_REG && o->reg == reg; }

// reg = reg + a number: the number.
static bool is_step(Finder *f, const PtxInstr *in, int reg, int depth, Affine *by) {
  if (in->op != PTX_OP_add || in->flags || !bits_of(in->type) || ptx_reads_carry(in)) return false;
  if (!is_reg(&in->operands[0], reg)) return false;
  int other = is_reg(&in->operands[1], reg) ? 2 : is_reg(&in->operands[2], reg) ? 1 : 0;
  return other && of_operand(f, &in->operands[other], depth, by) && is_const(by) && by->first;
}

// Set by one instruction, and by all others moved on by as much.
static bool of_walk(Finder *f, int reg, int depth, Affine *out) {
  const PtxFunc *entry = &f->program->module->funcs[f->program->entry];
  const PtxInstr *start = NULL;
  int64_t step = 0;
  for (int pc = entry->first; pc < entry->first + entry->count; pc++) {
    const PtxInstr *in = &f->program->module->code[pc];
    Affine by;
    if (!ptx_defines(in, reg)) continue;
    if (!is_step(f, in, reg, depth, &by)) {
      if (start) return false;
      start = in;
      continue;
    }
    if (step && by.first != step) return false;
    step = by.first;
  }
  if (!start || !step || !of_result(f, start, depth, out) || out->per[ROUND]) return false;
  out->per[ROUND] = step;
  return true;
}

// Whenever it is read.
static bool value_of_reg(Finder *f, int reg, int depth, Affine *out) {
  const SimProgram *p = f->program;
  Reg *r = &f->regs[reg];
  bool is_early = p->early[reg / 64] >> reg % 64 & 1;
  if (r->known == UNKNOWN && depth < DEEPEST && !is_early) {
    const SimRegFact *fact = &p->reg_facts[reg];
    r->known = AT_WORK;
    bool ok = fact->writers == 1 ? of_result(f, &p->module->code[fact->writer], depth + 1, &r->value)
                                 : of_walk(f, reg, depth + 1, &r->value);
    r->known = ok ? AFFINE : OTHER;
  }
  *out = r->value;
  return r->known == AFFINE;
}

// ---- accesses ------------------------------------------------------------------------------------------------------

static bool address_at(Finder *f, int pc, Affine *out) {
  const PtxInstr *in = &f->program->module->code[pc];
  const PtxOperand *address = ptx_address(in);
  Affine offset = {.first = address ? address->offset : 0};
  return f->program->code[pc].shaped && in->func == f->program->entry && address && address->base == PTX_BASE_REG &&
         value_of_reg(f, address->reg, 0, out) && add_times(out, &offset, 1) && lies_in(f, out, 0, FARTHEST);
}

static bool is_alike(const Finder *f, const Affine *a, const Affine *b) {
  for (int k = 0; k < DIGITS; k++) if (f->extents[k] > 1 && a->per[k] != b->per[k]) return false;
  return true;
}

static void add_to_group(Finder *f, Group *g, int pc) {
  const SimMem *m = f->program->code[pc].more;
  Affine a;
  if (!address_at(f, pc, &a) || (g->some && !is_alike(f, &g->like, &a))) { g->fails = true; return; }
  if (!g->some) g->some = true, g->like = a, g->low = g->high = a.first;
  g->low = LS_MIN(g->low, a.first);
  g->high = LS_MAX(g->high, a.first + m->width);
}

static void note_added(Group *g, const SimInst *inst) {
  const SimMem *m = inst->more;
  bool adds = inst->kind == TRACE_ATOM && (m->op == PTX_AT_ADD || m->op == PTX_AT_XOR) && m->vec == 1 &&
              !ptx_type_is_float((PtxType)m->type) && (m->unused || m->data[0] == SIM_NO_SLOT) && !m->later;
  g->others |= !adds || (g->added && (g->added->op != m->op || g->added->elem != m->elem));
  g->added = m;
}

// NULL: nothing is to be claimed there, or all groups fail because of it.
static const SimAlloc *buffer_of(Finder *f, const SimMem *m) {
  if (m->space != PTX_GLOBAL && m->space != PTX_GENERIC) return NULL;
  const SimExtent *e = m->extent ? &f->program->extents[m->extent - 1] : NULL;
  if (e && e->space != TRACE_GLOBAL) return NULL;
  const SimAlloc *a = e ? sim_alloc_at(f->memory, e->first) : NULL;
  f->any |= !a;
  return a && a->may_be_written ? a : NULL;
}

// Of an instruction that is no load, store or atomic.
static bool may_use_global(const PtxInstr *in) {
  if (in->space == PTX_PARAM || (in->space == PTX_SHARED && in->space2 == PTX_GENERIC)) return false;   // GENERIC: none
  for (int i = 0; i < in->operand_count; i++) if (ptx_role(in, i) & PTX_ROLE_ADDRESS) return true;
  return false;
}

static void look_at(Finder *f, int pc) {
  const SimInst *inst = &f->program->code[pc];
  const PtxInstr *in = &f->program->module->code[pc];
  bool is_access = ptx_accesses(in) && inst->access == SIM_MEMORY_ACCESS;
  if (!is_access) { f->any |= may_use_global(in); return; }
  const SimAlloc *a = buffer_of(f, inst->more);
  if (!a) return;
  add_to_group(f, &f->groups[a->number], pc);
  note_added(&f->groups[a->number], inst);
}

// ---- digits --------------------------------------------------------------------------------------------------------

typedef struct Digit { int64_t weight; uint64_t extent; bool of_block; } Digit;

static int digits_of(const Finder *f, const Group *g, Digit *digits) {
  int count = 0;
  for (int k = 0; k < DIGITS; k++) {
    int64_t per = g->like.per[k];
    if (f->extents[k] < 2 || (k == ROUND && !per)) continue;
    int at = count++;
    for (; at > 0 && digits[at - 1].weight > llabs(per); at--) digits[at] = digits[at - 1];
    digits[at] = (Digit){llabs(per), k == ROUND ? UINT64_MAX : f->extents[k], k < 3};
  }
  return count;
}

static bool is_disjoint(const Finder *f, const Group *g) {
  Digit digits[DIGITS];
  bool above = false;        // at or above the lowest digit of a block
  __int128 below = (__int128)g->high - g->low;
  for (int i = 0, count = digits_of(f, g, digits); i < count; i++) {
    above |= digits[i].of_block;
    if (above && digits[i].weight < below) return false;
    below += (__int128)digits[i].weight * (__int128)(digits[i].extent - 1);
  }
  return true;
}

static void mark(const Finder *f, SimAlloc *a) {
  a->is_disjoint = true;
  for (int pc = 0; pc < f->program->module->code_count; pc++) {
    const SimInst *inst = &f->program->code[pc];
    SimMem *m = inst->access == SIM_MEMORY_ACCESS ? (SimMem *)(uintptr_t)inst->more : NULL;
    if (m && m->extent && sim_alloc_at(f->memory, f->program->extents[m->extent - 1].first) == a) m->disjoint = a;
  }
}

void sim_find_disjoint(SimProgram *program, SimMemory *memory) {
  const PtxFunc *entry = &program->module->funcs[program->entry];
  LsArena *arena = ls_arena_new();
  Finder f = {.program = program, .memory = memory};
  for (int k = 0; k < 3; k++) f.extents[k] = program->launch->grid[k], f.extents[k + 3] = program->launch->block[k];
  f.extents[ROUND] = UINT32_MAX;
  f.regs = LS_NEW_ARRAY(arena, Reg, entry->reg_count + 1);
  f.groups = LS_NEW_ARRAY(arena, Group, memory->alloc_count + 1);
  bool ok = program->reg_facts && program->early && program->params;
  for (int pc = 0; ok && !f.any && pc < program->module->code_count; pc++)
    if (program->funcs[program->module->code[pc].func].reached) look_at(&f, pc);
  for (int i = 0; ok && !f.any && i < memory->alloc_count; i++) {
    const Group *g = &f.groups[i];
    memory->allocs[i].is_only_added_to = g->added && !g->others;
    if (g->some && !g->fails && is_disjoint(&f, g)) mark(&f, &memory->allocs[i]);
  }
  ls_arena_free(arena);
}
