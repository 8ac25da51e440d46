// gpu_driver.c: see gpu_driver.h.
#include "gpu_driver.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/mem.h"

// CUDA driver API (cuda.h): the numbers used here.
enum { ATTRIBUTE_CC_MAJOR = 75, ATTRIBUTE_CC_MINOR = 76 };
enum { JIT_ERROR_LOG = 5, JIT_ERROR_LOG_SIZE = 6, JIT_LEVEL = 7 };
enum { FUNCTION_MAX_DYNAMIC_SHARED = 8 };
enum { PIECE_ALIGN = 256, SMALL_SHARED = 48 << 10 };

typedef unsigned long long DevicePtr;

//   ROW(member, symbol of the library, its arguments)
#define DRIVER_CALLS(ROW)                                                                                          \
  ROW(init, "cuInit", (unsigned))                                                                                  \
  ROW(version, "cuDriverGetVersion", (int *))                                                                      \
  ROW(error_text, "cuGetErrorString", (int, const char **))                                                        \
  ROW(device, "cuDeviceGet", (int *, int))                                                                         \
  ROW(device_name, "cuDeviceGetName", (char *, int, int))                                                          \
  ROW(device_attribute, "cuDeviceGetAttribute", (int *, int, int))                                                 \
  ROW(retain, "cuDevicePrimaryCtxRetain", (void **, int))                                                          \
  ROW(release, "cuDevicePrimaryCtxRelease_v2", (int))                                                              \
  ROW(reset, "cuDevicePrimaryCtxReset_v2", (int))                                                                  \
  ROW(set_current, "cuCtxSetCurrent", (void *))                                                                    \
  ROW(synchronize, "cuCtxSynchronize", (void))                                                                     \
  ROW(load, "cuModuleLoadDataEx", (GpuModule **, const void *, unsigned, int *, void **))                          \
  ROW(unload, "cuModuleUnload", (GpuModule *))                                                                     \
  ROW(function, "cuModuleGetFunction", (void **, GpuModule *, const char *))                                       \
  ROW(set_attribute, "cuFuncSetAttribute", (void *, int, int))                                                     \
  ROW(alloc, "cuMemAlloc_v2", (DevicePtr *, size_t))                                                               \
  ROW(release_memory, "cuMemFree_v2", (DevicePtr))                                                                 \
  ROW(upload, "cuMemcpyHtoD_v2", (DevicePtr, const void *, size_t))                                                \
  ROW(download, "cuMemcpyDtoH_v2", (void *, DevicePtr, size_t))                                                    \
  ROW(launch, "cuLaunchKernel", (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,     \
                                 void *, void **, void **))

struct Gpu {
  void *library;
#define MEMBER(member, symbol, arguments) int (*member) arguments;
  DRIVER_CALLS(MEMBER)
#undef MEMBER
  int ordinal;
  void *context;
  DevicePtr memory;
  uint64_t room;
  char name[256];
};

// True if the driver's answer is 0; else says what was tried and what the driver calls the answer.
static bool good(const Gpu *gpu, int result, const char *what, LsErr *err) {
  const char *text = NULL;
  if (result == 0) return true;
  gpu->error_text(result, &text);
  return ls_fail(err, LS_EENV, "%s: %s (error %d of the driver)", what, text ? text : "unknown", result);
}

// ---- opening -------------------------------------------------------------------------------------------------------

static bool find(void *library, const char *name, void *function, LsErr *err) {
  void *found = dlsym(library, name);
  memcpy(function, &found, sizeof found);
  return found || ls_fail(err, LS_EENV, "the driver has no function %s", name);
}

static bool find_all(Gpu *gpu, LsErr *err) {
#define FIND(member, symbol, arguments) if (!find(gpu->library, symbol, &gpu->member, err)) return false;
  DRIVER_CALLS(FIND)
#undef FIND
  return true;
}

static bool start(Gpu *gpu, LsErr *err) {
  int version = 0, major = 0, minor = 0;
  char name[128] = "";
  gpu->library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!gpu->library) return ls_fail(err, LS_EENV, "there is no NVIDIA driver here (libcuda.so.1)");
  if (!find_all(gpu, err) || !good(gpu, gpu->init(0), "starting the driver", err)) return false;
  if (!good(gpu, gpu->device(&gpu->ordinal, 0), "asking for a GPU", err)) return false;
  if (!good(gpu, gpu->retain(&gpu->context, gpu->ordinal), "making a context", err)) return false;
  if (!good(gpu, gpu->set_current(gpu->context), "making a context", err)) return false;
  gpu->version(&version);
  gpu->device_name(name, sizeof name - 1, gpu->ordinal);
  gpu->device_attribute(&major, ATTRIBUTE_CC_MAJOR, gpu->ordinal);
  gpu->device_attribute(&minor, ATTRIBUTE_CC_MINOR, gpu->ordinal);
  snprintf(gpu->name, sizeof gpu->name, "%s, compute capability %d.%d, driver for CUDA %d.%d", name, major, minor,
           version / 1000, version % 1000 / 10);
  return true;
}

bool gpu_restart(Gpu *gpu, LsErr *err) {
  gpu->memory = 0;
  gpu->room = 0;
  gpu->release(gpu->ordinal);
  return good(gpu, gpu->reset(gpu->ordinal), "beginning anew", err) &&
         good(gpu, gpu->retain(&gpu->context, gpu->ordinal), "beginning anew", err) &&
         good(gpu, gpu->set_current(gpu->context), "beginning anew", err);
}

Gpu *gpu_open(LsErr *err) {
  Gpu *gpu = ls_alloc(sizeof *gpu);
  if (start(gpu, err)) return gpu;
  gpu_close(gpu);
  return NULL;
}

void gpu_close(Gpu *gpu) {
  if (!gpu) return;
  if (gpu->memory) gpu->release_memory(gpu->memory);
  if (gpu->context) gpu->release(gpu->ordinal);
  if (gpu->library) dlclose(gpu->library);
  free(gpu);
}

const char *gpu_name(const Gpu *gpu) { return gpu->name; }

// ---- modules -------------------------------------------------------------------------------------------------------

GpuModule *gpu_load(Gpu *gpu, const char *ptx, int level, LsErr *err) {
  char log[1600] = "";
  int options[] = {JIT_ERROR_LOG, JIT_ERROR_LOG_SIZE, JIT_LEVEL};
  void *values[] = {log, (void *)(uintptr_t)sizeof log, (void *)(uintptr_t)level};
  GpuModule *module = NULL;
  int result = gpu->load(&module, ptx, LS_COUNT(options), options, values);
  log[sizeof log - 1] = '\0';
  if (good(gpu, result, "compiling PTX", err)) return module;
  ls_err_append(err, "%s", log);
  return NULL;
}

void gpu_unload(Gpu *gpu, GpuModule *module) {
  if (module) gpu->unload(module);
}

// ---- launches ------------------------------------------------------------------------------------------------------

static uint64_t piece(uint64_t size) { return (size + PIECE_ALIGN) / PIECE_ALIGN * PIECE_ALIGN; }

static bool have_room(Gpu *gpu, uint64_t bytes, LsErr *err) {
  if (bytes <= gpu->room) return true;
  if (gpu->memory) gpu->release_memory(gpu->memory);
  gpu->memory = 0;
  gpu->room = 0;
  if (!good(gpu, gpu->alloc(&gpu->memory, bytes), "taking memory of the GPU", err)) return false;
  gpu->room = bytes;
  return true;
}

static bool start_kernel(Gpu *gpu, GpuModule *module, const char *entry, const Launch *l, void **params, LsErr *err) {
  void *function = NULL;
  if (!good(gpu, gpu->function(&function, module, entry), entry, err)) return false;
  if (l->shared_bytes > SMALL_SHARED &&
      !good(gpu, gpu->set_attribute(function, FUNCTION_MAX_DYNAMIC_SHARED, (int)l->shared_bytes), "shared memory", err))
    return false;
  int result = gpu->launch(function, l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1], l->block[2],
                           (unsigned)l->shared_bytes, NULL, params, NULL);
  return good(gpu, result, "launching", err) && good(gpu, gpu->synchronize(), "running", err);
}

bool gpu_run(Gpu *gpu, GpuModule *module, const char *entry, const Launch *launch, uint8_t *const *buffers,
             const uint64_t *sizes, LsErr *err) {
  enum { MOST = 64 };
  DevicePtr place[MOST];
  void *params[MOST];
  uint64_t bytes = 0;
  if (launch->arg_count > MOST) return ls_fail(err, LS_EREQUEST, "more than %d arguments", MOST);
  for (int i = 0; i < launch->arg_count; i++) bytes += buffers[i] ? piece(sizes[i]) : 0;
  if (!have_room(gpu, bytes, err)) return false;
  uint64_t at = 0;
  for (int i = 0; i < launch->arg_count; i++) {
    place[i] = gpu->memory + at;
    params[i] = buffers[i] ? (void *)&place[i] : (void *)&launch->args[i].scalar;
    if (!buffers[i]) continue;
    at += piece(sizes[i]);
    if (!good(gpu, gpu->upload(place[i], buffers[i], sizes[i]), "copying to the GPU", err)) return false;
  }
  if (!start_kernel(gpu, module, entry, launch, params, err)) return false;
  for (int i = 0; i < launch->arg_count; i++)
    if (buffers[i] && !good(gpu, gpu->download(buffers[i], place[i], sizes[i]), "copying from the GPU",
                            err)) return false;
  return true;
}
