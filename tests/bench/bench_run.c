// bench_run.c: one run of a kernel in the emulator, timed: not what is made before it and put away behind it.
#include "bench_run.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include "base/mem.h"
#include "model/model.h"

const char *const bench_mode_names[BENCH_MODES] = {"counters", "checks", "recorded"};

static double seconds_of(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

BenchTook bench_now(void) { return (BenchTook){seconds_of(CLOCK_PROCESS_CPUTIME_ID), seconds_of(CLOCK_MONOTONIC)}; }

BenchTook bench_since(BenchTook start) {
  BenchTook now = bench_now();
  return (BenchTook){now.cpu - start.cpu, now.wall - start.wall};
}

__attribute__((noinline)) void bench_measured(void (*work)(void *context), void *context) { work(context); }

// ---- one run -------------------------------------------------------------------------------------------------------

typedef struct Running {
  Sim *sim;
  Counters *counters;
  TraceWriter *writer;         // NULL: nothing is recorded
  TraceTee tee;
  TraceInfo info;
  char *path;                  // of the trace
} Running;

// Inputs that were drawn stand in a trace as a seed; those that the bench has drawn are left out of it.
static void forget_inputs(Launch *launch) {
  for (int i = 0; i < launch->arg_count; i++) {
    free(launch->args[i].data);
    launch->args[i].data = NULL;
    launch->args[i].init = LAUNCH_NONE;
  }
}

static void prepare_trace(Running *r, const Launch *launch) {
  LsErr err = {0};
  trace_info_init(&r->info);
  launch_fini(&r->info.launch);
  launch_copy(&r->info.launch, launch);
  forget_inputs(&r->info.launch);
  r->path = bench_temporary_file();
  r->writer = trace_writer_new(r->path, &r->info, &err);
  if (!r->writer) bench_die("trace", &err);
}

// As `stats` runs a kernel, and `trace`.
static void prepare(Running *r, const BenchWork *work, BenchMode mode, int threads) {
  LsErr err = {0};
  SimOptions options;
  sim_options_init(&options);
  options.checks = mode == BENCH_CHECKS ? SIM_CHECK_ALL : 0;
  options.record_all = mode == BENCH_RECORDED;
  options.order = mode == BENCH_RECORDED ? SIM_TURNS : SIM_WHOLE;
  options.threads = threads;
  *r = (Running){.sim = sim_new(work->module, work->entry, &work->launch, &options, &err)};
  if (!r->sim) bench_die(work->kernel->name, &err);
  r->counters = counters_new(work->module);
  if (mode == BENCH_RECORDED) prepare_trace(r, &work->launch);
  trace_tee_init(&r->tee, counters_sink(r->counters), r->writer ? trace_writer_sink(r->writer) : NULL);
}

static void go(void *context) {
  Running *r = context;
  LsErr err = {0};
  TraceSink *sink = r->writer ? &r->tee.sink : counters_sink(r->counters);
  if (!sim_run(r->sim, sink, &err) || (r->writer && !trace_writer_finish(r->writer, &err))) bench_die("a run", &err);
}

static void measure_trace(const Running *r, BenchRun *out) {
  LsErr err = {0};
  Trace *trace = trace_open(r->path, &err);
  if (!trace) bench_die("trace", &err);
  out->events = (double)trace_steps(trace);
  out->bytes = (double)trace_bytes(trace);
  trace_close(trace);
}

static void finish(Running *r) {
  if (r->writer) {
    unlink(r->path);
    trace_writer_free(r->writer);
    trace_info_fini(&r->info);
  }
  free(r->path);
  counters_free(r->counters);
  sim_free(r->sim);
}

void bench_run(const BenchWork *work, BenchMode mode, int threads, BenchRun *out, BenchLook *look, void *context) {
  Running r;
  prepare(&r, work, mode, threads);
  BenchTook start = bench_now();
  bench_measured(go, &r);
  *out = (BenchRun){.took = bench_since(start), .warp_instructions = (double)sim_warp_instructions(r.sim),
                    .threads = sim_threads(r.sim)};
  if (r.writer) measure_trace(&r, out);
  if (look) look(context, r.sim);
  finish(&r);
}
