// printf.c: what kernels print and assert: calls of vprintf and __assertfail.
#include "sim/internal.h"

void sim_printf(Sim *sim, const SimCall *call, uint32_t mask) { (void)sim; (void)call; (void)mask; }

void sim_assert(Sim *sim, const SimCall *call, uint32_t mask) {
  (void)call;
  sim_fault(sim, &(SimFaultPlace){.kind = FAULT_ASSERT, .mask = mask, .text = "an assertion of the kernel failed"});
}
