// layout.c: a launch checked and laid out, for a device that is not the emulator.
#include <stdlib.h>
#include <string.h>
#include "sim/core/exec.h"
#include "sim/decode/bind.h"
#include "sim/decode/decode.h"

static bool prepare(SimProgram *program, SimMemory *memory, LsErr *err) {
  if (!sim_program_check(program, err)) return false;
  sim_reach(program);
  return sim_bind_names(program, err) && sim_memory_new(program, memory, err) &&
         sim_bind(program, memory, err);
}

Sim *sim_plan_new(const PtxModule *module, int entry, const Launch *launch, const SimOptions *options, LsErr *err) {
  Sim *plan = ls_alloc(sizeof *plan);
  sim_program_init(&plan->program, module, entry, launch, options);
  plan->program.is_plan = true;
  if (prepare(&plan->program, &plan->memory, err)) return plan;
  sim_free(plan);
  return NULL;
}

void sim_plan_place_buffer(Sim *plan, int arg, uint64_t address) {
  const PtxParam *param = &plan->program.module->funcs[plan->program.entry].params[plan->program.arg_param[arg]];
  plan->memory.allocs[plan->memory.arg_alloc[arg]].base = address;
  memcpy(plan->program.params + param->offset, &address, sizeof address);
}

void sim_plan_place_image(Sim *plan, int arg, uint64_t handle) {
  const PtxParam *param = &plan->program.module->funcs[plan->program.entry].params[plan->program.arg_param[arg]];
  memcpy(plan->program.params + param->offset, &handle, sizeof handle);
}

int sim_plan_image_var(const Sim *plan, int arg) { return plan->program.arg_var[arg]; }

void sim_plan_place_variable(Sim *plan, int var, uint64_t address) {
  if (plan->memory.var_alloc[var] < 0) return;
  plan->memory.allocs[plan->memory.var_alloc[var]].base = address;
  plan->program.var_addr[var] = address;
}

const uint8_t *sim_plan_params(const Sim *plan, uint64_t *size) {
  *size = plan->program.param_bytes;
  return plan->program.params;
}

static int by_base(const void *a, const void *b) {
  const SimAlloc *x = a, *y = b;
  return x->base < y->base ? -1 : x->base > y->base;
}

void sim_plan_describe(Sim *plan, TraceInfo *info) {
  qsort(plan->memory.allocs, (size_t)plan->memory.alloc_count, sizeof *plan->memory.allocs, by_base);
  sim_objects_new(&plan->program, &plan->memory);
  sim_describe_objects(plan, info);
}
