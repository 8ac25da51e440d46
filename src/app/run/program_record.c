// program_record.c: runs a program, then each of its launches again from the memory that it found, and saves them all.
#include "app/run/program_record.h"

#include <stdlib.h>

#include "app/run/program_run.h"
#include "app/run/program_saved.h"
#include "trace/trace.h"

// Fewer events than this are of no use, however many launches there are.
enum { LEAST_EVENTS = 512 };

static Run *record_launch(const RunRequest *request, ProgramRun *whole, int number, RunProgress *progress, LsErr *err) {
  RunRequest one;
  run_request_copy(&one, request);
  run_request_set_whole(&one, &whole->shared);
  run_request_set_launch(&one, &whole->program, number);
  if (!one.blocks) {
    uint64_t events = one.events ? one.events : RUN_EVENTS;
    one.events = LS_MAX(events / (uint64_t)program_all_launches(&whole->program), LEAST_EVENTS);
  }
  Run *run = run_new(&one, progress, err);
  run_request_fini(&one);
  return run;
}

static void add_launch(TraceProgramWriter *writer, const ProgramRun *whole, int number, Run *run) {
  if (number > 1) {
    trace_program_add(writer, number, run->trace);
    return;
  }
  TraceBytes bytes = {0};
  program_saved_put(&bytes, whole);
  trace_program_first(writer, number, run->trace, bytes.data, bytes.size);
  free(bytes.data);
}

Run *program_record(const RunRequest *request, const char *path, RunProgress *progress, LsErr *err) {
  ProgramRun *whole = program_run_keep(request, 0, progress, err);
  TraceProgramWriter *writer = whole ? trace_program_begin(path, err) : NULL;
  int last = whole ? program_run_last_launch(whole) : 0, all = whole ? last + whole->program.child_count : 0;
  bool ok = writer != NULL;
  for (int i = 1; ok && i <= all; i++) {
    int number = i <= last ? i : whole->program.launches + i - last;   // those by kernels have the numbers behind
    Run *run = record_launch(request, whole, number, progress, err);
    ok = run != NULL;
    if (ok) add_launch(writer, whole, number, run);
    run_free(run);
    if (progress) progress->permille = (int)((int64_t)i * 1000 / all);
  }
  ok = ok && trace_program_end(writer, err);
  trace_program_free(writer);
  program_run_close(whole);
  return ok ? run_open(path, err) : NULL;
}
