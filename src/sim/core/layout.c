// layout.c: a launch checked and laid out, for a device that is not the emulator.
#include "sim/internal.h"

static bool prepare(Sim *plan, LsErr *err) {
  if (plan->entry < 0 || plan->entry >= plan->module->func_count || !plan->module->funcs[plan->entry].is_entry)
    return ls_fail(err, LS_EREQUEST, "there is no such kernel in this module");
  if (!sim_check_geometry(plan, err)) return false;
  plan->thread_count = launch_threads(plan->launch);
  plan->warp_count = (int)launch_warps(plan->launch);
  sim_reach(plan);
  return sim_bind_names(plan, err) && sim_memory_new(plan, err) && sim_bind(plan, err);
}

Sim *sim_plan_new(const PtxModule *module, int entry, const Launch *launch, const SimOptions *options, LsErr *err) {
  Sim *plan = ls_alloc(sizeof *plan);
  plan->module = module;
  plan->launch = launch;
  plan->entry = entry;
  plan->arena = ls_arena_new();
  plan->is_plan = true;
  if (options) plan->options = *options; else sim_options_init(&plan->options);
  if (prepare(plan, err)) return plan;
  sim_free(plan);
  return NULL;
}

void sim_plan_place_buffer(Sim *plan, int arg, uint64_t address) {
  const PtxParam *param = &plan->module->funcs[plan->entry].params[plan->arg_param[arg]];
  plan->allocs[plan->arg_alloc[arg]].base = address;
  memcpy(plan->params + param->offset, &address, sizeof address);
}

void sim_plan_place_image(Sim *plan, int arg, uint64_t handle) {
  const PtxParam *param = &plan->module->funcs[plan->entry].params[plan->arg_param[arg]];
  memcpy(plan->params + param->offset, &handle, sizeof handle);
}

int sim_plan_image_var(const Sim *plan, int arg) { return plan->arg_var[arg]; }

void sim_plan_place_variable(Sim *plan, int var, uint64_t address) {
  if (plan->var_alloc[var] < 0) return;
  plan->allocs[plan->var_alloc[var]].base = address;
  plan->var_addr[var] = address;
}

const uint8_t *sim_plan_params(const Sim *plan, uint64_t *size) {
  *size = plan->param_bytes;
  return plan->params;
}

static int by_base(const void *a, const void *b) {
  const SimAlloc *x = a, *y = b;
  return x->base < y->base ? -1 : x->base > y->base;
}

void sim_plan_describe(Sim *plan, TraceInfo *info) {
  qsort(plan->allocs, (size_t)plan->alloc_count, sizeof *plan->allocs, by_base);
  sim_objects_new(plan);
  sim_describe_objects(plan, info);
}
