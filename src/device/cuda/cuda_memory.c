// cuda_memory.c: takes, fills, restores and reads buffers and variables.
#include "device/cuda/cuda_memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void cuda_memory_init(CudaMemory *memory, const Driver *driver, const GpuFacts *facts, const Launch *launch) {
  *memory = (CudaMemory){.driver = driver, .facts = facts, .launch = launch};
}

static bool is_image(const CudaMemory *memory, const CudaPiece *piece) {
  return piece->arg >= 0 && memory->launch->args[piece->arg].image.kind != LAUNCH_NO_IMAGE;
}

void cuda_memory_free(CudaMemory *memory) {
  for (int i = 0; i < memory->count; i++) {
    CudaPiece *piece = &memory->pieces[i];
    if (is_image(memory, piece)) cuda_image_free(memory->driver, &memory->launch->args[piece->arg], &piece->image);
    if (!piece->is_variable && piece->address) memory->driver->memory_free(piece->address);
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

static bool take_piece(CudaMemory *memory, CudaPiece *piece, bool linear, bool bound, LsErr *err) {
  const LaunchArg *arg = &memory->launch->args[piece->arg];
  const char *comma = arg->name ? ", " : "", *name = arg->name ? arg->name : "";
  char *what = arg->role == LAUNCH_MEMORY ? ls_format("memory for the buffer %s", name)
                                          : ls_format("memory for argument %d%s%s", piece->arg + 1, comma, name);
  bool ok = is_image(memory, piece) ? cuda_image_make(memory->driver, arg, linear, bound, what, &piece->image, err)
                                    : cuda_take(memory->driver, memory->facts, piece->size, what, &piece->address, err);
  free(what);
  return ok;
}

bool cuda_memory_add_buffers(CudaMemory *memory, const Sim *layout, const PtxModule *module, int entry, LsErr *err) {
  uint64_t total = 0;
  for (int i = 0; i < memory->launch->arg_count; i++) {
    const LaunchArg *arg = &memory->launch->args[i];
    uint64_t elem = (uint64_t)launch_type_size(arg->type);
    if (!arg->is_buffer || arg->role == LAUNCH_VARIABLE) continue;
    if (arg->count > LAUNCH_MAX_BYTES / elem || (total += arg->count * elem) > memory->facts->memory_bytes)
      return ls_fail(err, LS_EREQUEST, "the buffers need more than the %.3f GB of %s",
                     (double)memory->facts->memory_bytes / 1e9, memory->facts->name);
    CudaPiece *piece = add(memory, i, arg->count * elem);
    if (!launch_fill(arg, piece->initial)) memset(piece->initial, CUDA_POISON, piece->size);
    bool linear = layout && cuda_image_is_linear(module, entry, arg);
    bool bound = layout && sim_layout_arg_var(layout, i) >= 0;
    if (!take_piece(memory, piece, linear, bound, err)) return false;
  }
  return true;
}

bool cuda_memory_add_variable(CudaMemory *memory, DriverAddress address, uint64_t size, int arg, bool traced,
                              LsErr *err) {
  CudaPiece *piece = add(memory, arg, size);
  const LaunchArg *given = arg >= 0 ? &memory->launch->args[arg] : NULL;
  piece->address = address;
  piece->is_variable = true;
  piece->of_traced = traced;
  if (!driver_good(memory->driver, memory->driver->download(piece->initial, address, (size_t)size),
                   "reading a variable of the module", err))
    return false;
  if (given && given->count > size / (uint64_t)launch_type_size(given->type))
    return ls_fail(err, LS_EREQUEST, "%s has %llu bytes on the GPU, and its contents are more", given->name,
                   (unsigned long long)size);
  if (given) launch_fill(given, piece->initial);
  return true;
}

void cuda_memory_link(CudaMemory *memory) {
  for (int i = 0; i < memory->launch->arg_count; i++) {
    const LaunchArg *arg = &memory->launch->args[i];
    const CudaPiece *buffer = arg->role == LAUNCH_POINTEE ? cuda_memory_buffer(memory, i, false) : NULL;
    for (int k = 0; buffer && k < memory->count; k++) {
      CudaPiece *piece = &memory->pieces[k];
      if (!piece->is_variable || piece->arg != arg->owner || piece->size < 8 || arg->offset > piece->size - 8) continue;
      memcpy(piece->initial + arg->offset, &buffer->address, 8);
    }
  }
}

// ---- bytes ---------------------------------------------------------------------------------------------------------

static int write_piece(const CudaMemory *memory, const CudaPiece *piece) {
  const Driver *driver = memory->driver;
  if (is_image(memory, piece)) return cuda_image_write(driver, &memory->launch->args[piece->arg], &piece->image, piece->initial);
  return driver->upload(piece->address, piece->initial, (size_t)piece->size);
}

static int read_piece(const CudaMemory *memory, const CudaPiece *piece, uint8_t *bytes) {
  const Driver *driver = memory->driver;
  if (is_image(memory, piece)) return cuda_image_read(driver, &memory->launch->args[piece->arg], &piece->image, bytes);
  return driver->download(bytes, piece->address, (size_t)piece->size);
}

// ---- before and after runs -----------------------------------------------------------------------------------------

bool cuda_memory_fill(CudaMemory *memory, LsErr *err) {
  for (int i = 0; i < memory->count; i++) {
    const CudaPiece *piece = &memory->pieces[i];
    if (!piece->size) continue;
    if (!driver_good(memory->driver, write_piece(memory, piece), "copying the inputs to the GPU", err)) return false;
  }
  return true;
}

bool cuda_memory_restore(CudaMemory *memory, LsErr *err) {
  const Driver *driver = memory->driver;
  for (int i = 0; i < memory->count; i++) {
    const CudaPiece *piece = &memory->pieces[i];
    if (!piece->changes) continue;
    int result = piece->pristine ? driver->copy(piece->address, piece->pristine, (size_t)piece->size)
                                 : write_piece(memory, piece);
    if (!driver_good(driver, result, "restoring the inputs on the GPU", err)) return false;
  }
  return true;
}

static bool find_change(const CudaMemory *memory, CudaPiece *piece, LsErr *err) {
  const Driver *driver = memory->driver;
  uint8_t *now = ls_alloc(piece->size + 1);
  bool ok = driver_good(driver, read_piece(memory, piece, now), "reading the results", err);
  piece->changes = ok && memcmp(now, piece->initial, piece->size) != 0;
  free(now);
  if (!ok || !piece->changes || is_image(memory, piece)) return ok;
  if (driver->memory_take(&piece->pristine, (size_t)piece->size) != 0) {
    piece->pristine = 0;                       // the host has them, too
    return true;
  }
  int result = driver->upload(piece->pristine, piece->initial, (size_t)piece->size);
  return driver_good(driver, result, "copying the inputs to the GPU", err);
}

bool cuda_memory_find_changes(CudaMemory *memory, bool of_buffers, LsErr *err) {
  for (int i = 0; i < memory->count; i++) {
    CudaPiece *piece = &memory->pieces[i];
    if (piece->size && (of_buffers || piece->is_variable) && !find_change(memory, piece, err)) return false;
  }
  return true;
}

bool cuda_memory_variables_change(const CudaMemory *memory) {
  for (int i = 0; i < memory->count; i++)
    if (memory->pieces[i].is_variable && memory->pieces[i].changes) return true;
  return false;
}

// ---- results -------------------------------------------------------------------------------------------------------

const CudaPiece *cuda_memory_buffer(const CudaMemory *memory, int arg, bool traced) {
  for (int i = 0; i < memory->count; i++) {
    const CudaPiece *piece = &memory->pieces[i];
    if (piece->arg == arg && arg >= 0 && (!piece->is_variable || piece->of_traced == traced)) return piece;
  }
  return NULL;
}

uint8_t **cuda_memory_results(const CudaMemory *memory, int arg_count, bool traced, LsErr *err) {
  uint8_t **results = ls_alloc(sizeof *results * (size_t)(arg_count + 1));
  for (int arg = 0; arg < arg_count; arg++) {
    const CudaPiece *piece = cuda_memory_buffer(memory, arg, traced);
    if (!piece) continue;
    results[arg] = ls_alloc(piece->size + 1);
    if (!piece->size) continue;
    if (driver_good(memory->driver, read_piece(memory, piece, results[arg]), "reading the results", err)) continue;
    cuda_results_free(results, arg_count);
    return NULL;
  }
  return results;
}

void cuda_results_free(uint8_t **results, int arg_count) {
  for (int i = 0; results && i < arg_count; i++) free(results[i]);
  free(results);
}
