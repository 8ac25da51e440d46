// settle.c: arguments get what only the kernel knows: positions of names, types of numbers, bytes of structs and variables.
#include "launch/settle.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "launch/launch_parts.h"
#include "launch/launch_struct.h"
#include "launch/launch_variable.h"
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

// Of the kernel: a texture or surface may be a variable of the PTX instead.
static bool is_parameter(const LaunchArg *arg, int param) {
  return arg->role == LAUNCH_PARAMETER && (param >= 0 || arg->image.kind == LAUNCH_NO_IMAGE);
}

// Finds the argument of every parameter: order[i] is that of parameter i, then come those that are no parameter's.
static bool find_order(const PtxModule *module, int entry, const Launch *launch, int *order) {
  int params = module->funcs[entry].param_count, others = params, position = 0;
  if (launch->arg_count < params) return false;
  for (int i = 0; i < launch->arg_count; i++) order[i] = -1;
  for (int i = 0; i < launch->arg_count; i++) {
    const LaunchArg *a = &launch->args[i];
    int param = a->role != LAUNCH_PARAMETER ? -1 : a->by_name ? param_of(module, entry, a->name) : position;
    bool other = !is_parameter(a, param);
    position += !other;
    if (other && others < launch->arg_count) order[others++] = i;
    else if (param < 0 || param >= params || order[param] >= 0) return false;
    else order[param] = i;
  }
  return others == launch->arg_count;
}

static bool any_by_name(const Launch *launch) {
  for (int i = 0; i < launch->arg_count; i++)
    if (launch->args[i].by_name) return true;   // variables, too
  return false;
}

// A number that does not fit keeps its text, and whoever binds it says so.
static bool set_types(const PtxModule *module, int entry, Launch *launch, const int *order) {
  bool ok = true;
  for (int i = 0; i < module->funcs[entry].param_count; i++) {
    LaunchArg *arg = &launch->args[order[i]];
    LaunchType type = LAUNCH_U32;
    if (arg->text && !arg->is_struct)
      ok = type_of(module, entry, i, arg, &type) && launch_arg_set_type(arg, type, NULL) && ok;
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
static bool settle_names(const PtxModule *module, int entry, Launch *launch, LsErr *err) {
  for (int i = 0; i < launch->arg_count; i++) {
    LaunchArg *arg = &launch->args[i];
    if (!arg->perhaps_name) continue;
    arg->by_name = param_of(module, entry, arg->name) >= 0;
    if (arg->by_name) arg->perhaps_name = false;
    else if (!launch_arg_set_type(arg, arg->type, err)) return false;
  }
  return true;
}

// What structs point at comes from their text, again each time. A pointer variable gets back the file that it had
// passed on.
static void drop_pointees(Launch *launch) {
  int kept = 0;
  for (int i = 0; i < launch->arg_count; i++) {
    LaunchArg *arg = &launch->args[i];
    if (arg->role != LAUNCH_POINTEE) {
      launch->args[kept++] = *arg;
      continue;
    }
    LaunchArg *owner = &launch->args[arg->owner];   // it stands before, so it has not moved
    if (owner->role == LAUNCH_VARIABLE && owner->type == LAUNCH_U64 && !owner->output) {
      owner->output = arg->output;
      arg->output = NULL;
    }
    launch_arg_fini(arg);
  }
  launch->arg_count = kept;
}

static bool wrong_size(const PtxModule *module, int entry, int param, const LaunchArg *arg, LsErr *err) {
  const PtxDwType *type = ptx_param_source_type(module, entry, param);
  LsText members = {0};
  if (type && type->kind == PTX_DW_STRUCT) launch_add_members(type, &members);
  ls_fail(err, LS_EREQUEST, "these members are %llu bytes, the parameter has %lld%s%s", (unsigned long long)arg->count,
          (long long)module->funcs[entry].params[param].size, members.length ? ": " : "", ls_text_str(&members));
  ls_text_free(&members);
  return false;
}

static bool settle_struct(const PtxModule *module, int entry, Launch *launch, int param, LsText *notes, LsErr *err) {
  const char *source = ptx_param_source_name(module, entry, param);
  char *name = source ? ls_strdup(source) : ls_format("argument %d", param + 1),
      *text = ls_strdup(launch->args[param].text);
  LsText left = {0};
  bool ok = launch_lay_out(launch, param, text, ptx_param_source_type(module, entry, param), name, &left, err);
  if (ok && launch->args[param].count != (uint64_t)module->funcs[entry].params[param].size)
    ok = wrong_size(module, entry, param, &launch->args[param], err);
  if (ok && left.length && notes)
    ls_text_addf(notes, "%s: members that are not named are zero: %s\n", name, ls_text_str(&left));
  if (!ok) launch_blame(err, source ? "argument %d, %s: " : "argument %d: ", param + 1, name);
  ls_text_free(&left);
  free(text);
  free(name);
  return ok;
}

// Structs and variables, once parameters are in order. What they point at is appended.
static bool settle_contents(const PtxModule *module, int entry, Launch *launch, LsText *notes, LsErr *err) {
  int count = launch->arg_count;
  for (int i = 0; i < count; i++) {
    const LaunchArg *arg = &launch->args[i];
    bool ok = arg->role == LAUNCH_VARIABLE ? launch_settle_variable(module, launch, i, notes, err)
              : !arg->is_struct || settle_struct(module, entry, launch, i, notes, err);
    if (!ok) return false;
  }
  return true;
}

bool launch_settle(const PtxModule *module, int entry, Launch *launch, LsText *notes, LsErr *err) {
  drop_pointees(launch);
  if (!settle_names(module, entry, launch, err)) return false;
  int *order = ls_alloc(sizeof *order * (size_t)launch->arg_count);
  bool fits = find_order(module, entry, launch, order);
  if (fits && any_by_name(launch)) {
    fits = set_types(module, entry, launch, order);
    if (fits) reorder(launch, order, module->funcs[entry].param_count);
  }
  free(order);
  return !fits || settle_contents(module, entry, launch, notes, err);
}
