// batch.c: builds modules of many kernels, and runs each of them on the emulator.
#include "batch.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/mem.h"

void batch_init(Batch *batch) {
  *batch = (Batch){0};
  ls_text_add(&batch->ptx, ".version 8.6\n.target sm_90\n.address_size 64\n\n");
  batch->header = batch->ptx.length;
}

void batch_fini(Batch *batch) {
  for (int i = 0; i < batch->count; i++) {
    launch_fini(&batch->programs[i].launch);
    free(batch->programs[i].detail);
  }
  free(batch->programs);
  ls_text_free(&batch->ptx);
  *batch = (Batch){0};
}

Program *batch_begin(Batch *batch, const char *entry) {
  Program program = {.begin = batch->ptx.length};
  launch_init(&program.launch);
  snprintf(program.entry, sizeof program.entry, "%s", entry);
  snprintf(program.name, sizeof program.name, "%s", entry);
  LS_PUSH(batch->programs, batch->count, batch->capacity, program);
  return &batch->programs[batch->count - 1];
}

void batch_end(Batch *batch) { batch->programs[batch->count - 1].end = batch->ptx.length; }

void batch_add_buffer(Program *program, LaunchType type, uint64_t count, uint8_t *bytes) {
  LaunchArg arg = {.type = type, .is_buffer = true, .count = count, .init = bytes ? LAUNCH_DATA : LAUNCH_ZERO,
                   .data = bytes};
  LS_PUSH(program->launch.args, program->launch.arg_count, program->launch.arg_capacity, arg);
}

// ---- the emulator --------------------------------------------------------------------------------------------------

void buffers_free(Buffers *buffers) {
  for (int i = 0; i < buffers->count; i++) free(buffers->bytes[i]);
  free(buffers->bytes);
  free(buffers->sizes);
  *buffers = (Buffers){0};
}

static Buffers empty_buffers(int count) {
  Buffers buffers = {.count = count};
  buffers.bytes = ls_alloc(sizeof *buffers.bytes * (size_t)(count + 1));
  buffers.sizes = ls_alloc(sizeof *buffers.sizes * (size_t)(count + 1));
  return buffers;
}

static void set_bytes(Buffers *buffers, int at, const uint8_t *bytes, uint64_t size) {
  buffers->sizes[at] = size;
  buffers->bytes[at] = ls_alloc(size + 1);
  memcpy(buffers->bytes[at], bytes, size);
}

void buffers_copy(Buffers *to, const Buffers *from) {
  *to = empty_buffers(from->count);
  for (int i = 0; i < from->count; i++)
    if (from->bytes[i]) set_bytes(to, i, from->bytes[i], from->sizes[i]);
}

static Buffers copy_buffers(const Sim *sim, const Launch *launch) {
  Buffers copy = empty_buffers(launch->arg_count);
  for (int i = 0; i < copy.count; i++) {
    uint64_t size = 0;
    const uint8_t *bytes = launch->args[i].is_buffer ? sim_buffer(sim, i, &size) : NULL;
    if (bytes) set_bytes(&copy, i, bytes, size);
  }
  return copy;
}

static bool is_clean(const Sim *sim, const Program *program, LsErr *err) {
  int count;
  const TraceFault *faults = sim_faults(sim, &count);
  for (int i = 0; i < count; i++)
    if (faults[i].kind != FAULT_DIVIDE_BY_ZERO)
      return ls_fail(err, LS_EFAULT, "%s: the emulator finds a fault: %s", program->name, faults[i].message);
  return true;
}

bool batch_emulate(const PtxModule *module, const Program *program, const SimOptions *options, Buffers *before,
                   Buffers *after, LsErr *err) {
  TraceSink nobody = {0};
  int entry = ptx_find_entry(module, program->entry, err);
  Sim *sim = entry < 0 ? NULL : sim_new(module, entry, &program->launch, options, err);
  if (!sim) return false;
  if (before) *before = copy_buffers(sim, &program->launch);
  bool ok = sim_run(sim, &nobody, err);
  *after = copy_buffers(sim, &program->launch);
  ok = ok && is_clean(sim, program, err);
  sim_free(sim);
  return ok;
}
