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

Sim *sim_layout_new(const PtxModule *module, int entry, const Launch *launch, const SimOptions *options, LsErr *err) {
  Sim *layout = ls_alloc(sizeof *layout);
  sim_program_init(&layout->program, module, entry, launch, options);
  layout->program.is_layout = true;
  if (prepare(&layout->program, &layout->memory, err)) return layout;
  sim_free(layout);
  return NULL;
}

// As a parameter, or in one.
void sim_layout_place_buffer(Sim *layout, int arg, uint64_t address) {
  SimProgram *program = &layout->program;
  const LaunchArg *a = &program->launch->args[arg];
  bool inside = a->role == LAUNCH_POINTEE;
  int param = program->arg_param[inside ? a->owner : arg];
  layout->memory.allocs[layout->memory.arg_alloc[arg]].base = address;
  for (int i = 0; i < program->launch->arg_count; i++) {
    const LaunchArg *pointer = &program->launch->args[i];
    uint64_t there = address + pointer->offset;
    if (!pointer->points || pointer->owner != arg) continue;
    const PtxParam *p = &program->module->funcs[program->entry].params[program->arg_param[i]];
    memcpy(program->params + p->offset, &there, sizeof there);
  }
  if (param < 0) return;
  uint64_t at = (uint64_t)program->module->funcs[program->entry].params[param].offset + (inside ? a->offset : 0);
  memcpy(program->params + at, &address, sizeof address);
}

void sim_layout_place_image(Sim *layout, int arg, uint64_t handle) {
  const PtxParam *param = &layout->program.module->funcs[layout->program.entry].params[layout->program.arg_param[arg]];
  memcpy(layout->program.params + param->offset, &handle, sizeof handle);
}

int sim_layout_arg_var(const Sim *layout, int arg) { return layout->program.arg_var[arg]; }

void sim_layout_place_variable(Sim *layout, int var, uint64_t address) {
  if (layout->memory.var_alloc[var] < 0) return;
  layout->memory.allocs[layout->memory.var_alloc[var]].base = address;
  layout->program.var_addr[var] = address;
}

const uint8_t *sim_layout_params(const Sim *layout, uint64_t *size) {
  *size = layout->program.param_bytes;
  return layout->program.params;
}

static int by_base(const void *a, const void *b) {
  const SimAlloc *x = a, *y = b;
  return x->base < y->base ? -1 : x->base > y->base;
}

void sim_layout_describe(Sim *layout, TraceInfo *info) {
  qsort(layout->memory.allocs, (size_t)layout->memory.alloc_count, sizeof *layout->memory.allocs, by_base);
  sim_objects_new(&layout->program, &layout->memory);
  sim_describe_objects(layout, info);
}
