// atomic.c: lanes of an atomic, grouped by address.
#include "model/atomic.h"

static void queue_lane(Atomics *out, uint64_t addr, int lane) {
  int q = 0;
  while (q < out->queue_count && out->queues[q].addr != addr) q++;
  if (q == out->queue_count) out->queues[out->queue_count++] = (AtomicQueue){.addr = addr};
  out->queues[q].lanes |= 1u << lane;
  out->queues[q].length++;
}

static int goes_before(const AtomicQueue *a, const AtomicQueue *b) {
  return a->length != b->length ? a->length > b->length : a->addr < b->addr;
}

void atomic_analyze(const TraceEvent *event, Atomics *out) {
  *out = (Atomics){0};
  if (!event->addr) return;
  for (uint32_t left = event->mask; left; left &= left - 1) {
    int lane = __builtin_ctz(left);
    queue_lane(out, event->addr[lane], lane);
  }
  for (int i = 1; i < out->queue_count; i++) {
    AtomicQueue queue = out->queues[i];
    int at = i;
    for (; at > 0 && goes_before(&queue, &out->queues[at - 1]); at--) out->queues[at] = out->queues[at - 1];
    out->queues[at] = queue;
  }
  out->longest = out->queue_count ? out->queues[0].length : 0;
}
