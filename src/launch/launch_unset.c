// launch_unset.c: variables of the module that a kernel reads though nobody gave them a value.
//
// Registers are followed from the addresses of variables to loads and stores, without regard to the order of
// instructions. An address that is stored or passed on may be written through by anybody.
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "launch/launch_struct.h"
#include "launch/launch_variable.h"
#include "launch/settle.h"
#include "ptx/def_use.h"

enum { MOST = 64 };          // variables that are followed
typedef uint64_t Set;        // of them

typedef struct Flow {
  const PtxModule *module;
  LsArena *arena;
  int vars[MOST], count;
  Set *of_var;               // by variable
  uint8_t *reached;          // by function
  Set **regs;                // by function and register
  Set read, written;
  bool changed;
} Flow;

static void reach(Flow *f, int func) {
  const PtxFunc *callee = &f->module->funcs[func];
  if (f->reached[func] || callee->is_extern) return;
  f->reached[func] = 1;
  f->regs[func] = LS_NEW_ARRAY(f->arena, Set, callee->reg_count + 1);
  for (int pc = callee->first; pc < callee->first + callee->count; pc++) {
    const PtxInstr *in = &f->module->code[pc];
    for (int i = 0; i < in->operand_count; i++)
      if (in->operands[i].kind == PTX_OPD_FUNC) reach(f, in->operands[i].func);
  }
}

static Set of_address(const Flow *f, const PtxInstr *in, const PtxOperand *mem) {
  if (mem->kind != PTX_OPD_MEM) return 0;
  return mem->base == PTX_BASE_VAR ? f->of_var[mem->var] : mem->base == PTX_BASE_REG ? f->regs[in->func][mem->reg] : 0;
}

static Set of_values(const Flow *f, const PtxInstr *in) {
  Set set = 0;
  for (PtxRef use = {0}; ptx_each_use(in, &use);) {
    if (use.way != PTX_AS_VALUE) continue;
    set |= use.kind == PTX_REF_REG ? f->regs[in->func][use.reg] : use.kind == PTX_REF_VAR ? f->of_var[use.var] : 0;
  }
  return set;
}

static void follow(Flow *f, const PtxInstr *in) {
  Set values = of_values(f, in);
  bool loads = false;
  for (int i = 0; i < in->operand_count; i++) {
    unsigned role = ptx_role(in, i);
    if (!(role & PTX_ROLE_ADDRESS)) continue;
    Set at = of_address(f, in, &in->operands[i]);
    loads = true;
    if (role & PTX_ROLE_READ) f->read |= at;
    if (role & PTX_ROLE_WRITTEN) f->written |= at;
  }
  if (loads || in->op == PTX_OP_call) {   // what comes out is no address that we know; what goes in is anybody's
    f->read |= values;
    f->written |= values;
    return;
  }
  for (PtxRef def = {0}; values && ptx_each_def(in, &def);) {
    if (def.kind != PTX_REF_REG || !(values & ~f->regs[in->func][def.reg])) continue;
    f->regs[in->func][def.reg] |= values;
    f->changed = true;
  }
}

static bool is_given(const PtxModule *module, const Launch *launch, int var) {
  for (int i = 0; i < launch->arg_count; i++) {
    const LaunchArg *arg = &launch->args[i];
    bool contents = arg->role == LAUNCH_VARIABLE && (arg->init != LAUNCH_NONE || (arg->text && *arg->text));
    if (contents && launch_find_variable(module, arg->name, NULL) == var) return true;
  }
  return false;
}

static void find_candidates(Flow *f, const Launch *launch) {
  f->of_var = LS_NEW_ARRAY(f->arena, Set, f->module->var_count + 1);
  for (int v = 0; v < f->module->var_count && f->count < MOST; v++) {
    const PtxVar *var = &f->module->vars[v];
    if (!launch_is_variable(var) || var->init || var->reloc_count || var->size <= 0 || is_given(f->module, launch, v))
      continue;
    f->of_var[v] = 1ull << f->count;
    f->vars[f->count++] = v;
  }
}

// How it would be given: "float:V,V,V", "struct:n=V", "float[COUNT]=INIT".
static void add_form(const PtxDwType *type, int64_t size, LsText *out) {
  LaunchType element = LAUNCH_F32;
  if (type && type->kind == PTX_DW_POINTER) ls_text_add(out, "TYPE[COUNT]=INIT");
  else if (type && launch_element_type(type, &element)) {
    int64_t count = size / launch_type_size(element);
    ls_text_addf(out, "%s:V%s", launch_element_word(type, element),
                 count == 1 ? "" : count == 2 ? ",V" : count == 3 ? ",V,V" : ",V,...");
  } else if (type && type->kind == PTX_DW_STRUCT && type->field_count)
    ls_text_addf(out, "struct:%s=V,...", type->fields[0].name);
  else ls_text_add(out, "TYPE:V,...");
}

static void add_note(const PtxModule *module, int v, LsText *notes) {
  const PtxVar *var = &module->vars[v];
  const PtxDwType *type = var->source_type;
  bool nameless = strstr(var->name, "GLOBAL__N") && launch_find_variable(module, var->source_name, NULL) == v;
  char *name = nameless ? ls_strdup(var->source_name) : launch_variable_name(module, v);
  ls_text_addf(notes, "%s (%s", name, var->space == PTX_CONST ? "__constant__" : "__device__");
  if (type && type->name) ls_text_addf(notes, " %s", type->name);
  else ls_text_addf(notes, ", %lld bytes", (long long)var->size);
  ls_text_addf(notes, ") was given no value and reads as zeros; -a '@%s=", name);
  add_form(type, var->size, notes);
  ls_text_add(notes, "' gives one\n");
  free(name);
}

int launch_unset_variables(const PtxModule *module, int entry, const Launch *launch, LsText *notes) {
  Flow f = {.module = module, .arena = ls_arena_new(), .changed = true};
  int found = 0;
  find_candidates(&f, launch);
  f.reached = LS_NEW_ARRAY(f.arena, uint8_t, module->func_count + 1);
  f.regs = LS_NEW_ARRAY(f.arena, Set *, module->func_count + 1);
  if (f.count) reach(&f, entry);
  while (f.count && f.changed) {
    f.changed = false;
    for (int pc = 0; pc < module->code_count; pc++)
      if (f.reached[module->code[pc].func]) follow(&f, &module->code[pc]);
  }
  for (int i = 0; i < f.count; i++) {
    Set bit = 1ull << i;
    bool constant = module->vars[f.vars[i]].space == PTX_CONST;
    if (!(f.read & bit) || (!constant && f.written & bit)) continue;
    add_note(module, f.vars[i], notes);
    found++;
  }
  ls_arena_free(f.arena);
  return found;
}
