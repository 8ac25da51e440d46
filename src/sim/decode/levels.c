// levels.c: functions that call themselves in the one way for which it is known how lanes leave them (sim_sched_level).
#include <stdlib.h>
#include <string.h>
#include "base/mem.h"
#include "sim/decode/decode.h"

// Whether a way leads from pc to the function's call of itself, without passing `meet`.
static bool leads_to_call(const PtxModule *m, int pc, int meet, uint8_t *seen) {
  const PtxFunc *f = &m->funcs[m->code[pc].func];
  for (; pc != meet && pc < f->first + f->count && !seen[pc - f->first]; pc++) {
    const PtxInstr *in = &m->code[pc];
    seen[pc - f->first] = 1;
    if (in->op == PTX_OP_call) return true;
    if ((in->op == PTX_OP_ret || in->op == PTX_OP_exit) && in->guard < 0) return false;
    if (in->op != PTX_OP_bra) continue;
    if (leads_to_call(m, in->operands[0].target, meet, seen)) return true;
    if (in->guard < 0) return false;
  }
  return false;
}

uint8_t sim_level_of(const SimProgram *program, int pc) {
  const PtxModule *m = program->module;
  const PtxInstr *in = &m->code[pc];
  int func = in->func, last = ptx_cfg_block(m, program->cfgs[func], pc)->ipdom;
  int meet = last < 0 ? -1 : program->cfgs[func]->blocks[last].first;
  if (in->op != PTX_OP_bra || in->guard < 0 || meet < 0) return SIM_NO_LEVEL;
  uint8_t *seen = ls_alloc((size_t)m->funcs[func].count + 1);
  bool jumpers = leads_to_call(m, in->operands[0].target, meet, seen);
  memset(seen, 0, (size_t)m->funcs[func].count);
  bool others = leads_to_call(m, pc + 1, meet, seen);
  free(seen);
  return jumpers == others ? SIM_NO_LEVEL : jumpers ? SIM_JUMPERS_STAY : SIM_JUMPERS_LEAVE;
}

// What the rule was read from: optimized code that calls itself at one place, and nothing else, inside of one branch.
static bool has_levels(const SimProgram *program, int func) {
  const PtxModule *m = program->module;
  const PtxFunc *f = &m->funcs[func];
  int calls = 0, levels = 0;
  if (m->debug || program->options.sched == SIM_STACK) return false;
  for (int pc = f->first; pc < f->first + f->count; pc++) {
    const PtxInstr *in = &m->code[pc];
    calls += in->op != PTX_OP_call ? 0 : ptx_callee(in) == func ? 1 : 2;
    levels += in->op == PTX_OP_brx ? 2 : sim_level_of(program, pc) != SIM_NO_LEVEL;
  }
  return calls == 1 && levels == 1;
}

void sim_find_levels(SimProgram *program) {
  for (int f = 0; f < program->module->func_count; f++) {
    program->funcs[f].levels = program->funcs[f].reached && program->funcs[f].recursive && has_levels(program, f);
    program->has_levels |= program->funcs[f].levels;
  }
}
