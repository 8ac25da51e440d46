// test_counters_csv.c: kernels that Nsight Compute counted on an H200 (tests/hardware), run on the emulator: the
// numbers of requests, sectors, shared instructions, wavefronts and conflicts are the same.
#include "base/file.h"
#include "base/mem.h"
#include "check.h"
#include "model/counter.h"
#include "ptx/module.h"
#include "sim/sim.h"

enum { MOST_COLUMNS = 32, ROWS = 49 };
enum { KERNEL, GRID, BLOCK, SHARED, ARGS, FIRST_COUNTER };

static PtxModule *module;
static char *table;

// Cuts a line into its fields in place; a field in quotes may hold commas.
static int split(char *line, char *fields[MOST_COLUMNS]) {
  int count = 0;
  while (line && count < MOST_COLUMNS) {
    bool quoted = *line == '"';
    fields[count++] = line += quoted;
    line = strchr(line, quoted ? '"' : ',');
    if (quoted && line) *line++ = 0;
    if (line && *line == ',') *line++ = 0;
    else line = NULL;
  }
  return count;
}

static int counter_named(const char *name) {
  for (int i = 0; i < COUNTER_COUNT; i++)
    if (strcmp(counter_def((CounterId)i)->name, name) == 0) return i;
  return -1;
}

static bool launch_of(char **fields, Launch *launch, LsErr *err) {
  launch_init(launch);
  launch->kernel = ls_strdup(fields[KERNEL]);
  launch->shared_bytes = (uint64_t)atoi(fields[SHARED]);
  if (!launch_parse_dim(fields[GRID], true, launch->grid, err)) return false;
  if (!launch_parse_dim(fields[BLOCK], false, launch->block, err)) return false;
  for (char *rest = NULL, *arg = strtok_r(fields[ARGS], " ", &rest); arg; arg = strtok_r(NULL, " ", &rest))
    if (!launch_add_arg(launch, arg, err)) return false;
  return true;
}

// Runs a launch with all blocks recorded. The counters took part in the run; the trace has what a file would have.
static bool run(const Launch *launch, Counters *live, Counters *folded, LsErr *err) {
  int entry = ptx_find_entry(module, launch->kernel, err);
  if (entry < 0) return false;
  SimOptions options;
  sim_options_init(&options);
  options.record_all = true;
  options.checks &= ~(uint32_t)SIM_CHECK_INIT;   // k_bankst reads words that nobody wrote
  Sim *sim = sim_new(module, entry, launch, &options, err);
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
  bool complete = false;
  ran = trace && counters_from_trace(folded, trace, &complete, err);
  CHECK(complete);
  trace_close(trace);
  trace_writer_free(writer);
  trace_info_fini(&info);
  sim_free(sim);
  return ran;
}

static int compare(char **names, char **fields, int columns, const CounterSet *ours) {
  int compared = 0;
  for (int c = FIRST_COUNTER; c < columns; c++) {
    int id = counter_named(names[c]);
    if (id < 0) continue;
    if (ours->value[id] != strtoull(fields[c], NULL, 10)) printf("\n%s %s: ", fields[KERNEL], names[c]);
    CHECK_INT(ours->value[id], strtoull(fields[c], NULL, 10));
    compared++;
  }
  return compared;
}

static void check_row(char **names, char **fields, int columns) {
  LsErr err = {0};
  Launch launch;
  Counters *live = counters_new(module), *folded = counters_new(module);
  bool ran = launch_of(fields, &launch, &err) && run(&launch, live, folded, &err);
  if (!ran) printf("\n%s: %s\n", fields[KERNEL], err.message);
  CU_ASSERT(ran);
  if (ran) {
    CHECK_INT(compare(names, fields, columns, counters_total(live)), 12);
    for (int i = 0; i < COUNTER_COUNT; i++) CHECK_INT(counters_total(folded)->value[i], counters_total(live)->value[i]);
    CHECK(counters_total(live)->value[COUNTER_WARP_INSTRUCTIONS] > 0);
  }
  counters_free(live);
  counters_free(folded);
  launch_fini(&launch);
}

static void emulator_counts_what_the_h200_counted(void) {
  char *names[MOST_COLUMNS], *fields[MOST_COLUMNS], *rest = NULL;
  int columns = split(strtok_r(table, "\n", &rest), names), rows = 0;
  for (char *line = strtok_r(NULL, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest), rows++) {
    CHECK_INT(split(line, fields), columns);
    check_row(names, fields, columns);
  }
  CHECK_INT(rows, ROWS);
}

static const Check checks[] = {{"the emulator counts what the H200 counted", emulator_counts_what_the_h200_counted}};

int main(int argc, char **argv) {
  enum { LIMIT = 1 << 20 };
  LsErr err = {0};
  size_t size = 0;
  char *text = ls_file_read(LS_SOURCE_DIR "/tests/hardware/h200-counters.ptx", LIMIT, &size, &err);
  module = text ? ptx_parse("h200-counters.ptx", text, size, &err) : NULL;
  table = module ? ls_file_read(LS_SOURCE_DIR "/tests/hardware/h200-counters.csv", LIMIT, NULL, &err) : NULL;
  if (!table) fprintf(stderr, "%s\n", err.message);
  int status = table ? check_main("counters_csv", checks, LS_COUNT(checks), argc, argv) : 99;
  free(table);
  free(text);
  ptx_module_free(module);
  return status;
}
