// traced.c: runs a launch on two devices, plain and instrumented, and compares counters, results and events.
#include "traced.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "base/mem.h"
#include "device/device.h"

#define BUDGET (1ull << 36)

// One device's side of it.
typedef struct Side {
  TraceSink sink;             // forwards to both of the next; takes the measure
  Counters *counters;
  Streams streams;
  TraceTee tee;
  TraceInfo info;
  const Device *device;
  DevRun *run;
  TraceMeasure measure;
} Side;

static void take_measure(TraceSink *sink, const TraceMeasure *measure) {
  Side *side = (Side *)(void *)((char *)sink - offsetof(Side, sink));
  side->measure = *measure;
  side->measure.date = side->measure.driver = NULL;
}

static void side_init(Side *side, const PtxModule *module, const Device *device) {
  *side = (Side){.sink = {.measure = take_measure}, .device = device, .counters = counters_new(module)};
  trace_info_init(&side->info);
}

static void side_fini(Side *side) {
  if (side->run) side->device->close(side->run);
  counters_free(side->counters);
  if (side->streams.of_block) streams_fini(&side->streams);
  trace_info_fini(&side->info);
}

static bool side_run(Side *side, const DevRequest *request, LsErr *err) {
  TraceTee inner;
  side->run = side->device->open(request, &side->info, err);
  if (!side->run) return false;
  streams_init(&side->streams, &side->info, request->launch);
  trace_tee_init(&inner, &side->streams.sink, &side->sink);
  trace_tee_init(&side->tee, counters_sink(side->counters), &inner.sink);
  return side->device->run(side->run, &side->tee.sink, err);
}

// The first, the last, and the rest evenly between.
static uint8_t *choose_blocks(const Launch *launch, int wanted) {
  uint64_t blocks = launch_blocks(launch);
  uint8_t *chosen = ls_alloc(blocks + 1);
  for (int i = 0; i < wanted; i++) chosen[wanted > 1 ? (blocks - 1) * (uint64_t)i / (uint64_t)(wanted - 1) : 0] = 1;
  return chosen;
}

// ---- comparing -----------------------------------------------------------------------------------------------------

static void compare_sets(const CounterSet *a, const CounterSet *b, int pc, Traced *out) {
  for (int i = 0; i < COUNTER_COUNT; i++) {
    out->counters++;
    if (a->value[i] == b->value[i]) continue;
    if (!out->counters_differ++)
      snprintf(out->first_counter, sizeof out->first_counter, "%s at pc %d: emulator %llu, GPU %llu",
               counter_def((CounterId)i)->name, pc,
               (unsigned long long)a->value[i], (unsigned long long)b->value[i]);
  }
}

static void compare_results(const Side *emulator, const Side *gpu, const Launch *launch, Traced *out) {
  for (int arg = 0; arg < launch->arg_count; arg++) {
    uint64_t size, other;
    if (launch_has_pointers(launch, arg)) continue;
    const uint8_t *a = emulator->device->buffer(emulator->run, arg, &size), *b = gpu->device->buffer(gpu->run, arg, &other);
    out->results += size;
    if (!a || !b || size != other) out->results_differ += LS_MAX(size, other);
    else for (uint64_t i = 0; i < size; i++) out->results_differ += a[i] != b[i];
  }
}

static void compare(const PtxModule *module, const Launch *launch, const Side *emulator, const Side *gpu, Traced *out) {
  for (int pc = 0; pc < module->code_count; pc++)
    compare_sets(counters_at(emulator->counters, pc), counters_at(gpu->counters, pc), pc, out);
  compare_sets(counters_total(emulator->counters), counters_total(gpu->counters), -1, out);
  compare_results(emulator, gpu, launch, out);
  streams_compare(&emulator->streams, "emulator", &gpu->streams, "GPU", &out->streams);
  out->emulator = *counters_total(emulator->counters);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

bool traced_run(const PtxModule *module, int entry, const Launch *launch, const TracedOptions *options, Traced *out) {
  Side emulator, gpu;
  SimOptions sim;
  *out = (Traced){0};
  sim_options_init(&sim);
  sim.budget = BUDGET;
  sim.max_global = 16ull << 30;
  uint8_t *chosen = options->blocks && !options->all_blocks ? choose_blocks(launch, options->blocks) : NULL;
  sim.record_block = chosen;
  sim.record_all = options->all_blocks;
  DevRequest request = {.module = module, .entry = entry, .launch = launch, .options = &sim, .timed = options->timed,
                        .unoptimized = options->unoptimized};
  side_init(&emulator, module, dev_find("emu", NULL));
  side_init(&gpu, module, &dev_cuda_here);
  double start = now();
  out->ran = side_run(&gpu, &request, &out->err);
  out->seconds = now() - start;
  out->gpu = *counters_total(gpu.counters);
  out->measure = gpu.measure;
  const TraceFault *faults = gpu.run ? gpu.device->faults(gpu.run, &out->faults) : NULL;
  if (out->faults) snprintf(out->fault, sizeof out->fault, "%s", faults->message);
  out->emulated = out->ran && options->emulated && side_run(&emulator, &request, &out->err);
  if (out->emulated) compare(module, launch, &emulator, &gpu, out);
  side_fini(&emulator);
  side_fini(&gpu);
  free(chosen);
  return out->ran && (out->emulated || !options->emulated);
}

bool traced_agrees(const Traced *t) {
  return t->ran && t->faults == 0 && t->counters_differ == 0 && t->results_differ == 0 && t->measure.differing_bytes == 0 &&
         t->measure.lost_events == 0 && t->streams.equal + t->streams.equal_by_lane == t->streams.warps;
}
