// cuda_fault.h: where a kernel stopped: the first event, among those that it told of before it stopped, that is an access to no
// object, or to an address that is no multiple of its size; or that is the trap or the failed assertion.
//
// A record is written before its access happens, and stands for the instructions behind it too. So what a warp is said to have done
// after such an event did not happen: it is left out, and a FAULT event stands in its place, as in a run of the emulator.
#ifndef LS_DEVICE_CUDA_FAULT_H
#define LS_DEVICE_CUDA_FAULT_H

#include "ptx/module.h"
#include "trace/trace.h"

// Memory that lies elsewhere than the objects say: its addresses are told as if it lay where they say.
typedef struct CudaMove { uint64_t from, to, size; } CudaMove;

// A sink that passes events on and looks at them. Embedded.
typedef struct CudaFinder {
  TraceSink sink;
  TraceSink *next;               // borrowed
  bool events;                   // pass on blocks and events, too; sums always
  const PtxModule *module;       // borrowed, as the next two
  const Launch *launch;
  const TraceInfo *info;
  TraceFault *fault;             // borrowed: kind is what to look for; gets thread, pc, step, address, object and words
  const CudaMove *moves; int move_count;   // borrowed; set after init, if there are any
  const char *assertion;         // borrowed; what failed, as cuda_assertion has it; set after init if it is known
  bool found;                    // the fault is known, and was told to `next`
  uint64_t steps;                // passed on
  uint64_t lost;                 // events that did not fit, if the run that is looked at measured
  uint32_t dead;                 // warps of the block that went no further
} CudaFinder;
void cuda_finder_init(CudaFinder *finder, TraceSink *next, bool events, const PtxModule *module, const Launch *launch,
                      const TraceInfo *info, TraceFault *fault);

// What the driver wrote to standard error about a failed assertion (CUDA C++ Programming Guide, Assertion): gives the fault the thread
// and a message, and returns the words for the assertion alone, which the caller frees. NULL: there is nothing of the kind.
char *cuda_assertion(const char *said, const Launch *launch, TraceFault *fault);

#endif
