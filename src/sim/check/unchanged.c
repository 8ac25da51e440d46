// unchanged.c: stores of the value that is there already.
#include "sim/check/unchanged.h"
#include <string.h>

static uint64_t element(const SimExec *exec, const SimMem *m, uint64_t k, uint32_t lane) {
  return sim_lane(exec->regs, m->data[k], m->data_bytes[k], lane);
}

bool sim_is_unchanged(const SimExec *exec, const SimMem *m, const SimSpan *span, uint32_t lane) {
  const uint8_t *there = (const uint8_t *)(span->origin + exec->addr[lane]);
  for (uint64_t k = 0; k < m->vec; k++) {
    uint64_t value = element(exec, m, k, lane);
    if (memcmp(there + k * m->elem, &value, m->elem) != 0) return false;
  }
  return true;
}

bool sim_is_unchanged_shared(const SimExec *exec, const SimMem *m, uint32_t lane, uint64_t word, uint32_t bytes) {
  SIM_FOR_LANES(b, bytes) {
    uint64_t at = word * 4 + b, offset = at - exec->addr[lane];
    uint8_t value = (uint8_t)(element(exec, m, offset / m->elem, lane) >> offset % m->elem * 8);
    if (exec->shared[at] != value) return false;
  }
  return true;
}
