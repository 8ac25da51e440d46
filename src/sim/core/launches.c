// launches.c: where launches of kernels by kernels are kept until their grid ends.
#include "sim/core/launches.h"
#include <stdlib.h>
#include <string.h>
#include "ptx/param_use.h"

static const char prefix[] = "__cudaCDP2";

bool sim_is_device_function(const char *name) {
  return strncmp(name, prefix, sizeof prefix - 1) == 0;
}

bool sim_is_runtime(const PtxFunc *func) { return func->is_extern && sim_is_device_function(func->name); }

bool sim_launches_kernels(const SimProgram *program) {
  const PtxModule *m = program->module;
  for (int pc = 0; pc < m->code_count; pc++) {
    int callee = program->funcs[m->code[pc].func].reached ? ptx_callee(&m->code[pc]) : -1;
    if (callee >= 0 && m->funcs[callee].is_extern && sim_is_device_function(m->funcs[callee].name)) return true;
  }
  return false;
}

uint64_t sim_launch_param_bytes(const SimProgram *program) {
  uint64_t most = 0;
  for (int i = 0; i < program->module->func_count; i++) {
    const PtxFunc *f = &program->module->funcs[i];
    if (f->is_entry) most = LS_MAX(most, (uint64_t)f->param_bytes);
  }
  return ls_align_up(most + 1, SIM_CACHE_LINE);
}

uint32_t sim_launch_capacity(const SimProgram *program) {
  uint64_t wanted = launch_blocks(program->launch) * SIM_BLOCK_DEVICE_OPS;
  return (uint32_t)LS_CLAMP(wanted, (uint64_t)SIM_LEAST_DEVICE_OPS, (uint64_t)SIM_MOST_DEVICE_OPS);
}

uint64_t sim_launch_state_bytes(const SimProgram *program) {
  return sizeof(SimLaunchState) + sim_launch_capacity(program) * (sizeof(SimDeviceOp) + sizeof(SimLaunchSlot));
}

SimDeviceOp *sim_launch_ops(SimLaunchState *state) { return (SimDeviceOp *)(void *)(state + 1); }

SimLaunchSlot *sim_launch_slots(SimLaunchState *state, const SimProgram *program) {
  return (SimLaunchSlot *)(void *)(sim_launch_ops(state) + sim_launch_capacity(program));
}

SimLaunchState *sim_launch_state(const SimMemory *memory) {
  return memory->launches ? (SimLaunchState *)(void *)memory->launches->bytes : NULL;
}

void sim_launch_touch(SimExec *exec, const void *part, size_t size) {
  sim_touch_bytes(exec, exec->memory->launches, (uint64_t)((const uint8_t *)part - exec->memory->launches->bytes),
                  size);
}

bool sim_may_launch(const PtxModule *module, int entry) {
  uint8_t *reached = ls_alloc((size_t)module->func_count + 1);
  bool may = false;
  ptx_reach(module, entry, reached);
  for (int pc = 0; pc < module->code_count && !may; pc++) {
    int callee = reached[module->code[pc].func] ? ptx_callee(&module->code[pc]) : -1;
    may = callee >= 0 && module->funcs[callee].is_extern && sim_is_device_function(module->funcs[callee].name);
  }
  free(reached);
  return may;
}

bool sim_is_of_one_run(uint64_t address) { return address >= SIM_HEAP_BASE && address < SIM_IMAGE_BASE; }

const SimDeviceOp *sim_device_ops(const Sim *sim, int *count) {
  SimLaunchState *state = sim_launch_state(&sim->memory);
  *count = state ? (int)state->op_count : 0;
  return state ? sim_launch_ops(state) : NULL;
}

const uint8_t *sim_device_params(const Sim *sim, const SimDeviceOp *op) {
  return sim->memory.launch_params->bytes + (uint64_t)op->slot * sim_launch_param_bytes(&sim->program);
}
