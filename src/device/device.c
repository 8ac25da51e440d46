// device.c: the table of devices.
#include "device/device.h"

#include <stdio.h>
#include <string.h>

#define DEVICE(identifier, ...) extern const Device identifier;
#include "device/devices.def"
#undef DEVICE

static const Device *const devices[] = {
#define DEVICE(identifier, ...) &identifier,
#include "device/devices.def"
#undef DEVICE
};

static const char *const stage_names[] = {
#define DEV_STAGE(NAME, name) [DEV_STAGE_##NAME] = name,
#include "device/stages.def"
#undef DEV_STAGE
};

const char *dev_stage_name(DevStage stage) { return (unsigned)stage < DEV_STAGE_COUNT ? stage_names[stage] : "working"; }

const Device *dev_at(int index) { return index >= 0 && index < LS_COUNT(devices) ? devices[index] : NULL; }

extern const Device dev_emu_elsewhere;

static const Device *best(LsErr *err) {
  for (int i = 0; i < LS_COUNT(devices); i++)
    if (devices[i]->available(NULL)) return devices[i];
  ls_fail(err, LS_EENV, "no device can run a kernel here");
  return NULL;
}

const Device *dev_find(const char *name, LsErr *err) {
  if (strcmp(name, "auto") == 0) return best(err);
  for (int i = 0; i < LS_COUNT(devices); i++)
    if (strcmp(devices[i]->name, name) == 0) return devices[i]->available(err) ? devices[i] : NULL;
  ls_fail(err, LS_EREQUEST, "there is no device '%s'; --device takes auto", LS_QUOTE(name));
  for (int i = 0; err && i < LS_COUNT(devices); i++) {
    size_t used = strlen(err->message);
    snprintf(err->message + used, sizeof err->message - used, ", %s", devices[i]->name);
  }
  return NULL;
}

const Device *dev_choose(const char *name, const char *runner, LsErr *err) {
  if (!runner && strcmp(name, dev_cuda.name) == 0) return &dev_cuda;   // the child says what is missing
  if (!runner) return dev_find(name, err);
  if (strcmp(name, "auto") == 0 || strcmp(name, dev_cuda.name) == 0) return &dev_cuda;
  if (strcmp(name, dev_emu.name) == 0) return &dev_emu_elsewhere;
  ls_fail(err, LS_EREQUEST, "--runner runs kernels elsewhere with --device cuda (if nothing is said) or emu, not '%s'",
          LS_QUOTE(name));
  return NULL;
}

const Device *dev_here(const char *name, LsErr *err) {
  if (strcmp(name, dev_emu.name) == 0) return &dev_emu;
  if (strcmp(name, dev_cuda.name) == 0) return &dev_cuda_here;
  ls_fail(err, LS_EREQUEST, "lanescope serve-run knows no device '%s'", LS_QUOTE(name));
  return NULL;
}
