// bench_decode.c: how fast the records of a GPU become a trace.
//
//   make bench_decode && ./bench_decode [MEGABYTES [KERNEL]]      1024 are as many as --device cuda takes
//
// The records are those of a lecture kernel that runs instrumented on the emulator, repeated for as many blocks as fill the memory,
// in an order as a GPU would write them: of blocks that run at the same time one or another takes its next chunk.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "app/run/totals.h"
#include "base/mem.h"
#include "device/probe/probe.h"
#include "device/probe/probe_layout.h"
#include "gpu/works.h"
#include "model/counter.h"
#include "sim/sim.h"

enum { MEMORY_AT = 0x200000, TEMPLATE = 64 << 20, RESIDENT = 132 * 8, EMULATED = 5000000 };

// Seconds of a core: others may be at work here, too.
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ---- memory --------------------------------------------------------------------------------------------------------

static void forget_peak(void) {
  FILE *file = fopen("/proc/self/clear_refs", "we");
  if (!file) return;
  fputs("5", file);
  fclose(file);
}

static double status_mb(const char *key) {
  char line[256];
  double kb = 0;
  FILE *file = fopen("/proc/self/status", "re");
  while (file && fgets(line, sizeof line, file))
    if (strncmp(line, key, strlen(key)) == 0) kb = atof(line + strlen(key));
  if (file) fclose(file);
  return kb / 1024;
}

// ---- stages --------------------------------------------------------------------------------------------------------

typedef struct Stage { double start, memory; } Stage;

static Stage stage_begin(void) {
  forget_peak();
  return (Stage){now(), status_mb("VmRSS:")};
}

static void stage_end(Stage stage, const char *what, uint64_t events, double bytes) {
  double seconds = now() - stage.start;
  printf("  %-52s %6.2f s %8.1f million events/s ", what, seconds, (double)events / seconds / 1e6);
  if (bytes > 0) printf("%8.1f MB/s", bytes / seconds / 1e6);
  else printf("%13s", "");
  printf(" %7.0f MB of memory\n", LS_MAX(status_mb("VmHWM:") - stage.memory, 0));
}

// ---- records -------------------------------------------------------------------------------------------------------

typedef struct Records {
  Launch launch;
  Probe *probe;
  uint8_t *memory;
} Records;

// Runs the instrumented kernel.
static bool make_template(const Work *work, Records *r, LsErr *err) {
  ProbeOptions options = {.record_all = true, .memory_limit = TEMPLATE, .sm_count = 1};
  launch_copy(&r->launch, &work->launch);
  r->probe = probe_new(work->module, work->entry, &r->launch, &options, err);
  if (!r->probe) return false;
  SimOptions o;
  sim_options_init(&o);
  o.checks = 0;
  o.budget = 1ull << 40;
  size_t length;
  const char *text = probe_ptx(r->probe, &length);
  PtxModule *module = ptx_parse("instrumented.ptx", text, length, err);
  int entry = module ? ptx_find_entry(module, work->module->funcs[work->entry].name, err) : -1;
  r->memory = ls_alloc(probe_memory(r->probe));
  SimMapping memory = {.address = MEMORY_AT, .size = probe_memory(r->probe), .bytes = r->memory};
  o.mappings = &memory;
  o.mapping_count = 1;
  Sim *sim = entry < 0 ? NULL : sim_new(module, entry, &r->launch, &o, err);
  uint64_t size;
  uint8_t *context = sim ? sim_global_bytes(sim, PROBE_CONTEXT, &size, NULL) : NULL;
  if (context) probe_context(r->probe, MEMORY_AT, context);
  bool ok = context && sim_run(sim, NULL, err);
  sim_free(sim);
  ptx_module_free(module);
  return ok;
}

static void records_fini(Records *r) {
  probe_free(r->probe);
  launch_fini(&r->launch);
  free(r->memory);
}

// Where the parts of the memory begin.
static ProbeContext parts_of(const Probe *probe) {
  uint8_t context[PROBE_CONTEXT_BYTES];
  ProbeContext parts;
  probe_context(probe, 0, context);
  memcpy(&parts, context, sizeof parts);
  return parts;
}

// The chunks of block 0: those that warps had from the start, and those that they took, in this order.
typedef struct Chunks {
  const uint8_t **own, **taken;
  int own_count, taken_count, taken_capacity;
  uint64_t own_units;          // of each of the former
  uint64_t units;              // of both
} Chunks;
typedef struct Block { uint32_t number; int at; } Block;

static ProbeChunk head_of(const uint8_t *chunk) {
  ProbeChunk head;
  memcpy(&head, chunk, sizeof head);
  return head;
}

static void split(const Records *from, Chunks *chunks) {
  ProbeContext parts = parts_of(from->probe);
  const uint8_t *own = from->memory + parts.records, *at = own + parts.pool * PROBE_UNIT;
  ProbeHead head;
  memcpy(&head, from->memory, sizeof head);
  chunks->own_count = (int)LS_MIN((uint64_t)launch_warps(&from->launch), parts.own_chunks);
  chunks->own_units = parts.pool / parts.own_chunks;
  chunks->own = ls_alloc(sizeof *chunks->own * (size_t)(chunks->own_count + 1));
  for (int i = 0; i < chunks->own_count; i++) chunks->own[i] = own + i * chunks->own_units * PROBE_UNIT;
  chunks->units = (uint64_t)chunks->own_count * chunks->own_units;
  for (uint64_t unit = 0; unit < head.units; unit += head_of(at + unit * PROBE_UNIT).units) {
    const uint8_t *chunk = at + unit * PROBE_UNIT;
    if (head_of(chunk).block != 0) continue;
    LS_PUSH(chunks->taken, chunks->taken_count, chunks->taken_capacity, chunk);
    chunks->units += head_of(chunk).units;
  }
}

static uint32_t next_random(uint64_t *seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*seed >> 33);
}

static void copy_chunk(const uint8_t *chunk, uint32_t block, uint8_t *to) {
  ProbeChunk head = head_of(chunk);
  memcpy(to, chunk, head.units * (size_t)PROBE_UNIT);
  head.block = block;
  memcpy(to, &head, sizeof head);
}

// Blocks whose warps have no chunk from the start are left out.
static void fill(Records *to, const Chunks *chunks) {
  static Block resident[RESIDENT];
  ProbeContext parts = parts_of(to->probe);
  uint8_t *own = to->memory + parts.records, *pool = own + parts.pool * PROBE_UNIT;
  uint64_t seed = 1, at = 0, room = parts.record_units - parts.pool;
  uint32_t next = 0, blocks = (uint32_t)(parts.own_chunks / (uint64_t)LS_MAX(chunks->own_count, 1));
  for (uint32_t b = 0; b < blocks; b++)
    for (int i = 0; i < chunks->own_count; i++)
      copy_chunk(chunks->own[i], b, own + (b * (size_t)chunks->own_count + (size_t)i) * chunks->own_units * PROBE_UNIT);
  for (int i = 0; i < RESIDENT; i++) resident[i] = (Block){.number = next++};
  while (chunks->taken_count && next < blocks) {
    Block *block = &resident[next_random(&seed) % RESIDENT];
    const uint8_t *chunk = chunks->taken[block->at];
    if (head_of(chunk).units > room - at) break;
    copy_chunk(chunk, block->number, pool + at * PROBE_UNIT);
    at += head_of(chunk).units;
    if (++block->at == chunks->taken_count) *block = (Block){.number = next++};
  }
  ProbeHead head = {.units = at};
  memcpy(to->memory, &head, sizeof head);
}

// ---- measuring -----------------------------------------------------------------------------------------------------

typedef struct Counting { TraceSink sink; uint64_t events; } Counting;

static void count_event(TraceSink *sink, const TraceEvent *event) {
  (void)event;
  ((Counting *)(void *)sink)->events++;
}

// The same kernel so often that there is something to measure.
static bool bench_emulator(const Work *work, const TraceInfo *info, LsErr *err) {
  SimOptions o;
  bool ok = true;
  uint64_t events = 0;
  sim_options_init(&o);
  o.record_all = true;
  o.threads = 1;
  Stage stage = stage_begin();
  for (int i = 0; ok && i < 1000 && events < EMULATED; i++) {
    TraceWriter *writer = trace_writer_new(NULL, info, err);
    Sim *sim = sim_new(work->module, work->entry, &work->launch, &o, err);
    ok = writer && sim && sim_run(sim, trace_writer_sink(writer), err) && trace_writer_finish(writer, err);
    if (sim) events += sim_warp_instructions(sim);
    sim_free(sim);
    trace_writer_free(writer);
  }
  if (ok) stage_end(stage, "for comparison: the emulator, recording, one thread", events, 0);
  return ok;
}

// What the program does with the trace that its child made.
static bool bench_session(const Work *work, const TraceInfo *info, uint8_t *bytes, size_t size, uint64_t events, LsErr *err) {
  Stage stage = stage_begin();
  Trace *trace = trace_open_memory(bytes, size, err);
  TraceWriter *writer = trace_writer_new(NULL, info, err);
  Counters *counters = counters_new(work->module);
  RunPrefix *totals = totals_new(work->module);
  TraceTee both;
  trace_tee_init(&both, counters_sink(counters), trace_writer_sink(writer));
  bool ok = trace && trace_push(trace, &both.sink, NULL, err) && trace_writer_finish(writer, err);
  while (ok && totals_advance(totals, trace, EMULATED)) {}
  if (ok) stage_end(stage, "the trace into another one, with totals", events, (double)size);
  trace_writer_free(writer);
  totals_free(totals);
  counters_free(counters);
  trace_close(trace);
  return ok;
}

static bool bench(const Work *work, const Records *r, LsErr *err) {
  uint64_t used = probe_used(r->probe, r->memory), lost;
  TraceInfo info;
  trace_info_init(&info);
  launch_copy(&info.launch, &r->launch);
  Counting counting = {.sink = {.event = count_event}};
  Stage stage = stage_begin();
  bool ok = probe_decode(r->probe, r->memory, NULL, &counting.sink, &lost, err);
  stage_end(stage, "records into events", counting.events, (double)used);
  TraceWriter *writer = trace_writer_new(NULL, &info, err);
  stage = stage_begin();
  ok = ok && writer && probe_decode(r->probe, r->memory, NULL, trace_writer_sink(writer), &lost, err) &&
      trace_writer_finish(writer, err);
  stage_end(stage, "records into a trace", counting.events, (double)used);
  size_t size = 0;
  uint8_t *bytes = ok ? trace_writer_take(writer, &size) : NULL;
  trace_writer_free(writer);
  printf("  %" PRIu64 " events of %" PRIu64 " blocks in %.0f MB, as a trace %.1f MB\n", counting.events, launch_blocks(&r->launch),
         (double)used / 1e6, (double)size / 1e6);
  ok = ok && bench_session(work, &info, bytes, size, counting.events, err) && bench_emulator(work, &info, err);
  trace_info_fini(&info);
  return ok;
}

static bool bench_work(const Work *work, uint64_t megabytes, LsErr *err) {
  Records small = {0}, large = {0};
  Chunks chunks = {0};
  bool ok = make_template(work, &small, err);
  if (ok) {
    split(&small, &chunks);
    uint64_t size = chunks.units * PROBE_UNIT;
    ProbeOptions options = {.record_all = true, .memory_limit = megabytes << 20, .sm_count = 132};
    launch_copy(&large.launch, &work->launch);
    large.launch.grid[0] = (uint32_t)((megabytes << 20) / size + 2 * RESIDENT);
    large.launch.grid[1] = large.launch.grid[2] = 1;
    large.probe = probe_new(work->module, work->entry, &large.launch, &options, err);
    ok = large.probe != NULL;
  }
  if (ok) {
    large.memory = ls_alloc_large(probe_memory(large.probe));
    memset(large.memory, 0, parts_of(large.probe).records);
    memcpy(large.memory, small.memory, parts_of(small.probe).counters);   // where the variables are
    fill(&large, &chunks);
    printf("%s\n", work->name);
    ok = bench(work, &large, err);
  }
  free(chunks.own);
  free(chunks.taken);
  records_fini(&small);
  records_fini(&large);
  return ok;
}

int main(int argc, char **argv) {
  uint64_t megabytes = argc > 1 ? strtoull(argv[1], NULL, 10) : 256;
  const char *wanted = argc > 2 ? argv[2] : "matmul_tiled,";
  LsErr err = {0};
  Works works = {0};
  setenv("LANESCOPE_DATA", LS_SOURCE_DIR, 0);
  setvbuf(stdout, NULL, _IOLBF, 0);
  bool ok = works_add_recipes(&works, true, false, &err);
  for (int i = 0; ok && i < works.count; i++)
    if (strstr(works.items[i].name, wanted)) ok = bench_work(&works.items[i], LS_CLAMP(megabytes, 16, 4096), &err);
  if (!ok) fprintf(stderr, "bench_decode: %s\n", err.message);
  works_fini(&works);
  return !ok;
}
