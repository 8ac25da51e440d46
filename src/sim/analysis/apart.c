// apart.c: registers whose lanes are as far apart in every block: what only the thread's place in its block makes
// differ, plus what is the same in all lanes.
//
//   mad.lo.s32 %r1, %ctaid.x, 256, %tid.x;
//   mul.wide.s32 %rd4, %r1, 4;
//   add.s64 %rd5, %rd1, %rd4;
//   ld.global.f32 %f1, [%rd5];        once a warp's lanes were as far apart as a shape says, they are in all blocks
//
// Where such a register has one writer, and nobody reads it before it is set, each lane's value is a number of the
// lane's own, the same in every block, plus one of the block's. Where it has several, as a counter of a loop does, that
// holds as long as the warp has not parted: all its lanes have then executed the same.
#include <stdlib.h>
#include "ptx/def_use.h"
#include "sim/analysis/analysis.h"
#include "sim/core/slots.h"

// What is known of a value in the lanes of a warp that have it. NEW: nothing was found yet. ALIKE: the same in all of
// them. FIXED: and in all blocks, always.
typedef enum Kind { NEW, UNKNOWN, APART, ALIKE, FIXED } Kind;
// root: of those that are APART, registers with the same one are as far apart. steady: with one writer all the way.
typedef struct Value { uint8_t kind; bool steady; int root; } Value;

typedef struct Write { int pc, reg; bool is_plain; } Write;
typedef struct Apart {
  SimProgram *program;
  Value *values;           // per register
  Write *writes; int write_count, write_capacity;   // by which something may become known
} Apart;

static const PtxInstr *instr_at(const Apart *a, int pc) { return &a->program->module->code[pc]; }
static int root_of_register(int reg) { return 2 * reg; }
static int root_of_result(int pc) { return 2 * pc + 1; }

static Value of_kind(Kind kind, bool steady, int root) {
  return (Value){(uint8_t)kind, steady, kind == APART ? root : 0};
}

static Value value_of_place(int sreg) {
  Kind kind = sim_sreg_is_steady(sreg) ? FIXED : ALIKE;
  if (sim_sreg_changes(sreg)) kind = UNKNOWN;
  else if (!sim_sreg_is_uniform(sreg)) kind = kind == FIXED ? APART : UNKNOWN;
  return of_kind(kind, true, -1 - sreg);
}

static Value value_of(const Apart *a, const PtxOperand *o) {
  if (o->kind == PTX_OPD_IMM) return of_kind(FIXED, true, 0);
  if (o->kind == PTX_OPD_SREG) return value_of_place(o->sreg);
  return o->kind == PTX_OPD_REG ? a->values[o->reg] : of_kind(UNKNOWN, false, 0);
}

// Of two operands: the kind of their sum or difference, and what it is as far apart as, if that is one of them.
static Value of_sum(Value x, Value y, bool is_difference, int root) {
  bool steady = x.steady && y.steady;
  if (x.kind <= UNKNOWN || y.kind <= UNKNOWN) return of_kind(LS_MIN(x.kind, y.kind), steady, 0);
  if (x.kind != APART && y.kind != APART) return of_kind(LS_MIN(x.kind, y.kind), steady, 0);
  if (y.kind != APART) return of_kind(APART, steady, x.root);
  return of_kind(APART, steady, x.kind != APART && !is_difference ? y.root : root);
}

// Distances are multiplied by what no block changes.
static Value of_product(Value x, Value y, int root) {
  bool steady = x.steady && y.steady;
  if (x.kind <= UNKNOWN || y.kind <= UNKNOWN) return of_kind(LS_MIN(x.kind, y.kind), steady, 0);
  if (x.kind != APART && y.kind != APART) return of_kind(LS_MIN(x.kind, y.kind), steady, 0);
  bool stays = (x.kind == APART && y.kind == FIXED) || (y.kind == APART && x.kind == FIXED);
  return of_kind(stays ? APART : UNKNOWN, steady, root);
}

static bool has_size(const Apart *a, const PtxOperand *o, int size) {
  return o->kind != PTX_OPD_REG || sim_reg_bytes(a->program->module, a->program->entry, o->reg) == size;
}

// Integers of one size, and all that is kept of a result is its lower half.
static bool is_modular(const Apart *a, int pc) {
  const PtxInstr *in = instr_at(a, pc);
  const SimInst *inst = &a->program->code[pc];
  if (!inst->quiet || inst->handler || a->program->sums[pc]) return false;
  int size = ptx_type_size((PtxType)in->type);
  bool is_integer = (size == 4 || size == 8) && !ptx_type_is_float((PtxType)in->type);
  if (!is_integer || in->flags || ptx_reads_carry(in) || in->guard >= 0) return false;
  for (int i = 0; i < in->operand_count; i++) if (!has_size(a, &in->operands[i], size)) return false;
  return true;
}

static Value value_of_result(const Apart *a, int pc) {
  const PtxInstr *in = instr_at(a, pc);
  const PtxOperand *o = in->operands;
  int count = in->operand_count, root = root_of_result(pc);
  bool is_low = in->mode == PTX_MUL_LO;
  if (in->op == PTX_OP_mov && count == 2) return value_of(a, &o[1]);
  if ((in->op == PTX_OP_add || in->op == PTX_OP_sub) && count == 3)
    return of_sum(value_of(a, &o[1]), value_of(a, &o[2]), in->op == PTX_OP_sub, root);
  if (in->op == PTX_OP_mul && is_low && count == 3) return of_product(value_of(a, &o[1]), value_of(a, &o[2]), root);
  if (in->op == PTX_OP_mad && is_low && count == 4)
    return of_sum(of_product(value_of(a, &o[1]), value_of(a, &o[2]), root), value_of(a, &o[3]), false, root);
  if (in->op == PTX_OP_shl && count == 3 && o[2].kind == PTX_OPD_IMM)
    return of_product(value_of(a, &o[1]), of_kind(FIXED, true, 0), root);
  return of_kind(UNKNOWN, false, 0);
}

// Of a register that either of two instructions writes. What comes from one that nothing is known of yet is left open.
static Value of_either(Value x, Value y) {
  if (x.kind == NEW || y.kind == NEW) return x.kind == NEW ? y : x;
  if (x.kind >= ALIKE && y.kind >= ALIKE) return of_kind(ALIKE, false, 0);
  return of_kind(x.kind == APART && y.kind == APART && x.root == y.root ? APART : UNKNOWN, false, x.root);
}

static Value first_value(const SimProgram *p, int reg) {
  const SimRegFact *fact = &p->reg_facts[reg];
  bool is_early = p->early[reg / 64] >> reg % 64 & 1;
  if (fact->steady) return of_kind(fact->uniform ? FIXED : APART, true, root_of_register(reg));
  return of_kind(is_early || !fact->writers ? UNKNOWN : NEW, false, 0);
}

static void note_writes(Apart *a, const PtxFunc *func) {
  for (int pc = func->first; pc < func->first + func->count; pc++)
    for (PtxRef r = {0}; ptx_each_def(instr_at(a, pc), &r);) {
      Write write = {pc, r.reg, is_modular(a, pc)};
      if (r.kind == PTX_REF_REG && a->values[r.reg].kind == NEW)
        LS_PUSH(a->writes, a->write_count, a->write_capacity, write);
    }
}

// All that is written in one go through the code; what is known only becomes less.
static bool go_through(Apart *a, Value *fresh) {
  bool changes = false;
  for (const Write *w = a->writes, *end = w + a->write_count; w < end; w++) fresh[w->reg] = (Value){0};
  for (const Write *w = a->writes, *end = w + a->write_count; w < end; w++) {
    bool is_one_of_many = a->program->reg_facts[w->reg].writers > 1;
    Value value = w->is_plain ? value_of_result(a, w->pc) : of_kind(UNKNOWN, false, 0);
    fresh[w->reg] = is_one_of_many ? of_either(fresh[w->reg], value) : value;
    if (is_one_of_many) fresh[w->reg].steady = false;
  }
  for (const Write *w = a->writes, *end = w + a->write_count; w < end; w++) {
    Value *old = &a->values[w->reg], now = fresh[w->reg];
    changes |= old->kind != now.kind || old->steady != now.steady || old->root != now.root;
    *old = now;
  }
  return changes;
}

static void find_all(Apart *a, const PtxFunc *func, LsArena *arena) {
  enum { MOST = 64 };
  Value *fresh = LS_NEW_ARRAY(arena, Value, func->reg_count + 1);
  int times = 0;
  for (int reg = 0; reg < func->reg_count; reg++) a->values[reg] = first_value(a->program, reg);
  note_writes(a, func);
  while (a->write_count && times < MOST && go_through(a, fresh)) times++;
  for (int reg = 0; reg < func->reg_count && times == MOST; reg++) a->values[reg] = of_kind(UNKNOWN, false, 0);
  free(a->writes);
}

// The register that addresses are made of, or the index of an array; -1.
static int register_of(const Apart *a, int pc) {
  const SimMem *m = a->program->code[pc].more;
  if (m->indexed) return instr_at(a, (int)(m->indexed->product - a->program->code))->operands[1].reg;
  const PtxOperand *address = ptx_address(instr_at(a, pc));
  return address && address->base == PTX_BASE_REG && m->base_bytes ? address->reg : -1;
}

void sim_find_apart(SimProgram *program) {
  const PtxFunc *func = &program->module->funcs[program->entry];
  if (!program->reg_facts) return;
  LsArena *arena = ls_arena_new();
  Apart a = {.program = program, .values = LS_NEW_ARRAY(arena, Value, func->reg_count + 1)};
  find_all(&a, func, arena);
  for (int pc = func->first; pc < func->first + func->count; pc++) {
    int reg = program->code[pc].shaped ? register_of(&a, pc) : -1;
    if (reg < 0 || a.values[reg].kind <= UNKNOWN) continue;
    SimMem *m = (SimMem *)(uintptr_t)program->code[pc].more;
    m->apart = a.values[reg].steady ? SIM_APART : SIM_APART_TOGETHER;
  }
  for (int reg = 0; reg < func->reg_count; reg++) program->reg_facts[reg].alike = a.values[reg].kind >= ALIKE;
  ls_arena_free(arena);
}
