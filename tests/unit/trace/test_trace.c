// test_trace.c: events in, the same events out; state, searching and counting against plain loops.
#include "trace/section.h"
#include "trace/trace.h"

#include "trace_stream.h"

// ---- the same events -----------------------------------------------------------------------------------------------

static void round_trip(void) {
  for (uint32_t seed = 1; seed <= 3; seed++) {
    Stream s;
    make_stream(&s, seed);
    Trace *trace = trace_of(&s);
    int wrong = 0;
    for (int i = 0; i < s.count && wrong < 3; i++) wrong += !reads_back(trace, &s, i, 2);
    CHECK_INT(wrong, 0);
    trace_close(trace);
    free_stream(&s);
  }
}

static void random_access(void) {
  Stream s;
  make_stream(&s, 9);
  Trace *trace = trace_of(&s);
  int wrong = 0;
  for (int i = 0; i < 300 && wrong < 3; i++) wrong += !reads_back(trace, &s, (int)below(&s, (uint32_t)s.count), 2);
  for (int i = s.count - 1; i > s.count - 20000 && wrong < 3; i--) wrong += !reads_back(trace, &s, i, 2);
  CHECK_INT(wrong, 0);
  LsErr err = {0};
  TraceEvent event;
  CHECK(!trace_event(trace, (uint64_t)s.count, &event, &err));
  CHECK_STR(err.message, "there is no step 49641: the trace has 49641");
  CHECK(!trace_event(trace, UINT64_MAX, &event, NULL));
  trace_close(trace);
  free_stream(&s);
}

static void blocks(void) {
  Stream s;
  make_stream(&s, 4);
  Trace *trace = trace_of(&s);
  int count, at = -1, wrong = 0;
  const TraceBlock *list = trace_blocks(trace, &count);
  CHECK_INT(count, 84);
  for (int i = 0; i < s.count; i++) {
    if (!i || s.items[i].event.block != s.items[i - 1].event.block) {
      at++;
      wrong += list[at].block != s.items[i].event.block || list[at].first != (uint64_t)i;
    }
    wrong += trace_block_at(trace, (uint64_t)i) != at || (uint64_t)i >= list[at].first + list[at].count;
  }
  CHECK_INT(wrong, 0);
  trace_close(trace);
  free_stream(&s);
}

// Addresses that loops make must cost next to nothing.
static void regular_events_are_small(void) {
  Stream s;
  stream_init(&s, 256, 1);
  for (int i = 0; i < 100000; i++) {
    Kept kept = {.event = {.warp = (uint16_t)(i / 40 % 8), .kind = i % 4 ? TRACE_EXEC : TRACE_LOAD, .pc = i % 40, .active = ~0u,
                           .mask = ~0u, .width = 4, .target = -1, .reconverge = -1, .fault = -1}};
    for (uint64_t lane = 0; lane < 32; lane++) kept.addr[lane] = 0x7f0000000000 + (uint64_t)i * 128 + lane * 4;
    if (i % 4 == 0) kept.event.addr = kept.addr;
    kept.event.step = (uint64_t)i;
    LS_PUSH(s.items, s.count, s.capacity, kept);
  }
  size_t size;
  uint8_t *bytes = write_stream(&s, NULL, &size);
  CHECK(size < 20000);
  free(bytes);
  Trace *trace = trace_of(&s);
  int wrong = 0;
  for (int i = 0; i < s.count && wrong < 3; i++) wrong += !reads_back(trace, &s, i, 2);
  CHECK_INT(wrong, 0);
  trace_close(trace);
  free_stream(&s);
}

// ---- information ---------------------------------------------------------------------------------------------------

static void check_info(const TraceInfo *info) {
  CHECK_STR(info->device, "emu");
  CHECK(!info->device_name);
  CHECK_STR(info->profile, "h200");
  CHECK_STR(info->parameters, "");
  CHECK(info->seed == UINT64_MAX && info->budget == 1ull << 36 && info->checks == 15);
  CHECK_STR(info->ptx, ".version 8.0\n");
  CHECK_INT(info->ptx_length, 13);
  CHECK(!info->ptx_path);
  CHECK_INT(info->source_count, 2);
  CHECK_STR(info->sources[0].text, "int main;\n");
  CHECK_STR(info->sources[1].path, "gone.cuh");
  CHECK(!info->sources[1].text);
  CHECK_INT(info->object_count, 1);
  const TraceObject *object = &info->objects[0];
  CHECK_STR(object->name, "tile");
  CHECK(object->space == TRACE_SHARED && object->type == LAUNCH_F32 && object->base == 16 && object->size == 4096 &&
        object->arg == -1);
  const Launch *launch = &info->launch;
  CHECK(launch->grid[0] == 1 && launch->grid[1] == 65535 && launch->block[0] == 250 && launch->shared_bytes == 4096);
  CHECK_STR(launch->kernel, "reduce2");
  CHECK_INT(launch->arg_count, 3);
  const LaunchArg *x = &launch->args[0], *n = &launch->args[1], *data = &launch->args[2];
  CHECK(x->by_name && x->is_buffer && x->count == 1000 && x->init == LAUNCH_RANDOM && x->init_value == 12345678.0);
  CHECK_STR(x->output, "out");
  CHECK_STR(n->name, "N");
  CHECK_STR(n->text, "1000");
  CHECK(!n->is_buffer && n->scalar == 1000 && n->type == LAUNCH_I32);
  CHECK(data->init == LAUNCH_DATA && data->count == 3 && memcmp(data->data, "abcdef", 6) == 0 && !data->name);
}

static void check_faults(const Trace *trace) {
  int count;
  const TraceFault *faults = trace_faults(trace, &count);
  CHECK_INT(count, 2);
  CHECK(faults[0].kind == FAULT_RACE && faults[0].space == TRACE_SHARED && faults[0].block == 3 && faults[0].thread == 77);
  CHECK(faults[0].other_block == 3 && faults[0].other_thread == 78 && faults[0].pc == 12 && faults[0].other_pc == 14);
  CHECK(faults[0].step == 99 && faults[0].addr == 0x1234 && faults[0].object == -1 && faults[0].distance == -12);
  CHECK(faults[0].size == 4 && faults[0].count == 1000000007);
  CHECK_STR(faults[0].message, "two threads met");
  CHECK(faults[1].step == UINT64_MAX && faults[1].addr == UINT64_MAX && faults[1].distance == INT64_MIN && faults[1].size == -1);
  CHECK(faults[1].object == 2 && faults[1].pc == -1 && !faults[1].message);
  const TraceTally *tallies = trace_tallies(trace, &count);
  CHECK_INT(count, 2);
  CHECK(tallies[1].pc == 7 && tallies[1].warps == UINT64_MAX && tallies[1].lanes == 1ull << 40 &&
        tallies[1].absent == 3 && !tallies[0].absent);
}

static void information(void) {
  Stream s;
  stream_init(&s, 250, 1);
  add_block(&s, 3, 100);
  TraceInfo info;
  fill_info(&info);
  size_t size;
  uint8_t *bytes = write_stream(&s, &info, &size);
  trace_info_fini(&info);
  Trace *trace = trace_open_memory(bytes, size, NULL);
  CHECK_INT(trace_bytes(trace), size);
  check_info(trace_info(trace));
  check_faults(trace);
  trace_close(trace);
  free_stream(&s);
}

static void empty_trace(void) {
  Stream s;
  stream_init(&s, 32, 1);
  Trace *trace = trace_of(&s);
  int count;
  trace_blocks(trace, &count);
  CHECK_INT(count, 0);
  TraceEvent event;
  TraceWarp warps[32];
  TraceQuery query;
  uint64_t found;
  uint32_t counts[3 * (TRACE_KIND_COUNT + 1)];
  trace_query_init(&query);
  CHECK(!trace_event(trace, 0, &event, NULL));
  CHECK(!trace_warps(trace, 0, warps, NULL));
  CHECK(!trace_find(trace, 0, 1, &query, &found, NULL));
  CHECK(!trace_find(trace, 0, -1, &query, &found, NULL));
  CHECK(trace_overview(trace, 0, 10, 3, counts, NULL));
  CHECK_INT(counts[0], 0);
  check_faults(trace);
  trace_close(trace);
}

// ---- warps ---------------------------------------------------------------------------------------------------------

static void plain_barrier(TraceWarp *warps, int count, const TraceEvent *e) {
  TraceWarp *w = &warps[e->warp];
  if (!(e->flags & TRACE_BAR_ARRIVE)) {
    w->waiting |= e->mask;
    w->barrier_id = e->barrier_id;
  }
  for (int i = 0; i < count && e->flags & TRACE_LAST_ARRIVAL; i++)
    if (warps[i].barrier_id == e->barrier_id) warps[i].waiting = 0;
}

// The state after one more event, by the words of trace.h.
static void plain_fold(TraceWarp *warps, int count, const TraceEvent *e) {
  TraceWarp *w = &warps[e->warp];
  w->active = e->active;
  w->pc = e->pc;
  w->last_step = e->step;
  w->events++;
  for (int lane = 0; lane < 32; lane++)
    if (e->active >> lane & 1) w->lane_pc[lane] = e->pc;
  if (!trace_kind_is_fault(e->kind)) w->waiting &= ~e->active;
  if (e->kind == TRACE_EXIT) w->live &= ~e->mask;
  if (e->kind == TRACE_BARRIER) plain_barrier(warps, count, e);
}

static void plain_start(TraceWarp *warps, int count, uint32_t threads) {
  for (int w = 0; w < count; w++) {
    warps[w] = (TraceWarp){.pc = -1, .last_step = UINT64_MAX};
    for (uint32_t lane = 0; lane < 32; lane++) {
      warps[w].lane_pc[lane] = -1;
      if ((uint32_t)w * 32 + lane < threads) warps[w].live |= 1u << lane;
    }
  }
}

static bool same_warp(const TraceWarp *a, const TraceWarp *b) {
  return a->live == b->live && a->active == b->active && a->waiting == b->waiting && a->pc == b->pc &&
         memcmp(a->lane_pc, b->lane_pc, sizeof a->lane_pc) == 0 && a->barrier_id == b->barrier_id &&
         a->last_step == b->last_step && a->events == b->events;
}

static void check_warps(uint32_t threads, uint32_t seed) {
  Stream s;
  stream_init(&s, threads, seed);
  add_block(&s, 1, 700);
  add_block(&s, 2, 40000);
  add_block(&s, 3, 20);
  Trace *trace = trace_of(&s);
  int count = (int)launch_warps(&s.launch), wrong = 0;
  TraceWarp wanted[32], got[32];
  for (int i = 0; i < s.count; i++) {
    TraceEvent event = event_of(&s, i);
    if (!i || s.items[i - 1].event.block != event.block) plain_start(wanted, count, threads);
    plain_fold(wanted, count, &event);
    bool look = i % 1500 == 0 || i < 5 || i % 16384 < 2 || (i >= 698 && i < 703) || i + 3 > s.count;
    if (!look) continue;
    CHECK(trace_warps(trace, (uint64_t)i, got, NULL));
    for (int w = 0; w < count; w++) wrong += !same_warp(&got[w], &wanted[w]);
  }
  CHECK_INT(wrong, 0);
  trace_close(trace);
  free_stream(&s);
}

static void warps(void) {
  check_warps(250, 1);
  check_warps(1024, 2);
  check_warps(1, 3);
}

// Two warps at a barrier, told by hand.
static void barrier_story(void) {
  static const struct { uint16_t warp; uint8_t kind, flags; uint32_t lanes; uint32_t waiting[2], live[2]; } story[] = {
      {0, TRACE_EXEC, 0, ~0u, {0, 0}, {~0u, 0xff}},
      {0, TRACE_BARRIER, 0, ~0u, {~0u, 0}, {~0u, 0xff}},
      {1, TRACE_EXIT, 0, 0x0f, {~0u, 0}, {~0u, 0xf0}},
      {1, TRACE_BARRIER, TRACE_BAR_ARRIVE, 0xf0, {~0u, 0}, {~0u, 0xf0}},
      {1, TRACE_BARRIER, TRACE_LAST_ARRIVAL, 0xf0, {0, 0}, {~0u, 0xf0}},
      {0, TRACE_EXIT, 0, ~0u, {0, 0}, {0, 0xf0}},
  };
  Stream s;
  stream_init(&s, 40, 1);
  for (int i = 0; i < LS_COUNT(story); i++) {
    Kept kept = {.event = {.step = (uint64_t)i, .warp = story[i].warp, .kind = story[i].kind, .flags = story[i].flags, .pc = i,
                           .active = story[i].lanes, .mask = story[i].lanes}};
    LS_PUSH(s.items, s.count, s.capacity, kept);
  }
  Trace *trace = trace_of(&s);
  for (int i = 0; i < LS_COUNT(story); i++) {
    TraceWarp got[2];
    CHECK(trace_warps(trace, (uint64_t)i, got, NULL));
    for (int w = 0; w < 2; w++) {
      CHECK_INT(got[w].waiting, story[i].waiting[w]);
      CHECK_INT(got[w].live, story[i].live[w]);
    }
  }
  trace_close(trace);
  free_stream(&s);
}

// ---- searching and counting ----------------------------------------------------------------------------------------

static bool plain_match(const TraceEvent *e, const TraceQuery *q) {
  if (q->kinds && !(q->kinds & 1u << e->kind)) return false;
  if (q->pc_first >= 0 && e->pc < q->pc_first) return false;
  if (q->pc_last >= 0 && e->pc > q->pc_last) return false;
  if (q->block >= 0 && e->block != q->block) return false;
  if (q->warp >= 0 && e->warp != q->warp) return false;
  if (q->pcs && (e->pc >= q->pcs_count || !q->pcs[e->pc])) return false;
  return !(q->diverging_only && e->kind == TRACE_BRANCH && !(e->flags & TRACE_DIVERGES));
}

static void check_find(Stream *s, Trace *trace, const TraceQuery *query) {
  for (int round = 0; round < 8; round++) {
    int64_t start = below(s, (uint32_t)s->count), i;
    int dir = round & 1 ? 1 : -1;
    for (i = start + dir; i >= 0 && i < s->count; i += dir)
      if (plain_match(&s->items[i].event, query)) break;
    bool is_there = i >= 0 && i < s->count;
    uint64_t found = 0;
    LsErr err = {.kind = LS_EIO};
    CHECK_INT(trace_find(trace, (uint64_t)start, dir, query, &found, &err), is_there);
    if (is_there) CHECK_INT(found, i);
    CHECK_INT(err.kind, LS_OK);
  }
}

static void finding(void) {
  Stream s;
  make_stream(&s, 21);
  Trace *trace = trace_of(&s);
  uint8_t pcs[200] = {[17] = 1, [150] = 1};
  for (int i = 0; i < 120; i++) {
    TraceQuery q;
    trace_query_init(&q);
    if (below(&s, 2)) q.kinds = 1u << below(&s, TRACE_KIND_COUNT) | 1u << below(&s, TRACE_KIND_COUNT);
    if (below(&s, 3) == 0) q.pc_first = (int32_t)below(&s, 250);
    if (below(&s, 3) == 0) q.pc_last = q.pc_first + (int32_t)below(&s, 5);
    if (below(&s, 3) == 0) q.block = (int64_t)s.items[below(&s, (uint32_t)s.count)].event.block;
    if (below(&s, 10) == 0) q.block = 998;
    if (below(&s, 3) == 0) q.warp = (int)below(&s, 9);
    if (below(&s, 4) == 0) q.pcs = pcs, q.pcs_count = LS_COUNT(pcs);
    q.diverging_only = below(&s, 4) == 0;
    check_find(&s, trace, &q);
  }
  trace_close(trace);
  free_stream(&s);
}

static void find_at_the_ends(void) {
  Stream s;
  stream_init(&s, 64, 1);
  add_block(&s, 0, 50);
  Trace *trace = trace_of(&s);
  TraceQuery query;
  uint64_t found = 77;
  trace_query_init(&query);
  CHECK(!trace_find(trace, 49, 1, &query, &found, NULL));
  CHECK(!trace_find(trace, 0, -1, &query, &found, NULL));
  CHECK(!trace_find(trace, UINT64_MAX, 1, &query, &found, NULL));
  CHECK_INT(found, 77);
  CHECK(trace_find(trace, UINT64_MAX, -1, &query, &found, NULL));
  CHECK_INT(found, 49);
  CHECK(trace_find(trace, 0, 1, &query, &found, NULL));
  CHECK_INT(found, 1);
  trace_close(trace);
  free_stream(&s);
}

enum { COLUMNS = TRACE_KIND_COUNT + 1 };

static void plain_count(const Stream *s, uint64_t first, uint64_t count, int buckets, uint32_t *counts) {
  memset(counts, 0, (size_t)buckets * COLUMNS * sizeof *counts);
  for (int b = 0; b < buckets; b++)
    for (uint64_t i = first + count * (uint64_t)b / (uint64_t)buckets;
         i < first + count * (uint64_t)(b + 1) / (uint64_t)buckets && i < (uint64_t)s->count; i++) {
      const TraceEvent *e = &s->items[i].event;
      counts[b * COLUMNS + e->kind]++;
      counts[b * COLUMNS + TRACE_KIND_COUNT] += e->kind == TRACE_BRANCH && e->flags & TRACE_DIVERGES;
    }
}

static void overview_of_short_ranges(void) {
  static const struct { uint64_t first, count; int buckets; } ranges[] = {
      {0, 49641, 200}, {0, 49641, 1}, {16000, 1000, 7}, {5, 3, 10}, {48000, 5000, 13}, {60000, 5, 2}, {0, 1, 1}};
  Stream s;
  make_stream(&s, 4);
  Trace *trace = trace_of(&s);
  static uint32_t got[200 * COLUMNS], wanted[200 * COLUMNS];
  for (int i = 0; i < LS_COUNT(ranges); i++) {
    plain_count(&s, ranges[i].first, ranges[i].count, ranges[i].buckets, wanted);
    CHECK(trace_overview(trace, ranges[i].first, ranges[i].count, ranges[i].buckets, got, NULL));
    CHECK(memcmp(got, wanted, (size_t)ranges[i].buckets * COLUMNS * sizeof *got) == 0);
  }
  trace_close(trace);
  free_stream(&s);
}

// Over many chunks the totals are exact and every bucket has as many events as steps, give or take rounding.
static void overview_of_long_ranges(void) {
  Stream s;
  stream_init(&s, 64, 1);
  for (int i = 0; i < 300000; i++) {
    Kept kept = {.event = {.step = (uint64_t)i, .kind = (uint8_t)(i % 7), .flags = (uint8_t)(i % 3 ? TRACE_DIVERGES : 0),
                           .pc = i % 50, .active = 1, .mask = 1}};
    LS_PUSH(s.items, s.count, s.capacity, kept);
  }
  Trace *trace = trace_of(&s);
  static uint32_t got[100 * COLUMNS], wanted[100 * COLUMNS];
  CHECK(trace_overview(trace, 0, 300000, 100, got, NULL));
  plain_count(&s, 0, 300000, 100, wanted);
  uint64_t totals[2][COLUMNS] = {{0}};
  for (int i = 0; i < 100 * COLUMNS; i++) {
    totals[0][i % COLUMNS] += got[i];
    totals[1][i % COLUMNS] += wanted[i];
    CHECK(abs((int)got[i] - (int)wanted[i]) <= 3);
  }
  CHECK(memcmp(totals[0], totals[1], sizeof totals[0]) == 0);
  trace_close(trace);
  free_stream(&s);
}

// ---- tee and names -------------------------------------------------------------------------------------------------

typedef struct Counter { TraceSink sink; int begins, events, faults, tallies; } Counter;
static void count_begin(TraceSink *sink, uint32_t block, bool recorded) {
  ((Counter *)(void *)sink)->begins += block > 0 && recorded;
}
static void count_event(TraceSink *sink, const TraceEvent *event) { ((Counter *)(void *)sink)->events += event != NULL; }
static void count_fault(TraceSink *sink, const TraceFault *fault) { ((Counter *)(void *)sink)->faults += fault != NULL; }
static void count_tally(TraceSink *sink, const TraceTally *t, int n) { ((Counter *)(void *)sink)->tallies += t ? n : 0; }

static void tee(void) {
  Counter first = {.sink = {.begin_block = count_begin, .event = count_event}};
  Counter second = {.sink = {.event = count_event, .fault = count_fault, .tally = count_tally}};
  TraceTee inner, outer;
  trace_tee_init(&inner, &first.sink, NULL);
  trace_tee_init(&outer, &inner.sink, &second.sink);
  CHECK(!outer.sink.cut && !inner.sink.cut);   // who cannot see units does not ask for the same ones
  Stream s;
  stream_init(&s, 32, 1);
  add_block(&s, 4, 10);
  add_block(&s, 5, 10);
  push(&s, &outer.sink);
  add_faults(&outer.sink);
  CHECK(!outer.sink.access && !inner.sink.access);   // nobody wants them
  outer.sink.end_block(&outer.sink, 5);
  CHECK(first.begins == 2 && first.events == 20 && first.faults == 0);
  CHECK(second.begins == 0 && second.events == 20 && second.faults == 2 && second.tallies == 2);
  free_stream(&s);
}

static void names(void) {
  CHECK_STR(trace_kind_name(TRACE_ATOM), "atomic");
  CHECK_STR(trace_kind_name((TraceKind)99), "?");
  CHECK(trace_kind_interesting(TRACE_BARRIER) && !trace_kind_interesting(TRACE_EXEC));
  CHECK_STR(trace_space_name(TRACE_SHARED), "shared");
  CHECK_STR(trace_fault_name(FAULT_DIVERGENT_BARRIER), "divergent_barrier");
}

// ---- images --------------------------------------------------------------------------------------------------------

static TraceBytes info_with_images(void) {
  static const char *const args[] = {"i32=7", "img=tex.u8x4[3x5x2]=mod:7,layered,linear,float,normalized,wrap/border",
                                     "f32[4]=iota",
                                     "surf.f32x2[9]=zero>out"};
  TraceBytes bytes = {0};
  TraceInfo info;
  trace_info_init(&info);
  for (int i = 0; i < LS_COUNT(args); i++) CHECK(launch_add_arg(&info.launch, args[i], NULL));
  trace_put_info(&bytes, &info);
  trace_info_fini(&info);
  return bytes;
}

static bool read_info(const uint8_t *bytes, size_t size, TraceInfo *info) {
  TraceCursor cursor = {bytes, bytes + size, false};
  trace_get_info(&cursor, info);
  return !cursor.bad;
}

static void cube_maps(void) {
  static const char *const args[] = {"tex.f32[4x4x6]=iota,cube,linear", "tex.f32[4x4x12]=iota,layered,cube"};
  TraceBytes bytes = {0};
  TraceInfo info;
  trace_info_init(&info);
  for (int i = 0; i < LS_COUNT(args); i++) CHECK(launch_add_arg(&info.launch, args[i], NULL));
  trace_put_info(&bytes, &info);
  trace_info_fini(&info);
  CHECK(read_info(bytes.data, bytes.size, &info));
  char *one = launch_image_text(&info.launch.args[0]), *layered = launch_image_text(&info.launch.args[1]);
  CHECK_STR(one, "tex.f32[4x4x6],cube,linear,clamp");
  CHECK_STR(layered, "tex.f32[4x4x12],cube,layered,clamp");
  free(one);
  free(layered);
  trace_info_fini(&info);
  free(bytes.data);
}

// Two images take 2 bytes besides these: their number, and their arguments.
enum { IMAGES_BYTES = 1 + (1 + 6 + 1 + 3) + (1 + 6 + 1 + 1), BEHIND_BYTES = 2 };   // behind them: a text that is none,
                                                                                   // and no roles

static void images(void) {
  TraceBytes bytes = info_with_images();
  TraceInfo info;
  CHECK(read_info(bytes.data, bytes.size, &info));
  char *texture = launch_image_text(&info.launch.args[1]), *surface = launch_image_text(&info.launch.args[3]);
  CHECK_STR(texture, "tex.u8x4[3x5x2],layered,linear,wrap/border,normalized,float");
  CHECK_STR(surface, "surf.f32x2[9]");
  CHECK(info.launch.args[1].count == 120 && info.launch.args[3].count == 18);
  CHECK(info.launch.args[0].image.kind == LAUNCH_NO_IMAGE && info.launch.args[2].image.kind == LAUNCH_NO_IMAGE);
  free(texture);
  free(surface);
  trace_info_fini(&info);
  // What 1.4 wrote ends behind the profile, what 1.2 did behind the images, what 1.1 did before them.
  CHECK(read_info(bytes.data, bytes.size - 1, &info) && info.launch.arg_count == 4);
  trace_info_fini(&info);
  CHECK(read_info(bytes.data, bytes.size - BEHIND_BYTES, &info));
  CHECK(info.profile_text == NULL && info.launch.args[1].count == 120);
  trace_info_fini(&info);
  CHECK(read_info(bytes.data, bytes.size - IMAGES_BYTES - BEHIND_BYTES, &info));
  CHECK_INT(info.launch.arg_count, 4);
  CHECK(info.launch.args[1].image.kind == LAUNCH_NO_IMAGE && info.launch.args[1].count == 120);
  trace_info_fini(&info);
  free(bytes.data);
}

// No damage to the images is taken for an image that does not fit its buffer.
static void damaged_images(void) {
  TraceBytes bytes = info_with_images();
  int refused = 0;
  for (size_t at = bytes.size - IMAGES_BYTES - BEHIND_BYTES; at < bytes.size - BEHIND_BYTES; at++)
    for (int bit = 0; bit < 8; bit++) {
      TraceInfo info;
      bytes.data[at] ^= (uint8_t)(1 << bit);
      if (!read_info(bytes.data, bytes.size, &info)) refused++;
      for (int i = 0; i < info.launch.arg_count; i++) {
        const LaunchArg *arg = &info.launch.args[i];
        CHECK(arg->image.kind == LAUNCH_NO_IMAGE || arg->count == launch_texels(&arg->image) * arg->image.channels);
        CHECK(!arg->image.kind || arg->is_buffer);
      }
      trace_info_fini(&info);
      bytes.data[at] ^= (uint8_t)(1 << bit);
    }
  CHECK(refused > IMAGES_BYTES * 8 / 2);
  free(bytes.data);
}

// A struct with a buffer in it, and variables: their places are where pointers can be, whatever is damaged.
static void structs_and_variables(void) {
  static const char *const args[] = {"struct:i32=7,f32[16]=iota,u8=1", "i32=3", "@c=f32:1,2,3", "@d>out"};
  TraceBytes bytes = {0}, plain = {0};
  TraceInfo info;
  trace_info_init(&info);
  for (int i = 0; i < LS_COUNT(args); i++) CHECK(launch_add_arg(&info.launch, args[i], NULL));
  trace_put_info(&bytes, &info);
  for (int i = 0; i < info.launch.arg_count; i++) info.launch.args[i].role = 0, info.launch.args[i].is_struct = false;
  trace_put_info(&plain, &info);
  trace_info_fini(&info);
  CHECK(read_info(bytes.data, bytes.size, &info) && info.launch.arg_count == 5);
  const LaunchArg *a = info.launch.args;
  CHECK(a[0].is_struct && a[0].count == 24 && a[0].data[0] == 7 && a[0].data[16] == 1 &&
        strcmp(a[0].text, "i32=7,f32[16]=iota,u8=1") == 0);
  CHECK(a[1].role == LAUNCH_POINTEE && a[1].owner == 0 && a[1].offset == 8 && a[1].count == 16 && a[1].is_buffer);
  CHECK(a[2].role == LAUNCH_PARAMETER && a[3].role == LAUNCH_VARIABLE && a[3].count == 3 &&
        a[4].role == LAUNCH_VARIABLE);
  trace_info_fini(&info);
  for (size_t at = plain.size - 1; at < bytes.size; at++)
    for (int bit = 0; bit < 8; bit++) {
      bytes.data[at] ^= (uint8_t)(1 << bit);
      bool read = read_info(bytes.data, bytes.size, &info);
      for (int i = 0; read && i < info.launch.arg_count; i++) {
        const LaunchArg *arg = &info.launch.args[i];
        CHECK(arg->role <= LAUNCH_MEMORY && (arg->role == LAUNCH_PARAMETER || arg->is_buffer));
        if (arg->role != LAUNCH_POINTEE) continue;
        CHECK(arg->owner < info.launch.arg_count && info.launch.args[arg->owner].data && arg->offset + 8 <= 24);
      }
      trace_info_fini(&info);
      bytes.data[at] ^= (uint8_t)(1 << bit);
    }
  free(bytes.data);
  free(plain.data);
}

static const Check checks[] = {
    {"structs and variables of a launch", structs_and_variables},
    {"all events come back", round_trip},
    {"in any order", random_access},
    {"blocks", blocks},
    {"regular events are small", regular_events_are_small},
    {"information, faults, tallies", information},
    {"textures and surfaces of a launch", images},
    {"cube maps of a launch", cube_maps},
    {"damage to them", damaged_images},
    {"a trace without events", empty_trace},
    {"warps after any step", warps},
    {"a barrier, step by step", barrier_story},
    {"finding", finding},
    {"finding at the ends", find_at_the_ends},
    {"overview of short ranges is exact", overview_of_short_ranges},
    {"overview of long ranges adds up", overview_of_long_ranges},
    {"tee", tee},
    {"names", names},
};

int main(int argc, char **argv) { return check_main("trace", checks, LS_COUNT(checks), argc, argv); }
