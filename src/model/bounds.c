// bounds.c: lanes outside of their array, from the faults of a run and the addresses of an access.
#include "model/bounds.h"
#include <stddef.h>

static bool holds(const TraceObject *object, uint64_t addr, uint64_t width) {
  return addr - object->base < object->size && width <= object->size - (addr - object->base);
}

static const TraceObject *object_of(const TraceInfo *info, uint8_t space, uint64_t addr, uint64_t width) {
  for (int i = 0; i < info->object_count; i++)
    if (info->objects[i].space == space && holds(&info->objects[i], addr, width)) return &info->objects[i];
  return NULL;
}

// The fault is told right after the access, at the line of the kernel's own file, which may be another instruction.
static bool is_of(const TraceFault *fault, const TraceEvent *event) {
  if (fault->kind != FAULT_OUT_OF_BOUNDS || fault->size == 0 || fault->space != event->space) return false;
  return fault->pc == event->pc || (fault->block == event->block && fault->step == event->step + 1);
}

// A lane that came to another array was meant for the fault's own; what is in no array at all ends the kernel.
static uint32_t strays(const TraceInfo *info, const TraceEvent *event, const TraceObject *meant) {
  uint32_t outside = 0;
  for (uint32_t left = event->mask; left; left &= left - 1) {
    int lane = __builtin_ctz(left);
    uint64_t addr = event->addr[lane];
    bool inside = meant ? holds(meant, addr, event->width) : object_of(info, event->space, addr, event->width) != NULL;
    if (!inside) outside |= 1u << lane;
  }
  return outside;
}

// Arrays of a function's local memory are one object. Of the one that is meant, the fault knows the end that was
// crossed.
static uint32_t beyond(const TraceFault *fault, const TraceEvent *event) {
  uint32_t outside = 0;
  uint64_t end = fault->addr - (uint64_t)fault->distance;
  for (uint32_t left = event->mask; left; left &= left - 1) {
    int lane = __builtin_ctz(left);
    if (fault->distance < 0 ? event->addr[lane] < end : event->addr[lane] >= end) outside |= 1u << lane;
  }
  return outside;
}

static Bounds bounds_by(const TraceInfo *info, const TraceFault *fault, const TraceEvent *event) {
  bool known = fault->object >= 0 && fault->object < info->object_count;
  Bounds b = {.object = known ? &info->objects[fault->object] : NULL};
  const TraceObject *there = object_of(info, fault->space, fault->addr, (uint64_t)fault->size);
  if (there && there == b.object) return (Bounds){.outside = beyond(fault, event)};
  bool goes_on = there && there != b.object;
  b.outside = strays(info, event, goes_on ? b.object : NULL);
  b.refused = b.outside && !goes_on;
  return b;
}

Bounds bounds_of(const TraceInfo *info, const TraceFault *faults, int fault_count, const TraceEvent *event) {
  const uint32_t kinds = 1u << TRACE_LOAD | 1u << TRACE_STORE | 1u << TRACE_ATOM;
  if (!info || !event->addr || !(kinds >> event->kind & 1)) return (Bounds){0};
  for (int i = 0; i < fault_count; i++) {
    if (!is_of(&faults[i], event)) continue;
    Bounds b = bounds_by(info, &faults[i], event);
    if (b.outside) return b;
  }
  return (Bounds){0};
}
