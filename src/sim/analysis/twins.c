// twins.c: accesses of a straight line whose lanes are as far apart as those of one before, since both make their
// addresses of one register, or of registers that differ by the same number in all lanes.
//
//   ld.global.f32 %f1, [%rd1];
//   ld.global.f32 %f2, [%rd1+4];       a twin
//   add.s64 %rd1, %rd1, %rd9;          %rd9 is the same in all lanes, so distances stay
//   @%p1 bra LOOP;                     and in the next round both are twins of this one's
//
// Registers whose lanes are equally far apart are of one kind. Whoever has compared all lanes of one knows the others
// by their first lane, as long as the line goes on (ops/shape_access.c). What is told here of registers holds from
// wherever in a line somebody begins: it follows from instructions that every lane of the line has executed since its
// basic block began.
#include <stdlib.h>
#include "ptx/def_use.h"
#include "sim/analysis/analysis.h"
#include "sim/core/slots.h"

typedef struct Kind {
  int entry;               // the register that is of this kind where the stretch begins; -1: it is made on the way
  int count, first;        // accesses of it; the first
  uint32_t number;         // SimMem.kin
} Kind;

typedef struct Stretch {   // instructions of one basic block that are executed in a row
  SimProgram *program;
  int func, first, last;
  int *kind_of, *known_in; // per register: its kind, if known_in is the number of this stretch
  int number;
  Kind *kinds; int kind_count, kind_capacity;
  int *of_access;          // per instruction: kind of its addresses, -1
} Stretch;

static const PtxInstr *instr_at(const Stretch *s, int pc) { return &s->program->module->code[pc]; }
static const SimInst *inst_at(const Stretch *s, int pc) { return &s->program->code[pc]; }
static SimMem *mem_at(const Stretch *s, int pc) { return (SimMem *)(uintptr_t)inst_at(s, pc)->more; }

// What is known of registers is not known behind a barrier, where other warps ran.
static bool is_member(const SimInst *inst) {
  return inst->run || (inst->together && inst->kind != TRACE_BARRIER);
}

static int new_kind(Stretch *s, int entry) {
  Kind kind = {.entry = entry};
  LS_PUSH(s->kinds, s->kind_count, s->kind_capacity, kind);
  return s->kind_count - 1;
}

static void set_kind(Stretch *s, int reg, int kind) {
  s->kind_of[reg] = kind;
  s->known_in[reg] = s->number;
}

static int kind_of(Stretch *s, int reg) {
  if (s->known_in[reg] != s->number) set_kind(s, reg, new_kind(s, reg));
  return s->kind_of[reg];
}

// Facts are known of the kernel's own registers.
static const SimRegFact *fact_of(const Stretch *s, int reg) {
  return s->func == s->program->entry && s->program->reg_facts ? &s->program->reg_facts[reg] : NULL;
}

static bool is_uniform(const Stretch *s, const PtxOperand *o) {
  if (o->kind != PTX_OPD_REG) return o->kind == PTX_OPD_IMM;
  const SimRegFact *fact = fact_of(s, o->reg);
  return fact && fact->uniform;
}

static bool has_size(const Stretch *s, const PtxOperand *o, int size) {
  return o->kind == PTX_OPD_REG && sim_reg_bytes(s->program->module, s->func, o->reg) == size;
}

// The operand that the result is as far apart as; 0: none.
static int moved_operand(const Stretch *s, const PtxInstr *in) {
  int size = ptx_type_size((PtxType)in->type);
  if ((size != 4 && size != 8) || ptx_type_is_float((PtxType)in->type) || in->flags) return 0;
  if (!has_size(s, &in->operands[0], size)) return 0;
  if (in->op == PTX_OP_mov) return in->operand_count == 2 && has_size(s, &in->operands[1], size) ? 1 : 0;
  if ((in->op != PTX_OP_add && in->op != PTX_OP_sub) || in->operand_count != 3) return 0;
  if (has_size(s, &in->operands[1], size) && is_uniform(s, &in->operands[2])) return 1;
  return in->op == PTX_OP_add && has_size(s, &in->operands[2], size) && is_uniform(s, &in->operands[1]) ? 2 : 0;
}

static void define(Stretch *s, int pc) {
  const PtxInstr *in = instr_at(s, pc);
  int moved = inst_at(s, pc)->quiet && !inst_at(s, pc)->handler ? moved_operand(s, in) : 0;
  if (moved) {
    set_kind(s, in->operands[0].reg, kind_of(s, in->operands[moved].reg));
    return;
  }
  for (PtxRef r = {0}; ptx_each_def(in, &r);) {
    if (r.kind != PTX_REF_REG) continue;
    const SimRegFact *fact = fact_of(s, r.reg);
    if (!fact || !fact->steady) set_kind(s, r.reg, new_kind(s, -1));   // a steady one gets what it has
  }
}

// The register that addresses are made of, or the index of an array; -1.
static int register_of(const Stretch *s, int pc) {
  const SimInst *inst = inst_at(s, pc);
  if (!inst->shaped) return -1;
  const SimIndexed *x = mem_at(s, pc)->indexed;
  if (x) return instr_at(s, (int)(x->product - s->program->code))->operands[1].reg;
  const PtxOperand *address = ptx_address(instr_at(s, pc));
  return address && address->base == PTX_BASE_REG && mem_at(s, pc)->base_bytes ? address->reg : -1;
}

static void note_access(Stretch *s, int pc) {
  bool is_apart = inst_at(s, pc)->shaped && mem_at(s, pc)->apart == SIM_APART;   // it needs no twin
  int reg = is_apart ? -1 : register_of(s, pc), of = s->program->module->funcs[s->func].first;
  s->of_access[pc - of] = reg < 0 ? -1 : kind_of(s, reg);
  if (reg < 0) return;
  Kind *kind = &s->kinds[s->of_access[pc - of]];
  if (!kind->count++) kind->first = pc;
}

static bool is_loop(const Stretch *s) {
  const SimInst *end = inst_at(s, s->last);
  return end->kind == TRACE_BRANCH && end->jumps && ((const SimBranch *)end->more)->target == s->first;
}

// A kind of register that leaves a round as it came is the same in the next one. Of other kinds the first access has to
// look at all lanes in each round.
static void number_kinds(Stretch *s) {
  bool loop = is_loop(s);
  for (int k = 0; k < s->kind_count; k++) {
    Kind *kind = &s->kinds[k];
    bool lasts = loop && kind->entry >= 0 && s->kind_of[kind->entry] == k;
    if (!kind->count || (kind->count == 1 && !lasts)) continue;
    kind->number = ++s->program->kin_count;
    mem_at(s, kind->first)->leads = !lasts;
  }
}

static void look_at(Stretch *s) {
  int of = s->program->module->funcs[s->func].first;
  s->number++;
  s->kind_count = 0;
  for (int pc = s->first; pc <= s->last; pc++) {
    note_access(s, pc);
    define(s, pc);
  }
  number_kinds(s);
  for (int pc = s->first; pc <= s->last; pc++)
    if (s->of_access[pc - of] >= 0) mem_at(s, pc)->kin = s->kinds[s->of_access[pc - of]].number;
}

static void look_at_block(Stretch *s, const PtxBlock *block) {
  int end = block->first + block->count;
  for (int pc = block->first; pc < end; pc = s->last + 1) {
    s->first = s->last = pc;
    if (!is_member(inst_at(s, pc))) continue;
    while (s->last + 1 < end && is_member(inst_at(s, s->last + 1))) s->last++;
    look_at(s);
  }
}

void sim_find_twins(SimProgram *program) {
  for (int f = 0; f < program->module->func_count; f++) {
    if (!program->funcs[f].reached) continue;
    const PtxFunc *func = &program->module->funcs[f];
    LsArena *arena = ls_arena_new();
    Stretch s = {.program = program, .func = f,
                 .kind_of = LS_NEW_ARRAY(arena, int, func->reg_count + 1),
                 .known_in = LS_NEW_ARRAY(arena, int, func->reg_count + 1),
                 .of_access = LS_NEW_ARRAY(arena, int, func->count + 1)};
    for (int b = 0; b < program->cfgs[f]->block_count; b++) look_at_block(&s, &program->cfgs[f]->blocks[b]);
    free(s.kinds);
    ls_arena_free(arena);
  }
}
