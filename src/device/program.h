// program.h: a program run from its first step to its last on a GPU, as fast as it goes, with the time of every step.
//
// Nothing is instrumented: the kernels are as the driver compiles them, streams, priorities, events and memory of the
// host are the driver's own. The program runs several times on the same inputs; its times are those of one run, the one
// that took the median of all. On the device a step begins when its stream has come to it, which an event in the stream
// tells, and ends when it is over: an event before and one behind each step. The two clocks, the host's and the
// device's, are laid over one another so that nothing begins before the host came to it.
//
// What is not as in CUDA: memory of the device that nobody has written is zero, not what was there before; managed
// memory is memory of the device, which the host gets at by copies; a free waits for the device, and gives back at the
// end.
#ifndef LS_DEVICE_PROGRAM_H
#define LS_DEVICE_PROGRAM_H

#include "base/error.h"
#include "launch/program.h"
#include "model/program_time.h"
#include "ptx/module.h"

enum { DEV_STEP_TIMES_MOST = 1 << 16 };   // steps on the device of a program whose times are measured

// The host's side of buffers while the host works. NULL: the buffer has none.
typedef struct DevHost {
  uint8_t *(*bytes)(void *context, int buffer, bool writes);
  void *context;
} DevHost;

// Everything is borrowed.
typedef struct DevProgram {
  const PtxModule *module;
  const HostProgram *program;      // bound (launch/program_args.h)
  const Launch *variables;         // LAUNCH_VARIABLE arguments: what the module's variables hold before the first step
  struct DevConnection *connection;   // as DevRequest has it; this run is the last that uses it
  const char *runner;              // as DevRequest has them
  double time_limit;
  _Atomic bool *cancel;
  // The function of a host step; NULL: the program has none.
  bool (*host)(void *context, int step, const DevHost *host, LsErr *err);
  void (*stage)(void *context, int stage);                      // DevStage; may be NULL
  void (*progress)(void *context, uint64_t done, uint64_t all); // runs; may be NULL
  void (*note)(void *context, const char *line);                // may be NULL
  void *context;
} DevProgram;

// What came of it. dev_program_run_fini ends it, also after a failure.
typedef struct DevProgramRun {
  int buffer_count, step_count;
  char *device_name, *driver, *date;   // "NVIDIA H200", "580.95.05 (CUDA 13.0)", "2026-05-01"
  ProgramTime *times;                  // of each step; waited_for is -1
  uint32_t runs;
  uint64_t min_ns, median_ns, max_ns;  // of the whole, from the first step to the end of the last
  uint8_t **device, **host;            // of each buffer after the last run; host NULL: it has no side there
} DevProgramRun;
void dev_program_run_init(DevProgramRun *run, const HostProgram *program);
void dev_program_run_fini(DevProgramRun *run);

#endif
