// of_run_spaces.c: an access of a run as the pointers of its lanes: into which window each of them points.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/models/of_run_parts.h"
#include "app/models/spaces.h"
#include "base/mem.h"
#include "sim/core/memory.h"

// One instruction of a warp: a generic one that goes to several windows is several events in a row.
typedef struct Access {
  int kind, width;
  uint32_t block; int warp, pc;
  bool generic;
  uint32_t seen;                          // lanes that have a pointer
  SpaceWindow window[SPACES_LANES];
  uint64_t offset[SPACES_LANES];          // from the window's start
  const char *name[SPACES_LANES];         // borrowed of the run; NULL: not known
} Access;

static bool is_access(const TraceEvent *event) {
  bool kind = event->kind == TRACE_LOAD || event->kind == TRACE_STORE || event->kind == TRACE_ATOM;
  bool space = event->space == TRACE_GLOBAL || event->space == TRACE_SHARED || event->space == TRACE_LOCAL;
  return kind && space && event->mask && event->addr;
}

static SpaceWindow window_of(int space) {
  return space == TRACE_GLOBAL ? WINDOW_GLOBAL : space == TRACE_SHARED ? WINDOW_SHARED : WINDOW_LOCAL;
}

static const char *name_at(const Run *run, int space, uint64_t addr) {
  for (int i = 0; i < run->info.object_count; i++) {
    const TraceObject *object = &run->info.objects[i];
    if (object->space == space && addr >= object->base && addr - object->base < object->size) return object->name;
  }
  return NULL;
}

static void add_event(const Run *run, const TraceEvent *event, Access *out) {
  out->kind = event->kind, out->width = event->width;
  out->block = event->block, out->warp = event->warp, out->pc = event->pc;
  out->generic = event->flags & TRACE_GENERIC_ACCESS;
  for (int lane = 0; lane < SPACES_LANES; lane++) {
    if (!(event->mask >> lane & 1)) continue;
    uint64_t addr = run_replay_address(run, (TraceSpace)event->space, event->addr[lane]);
    out->seen |= 1u << lane;
    out->window[lane] = window_of(event->space);
    out->offset[lane] = event->space == TRACE_GLOBAL ? addr - SIM_GLOBAL_BASE : addr;
    out->name[lane] = name_at(run, event->space, event->addr[lane]);
  }
}

static bool goes_on(const Access *access, const TraceEvent *event) {
  return is_access(event) && event->block == access->block && event->warp == access->warp && event->pc == access->pc &&
         event->kind == access->kind && !(event->mask & access->seen);
}

// The access that the event at `step` is a part of; false: it is none.
static bool read_access(Run *run, uint64_t step, Access *out) {
  TraceEvent event;
  *out = (Access){0};
  if (!trace_event(run->trace, step, &event, NULL) || !is_access(&event)) return false;
  add_event(run, &event, out);
  for (uint64_t at = step; at-- > 0 && trace_event(run->trace, at, &event, NULL) && goes_on(out, &event);)
    add_event(run, &event, out);
  uint64_t steps = trace_steps(run->trace);
  for (uint64_t at = step + 1; at < steps && trace_event(run->trace, at, &event, NULL) && goes_on(out, &event); at++)
    add_event(run, &event, out);
  return true;
}

// How much there is to see: lanes in several windows, then a plain pointer, then any access.
static int worth(const Access *access) {
  bool several = false;
  int first = __builtin_ctz(access->seen);
  for (int lane = first; lane < SPACES_LANES; lane++)
    several |= (access->seen >> lane & 1) && access->window[lane] != access->window[first];
  return several ? 3 : access->generic ? 2 : 1;
}

static bool find_access(Run *run, int64_t step, Access *out, LsErr *err) {
  enum { LOOKED_AT = 200000, MOST_WORTH = 3 };
  if (!run->trace) return ls_fail(err, LS_EREQUEST, "no block of this run is recorded, so its pointers are not known");
  if (step >= 0 && read_access(run, (uint64_t)step, out)) return true;
  uint64_t steps = LS_MIN(trace_steps(run->trace), LOOKED_AT);
  int best = 0;
  Access access;
  for (uint64_t at = 0; at < steps && best < MOST_WORTH; at++)
    if (read_access(run, at, &access) && worth(&access) > best) best = worth(&access), *out = access;
  return best || ls_fail(err, LS_EREQUEST, "no lane of this run uses a pointer into global, shared or local memory");
}

static void write_access(const Access *access, LsText *out) {
  static const char letters[WINDOW_COUNT] = {'l', 's', 'g'};
  bool named[WINDOW_COUNT] = {false};
  const char *what = access->kind == TRACE_LOAD ? "ld" : access->kind == TRACE_STORE ? "st" : "atom";
  ls_text_addf(out, "%s%d", what, access->width);
  int last = 31 - __builtin_clz(access->seen);
  for (int lane = 0; lane <= last; lane++) {
    SpaceWindow w = access->window[lane];
    if (!(access->seen >> lane & 1)) {
      ls_text_add(out, " -");
      continue;
    }
    ls_text_addf(out, " %c%" PRIx64, letters[w], access->offset[lane]);
    bool tells = access->name[lane] && !named[w] && !strpbrk(access->name[lane], " =");
    if (tells) ls_text_addf(out, "=%.*s", SPACES_NAME - 1, access->name[lane]);
    named[w] |= tells;
  }
}

bool of_run_spaces(const Model *model, Run *run, int64_t step, ModelValues *values, LsErr *err) {
  Access access;
  LsText text = {0};
  if (!find_access(run, step, &access, err)) return false;
  write_access(&access, &text);
  bool ok = of_run_word(model, values, "pointers", "run", err) &&
            of_run_word(model, values, "access", ls_text_str(&text), err);
  ls_text_free(&text);
  return ok;
}
