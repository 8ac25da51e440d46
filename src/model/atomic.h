// atomic.h: the queues of an atomic: lanes that change the same address do it one after the other.
#ifndef LS_MODEL_ATOMIC_H
#define LS_MODEL_ATOMIC_H

#include "trace/trace.h"

typedef struct AtomicQueue { uint64_t addr; uint32_t lanes; int length; } AtomicQueue;
// Longest queue first; queues of equal length by address.
typedef struct Atomics { int queue_count; AtomicQueue queues[32]; int longest; } Atomics;
void atomic_analyze(const TraceEvent *event, Atomics *out);

#endif
