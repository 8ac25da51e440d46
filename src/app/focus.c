// focus.c: which picture of the focus pane is for which event.
#include "app/focus.h"

#include "base/mem.h"

typedef struct FocusRow { const char *name, *title; uint32_t events, others, spaces, passing; int variants; } FocusRow;

static const FocusRow rows[FOCUS_COUNT] = {
#define FOCUS(ID, name, title, events, others, spaces, passing, variants, help) \
  [FOCUS_##ID] = {#name, title, events, others, spaces, passing, variants},
#include "app/focus.def"
};

static const FocusRow none = {.name = "", .title = "", .variants = 1};

static const FocusRow *row_of(FocusKind kind) { return (int)kind >= 0 && kind < FOCUS_COUNT ? &rows[kind] : &none; }

const char *focus_name(FocusKind kind) { return row_of(kind)->name; }
const char *focus_title(FocusKind kind) { return row_of(kind)->title; }
int focus_variants(FocusKind kind) { return row_of(kind)->variants; }

static bool matches(const TraceEvent *event, uint32_t kinds, uint32_t spaces) {
  return (kinds >> event->kind & 1) && (!spaces || (spaces >> event->space & 1));
}

bool focus_of(const TraceEvent *event, FocusKind *kind) {
  for (int i = 0; i < FOCUS_COUNT; i++) {
    if (!matches(event, rows[i].events, rows[i].spaces)) continue;
    *kind = (FocusKind)i;
    return true;
  }
  return false;
}

bool focus_looks_for(FocusKind kind, const TraceEvent *event) {
  return matches(event, focus_kinds(kind), row_of(kind)->spaces);
}

bool focus_shows(FocusKind kind, const TraceEvent *event) {
  const FocusRow *row = row_of(kind);
  return matches(event, focus_kinds(kind), row->spaces ? row->spaces | row->passing : 0);
}

uint32_t focus_kinds(FocusKind kind) { return row_of(kind)->events | row_of(kind)->others; }

uint32_t focus_all_kinds(void) {
  uint32_t kinds = 0;
  for (int i = 0; i < LS_COUNT(rows); i++) kinds |= rows[i].events;
  return kinds;
}
