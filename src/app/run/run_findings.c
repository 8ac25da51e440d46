// run_findings.c: the findings of a run: what was watched while it ran, or is read from its trace, judged.
#include "app/run/run.h"

#include "base/mem.h"
#include "model/bank.h"
#include "model/coal.h"

// A trace that was opened was not watched while it ran, and a GPU's blocks are not seen before they are in the trace.
static void watch(Run *run) {
  if (!run->trace || (run->witness && witness_blocks(run->witness))) return;
  witness_free(run->witness);
  run->witness = witness_new(run->module, &run->info.launch, true, NULL);
  if (witness_read(run->witness, run->trace)) return;
  witness_free(run->witness);   // damaged: who looks at that place is told
  run->witness = NULL;
}

enum { TRIES = 256 };   // events looked at for one that shows what is found

// Whether the event is one of those that cost: the first ones may be as good as can be.
static bool shows(const Finding *finding, const TraceEvent *event) {
  int bytes, least;
  if (finding->kind == FINDING_DIVERGENCE) return event->flags & TRACE_DIVERGES;
  if (!event->addr || !event->mask) return false;
  if (finding->kind == FINDING_BANK_CONFLICT)
    return bank_count(event->kind == TRACE_LOAD, event->mask, event->width, event->addr, &least) > least;
  if (finding->kind == FINDING_UNCOALESCED)
    return coal_measure(event->mask, event->width, event->addr, &bytes) * COAL_SECTOR >= bytes + COAL_SECTOR;
  return true;
}

// An event of a recorded block that shows the finding: the first one that does, else the first of its instruction.
static uint64_t step_of(Run *run, const Finding *finding) {
  TraceQuery query;
  TraceEvent event = {.pc = -1};
  uint64_t step = 0, first = UINT64_MAX;
  if (!run->trace || finding->pc < 0 || !trace_steps(run->trace)) return UINT64_MAX;
  trace_query_init(&query);
  query.pc_first = query.pc_last = finding->pc;
  bool found = trace_event(run->trace, 0, &event, NULL) &&
               (event.pc == finding->pc || trace_find(run->trace, 0, 1, &query, &step, NULL));
  for (int tries = 0; found && tries < TRIES; tries++) {
    if (first == UINT64_MAX) first = step;
    if (trace_event(run->trace, step, &event, NULL) && shows(finding, &event)) return step;
    found = trace_find(run->trace, step, 1, &query, &step, NULL);
  }
  return first;
}

const Findings *run_findings(Run *run) {
  const TraceMeasure *measure = run_measure(run);
  if (run->findings) return run->findings;
  watch(run);
  FindingsOf of = {.module = run->module, .entry = run->entry, .info = &run->info, .counters = run->counters,
                   .witness = run->witness, .arch = run_profile(run), .emulated = run_is_emulated(run)};
  if (measure) of.registers = (int)measure->registers, of.resident = (int)measure->blocks_per_sm;
  if (measure) of.local_bytes = measure->local_bytes;
  run->findings = findings_new(&of);
  for (int i = 0; i < run->findings->count; i++) run->findings->items[i].step = step_of(run, &run->findings->items[i]);
  return run->findings;
}
