// cuda_time.h: how often a kernel is timed, and what its times are in three numbers.
#ifndef LS_DEVICE_CUDA_TIME_H
#define LS_DEVICE_CUDA_TIME_H

#include <stdbool.h>
#include <stdint.h>
#include "trace/trace.h"

enum { CUDA_LEAST_RUNS = 5, CUDA_MOST_RUNS = 200 };

typedef struct CudaTimes { uint64_t ns[CUDA_MOST_RUNS]; int count; } CudaTimes;

// Enough is known once the middle half of the times lies within one percent of the median, once a second is spent, or after
// CUDA_MOST_RUNS; never before CUDA_LEAST_RUNS.
bool cuda_times_are_enough(const CudaTimes *times, double seconds_spent);
// runs, min_ns, median_ns, max_ns. The median of an even number is the mean of the middle two, rounded down.
void cuda_times_tell(const CudaTimes *times, TraceMeasure *measure);

#endif
