// touched.c: marks per byte, and an instruction per word.
#include "app/run/touched.h"

#include <stdlib.h>
#include "base/mem.h"

enum { READ = 1, WRITTEN = 2 };

typedef struct Marks {
  uint64_t base, size;           // addresses; size 0: the launch cannot reach it
  uint8_t *marks;                // per byte, made when it is first touched
  int32_t *pcs;                  // per 4 bytes, plus 1
} Marks;

struct Touched {
  TraceSink sink;
  Marks *buffers;
  int count, last;
};

static Touched *touched_of(TraceSink *sink) { return (Touched *)(void *)sink; }   // sink is its first member

static Marks *marks_at(Touched *t, uint64_t addr) {
  for (int k = 0; k < t->count; k++) {
    int i = (t->last + k) % t->count;
    Marks *m = &t->buffers[i];
    if (addr < m->base || addr - m->base >= m->size) continue;
    t->last = i;
    return m;
  }
  return NULL;
}

static void touch(Marks *m, uint64_t first, uint64_t size, uint8_t mark, int32_t pc) {
  if (!m->marks) {
    m->marks = ls_alloc(m->size + 1);
    m->pcs = ls_alloc(sizeof *m->pcs * (m->size / 4 + 1));
  }
  for (uint64_t i = first; i < LS_MIN(first + size, m->size); i++) {
    if (mark == WRITTEN || !(m->marks[i] & WRITTEN)) m->pcs[i / 4] = pc + 1;
    m->marks[i] |= mark;
  }
}

static void on_access(TraceSink *sink, const TraceEvent *event) {
  Touched *t = touched_of(sink);
  bool is_access = event->kind == TRACE_LOAD || event->kind == TRACE_STORE || event->kind == TRACE_ATOM;
  if (!is_access || event->space != TRACE_GLOBAL || !event->addr) return;
  uint8_t mark = event->kind == TRACE_LOAD ? READ : WRITTEN;
  for (int lane = 0; lane < 32; lane++) {
    if (!(event->mask >> lane & 1)) continue;
    Marks *m = marks_at(t, event->addr[lane]);
    if (m) touch(m, event->addr[lane] - m->base, event->width, mark, event->pc);
  }
}

Touched *touched_new(const HostProgram *program, const TraceInfo *info, int first_arg) {
  Touched *t = ls_alloc(sizeof *t);
  *t = (Touched){.sink = {.access = on_access}, .count = program->buffer_count};
  t->buffers = ls_alloc(sizeof *t->buffers * (size_t)(program->buffer_count + 1));
  for (int i = 0; i < info->object_count; i++) {
    const TraceObject *o = &info->objects[i];
    if (o->space != TRACE_GLOBAL || o->arg < first_arg || o->arg >= first_arg + program->buffer_count) continue;
    t->buffers[o->arg - first_arg] = (Marks){.base = o->base, .size = o->size};
  }
  return t;
}

void touched_free(Touched *t) {
  if (!t) return;
  for (int i = 0; i < t->count; i++) {
    free(t->buffers[i].marks);
    free(t->buffers[i].pcs);
  }
  free(t->buffers);
  free(t);
}

TraceSink *touched_sink(Touched *t) { return &t->sink; }

uint64_t touched_meet(const Touched *a, const Touched *b, int buffer, uint64_t from) {
  const Marks *x = &a->buffers[buffer], *y = &b->buffers[buffer];
  for (uint64_t i = from; x->marks && y->marks && i < LS_MIN(x->size, y->size); i++)
    if (x->marks[i] && y->marks[i] && ((x->marks[i] | y->marks[i]) & WRITTEN)) return i;
  return UINT64_MAX;
}

uint64_t touched_meet_range(const Touched *a, int buffer, uint64_t first, uint64_t size, bool range_writes) {
  const Marks *x = &a->buffers[buffer];
  for (uint64_t i = first; x->marks && i < LS_MIN(first + size, x->size); i++)
    if (x->marks[i] && (range_writes || x->marks[i] & WRITTEN)) return i;
  return UINT64_MAX;
}

bool touched_writes(const Touched *t, int buffer, uint64_t byte) {
  const Marks *m = &t->buffers[buffer];
  return m->marks && byte < m->size && m->marks[byte] & WRITTEN;
}

int32_t touched_pc(const Touched *t, int buffer, uint64_t byte) {
  const Marks *m = &t->buffers[buffer];
  return m->pcs && byte < m->size ? m->pcs[byte / 4] - 1 : -1;
}
