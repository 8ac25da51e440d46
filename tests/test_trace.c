// test_trace.c: events in, the same events out; state, searching and counting against plain loops; damaged files.
#include "trace/trace.h"

#include <unistd.h>
#include <zstd.h>
#include "base/file.h"
#include "base/mem.h"
#include "base/random.h"
#include "check.h"
#include "trace/section.h"

// ---- streams of events ---------------------------------------------------------------------------------------------

// A copy of an event with its arrays.
typedef struct Kept {
  TraceEvent event;
  uint64_t addr[32], value[32], result[32];
  uint8_t source[32];
} Kept;

typedef struct Stream { Kept *items; int count, capacity; Launch launch; LsMt random; } Stream;

static uint32_t below(Stream *s, uint32_t n) { return ls_mt_u32(&s->random) % n; }

static uint64_t random64(Stream *s) { return (uint64_t)ls_mt_u32(&s->random) << 32 | ls_mt_u32(&s->random); }

static void stream_init(Stream *s, uint32_t threads, uint32_t seed) {
  *s = (Stream){0};
  launch_init(&s->launch);
  s->launch.grid[0] = 1000;
  s->launch.block[0] = threads;
  ls_mt_seed(&s->random, seed);
}

static void fill_addr(Stream *s, uint64_t addr[32]) {
  uint64_t base = random64(s) >> below(s, 40), step = 1u << below(s, 5);
  int pattern = (int)below(s, 8);
  for (uint64_t lane = 0; lane < 32; lane++) switch (pattern) {
    case 0: addr[lane] = base + lane * step; break;
    case 1: addr[lane] = base; break;
    case 2: addr[lane] = base - lane * step; break;
    case 3: addr[lane] = random64(s); break;
    case 4: addr[lane] = UINT64_MAX - 40 + lane * 4; break;
    case 5: addr[lane] = base + lane / 16 * 4096 + lane % 16 * 4; break;
    case 6: addr[lane] = base + (lane ^ 5) * 8; break;
    default: addr[lane] = below(s, 4096) * 4; break;
  }
}

static void fill_values(Stream *s, uint64_t values[32]) {
  int shift = (int)below(s, 64), pattern = (int)below(s, 3);
  uint64_t first = random64(s) >> shift;
  for (uint64_t lane = 0; lane < 32; lane++)
    values[lane] = pattern == 0 ? first : pattern == 1 ? first + lane * 3 : random64(s) >> shift;
}

static void fill_event(Stream *s, Kept *kept, int pc) {
  TraceEvent *e = &kept->event;
  bool is_odd = below(s, 10) == 0;
  e->kind = (uint8_t)(below(s, 3) ? (uint32_t)pc * 7 % TRACE_KIND_COUNT : below(s, TRACE_KIND_COUNT));
  e->flags = (uint8_t)(is_odd ? below(s, 128) : 0);
  e->pc = pc;
  e->active = below(s, 4) ? UINT32_MAX : ls_mt_u32(&s->random);
  e->mask = below(s, 4) ? e->active : e->active & ls_mt_u32(&s->random);
  if (below(s, 20) == 0) e->mask = e->active & 1u << below(s, 32);
  e->space = (uint8_t)below(s, TRACE_SPACE_COUNT);
  e->width = (uint8_t)(1u << below(s, 5));
  e->taken = below(s, 3) == 0 ? 0 : below(s, 2) ? e->mask : ls_mt_u32(&s->random);
  e->target = (int32_t)below(s, 300) - 1;
  e->reconverge = (int32_t)below(s, 300) - 1;
  e->barrier_id = (uint8_t)below(s, 3);
  e->arrived = (uint16_t)(1 + below(s, 8));
  e->expected = 8;
  e->members = below(s, 3) == 0 ? UINT32_MAX : below(s, 2) ? e->active : ls_mt_u32(&s->random);
  e->fault = (int32_t)below(s, 3);
  fill_addr(s, kept->addr);
  fill_values(s, kept->value);
  fill_values(s, kept->result);
  for (uint32_t lane = 0; lane < 32; lane++) kept->source[lane] = (uint8_t)(pc & 1 ? lane ^ 8 : below(s, 32));
  if (below(s, 8)) e->addr = kept->addr;
  if (below(s, 8)) e->source = kept->source;
  if (below(s, 2)) e->value = kept->value;
  if (below(s, 2)) e->result = kept->result;
}

// Events of one block: pcs run on, jump, or go wild; warps take turns of random length.
static void add_block(Stream *s, uint32_t block, int events) {
  int pcs[64] = {0};
  uint32_t warps = launch_warps(&s->launch), warp = 0;
  for (int i = 0; i < events; i++) {
    if (below(s, 12) == 0) warp = below(s, warps);
    int pc = pcs[warp]++;
    if (below(s, 10) == 0) pc = pcs[warp] = (int)below(s, 200);
    if (below(s, 500) == 0) pc = (int)below(s, 2000000000);
    Kept kept = {.event = {.step = (uint64_t)s->count, .block = block, .warp = (uint16_t)warp}};
    fill_event(s, &kept, pc);
    LS_PUSH(s->items, s->count, s->capacity, kept);
  }
}

static void free_stream(Stream *s) { free(s->items); }

static TraceEvent event_of(const Stream *s, int i) {
  const Kept *kept = &s->items[i];
  TraceEvent event = kept->event;
  if (event.addr) event.addr = kept->addr;
  if (event.value) event.value = kept->value;
  if (event.result) event.result = kept->result;
  if (event.source) event.source = kept->source;
  return event;
}

static void push(const Stream *s, TraceSink *sink) {
  for (int i = 0; i < s->count; i++) {
    TraceEvent event = event_of(s, i);
    bool is_new = !i || s->items[i - 1].event.block != event.block;
    if (is_new && i) sink->end_block ? sink->end_block(sink, s->items[i - 1].event.block) : (void)0;
    if (is_new && sink->begin_block) sink->begin_block(sink, event.block, true);
    sink->event(sink, &event);
  }
}

static void add_faults(TraceSink *sink) {
  TraceFault fault = {.kind = FAULT_RACE, .space = TRACE_SHARED, .block = 3, .thread = 77, .other_block = 3, .other_thread = 78,
                      .pc = 12, .other_pc = 14, .step = 99, .addr = 0x1234, .object = -1, .distance = -12, .size = 4,
                      .count = 1000000007, .message = (char *)"two threads met"};
  sink->fault(sink, &fault);
  fault = (TraceFault){.kind = FAULT_TRAP, .pc = -1, .other_pc = -1, .step = UINT64_MAX, .addr = UINT64_MAX, .object = 2,
                       .distance = INT64_MIN, .size = -1};
  sink->fault(sink, &fault);
  TraceTally tallies[] = {{0, 1, 32}, {7, UINT64_MAX, 1ull << 40}};
  sink->tally(sink, tallies, 2);
}

static uint8_t *write_stream(const Stream *s, TraceInfo *info, size_t *size) {
  TraceInfo plain;
  trace_info_init(&plain);
  plain.launch = s->launch;
  TraceWriter *writer = trace_writer_new(NULL, info ? info : &plain, NULL);
  push(s, trace_writer_sink(writer));
  add_faults(trace_writer_sink(writer));
  CHECK(trace_writer_finish(writer, NULL));
  uint8_t *bytes = trace_writer_take(writer, size);
  trace_writer_free(writer);
  return bytes;
}

static Trace *trace_of(const Stream *s) {
  size_t size;
  uint8_t *bytes = write_stream(s, NULL, &size);
  LsErr err = {0};
  Trace *trace = trace_open_memory(bytes, size, &err);
  if (!trace) printf("\n%s\n", err.message);
  CHECK_INT(trace_steps(trace), s->count);
  CHECK(!trace_is_truncated(trace));
  return trace;
}

static void make_stream(Stream *s, uint32_t seed) {
  stream_init(s, 250, seed);
  add_block(s, 5, 3000);
  add_block(s, 6, 1);
  for (uint32_t b = 100; b < 180; b++) add_block(s, b, (int)(b % 40) + 1);
  add_block(s, 999, 40000);
  add_block(s, 0, 5000);
}

// ---- the same events -----------------------------------------------------------------------------------------------

static bool same_lanes(const uint64_t *got, const uint64_t *wanted, uint32_t mask) {
  if (!got || !wanted) return got == wanted;
  for (int lane = 0; lane < 32; lane++)
    if (mask >> lane & 1 && got[lane] != wanted[lane]) return false;
  return true;
}

static bool same_sources(const uint8_t *got, const uint8_t *wanted, uint32_t mask) {
  if (!got || !wanted) return got == wanted;
  for (int lane = 0; lane < 32; lane++)
    if (mask >> lane & 1 && got[lane] != wanted[lane]) return false;
  return true;
}

static bool same_payload(const TraceEvent *a, const TraceEvent *b, int fault_count) {
  switch (b->kind) {
    case TRACE_LOAD: case TRACE_STORE:
      return a->space == b->space && a->width == b->width && same_lanes(a->addr, b->addr, b->mask);
    case TRACE_ATOM:
      return a->space == b->space && a->width == b->width && same_lanes(a->addr, b->addr, b->mask) &&
             same_lanes(a->value, b->value, b->mask) && same_lanes(a->result, b->result, b->mask);
    case TRACE_BRANCH: return a->taken == b->taken && a->target == b->target && a->reconverge == b->reconverge;
    case TRACE_BARRIER: return a->barrier_id == b->barrier_id && a->arrived == b->arrived && a->expected == b->expected;
    case TRACE_SYNCWARP: return a->members == b->members;
    case TRACE_SHUFFLE:
      return a->members == b->members && same_sources(a->source, b->source, b->mask) &&
             same_lanes(a->value, b->value, b->mask) && same_lanes(a->result, b->result, b->mask);
    case TRACE_VOTE: return a->members == b->members && a->taken == b->taken && same_lanes(a->result, b->result, b->mask);
    case TRACE_MATCH: case TRACE_REDUX:
      return a->members == b->members && same_lanes(a->value, b->value, b->mask) && same_lanes(a->result, b->result, b->mask);
    case TRACE_CALL: return a->target == b->target;
    case TRACE_FAULT: return a->fault == (b->fault < fault_count ? b->fault : -1);
    default: return !a->addr && !a->value && !a->result && !a->source && a->fault == -1 && a->target == -1;
  }
}

static bool same_event(const TraceEvent *a, const TraceEvent *b, int fault_count) {
  return a->step == b->step && a->block == b->block && a->warp == b->warp && a->kind == b->kind && a->flags == b->flags &&
         a->pc == b->pc && a->active == b->active && a->mask == b->mask && same_payload(a, b, fault_count);
}

static bool reads_back(Trace *trace, const Stream *s, int i, int fault_count) {
  TraceEvent got, wanted = event_of(s, i);
  bool ok = trace_event(trace, (uint64_t)i, &got, NULL) && same_event(&got, &wanted, fault_count);
  if (!ok) printf("\nevent %d (kind %s) differs\n", i, trace_kind_name((TraceKind)wanted.kind));
  return ok;
}

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

static void fill_info(TraceInfo *info) {
  trace_info_init(info);
  info->device = ls_strdup("emu");
  info->profile = ls_strdup("h200");
  info->parameters = ls_strdup("");
  info->seed = UINT64_MAX;
  info->budget = 1ull << 36;
  info->checks = 15;
  info->ptx = ls_strdup(".version 8.0\n");
  info->ptx_length = strlen(info->ptx);
  info->launch.grid[1] = 65535;
  info->launch.block[0] = 250;
  info->launch.shared_bytes = 4096;
  info->launch.kernel = ls_strdup("reduce2");
  CHECK(launch_add_arg(&info->launch, "x=f32[1000]=random:12345678>out", NULL));
  CHECK(launch_add_arg(&info->launch, "N=1000", NULL));
  LaunchArg data = {.type = LAUNCH_U16, .is_buffer = true, .count = 3, .init = LAUNCH_DATA};
  data.data = memcpy(ls_alloc(6), "abcdef", 6);
  LS_PUSH(info->launch.args, info->launch.arg_count, info->launch.arg_capacity, data);
  info->sources = ls_alloc(2 * sizeof *info->sources);
  info->source_count = 2;
  info->sources[0] = (TraceSource){ls_strdup("a.cu"), ls_strdup("int main;\n")};
  info->sources[1] = (TraceSource){ls_strdup("gone.cuh"), NULL};
  info->objects = ls_alloc(sizeof *info->objects);
  info->object_count = 1;
  info->objects[0] = (TraceObject){ls_strdup("tile"), TRACE_SHARED, LAUNCH_F32, 16, 4096, -1};
}

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
  CHECK(object->space == TRACE_SHARED && object->type == LAUNCH_F32 && object->base == 16 && object->size == 4096 && object->arg == -1);
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
  CHECK(tallies[1].pc == 7 && tallies[1].warps == UINT64_MAX && tallies[1].lanes == 1ull << 40);
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
  if (e->kind != TRACE_FAULT) w->waiting &= ~e->active;
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
    for (int w = 0; w < count; w++) wrong += memcmp(&got[w], &wanted[w], sizeof *got) != 0;
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

// ---- damage --------------------------------------------------------------------------------------------------------

// Uses everything of a trace; what it gives must be what was written. Returns events read.
static int read_everything(Trace *trace, const Stream *s, bool must_agree) {
  int read = 0, faults;
  TraceWarp warps_[32];
  static uint32_t counts[5 * COLUMNS];
  TraceQuery query;
  trace_query_init(&query);
  query.kinds = 1u << TRACE_BARRIER;
  trace_faults(trace, &faults);
  uint64_t steps = LS_MIN(trace_steps(trace), 3000), found;
  for (uint64_t i = 0; i < steps; i++) {
    TraceEvent got;
    LsErr err = {0};
    if (!trace_event(trace, i, &got, &err)) {
      CHECK_INT(err.kind, LS_EFORMAT);
      continue;
    }
    read++;
    if (!must_agree) continue;
    TraceEvent wanted = event_of(s, (int)i);
    CHECK(i < (uint64_t)s->count && same_event(&got, &wanted, faults));
  }
  for (uint64_t i = 0; i < steps; i += 37) trace_warps(trace, i, warps_, NULL);
  trace_find(trace, 0, 1, &query, &found, NULL);
  trace_find(trace, steps, -1, &query, &found, NULL);
  trace_overview(trace, 0, steps, 5, counts, NULL);
  return read;
}

static int open_and_read(const uint8_t *bytes, size_t size, const Stream *s, bool must_agree, LsErr *err) {
  uint8_t *copy = ls_alloc(size);
  if (size) memcpy(copy, bytes, size);
  Trace *trace = trace_open_memory(copy, size, err);
  if (!trace) return -1;
  int read = read_everything(trace, s, must_agree);
  trace_close(trace);
  return read;
}

static uint8_t *small_trace(Stream *s, size_t *size) {
  stream_init(s, 250, 5);
  add_block(s, 1, 20);
  add_block(s, 2, 30);
  TraceInfo info;
  fill_info(&info);
  uint8_t *bytes = write_stream(s, &info, size);
  trace_info_fini(&info);
  return bytes;
}

static void every_byte_flipped(void) {
  Stream s;
  size_t size;
  uint8_t *bytes = small_trace(&s, &size);
  CHECK_INT(open_and_read(bytes, size, &s, true, NULL), 50);
  int refused = 0;
  for (size_t i = 0; i < size; i++)
    for (int how = 0; how < 3; how++) {
      uint8_t kept = bytes[i];
      bytes[i] = how == 0 ? kept ^ 1 : how == 1 ? (uint8_t)~kept : kept ^ 0x80;
      LsErr err = {0};
      if (open_and_read(bytes, size, &s, true, &err) < 0) {
        refused++;
        CHECK(err.kind == LS_EFORMAT && err.message[0]);
      }
      bytes[i] = kept;
    }
  CHECK(refused > 300);
  free(bytes);
  free_stream(&s);
}

static void truncated_at_every_byte(void) {
  Stream s;
  size_t size;
  uint8_t *bytes = small_trace(&s, &size);
  int opened = 0, last = -1;
  for (size_t i = 0; i < size; i++) {
    int read = open_and_read(bytes, i, &s, true, NULL);
    CHECK(read == -1 || read == 0 || read == 50);
    CHECK(read >= last);
    last = read;
    opened += read > 0;
  }
  CHECK(opened > 20);
  free(bytes);
  free_stream(&s);
}

// Like the above, but with correct checksums, as somebody with bad intentions would write it.
static void every_raw_byte_changed(void) {
  Stream s;
  size_t size;
  uint8_t *bytes = small_trace(&s, &size);
  uint8_t raw[16384], *forged = ls_alloc(size + 65536);
  for (size_t at = TRACE_HEADER_BYTES; at < size - TRACE_FOOTER_BYTES;) {
    TraceSection section;
    CHECK(trace_section_get(bytes + at, &section) && section.raw < sizeof raw);
    size_t next = at + TRACE_SECTION_BYTES + (size_t)section.stored;
    ZSTD_decompress(raw, sizeof raw, bytes + at + TRACE_SECTION_BYTES, (size_t)section.stored);
    for (size_t i = 0; i < section.raw; i++)
      for (int how = 0; how < 3; how++) {
        uint8_t kept = raw[i];
        raw[i] = how == 0 ? kept ^ 1 : how == 1 ? 0xff : kept ^ 0x40;
        memcpy(forged, bytes, at);
        TraceSection changed = section;
        size_t stored = ZSTD_compress(forged + at + TRACE_SECTION_BYTES, 65536, raw, (size_t)section.raw, 1);
        changed.stored = stored;
        trace_section_put(forged + at, &changed);
        memcpy(forged + at + TRACE_SECTION_BYTES + stored, bytes + next, size - next);
        open_and_read(forged, at + TRACE_SECTION_BYTES + stored + size - next, &s, false, NULL);
        raw[i] = kept;
      }
    at = next;
  }
  free(forged);
  free(bytes);
  free_stream(&s);
}

static void check_refused(const char *content, size_t size, const char *message) {
  uint8_t *copy = ls_alloc(size + 1);
  memcpy(copy, content, size);
  LsErr err = {0};
  CHECK(!trace_open_memory(copy, size, &err));
  CHECK_STR(err.message, message);
  CHECK_INT(err.kind, LS_EFORMAT);
}

static void not_a_trace(void) {
  static const char ptx[] = "//\n// Generated\n//\n.version 9.0\n.target sm_90\n.address_size 64\n";
  static const char newer[] = "\x89LST\r\n\x1a\n\x02\0\x03\0\0\0\0\0 and more";
  check_refused("", 0, "the trace is not a trace: it is empty");
  check_refused(ptx, sizeof ptx - 1, "the trace is not a trace: it looks like PTX");
  check_refused("__global__ void f() {}\n", 23, "the trace is not a trace: it looks like CUDA or C++ source");
  check_refused("hello", 5, "the trace is not a trace: it looks like text");
  check_refused("\x7f" "ELF\2\1", 6, "the trace is not a trace: it looks like a program");
  check_refused("\0\1\2\3", 4, "the trace is not a trace: it looks like binary data");
  check_refused(TRACE_MAGIC, 5, "the trace is a trace that was cut off after 5 bytes, before its first event");
  check_refused(newer, sizeof newer - 1, "the trace was written by a newer lanescope (format 2.3; this one reads 1.x)");
  check_refused("\x89LST\r\n\x1a\n\x01\0\0\0\0\0\0\0", 16,
                "the trace is damaged, or cut off, in its header: nothing of it can be read");
}

// ---- files ---------------------------------------------------------------------------------------------------------

static char *temporary(void) {
  char *path = ls_strdup("test_trace_XXXXXX");
  close(mkstemp(path));
  return path;
}

static TraceWriter *write_file(const char *path, const Stream *s) {
  TraceInfo info;
  trace_info_init(&info);
  info.launch = s->launch;
  TraceWriter *writer = trace_writer_new(path, &info, NULL);
  push(s, trace_writer_sink(writer));
  return writer;
}

static void files(void) {
  Stream s;
  make_stream(&s, 8);
  char *path = temporary();
  TraceWriter *writer = write_file(path, &s);
  CHECK(trace_writer_finish(writer, NULL));
  CHECK(trace_writer_finish(writer, NULL));
  trace_writer_free(writer);
  Trace *trace = trace_open(path, NULL);
  CHECK_INT(trace_steps(trace), s.count);
  int wrong = 0;
  for (int i = 0; i < s.count; i += 11) wrong += !reads_back(trace, &s, i, 0);
  CHECK_INT(wrong, 0);
  trace_close(trace);
  LsErr err = {0};
  CHECK(!trace_open("/no/such/trace", &err));
  CHECK_STR(err.message, "cannot open /no/such/trace: No such file or directory");
  CHECK(!trace_open("/", &err));
  CHECK_STR(err.message, "/ is not a file");
  unlink(path);
  free(path);
  free_stream(&s);
}

// A writer that is not finished, and a file cut in the middle of its last chunk.
static void unfinished_files(void) {
  Stream s;
  make_stream(&s, 8);
  char *path = temporary();
  trace_writer_free(write_file(path, &s));
  Trace *trace = trace_open(path, NULL);
  CHECK(trace_is_truncated(trace));
  CHECK_INT(trace_steps(trace), s.count);
  int count, wrong = 0;
  for (int i = 0; i < s.count; i += 7) wrong += !reads_back(trace, &s, i, 0);
  CHECK_INT(wrong, 0);
  trace_blocks(trace, &count);
  CHECK_INT(count, 84);
  size_t size = trace_bytes(trace);
  trace_close(trace);
  CHECK_INT(truncate(path, (off_t)size - 1), 0);
  trace = trace_open(path, NULL);
  CHECK(trace_is_truncated(trace));
  CHECK(trace_steps(trace) > 10000 && trace_steps(trace) < (uint64_t)s.count);
  CHECK(reads_back(trace, &s, (int)trace_steps(trace) - 1, 0));
  trace_close(trace);
  unlink(path);
  free(path);
  free_stream(&s);
}

static void full_disks(void) {
  if (!ls_file_exists("/dev/full")) return;
  LsErr err = {0};
  TraceInfo info;
  trace_info_init(&info);
  CHECK(!trace_writer_new("/dev/full", &info, &err));
  CHECK_STR(err.message, "cannot write /dev/full: No space left on device");
  CHECK(!trace_writer_new("/no/such/dir/x", &info, &err));
  CHECK_STR(err.message, "cannot write /no/such/dir/x: No such file or directory");
  CHECK_INT(err.kind, LS_EIO);
}

// ---- tee and names -------------------------------------------------------------------------------------------------

typedef struct Counter { TraceSink sink; int begins, events, faults, tallies; } Counter;
static void count_begin(TraceSink *sink, uint32_t block, bool recorded) { ((Counter *)(void *)sink)->begins += block > 0 && recorded; }
static void count_event(TraceSink *sink, const TraceEvent *event) { ((Counter *)(void *)sink)->events += event != NULL; }
static void count_fault(TraceSink *sink, const TraceFault *fault) { ((Counter *)(void *)sink)->faults += fault != NULL; }
static void count_tally(TraceSink *sink, const TraceTally *t, int n) { ((Counter *)(void *)sink)->tallies += t ? n : 0; }

static void tee(void) {
  Counter first = {.sink = {.begin_block = count_begin, .event = count_event}};
  Counter second = {.sink = {.event = count_event, .fault = count_fault, .tally = count_tally}};
  TraceTee inner, outer;
  trace_tee_init(&inner, &first.sink, NULL);
  trace_tee_init(&outer, &inner.sink, &second.sink);
  Stream s;
  stream_init(&s, 32, 1);
  add_block(&s, 4, 10);
  add_block(&s, 5, 10);
  push(&s, &outer.sink);
  add_faults(&outer.sink);
  outer.sink.access(&outer.sink, &s.items[0].event);
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

static const Check checks[] = {
    {"all events come back", round_trip},
    {"in any order", random_access},
    {"blocks", blocks},
    {"regular events are small", regular_events_are_small},
    {"information, faults, tallies", information},
    {"a trace without events", empty_trace},
    {"warps after any step", warps},
    {"a barrier, step by step", barrier_story},
    {"finding", finding},
    {"finding at the ends", find_at_the_ends},
    {"overview of short ranges is exact", overview_of_short_ranges},
    {"overview of long ranges adds up", overview_of_long_ranges},
    {"every byte flipped", every_byte_flipped},
    {"truncated at every byte", truncated_at_every_byte},
    {"every raw byte changed", every_raw_byte_changed},
    {"not a trace, or a newer one", not_a_trace},
    {"files", files},
    {"unfinished files", unfinished_files},
    {"full disks", full_disks},
    {"tee", tee},
    {"names", names},
};

int main(int argc, char **argv) { return check_main("trace", checks, LS_COUNT(checks), argc, argv); }
