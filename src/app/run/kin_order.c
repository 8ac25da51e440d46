// kin_order.c: streams and events of one grid's device code: what has to be over before what begins.
#include <stdlib.h>
#include <string.h>

#include "app/run/kinship.h"
#include "base/mem.h"
#include "base/table.h"

enum {
  WINDOW = 16,                         // so many of those that could be next are chosen from
  MOST_EVENTFUL = 1 << 14,             // operations, some of which wait for events: of more, all count as ordered
};

static bool is_tail(const SimDeviceOp *op) { return op->stream == SIM_STREAM_TAIL; }

// The default stream is one for the threads of a block, by all of its names; the tail stream is the grid's.
static LsKey stream_of(const SimDeviceOp *op, int number) {
  uint64_t stream = op->stream <= SIM_STREAM_PER_THREAD ? 0 : op->stream;
  return (LsKey){{stream, is_tail(op) ? 0 : op->block, stream == SIM_STREAM_FORGET ? (uint64_t)number + 1 : 0, 0}};
}

static void find_streams(KinOrder *order) {
  LsTable last = {0};                  // operation of a stream, plus 1
  for (int i = 0; i < order->count; i++) {
    LsKey key = stream_of(&order->ops[i], i);
    int *at = ls_table_at(&last, &key);
    order->previous[i] = *at - 1;
    order->stream[i] = *at ? order->stream[*at - 1] : i;
    *at = i + 1;
    order->has_waits |= order->ops[i].kind == SIM_DEVICE_WAIT && order->ops[i].after >= 0;
    order->tails += is_tail(&order->ops[i]);
  }
  ls_table_free(&last);
}

// ---- with events ---------------------------------------------------------------------------------------------------

static uint64_t *row(const KinOrder *order, int op) { return &order->before[(size_t)op * (size_t)order->words]; }

static void follow(KinOrder *order, int op, int earlier) {
  if (earlier < 0) return;
  for (int w = 0; w < order->words; w++) row(order, op)[w] |= row(order, earlier)[w];
  row(order, op)[earlier / 64] |= 1ull << earlier % 64;
}

static void find_before(KinOrder *order) {
  order->words = (order->count + 63) / 64;
  order->before = ls_alloc(sizeof *order->before * (size_t)order->count * (size_t)order->words);
  for (int i = 0; i < order->count; i++) {
    follow(order, i, order->previous[i]);
    if (order->ops[i].kind == SIM_DEVICE_WAIT) follow(order, i, order->ops[i].after);
  }
}

void kin_order_init(KinOrder *order, const SimDeviceOp *ops, int count) {
  *order = (KinOrder){.ops = ops, .count = count};
  order->previous = ls_alloc(sizeof *order->previous * (size_t)(count + 1));
  order->stream = ls_alloc(sizeof *order->stream * (size_t)(count + 1));
  find_streams(order);
  if (order->has_waits && count <= MOST_EVENTFUL) find_before(order);
}

void kin_order_fini(KinOrder *order) {
  free(order->previous);
  free(order->stream);
  free(order->before);
}

bool kin_order_is(const KinOrder *order, int first, int second) {
  if (is_tail(&order->ops[second])) return !is_tail(&order->ops[first]) || first < second;
  if (order->stream[first] == order->stream[second]) return first < second;
  if (!order->has_waits) return false;
  return order->before ? row(order, second)[first / 64] >> first % 64 & 1 : first < second;
}

// ---- what is right before a launch ---------------------------------------------------------------------------------

static int add_once(int *list, int count, int most, int value) {
  for (int i = 0; i < count; i++) if (list[i] == value) return count;
  if (count < most) list[count++] = value;
  return count;
}

int kin_order_after(const KinOrder *order, int op, int after[KIN_MOST_AFTER]) {
  int open[KIN_MOST_AFTER], left = 0, seen = 0, count = 0;   // open: ends of streams that are still followed back
  left = order->previous[op] >= 0 ? add_once(open, left, KIN_MOST_AFTER, order->previous[op]) : 0;
  while (seen < left) {
    for (int at = open[seen++]; at >= 0; at = order->previous[at]) {
      const SimDeviceOp *o = &order->ops[at];
      if (o->kind == SIM_DEVICE_LAUNCH) {
        count = add_once(after, count, KIN_MOST_AFTER, at);
        break;
      }
      if (o->kind == SIM_DEVICE_WAIT && o->after >= 0) left = add_once(open, left, KIN_MOST_AFTER, o->after);
    }
  }
  return count;
}

// ---- one after the other -------------------------------------------------------------------------------------------

typedef struct Picking {
  bool *done;
  int first, left;         // not done: the first, and how many that are not of the tail stream
  uint64_t random;
} Picking;

static bool is_ready(const KinOrder *order, int op, const Picking *p) {
  const SimDeviceOp *o = &order->ops[op];
  if (is_tail(o) && p->left) return false;
  return (order->previous[op] < 0 || p->done[order->previous[op]]) &&
         (o->kind != SIM_DEVICE_WAIT || o->after < 0 || p->done[o->after]);
}

// One of the first that are ready. There always is one: the first that is not done, or of the tail stream.
static int pick(const KinOrder *order, Picking *p) {
  int ready[WINDOW], count = 0;
  while (p->done[p->first]) p->first++;
  for (int i = p->first; i < order->count && count < WINDOW; i++)
    if (!p->done[i] && is_ready(order, i, p)) ready[count++] = i;
  p->random = p->random * 6364136223846793005ull + 1442695040888963407ull;
  return ready[(p->random >> 33) % (uint64_t)count];
}

void kin_order_pick(const KinOrder *order, uint64_t seed, int *out) {
  int at = 0;
  for (int tail = 0; tail < 2 && !seed; tail++)
    for (int i = 0; i < order->count; i++)
      if (is_tail(&order->ops[i]) == tail) out[at++] = i;
  Picking p = {.done = ls_alloc((size_t)order->count + 1), .left = order->count - order->tails, .random = seed};
  for (; at < order->count; at++) {
    out[at] = pick(order, &p);
    p.done[out[at]] = true;
    p.left -= !is_tail(&order->ops[out[at]]);
  }
  free(p.done);
}
