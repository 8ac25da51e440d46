// cuda_context.c: takes the GPU's primary context, and keeps it where more runs follow.
#include "device/cuda/cuda_context.h"

static struct { void *context; int handle; } kept;

static void *new_context(const Driver *driver, const GpuFacts *facts, LsErr *err) {
  void *context = NULL;
  int result = driver->context_retain(&context, facts->handle);
  return driver_good(driver, result, "connecting to the GPU", err) ? context : NULL;
}

void *cuda_context_take(const Driver *driver, const GpuFacts *facts, LsErr *err) {
  bool is_kept = kept.context && kept.handle == facts->handle;
  void *context = is_kept ? kept.context : new_context(driver, facts, err);
  if (is_kept) kept.context = NULL;
  if (!context || driver_good(driver, driver->context_set(context), "connecting to the GPU", err)) return context;
  driver->context_release(facts->handle);
  return NULL;
}

void cuda_context_give(const Driver *driver, const GpuFacts *facts, void *context, bool keep) {
  if (!context) return;
  if (keep && !kept.context) kept.context = context, kept.handle = facts->handle;
  else driver->context_release(facts->handle);
}
