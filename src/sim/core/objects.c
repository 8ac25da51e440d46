// objects.c: what lies where in memory, by the names that people know.
#include <stdlib.h>
#include <string.h>
#include "sim/core/exec.h"

// "_ZZ6reducePKfPfiE1s" is the s of a function: the length before it says how long it is.
static const char *plain_name(SimProgram *program, const char *name) {
  if (!name) return "?";
  if (strncmp(name, "__local_depot", 13) == 0) return "local memory";   // the compiler's name for what it keeps there
  if (strncmp(name, "_ZZ", 3) != 0) return name;
  const char *end = strrchr(name, 'E');
  while (end && end > name && !(end[1] >= '0' && end[1] <= '9')) {
    const char *at = end - 1;
    while (at > name && *at != 'E') at--;
    end = at > name ? at : NULL;
  }
  if (!end) return name;
  char *rest = NULL;
  long length = strtol(end + 1, &rest, 10);
  if (length <= 0 || (size_t)length > strlen(rest)) return name;
  return ls_arena_strndup(program->arena, rest, (size_t)length);
}

static LaunchType shown_type(int type) {
  static const uint8_t types[PTX_TYPE_COUNT] = {
      [PTX_B8] = LAUNCH_U8, [PTX_B16] = LAUNCH_U16, [PTX_B32] = LAUNCH_U32, [PTX_B64] = LAUNCH_U64,
      [PTX_U8] = LAUNCH_U8, [PTX_U16] = LAUNCH_U16, [PTX_U32] = LAUNCH_U32, [PTX_U64] = LAUNCH_U64,
      [PTX_S8] = LAUNCH_I8, [PTX_S16] = LAUNCH_I16, [PTX_S32] = LAUNCH_I32, [PTX_S64] = LAUNCH_I64,
      [PTX_F16] = LAUNCH_F16, [PTX_F32] = LAUNCH_F32, [PTX_F64] = LAUNCH_F64};
  return (LaunchType)types[type];
}

// Of what type all accesses of a space are, in the functions that are reached: 0: there are none; MANY: of several.
enum { MANY = -1 };
typedef struct Uses { int type[PTX_SPACE_COUNT]; } Uses;

static Uses uses_of(const SimProgram *program) {
  Uses uses = {{0}};
  for (int f = 0; f < program->module->func_count; f++) {
    const PtxFunc *func = &program->module->funcs[f];
    for (int pc = func->first; program->funcs[f].reached && pc < func->first + func->count; pc++) {
      const PtxInstr *in = &program->module->code[pc];
      int *type = &uses.type[in->space];
      if (ptx_accesses(in) && in->type != *type) *type = *type ? MANY : in->type;
    }
  }
  return uses;
}

// Variables come as bytes. If all accesses of their space have one type, that is what they hold.
static LaunchType type_in_use(const PtxVar *var, const Uses *uses) {
  bool is_bytes = var->type == PTX_B8 || var->type == PTX_U8;
  int type = is_bytes ? uses->type[var->space] : 0;
  return shown_type(type > 0 ? type : var->type);
}

static void add_object(SimProgram *program, TraceObject object) {
  int capacity = program->object_capacity;
  LS_PUSH(program->objects, program->object_count, capacity, object);
  program->object_capacity = capacity;
}

static const char *arg_name(SimProgram *program, int arg) {
  const char *name = program->launch->args[arg].name;
  int param = program->arg_param[arg];
  if (!name && param >= 0) name = program->param_names[param];
  return name ? name : ls_arena_format(program->arena, "argument %d", arg + 1);
}

// What a variable holds: as somebody said who gave it its contents, or as the code uses it.
static LaunchType variable_type(const SimProgram *program, int var, const Uses *uses) {
  for (int i = 0; i < program->launch->arg_count; i++) {
    const LaunchArg *arg = &program->launch->args[i];
    bool numbers = arg->role == LAUNCH_VARIABLE && !(arg->text && ls_starts_with(arg->text, "struct:"));
    if (numbers && program->arg_var[i] == var) return arg->type;
  }
  return type_in_use(&program->module->vars[var], uses);
}

static void add_workspace_object(SimProgram *program, const SimAlloc *a) {
  add_object(program,
             (TraceObject){(char *)(uintptr_t)TRACE_GRID_BARRIER, TRACE_GLOBAL, LAUNCH_U32, a->base, a->size, -1});
}

static void add_heap_object(SimProgram *program, const SimAlloc *a) {
  add_object(program,
             (TraceObject){(char *)(uintptr_t)"device heap", TRACE_GLOBAL, LAUNCH_U8, a->base, a->size, -1});
}

static void add_params_object(SimProgram *program, const SimAlloc *a) {
  add_object(program, (TraceObject){(char *)(uintptr_t) "parameters of launches", TRACE_GLOBAL, LAUNCH_U8, a->base,
                                    a->size, -1});
}

// Objects in the order in which addresses of their space go up, names in the arena.
void sim_objects_new(SimProgram *program, const SimMemory *memory) {
  const Uses uses = uses_of(program);
  for (int i = 0; i < memory->alloc_count; i++) {
    SimAlloc *a = &memory->allocs[i];
    if (a->in_place || a->hidden) continue;
    if (a == memory->launch_params) { add_params_object(program, a); continue; }
    if (a == memory->texts) continue;
    if (a == memory->heap) { add_heap_object(program, a); continue; }
    if (a->arg < 0 && a->var < 0) { add_workspace_object(program, a); continue; }
    const char *name =
        a->arg >= 0 ? arg_name(program, a->arg) : plain_name(program, program->module->vars[a->var].name);
    LaunchType type =
        a->arg >= 0 ? program->launch->args[a->arg].type : variable_type(program, a->var, &uses);
    TraceSpace space = a->image ? TRACE_TEXTURE : a->is_const ? TRACE_CONST : TRACE_GLOBAL;
    add_object(program,
               (TraceObject){(char *)(uintptr_t)name, (uint8_t)space, (uint8_t)type, a->base, a->size, a->arg});
  }
  for (int v = 0; v < program->module->var_count; v++) {
    const PtxVar *var = &program->module->vars[v];
    if ((var->space != PTX_SHARED && var->space != PTX_LOCAL) || !sim_var_is_used(program, var)) continue;
    uint64_t size = var->size > 0 ? (uint64_t)var->size
                                  : program->shared_bytes - LS_MIN(program->shared_bytes, program->var_addr[v]);
    add_object(program, (TraceObject){(char *)(uintptr_t)plain_name(program, var->name),
                                      var->space == PTX_SHARED ? TRACE_SHARED : TRACE_LOCAL,
                                      (uint8_t)type_in_use(var, &uses), program->var_addr[v], size, -1});
  }
}

void sim_describe_objects(const Sim *sim, TraceInfo *info) {
  info->objects = ls_alloc(sizeof *info->objects * (size_t)(sim->program.object_count + 1));
  info->object_count = sim->program.object_count;
  for (int i = 0; i < sim->program.object_count; i++) {
    info->objects[i] = sim->program.objects[i];
    info->objects[i].name = ls_strdup(sim->program.objects[i].name);
  }
}
