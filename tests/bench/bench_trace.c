// bench_trace.c: how fast traces are written and read, and how large they are.
//
//   make bench_trace && ./bench_trace [MILLIONS OF EVENTS] [FILE]
//
// The events are those of a tiled loop kernel with 8 warps per block: global loads, shared stores and loads, barriers, a
// loop branch, and a branch that diverges now and then. A second run adds what is hardest to store: in each of its
// iterations an atomic add to random addresses, with operands and old values.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "base/mem.h"
#include "trace/trace.h"

enum { WARPS = 8, TURN = 64, BODY = 24, ITERATIONS = 64 };

typedef struct Warp { int pc, iteration; } Warp;
typedef struct Generator {
  TraceSink *sink;
  Warp warps[WARPS];
  uint32_t block;
  int warp, arrived;
  uint64_t made;
  uint64_t addr[32], value[32];
  uint32_t random;
  bool is_hard;
} Generator;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void set_addr(Generator *g, TraceEvent *event, TraceKind kind, TraceSpace space, uint64_t base, uint64_t stride) {
  event->kind = (uint8_t)kind;
  event->space = (uint8_t)space;
  event->width = 4;
  event->addr = g->addr;
  for (uint64_t lane = 0; lane < 32; lane++) g->addr[lane] = base + stride * lane;
}

// Rows of a 16 x 16 tile: two runs of 16 lanes.
static void set_tile(Generator *g, TraceEvent *event, uint64_t base, uint64_t pitch) {
  set_addr(g, event, TRACE_LOAD, TRACE_GLOBAL, base, 4);
  for (int lane = 16; lane < 32; lane++) g->addr[lane] = base + pitch + 4 * (uint64_t)(lane - 16);
}

static void set_branch(TraceEvent *event, int target, uint32_t taken) {
  event->kind = TRACE_BRANCH;
  event->target = target;
  event->reconverge = event->pc + 1;
  event->taken = taken;
  if (taken && taken != event->mask) event->flags |= TRACE_DIVERGES;
}

static void set_barrier(Generator *g, TraceEvent *event) {
  event->kind = TRACE_BARRIER;
  event->expected = WARPS;
  event->arrived = (uint16_t)(++g->arrived);
  if (g->arrived < WARPS) return;
  event->flags |= TRACE_LAST_ARRIVAL;
  g->arrived = 0;
}

static void set_atomic(Generator *g, TraceEvent *event) {
  set_addr(g, event, TRACE_ATOM, TRACE_GLOBAL, 0, 0);
  for (int lane = 0; lane < 32; lane++) {
    g->random = g->random * 1664525 + 1013904223;
    g->addr[lane] = 0x7f2000000000 + (g->random >> 20) * 4;
    g->value[lane] = (g->random >> 8 & 255) + g->made / 4096;
  }
  event->value = event->result = g->value;
  event->flags |= TRACE_VALUES;
}

static void make_event(Generator *g, TraceEvent *event, const Warp *warp) {
  uint64_t i = (uint64_t)warp->iteration, w = (uint64_t)g->warp, b = g->block;
  switch (warp->pc) {
    case 4: set_tile(g, event, 0x7f0000000000 + b * 65536 + w * 2048 + i * 64, 1024); break;
    case 6: set_tile(g, event, 0x7f1000000000 + b * 64 + w * 2048 + i * 16384, 1024); break;
    case 8: set_addr(g, event, TRACE_STORE, TRACE_SHARED, w * 128, 4); break;
    case 9: set_addr(g, event, TRACE_STORE, TRACE_SHARED, 1024 + w * 128, 4); break;
    case 10: case 20: set_barrier(g, event); break;
    case 13: set_addr(g, event, TRACE_LOAD, TRACE_SHARED, w * 128 + i % 16 * 4, 0); break;
    case 14: set_addr(g, event, TRACE_LOAD, TRACE_SHARED, 1024 + i % 16 * 64, 4); break;
    case 16: if (g->is_hard) set_atomic(g, event); break;
    case 17: set_branch(event, 19, i % 16 == 3 ? 0xffff : 0); break;
    case BODY - 1: set_branch(event, 3, i + 1 < ITERATIONS ? UINT32_MAX : 0); break;
    default: break;   // EXEC
  }
}

static void step(Generator *g) {
  Warp *warp = &g->warps[g->warp];
  TraceEvent event = {.step = g->made++, .block = g->block, .warp = (uint16_t)g->warp, .pc = warp->pc,
                      .active = UINT32_MAX, .mask = UINT32_MAX, .target = -1, .reconverge = -1, .fault = -1};
  if (warp->pc == 18 && warp->iteration % 16 == 3) event.active = event.mask = 0xffff0000;
  make_event(g, &event, warp);
  if (g->sink) g->sink->event(g->sink, &event);
  warp->pc++;
  if (warp->pc == BODY && ++warp->iteration < ITERATIONS) warp->pc = 3;
}

static void generate(TraceSink *sink, uint64_t events, bool is_hard) {
  Generator g = {.sink = sink, .is_hard = is_hard};
  while (g.made < events) {
    if (sink) sink->begin_block(sink, g.block, true);
    memset(g.warps, 0, sizeof g.warps);
    for (int live = WARPS; live;) {
      live = 0;
      for (g.warp = 0; g.warp < WARPS; g.warp++) {
        Warp *warp = &g.warps[g.warp];
        for (int turn = 0; turn < TURN && warp->pc < BODY; turn++) {
          step(&g);
          if (warp->pc == 11 || warp->pc == 21) break;   // it waits at the barrier
        }
        live += warp->pc < BODY;
      }
    }
    g.block++;
  }
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double resident_megabytes(void) {
  long pages = 0, resident = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file) return 0;
  if (fscanf(file, "%ld %ld", &pages, &resident) != 2) resident = 0;
  fclose(file);
  return (double)resident * (double)sysconf(_SC_PAGESIZE) / 1e6;
}

static void report(const char *what, double *times, int count) {
  qsort(times, (size_t)count, sizeof *times, by_value);
  printf("%-24s p50 %.3f ms   max %.3f ms\n", what, 1e3 * times[count / 2], 1e3 * times[count - 1]);
}

static void read_back(const char *path) {
  LsErr err;
  double start = now();
  Trace *trace = trace_open(path, &err);
  if (!trace) {
    printf("%s\n", err.message);
    return;
  }
  printf("%-24s %.3f ms\n", "open", 1e3 * (now() - start));
  enum { SAMPLES = 1000 };
  static double times[SAMPLES], warp_times[SAMPLES];
  TraceEvent event;
  TraceWarp warps[32];
  uint64_t state = 1, steps = trace_steps(trace);
  for (int i = 0; i < SAMPLES; i++) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    uint64_t at = (state >> 16) % steps;
    start = now();
    trace_event(trace, at, &event, NULL);
    times[i] = now() - start;
    start = now();
    trace_warps(trace, at, warps, NULL);
    warp_times[i] = now() - start;
  }
  report("random step", times, SAMPLES);
  report("warps at that step", warp_times, SAMPLES);
  uint64_t sum = 0;
  start = now();
  for (uint64_t at = 0; at < steps; at++)
    if (trace_event(trace, at, &event, NULL)) sum += event.active;
  printf("%-24s %.4f us (sum %llu)\n", "sequential step", 1e6 * (now() - start) / (double)steps, (unsigned long long)sum);
  static uint32_t counts[200 * (TRACE_KIND_COUNT + 1)];
  start = now();
  trace_overview(trace, 0, steps, 200, counts, NULL);
  printf("%-24s %.3f ms\n", "overview of all", 1e3 * (now() - start));
  printf("%-24s %.1f MB\n", "resident", resident_megabytes());
  trace_close(trace);
}

static bool bench(const char *path, uint64_t events, bool is_hard) {
  TraceInfo info;
  LsErr err;
  trace_info_init(&info);
  info.launch.block[0] = 32 * WARPS;
  info.launch.grid[0] = 65535;
  double start = now();
  generate(NULL, events, is_hard);
  double making = now() - start;
  TraceWriter *writer = trace_writer_new(path, &info, &err);
  if (!writer) return printf("%s\n", err.message), false;
  start = now();
  generate(trace_writer_sink(writer), events, is_hard);
  bool ok = trace_writer_finish(writer, &err);
  double writing = now() - start;
  trace_writer_free(writer);
  Trace *trace = ok ? trace_open(path, &err) : NULL;
  if (!trace) return printf("%s\n", err.message), false;
  double count = (double)trace_steps(trace);
  printf("%-24s %.2f million, %.3f bytes each\n", is_hard ? "events, hard" : "events", count / 1e6,
         (double)trace_bytes(trace) / count);
  printf("%-24s %.1f million/s (with making them: %.1f)\n", "written", count / (writing - making) / 1e6, count / writing / 1e6);
  trace_close(trace);
  read_back(path);
  return true;
}

int main(int argc, char **argv) {
  uint64_t events = (uint64_t)((argc > 1 ? atof(argv[1]) : 10) * 1e6);
  const char *path = argc > 2 ? argv[2] : "bench_trace.lst";
  bool ok = bench(path, events, false) && bench(path, events, true);
  unlink(path);
  return !ok;
}
