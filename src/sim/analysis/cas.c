// cas.c: compare-and-swap operations, also those inside of functions that are called.
//
// In code for the debugger atomicCAS() is a call, of a function that calls another one, which has the instruction. What
// the caller hands over is found by following the address and the compared value back to parameters.
#include "ptx/def_use.h"
#include "sim/analysis/analysis.h"

enum { MOST_CALLS = 4, MOST_STEPS = 16 };   // one inside of the other; copies of a value

// The only instruction that writes the register; NULL: there is none, or there are several.
static const PtxInstr *definition(const PtxModule *m, const PtxFunc *f, int reg) {
  const PtxInstr *found = NULL;
  for (int pc = f->first; pc < f->first + f->count; pc++)
    for (PtxRef def = {0}; ptx_each_def(&m->code[pc], &def);) {
      if (def.kind != PTX_REF_REG || def.reg != reg) continue;
      if (found) return NULL;
      found = &m->code[pc];
    }
  return found;
}

static int param_at(const PtxFunc *f, const PtxOperand *at) {
  for (int i = 0; i < f->param_count; i++)
    if (at->base == PTX_BASE_VAR && f->params[i].var == at->var && !at->offset) return i;
  return -1;
}

// The parameter of the function that the operand is a copy of, -1.
static int param_of(const PtxModule *m, const PtxFunc *f, const PtxOperand *o) {
  bool is_address = o->kind == PTX_OPD_MEM;
  int reg = o->kind == PTX_OPD_REG || (is_address && o->base == PTX_BASE_REG && !o->offset) ? o->reg : -1;
  for (int step = 0; reg >= 0 && step < MOST_STEPS; step++) {
    for (int i = 0; i < f->param_count; i++) if (f->params[i].reg == reg) return i;
    const PtxInstr *in = definition(m, f, reg);
    if (!in) return -1;
    if (in->op == PTX_OP_ld && in->space == PTX_PARAM) return param_at(f, &in->operands[1]);
    bool copies = in->op == PTX_OP_mov || in->op == PTX_OP_cvta;
    reg = copies && in->operands[1].kind == PTX_OPD_REG ? in->operands[1].reg : -1;
  }
  return -1;
}

// What the caller hands over for a parameter: an argument, or what it has put into its .param variable.
static const PtxOperand *argument(const PtxModule *m, int pc, int param) {
  const PtxInstr *call = &m->code[pc];
  const PtxOperand *args = NULL;
  for (int i = 0, behind = 0; i < call->operand_count; i++) {
    if (behind && call->operands[i].kind == PTX_OPD_ARGS) args = &call->operands[i];
    behind |= call->operands[i].kind == PTX_OPD_FUNC;
  }
  if (!args || param >= args->elem_count) return NULL;
  if (args->elems[param].kind != PTX_OPD_VAR) return &args->elems[param];
  for (int at = pc - 1; at >= m->funcs[call->func].first; at--) {
    const PtxInstr *in = &m->code[at];
    if (in->op == PTX_OP_call) return NULL;
    bool puts = in->op == PTX_OP_st && in->space == PTX_PARAM && in->operands[0].base == PTX_BASE_VAR;
    if (puts && in->operands[0].var == args->elems[param].var) return &in->operands[1];
  }
  return NULL;
}

static int callee(const PtxInstr *call) {
  for (int i = 0; i < call->operand_count; i++)
    if (call->operands[i].kind == PTX_OPD_FUNC) return call->operands[i].func;
  return -1;
}

static bool cas_at(const SimProgram *program, int pc, int depth, SimCas *cas);

// Does the function do one on what is handed to it?
static bool cas_in(const SimProgram *program, int func, int depth, SimCas *cas, int *address, int *compared) {
  const PtxFunc *f = &program->module->funcs[func];
  if (!program->funcs[func].reached) return false;
  for (int pc = f->first; pc < f->first + f->count; pc++) {
    if (!cas_at(program, pc, depth + 1, cas)) continue;
    *address = param_of(program->module, f, cas->address);
    *compared = param_of(program->module, f, cas->compared);
    if (*address >= 0 && *compared >= 0) return true;
  }
  return false;
}

static bool cas_at(const SimProgram *program, int pc, int depth, SimCas *cas) {
  const PtxModule *m = program->module;
  const PtxInstr *in = &m->code[pc];
  const SimInst *inst = &program->code[pc];
  const SimMem *mem = inst->access == SIM_MEMORY_ACCESS ? inst->more : NULL;
  int address, compared, func = in->op == PTX_OP_call && depth < MOST_CALLS ? callee(in) : -1;
  if (mem && inst->kind == TRACE_ATOM && mem->op == PTX_AT_CAS && mem->vec == 1) {
    *cas = (SimCas){.pc = pc, .width = mem->width, .address = ptx_address(in), .compared = &in->operands[2]};
    return true;
  }
  if (func < 0 || !cas_in(program, func, depth, cas, &address, &compared)) return false;
  cas->pc = pc;
  cas->address = argument(m, pc, address);
  cas->compared = argument(m, pc, compared);
  return cas->address && cas->compared;
}

bool sim_cas_at(const SimProgram *program, int pc, SimCas *cas) { return cas_at(program, pc, 0, cas); }
