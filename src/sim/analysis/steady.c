// steady.c: which instructions have the same results in every block, and can be executed once for all of them.
//
// Such is arithmetic on constants, parameters, the place of a thread in its block, and other such results.
// A thread's registers outlive its block. What no other instruction writes, and nobody reads before it is set, may
// stand there from the start: such instructions are executed once, when the register files are made, and lines of code
// that nobody watches only count them. Lanes that take no part in one have its result, too, but never look at it.
#include <string.h>
#include "ptx/def_use.h"
#include "sim/analysis/analysis.h"
#include "sim/core/slots.h"

typedef struct Steady {
  SimProgram *program;
  const PtxFunc *func;
  SimRegFact *facts;
} Steady;

static void note_writer(SimRegFact *fact, int32_t pc) {
  if (fact->writers < 2) fact->writers++;
  fact->writer = pc;
}

static void count_writers(Steady *s) {
  for (int pc = s->func->first; pc < s->func->first + s->func->count; pc++)
    for (PtxRef r = {0}; ptx_each_def(&s->program->module->code[pc], &r);)
      if (r.kind == PTX_REF_REG) note_writer(&s->facts[r.reg], pc);
}

static bool writes_for_good(const Steady *s, const PtxInstr *in) {
  const uint64_t *early = s->program->early;
  for (PtxRef r = {0}; ptx_each_def(in, &r);)
    if (r.kind != PTX_REF_REG || s->facts[r.reg].writers != 1 || early[r.reg / 64] >> r.reg % 64 & 1) return false;
  return true;
}

static bool reads_the_same(const Steady *s, const PtxInstr *in) {
  if (ptx_reads_carry(in)) return false;
  for (PtxRef r = {0}; ptx_each_use(in, &r);)
    if (r.kind == PTX_REF_CARRY || (r.kind == PTX_REF_REG && !s->facts[r.reg].steady)) return false;
  for (int i = 0; i < in->operand_count; i++)
    if (in->operands[i].kind == PTX_OPD_SREG && !sim_sreg_is_steady(in->operands[i].sreg)) return false;
  return true;
}

static bool is_steady(const Steady *s, int pc) {
  const SimInst *inst = &s->program->code[pc];
  const PtxInstr *in = &s->program->module->code[pc];
  return inst->quiet && !inst->left_out && writes_for_good(s, in) && reads_the_same(s, in);
}

// Are its results the same in all lanes?
static bool is_uniform(const Steady *s, const PtxInstr *in) {
  for (PtxRef r = {0}; ptx_each_use(in, &r);) if (r.kind == PTX_REF_REG && !s->facts[r.reg].uniform) return false;
  for (int i = 0; i < in->operand_count; i++)
    if (in->operands[i].kind == PTX_OPD_SREG && !sim_sreg_is_uniform(in->operands[i].sreg)) return false;
  return true;
}

static void add(Steady *s, int pc) {
  SimProgram *p = s->program;
  const PtxInstr *in = &p->module->code[pc];
  bool uniform = is_uniform(s, in);
  p->code[pc].left_out = true;
  p->steady[p->steady_count++] = pc;
  for (PtxRef r = {0}; ptx_each_def(in, &r);) {
    s->facts[r.reg].steady = true;
    s->facts[r.reg].uniform = uniform;
  }
}

// Code need not stand in the order in which it is executed.
static void find_all(Steady *s) {
  for (int before = -1; before != s->program->steady_count;) {
    before = s->program->steady_count;
    for (int pc = s->func->first; pc < s->func->first + s->func->count; pc++) if (is_steady(s, pc)) add(s, pc);
  }
}

void sim_find_steady(SimProgram *program) {
  const PtxFunc *func = &program->module->funcs[program->entry];
  if (!program->early || program->options.path) return;
  program->reg_facts = LS_NEW_ARRAY(program->arena, SimRegFact, func->reg_count + 1);
  program->steady = LS_NEW_ARRAY(program->arena, int32_t, func->count + 1);
  Steady s = {.program = program, .func = func, .facts = program->reg_facts};
  count_writers(&s);
  find_all(&s);
}
