// wait.c: a line of progress without a screen, and signals while something else works.
#include "cli/wait.h"
#include "cli/plain.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "app/run/job.h"
#include "base/clock.h"
#include "device/child.h"

enum { TICK_MS = 100, QUIET_MS = 600, PATIENT_MS = 2000, COLUMNS = 80 };
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

typedef struct Waiting { bool terminal, stoppable; int milliseconds; char said[RUN_NOTE]; bool shown; } Waiting;

static int columns(void) {
  struct winsize size;
  return ioctl(2, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : COLUMNS;
}

static void clear_line(Waiting *waiting) {
  if (waiting->shown) fputs("\r\033[K", stderr);
  waiting->shown = false;
}

static void show_line(Waiting *waiting, const RunProgress *progress, const char *note) {
  LsText line = {0};
  const char *stage = progress->stage;
  ls_text_addf(&line, "%s, %d s", stage ? stage : "starting", waiting->milliseconds / 1000);
  if (progress->bytes) ls_text_addf(&line, ", %.1f MB", (double)progress->bytes / 1e6);
  else if (progress->permille > 0) ls_text_addf(&line, ", %d.%d%%", progress->permille / 10, progress->permille % 10);
  if (waiting->stoppable && !ending && strcmp(stage ? stage : "", "running") == 0)
    ls_text_add(&line, "; Ctrl-C stops it with what is known by then");
  if (*note) ls_text_addf(&line, ": %s", note);
  clear_line(waiting);
  const char *text = ls_text_str(&line);
  plain_print(stderr, "%.*s", (int)ls_utf8_within(text, columns() - 1), text);
  fflush(stderr);
  waiting->shown = true;
  ls_text_free(&line);
}

static void tell(Waiting *waiting, const RunProgress *progress) {
  char note[RUN_NOTE];
  run_note(progress, note);
  if (waiting->terminal && waiting->milliseconds >= QUIET_MS) {
    show_line(waiting, progress, note);
  } else if (!waiting->terminal && waiting->milliseconds >= PATIENT_MS && strcmp(note, waiting->said) != 0) {
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
  const char *term = getenv("TERM");
  Waiting waiting = {.terminal = isatty(2) && !(term && strcmp(term, "dumb") == 0),
                     .stoppable = is_emulated_here(request)};
  struct sigaction before[ENDINGS];
  is_local = waiting.stoppable;
  catch_endings(before);
  Job *job = job_start_to_file(request, path);
  for (; !job_wait(job, TICK_MS); waiting.milliseconds += TICK_MS) {
    if (ending == SIGINT) job_stop(job);
    else if (ending) job_cancel(job);
    tell(&waiting, job_progress(job));
  }
  clear_line(&waiting);
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
