// timing.h: how fast a GPU ran the plain kernel, beside what the device can do; and its blocks on the SMs.
#ifndef LS_APP_TIMING_H
#define LS_APP_TIMING_H

#include "app/run/run.h"
#include "model/rate.h"
#include "model/wavechart.h"

typedef struct Timing {
  const TraceMeasure *measure;     // NULL: nothing was measured, and nothing else here is set. Borrowed from the run
  const ArchProfile *limits;       // of the device that it ran on; NULL: not known. May point to `made`
  ArchProfile made;
  uint64_t bytes; RateFlops flops; // that the whole grid asked for and computed
  uint64_t waiting_bytes;          // of these in loops that wait for other threads (model/spin.h), which turned as often as they
                                   // did while traced. Above 0 the bytes of a plain run are not known
  int waiting_pc;                  // where most of it is waited for; -1
  Rate rate;                       // of the median. With waiting bytes it is the most that it can be,
  double least_gbs;                // and this the least
  double slowdown;                 // traced / median; 0: one of them is not known
  bool has_occupancy; Occupancy occupancy;   // from the registers and shared memory of the plain kernel
} Timing;
void timing_of(const Run *run, Timing *timing);   // *timing must stay where it is while limits is used

// Shared memory of a block: what the launch asks for, and what the kernel declares.
uint64_t run_shared_bytes(const Run *run);
// Blocks on SMs: as the run's device told them, else computed for the run's profile, with so many registers a thread (0: they are
// not counted). wavechart_free ends it.
void run_wave_chart(const Run *run, int registers, WaveChart *chart);

#endif
