// rate.h: what a run moved and computed per second, beside what the device can.
//
//   bytes   sectors x 32 that warps asked for in global and local memory. Caches answer a part of them, so bytes per second
//           may be more than the memory itself can give: effective bandwidth
//   flops   additions and multiplications of floating-point numbers; a fused one is two, one of a pair counts as two. A
//           division, root or other function counts as one. Matrix instructions: 2 x m x n x k for a warp
#ifndef LS_MODEL_RATE_H
#define LS_MODEL_RATE_H

#include "model/arch.h"
#include "ptx/module.h"
#include "trace/trace.h"

typedef struct RateFlops { uint64_t f16, f32, f64, matrix; } RateFlops;
void rate_flops(const PtxModule *module, const TraceTally *tallies, int count, RateFlops *out);
uint64_t rate_flops_sum(const RateFlops *flops);
uint64_t rate_bytes(const TraceCount *counts, int count);

typedef struct Rate {
  double gbs, gflops;              // of the run
  double of_bandwidth, of_peak;    // fractions of the device's memory bandwidth and f32 peak; 0 if those are not known
  double flops_per_byte;           // 0 if no byte was moved
  double attainable_gflops;        // the roof over this intensity (roofline.h); 0: not known
} Rate;
// All zero without a time. arch may be NULL.
void rate_of(uint64_t bytes, uint64_t flops, uint64_t nanoseconds, const ArchProfile *arch, Rate *out);

#endif
