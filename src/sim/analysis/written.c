// written.c: which buffers a kernel may write, from its code alone.
//
// The registers of every function are followed from the pointer parameters of the kernel to the addresses of stores,
// without regard to the order of instructions. Whatever comes out of memory may be any pointer.
#include "ptx/def_use.h"
#include "sim/analysis/analysis.h"
#include "sim/core/memory.h"

// A set of parameters: bit i for the i-th; ANY for what is not known.
typedef uint64_t Params;
#define ANY (1ull << 63)

typedef struct Flow { const SimProgram *program; Params **sets; Params written; bool changed; } Flow;

static Params of_param(const Flow *f, const PtxOperand *mem) {
  const PtxFunc *entry = &f->program->module->funcs[f->program->entry];
  for (int i = 0; i < entry->param_count && i < 63; i++)
    if (entry->params[i].var == mem->var) return entry->params[i].size == 8 ? 1ull << i : ANY;
  return ANY;
}

static Params of_load(const Flow *f, const PtxInstr *in) {
  if (ptx_type_size((PtxType)in->type) < 8) return 0;
  const PtxOperand *mem = &in->operands[1];
  bool of_entry = in->space == PTX_PARAM && in->func == f->program->entry;
  of_entry &= mem->kind == PTX_OPD_MEM && mem->base == PTX_BASE_VAR;
  return of_entry ? of_param(f, mem) : ANY;
}

static Params of_values(const Flow *f, const PtxInstr *in) {
  Params set = 0;
  for (PtxRef use = {0}; ptx_each_use(in, &use);)
    if (use.kind == PTX_REF_REG && use.way == PTX_AS_VALUE) set |= f->sets[in->func][use.reg];
  return set;
}

static Params of_result(const Flow *f, const PtxInstr *in) {
  switch (in->op) {
  case PTX_OP_ld: case PTX_OP_ldu: return of_load(f, in);
  case PTX_OP_atom: case PTX_OP_call: return ANY;
  case PTX_OP_wmma: case PTX_OP_suld: case PTX_OP_tex: case PTX_OP_tld4: return 0;   // numbers, not pointers
  default: return of_values(f, in);
  }
}

static void flow_into(Flow *f, int func, int reg, Params set) {
  if (!(set & ~f->sets[func][reg])) return;
  f->sets[func][reg] |= set;
  f->changed = true;
}

static void note_store(Flow *f, const PtxInstr *in, const PtxOperand *mem) {
  if (in->space != PTX_GLOBAL && in->space != PTX_GENERIC) return;
  if (mem->kind == PTX_OPD_MEM && mem->base == PTX_BASE_REG) f->written |= f->sets[in->func][mem->reg];
}

static void follow(Flow *f, const PtxInstr *in) {
  const unsigned stored = PTX_ROLE_ADDRESS | PTX_ROLE_WRITTEN;
  for (int i = 0; i < in->operand_count; i++)
    if ((ptx_role(in, i) & stored) == stored) note_store(f, in, &in->operands[i]);
  Params set = of_result(f, in);
  for (PtxRef def = {0}; set && ptx_each_def(in, &def);)
    if (def.kind == PTX_REF_REG) flow_into(f, in->func, def.reg, set);
}

// A parameter in a register: anything may be in it.
static void start_functions(Flow *f) {
  for (int g = 0; g < f->program->module->func_count; g++) {
    const PtxFunc *func = &f->program->module->funcs[g];
    for (int i = 0; i < func->param_count; i++)
      if (func->params[i].reg >= 0) flow_into(f, g, func->params[i].reg, ANY);
  }
}

void sim_find_written(const SimProgram *program, SimMemory *memory) {
  Flow f = {.program = program, .changed = true};
  f.sets = LS_NEW_ARRAY(program->arena, Params *, program->module->func_count + 1);
  for (int i = 0; i < program->module->func_count; i++)
    f.sets[i] = LS_NEW_ARRAY(program->arena, Params, program->module->funcs[i].reg_count + 1);
  start_functions(&f);
  while (f.changed) {
    f.changed = false;
    for (int pc = 0; pc < program->module->code_count; pc++)
      if (program->funcs[program->module->code[pc].func].reached) follow(&f, &program->module->code[pc]);
  }
  for (int i = 0; i < memory->alloc_count; i++) {
    SimAlloc *a = &memory->allocs[i];
    int param = a->arg >= 0 ? program->arg_param[a->arg] : -1;
    if (a->image) { a->may_be_written = a->image->kind == LAUNCH_SURFACE; continue; }
    a->may_be_written = param < 0 || param >= 63 || f.written & (ANY | 1ull << param);
  }
}
