// cuda_program_parts.h: what the files of cuda_program share.
#ifndef LS_DEVICE_CUDA_PROGRAM_PARTS_H
#define LS_DEVICE_CUDA_PROGRAM_PARTS_H

#include "device/cuda/cuda_code.h"
#include "device/cuda/cuda_memory.h"
#include "device/program.h"

typedef struct CudaMark { void *begin, *end; } CudaMark;   // events around a step of the device

enum { CUDA_LOOKS_AT_CLOCK = 5 };

// The device's clock beside the host's: an event that the host waited for.
typedef struct CudaClock {
  void *events[CUDA_LOOKS_AT_CLOCK];
  int best;                        // the event that the host waited for least
  double host_ns;                  // when that happened, by the host's clock
} CudaClock;

typedef struct CudaProgram {
  const DevProgram *request;       // borrowed
  const HostProgram *program;      // its
  DevProgramRun *result;           // borrowed
  Driver *driver;
  GpuFacts facts;
  void *context;
  Launch all;                      // every buffer and variable as an argument, for `memory`; borrowed contents
  CudaMemory memory;
  CudaCode code, *codes;           // codes[entry]: the kernels; they share the handle of `code`
  int *entries;                    // of each step that is a launch
  uint8_t **host, **host_initial;  // of each buffer: its side there, and what that begins with; NULL: none
  void **streams, **events;        // streams[0] NULL: the default one
  CudaMark *marks;                 // of each step
  CudaClock clock;
  ProgramTime *times;              // of the run under way
  double *returned;                // when the host went on behind each step
  double start_ns;                 // when it began, by the host's clock
  int step, over;                  // the step that the host is at; all before `over` are over
} CudaProgram;

double cuda_program_now(const CudaProgram *p);   // nanoseconds since the run began
// False with what the step was about; LS_EFAULT if a kernel is to blame.
bool cuda_program_good(const CudaProgram *p, int result, const char *what, LsErr *err);

// ---- cuda_program_steps.c ------------------------------------------------------------------------------------------
bool cuda_program_step(CudaProgram *p, LsErr *err);   // does p->step, and notes when the host did what

// ---- cuda_program_time.c -------------------------------------------------------------------------------------------
bool cuda_clock_new(CudaProgram *p, LsErr *err);
void cuda_clock_free(CudaProgram *p);
bool cuda_clock_look(CudaProgram *p, LsErr *err);     // nothing is under way
bool cuda_clock_read(CudaProgram *p, LsErr *err);     // after a run: begin and end of every step of the device

#endif
