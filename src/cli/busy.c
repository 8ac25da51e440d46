// busy.c: a line of progress beside a command that works.
#include "cli/busy.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "cli/progress_line.h"

enum { TICK_MS = 100, DEEPEST = 8 };

static struct Busy {
  pthread_t thread;
  pthread_mutex_t mutex;
  pthread_cond_t ended;
  bool ticks, over;                // the thread is there; it has to end
  bool beside;                     // standard output is the terminal, too
  ProgressLine line;
  RunProgress progress;
  uint64_t since, quiet;           // ms on the clock: when the outermost work began, and until when nothing is shown
  const char *outer[DEEPEST]; int depth;
} busy = {.mutex = PTHREAD_MUTEX_INITIALIZER};

// ---- ending by a signal: the line must not stay ---------------------------------------------------------------------

static const int endings[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
static struct sigaction before[LS_COUNT(endings)];

static void on_ending(int number) {
  static const char clear[] = "\r\033[K";
  if (write(2, clear, sizeof clear - 1) < 0) signal(number, SIG_DFL);   // nobody to tell it to
  signal(number, SIG_DFL);
  raise(number);   // as soon as this handler returns
}

// Who catches signals for another purpose goes on doing so, and what is ignored stays so.
static void catch_endings(void) {
  struct sigaction action = {.sa_handler = on_ending, .sa_flags = SA_RESTART};
  for (int i = 0; i < LS_COUNT(endings); i++) {
    sigaction(endings[i], NULL, &before[i]);
    if (before[i].sa_handler == SIG_DFL) sigaction(endings[i], &action, NULL);
  }
}

static void release_endings(void) {
  for (int i = 0; i < LS_COUNT(endings); i++)
    if (before[i].sa_handler == SIG_DFL) sigaction(endings[i], &before[i], NULL);
}

// ---- the thread -----------------------------------------------------------------------------------------------------

static void *tick(void *context) {
  (void)context;
  pthread_mutex_lock(&busy.mutex);
  while (!busy.over) {
    struct timespec until = ls_clock_after(TICK_MS);
    pthread_cond_timedwait(&busy.ended, &busy.mutex, &until);
    uint64_t now = ls_clock_ms();
    if (!busy.over && now >= busy.quiet) progress_line_show(&busy.line, &busy.progress, (int)(now - busy.since), "");
  }
  pthread_mutex_unlock(&busy.mutex);
  return NULL;
}

static void start(void) {
  pthread_condattr_t clock;
  busy.since = ls_clock_ms();
  busy.quiet = busy.since + PROGRESS_LINE_QUIET_MS;
  busy.over = false;
  busy.beside = isatty(1);
  progress_line_init(&busy.line);
  if (!busy.line.terminal) return;
  pthread_condattr_init(&clock);
  pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
  pthread_cond_init(&busy.ended, &clock);
  pthread_condattr_destroy(&clock);
  catch_endings();
  busy.ticks = pthread_create(&busy.thread, NULL, tick, NULL) == 0;
}

static void stop(void) {
  if (!busy.line.terminal) return;
  pthread_mutex_lock(&busy.mutex);
  busy.over = true;
  pthread_cond_signal(&busy.ended);
  pthread_mutex_unlock(&busy.mutex);
  if (busy.ticks) pthread_join(busy.thread, NULL);
  busy.ticks = false;
  progress_line_clear(&busy.line);
  release_endings();
  pthread_cond_destroy(&busy.ended);
}

// ---- what is said ---------------------------------------------------------------------------------------------------

static void say(const char *what) {
  busy.progress.permille = -1;
  busy.progress.bytes = 0;
  busy.progress.stage = what;
}

RunProgress *busy_begin(const char *what) {
  if (busy.depth < DEEPEST) busy.outer[busy.depth] = busy.depth ? busy.progress.stage : NULL;
  busy.progress.note[0] = 0;
  say(what);
  if (busy.depth++ == 0) start();
  return &busy.progress;
}

void busy_end(void) {
  if (--busy.depth == 0) stop();
  else say(busy.depth < DEEPEST ? busy.outer[busy.depth] : NULL);
}

void busy_share(uint64_t done, uint64_t all) { busy.progress.permille = all ? (int)(done * 1000 / all) : -1; }

void busy_hide(void) {
  if (!busy.ticks || !busy.beside) return;
  pthread_mutex_lock(&busy.mutex);
  progress_line_clear(&busy.line);
  busy.quiet = ls_clock_ms() + PROGRESS_LINE_QUIET_MS;
  pthread_mutex_unlock(&busy.mutex);
}
