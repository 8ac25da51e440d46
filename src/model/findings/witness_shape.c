// witness_shape.c: accesses of an instruction, each distinct one once, with what it costs and what it had to.
#include "model/findings/witness_shape.h"

#include "base/mem.h"
#include "model/bank.h"
#include "model/coal.h"

// By as much an access may be moved without a change of what it costs: a word of each bank, a sector.
static uint64_t unit_of(const TraceEvent *event) { return event->space == TRACE_SHARED ? 128 : COAL_SECTOR; }

static uint64_t hash_of(const TraceEvent *event) {
  uint64_t base = event->addr[__builtin_ctz(event->mask)],
           hash = base % unit_of(event) + event->mask * 0x9e3779b97f4a7c15u;
  for (uint32_t left = event->mask; left; left &= left - 1)
    hash = (hash ^ (event->addr[__builtin_ctz(left)] - base)) * 0xff51afd7ed558ccdu;
  return hash ^ hash >> 32;
}

static int queue_of(const TraceEvent *event) {
  return __builtin_popcount(event->mask) - coal_distinct(event->mask, event->addr) + 1;
}

// Lanes that want few words, each for many of them: a warp of several rows of threads wants a word for each row, and
// these cannot lie together.
enum { LISTENERS = 8 };
static bool is_broadcast(const TraceEvent *event, int bytes) {
  return bytes * LISTENERS <= __builtin_popcount(event->mask) * event->width;
}

// The lanes that take part are in step, from the start of a sector on: what is missing is what lanes would want that
// take none.
static bool is_in_step(const TraceEvent *event) {
  int first = __builtin_ctz(event->mask);
  uint64_t start = event->addr[first] - (uint64_t)first * event->width, off = start % COAL_SECTOR;
  for (uint32_t left = event->mask; left; left &= left - 1)
    off |= event->addr[__builtin_ctz(left)] ^ (start + (uint64_t)__builtin_ctz(left) * event->width);
  return off == 0;
}

// What an access costs, and the least that one with as many bytes could.
static void measure(const TraceEvent *event, WitnessShape *shape) {
  shape->least = 1;
  if (event->kind == TRACE_ATOM) shape->units = queue_of(event);
  else if (event->space == TRACE_SHARED)
    shape->units = bank_count(event->kind == TRACE_LOAD, event->mask, event->width, event->addr, &shape->least);
  else if (event->space == TRACE_CONST) shape->units = coal_distinct(event->mask, event->addr);
  else {
    shape->units = coal_measure(event->mask, event->width, event->addr, &shape->bytes);
    shape->least = (shape->bytes + COAL_SECTOR - 1) / COAL_SECTOR;
    if (is_broadcast(event, shape->bytes) || is_in_step(event)) shape->excused = shape->units - shape->least;
  }
}

static void count_shape(WitnessSite *site, const WitnessShape *shape) {
  site->units += (uint64_t)shape->units;
  site->least += (uint64_t)shape->least;
  site->bytes += (uint64_t)shape->bytes;
  site->excused += (uint64_t)shape->excused;
}

void witness_take_shape(WitnessSite *site, const TraceEvent *event) {
  uint64_t hash = hash_of(event);
  for (int i = site->shape_count - 1; i >= 0; i--) {
    WitnessShape *shape = &site->shapes[i];
    if (shape->hash != hash) continue;
    shape->count++;
    count_shape(site, shape);
    return;
  }
  WitnessShape shape = {.count = 1, .hash = hash, .mask = event->mask, .warp = event->warp};
  measure(event, &shape);
  count_shape(site, &shape);
  if (site->shape_count == WITNESS_SHAPES) {
    site->unshaped++;
    return;
  }
  for (int i = 0; i < 32; i++) shape.addr[i] = event->mask >> i & 1 ? event->addr[i] : 0;
  LS_PUSH(site->shapes, site->shape_count, site->shape_capacity, shape);
}
