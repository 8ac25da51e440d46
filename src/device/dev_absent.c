// dev_absent.c: devices that this version knows by name and cannot run; asking for one says so.
#include "device/device.h"

static DevRun *absent_open(const DevRequest *request, TraceInfo *info, LsErr *err) {
  (void)request, (void)info;
  ls_fail(err, LS_EENV, "this device cannot run kernels");
  return NULL;
}

static bool recorded_available(LsErr *err) {
  return ls_fail(err, LS_EENV, "this version of lanescope ships no recordings; use --device emu, the emulator");
}

extern const Device dev_recorded;
const Device dev_recorded = {.name = "recorded", .title = "recording", .open = absent_open, .available = recorded_available};
