// bind.c: the arguments of a launch against the parameters of the kernel.
#include "sim/internal.h"
#include "ptx/debuginfo.h"

static void describe_param(const Sim *sim, int param, LsText *out) {
  const PtxParam *p = &sim->module->funcs[sim->entry].params[param];
  const PtxDwType *type = ptx_param_source_type(sim->module, sim->entry, param);
  const char *name = sim->param_names[param];
  if (type && type->name) ls_text_addf(out, "%s%s%s", type->name, name ? " " : "", name ? name : "");
  else if (p->count == 1)
    ls_text_addf(out, ".%s%s%s", ptx_type_name((PtxType)p->type), name ? " " : "", name ? name : "");
  else ls_text_addf(out, "%lld bytes%s%s", (long long)p->size, name ? " " : "", name ? name : "");
}

static bool wrong_arg(Sim *sim, int arg, int param, const char *problem, LsErr *err) {
  const PtxFunc *f = &sim->module->funcs[sim->entry];
  LsText expected = {0};
  describe_param(sim, param, &expected);
  ls_fail(err, LS_EREQUEST, "argument %d of %s: %s; the kernel expects %s", arg + 1,
          f->demangled ? f->demangled : f->name, problem, ls_text_str(&expected));
  ls_text_free(&expected);
  return false;
}

static bool wrong_count(Sim *sim, LsErr *err) {
  const PtxFunc *f = &sim->module->funcs[sim->entry];
  LsText list = {0};
  for (int i = 0; i < f->param_count; i++) {
    if (i) ls_text_add(&list, ", ");
    describe_param(sim, i, &list);
  }
  ls_fail(err, LS_EREQUEST, "%s takes %d argument%s (%s), the launch gives %d", f->demangled ? f->demangled : f->name,
          f->param_count, f->param_count == 1 ? "" : "s", ls_text_str(&list), sim->launch->arg_count);
  ls_text_free(&list);
  return false;
}

static int param_by_name(const Sim *sim, const char *name) {
  const PtxFunc *f = &sim->module->funcs[sim->entry];
  for (int i = 0; name && i < f->param_count; i++)
    if ((sim->param_names[i] && strcmp(sim->param_names[i], name) == 0) || strcmp(f->params[i].name, name) == 0)
      return i;
  return -1;
}

static bool is_named(const PtxVar *var, const char *name) {
  return strcmp(var->name, name) == 0 || strcmp(var->source_name, name) == 0;
}

// A name that no parameter has, of an image or of an image's variable: what the variables are called.
static bool unknown_image(const Sim *sim, const LaunchArg *a, LsErr *err) {
  LsText list = {0};
  bool known = false;
  for (int i = 0; i < sim->module->var_count; i++) {
    const PtxVar *var = &sim->module->vars[i];
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

static bool unknown_name(const Sim *sim, const LaunchArg *a, LsErr *err) {
  const PtxFunc *f = &sim->module->funcs[sim->entry];
  const char *name = a->name;
  LsText list = {0};
  if (name && unknown_image(sim, a, err)) return false;
  for (int i = 0; i < f->param_count; i++)
    ls_text_addf(&list, "%s%s", i ? ", " : "", sim->param_names[i] ? sim->param_names[i] : f->params[i].name);
  ls_fail(err, LS_EREQUEST, "%s has no parameter named %s; it has %s", f->demangled ? f->demangled : f->name,
          name ? LS_QUOTE(name) : "?", f->param_count ? ls_text_str(&list) : "none");
  ls_text_free(&list);
  return false;
}

static bool is_float_param(const Sim *sim, int param) {
  const PtxParam *p = &sim->module->funcs[sim->entry].params[param];
  const PtxDwType *type = ptx_param_source_type(sim->module, sim->entry, param);
  if (type) return type->kind == PTX_DW_FLOAT;
  return p->count == 1 && (p->type == PTX_F32 || p->type == PTX_F64);
}

static bool is_integer_param(const Sim *sim, int param) {
  const PtxDwType *type = ptx_param_source_type(sim->module, sim->entry, param);
  if (type) return type->kind == PTX_DW_INT || type->kind == PTX_DW_UINT;
  return false;
}

// A number given by name and without a type takes the parameter's.
static bool bind_named(Sim *sim, int arg, int param, LsErr *err) {
  const LaunchArg *a = &sim->launch->args[arg];
  const PtxParam *p = &sim->module->funcs[sim->entry].params[param];
  uint8_t *to = sim->params + p->offset;
  double real = 0;
  if (p->size > 8 || p->size < 1) return wrong_arg(sim, arg, param, "a number is given", err);
  if (!is_float_param(sim, param)) {
    if (a->type == LAUNCH_F32 || a->type == LAUNCH_F64)
      return wrong_arg(sim, arg, param, "a number with a fraction is given", err);
    uint64_t bits = a->type == LAUNCH_I32 ? (uint64_t)(int64_t)(int32_t)a->scalar : a->scalar;
    int64_t high = p->size == 8 ? 0 : (int64_t)bits >> (p->size * 8);
    if (high != 0 && high != -1) return wrong_arg(sim, arg, param, "a number too large for it is given", err);
    memcpy(to, &bits, (size_t)p->size);
    return true;
  }
  if (!ls_parse_f64(a->text, &real)) return wrong_arg(sim, arg, param, "something else than a number is given", err);
  float single = (float)real;
  if (p->size == 8) memcpy(to, &real, 8);
  else if (p->size == 4) memcpy(to, &single, 4);
  else return wrong_arg(sim, arg, param, "a number without a type is given", err);
  return true;
}

// Whether a parameter is a pointer for sure: only debug information tells pointers from handles.
static bool is_pointer_param(const Sim *sim, int param) {
  const PtxDwType *type = ptx_param_source_type(sim->module, sim->entry, param);
  return type && type->kind == PTX_DW_POINTER;
}

static bool bind_one(Sim *sim, int arg, int param, LsErr *err) {
  const LaunchArg *a = &sim->launch->args[arg];
  const PtxParam *p = &sim->module->funcs[sim->entry].params[param];
  if (a->image.kind != LAUNCH_NO_IMAGE && (p->size != 8 || is_pointer_param(sim, param)))
    return wrong_arg(sim, arg, param, a->image.kind == LAUNCH_TEXTURE ? "a texture is given" : "a surface is given", err);
  if (a->is_buffer) {
    if (p->size != 8) return wrong_arg(sim, arg, param, "a buffer is given", err);
    uint64_t base = sim->allocs[sim->arg_alloc[arg]].base;
    memcpy(sim->params + p->offset, &base, 8);
    return true;
  }
  if (a->by_name && a->text) return bind_named(sim, arg, param, err);
  int size = launch_type_size(a->type);
  char problem[96];
  snprintf(problem, sizeof problem, "a scalar of type %s (%d byte%s) is given", launch_type_name(a->type), size,
           size == 1 ? "" : "s");
  bool is_float = a->type == LAUNCH_F32 || a->type == LAUNCH_F64;
  if (size != p->size || (is_float && is_integer_param(sim, param)) ||
      (!is_float && a->type != LAUNCH_F16 && is_float_param(sim, param)))
    return wrong_arg(sim, arg, param, problem, err);
  memcpy(sim->params + p->offset, &a->scalar, (size_t)size);
  return true;
}

static void find_names(Sim *sim) {
  const PtxFunc *f = &sim->module->funcs[sim->entry];
  sim->param_names = LS_NEW_ARRAY(sim->arena, const char *, f->param_count + 1);
  sim->arg_param = LS_NEW_ARRAY(sim->arena, int, sim->launch->arg_count + 1);
  sim->arg_var = LS_NEW_ARRAY(sim->arena, int, sim->launch->arg_count + 1);
  for (int i = 0; i < f->param_count; i++) sim->param_names[i] = ptx_param_source_name(sim->module, sim->entry, i);
}

// Textures and surfaces that the PTX declares as variables are no parameters. Their arguments, found by name, are.
static int find_references(Sim *sim) {
  int count = 0;
  for (int i = 0; i < sim->launch->arg_count; i++) {
    const LaunchArg *a = &sim->launch->args[i];
    sim->arg_var[i] = -1;
    if (!a->by_name || a->image.kind == LAUNCH_NO_IMAGE || param_by_name(sim, a->name) >= 0) continue;
    PtxType type = a->image.kind == LAUNCH_TEXTURE ? PTX_TEXREF : PTX_SURFREF;
    for (int v = 0; v < sim->module->var_count && sim->arg_var[i] < 0; v++) {
      const PtxVar *var = &sim->module->vars[v];
      if (var->type == type && var->func < 0 && is_named(var, a->name)) sim->arg_var[i] = v;
    }
    count += sim->arg_var[i] >= 0;
  }
  return count;
}

bool sim_bind_names(Sim *sim, LsErr *err) {
  const PtxFunc *f = &sim->module->funcs[sim->entry];
  int references = 0;
  find_names(sim);
  if (sim->options.params && sim->launch->arg_count)
    return ls_fail(err, LS_EREQUEST, "a launch has either arguments or the bytes of its parameters, not both");
  if (sim->options.params) return true;
  int images = find_references(sim);
  for (int i = 0; i < sim->launch->arg_count; i++) {   // a name that is mistyped would be one argument too many
    const LaunchArg *a = &sim->launch->args[i];
    if (a->by_name && sim->arg_var[i] < 0 && param_by_name(sim, a->name) < 0) return unknown_name(sim, a, err);
  }
  if (sim->launch->arg_count - images != f->param_count) return wrong_count(sim, err);
  uint8_t *taken = LS_NEW_ARRAY(sim->arena, uint8_t, f->param_count + 1);
  for (int i = 0; i < sim->launch->arg_count; i++) {
    const LaunchArg *a = &sim->launch->args[i];
    int param = a->by_name ? param_by_name(sim, a->name) : i - references;
    sim->arg_param[i] = -1;
    references += sim->arg_var[i] >= 0;
    if (sim->arg_var[i] >= 0) continue;
    if (taken[param]) return wrong_arg(sim, i, param, "this parameter is given twice", err);
    taken[param] = 1;
    sim->arg_param[i] = param;
  }
  return true;
}

bool sim_bind(Sim *sim, LsErr *err) {
  sim->params = ls_arena_alloc(sim->arena, sim->param_bytes + 16);
  if (sim->options.params) {
    if (sim->options.params_size < sim->param_bytes)
      return ls_fail(err, LS_EREQUEST, "the kernel's parameters are %llu bytes, the launch gives %llu",
                     (unsigned long long)sim->param_bytes, (unsigned long long)sim->options.params_size);
    memcpy(sim->params, sim->options.params, sim->param_bytes);
    return true;
  }
  for (int i = 0; i < sim->launch->arg_count; i++)
    if (sim->arg_param[i] >= 0 && !bind_one(sim, i, sim->arg_param[i], err)) return false;
  return true;
}
