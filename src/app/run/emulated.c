// emulated.c: goes through a block in the emulator once, and then through the same block in the trace.
#include "app/run/emulated.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"

enum { WARPS = 32, SLICE = 20000, SPARE = 4096, MOST_MARKS = 8 << 20 };

typedef struct Mark { uint32_t event; int32_t pc; uint32_t active; } Mark;   // what a warp did, and at which event of the block
typedef struct MarkList { Mark *marks; int count, capacity; uint64_t agree; } MarkList;   // agree: events that are the same

struct Emulated {
  TraceSink sink;             // first: takes the emulator's events
  bool begun;
  uint32_t block;
  uint64_t told, limit;       // events of the emulator so far, and at most
  bool ended;                 // it has no more
  uint64_t compared;          // events of the trace
  MarkList warps[WARPS];
  uint64_t seen[WARPS];       // events of the trace, by warp
  bool astray[WARPS];
};

static void clear(Emulated *emulated) {
  for (int w = 0; w < WARPS; w++) free(emulated->warps[w].marks);
  TraceSink sink = emulated->sink;
  *emulated = (Emulated){.sink = sink};
}

static void on_event(TraceSink *sink, const TraceEvent *event) {
  Emulated *emulated = (Emulated *)sink;
  uint64_t number = emulated->told++;
  if (trace_kind_is_fault(event->kind) || event->warp >= WARPS) return;   // a GPU tells of none in passing
  MarkList *list = &emulated->warps[event->warp];
  LS_PUSH(list->marks, list->count, list->capacity, ((Mark){(uint32_t)number, event->pc, event->active}));
}

Emulated *emulated_new(void) {
  Emulated *emulated = ls_alloc(sizeof *emulated);
  emulated->sink.event = on_event;
  return emulated;
}

void emulated_free(Emulated *emulated) {
  if (!emulated) return;
  clear(emulated);
  free(emulated);
}

// ---- the two passes ------------------------------------------------------------------------------------------------

static bool not_yet(LsErr *err) { return ls_fail(err, LS_ECANCEL, "the emulator is on the way there"); }

static bool listen(Emulated *emulated, SimReplay *replay, double deadline, LsErr *err) {
  while (!emulated->ended && emulated->told < emulated->limit) {
    uint64_t before = emulated->told;
    if (!sim_replay_emit(replay, emulated->block, before, SLICE, &emulated->sink, err)) return false;
    emulated->ended = emulated->told - before < SLICE;
    if (deadline > 0 && ls_clock() > deadline) return not_yet(err);
  }
  return true;
}

static void compare_event(Emulated *emulated, const TraceEvent *event) {
  if (event->warp >= WARPS || trace_kind_is_fault(event->kind)) return;
  MarkList *list = &emulated->warps[event->warp];
  uint64_t number = emulated->seen[event->warp]++;
  const Mark *mark = number < (uint64_t)list->count ? &list->marks[number] : NULL;
  if (!mark || mark->pc != event->pc || mark->active != event->active) emulated->astray[event->warp] = true;
  if (!emulated->astray[event->warp]) list->agree = number + 1;
}

static bool compare(Emulated *emulated, Trace *trace, const TraceBlock *block, double deadline, LsErr *err) {
  for (; emulated->compared < block->count; emulated->compared++) {
    TraceEvent event;
    if (deadline > 0 && emulated->compared % SLICE == 0 && ls_clock() > deadline) return not_yet(err);
    if (!trace_event(trace, block->first + emulated->compared, &event, err)) return false;
    compare_event(emulated, &event);
  }
  return true;
}

static void begin(Emulated *emulated, const TraceBlock *block) {
  if (emulated->begun && emulated->block == block->block) return;
  clear(emulated);
  emulated->begun = true;
  emulated->block = block->block;
  emulated->limit = block->count > MOST_MARKS / 2 ? MOST_MARKS : 2 * block->count + SPARE;
}

bool emulated_find(Emulated *emulated, SimReplay *replay, Trace *trace, const TraceBlock *block, int warp, uint64_t count,
                   double seconds, uint64_t *event, LsErr *err) {
  double deadline = seconds > 0 ? ls_clock() + seconds : 0;
  begin(emulated, block);
  if (!listen(emulated, replay, deadline, err) || !compare(emulated, trace, block, deadline, err)) return false;
  const MarkList *list = &emulated->warps[LS_CLAMP(warp, 0, WARPS - 1)];
  if (count > list->agree)
    return ls_fail(err, LS_EUNSUPPORTED,
                   "not known: a GPU does not tell values, and the emulator went another way than warp %d here, from its "
                   "event %" PRIu64 " on", warp, list->agree + 1);
  *event = count ? list->marks[count - 1].event : UINT64_MAX;
  return true;
}
