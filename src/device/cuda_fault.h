// cuda_fault.h: which access a kernel stopped at: the first one, among those that it told of before it stopped, that touches no
// object, or whose address is no multiple of its size.
#ifndef LS_DEVICE_CUDA_FAULT_H
#define LS_DEVICE_CUDA_FAULT_H

#include "ptx/module.h"
#include "trace/trace.h"

// A sink that passes events on and looks at them. Embedded.
typedef struct CudaFinder {
  TraceSink sink;
  TraceSink *next;               // borrowed
  bool events;                   // pass on blocks and events, too; sums always
  const PtxModule *module;       // borrowed, as the next two
  const Launch *launch;
  const TraceInfo *info;
  TraceFault *fault;             // borrowed: kind is what to look for; gets thread, pc, address, object and words
  bool found;
} CudaFinder;
void cuda_finder_init(CudaFinder *finder, TraceSink *next, bool events, const PtxModule *module, const Launch *launch,
                      const TraceInfo *info, TraceFault *fault);

#endif
