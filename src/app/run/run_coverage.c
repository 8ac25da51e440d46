// run_coverage.c: how much of its results a run wrote: as it was told, or from the events of all blocks; and its warnings.
#include "app/run/run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { FOLD_AT_OPEN = 50000 };   // events of a trace that does not tell: some milliseconds

static CoverageOf of_run(const Run *run) {
  bool is_recipe = run->request.recipe || (run->info.parameters && *run->info.parameters);
  return (CoverageOf){.module = run->module, .info = &run->info, .is_recipe = is_recipe};
}

// Keeps the rows of results.
static void take(Run *run, const TraceCoverage *items, int count) {
  CoverageOf of = of_run(run);
  run->coverage = ls_alloc(sizeof *run->coverage * (size_t)(count + 1));
  for (int i = 0; i < count; i++)
    if (coverage_is_result(&of, &items[i])) run->coverage[run->coverage_count++] = items[i];
  run->coverage_known = true;
}

// ---- warnings ------------------------------------------------------------------------------------------------------

// Behind the faults that the device told, whose texts stay its own.
static void add_fault(Run *run, TraceFault fault) {
  TraceFault *faults = ls_alloc(sizeof *faults * ((size_t)run->fault_count + 1));
  if (run->fault_count) memcpy(faults, run->faults, sizeof *faults * (size_t)run->fault_count);
  faults[run->fault_count] = fault;
  free(run->own_faults);
  run->faults = run->own_faults = faults;
  run->fault_count++;
  run->own_fault_count++;
}

// A run that stopped at a fault has no answer to check. What a device does not tell, the kinds of its faults do.
bool run_stopped_early(const Run *run) {
  if (run->device_run && run->device->stopped) return run->device->stopped(run->device_run);
  for (int i = 0; i < run->fault_count; i++)
    if (trace_fault_def((FaultKind)run->faults[i].kind)->stops) return true;
  return false;
}

static bool has_race(const Run *run, int32_t object) {
  for (int i = 0; i < run->fault_count; i++)
    if (run->faults[i].kind == FAULT_RACE && run->faults[i].object == object) return true;
  return false;
}

// What did not go to its end could not write all. A race says better what stores of several blocks are.
static void judge(Run *run) {
  int before = run->fault_count;
  CoverageOf of = of_run(run);
  bool is_whole = !run->interrupted && !run_stopped_early(run);
  for (int i = 0; i < run->coverage_count && is_whole; i++) {
    TraceFault flaws[COVERAGE_FLAWS];
    int count = coverage_flaws(&of, &run->coverage[i], flaws);
    for (int k = 0; k < count; k++) {
      if (flaws[k].kind == FAULT_WRITTEN_TWICE && has_race(run, flaws[k].object)) free(flaws[k].message);
      else add_fault(run, flaws[k]);
    }
  }
  if (run->fault_count == before) return;
  causes_free(run->causes);
  run->causes = causes_new(run->module, &run->info, run->faults, run->fault_count);
}

void run_coverage_fini(Run *run) {
  for (int i = 0; i < run->own_fault_count; i++) free(run->own_faults[run->fault_count - 1 - i].message);
  free(run->own_faults);
  free(run->coverage);
}

// ---- where it comes from -------------------------------------------------------------------------------------------

static void fold(Run *run) {
  CoverageOf of = of_run(run);
  TraceCoverage *items;
  int count;
  if (!coverage_fold(&of, run->trace, &items, &count)) return;
  take(run, items, count);
  free(items);
  judge(run);
}

void run_coverage_find(Run *run) {
  const TraceCoverage *items;
  int count;
  bool told = run->trace && !run->device_run ? trace_coverages(run->trace, &items, &count)
                                             : counters_coverage(run->counters, &items, &count);
  if (told) take(run, items, count);
  if (told) judge(run);
  else if (run->trace && trace_steps(run->trace) <= FOLD_AT_OPEN && !run->interrupted) fold(run);
}

const TraceCoverage *run_coverage(Run *run, int *count) {
  if (!run->coverage_known && run->trace && !run->coverage_sought) fold(run);
  run->coverage_sought = true;
  *count = run->coverage_count;
  return run->coverage_known ? run->coverage : NULL;
}

void run_coverage_name(const Run *run, const TraceCoverage *row, LsText *out) {
  CoverageOf of = of_run(run);
  const char *name = coverage_name(&of, row);
  if (name) ls_text_add(out, name); else ls_text_addf(out, "argument %d", (int)row->arg + 1);
}

void run_coverage_words(const Run *run, const TraceCoverage *row, LsText *out) {
  CoverageOf of = of_run(run);
  coverage_words(&of, row, out);
}

void run_coverage_unknown(const Run *run, LsText *out) {
  int recorded = 0;
  uint64_t blocks = launch_blocks(&run->info.launch);
  if (run->coverage_known) return;
  if (run->interrupted) ls_text_add(out, "not known of a run that was interrupted");
  else if (!run->trace) ls_text_add(out, "not known: --check init looks for it");
  else if (trace_blocks(run->trace, &recorded), (uint64_t)recorded < blocks)
    ls_text_addf(out, "not known: events of %d of %" PRIu64 " blocks are recorded (--blocks all records them)", recorded,
                 blocks);
  else ls_text_add(out, "not known: events are missing");
}
