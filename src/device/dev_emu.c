// dev_emu.c: the emulator as a device.
#include <stdlib.h>

#include "device/device.h"

struct DevRun {
  Sim *sim;
};

static DevRun *emu_open(const DevRequest *request, TraceInfo *info, LsErr *err) {
  Sim *sim = sim_new(request->module, request->entry, request->launch, request->options, err);
  if (!sim) return NULL;
  sim_describe_objects(sim, info);
  DevRun *run = ls_alloc(sizeof *run);
  run->sim = sim;
  return run;
}

static bool emu_run(DevRun *run, TraceSink *sink, LsErr *err) { return sim_run(run->sim, sink, err); }

static const uint8_t *emu_buffer(const DevRun *run, int arg, uint64_t *size) { return sim_buffer(run->sim, arg, size); }

static const uint8_t *emu_written(const DevRun *run, int arg) { return sim_buffer_written(run->sim, arg); }

static const TraceFault *emu_faults(const DevRun *run, int *count) { return sim_faults(run->sim, count); }

static bool emu_stopped(const DevRun *run) { return sim_stopped(run->sim); }

static const char *emu_output(const DevRun *run) { return sim_output(run->sim); }

static const SimDeviceOp *emu_asked(const DevRun *run, int *count) { return sim_device_ops(run->sim, count); }

static const uint8_t *emu_asked_params(const DevRun *run, const SimDeviceOp *op) {
  return sim_device_params(run->sim, op);
}

static uint8_t *emu_heap(const DevRun *run, uint64_t *size) { return sim_device_heap(run->sim, size); }

static void emu_close(DevRun *run) {
  if (!run) return;
  sim_free(run->sim);
  free(run);
}

static bool emu_available(LsErr *err) {
  (void)err;
  return true;
}

extern const Device dev_emu;  // declared by the table in device.c
const Device dev_emu = {
    .name = "emu",
    .title = "emulator",
    .open = emu_open,
    .run = emu_run,
    .buffer = emu_buffer,
    .written = emu_written,
    .faults = emu_faults,
    .stopped = emu_stopped,
    .asked = emu_asked,
    .asked_params = emu_asked_params,
    .heap = emu_heap,
    .output = emu_output,
    .close = emu_close,
    .available = emu_available,
};
