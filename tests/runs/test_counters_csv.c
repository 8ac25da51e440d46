// test_counters_csv.c: kernels that Nsight Compute counted on an H200 (tests/unit/model/hardware), run on the emulator: the
// numbers of requests, sectors, shared instructions, wavefronts and conflicts are the same.
#include "base/mem.h"
#include "check.h"
#include "counter_rows.h"
#include "sim/sim.h"

enum { ROWS = 49 };

static CounterRows table;

// What the saved trace tells of the run, for counters that did not see it.
static bool fold(Counters *counters, Trace *trace, LsErr *err) {
  TraceSink *sink = counters_sink(counters);
  int count;
  const TraceTally *tallies = trace_tallies(trace, &count);
  sink->tally(sink, tallies, count);
  trace_blocks(trace, &count);
  CHECK(!trace_is_truncated(trace) && (uint64_t)count == launch_blocks(&trace_info(trace)->launch));
  for (uint64_t step = 0, steps = trace_steps(trace); step < steps; step++) {
    TraceEvent event;
    if (!trace_event(trace, step, &event, err)) return false;
    if (event.kind != TRACE_EXEC) sink->access(sink, &event);
  }
  return true;
}

// Runs a launch with all blocks recorded. The counters took part in the run; the trace has what a file would have.
static bool run(const Launch *launch, Counters *live, Counters *folded, LsErr *err) {
  int entry = ptx_find_entry(table.module, launch->kernel, err);
  if (entry < 0) return false;
  SimOptions options;
  sim_options_init(&options);
  options.record_all = true;
  options.checks &= ~(uint32_t)SIM_CHECK_INIT;   // k_bankst reads words that nobody wrote
  Sim *sim = sim_new(table.module, entry, launch, &options, err);
  if (!sim) return false;
  TraceInfo info;
  trace_info_init(&info);
  launch_copy(&info.launch, launch);
  TraceWriter *writer = trace_writer_new(NULL, &info, err);
  TraceTee tee;
  trace_tee_init(&tee, counters_sink(live), trace_writer_sink(writer));
  bool ran = sim_run(sim, &tee.sink, err) && trace_writer_finish(writer, err);
  int faults;
  sim_faults(sim, &faults);
  CHECK_INT(faults, 0);
  size_t size;
  uint8_t *bytes = ran ? trace_writer_take(writer, &size) : NULL;
  Trace *trace = bytes ? trace_open_memory(bytes, size, err) : NULL;
  ran = trace && fold(folded, trace, err);
  trace_close(trace);
  trace_writer_free(writer);
  trace_info_fini(&info);
  sim_free(sim);
  return ran;
}

static void compare(const CounterRow *row, const CounterSet *ours) {
  for (int i = 0; i < COUNTER_ROW_VALUES; i++) {
    CounterId id = row->id[i];
    if (ours->value[id] != row->value[i]) printf("\n%s %s: ", row->launch.kernel, counter_def(id)->name);
    CHECK_INT(ours->value[id], row->value[i]);
  }
}

static void check_row(const CounterRow *row) {
  LsErr err = {0};
  Counters *live = counters_new(table.module), *folded = counters_new(table.module);
  bool ran = run(&row->launch, live, folded, &err);
  if (!ran) printf("\n%s: %s\n", row->launch.kernel, err.message);
  CU_ASSERT(ran);
  if (ran) {
    compare(row, counters_total(live));
    for (int i = 0; i < COUNTER_COUNT; i++) CHECK_INT(counters_total(folded)->value[i], counters_total(live)->value[i]);
    CHECK(counters_total(live)->value[COUNTER_WARP_INSTRUCTIONS] > 0);
  }
  counters_free(live);
  counters_free(folded);
}

static void emulator_counts_what_the_h200_counted(void) {
  for (int i = 0; i < table.count; i++) check_row(&table.rows[i]);
  CHECK_INT(table.count, ROWS);
}

static const Check checks[] = {{"the emulator counts what the H200 counted", emulator_counts_what_the_h200_counted}};

int main(int argc, char **argv) {
  LsErr err = {0};
  bool read = counter_rows_read(&table, &err);
  if (!read) fprintf(stderr, "%s\n", err.message);
  int status = read ? check_main("counters_csv", checks, LS_COUNT(checks), argc, argv) : 99;
  counter_rows_free(&table);
  return status;
}
