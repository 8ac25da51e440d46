// latency.h: hiding latency: the warps of one scheduler take turns, so that some work while others wait.
//
// Every warp repeats: issue for `work` cycles, then wait `latency` cycles for what it asked for. The scheduler issues
// one instruction a cycle, warp after warp:
//
//   warp 0  ####------------####------------     # issues   - waits   . could issue, but it is another one's turn
//   warp 1  ....####------------####--------
//
// It is busy all the time if (warps - 1) x work >= latency. Little's law says the same of bytes: in flight = rate x
// latency.
#ifndef LS_MODEL_LATENCY_H
#define LS_MODEL_LATENCY_H

#include <stdint.h>

typedef enum LatencyState { LATENCY_ISSUES, LATENCY_WAITS, LATENCY_READY } LatencyState;

typedef struct Latency {
  int warps, work, latency;   // each at least 1; latency may be 0
  int64_t period;             // cycles of a round of all warps
  double utilization;         // part of the cycles in which something is issued
  int warps_needed;           // the fewest that keep the scheduler busy
} Latency;
void latency_compute(int warps, int work, int latency, Latency *out);   // out of range: taken to the nearest that is in
LatencyState latency_state(const Latency *model, int warp, int64_t cycle);
int latency_issuing(const Latency *model, int64_t cycle);               // warp; -1: the scheduler idles

// Little's law: what must be in flight (bytes, people on an escalator) to sustain a rate.
static inline double latency_in_flight(double rate, double latency) { return rate * latency; }

#endif
