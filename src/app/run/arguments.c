// arguments.c: arguments by name become arguments by position.
#include "app/run/arguments.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "ptx/debuginfo.h"

static int param_of(const PtxModule *module, int entry, const char *name) {
  const PtxFunc *f = &module->funcs[entry];
  for (int i = 0; i < f->param_count; i++) {
    const char *source = ptx_param_source_name(module, entry, i);
    if ((source && strcmp(source, name) == 0) || strcmp(f->params[i].name, name) == 0) return i;
  }
  return -1;
}

// The type of a number as the parameter would hold it: its kind from the source, its sign from the text.
static bool type_of(const PtxModule *module, int entry, int param, const LaunchArg *arg, LaunchType *type) {
  const PtxParam *p = &module->funcs[entry].params[param];
  const PtxDwType *source = ptx_param_source_type(module, entry, param);
  bool real = source ? source->kind == PTX_DW_FLOAT : p->type == PTX_F32 || p->type == PTX_F64;
  bool negative = arg->text[0] == '-';
  switch (p->size) {
  case 1: *type = negative ? LAUNCH_I8 : LAUNCH_U8; return !real;
  case 2: *type = negative ? LAUNCH_I16 : LAUNCH_U16; return !real;
  case 4: *type = real ? LAUNCH_F32 : negative ? LAUNCH_I32 : LAUNCH_U32; return true;
  case 8: *type = real ? LAUNCH_F64 : negative ? LAUNCH_I64 : LAUNCH_U64; return true;
  default: return false;
  }
}

// Finds the argument of every parameter: order[i] is that of parameter i, then come those that are no parameter's.
static bool find_order(const PtxModule *module, int entry, const Launch *launch, int *order) {
  int params = module->funcs[entry].param_count, others = params, position = 0;
  if (launch->arg_count < params) return false;
  for (int i = 0; i < launch->arg_count; i++) order[i] = -1;
  for (int i = 0; i < launch->arg_count; i++) {
    const LaunchArg *a = &launch->args[i];
    int param = a->by_name ? param_of(module, entry, a->name) : position;
    bool variable = param < 0 && a->image.kind != LAUNCH_NO_IMAGE;
    position += !variable;
    if (variable && others < launch->arg_count) order[others++] = i;
    else if (param < 0 || param >= params || order[param] >= 0) return false;
    else order[param] = i;
  }
  return others == launch->arg_count;
}

static bool any_by_name(const Launch *launch) {
  for (int i = 0; i < launch->arg_count; i++)
    if (launch->args[i].by_name) return true;
  return false;
}

// A number that does not fit keeps its text, and whoever binds it says so.
static bool set_types(const PtxModule *module, int entry, Launch *launch, const int *order) {
  bool ok = true;
  for (int i = 0; i < module->funcs[entry].param_count; i++) {
    LaunchArg *arg = &launch->args[order[i]];
    LaunchType type = LAUNCH_U32;
    if (arg->text) ok = type_of(module, entry, i, arg, &type) && launch_arg_set_type(arg, type, NULL) && ok;
  }
  return ok;
}

static void reorder(Launch *launch, const int *order, int params) {
  LaunchArg *sorted = ls_alloc(sizeof *sorted * (size_t)launch->arg_count);
  for (int i = 0; i < launch->arg_count; i++) {
    sorted[i] = launch->args[order[i]];
    if (i < params) sorted[i].by_name = false;
  }
  memcpy(launch->args, sorted, sizeof *sorted * (size_t)launch->arg_count);
  free(sorted);
}

// half=3: it is a parameter's name if there is such a parameter, else it is the type.
static void settle_names(const PtxModule *module, int entry, Launch *launch) {
  for (int i = 0; i < launch->arg_count; i++) {
    LaunchArg *arg = &launch->args[i];
    if (!arg->perhaps_name) continue;
    arg->by_name = param_of(module, entry, arg->name) >= 0;
    if (arg->by_name) arg->perhaps_name = false;
    else launch_arg_set_type(arg, arg->type, NULL);
  }
}

void arguments_by_position(const PtxModule *module, int entry, Launch *launch) {
  settle_names(module, entry, launch);
  if (!any_by_name(launch)) return;
  int *order = ls_alloc(sizeof *order * (size_t)launch->arg_count);
  if (find_order(module, entry, launch, order) && set_types(module, entry, launch, order))
    reorder(launch, order, module->funcs[entry].param_count);
  free(order);
}
