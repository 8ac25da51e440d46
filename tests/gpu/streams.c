// streams.c: folds the events of each warp into numbers as they come, and finds where two such streams part.
#include "streams.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/mem.h"

static uint64_t mix(uint64_t hash, uint64_t value) {
  hash ^= value + 0x9e3779b97f4a7c15ull + (hash << 6) + (hash >> 2);
  return hash * 0xff51afd7ed558ccdull ^ hash >> 31;
}

// An address of global memory as the object that holds it and the byte in it.
static uint64_t place_of(const TraceInfo *info, const TraceEvent *event, uint64_t addr) {
  if (event->space != TRACE_GLOBAL) return addr;
  for (int i = 0; i < info->object_count; i++) {
    const TraceObject *object = &info->objects[i];
    if (object->space != TRACE_GLOBAL || addr < object->base || addr - object->base >= object->size) continue;
    uint64_t name = object->arg >= 0 ? (uint64_t)object->arg : 1000 + strlen(object->name);
    return mix(name, addr - object->base);
  }
  return addr;
}

static uint64_t lane_hash(const Streams *streams, const TraceEvent *event, int lane) {
  uint64_t hash = mix(event->kind, (uint64_t)event->pc);
  bool is_param = event->space == TRACE_PARAM || event->space == TRACE_CONST;
  bool is_access = event->kind == TRACE_LOAD || event->kind == TRACE_STORE || event->kind == TRACE_ATOM;
  if (is_access && event->addr && !is_param) hash = mix(hash, place_of(streams->info, event, event->addr[lane]));
  if (event->kind == TRACE_SHUFFLE && event->source) hash = mix(hash, event->source[lane]);
  if (event->kind == TRACE_BRANCH) hash = mix(hash, event->taken >> lane & 1);
  if (!(event->flags & TRACE_VALUES)) return hash;
  if (event->value) hash = mix(hash, event->value[lane]);
  if (event->result && event->kind != TRACE_ATOM) hash = mix(hash, event->result[lane]);
  return hash;
}

static uint64_t shared_hash(const TraceEvent *event) {
  enum { KEPT = TRACE_DIVERGES | TRACE_RETURNS_OLD | TRACE_VALUES, OF_CLUSTER = 16 };
  // Whether a warp waits at a cluster's barrier is a matter of which comes last.
  bool waits_surely = event->kind == TRACE_BARRIER && event->barrier_id != OF_CLUSTER;
  uint64_t hash = mix(event->flags & (KEPT | (waits_surely ? TRACE_BAR_ARRIVE : 0)), event->members);
  if (event->kind == TRACE_LOAD || event->kind == TRACE_STORE || event->kind == TRACE_ATOM)
    hash = mix(mix(hash, event->space), event->width);
  if (event->kind == TRACE_BRANCH) hash = mix(mix(hash, (uint64_t)event->target), (uint64_t)event->reconverge);
  if (event->kind == TRACE_BARRIER) hash = mix(hash, event->barrier_id);
  return hash;
}

static void begin_block(TraceSink *sink, uint32_t block, bool recorded) {
  Streams *streams = (Streams *)sink;
  if (recorded && block < streams->blocks && !streams->of_block[block])
    streams->of_block[block] = ls_alloc(sizeof(Stream) * streams->warps);
}

static void push(TraceSink *sink, const TraceEvent *event) {
  Streams *streams = (Streams *)sink;
  if (event->block >= streams->blocks || !streams->of_block[event->block] || event->warp >= streams->warps) return;
  if (event->kind == TRACE_FAULT || event->kind == TRACE_NOTE) return;
  Stream *stream = &streams->of_block[event->block][event->warp];
  StreamEvent mine = {.pc = event->pc, .kind = event->kind, .active = event->active, .mask = event->mask,
                      .hash = shared_hash(event)};
  for (int lane = 0; lane < 32; lane++) {
    if (!(event->mask >> lane & 1)) continue;
    uint64_t hash = lane_hash(streams, event, lane);
    stream->lanes[lane] = mix(stream->lanes[lane], hash);
    mine.hash = mix(mine.hash, mix(hash, (uint64_t)lane));
  }
  LS_PUSH(stream->events, stream->count, stream->capacity, mine);
}

void streams_init(Streams *streams, const TraceInfo *info, const Launch *launch) {
  *streams = (Streams){.sink = {.begin_block = begin_block, .event = push}, .info = info, .warps = launch_warps(launch),
                       .blocks = (uint32_t)launch_blocks(launch)};
  streams->of_block = ls_alloc(sizeof *streams->of_block * ((size_t)streams->blocks + 1));
}

void streams_fini(Streams *streams) {
  for (uint32_t b = 0; b < streams->blocks; b++) {
    for (uint32_t w = 0; streams->of_block[b] && w < streams->warps; w++) free(streams->of_block[b][w].events);
    free(streams->of_block[b]);
  }
  free(streams->of_block);
  *streams = (Streams){0};
}

// ---- comparing -----------------------------------------------------------------------------------------------------

static bool same_event(const StreamEvent *a, const StreamEvent *b) {
  return a->pc == b->pc && a->kind == b->kind && a->active == b->active && a->mask == b->mask && a->hash == b->hash;
}

static void describe(const Stream *stream, int at, char *out, size_t size) {
  if (at >= stream->count) {
    snprintf(out, size, "has ended");
    return;
  }
  const StreamEvent *e = &stream->events[at];
  snprintf(out, size, "%s at pc %d, active %08x, mask %08x, content %016llx", trace_kind_name((TraceKind)e->kind), e->pc, e->active,
           e->mask,
           (unsigned long long)e->hash);
}

// Where two streams part; -1: nowhere.
static int parting(const Stream *a, const Stream *b) {
  int both = LS_MIN(a->count, b->count);
  for (int i = 0; i < both; i++)
    if (!same_event(&a->events[i], &b->events[i])) return i;
  return a->count == b->count ? -1 : both;
}

void streams_compare(const Streams *one, const char *one_name, const Streams *two, const char *two_name, StreamsCompared *out) {
  static const Stream nothing;
  char what[2][128];
  *out = (StreamsCompared){0};
  for (uint32_t b = 0; b < one->blocks; b++) {
    for (uint32_t w = 0; (one->of_block[b] || two->of_block[b]) && w < one->warps; w++) {
      const Stream *x = one->of_block[b] ? &one->of_block[b][w] : &nothing, *y = two->of_block[b] ? &two->of_block[b][w] : &nothing;
      int at = parting(x, y);
      out->warps++;
      out->events += (uint64_t)x->count;
      out->equal += at < 0;
      if (at < 0) continue;
      out->equal_by_lane += memcmp(x->lanes, y->lanes, sizeof x->lanes) == 0;
      if (out->first[0]) continue;
      describe(x, at, what[0], sizeof what[0]);
      describe(y, at, what[1], sizeof what[1]);
      snprintf(out->first, sizeof out->first, "block %u, warp %u, event %d: %s %s; %s %s", b, w, at, one_name, what[0], two_name,
               what[1]);
    }
  }
}
