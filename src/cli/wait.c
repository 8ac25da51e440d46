// wait.c: a line of progress without a screen, and signals while something else works.
#include "cli/wait.h"
#include "cli/plain.h"
#include "cli/progress_line.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "app/run/job.h"
#include "base/clock.h"
#include "device/child.h"

enum { TICK_MS = 100, PATIENT_MS = 2000 };
static const int endings[] = {SIGINT, SIGTERM, SIGHUP};
enum { ENDINGS = LS_COUNT(endings) };

// A second signal that comes sooner than this is the first one again: `timeout` sends it to the program and then to its
// group.
#define ECHO_NS 300000000u

static volatile sig_atomic_t ending;     // the signal that asks for the end; 0: none
static volatile sig_atomic_t is_local;   // nothing of the run is elsewhere: a second signal may end the program at once
static _Atomic uint64_t asked_at;        // when the first signal came; 0: none did

// May run on two threads at once: each signal interrupts any of them.
static void on_ending(int number) {
  uint64_t now = ls_clock_ns(), first = 0;
  bool is_first = atomic_compare_exchange_strong(&asked_at, &first, now);
  if (!is_first && now < first + ECHO_NS) return;
  if (!is_first && is_local) {
    signal(number, SIG_DFL);
    raise(number);   // as soon as this handler returns
  }
  ending = number;
}

// ---- what is said --------------------------------------------------------------------------------------------------

typedef struct Waiting { ProgressLine line; bool stoppable; int milliseconds; char said[RUN_NOTE]; } Waiting;

static bool may_stop(const Waiting *waiting, const RunProgress *progress) {
  const char *stage = progress->stage;
  return waiting->stoppable && !ending && stage && strcmp(stage, "running") == 0;
}

static void tell(Waiting *waiting, const RunProgress *progress) {
  char note[RUN_NOTE];
  run_note(progress, note);
  bool stop = may_stop(waiting, progress);
  if (waiting->line.terminal && waiting->milliseconds >= PROGRESS_LINE_QUIET_MS) {
    progress_line_show(&waiting->line, progress, waiting->milliseconds,
                       stop ? "; Ctrl-C stops it with what is known by then" : "");
  } else if (!waiting->line.terminal && waiting->milliseconds >= PATIENT_MS && strcmp(note, waiting->said) != 0) {
    plain_print(stderr, "lanescope: %s: %s\n", progress->stage, note);
    memcpy(waiting->said, note, sizeof note);
  }
}

// ---- waiting -------------------------------------------------------------------------------------------------------

static bool is_emulated_here(const RunRequest *request) {
  return !run_request_runner(request) && (strcmp(request->device, "emu") == 0 || strcmp(request->device, "auto") == 0);
}

// The run is over at the other end, too: now the signal takes its course.
static void end_by(int number) {
  child_settle();
  fflush(NULL);
  signal(number, SIG_DFL);
  raise(number);
}

// What is to be ignored (nohup) stays so.
static void catch_endings(struct sigaction before[ENDINGS]) {
  struct sigaction action = {.sa_handler = on_ending, .sa_flags = SA_RESTART};
  for (int i = 0; i < ENDINGS; i++) {
    sigaction(endings[i], NULL, &before[i]);
    if (before[i].sa_handler != SIG_IGN) sigaction(endings[i], &action, NULL);
  }
}

const volatile sig_atomic_t *cli_catch_endings(void) {
  struct sigaction before[ENDINGS];
  is_local = true;
  catch_endings(before);
  return &ending;
}

Run *cli_make_run(const RunRequest *request, const char *path, LsErr *err) {
  Waiting waiting = {.stoppable = is_emulated_here(request)};
  progress_line_init(&waiting.line);
  struct sigaction before[ENDINGS];
  is_local = waiting.stoppable;
  catch_endings(before);
  Job *job = job_start_to_file(request, path);
  for (; !job_wait(job, TICK_MS); waiting.milliseconds += TICK_MS) {
    if (ending == SIGINT) job_stop(job);
    else if (ending) job_cancel(job);
    tell(&waiting, job_progress(job));
  }
  progress_line_clear(&waiting.line);
  Run *run = job_take(job, err);
  bool ends = ending && (!run || run->interrupted);   // else the signal came too late
  for (int i = 0; i < ENDINGS && !(ends && is_local); i++) sigaction(endings[i], &before[i], NULL);
  if (ends && !run) end_by(ending);
  if (!ends) ending = 0, asked_at = 0;
  return run;   // interrupted: an echo of the signal may still come while that is told
}

void cli_end_if_interrupted(void) {
  if (ending) end_by(ending);
}
