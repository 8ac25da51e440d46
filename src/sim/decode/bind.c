// bind.c: the arguments of a launch against the parameters of the kernel.
#include "sim/decode/bind.h"
#include <stdio.h>
#include <string.h>
#include "launch/settle.h"
#include "ptx/debuginfo.h"
#include "sim/core/memory.h"

// How a struct is given.
static void add_struct(const PtxDwType *type, LsText *out) {
  if (type->kind != PTX_DW_STRUCT || !type->field_count) return;
  ls_text_add(out, " (struct:");
  for (int i = 0; i < type->field_count; i++) {
    if (i < 8) ls_text_addf(out, "%s%s=...", i ? "," : "", type->fields[i].name);
    else if (i == 8) ls_text_add(out, ",...");
  }
  ls_text_add(out, ")");
}

static void describe_param(const SimProgram *program, int param, LsText *out) {
  const PtxParam *p = &program->module->funcs[program->entry].params[param];
  const PtxDwType *type = ptx_param_source_type(program->module, program->entry, param);
  const char *name = program->param_names[param];
  if (type && type->name) {
    ls_text_addf(out, "%s%s%s", type->name, name ? " " : "", name ? name : "");
    add_struct(type, out);
  } else if (p->count == 1)
    ls_text_addf(out, ".%s%s%s", ptx_type_name((PtxType)p->type), name ? " " : "", name ? name : "");
  else ls_text_addf(out, "%lld bytes%s%s", (long long)p->size, name ? " " : "", name ? name : "");
}

static bool wrong_arg(SimProgram *program, int arg, int param, const char *problem, LsErr *err) {
  const PtxFunc *f = &program->module->funcs[program->entry];
  LsText expected = {0};
  describe_param(program, param, &expected);
  ls_fail(err, LS_EREQUEST, "argument %d of %s: %s; the kernel expects %s", arg + 1,
          f->demangled ? f->demangled : f->name, problem, ls_text_str(&expected));
  ls_text_free(&expected);
  return false;
}

// Arguments that stand for parameters.
static int given_count(const SimProgram *program) {
  int count = 0;
  for (int i = 0; i < program->launch->arg_count; i++)
    count += program->launch->args[i].role == LAUNCH_PARAMETER && program->arg_var[i] < 0;
  return count;
}

static bool wrong_count(SimProgram *program, LsErr *err) {
  const PtxFunc *f = &program->module->funcs[program->entry];
  LsText list = {0};
  for (int i = 0; i < f->param_count; i++) {
    if (i) ls_text_add(&list, ", ");
    describe_param(program, i, &list);
  }
  ls_fail(err, LS_EREQUEST, "%s takes %d argument%s (%s), the launch gives %d", f->demangled ? f->demangled : f->name,
          f->param_count, f->param_count == 1 ? "" : "s", ls_text_str(&list), given_count(program));
  ls_text_free(&list);
  return false;
}

static int param_by_name(const SimProgram *program, const char *name) {
  const PtxFunc *f = &program->module->funcs[program->entry];
  for (int i = 0; name && i < f->param_count; i++)
    if ((program->param_names[i] && strcmp(program->param_names[i], name) == 0) || strcmp(f->params[i].name, name) == 0)
      return i;
  return -1;
}

static bool is_named(const PtxVar *var, const char *name) {
  return strcmp(var->name, name) == 0 || strcmp(var->source_name, name) == 0;
}

// A name that no parameter has, of an image or of an image's variable: what the variables are called.
static bool unknown_image(const SimProgram *program, const LaunchArg *a, LsErr *err) {
  LsText list = {0};
  bool known = false;
  for (int i = 0; i < program->module->var_count; i++) {
    const PtxVar *var = &program->module->vars[i];
    if (!sim_is_image_var(var) || var->func >= 0) continue;
    ls_text_addf(&list, "%s%s (.%s)", list.length ? ", " : "", var->name, ptx_type_name(var->type));
    if (!is_named(var, a->name)) continue;
    bool surface = var->type == PTX_SURFREF;
    known = true;
    ls_fail(err, LS_EREQUEST, "%s is a .%s: it takes a %s, as in -a '%s=%s.f32[64x32]=iota'", a->name, ptx_type_name(var->type),
            surface ? "surface" : "texture", a->name, surface ? "surf" : "tex");
  }
  bool asked = a->image.kind != LAUNCH_NO_IMAGE && list.length > 0;
  if (!known && asked)
    ls_fail(err, LS_EREQUEST, "the kernel has no parameter, and its PTX no .texref or .surfref, named %s; the PTX has %s",
            LS_QUOTE(a->name), ls_text_str(&list));
  ls_text_free(&list);
  return known || asked;
}

static bool unknown_name(const SimProgram *program, const LaunchArg *a, LsErr *err) {
  const PtxFunc *f = &program->module->funcs[program->entry];
  const char *name = a->name;
  LsText list = {0};
  if (name && unknown_image(program, a, err)) return false;
  for (int i = 0; i < f->param_count; i++)
    ls_text_addf(&list, "%s%s", i ? ", " : "", program->param_names[i] ? program->param_names[i] : f->params[i].name);
  ls_fail(err, LS_EREQUEST, "%s has no parameter named %s; it has %s", f->demangled ? f->demangled : f->name,
          name ? LS_QUOTE(name) : "?", f->param_count ? ls_text_str(&list) : "none");
  ls_text_free(&list);
  return false;
}

static bool is_float_param(const SimProgram *program, int param) {
  const PtxParam *p = &program->module->funcs[program->entry].params[param];
  const PtxDwType *type = ptx_param_source_type(program->module, program->entry, param);
  if (type) return type->kind == PTX_DW_FLOAT;
  return p->count == 1 && (p->type == PTX_F32 || p->type == PTX_F64);
}

static bool is_integer_param(const SimProgram *program, int param) {
  const PtxDwType *type = ptx_param_source_type(program->module, program->entry, param);
  if (type) return type->kind == PTX_DW_INT || type->kind == PTX_DW_UINT;
  return false;
}

// A number given by name and without a type takes the parameter's.
static bool bind_named(SimProgram *program, int arg, int param, LsErr *err) {
  const LaunchArg *a = &program->launch->args[arg];
  const PtxParam *p = &program->module->funcs[program->entry].params[param];
  uint8_t *to = program->params + p->offset;
  double real = 0;
  if (p->size > 8 || p->size < 1) return wrong_arg(program, arg, param, "a number is given", err);
  if (!is_float_param(program, param)) {
    if (a->type == LAUNCH_F32 || a->type == LAUNCH_F64)
      return wrong_arg(program, arg, param, "a number with a fraction is given", err);
    uint64_t bits = a->type == LAUNCH_I32 ? (uint64_t)(int64_t)(int32_t)a->scalar : a->scalar;
    int64_t high = p->size == 8 ? 0 : (int64_t)bits >> (p->size * 8);
    if (high != 0 && high != -1) return wrong_arg(program, arg, param, "a number too large for it is given", err);
    memcpy(to, &bits, (size_t)p->size);
    return true;
  }
  if (!ls_parse_f64(a->text, &real))
    return wrong_arg(program, arg, param, "something else than a number is given", err);
  float single = (float)real;
  if (p->size == 8) memcpy(to, &real, 8);
  else if (p->size == 4) memcpy(to, &single, 4);
  else return wrong_arg(program, arg, param, "a number without a type is given", err);
  return true;
}

// Whether a parameter is a pointer for sure: only debug information tells pointers from handles.
static bool is_pointer_param(const SimProgram *program, int param) {
  const PtxDwType *type = ptx_param_source_type(program->module, program->entry, param);
  return type && type->kind == PTX_DW_POINTER;
}

static bool bind_struct(SimProgram *program, int arg, int param, LsErr *err) {
  const LaunchArg *a = &program->launch->args[arg];
  const PtxParam *p = &program->module->funcs[program->entry].params[param];
  char problem[96];
  snprintf(problem, sizeof problem, "a struct of %llu bytes is given", (unsigned long long)a->count);
  if (!a->data) return wrong_arg(program, arg, param, "a struct is given whose members nobody knows", err);
  if (a->count != (uint64_t)p->size) return wrong_arg(program, arg, param, problem, err);
  memcpy(program->params + p->offset, a->data, (size_t)p->size);
  return true;
}

// A pointer in a struct; one in a variable is put there whenever that gets its contents (core/memory.c).
static bool bind_pointee(SimProgram *program, const SimMemory *memory, int arg, LsErr *err) {
  const LaunchArg *a = &program->launch->args[arg];
  const Launch *launch = program->launch;
  if (a->owner < 0 || a->owner >= launch->arg_count)
    return ls_fail(err, LS_EREQUEST, "argument %d is in no struct", arg + 1);
  int param = program->arg_param[a->owner];
  if (param < 0) return true;
  const PtxParam *p = &program->module->funcs[program->entry].params[param];
  if (a->offset + 8 > (uint64_t)p->size) return ls_fail(err, LS_EREQUEST, "argument %d is beyond its struct", arg + 1);
  memcpy(program->params + p->offset + a->offset, &memory->allocs[memory->arg_alloc[arg]].base, 8);
  return true;
}

// Into a buffer of the program.
static bool bind_pointer(SimProgram *program, const SimMemory *memory, int arg, int param, LsErr *err) {
  const LaunchArg *a = &program->launch->args[arg];
  const PtxParam *p = &program->module->funcs[program->entry].params[param];
  if (p->size != 8) return wrong_arg(program, arg, param, "the address of a buffer is given", err);
  uint64_t address = memory->allocs[memory->arg_alloc[a->owner]].base + a->offset;
  memcpy(program->params + p->offset, &address, sizeof address);
  return true;
}

static bool bind_one(SimProgram *program, const SimMemory *memory, int arg, int param, LsErr *err) {
  const LaunchArg *a = &program->launch->args[arg];
  const PtxParam *p = &program->module->funcs[program->entry].params[param];
  if (a->image.kind != LAUNCH_NO_IMAGE && (p->size != 8 || is_pointer_param(program, param)))
    return wrong_arg(program, arg, param, a->image.kind == LAUNCH_TEXTURE ? "a texture is given" : "a surface is given",
                     err);
  if (a->is_struct) return bind_struct(program, arg, param, err);
  if (a->points) return bind_pointer(program, memory, arg, param, err);
  if (a->is_buffer) {
    if (p->size != 8) return wrong_arg(program, arg, param, "a buffer is given", err);
    uint64_t base = memory->allocs[memory->arg_alloc[arg]].base;
    memcpy(program->params + p->offset, &base, 8);
    return true;
  }
  if (a->by_name && a->text) return bind_named(program, arg, param, err);
  int size = launch_type_size(a->type);
  char problem[96];
  snprintf(problem, sizeof problem, "a scalar of type %s (%d byte%s) is given", launch_type_name(a->type), size,
           size == 1 ? "" : "s");
  bool is_float = a->type == LAUNCH_F32 || a->type == LAUNCH_F64;
  if (size != p->size || (is_float && is_integer_param(program, param)) ||
      (!is_float && a->type != LAUNCH_F16 && is_float_param(program, param)))
    return wrong_arg(program, arg, param, problem, err);
  memcpy(program->params + p->offset, &a->scalar, (size_t)size);
  return true;
}

// Contents of a variable of the module; settled, or with type and values.
static bool find_variable(SimProgram *program, int arg, LsErr *err) {
  const LaunchArg *a = &program->launch->args[arg];
  int var = launch_find_variable(program->module, a->name, err);
  if (var < 0) return false;
  uint64_t elem = (uint64_t)launch_type_size(a->type);
  if (a->count > (uint64_t)LS_MAX(program->module->vars[var].size, 0) / elem)
    return ls_fail(err, LS_EREQUEST, "%s has %lld bytes, %llu of %s are more", a->name,
                   (long long)program->module->vars[var].size,
                   (unsigned long long)a->count, launch_type_name(a->type));
  program->arg_var[arg] = var;
  return true;
}

// Settling has given each its type; without it some have none.
static bool variables_are_known(const SimProgram *program, LsErr *err) {
  for (int i = 0; i < program->launch->arg_count; i++) {
    const LaunchArg *a = &program->launch->args[i];
    if (a->role == LAUNCH_VARIABLE && a->init == LAUNCH_NONE && a->text && *a->text)
      return ls_fail(err, LS_EREQUEST, "%s: nobody says of what type '%s' is", a->name, LS_QUOTE(a->text));
  }
  return true;
}

static void find_names(SimProgram *program) {
  const PtxFunc *f = &program->module->funcs[program->entry];
  program->param_names = LS_NEW_ARRAY(program->arena, const char *, f->param_count + 1);
  program->arg_param = LS_NEW_ARRAY(program->arena, int, program->launch->arg_count + 1);
  program->arg_var = LS_NEW_ARRAY(program->arena, int, program->launch->arg_count + 1);
  for (int i = 0; i < f->param_count; i++)
    program->param_names[i] = ptx_param_source_name(program->module, program->entry, i);
}

// Textures and surfaces that the PTX declares as variables are no parameters. Their arguments, found by name, are.
static void find_references(SimProgram *program) {
  for (int i = 0; i < program->launch->arg_count; i++) {
    const LaunchArg *a = &program->launch->args[i];
    if (a->role != LAUNCH_PARAMETER || !a->by_name || a->image.kind == LAUNCH_NO_IMAGE ||
        param_by_name(program, a->name) >= 0) continue;
    PtxType type = a->image.kind == LAUNCH_TEXTURE ? PTX_TEXREF : PTX_SURFREF;
    for (int v = 0; v < program->module->var_count && program->arg_var[i] < 0; v++) {
      const PtxVar *var = &program->module->vars[v];
      if (var->type == type && var->func < 0 && is_named(var, a->name)) program->arg_var[i] = v;
    }
  }
}

static bool find_variables(SimProgram *program, LsErr *err) {
  for (int i = 0; i < program->launch->arg_count; i++) {
    program->arg_var[i] = program->arg_param[i] = -1;
    if (program->launch->args[i].role == LAUNCH_VARIABLE && !find_variable(program, i, err)) return false;
  }
  return true;
}

bool sim_bind_names(SimProgram *program, LsErr *err) {
  const PtxFunc *f = &program->module->funcs[program->entry];
  find_names(program);
  if (program->options.params && program->launch->arg_count)
    return ls_fail(err, LS_EREQUEST, "a launch has either arguments or the bytes of its parameters, not both");
  if (program->options.params) return true;
  if (!find_variables(program, err)) return false;
  find_references(program);
  for (int i = 0; i < program->launch->arg_count; i++) {   // a name that is mistyped would be one argument too many
    const LaunchArg *a = &program->launch->args[i];
    if (a->role == LAUNCH_PARAMETER && a->by_name && program->arg_var[i] < 0 && param_by_name(program, a->name) < 0)
      return unknown_name(program, a, err);
  }
  if (given_count(program) != f->param_count) return wrong_count(program, err);
  if (!variables_are_known(program, err)) return false;
  uint8_t *taken = LS_NEW_ARRAY(program->arena, uint8_t, f->param_count + 1);
  for (int i = 0, position = 0; i < program->launch->arg_count; i++) {
    const LaunchArg *a = &program->launch->args[i];
    if (a->role != LAUNCH_PARAMETER || program->arg_var[i] >= 0) continue;
    int param = a->by_name ? param_by_name(program, a->name) : position;
    position++;
    if (taken[param]) return wrong_arg(program, i, param, "this parameter is given twice", err);
    taken[param] = 1;
    program->arg_param[i] = param;
  }
  return true;
}

bool sim_bind(SimProgram *program, const SimMemory *memory, LsErr *err) {
  program->params = ls_arena_alloc(program->arena, program->param_bytes + 16);
  if (program->options.params) {
    if (program->options.params_size < program->param_bytes)
      return ls_fail(err, LS_EREQUEST, "the kernel's parameters are %llu bytes, the launch gives %llu",
                     (unsigned long long)program->param_bytes, (unsigned long long)program->options.params_size);
    memcpy(program->params, program->options.params, program->param_bytes);
    return true;
  }
  for (int i = 0; i < program->launch->arg_count; i++)
    if (program->arg_param[i] >= 0 && !bind_one(program, memory, i, program->arg_param[i], err)) return false;
  for (int i = 0; i < program->launch->arg_count; i++)
    if (program->launch->args[i].role == LAUNCH_POINTEE && !bind_pointee(program, memory, i, err)) return false;
  return true;
}
