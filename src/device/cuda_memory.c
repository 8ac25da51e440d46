// cuda_memory.c: see cuda_memory.h.
#include "device/cuda_memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void cuda_memory_init(CudaMemory *memory, const Driver *driver, const GpuFacts *facts) {
  *memory = (CudaMemory){.driver = driver, .facts = facts};
}

void cuda_memory_free(CudaMemory *memory) {
  for (int i = 0; i < memory->count; i++) {
    CudaPiece *piece = &memory->pieces[i];
    if (piece->arg >= 0 && piece->address) memory->driver->memory_free(piece->address);
    if (piece->pristine) memory->driver->memory_free(piece->pristine);
    free(piece->initial);
  }
  free(memory->pieces);
  *memory = (CudaMemory){0};
}

// ---- taking --------------------------------------------------------------------------------------------------------

bool cuda_take(const Driver *driver, const GpuFacts *facts, uint64_t size, const char *what, DriverAddress *address, LsErr *err) {
  size_t room = 0, total = (size_t)facts->memory_bytes;
  int result = driver->memory_take(address, (size_t)LS_MAX(size, 1));   // the driver has no empty buffers
  if (result == 0) return true;
  *address = 0;
  if (result != DRIVER_OUT_OF_MEMORY || !driver->memory_info || driver->memory_info(&room, &total) != 0)
    return driver_good(driver, result, what, err);
  return ls_fail(err, LS_ENOMEM, "%s: %.3f GB were asked for; %s has %.3f GB free of %.3f GB", what, (double)size / 1e9, facts->name,
                 (double)room / 1e9, (double)total / 1e9);
}

static CudaPiece *add(CudaMemory *memory, int arg, uint64_t size) {
  CudaPiece piece = {.arg = arg, .size = size, .initial = ls_alloc(size + 1)};
  LS_PUSH(memory->pieces, memory->count, memory->capacity, piece);
  return &memory->pieces[memory->count - 1];
}

bool cuda_memory_add_buffers(CudaMemory *memory, const Launch *launch, LsErr *err) {
  uint64_t total = 0;
  for (int i = 0; i < launch->arg_count; i++) {
    const LaunchArg *arg = &launch->args[i];
    uint64_t elem = (uint64_t)launch_type_size(arg->type);
    if (!arg->is_buffer) continue;
    if (arg->count > LAUNCH_MAX_BYTES / elem || (total += arg->count * elem) > memory->facts->memory_bytes)
      return ls_fail(err, LS_EREQUEST, "the buffers of this launch need more than the %.3f GB of %s",
                     (double)memory->facts->memory_bytes / 1e9, memory->facts->name);
    CudaPiece *piece = add(memory, i, arg->count * elem);
    if (!launch_fill(arg, piece->initial)) memset(piece->initial, CUDA_POISON, piece->size);
    char *what = ls_format("memory for argument %d%s%s", i + 1, arg->name ? ", " : "", arg->name ? arg->name : "");
    bool ok = cuda_take(memory->driver, memory->facts, piece->size, what, &piece->address, err);
    free(what);
    if (!ok) return false;
  }
  return true;
}

bool cuda_memory_add_variable(CudaMemory *memory, DriverAddress address, uint64_t size, LsErr *err) {
  CudaPiece *piece = add(memory, -1, size);
  piece->address = address;
  return driver_good(memory->driver, memory->driver->download(piece->initial, address, (size_t)size),
                     "reading a variable of the module", err);
}

// ---- before and after runs -----------------------------------------------------------------------------------------

bool cuda_memory_fill(CudaMemory *memory, LsErr *err) {
  for (int i = 0; i < memory->count; i++) {
    const CudaPiece *piece = &memory->pieces[i];
    if (!piece->size) continue;
    int result = memory->driver->upload(piece->address, piece->initial, (size_t)piece->size);
    if (!driver_good(memory->driver, result, "copying the inputs to the GPU", err)) return false;
  }
  return true;
}

bool cuda_memory_restore(CudaMemory *memory, LsErr *err) {
  const Driver *driver = memory->driver;
  for (int i = 0; i < memory->count; i++) {
    const CudaPiece *piece = &memory->pieces[i];
    if (!piece->changes) continue;
    int result = piece->pristine ? driver->copy(piece->address, piece->pristine, (size_t)piece->size)
                                 : driver->upload(piece->address, piece->initial, (size_t)piece->size);
    if (!driver_good(driver, result, "restoring the inputs on the GPU", err)) return false;
  }
  return true;
}

static bool find_change(const CudaMemory *memory, CudaPiece *piece, LsErr *err) {
  const Driver *driver = memory->driver;
  uint8_t *now = ls_alloc(piece->size + 1);
  bool ok = driver_good(driver, driver->download(now, piece->address, (size_t)piece->size), "reading the results", err);
  piece->changes = ok && memcmp(now, piece->initial, piece->size) != 0;
  free(now);
  if (!ok || !piece->changes) return ok;
  if (driver->memory_take(&piece->pristine, (size_t)piece->size) != 0) {
    piece->pristine = 0;                       // the host has them, too
    return true;
  }
  return driver_good(driver, driver->upload(piece->pristine, piece->initial, (size_t)piece->size), "copying the inputs to the GPU", err);
}

bool cuda_memory_find_changes(CudaMemory *memory, LsErr *err) {
  for (int i = 0; i < memory->count; i++)
    if (memory->pieces[i].size && !find_change(memory, &memory->pieces[i], err)) return false;
  return true;
}

// ---- results -------------------------------------------------------------------------------------------------------

const CudaPiece *cuda_memory_buffer(const CudaMemory *memory, int arg) {
  for (int i = 0; i < memory->count; i++)
    if (memory->pieces[i].arg == arg && arg >= 0) return &memory->pieces[i];
  return NULL;
}

uint8_t **cuda_memory_results(const CudaMemory *memory, int arg_count, LsErr *err) {
  uint8_t **results = ls_alloc(sizeof *results * (size_t)(arg_count + 1));
  for (int arg = 0; arg < arg_count; arg++) {
    const CudaPiece *piece = cuda_memory_buffer(memory, arg);
    if (!piece) continue;
    results[arg] = ls_alloc(piece->size + 1);
    if (!piece->size) continue;
    int result = memory->driver->download(results[arg], piece->address, (size_t)piece->size);
    if (driver_good(memory->driver, result, "reading the results", err)) continue;
    cuda_results_free(results, arg_count);
    return NULL;
  }
  return results;
}

void cuda_results_free(uint8_t **results, int arg_count) {
  for (int i = 0; results && i < arg_count; i++) free(results[i]);
  free(results);
}
