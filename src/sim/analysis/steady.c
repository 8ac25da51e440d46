// steady.c: which instructions have the same results in every block, and can be executed once for all of them.
//
// Such is arithmetic on constants, parameters, the place of a thread in its block, and other such results.
// A thread's registers outlive its block. What no other instruction writes, and nobody reads before it is set, may stand
// there from the start: such instructions are executed once, when the register files are made, and lines of code that
// nobody watches only count them. Lanes that take no part in one have its result, too, but never look at it.
#include <string.h>
#include "ptx/def_use.h"
#include "sim/analysis/analysis.h"
#include "sim/core/slots.h"

typedef struct Steady {
  SimProgram *program;
  const PtxFunc *func;
  uint8_t *writers;          // per register: instructions that write it, up to 2
  uint8_t *known;            // per register: it has the same value in every block
} Steady;

static void count_writers(Steady *s) {
  for (int pc = s->func->first; pc < s->func->first + s->func->count; pc++)
    for (PtxRef r = {0}; ptx_each_def(&s->program->module->code[pc], &r);)
      if (r.kind == PTX_REF_REG && s->writers[r.reg] < 2) s->writers[r.reg]++;
}

static bool writes_for_good(const Steady *s, const PtxInstr *in) {
  const uint64_t *early = s->program->early;
  for (PtxRef r = {0}; ptx_each_def(in, &r);)
    if (r.kind != PTX_REF_REG || s->writers[r.reg] != 1 || early[r.reg / 64] >> r.reg % 64 & 1) return false;
  return true;
}

static bool reads_the_same(const Steady *s, const PtxInstr *in) {
  if (ptx_reads_carry(in)) return false;
  for (PtxRef r = {0}; ptx_each_use(in, &r);)
    if (r.kind == PTX_REF_CARRY || (r.kind == PTX_REF_REG && !s->known[r.reg])) return false;
  for (int i = 0; i < in->operand_count; i++)
    if (in->operands[i].kind == PTX_OPD_SREG && !sim_sreg_is_steady(in->operands[i].sreg)) return false;
  return true;
}

static bool is_steady(const Steady *s, int pc) {
  const SimInst *inst = &s->program->code[pc];
  const PtxInstr *in = &s->program->module->code[pc];
  return inst->quiet && !inst->steady && writes_for_good(s, in) && reads_the_same(s, in);
}

static void add(Steady *s, int pc) {
  SimProgram *p = s->program;
  p->code[pc].steady = true;
  p->steady[p->steady_count++] = pc;
  for (PtxRef r = {0}; ptx_each_def(&p->module->code[pc], &r);) s->known[r.reg] = 1;
}

// Code need not stand in the order in which it is executed.
static void find_all(Steady *s) {
  for (int before = -1; before != s->program->steady_count;) {
    before = s->program->steady_count;
    for (int pc = s->func->first; pc < s->func->first + s->func->count; pc++) if (is_steady(s, pc)) add(s, pc);
  }
}

static void set_hops(SimProgram *program) {
  for (int pc = program->module->code_count - 1; pc >= 0; pc--) {
    SimInst *in = &program->code[pc];
    if (!in->quiet) continue;
    in->hop = 1;
    if (in->quiet > 1 && in[1].steady) in->hop = (uint16_t)(in->hop + in[1].hop);
  }
}

void sim_find_steady(SimProgram *program) {
  const PtxFunc *func = &program->module->funcs[program->entry];
  if (program->early && !program->options.path) {
    LsArena *arena = ls_arena_new();
    Steady s = {.program = program, .func = func};
    s.writers = LS_NEW_ARRAY(arena, uint8_t, func->reg_count + 1);
    s.known = LS_NEW_ARRAY(arena, uint8_t, func->reg_count + 1);
    program->steady = LS_NEW_ARRAY(program->arena, int32_t, func->count + 1);
    count_writers(&s);
    find_all(&s);
    ls_arena_free(arena);
  }
  set_hops(program);
}
