// bench_run.h: one run of a kernel in the emulator as a user gets it: with counters alone, with all checks, or with
// every event written to a trace.
#ifndef LS_TESTS_BENCH_RUN_H
#define LS_TESTS_BENCH_RUN_H

#include "bench_kernels.h"
#include "sim/sim.h"

typedef enum BenchMode { BENCH_COUNTERS, BENCH_CHECKS, BENCH_RECORDED, BENCH_MODES } BenchMode;
extern const char *const bench_mode_names[BENCH_MODES];

typedef struct BenchTook { double cpu, wall; } BenchTook;       // seconds; cpu: of all threads

typedef struct BenchRun {
  BenchTook took;              // by the run alone, without what is made before it
  double warp_instructions;
  double events, bytes;        // of the trace, where there is one
  int threads;                 // that ran blocks
} BenchRun;

BenchTook bench_now(void);
BenchTook bench_since(BenchTook start);

// `look` may be NULL; it sees the emulator behind the run. Stops the program if the run fails.
typedef void BenchLook(void *context, const Sim *sim);
void bench_run(const BenchWork *work, BenchMode mode, int threads, BenchRun *out, BenchLook *look, void *context);

// Everything that is counted under callgrind happens inside of this function, which calls `work`.
void bench_measured(void (*work)(void *context), void *context);

#endif
