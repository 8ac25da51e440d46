// trace_stream.h: random events of every kind, pushed into writers and compared with what comes back.
#ifndef LS_TESTS_TRACE_STREAM_H
#define LS_TESTS_TRACE_STREAM_H

#include "base/mem.h"
#include "base/random.h"
#include "check.h"
#include "trace/trace.h"

// ---- streams of events ---------------------------------------------------------------------------------------------

// A copy of an event with its arrays.
typedef struct Kept {
  TraceEvent event;
  uint64_t addr[32], value[32], result[32];
  uint8_t source[32];
} Kept;

typedef struct Stream { Kept *items; int count, capacity; Launch launch; LsMt random; } Stream;

static inline uint32_t below(Stream *s, uint32_t n) { return ls_mt_u32(&s->random) % n; }

static inline uint64_t random64(Stream *s) { return (uint64_t)ls_mt_u32(&s->random) << 32 | ls_mt_u32(&s->random); }

static inline void stream_init(Stream *s, uint32_t threads, uint32_t seed) {
  *s = (Stream){0};
  launch_init(&s->launch);
  s->launch.grid[0] = 1000;
  s->launch.block[0] = threads;
  ls_mt_seed(&s->random, seed);
}

static inline void fill_addr(Stream *s, uint64_t addr[32]) {
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

static inline void fill_values(Stream *s, uint64_t values[32]) {
  int shift = (int)below(s, 64), pattern = (int)below(s, 3);
  uint64_t first = random64(s) >> shift;
  for (uint64_t lane = 0; lane < 32; lane++)
    values[lane] = pattern == 0 ? first : pattern == 1 ? first + lane * 3 : random64(s) >> shift;
}

static inline void fill_event(Stream *s, Kept *kept, int pc) {
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
static inline void add_block(Stream *s, uint32_t block, int events) {
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

static inline void free_stream(Stream *s) { free(s->items); }

static inline TraceEvent event_of(const Stream *s, int i) {
  const Kept *kept = &s->items[i];
  TraceEvent event = kept->event;
  if (event.addr) event.addr = kept->addr;
  if (event.value) event.value = kept->value;
  if (event.result) event.result = kept->result;
  if (event.source) event.source = kept->source;
  return event;
}

static inline void push(const Stream *s, TraceSink *sink) {
  for (int i = 0; i < s->count; i++) {
    TraceEvent event = event_of(s, i);
    bool is_new = !i || s->items[i - 1].event.block != event.block;
    if (is_new && i) sink->end_block ? sink->end_block(sink, s->items[i - 1].event.block) : (void)0;
    if (is_new && sink->begin_block) sink->begin_block(sink, event.block, true);
    sink->event(sink, &event);
  }
}

static inline void add_faults(TraceSink *sink) {
  TraceFault fault = {.kind = FAULT_RACE, .space = TRACE_SHARED, .block = 3, .thread = 77, .other_block = 3, .other_thread = 78,
                      .pc = 12, .other_pc = 14, .step = 99, .addr = 0x1234, .object = -1, .distance = -12, .size = 4,
                      .count = 1000000007, .message = (char *)"two threads met"};
  sink->fault(sink, &fault);
  fault = (TraceFault){.kind = FAULT_TRAP, .pc = -1, .other_pc = -1, .step = UINT64_MAX, .addr = UINT64_MAX, .object = 2,
                       .distance = INT64_MIN, .size = -1};
  sink->fault(sink, &fault);
  TraceTally tallies[] = {{0, 1, 32, 0}, {7, UINT64_MAX, 1ull << 40, 3}};
  sink->tally(sink, tallies, 2);
}

static inline uint8_t *write_stream(const Stream *s, TraceInfo *info, size_t *size) {
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

static inline Trace *trace_of(const Stream *s) {
  size_t size;
  uint8_t *bytes = write_stream(s, NULL, &size);
  LsErr err = {0};
  Trace *trace = trace_open_memory(bytes, size, &err);
  if (!trace) printf("\n%s\n", err.message);
  CHECK_INT(trace_steps(trace), s->count);
  CHECK(!trace_is_truncated(trace));
  return trace;
}

static inline void make_stream(Stream *s, uint32_t seed) {
  stream_init(s, 250, seed);
  add_block(s, 5, 3000);
  add_block(s, 6, 1);
  for (uint32_t b = 100; b < 180; b++) add_block(s, b, (int)(b % 40) + 1);
  add_block(s, 999, 40000);
  add_block(s, 0, 5000);
}

// ---- the same events -----------------------------------------------------------------------------------------------

static inline bool same_lanes(const uint64_t *got, const uint64_t *wanted, uint32_t mask) {
  if (!got || !wanted) return got == wanted;
  for (int lane = 0; lane < 32; lane++)
    if (mask >> lane & 1 && got[lane] != wanted[lane]) return false;
  return true;
}

static inline bool same_sources(const uint8_t *got, const uint8_t *wanted, uint32_t mask) {
  if (!got || !wanted) return got == wanted;
  for (int lane = 0; lane < 32; lane++)
    if (mask >> lane & 1 && got[lane] != wanted[lane]) return false;
  return true;
}

static inline bool same_payload(const TraceEvent *a, const TraceEvent *b, int fault_count) {
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
    case TRACE_FAULT: case TRACE_NOTE: return a->fault == (b->fault < fault_count ? b->fault : -1);
    default: return !a->addr && !a->value && !a->result && !a->source && a->fault == -1 && a->target == -1;
  }
}

static inline bool same_event(const TraceEvent *a, const TraceEvent *b, int fault_count) {
  return a->step == b->step && a->block == b->block && a->warp == b->warp && a->kind == b->kind && a->flags == b->flags &&
         a->pc == b->pc && a->active == b->active && a->mask == b->mask && same_payload(a, b, fault_count);
}

static inline bool reads_back(Trace *trace, const Stream *s, int i, int fault_count) {
  TraceEvent got, wanted = event_of(s, i);
  bool ok = trace_event(trace, (uint64_t)i, &got, NULL) && same_event(&got, &wanted, fault_count);
  if (!ok) printf("\nevent %d (kind %s) differs\n", i, trace_kind_name((TraceKind)wanted.kind));
  return ok;
}

// A TraceInfo with something in every kind of field; trace_info_fini ends it.
static inline void fill_info(TraceInfo *info) {
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

#endif
