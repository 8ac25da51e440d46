// reach.c: which functions of the module the kernel can reach, and which of them can be inside themselves.
#include <stdlib.h>
#include <string.h>
#include "ptx/cfg.h"
#include "sim/decode/decode.h"

static void reach(SimProgram *program, int func);

// Functions whose address is taken may be called from any indirect call; they count as reached where it is taken.
static void reach_operand(SimProgram *program, const PtxOperand *o) {
  if (o->kind == PTX_OPD_FUNC) reach(program, o->func);
}

static void reach(SimProgram *program, int func) {
  const PtxFunc *f = &program->module->funcs[func];
  if (program->funcs[func].reached || f->is_extern || (f->is_entry && func != program->entry)) return; // one to launch
  program->funcs[func].reached = true;
  for (int pc = f->first; pc < f->first + f->count; pc++) {
    const PtxInstr *in = &program->module->code[pc];
    if (in->op == PTX_OP_call) program->has_calls = true;
    for (int i = 0; i < in->operand_count; i++) reach_operand(program, &in->operands[i]);
  }
}

// Tables of function addresses in global memory make their functions reachable too.
static void reach_tables(SimProgram *program) {
  if (!program->has_calls) return;
  for (int v = 0; v < program->module->var_count; v++) {
    const PtxVar *var = &program->module->vars[v];
    for (int i = 0; i < var->reloc_count; i++)
      if (var->relocs[i].func >= 0 && var->relocs[i].func < program->module->func_count)
        reach(program, var->relocs[i].func);
  }
}

// grid.sync() asks for the workspace of a cooperative launch in %envreg1 and 2, traps if there is none, and waits for
// the other blocks at an atomic of the device.
bool sim_waits_for_grid(const SimProgram *program) {
  bool asks = false, traps = false, waits = false;
  for (int pc = 0; pc < program->module->code_count; pc++) {
    const PtxInstr *in = &program->module->code[pc];
    if (!program->funcs[in->func].reached) continue;
    asks |= in->op == PTX_OP_mov && in->operands[1].kind == PTX_OPD_SREG && in->operands[1].sreg == PTX_SR_ENVREG0 &&
            in->operands[1].index == 1;
    traps |= in->op == PTX_OP_trap;
    waits |= in->op == PTX_OP_atom && in->sem == PTX_RELEASE && in->scope == PTX_SCOPE_GPU;
  }
  return asks && traps && waits;
}

static void mark_function(const PtxModule *m, int func, uint8_t *taken) {
  if (func >= 0 && func < m->func_count && !m->funcs[func].is_entry) taken[func] = 1;
}

static void mark_taken(const PtxModule *m, const PtxOperand *o, uint8_t *taken) {
  if (o->kind == PTX_OPD_FUNC) mark_function(m, o->func, taken);
  for (int i = 0; i < o->elem_count; i++) mark_taken(m, &o->elems[i], taken);
}

// Functions whose addresses the code takes, or that stand in tables: those that an indirect call may call.
static uint8_t *find_taken(const SimProgram *program) {
  const PtxModule *m = program->module;
  uint8_t *taken = ls_alloc((size_t)m->func_count + 1);
  for (int pc = 0; pc < m->code_count; pc++)
    for (int i = 0; i < m->code[pc].operand_count; i++) {
      const PtxOperand *o = &m->code[pc].operands[i];
      if (m->code[pc].op != PTX_OP_call || o->kind != PTX_OPD_FUNC) mark_taken(m, o, taken);
    }
  for (int v = 0; v < m->var_count; v++)
    for (int i = 0; i < m->vars[v].reloc_count; i++) mark_function(m, m->vars[v].relocs[i].func, taken);
  return taken;
}

// Marks in `seen` what `func` calls, directly or not.
static void mark_callees(const SimProgram *program, int func, const uint8_t *taken, uint8_t *seen) {
  const PtxFunc *f = &program->module->funcs[func];
  for (int pc = f->first; pc < f->first + f->count; pc++) {
    const PtxInstr *in = &program->module->code[pc];
    if (in->op != PTX_OP_call) continue;
    int callee = ptx_callee(in);   // -1: by an address that was taken
    for (int g = 0; g < program->module->func_count; g++) {
      bool called = callee < 0 ? taken[g] : callee == g;
      if (!called || seen[g] || !program->funcs[g].reached || program->module->funcs[g].is_entry) continue;
      seen[g] = 1;
      mark_callees(program, g, taken, seen);
    }
  }
}

static void find_recursion(SimProgram *program) {
  int count = program->module->func_count;
  uint8_t *seen = ls_alloc((size_t)count + 1), *taken = find_taken(program);
  for (int f = 0; f < count && program->has_calls; f++) {
    if (!program->funcs[f].reached) continue;
    memset(seen, 0, (size_t)count);
    mark_callees(program, f, taken, seen);
    program->funcs[f].recursive = seen[f] != 0;
    program->funcs[f].apart = program->options.sched != SIM_STACK && ptx_parts_for_good(program->module, f);
    program->has_apart |= program->funcs[f].apart;
    program->has_recursion |= program->funcs[f].recursive;
  }
  free(seen);
  free(taken);
}

void sim_reach(SimProgram *program) {
  program->funcs = LS_NEW_ARRAY(program->arena, SimFunc, program->module->func_count + 1);
  reach(program, program->entry);
  reach_tables(program);
  find_recursion(program);
}
