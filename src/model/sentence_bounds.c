// sentence_bounds.c: sentences about accesses of which lanes are outside of their array.
#include <string.h>
#include "base/mem.h"
#include "model/sentence_parts.h"

typedef struct Range { uint64_t lowest, highest; } Range;

static Range range_of(const TraceEvent *e, uint32_t lanes) {
  Range r = {UINT64_MAX, 0};
  for (; lanes; lanes &= lanes - 1) {
    uint64_t at = e->addr[__builtin_ctz(lanes)];
    r.lowest = LS_MIN(r.lowest, at);
    r.highest = LS_MAX(r.highest, at);
  }
  return r;
}

// Bytes from the start of the array. Offsets in shared and local memory are 32 bits wide, and go below zero.
static int64_t offset_of(const Sentence *s, uint64_t addr) {
  uint64_t offset = addr - s->bounds.object->base;
  bool narrow = s->event->space == TRACE_SHARED || s->event->space == TRACE_LOCAL;
  return narrow ? (int32_t)(uint32_t)offset : (int64_t)offset;
}

static const char *verb_of(const TraceEvent *e) {
  return e->kind == TRACE_STORE ? "write" : e->kind == TRACE_ATOM ? "update" : "read";
}

// Elements count from the start of the array on both sides of it; -1 is the one before it.
static void say_element(const Sentence *s, long long offset) {
  const TraceObject *array = s->bounds.object;
  uint64_t unit = say_unit(array, s->event->width);
  if (unit == 0 || offset % (long long)unit) ls_text_addf(s->out, "byte %lld of %s", offset, array->name);
  else if (strchr(array->name, ' ')) ls_text_addf(s->out, "element %lld of %s", offset / (long long)unit, array->name);
  else ls_text_addf(s->out, "%s[%lld]", array->name, offset / (long long)unit);
}

// "outside of x, which has 1,000 elements: x[1000] to x[1023]."
static void say_where(const Sentence *s) {
  const TraceObject *array = s->bounds.object;
  uint64_t unit = say_unit(array, s->event->width);
  int64_t lowest = INT64_MAX, highest = INT64_MIN;
  char digits[32];
  for (uint32_t left = s->bounds.outside; left; left &= left - 1) {
    int64_t offset = offset_of(s, s->event->addr[__builtin_ctz(left)]);
    lowest = LS_MIN(lowest, offset);
    highest = LS_MAX(highest, offset);
  }
  ls_text_addf(s->out, " outside of %s, which has ", array->name);
  if (unit)
    ls_text_addf(s->out, "%s element%s: ", ls_group_digits(array->size / unit, digits),
                 say_s((int64_t)(array->size / unit)));
  else ls_text_addf(s->out, "%s bytes: ", ls_group_digits(array->size, digits));
  say_element(s, lowest);
  if (highest != lowest) ls_text_add(s->out, " to "), say_element(s, highest);
  ls_text_addc(s->out, '.');
}

static void say_address(const Sentence *s, Range r) {
  ls_text_add(s->out, s->bounds.refused ? " where no array is: " : " outside of the array that is meant: ");
  say_range(s, r.lowest, r.highest);
  ls_text_addc(s->out, '.');
}

void say_bounds(const Sentence *s) {
  const TraceEvent *e = s->event;
  uint32_t outside = s->bounds.outside, inside = e->mask & ~outside;
  Range r = range_of(e, outside);
  bool one_inside = say_count(inside) == 1;
  say_who(s->out, outside);
  ls_text_addf(s->out, " %s%s", verb_of(e), say_verb(outside));
  if (s->bounds.object) say_where(s);
  else say_address(s, r);
  if (s->bounds.refused) {
    ls_text_add(s->out, " The emulator ends the kernel here; a GPU may do so too, or go on with whatever is there.");
  } else {
    const char *what = e->kind == TRACE_LOAD ? "reads what is there" : "overwrites it";
    ls_text_addf(s->out, " That is memory of something else: a device %s without a word.", what);
  }
  if (!inside) return;
  ls_text_addf(s->out, one_inside ? " The other, " : " The other %d, ", say_count(inside));
  r = range_of(e, inside);
  sentence_lanes(inside, s->out);
  ls_text_addf(s->out, ", %s inside: ", one_inside ? "is" : "are");
  say_range(s, r.lowest, r.highest);
  ls_text_addc(s->out, '.');
}
