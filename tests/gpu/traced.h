// traced.h: one launch on the emulator and, plain and instrumented, on a GPU: counters, results, and what every warp did.
#ifndef LS_TESTS_GPU_TRACED_H
#define LS_TESTS_GPU_TRACED_H

#include "model/counter.h"
#include "ptx/module.h"
#include "streams.h"

typedef struct TracedOptions {
  int blocks;                 // recorded event by event: the first, the last and some between; 0: counters only
  bool all_blocks;            // instead
  bool timed;                 // the plain kernel
  bool unoptimized;           // see DevRequest
  bool emulated;              // false: the GPU alone
} TracedOptions;

typedef struct Traced {
  bool emulated, ran;         // false: err says why not
  LsErr err;
  uint64_t counters, counters_differ;   // of every instruction and in all
  char first_counter[256];    // that differs, as a sentence
  CounterSet emulator, gpu;   // in all
  uint64_t results, results_differ;     // bytes of buffers: emulator and GPU
  StreamsCompared streams;
  TraceMeasure measure;       // without its texts; differing_bytes: plain and instrumented
  double seconds;             // the whole run on the GPU took
  int faults;
  char fault[400];            // what the first of them is
} Traced;

// Fills *out; true if both ran (with `emulated` false: if the GPU ran). Differences are for the caller to judge.
bool traced_run(const PtxModule *module, int entry, const Launch *launch, const TracedOptions *options, Traced *out);
// Everything equal, nothing lost, no fault. Lanes that are apart may take turns in any order.
bool traced_agrees(const Traced *traced);

#endif
