// heap_call.c: malloc() and free() of a kernel, which the driver links to it; new and delete are compiled to them.
#include <string.h>
#include "sim/check/access_history.h"
#include "sim/check/heap_check.h"
#include "sim/core/heap.h"
#include "sim/ops/call.h"

static uint64_t argument(const uint8_t *params, const SimCall *call, int k) {
  uint64_t value = 0;
  memcpy(&value, params + call->args[k].at, LS_MIN(call->args[k].bytes, sizeof value));
  return value;
}

static uint64_t take(SimExec *exec, uint32_t lane, uint64_t size, uint64_t align) {
  uint64_t address = sim_heap_take(exec, lane, size, align);
  const SimAlloc *heap = exec->memory->heap;
  if (address) sim_history_forget_range(exec, heap, address - heap->base, sim_heap_taken_bytes(size));
  return address;
}

uint64_t sim_heap_call_take(SimExec *exec, uint32_t lane, uint64_t size, uint64_t align) {
  return take(exec, lane, size, align);
}

void sim_heap_call_free(SimExec *exec, uint32_t lane, uint64_t address) {
  if (!sim_heap_free(exec, address)) sim_heap_bad_free(exec, lane, address);
}

void sim_heap_call(SimExec *exec, const SimCall *call, uint32_t mask) {
  bool aligned = call->builtin == SIM_BUILTIN_ALIGNED_MALLOC;
  SIM_FOR_LANES(i, mask) {
    uint64_t thread = (uint64_t)sim_warp_index(exec) * SIM_LANES + i, address;
    uint8_t *params = exec->lane_params + thread * exec->program->lane_param_bytes;
    uint64_t first = argument(params, call, 0), align = aligned ? argument(params, call, 1) : 1;
    if (call->builtin == SIM_BUILTIN_FREE) {
      if (first && !sim_heap_free(exec, first)) sim_heap_bad_free(exec, i, first);
      continue;
    }
    bool possible = align && (align & (align - 1)) == 0;
    address = possible ? take(exec, i, first, align) : 0;
    memcpy(params + call->results[0].at, &address, LS_MIN(call->results[0].bytes, sizeof address));
  }
}
