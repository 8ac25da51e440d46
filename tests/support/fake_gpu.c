// fake_gpu.c: the trace that a GPU might have left.
#include "fake_gpu.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/random.h"
#include "model/model.h"

enum { SLICE_NS = 32, SM_SLOTS = 8, ASTRAY_EVENT = 20 };

// ---- counts --------------------------------------------------------------------------------------------------------

typedef struct Counting {
  TraceSink sink;
  TraceCount *counts; int count, capacity;
  TraceTally *tallies; int tally_count;
} Counting;

static TraceCount *row_of(Counting *counting, const TraceEvent *event) {
  uint8_t space = event->kind == TRACE_LOAD || event->kind == TRACE_STORE || event->kind == TRACE_ATOM ?
      event->space : 0;
  uint8_t flags = event->kind == TRACE_ATOM ? event->flags & TRACE_RETURNS_OLD : 0;
  for (int i = 0; i < counting->count; i++) {
    TraceCount *row = &counting->counts[i];
    if (row->pc == event->pc && row->kind == event->kind && row->space == space && row->flags == flags) return row;
  }
  TraceCount row = {.pc = event->pc, .kind = event->kind, .space = space, .flags = flags};
  LS_PUSH(counting->counts, counting->count, counting->capacity, row);
  return &counting->counts[counting->count - 1];
}

static void count_memory(TraceCount *row, const TraceEvent *event) {
  int bytes = 0, ideal = 0, distinct = 0, lanes = __builtin_popcount(event->mask);
  if (event->kind == TRACE_ATOM) {
    row->sectors += (uint64_t)coal_atomic_sectors(event->mask, event->addr, &distinct);
    row->queued += (uint64_t)(lanes - distinct);
  } else if (event->space == TRACE_GLOBAL) {
    row->sectors += (uint64_t)coal_measure(event->mask, event->width, event->addr, &bytes);
    row->bytes += (uint64_t)bytes;
  } else if (event->space == TRACE_LOCAL) {
    row->sectors += (uint64_t)coal_local_sectors(event->mask, event->width, event->addr);
  } else if (event->space == TRACE_CONST) {
    row->sectors += (uint64_t)coal_distinct(event->mask, event->addr);
  } else if (event->space == TRACE_SHARED) {
    int wavefronts = bank_count(event->kind == TRACE_LOAD, event->mask, event->width, event->addr, &ideal);
    row->wavefronts += (uint64_t)wavefronts;
    row->conflicts += (uint64_t)(wavefronts - ideal);
  }
}

static void on_access(TraceSink *sink, const TraceEvent *event) {
  TraceCount *row = row_of((Counting *)sink, event);
  row->warps++;
  row->lanes += (uint64_t)__builtin_popcount(event->active);
  row->requests += event->mask != 0;
  row->doing += (uint64_t)__builtin_popcount(event->mask);
  row->diverging += event->kind == TRACE_BRANCH && event->flags & TRACE_DIVERGES;
  if (event->mask && event->addr) count_memory(row, event);
}

static void on_tally(TraceSink *sink, const TraceTally *tallies, int count) {
  Counting *counting = (Counting *)sink;
  counting->tallies = ls_alloc((size_t)count * sizeof *tallies);
  memcpy(counting->tallies, tallies, (size_t)count * sizeof *tallies);
  counting->tally_count = count;
}

static bool count_grid(const Run *run, Counting *counting, LsErr *err) {
  SimOptions options;
  sim_options_init(&options);
  options.budget = UINT64_C(1) << 32;
  options.checks = 0;
  Sim *sim = sim_new(run->module, run->entry, &run->info.launch, &options, err);
  *counting = (Counting){.sink = {.access = on_access, .tally = on_tally}};
  bool ok = sim && sim_run(sim, &counting->sink, err);
  sim_free(sim);
  return ok;
}

static void miscount(const Run *run, int32_t line, Counting *counting) {
  for (int i = 0; i < counting->count; i++) {
    TraceCount *row = &counting->counts[i];
    int file, at;
    bool shared = row->kind == TRACE_LOAD && row->space == TRACE_SHARED;
    if (shared && ptx_line_of(run->module, row->pc, &file, &at) && at == line) row->conflicts += row->requests;
  }
}

// ---- events --------------------------------------------------------------------------------------------------------

// An event's place among those of its block: barriers of its warp before it, then its number in its warp.
typedef struct Turn { uint32_t phase, number; uint16_t warp; uint64_t step; } Turn;

static int by_turn(const void *a, const void *b) {
  const Turn *left = a, *right = b;
  if (left->phase != right->phase) return left->phase < right->phase ? -1 : 1;
  if (left->number != right->number) return left->number < right->number ? -1 : 1;
  return left->warp < right->warp ? -1 : left->warp > right->warp;
}

static int order_turns(Trace *trace, const TraceBlock *block, Turn *turns) {
  uint32_t phase[32] = {0}, number[32] = {0};
  int count = 0;
  for (uint64_t step = block->first; step < block->first + block->count; step++) {
    TraceEvent event;
    if (!trace_event(trace, step, &event, NULL) || event.kind == TRACE_FAULT || event.kind == TRACE_NOTE) continue;
    turns[count++] = (Turn){phase[event.warp], number[event.warp]++, event.warp, step};
    if (event.kind == TRACE_BARRIER && !(event.flags & TRACE_BAR_ARRIVE)) phase[event.warp]++, number[event.warp] = 0;
  }
  qsort(turns, (size_t)count, sizeof *turns, by_turn);
  return count;
}

// Another order of warps is another order of their arrivals.
static void arrive_anew(TraceEvent *event, uint16_t arrived[16]) {
  if (event->kind != TRACE_BARRIER) return;
  uint16_t *here = &arrived[event->barrier_id % 16];
  event->arrived = ++*here;
  event->flags = (uint8_t)(event->flags & ~TRACE_LAST_ARRIVAL);
  if (*here < event->expected) return;
  event->flags |= TRACE_LAST_ARRIVAL;
  *here = 0;
}

// The addresses of another allocator.
static const uint64_t ELSEWHERE = UINT64_C(0x7f4200000000);

static void move_event(TraceEvent *event, uint64_t addr[32]) {
  if (!event->addr || event->space != TRACE_GLOBAL) return;
  for (int lane = 0; lane < 32; lane++) addr[lane] = event->addr[lane] + ELSEWHERE;
  event->addr = addr;
}

// A result with another last bit.
static bool round_event(TraceEvent *event, uint64_t result[32]) {
  if (event->kind != TRACE_SHUFFLE || event->warp || !event->result) return false;
  memcpy(result, event->result, 32 * sizeof *result);
  result[3] ^= 1;
  event->result = result;
  return true;
}

static void push_block(Trace *trace, const TraceBlock *block, TraceSink *sink, const FakeGpu *fake, bool astray) {
  Turn *turns = ls_alloc((size_t)block->count * sizeof *turns);
  int count = order_turns(trace, block, turns);
  uint16_t arrived[16] = {0};
  uint32_t of_warp[32] = {0};
  bool rounds = fake->rounds && block->first == 0;
  sink->begin_block(sink, block->block, true);
  for (int i = 0; i < count; i++) {
    TraceEvent event;
    if (!trace_event(trace, turns[i].step, &event, NULL)) continue;
    arrive_anew(&event, arrived);
    if (astray && of_warp[event.warp]++ >= ASTRAY_EVENT && event.warp == 0) event.active = event.mask =
        event.active & 0xffff;
    uint64_t addr[32], result[32];
    if (fake->elsewhere) move_event(&event, addr);
    if (rounds && round_event(&event, result)) rounds = false;
    sink->event(sink, &event);
  }
  if (sink->end_block) sink->end_block(sink, block->block);
  free(turns);
}

static void push_events(const Run *run, const FakeGpu *fake, TraceSink *sink) {
  int count;
  const TraceBlock *blocks = trace_blocks(run->trace, &count);
  for (int i = 0; i < count; i++) push_block(run->trace, &blocks[i], sink, fake, fake->goes_astray && i == 0);
}

// ---- times ---------------------------------------------------------------------------------------------------------

static int earliest(const uint64_t *free_at, int slots) {
  int best = 0;
  for (int i = 1; i < slots; i++)
    if (free_at[i] < free_at[best]) best = i;
  return best;
}

// Blocks go where room becomes free first; one SM is a little slower than the others.
static void push_times(const Run *run, TraceSink *sink) {
  const ArchProfile *named = arch_find(run->info.profile), *arch = named ? named : arch_find("h200");
  uint64_t blocks = launch_blocks(&run->info.launch);
  int slots = arch->sm_count * SM_SLOTS;
  uint64_t *free_at = ls_alloc((size_t)slots * sizeof *free_at);
  TraceBlockTime *times = ls_alloc((size_t)blocks * sizeof *times);
  LsMt random;
  ls_mt_seed(&random, 5);
  for (uint64_t b = 0; b < blocks; b++) {
    int slot = b < (uint64_t)slots ? (int)b : earliest(free_at, slots), sm = slot % arch->sm_count;
    uint64_t start = b < (uint64_t)slots ? b / 8 * SLICE_NS % 640 : free_at[slot] + SLICE_NS;
    uint64_t took = (3200 + ls_mt_u32(&random) % 60 * SLICE_NS) * (sm == 17 ? 5 : 4) / 4;
    times[b] = (TraceBlockTime){(uint32_t)b, (uint16_t)sm, start, start + took};
    free_at[slot] = start + took;
  }
  sink->block_times(sink, times, (int)blocks);
  free(times);
  free(free_at);
}

// ---- the trace -----------------------------------------------------------------------------------------------------

// As long as the lanes of all SMs take for so many instructions, so that rates are those of a device.
static uint64_t plain_ns(const Run *run) {
  return 4000 + counters_total(run->counters)->value[COUNTER_THREAD_INSTRUCTIONS] / 8000;
}

static void push_measure(const Run *run, const FakeGpu *fake, TraceSink *sink) {
  uint64_t ns = plain_ns(run);
  TraceMeasure measure = {
      .date = (char *)(fake->date ? fake->date : "2026-11-20"), .driver = (char *)"580.95 (CUDA 13.0)", .runs = 50,
      .min_ns = ns - ns / 20, .median_ns = ns, .max_ns = 2 * ns, .traced_ns = 7 * ns,
      .lost_events = fake->lost_events, .registers = 24,
      .static_shared_bytes = 1024, .blocks_per_sm = SM_SLOTS, .cc_major = 9, .sm_count = 132, .clock_khz = 1980000,
      .memory_clock_khz = 3201000, .memory_bus_bits = 6144, .l2_bytes = 60ull << 20, .memory_bytes = 150754820096ull};
  sink->measure(sink, &measure);
}

static bool write_all(Run *run, const FakeGpu *fake, const char *path, uint8_t **bytes, size_t *size, LsErr *err) {
  Counting counting;
  if (!count_grid(run, &counting, err)) return false;
  free(run->info.device);
  free(run->info.device_name);
  run->info.device = ls_strdup(fake->device ? fake->device : "cuda");
  if (fake->profile) free(run->info.profile), run->info.profile = ls_strdup(fake->profile);
  run->info.device_name = ls_strdup("NVIDIA H200");
  for (int i = 0; fake->elsewhere && i < run->info.object_count; i++)
    if (run->info.objects[i].space == TRACE_GLOBAL) run->info.objects[i].base += ELSEWHERE;
  TraceWriter *writer = trace_writer_new(path, &run->info, err);
  bool ok = writer != NULL;
  if (ok) {
    TraceSink *sink = trace_writer_sink(writer);
    if (run->trace) push_events(run, fake, sink);
    sink->tally(sink, counting.tallies, counting.tally_count);
    if (fake->miscounts) miscount(run, fake->miscounts, &counting);
    sink->counts(sink, counting.counts, counting.count);
    if (!fake->no_times) push_times(run, sink);
    push_measure(run, fake, sink);
    ok = trace_writer_finish(writer, err);
    if (ok && !path) *bytes = trace_writer_take(writer, size);
  }
  trace_writer_free(writer);
  free(counting.counts);
  free(counting.tallies);
  return ok;
}

bool fake_gpu_trace(const RunRequest *request, const FakeGpu *fake, const char *path, uint8_t **bytes, size_t *size,
                    LsErr *err) {
  RunRequest emulated;
  run_request_copy(&emulated, request);
  free(emulated.device);
  emulated.device = ls_strdup("emu");
  Run *run = run_new(&emulated, NULL, err);
  bool ok = run && write_all(run, fake, path, bytes, size, err);
  run_free(run);
  run_request_fini(&emulated);
  return ok;
}

bool fake_gpu_request(RecipeBook *book, const char *name, const char *values, DevCut cut, RunRequest *request,
                      LsErr *err) {
  run_request_init(request);
  request->what = ls_strdup(name);
  request->cut = cut;
  request->recipe = book->get(book, name, err);
  if (!request->recipe) return false;
  recipe_defaults(request->recipe, &request->values);
  char *copy = ls_strdup(values), *rest = copy, *word;
  bool ok = true;
  while (ok && (word = strsep(&rest, " ")))
    if (*word) ok = recipe_set(request->recipe, &request->values, word, err);
  free(copy);
  return ok;
}
