// written.c: which buffers a kernel may write, from its code alone.
//
// The registers of every function are followed from the pointer parameters of the kernel to the addresses of stores,
// without regard to the order of instructions. Whatever comes out of memory may be any pointer.
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

static Params of_operand(const Flow *f, const PtxInstr *in, const PtxOperand *o) {
  Params set = 0;
  if (o->kind == PTX_OPD_REG) return f->sets[in->func][o->reg];
  for (int i = 0; o->kind == PTX_OPD_VEC && i < o->elem_count; i++) set |= of_operand(f, in, &o->elems[i]);
  return set;
}

static void flow_into(Flow *f, const PtxInstr *in, const PtxOperand *o, Params set) {
  for (int i = 0; o->kind == PTX_OPD_VEC && i < o->elem_count; i++) flow_into(f, in, &o->elems[i], set);
  if (o->kind != PTX_OPD_REG || !(set & ~f->sets[in->func][o->reg])) return;
  f->sets[in->func][o->reg] |= set;
  f->changed = true;
}

static void note_store(Flow *f, const PtxInstr *in, const PtxOperand *mem) {
  if (in->space != PTX_GLOBAL && in->space != PTX_GENERIC) return;
  if (mem->kind == PTX_OPD_MEM && mem->base == PTX_BASE_REG) f->written |= f->sets[in->func][mem->reg];
}

static void follow(Flow *f, const PtxInstr *in) {
  Params set = 0;
  switch (in->op) {
  case PTX_OP_st: case PTX_OP_red: case PTX_OP_cp: note_store(f, in, &in->operands[0]); return;
  case PTX_OP_wmma: note_store(f, in, &in->operands[0]); return;   // pointers do not come out of it
  case PTX_OP_atom: note_store(f, in, &in->operands[1]); flow_into(f, in, &in->operands[0], ANY); return;
  case PTX_OP_sust: case PTX_OP_suld: case PTX_OP_tex: case PTX_OP_tld4: return;   // no pointers come out of images
  case PTX_OP_ld: case PTX_OP_ldu: set = of_load(f, in); break;
  case PTX_OP_bra: case PTX_OP_brx: case PTX_OP_call: case PTX_OP_bar: case PTX_OP_barrier: return;
  default:
    for (int i = 1; i < in->operand_count; i++) set |= of_operand(f, in, &in->operands[i]);
  }
  if (set && in->operand_count) flow_into(f, in, &in->operands[0], set);
}

void sim_find_written(const SimProgram *program, SimMemory *memory) {
  Flow f = {.program = program, .changed = true};
  f.sets = LS_NEW_ARRAY(program->arena, Params *, program->module->func_count + 1);
  for (int i = 0; i < program->module->func_count; i++)
    f.sets[i] = LS_NEW_ARRAY(program->arena, Params, program->module->funcs[i].reg_count + 1);
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
