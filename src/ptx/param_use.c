// param_use.c: follows the pointers that a kernel is given to the accesses through them.
#include "ptx/param_use.h"

#include "ptx/def_use.h"

typedef struct Flow {
  const PtxModule *module;
  int entry;
  PtxParams **sets;      // of every register of every function
  PtxParamUse *use;
  bool changed;
} Flow;

static PtxParams of_param(const Flow *f, const PtxOperand *mem) {
  const PtxFunc *entry = &f->module->funcs[f->entry];
  for (int i = 0; i < entry->param_count && i < PTX_PARAMS_MOST; i++)
    if (entry->params[i].var == mem->var) return entry->params[i].size == 8 ? 1ull << i : PTX_ANY_PARAM;
  return PTX_ANY_PARAM;
}

static PtxParams of_load(const Flow *f, const PtxInstr *in) {
  if (ptx_type_size((PtxType)in->type) < 8) return 0;
  const PtxOperand *mem = &in->operands[1];
  bool of_entry = in->space == PTX_PARAM && in->func == f->entry;
  of_entry &= mem->kind == PTX_OPD_MEM && mem->base == PTX_BASE_VAR;
  return of_entry ? of_param(f, mem) : PTX_ANY_PARAM;
}

static PtxParams of_values(const Flow *f, const PtxInstr *in) {
  PtxParams set = 0;
  for (PtxRef use = {0}; ptx_each_use(in, &use);)
    if (use.kind == PTX_REF_REG && use.way == PTX_AS_VALUE) set |= f->sets[in->func][use.reg];
  return set;
}

static PtxParams of_result(const Flow *f, const PtxInstr *in) {
  switch (in->op) {
  case PTX_OP_ld: case PTX_OP_ldu: return of_load(f, in);
  case PTX_OP_atom: case PTX_OP_call: return PTX_ANY_PARAM;
  case PTX_OP_wmma: case PTX_OP_suld: case PTX_OP_tex: case PTX_OP_tld4: return 0;   // numbers, not pointers
  default: return of_values(f, in);
  }
}

static void flow_into(Flow *f, int func, int reg, PtxParams set) {
  if (!(set & ~f->sets[func][reg])) return;
  f->sets[func][reg] |= set;
  f->changed = true;
}

static void note_access(Flow *f, const PtxInstr *in, const PtxOperand *mem, unsigned role) {
  if (in->space != PTX_GLOBAL && in->space != PTX_GENERIC) return;
  if (mem->kind != PTX_OPD_MEM || mem->base != PTX_BASE_REG) return;
  PtxParams set = f->sets[in->func][mem->reg], known = f->use->read | f->use->written;
  bool atomic = in->op == PTX_OP_atom || in->op == PTX_OP_red;
  for (int i = 0; i < PTX_PARAMS_MOST; i++)
    if (set & ~known & 1ull << i) f->use->type[i] = in->type;
  if (role & PTX_ROLE_WRITTEN) f->use->written |= set;
  if (atomic || !(role & PTX_ROLE_WRITTEN)) f->use->read |= set;
  if (atomic) f->use->atomic |= set;
}

static void follow(Flow *f, const PtxInstr *in) {
  for (int i = 0; i < in->operand_count; i++) {
    unsigned role = ptx_role(in, i);
    if (role & PTX_ROLE_ADDRESS) note_access(f, in, &in->operands[i], role);
  }
  PtxParams set = of_result(f, in);
  for (PtxRef def = {0}; set && ptx_each_def(in, &def);)
    if (def.kind == PTX_REF_REG) flow_into(f, in->func, def.reg, set);
}

// A parameter in a register: anything may be in it.
static void start_functions(Flow *f) {
  for (int g = 0; g < f->module->func_count; g++) {
    const PtxFunc *func = &f->module->funcs[g];
    for (int i = 0; i < func->param_count; i++)
      if (func->params[i].reg >= 0) flow_into(f, g, func->params[i].reg, PTX_ANY_PARAM);
  }
}

void ptx_param_use(const PtxModule *module, int entry, const uint8_t *reached, LsArena *arena, PtxParamUse *use) {
  *use = (PtxParamUse){0};
  Flow f = {.module = module, .entry = entry, .use = use, .changed = true};
  f.sets = LS_NEW_ARRAY(arena, PtxParams *, module->func_count + 1);
  for (int i = 0; i < module->func_count; i++)
    f.sets[i] = LS_NEW_ARRAY(arena, PtxParams, module->funcs[i].reg_count + 1);
  start_functions(&f);
  while (f.changed) {
    f.changed = false;
    for (int pc = 0; pc < module->code_count; pc++)
      if (reached[module->code[pc].func]) follow(&f, &module->code[pc]);
  }
}

static void reach_operand(const PtxModule *module, const PtxOperand *operand, uint8_t *reached, bool *changed) {
  int func = operand->kind == PTX_OPD_FUNC ? operand->func : -1;
  if (func >= 0 && module->funcs[func].alias_of >= 0) func = module->funcs[func].alias_of;
  if (func < 0 || reached[func] || module->funcs[func].is_entry) return;   // a kernel is launched, not called
  reached[func] = *changed = true;
}

void ptx_reach(const PtxModule *module, int entry, uint8_t *reached) {
  bool changed = true;
  for (reached[entry] = 1; changed;) {
    changed = false;
    for (int pc = 0; pc < module->code_count; pc++) {
      const PtxInstr *in = &module->code[pc];
      for (int i = 0; reached[in->func] && i < in->operand_count; i++)
        reach_operand(module, &in->operands[i], reached, &changed);
    }
  }
}
