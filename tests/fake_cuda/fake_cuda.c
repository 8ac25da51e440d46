// fake_cuda.c: the driver's state, devices, contexts and errors.
#include "fake_cuda.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>
#include "base/mem.h"

static struct {
  int calls, live, fault, contexts, lock;
  bool started, current;
} fake;

uint64_t fake_setting(const char *name, uint64_t otherwise) {
  const char *text = getenv(name);
  return text && *text ? strtoull(text, NULL, 10) : otherwise;
}

int fake_begin_release(void) {
  fake.calls++;
  if (fake.calls == (int)fake_setting("FAKE_CUDA_FAIL_AT", 0)) return (int)fake_setting("FAKE_CUDA_ERROR", 999);
  return fake.fault;
}

int fake_begin(void) {
  int answer = fake_begin_release();
  return answer ? answer : fake.started ? 0 : FAKE_NOT_INITIALIZED;
}

void fake_live(int change) { fake.live += change; }

void fake_set_fault(int answer) { fake.fault = answer; }

int fake_fault(void) { return fake.fault; }

bool fake_has_context(void) { return fake.current && fake.contexts > 0; }

int fake_begin_work(void) {
  int answer = fake_begin();
  return answer ? answer : fake_has_context() ? 0 : FAKE_NO_CONTEXT;
}

void fake_cuda_reset(void) { fake.calls = fake.fault = 0; }

int fake_cuda_calls(void) { return fake.calls; }

int fake_cuda_live(void) { return fake.live; }

// ---- the driver ----------------------------------------------------------------------------------------------------

static int device_count(void) { return (int)fake_setting("FAKE_CUDA_DEVICES", 1); }

// Without a GPU a driver does not start.
int cuInit(unsigned flags) {
  int answer = fake_begin_release();
  if (answer == 0 && device_count() == 0) answer = DRIVER_NO_DEVICE;
  fake.started = fake.started || answer == 0;
  return answer ? answer : flags ? FAKE_INVALID_VALUE : 0;
}

int cuDriverGetVersion(int *version) {
  int answer = fake_begin_release();
  *version = (int)fake_setting("FAKE_CUDA_VERSION", 13000);
  return answer;
}

int cuGetErrorName(int result, const char **name) {
  *name = result == 12345 ? "CUDA_ERROR_FAKE" : NULL;
  return *name ? 0 : FAKE_INVALID_VALUE;
}

int cuGetErrorString(int result, const char **text) {
  *text = result == 12345 ? "an error that only this driver knows" : NULL;
  return *text ? 0 : FAKE_INVALID_VALUE;
}

// ---- devices -------------------------------------------------------------------------------------------------------

int cuDeviceGetCount(int *count) {
  int answer = fake_begin();
  *count = device_count();
  return answer;
}

int cuDeviceGet(int *device, int ordinal) {
  int answer = fake_begin();
  *device = ordinal;
  return answer ? answer : ordinal < 0 || ordinal >= device_count() ? FAKE_INVALID_DEVICE : 0;
}

int cuDeviceGetName(char *name, int size, int device) {
  int answer = fake_begin();
  const char *given = getenv("FAKE_CUDA_NAME");
  (void)device;
  if (answer == 0) snprintf(name, (size_t)size, "%s", given && *given ? given : "NVIDIA H200 (fake)");
  return answer;
}

// What an H200 answers; row: number in cuda.h, value.
static const int attributes[][2] = {
    {1, 1024}, {8, 49152}, {12, 65536}, {13, 1980000}, {16, 132}, {17, 0}, {36, 3201000}, {37, 6144}, {38, 62914560}, {39, 2048},
    {81, 233472}, {82, 65536}, {97, 232448}, {106, 32}, {111, 1024},
};

int cuDeviceGetAttribute(int *value, int attribute, int device) {
  int answer = fake_begin(), cc = (int)fake_setting("FAKE_CUDA_CC", 90);
  (void)device;
  if (answer) return answer;
  if (attribute == 75 || attribute == 76) return *value = attribute == 75 ? cc / 10 : cc % 10, 0;
  if (attribute == 20) return *value = (int)fake_setting("FAKE_CUDA_MODE", 0), 0;
  for (int i = 0; i < LS_COUNT(attributes); i++)
    if (attributes[i][0] == attribute) return *value = attributes[i][1], 0;
  return FAKE_INVALID_VALUE;
}

int cuDeviceTotalMem_v2(size_t *bytes, int device) {
  int answer = fake_begin();
  (void)device;
  *bytes = (size_t)fake_setting("FAKE_CUDA_MEMORY", 1u << 30);
  return answer;
}

// ---- contexts ------------------------------------------------------------------------------------------------------

// Whether this process may have a context: the exclusive mode's lock is the file that FAKE_CUDA_LOCK names.
static bool take_gpu(void) {
  const char *path = getenv("FAKE_CUDA_LOCK");
  int mode = (int)fake_setting("FAKE_CUDA_MODE", 0);
  if (mode == 2 || mode != 3 || !path || fake.contexts) return mode != 2;
  fake.lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fake.lock >= 0 && flock(fake.lock, LOCK_EX | LOCK_NB) == 0) return true;
  if (fake.lock >= 0) close(fake.lock);
  return false;
}

static void leave_gpu(void) {
  if (fake.contexts == 0 && fake.lock > 0) close(fake.lock);
  if (fake.contexts == 0) fake.lock = 0;
}

int cuDevicePrimaryCtxRetain(void **context, int device) {
  int answer = fake_begin();
  (void)device;
  if (answer || !take_gpu()) return answer ? answer : FAKE_UNAVAILABLE;
  *context = &fake;
  fake.contexts++;
  fake_live(1);
  return 0;
}

int cuDevicePrimaryCtxRelease_v2(int device) {
  int answer = fake_begin_release();
  (void)device;
  if (fake.contexts == 0) return FAKE_NO_CONTEXT;
  fake.contexts--;
  leave_gpu();
  fake_live(-1);
  return answer;
}

int cuDevicePrimaryCtxReset_v2(int device) {
  (void)device;
  return fake_begin();
}

int cuCtxSetCurrent(void *context) {
  int answer = fake_begin();
  if (answer == 0) fake.current = context == &fake;
  return answer;
}

int cuCtxSetLimit(int limit, size_t value) {
  int answer = fake_begin_work();
  return answer ? answer : (limit == DRIVER_LIMIT_STACK || limit == DRIVER_LIMIT_PRINTF) && value > 0 ? 0 : FAKE_INVALID_VALUE;
}
