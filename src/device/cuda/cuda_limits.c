// cuda_limits.c: finds recursion in the graph of calls, and sets the limits of stack and printf.
#include "device/cuda/cuda_limits.h"

#include <stdlib.h>

#include "base/mem.h"

enum { PRINTF_BYTES = 8 << 20, STACK_BYTES = 16 << 10, LEAST_STACK_BYTES = 1 << 10, SHARE_OF_MEMORY = 16, MOST_FUNCTIONS = 500 };

// ---- recursion -----------------------------------------------------------------------------------------------------

// edges[caller * functions + callee]
static void add_calls(const PtxModule *module, int caller, bool *edges) {
  const PtxFunc *func = &module->funcs[caller];
  for (int pc = func->first; pc < func->first + func->count; pc++) {
    int callee = ptx_callee(&module->code[pc]);
    if (callee >= 0) edges[caller * module->func_count + callee] = true;
  }
}

// Whether a function can be reached from itself: what it calls, what that calls, and so on.
static bool has_recursion(const PtxModule *module) {
  int n = module->func_count;
  bool *edges = ls_alloc(sizeof *edges * (size_t)LS_MAX(n * n, 1)), is = false;
  for (int f = 0; f < n; f++) add_calls(module, f, edges);
  for (int over = 0; over < n; over++)
    for (int from = 0; from < n; from++)
      for (int to = 0; edges[from * n + over] && to < n; to++)
        if (edges[over * n + to]) edges[from * n + to] = true;
  for (int f = 0; f < n; f++) is |= edges[f * n + f];
  free(edges);
  return is;
}

// ---- limits --------------------------------------------------------------------------------------------------------

void cuda_limits(const Driver *driver, const GpuFacts *facts, const PtxModule *module) {
  if (!driver->limit_set) return;
  driver->limit_set(DRIVER_LIMIT_PRINTF, PRINTF_BYTES);
  if (module->func_count > MOST_FUNCTIONS || !has_recursion(module)) return;
  uint64_t threads = (uint64_t)LS_MAX(facts->sm_count, 1) * (uint64_t)LS_MAX(facts->threads_per_sm, 1);
  for (uint64_t bytes = STACK_BYTES; bytes > LEAST_STACK_BYTES; bytes /= 2)
    if (bytes * threads <= facts->memory_bytes / SHARE_OF_MEMORY && driver->limit_set(DRIVER_LIMIT_STACK, (size_t)bytes) == 0) return;
}
