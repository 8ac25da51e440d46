// flow.c: values through registers: slices, and stores that change what they have read.
#include "model/causes/flow.h"

#include <stdlib.h>
#include <string.h>

#include "model/causes/flow_parts.h"

enum { DEEP = 24 };   // copies, conversions and nested expressions that are followed

Flow *flow_new(const PtxModule *module) {
  Flow *flow = ls_alloc(sizeof *flow);
  flow->module = module;
  flow->arena = ls_arena_new();
  flow->funcs = LS_NEW_ARRAY(flow->arena, FlowFunc, module->func_count + 1);
  return flow;
}

void flow_free(Flow *flow) {
  if (!flow) return;
  for (int i = 0; i < flow->module->func_count; i++) free(flow->funcs[i].defs);
  ls_arena_free(flow->arena);
  free(flow);
}

// ---- definitions ---------------------------------------------------------------------------------------------------

static void add_defs(Flow *flow, FlowFunc *f, const PtxFunc *func, int pc) {
  const PtxInstr *in = &flow->module->code[pc];
  for (PtxRef def = {0}; ptx_each_def(in, &def);) {
    int name = flow_name(func, &def);
    if (name < 0) continue;
    LS_PUSH(f->defs, f->def_count, f->def_capacity, ((FlowDef){pc, f->first[name]}));
    f->first[name] = f->def_count - 1;
  }
  if (in->op != PTX_OP_st || (in->space != PTX_PARAM && in->space != PTX_LOCAL)) return;
  const PtxOperand *to = &in->operands[0];   // of stack variables and arguments, which are followed like registers
  if (to->kind != PTX_OPD_MEM || to->base != PTX_BASE_VAR) return;
  int name = func->reg_count + to->var;
  if (f->first[name] >= 0 && f->defs[f->first[name]].pc == pc) return;
  LS_PUSH(f->defs, f->def_count, f->def_capacity, ((FlowDef){pc, f->first[name]}));
  f->first[name] = f->def_count - 1;
}

FlowFunc *flow_defs(Flow *flow, int func) {
  FlowFunc *f = &flow->funcs[func];
  const PtxFunc *of = &flow->module->funcs[func];
  if (f->first) return f;
  int names = of->reg_count + flow->module->var_count;
  f->first = LS_NEW_ARRAY(flow->arena, int, names + 1);
  for (int i = 0; i < names; i++) f->first[i] = -1;
  for (int pc = of->first; pc < of->first + of->count; pc++) add_defs(flow, f, of, pc);
  return f;
}

int flow_only_def(Flow *flow, int func, int reg) {
  FlowFunc *f = flow_defs(flow, func);
  int def = reg < 0 ? -1 : f->first[reg];
  return def >= 0 && f->defs[def].next < 0 ? f->defs[def].pc : -1;
}

int flow_resolve(Flow *flow, int func, int reg) {
  for (int i = 0; i < DEEP; i++) {
    int pc = flow_only_def(flow, func, reg);
    const PtxInstr *in = pc < 0 ? NULL : &flow->module->code[pc];
    bool copies = in && (in->op == PTX_OP_mov || in->op == PTX_OP_cvt || in->op == PTX_OP_cvta);
    if (!copies || in->guard >= 0 || in->operands[1].kind != PTX_OPD_REG) return reg;
    reg = in->operands[1].reg;
  }
  return reg;
}

// ---- the same value ------------------------------------------------------------------------------------------------

static bool same_at(Flow *flow, int func, const PtxOperand *a, const PtxOperand *b, int depth);

static bool same_reg(Flow *flow, int func, int a, int b, int depth) {
  a = flow_resolve(flow, func, a), b = flow_resolve(flow, func, b);
  if (a == b) return true;
  int x = flow_only_def(flow, func, a), y = flow_only_def(flow, func, b);
  if (x < 0 || y < 0 || depth == DEEP) return false;
  const PtxInstr *p = &flow->module->code[x], *q = &flow->module->code[y];
  bool form = p->op == q->op && p->type == q->type && p->mode == q->mode && p->operand_count == q->operand_count;
  if (!form || p->guard >= 0 || q->guard >= 0 || ptx_op_class((PtxOp)p->op) == PTX_CLASS_ATOM) return false;
  for (int i = 1; i < p->operand_count; i++)
    if (!same_at(flow, func, &p->operands[i], &q->operands[i], depth + 1)) return false;
  return true;
}

static bool same_at(Flow *flow, int func, const PtxOperand *a, const PtxOperand *b, int depth) {
  if (a->kind != b->kind || a->offset != b->offset || a->negate != b->negate) return false;
  switch (a->kind) {
  case PTX_OPD_REG: return same_reg(flow, func, a->reg, b->reg, depth);
  case PTX_OPD_IMM: return a->imm == b->imm;
  case PTX_OPD_SREG: return a->sreg == b->sreg && a->index == b->index;
  case PTX_OPD_VAR: return a->var == b->var;
  case PTX_OPD_MEM:
    if (a->base != b->base) return false;
    return a->base == PTX_BASE_REG ? same_reg(flow, func, a->reg, b->reg, depth) : a->var == b->var;
  default: return false;
  }
}

bool flow_same(Flow *flow, int func, const PtxOperand *a, const PtxOperand *b) { return same_at(flow, func, a, b, 0); }

// ---- slices --------------------------------------------------------------------------------------------------------

typedef struct Walk {
  Flow *flow; int func;
  uint8_t *seen;             // per name
  int *stack, count;
  FlowSlice *slice;          // NULL: only what is seen counts
  bool through_memory;       // goes on behind loads
} Walk;

static void walk_begin(Walk *w, Flow *flow, int func, FlowSlice *slice) {
  const PtxFunc *of = &flow->module->funcs[func];
  int names = of->reg_count + flow->module->var_count + 1;
  *w = (Walk){.flow = flow, .func = func, .slice = slice};
  w->seen = ls_alloc((size_t)names);
  w->stack = ls_alloc(sizeof(int) * (size_t)names);
}

static void walk_end(Walk *w) {
  free(w->seen);
  free(w->stack);
}

static void push(Walk *w, int name) {
  if (name < 0 || w->seen[name]) return;
  w->seen[name] = 1;
  w->stack[w->count++] = name;
}

static void push_uses(Walk *w, const PtxInstr *in) {
  const PtxFunc *of = &w->flow->module->funcs[w->func];
  for (PtxRef use = {0}; ptx_each_use(in, &use);)
    if (use.way != PTX_AS_GUARD) push(w, flow_name(of, &use));
}

static void note_special(FlowSlice *slice, const PtxInstr *in) {
  for (int i = 0; i < in->operand_count; i++) {
    if (in->operands[i].kind != PTX_OPD_SREG) continue;
    int sreg = in->operands[i].sreg;
    if (sreg >= PTX_SR_TID_X && sreg <= PTX_SR_TID_Z) slice->tid |= (uint8_t)(1 << (sreg - PTX_SR_TID_X));
    if (sreg >= PTX_SR_CTAID_X && sreg <= PTX_SR_CTAID_Z) slice->ctaid |= (uint8_t)(1 << (sreg - PTX_SR_CTAID_X));
    if (sreg == PTX_SR_LANEID || sreg == PTX_SR_WARPID) slice->tid |= 1;
  }
}

static void note_variables(const Walk *w, const PtxInstr *in) {
  const PtxModule *m = w->flow->module;
  const PtxFunc *of = &m->funcs[w->func];
  for (int i = 0; i < in->operand_count; i++) {
    const PtxOperand *o = &in->operands[i];
    bool names = o->kind == PTX_OPD_VAR || (o->kind == PTX_OPD_MEM && o->base == PTX_BASE_VAR);
    if (!names) continue;
    const PtxVar *var = &m->vars[o->var];
    if (var->space == PTX_SHARED && var->linkage == 2 && var->size == 0) w->slice->dynamic = true;
    for (int p = 0; of->is_entry && p < of->param_count && p < 64; p++)
      if (of->params[p].var == o->var && of->params[p].size == 8) w->slice->params |= 1ull << p;
  }
}

// A value out of memory that is not the thread's own.
static bool ends_walk(const PtxInstr *in) {
  bool own = in->space == PTX_PARAM || in->space == PTX_LOCAL;
  return (in->op == PTX_OP_ld || in->op == PTX_OP_ldu) && !own;
}

static void visit(Walk *w, int pc) {
  const PtxInstr *in = &w->flow->module->code[pc];
  bool atomic = flow_is_atomic(w->flow->module, in);
  if (w->slice) {
    note_special(w->slice, in);
    note_variables(w, in);
    if (atomic) w->slice->atomic = pc;
    if (ends_walk(in)) w->slice->loaded = true;
  }
  if (w->through_memory || !(atomic || ends_walk(in))) push_uses(w, in);
}

static void walk_on(Walk *w) {
  FlowFunc *f = flow_defs(w->flow, w->func);
  while (w->count) {
    int name = w->stack[--w->count];
    for (int def = f->first[name]; def >= 0; def = f->defs[def].next) visit(w, f->defs[def].pc);
  }
}

// Whether a name with several definitions is made of itself.
static bool goes_round(Flow *flow, int func, int name) {
  FlowFunc *f = flow_defs(flow, func);
  bool round = false;
  if (f->first[name] < 0 || f->defs[f->first[name]].next < 0) return false;
  Walk w;
  walk_begin(&w, flow, func, NULL);
  for (int def = f->first[name]; def >= 0; def = f->defs[def].next) visit(&w, f->defs[def].pc);
  walk_on(&w);
  round = w.seen[name];
  walk_end(&w);
  return round;
}

static void find_loops(Walk *w) {
  const PtxFunc *of = &w->flow->module->funcs[w->func];
  for (int i = 0; i < of->reg_count && !w->slice->looped; i++)
    if (w->seen[i]) w->slice->looped = goes_round(w->flow, w->func, i);
}

static void push_address(Walk *w, const PtxInstr *in) {
  const PtxFunc *of = &w->flow->module->funcs[w->func];
  const PtxOperand *a = ptx_address(in);
  if (a && a->base == PTX_BASE_REG) push(w, a->reg);
  if (in->op != PTX_OP_call) return;
  for (PtxRef use = {0}; ptx_each_use(in, &use);) push(w, flow_name(of, &use));   // the first argument is the pointer
}

static void walk_address(Walk *w, Flow *flow, int pc, FlowSlice *slice) {
  const PtxInstr *in = &flow->module->code[pc];
  walk_begin(w, flow, in->func, slice);
  push_address(w, in);
  walk_on(w);
}

FlowSlice flow_address(Flow *flow, int pc) {
  FlowSlice slice = {.atomic = -1};
  Walk w;
  if (pc < 0) return slice;
  walk_address(&w, flow, pc, &slice);
  find_loops(&w);
  walk_end(&w);
  return slice;
}

bool flow_address_has(Flow *flow, int pc, int reg) {
  Walk w;
  walk_address(&w, flow, pc, NULL);
  bool has = reg >= 0 && (w.seen[reg] || w.seen[flow_resolve(flow, flow->module->code[pc].func, reg)]);
  walk_end(&w);
  return has;
}

FlowSlice flow_condition(Flow *flow, int branch) {
  FlowSlice slice = {.atomic = -1};
  const PtxInstr *in = &flow->module->code[branch];
  Walk w;
  walk_begin(&w, flow, in->func, &slice);
  if (in->guard >= 0) push(&w, in->guard);
  walk_on(&w);
  walk_end(&w);
  return slice;
}

// ---- updates -------------------------------------------------------------------------------------------------------

// The load of the word that is stored to, if this value may be its result; -1. Its register may have another value on
// another way.
static int load_of_same(Flow *flow, const PtxInstr *store, const PtxOperand *value) {
  if (value->kind != PTX_OPD_REG) return -1;
  FlowFunc *f = flow_defs(flow, store->func);
  const PtxOperand *here = ptx_address(store);
  for (int def = f->first[flow_resolve(flow, store->func, value->reg)]; def >= 0; def = f->defs[def].next) {
    const PtxInstr *in = &flow->module->code[f->defs[def].pc];
    const PtxOperand *there = ends_walk(in) ? ptx_address(in) : NULL;
    if (there && here && flow_same(flow, store->func, there, here)) return f->defs[def].pc;
  }
  return -1;
}

static const char *atomic_for(PtxOp op, int operand) {
  switch (op) {
  case PTX_OP_add: case PTX_OP_fma: case PTX_OP_mad: return "atomicAdd";
  case PTX_OP_sub: return operand == 1 ? "atomicSub" : "atomicCAS";
  case PTX_OP_min: return "atomicMin";
  case PTX_OP_max: return "atomicMax";
  case PTX_OP_and: return "atomicAnd";
  case PTX_OP_or: return "atomicOr";
  case PTX_OP_xor: return "atomicXor";
  default: return "atomicCAS";   // in a loop
  }
}

// The value through copies and conversions to the instruction that computes it.
static bool computed_update(Flow *flow, const PtxInstr *store, FlowUpdate *update) {
  int pc = flow_only_def(flow, store->func, flow_resolve(flow, store->func, store->operands[1].reg));
  const PtxInstr *in = pc < 0 ? NULL : &flow->module->code[pc];
  if (!in || ptx_op_class((PtxOp)in->op) != PTX_CLASS_ALU) return false;
  for (int i = 1; i < in->operand_count; i++) {
    int load = load_of_same(flow, store, &in->operands[i]);
    if (load < 0) continue;
    *update = (FlowUpdate){load, atomic_for((PtxOp)in->op, i)};
    return true;
  }
  return false;
}

// if (x > m) m = x: the branch above compares what is there.
static bool conditional_update(Flow *flow, int store, FlowUpdate *update) {
  const PtxInstr *in = &flow->module->code[store];
  FlowTest test;
  int branch = flow_control(flow, store);
  if (branch < 0 || !flow_test(flow, branch, store, &test)) return false;
  for (int side = 0; side < 2; side++) {
    int reg = side ? test.b : test.a, other = side ? test.a : test.b;
    if (reg < 0 || other < 0) continue;
    PtxOperand there = {.kind = PTX_OPD_REG, .reg = reg}, stored = {.kind = PTX_OPD_REG, .reg = other};
    int load = load_of_same(flow, in, &there);
    if (load < 0 || !flow_same(flow, in->func, &stored, &in->operands[1])) continue;
    bool less = test.cmp == PTX_LT || test.cmp == PTX_LE || test.cmp == PTX_LO || test.cmp == PTX_LS;
    *update = (FlowUpdate){load, less == (side == 0) ? "atomicMax" : "atomicMin"};
    return true;
  }
  return false;
}

bool flow_update(Flow *flow, int store, FlowUpdate *update) {
  const PtxInstr *in = &flow->module->code[store];
  if (in->op != PTX_OP_st || in->vec > 1) return false;
  if (in->operands[1].kind == PTX_OPD_REG && computed_update(flow, in, update)) return true;
  return in->operands[1].kind == PTX_OPD_REG && conditional_update(flow, store, update);
}

int flow_update_of(Flow *flow, int pc, FlowUpdate *update) {
  if (pc < 0) return -1;
  const PtxFunc *of = &flow->module->funcs[flow->module->code[pc].func];
  if (flow_is_store(flow, pc)) return flow_update(flow, pc, update) ? pc : -1;
  for (int at = of->first; at < of->first + of->count; at++)
    if (flow_update(flow, at, update) && update->load == pc) return at;
  return -1;
}

bool flow_feeds(Flow *flow, int load, int store) {
  const PtxInstr *from = &flow->module->code[load], *to = &flow->module->code[store];
  if (from->func != to->func || to->op != PTX_OP_st) return false;
  const PtxFunc *of = &flow->module->funcs[to->func];
  Walk w;
  bool feeds = false;
  walk_begin(&w, flow, to->func, NULL);
  for (PtxRef use = {0}; ptx_each_use(to, &use);) if (use.way == PTX_AS_VALUE) push(&w, flow_name(of, &use));
  walk_on(&w);
  for (PtxRef def = {0}; ptx_each_def(from, &def);) feeds |= flow_name(of, &def) >= 0 && w.seen[flow_name(of, &def)];
  walk_end(&w);
  return feeds;
}
