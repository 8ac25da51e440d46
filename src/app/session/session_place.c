// session_place.c: keeps a place from run to run: the n-th visit of a line by a warp. Another block size or another
// cut changes steps, but not what people call "there".
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/session/session_parts.h"
#include "base/file.h"

// So many events are read to count visits; beyond, a place is told by how far it is.
enum { PLACE_EVENTS = 2000000 };

// The visits of the warps of a block: every time a warp came to another source line. Sorted by step.
typedef struct Visit { uint64_t step; int key, ordinal; } Visit;
typedef struct WarpTimeline { Visit *visits; int count, capacity; } WarpTimeline;
struct SesTimeline { uint32_t block; WarpTimeline warps[32]; };

void timeline_free(SesTimeline *timeline) {
  for (int w = 0; timeline && w < 32; w++) free(timeline->warps[w].visits);
  free(timeline);
}

static const TraceBlock *find_block(Session *session, uint32_t number) {
  int count;
  const TraceBlock *blocks = trace_blocks(session->run->trace, &count);
  for (int i = 0; i < count; i++)
    if (blocks[i].block == number && blocks[i].count) return &blocks[i];
  for (int i = 0; i < count; i++)
    if (blocks[i].count) return &blocks[i];
  return NULL;
}

// counts and last: of every line and of every warp, while the events of a block go by.
static void note_event(const SesCode *code, SesTimeline *timeline, const TraceEvent *event, int *counts, int last[32]) {
  if (event->warp >= 32) return;
  int key = code_key(code, event->pc), w = event->warp;
  if (key < 0 || key == last[w]) return;
  last[w] = key;
  WarpTimeline *warp = &timeline->warps[w];
  Visit visit = {event->step, key, counts[w * code_count(code) + key]++};
  LS_PUSH(warp->visits, warp->count, warp->capacity, visit);
}

static const WarpTimeline *timeline_of(Session *session, const TraceBlock *block, int warp) {
  const SesCode *code = session->code;
  SesTimeline *all = session->timeline;
  if (all && all->block == block->block) return &all->warps[warp];
  timeline_free(all);
  all = session->timeline = ls_alloc(sizeof *all);
  all->block = block->block;
  int *counts = ls_alloc(sizeof *counts * 32 * (size_t)(code_count(code) + 1)), last[32];
  for (int w = 0; w < 32; w++) last[w] = -1;
  TraceEvent event;
  uint64_t end = block->first + LS_MIN(block->count, (uint64_t)PLACE_EVENTS);
  for (uint64_t step = block->first; step < end; step++)
    if (trace_event(session->run->trace, step, &event, NULL)) note_event(code, all, &event, counts, last);
  free(counts);
  return &all->warps[warp];
}

// The last visit that began at or before a step; -1 if there is none.
static int visit_at(const WarpTimeline *index, uint64_t step) {
  int low = 0, high = index->count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (index->visits[middle].step <= step) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

static const char *file_name(Session *session, int file) {
  const TraceInfo *info = ses_info(session);
  bool known = file >= 0 && file < info->source_count && info->sources[file].path;
  return known ? ls_path_base(info->sources[file].path) : "";
}

// Events of the warp from the start of a visit to a step.
static int events_between(Session *session, uint64_t from, uint64_t to, const Place *place) {
  TraceQuery query;
  trace_query_init(&query);
  query.block = place->block;
  query.warp = place->warp;
  int count = 0;
  while (count < 1000 && ses_search(session, from, 1, &query, &from) && from <= to) count++;
  return count;
}

void ses_place_save(Session *session, Place *place) {
  *place = (Place){.block = session->block, .warp = session->warp};
  if (session->steps == 0) return;
  const TraceBlock *block = ses_block(session);
  if (!block) return;
  place->relative = (double)(session->step - block->first) / (double)LS_MAX(block->count, 1);
  const WarpTimeline *index = timeline_of(session, block, session->warp);
  int at = visit_at(index, session->step);
  if (at < 0 || session->step - block->first >= PLACE_EVENTS) return;
  const Visit *visit = &index->visits[at];
  place->by_line = true;
  place->line = code_line(session->code, visit->key);
  place->ordinal = visit->ordinal;
  snprintf(place->file, sizeof place->file, "%s", file_name(session, code_file(session->code, visit->key)));
  place->offset = events_between(session, visit->step, session->step, place);
}

// So many events of the warp on, but not into the next line.
static uint64_t walk(Session *session, uint64_t step, uint64_t end, const Place *place, const TraceBlock *block) {
  TraceQuery query;
  uint64_t found;
  trace_query_init(&query);
  query.block = block->block;
  query.warp = place->warp;
  for (int i = 0; i < place->offset && ses_search(session, step, 1, &query, &found) && found < end; i++) step = found;
  return step;
}

uint64_t ses_place_find(Session *session, const Place *place) {
  if (session->steps == 0) return 0;
  const TraceBlock *block = find_block(session, place->block);
  if (!block) return 0;
  Place here = *place;
  here.warp = LS_MIN(place->warp, ses_warps(session) - 1);
  uint64_t by_share = block->first + LS_MIN((uint64_t)(place->relative * (double)block->count), block->count - 1);
  if (!place->by_line) return by_share;
  const WarpTimeline *index = timeline_of(session, block, here.warp);
  int best = -1;
  for (int i = 0; i < index->count; i++) {
    const Visit *visit = &index->visits[i];
    const char *file = file_name(session, code_file(session->code, visit->key));
    if (code_line(session->code, visit->key) != place->line || strcmp(file, place->file) != 0) continue;
    best = i;
    if (visit->ordinal >= place->ordinal) break;
  }
  if (best < 0) return by_share;
  uint64_t end = best + 1 < index->count ? index->visits[best + 1].step : block->first + block->count;
  return walk(session, index->visits[best].step, end, &here, block);
}
