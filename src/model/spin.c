// spin.c: backward branches and what they depend on. A loop is what stands between a backward branch and its target.
#include "model/spin.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "ptx/def_use.h"

typedef struct Spin {
  const PtxModule *module;
  uint8_t *polls;              // per function: it reads something that others change
  uint8_t *tainted_regs;       // of the function that is looked at: hang on what was read
  uint8_t *tainted_vars;       // the same of .param variables
} Spin;

// ---- instructions --------------------------------------------------------------------------------------------------

static bool is_polled(const PtxInstr *in) {
  bool global = in->space == PTX_GLOBAL || in->space == PTX_GENERIC;
  if (!global) return false;
  if (in->op == PTX_OP_ld) return in->sem == PTX_VOLATILE || in->sem == PTX_RELAXED || in->sem == PTX_ACQUIRE;
  if (in->op != PTX_OP_atom || in->operands[0].kind == PTX_OPD_SINK) return false;
  const PtxOperand *operand = &in->operands[2];
  bool nothing = in->operand_count > 2 && operand->kind == PTX_OPD_IMM && operand->imm == 0;
  return in->mode == PTX_AT_CAS || in->mode == PTX_AT_EXCH || (nothing && (in->mode == PTX_AT_ADD || in->mode == PTX_AT_OR));
}

static bool reads_what_others_change(const Spin *s, const PtxInstr *in) {
  int callee = ptx_callee(in);
  return is_polled(in) || (callee >= 0 && s->polls[callee]);
}

// ---- what hangs on it ----------------------------------------------------------------------------------------------

// By its value: where something is read, and whether, does not count.
static bool is_tainted(const Spin *s, const PtxRef *use) {
  if (use->kind == PTX_REF_VAR) return s->tainted_vars[use->var];
  return use->kind == PTX_REF_REG && use->way == PTX_AS_VALUE && s->tainted_regs[use->reg];
}

static void follow(Spin *s, const PtxInstr *in) {
  bool hangs = reads_what_others_change(s, in);
  for (PtxRef use = {0}; !hangs && ptx_each_use(in, &use);) hangs = is_tainted(s, &use);
  for (PtxRef def = {0}; hangs && ptx_each_def(in, &def);) {
    if (def.kind == PTX_REF_REG) s->tainted_regs[def.reg] = 1;
    if (def.kind == PTX_REF_VAR) s->tainted_vars[def.var] = 1;
  }
}

static bool hangs_on_it(Spin *s, int first, int last) {
  const PtxModule *m = s->module;
  memset(s->tainted_regs, 0, (size_t)m->funcs[m->code[first].func].reg_count);
  memset(s->tainted_vars, 0, (size_t)m->var_count);
  for (int turn = 0; turn < 2; turn++)   // a value may come round from the turn before
    for (int pc = first; pc <= last; pc++) follow(s, &m->code[pc]);
  for (int pc = first; pc <= last; pc++)
    if (m->code[pc].op == PTX_OP_bra && m->code[pc].guard >= 0 && s->tainted_regs[m->code[pc].guard]) return true;
  return false;
}

// ---- loops ---------------------------------------------------------------------------------------------------------

// With what is called in it that polls; what is marked already is not gone into again.
static void mark(const Spin *s, int first, int last, int where, int *place) {
  for (int pc = first; pc <= last; pc++) {
    int func = ptx_callee(&s->module->code[pc]);
    const PtxFunc *callee = func >= 0 ? &s->module->funcs[func] : NULL;
    place[pc] = where;
    bool goes_in = callee && callee->count > 0 && s->polls[func] && place[callee->first] < 0;
    if (goes_in) mark(s, callee->first, callee->first + callee->count - 1, where, place);
  }
}

// A function polls if it or what it calls reads so; a few rounds reach through the wrappers of the toolkit's headers.
static void find_polling(Spin *s) {
  enum { DEEP = 4 };
  const PtxModule *m = s->module;
  for (int round = 0; round < DEEP; round++)
    for (int pc = 0; pc < m->code_count; pc++)
      if (reads_what_others_change(s, &m->code[pc]) && !m->funcs[m->code[pc].func].is_entry) s->polls[m->code[pc].func] = 1;
}

// The first instruction of a loop that reads so; -1.
static int first_polled(const Spin *s, int first, int last) {
  for (int pc = first; pc <= last; pc++)
    if (reads_what_others_change(s, &s->module->code[pc])) return pc;
  return -1;
}

int spin_find(const PtxModule *module, int *place) {
  int found = 0, regs = 0;
  for (int f = 0; f < module->func_count; f++) regs = LS_MAX(regs, module->funcs[f].reg_count);
  Spin s = {.module = module, .polls = ls_alloc((size_t)module->func_count + 1), .tainted_regs = ls_alloc((size_t)regs + 1),
            .tainted_vars = ls_alloc((size_t)module->var_count + 1)};
  find_polling(&s);
  for (int pc = 0; pc < module->code_count; pc++) place[pc] = -1;
  for (int pc = 0; pc < module->code_count; pc++) {
    const PtxInstr *in = &module->code[pc];
    int target = in->op == PTX_OP_bra ? in->operands[0].target : INT32_MAX;
    int where = target >= 0 && target <= pc ? first_polled(&s, target, pc) : -1;
    if (where < 0 || !hangs_on_it(&s, target, pc)) continue;
    mark(&s, target, pc, where, place);
    found++;
  }
  free(s.polls);
  free(s.tainted_regs);
  free(s.tainted_vars);
  return found;
}
