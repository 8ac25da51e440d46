// cuda_time.c: when enough runs are timed, and their median.
#include "device/cuda/cuda_time.h"

#include <stdlib.h>

static const double MOST_SECONDS = 1.0, SMALL_SPREAD = 0.01;

static int compare(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

static CudaTimes sorted(const CudaTimes *times) {
  CudaTimes copy = *times;
  qsort(copy.ns, (size_t)copy.count, sizeof *copy.ns, compare);
  return copy;
}

static uint64_t median(const CudaTimes *in_order) {
  int n = in_order->count;
  return n % 2 ? in_order->ns[n / 2] : (in_order->ns[n / 2 - 1] + in_order->ns[n / 2]) / 2;
}

bool cuda_times_are_enough(const CudaTimes *times, double seconds_spent) {
  if (times->count < CUDA_LEAST_RUNS) return false;
  if (times->count == CUDA_MOST_RUNS || seconds_spent >= MOST_SECONDS) return true;
  CudaTimes in_order = sorted(times);
  uint64_t spread = in_order.ns[times->count * 3 / 4] - in_order.ns[times->count / 4];
  return (double)spread <= SMALL_SPREAD * (double)median(&in_order);
}

void cuda_times_tell(const CudaTimes *times, TraceMeasure *measure) {
  measure->runs = (uint32_t)times->count;
  measure->min_ns = measure->median_ns = measure->max_ns = 0;
  if (!times->count) return;
  CudaTimes in_order = sorted(times);
  measure->min_ns = in_order.ns[0];
  measure->median_ns = median(&in_order);
  measure->max_ns = in_order.ns[times->count - 1];
}
