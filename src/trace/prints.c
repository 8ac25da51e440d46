// prints.c: what the kernel printed as bytes and back.
#include "trace/prints.h"

#include <stdlib.h>
#include <string.h>
#include "base/mem.h"
#include "trace/format.h"

void trace_prints_fini(TracePrints *prints) {
  for (int i = 0; i < prints->count; i++) free(prints->items[i].text);
  free(prints->items);
  *prints = (TracePrints){0};
}

void trace_prints_set(TracePrints *prints, const TracePrint *items, int count) {
  trace_prints_fini(prints);
  prints->items = ls_alloc(((size_t)count + 1) * sizeof *items);
  prints->count = count;
  for (int i = 0; i < count; i++) {
    prints->items[i] = items[i];
    prints->items[i].text = ls_strdup(items[i].text ? items[i].text : "");
  }
}

void trace_put_prints(TraceBytes *bytes, const TracePrints *prints) {
  for (int i = 0; i < prints->count; i++) {
    const TracePrint *print = &prints->items[i];
    trace_put_varint(bytes, print->block);
    trace_put_varint(bytes, print->thread);
    trace_put_varint(bytes, print->event + 1);
    trace_put_text(bytes, print->text);
  }
}

void trace_get_prints(TraceCursor *cursor, uint32_t count, TracePrints *prints) {
  trace_prints_fini(prints);
  if (count > TRACE_MOST_PRINTS || count > trace_cursor_left(cursor)) { trace_cursor_fail(cursor); return; }
  prints->items = ls_alloc(((size_t)count + 1) * sizeof *prints->items);
  for (uint32_t i = 0; i < count && !cursor->bad; i++) {
    TracePrint *print = &prints->items[prints->count++];
    print->block = (uint32_t)trace_get_bounded(cursor, UINT32_MAX);
    print->thread = (uint32_t)trace_get_bounded(cursor, 1023);
    print->event = trace_get_varint(cursor) - 1;
    print->step = UINT64_MAX;
    print->text = trace_get_text(cursor);
    if (!print->text) print->text = ls_strdup("");
  }
  if (cursor->bad) trace_prints_fini(prints);
}

void trace_prints_place(TracePrints *prints, const TraceBlock *blocks, int count) {
  int at = 0;   // what a block prints mostly comes in a row
  for (int i = 0; i < prints->count; i++) {
    TracePrint *print = &prints->items[i];
    for (int k = 0; k < count && blocks[at].block != print->block; k++) at = (at + 1) % count;
    bool here = count && blocks[at].block == print->block && print->event < blocks[at].count;
    print->step = here ? blocks[at].first + print->event : UINT64_MAX;
  }
}
