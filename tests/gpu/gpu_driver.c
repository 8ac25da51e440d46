// gpu_driver.c: loads PTX and launches kernels through the functions of libcuda.so.1, with memory for all arguments.
#include "gpu_driver.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/mem.h"
#include "device/cuda/cuda_image.h"
#include "device/cuda/gpu.h"

enum { PIECE_ALIGN = 256, SMALL_SHARED = 48 << 10, MOST_ARGS = 64 };

struct Gpu {
  Driver *driver;
  GpuFacts facts;
  void *context;
  DriverAddress memory;
  uint64_t room;
  char name[256];
};

static bool good(const Gpu *gpu, int result, const char *what, LsErr *err) { return driver_good(gpu->driver, result, what, err); }

// ---- opening -------------------------------------------------------------------------------------------------------

static bool connect(Gpu *gpu, LsErr *err) {
  return good(gpu, gpu->driver->context_retain(&gpu->context, gpu->facts.handle), "making a context", err) &&
         good(gpu, gpu->driver->context_set(gpu->context), "making a context", err);
}

static bool start(Gpu *gpu, LsErr *err) {
  char driver[64];
  gpu->driver = driver_open(err);
  if (!gpu->driver || !gpu_first(gpu->driver, &gpu->facts, err) || !gpu_is_open(&gpu->facts, err)) return false;
  driver_describe(gpu->driver, driver, sizeof driver);
  snprintf(gpu->name, sizeof gpu->name, "%s, compute capability %d.%d, driver %s", gpu->facts.name, gpu->facts.cc_major,
           gpu->facts.cc_minor, driver);
  return connect(gpu, err);
}

bool gpu_restart(Gpu *gpu, LsErr *err) {
  gpu->memory = 0;
  gpu->room = 0;
  gpu->driver->context_release(gpu->facts.handle);
  return good(gpu, gpu->driver->context_reset(gpu->facts.handle), "beginning anew", err) && connect(gpu, err);
}

Gpu *gpu_open(LsErr *err) {
  Gpu *gpu = ls_alloc(sizeof *gpu);
  if (start(gpu, err)) return gpu;
  gpu_close(gpu);
  return NULL;
}

void gpu_close(Gpu *gpu) {
  if (!gpu) return;
  if (gpu->memory) gpu->driver->memory_free(gpu->memory);
  if (gpu->context) gpu->driver->context_release(gpu->facts.handle);
  driver_close(gpu->driver);
  free(gpu);
}

const char *gpu_name(const Gpu *gpu) { return gpu->name; }

// ---- modules -------------------------------------------------------------------------------------------------------

GpuModule *gpu_load(Gpu *gpu, const char *ptx, int level, LsErr *err) {
  char log[1600] = "";
  int options[] = {DRIVER_JIT_ERROR_LOG, DRIVER_JIT_ERROR_LOG_SIZE, DRIVER_JIT_LEVEL};
  void *values[] = {log, (void *)(uintptr_t)sizeof log, (void *)(uintptr_t)level};
  void *module = NULL;
  int result = gpu->driver->module_load(&module, ptx, LS_COUNT(options), options, values);
  log[sizeof log - 1] = '\0';
  if (good(gpu, result, "compiling PTX", err)) return module;
  ls_err_append(err, "%s", log);
  return NULL;
}

void gpu_unload(Gpu *gpu, GpuModule *module) {
  if (module) gpu->driver->module_unload(module);
}

// ---- launches ------------------------------------------------------------------------------------------------------

static uint64_t piece(uint64_t size) { return (size + PIECE_ALIGN) / PIECE_ALIGN * PIECE_ALIGN; }

static bool have_room(Gpu *gpu, uint64_t bytes, LsErr *err) {
  if (bytes <= gpu->room) return true;
  if (gpu->memory) gpu->driver->memory_free(gpu->memory);
  gpu->memory = 0;
  gpu->room = 0;
  if (!good(gpu, gpu->driver->memory_take(&gpu->memory, bytes), "taking memory of the GPU", err)) return false;
  gpu->room = bytes;
  return true;
}

static int launch_kernel(const Driver *driver, void *function, const Launch *l, void **params) {
  const uint32_t *g = l->grid, *b = l->block;
  unsigned shared = (unsigned)l->shared_bytes;
  if (l->together == LAUNCH_COOPERATIVE)
    return driver->launch_cooperative(function, g[0], g[1], g[2], b[0], b[1], b[2], shared, NULL, params);
  return driver->launch(function, g[0], g[1], g[2], b[0], b[1], b[2], shared, NULL, params, NULL);
}

static bool clock_kernel(Gpu *gpu, void *function, const Launch *l, void **params, uint64_t *nanoseconds, LsErr *err) {
  const Driver *driver = gpu->driver;
  void *start = NULL, *end = NULL;
  float milliseconds = 0;
  bool ok = good(gpu, driver->event_new(&start, 0), "making an event", err) &&
      good(gpu, driver->event_new(&end, 0), "making an event", err) &&
            good(gpu, driver->event_record(start, NULL), "starting the clock", err) &&
            good(gpu, launch_kernel(driver, function, l, params), "launching", err) &&
            good(gpu, driver->event_record(end, NULL), "stopping the clock", err) &&
                good(gpu, driver->synchronize(), "running", err) &&
            good(gpu, driver->event_elapsed(&milliseconds, start, end), "reading the clock", err);
  *nanoseconds = (uint64_t)((double)milliseconds * 1e6);
  if (start) driver->event_free(start);
  if (end) driver->event_free(end);
  return ok;
}

static bool start_kernel(Gpu *gpu, GpuModule *module, const char *entry, const Launch *l, void **params, uint64_t *nanoseconds,
                         LsErr *err) {
  void *function = NULL;
  if (!good(gpu, gpu->driver->module_function(&function, module, entry), entry, err)) return false;
  if (l->shared_bytes > SMALL_SHARED &&
      !good(gpu, gpu->driver->function_set(function, DRIVER_FUNCTION_MAX_DYNAMIC_SHARED, (int)l->shared_bytes), "shared memory",
            err))
    return false;
  if (nanoseconds) return clock_kernel(gpu, function, l, params, nanoseconds, err);
  return good(gpu, launch_kernel(gpu->driver, function, l, params), "launching", err) && good(gpu, gpu->driver->synchronize(), "running", err);
}

// The arguments of one launch on the GPU.
typedef struct Args {
  DriverAddress place[MOST_ARGS];
  CudaImage images[MOST_ARGS];
  void *params[MOST_ARGS];
} Args;

static bool is_image(const Launch *launch, int arg) { return launch->args[arg].image.kind != LAUNCH_NO_IMAGE; }

// Kernels whose name begins with index_ fetch by index, which takes linear memory.
static bool put_image(Gpu *gpu, const char *entry, const Launch *launch, int arg, const uint8_t *bytes, Args *args, LsErr *err) {
  const Driver *driver = gpu->driver;
  CudaImage *image = &args->images[arg];
  bool by_index = strncmp(entry, "index_", 6) == 0;
  if (!driver->array_new || !driver->texture_new || !driver->surface_new)
    return ls_fail(err, LS_EENV, "the driver has no textures or surfaces");
  args->params[arg] = &image->object;
  return cuda_image_make(driver, &launch->args[arg], by_index, false, "making a texture or surface", image, err) &&
         good(gpu, cuda_image_write(driver, &launch->args[arg], image, bytes), "copying to the GPU", err);
}

static bool put_args(Gpu *gpu, const char *entry, const Launch *launch, uint8_t *const *buffers, const uint64_t *sizes,
                     Args *args, LsErr *err) {
  uint64_t at = 0;
  for (int i = 0; i < launch->arg_count; i++) {
    args->place[i] = gpu->memory + at;
    args->params[i] = buffers[i] ? (void *)&args->place[i] : (void *)&launch->args[i].scalar;
    if (!buffers[i]) continue;
    if (is_image(launch, i)) {
      if (!put_image(gpu, entry, launch, i, buffers[i], args, err)) return false;
      continue;
    }
    at += piece(sizes[i]);
    if (!good(gpu, gpu->driver->upload(args->place[i], buffers[i], sizes[i]), "copying to the GPU", err)) return false;
  }
  return true;
}

static bool get_results(Gpu *gpu, const Launch *launch, uint8_t *const *buffers, const uint64_t *sizes, const Args *args,
                        LsErr *err) {
  for (int i = 0; i < launch->arg_count; i++) {
    if (!buffers[i]) continue;
    bool ok = is_image(launch, i)
                  ? good(gpu, cuda_image_read(gpu->driver, &launch->args[i], &args->images[i], buffers[i]), "reading an array", err)
                  : good(gpu, gpu->driver->download(buffers[i], args->place[i], sizes[i]), "copying from the GPU", err);
    if (!ok) return false;
  }
  return true;
}

bool gpu_run(Gpu *gpu, GpuModule *module, const char *entry, const Launch *launch, uint8_t *const *buffers,
             const uint64_t *sizes, uint64_t *nanoseconds, LsErr *err) {
  Args args = {0};
  uint64_t bytes = 0;
  if (launch->arg_count > MOST_ARGS) return ls_fail(err, LS_EREQUEST, "more than %d arguments", MOST_ARGS);
  for (int i = 0; i < launch->arg_count; i++) bytes += buffers[i] && !is_image(launch, i) ? piece(sizes[i]) : 0;
  bool ok = have_room(gpu, bytes, err) && put_args(gpu, entry, launch, buffers, sizes, &args, err) &&
            start_kernel(gpu, module, entry, launch, args.params, nanoseconds, err) &&
            get_results(gpu, launch, buffers, sizes, &args, err);
  for (int i = 0; i < launch->arg_count; i++)
    if (is_image(launch, i)) cuda_image_free(gpu->driver, &launch->args[i], &args.images[i]);
  return ok;
}
