// practice_lines.c: a student's file, judged again whenever it is saved, in lines of text.
#include "cli/practice_lines.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/course/lesson.h"
#include "app/practice/attempt.h"
#include "base/clock.h"
#include "cli/cli.h"
#include "cli/wait.h"

enum { BUSY_MS = 20, IDLE_MS = 1000, WORDS = 128 };

typedef struct Desk {
  const Exercise *exercise;
  Attempt *attempt;
  Progress *progress;
  const volatile sig_atomic_t *ending;
  bool passed, over, listens;      // over: quit; listens: standard input is still open
  int tips, seen;                  // given; of what attempt_told counts
} Desk;

// ---- what is asked -------------------------------------------------------------------------------------------------

// Markup taken out.
static char *plain_text(const char *text) {
  LsText out = {0};
  const char *start;
  int length, style;
  while (lesson_span(&text, &start, &length, &style)) ls_text_addn(&out, start, (size_t)length);
  return ls_text_take(&out);
}

static void print_plain(const char *text) {
  char *plain = plain_text(text);
  size_t length = strlen(plain);
  plain_print(stdout, "%s%s", plain, length && plain[length - 1] == '\n' ? "" : "\n");
  free(plain);
}

static void print_statement(const Exercise *e) {
  plain_print(stdout, "%s %s\n\n", e->id, e->title);
  print_plain(e->statement);
  plain_print(stdout, "\n");
  for (int i = 0; i < e->kernel_count; i++)
    plain_print(stdout, "%s%s\n", e->given ? "" : "__global__ ", e->kernels[i]);
  if (*e->numbers) plain_print(stdout, "\n"), print_plain(e->numbers);
  LsText cases = {0};
  exercise_cases(e, &cases);
  plain_print(stdout, "\n%s\n", ls_text_str(&cases));
  ls_text_free(&cases);
}

static void give_tip(Desk *desk) {
  const Exercise *e = desk->exercise;
  if (desk->tips == e->tip_count) {
    plain_print(stdout, "There are no more tips.\n");
    return;
  }
  plain_print(stdout, "tip %d of %d: ", desk->tips + 1, e->tip_count);
  print_plain(e->tips[desk->tips++]);
}

// ---- what is said --------------------------------------------------------------------------------------------------

void practice_print_verdict(const Verdict *verdict) {
  LsText words = {0};
  verdict_words(verdict, &words);
  plain_print(stdout, "%s", ls_text_str(&words));
  ls_text_free(&words);
}

static void print_others(const Exercise *e) {
  if (e->other_count) plain_print(stdout, "\nOther ways, to read now:\n");
  for (int i = 0; i < e->other_count; i++) {
    char *path = exercise_file(e, e->others[i].name);
    plain_print(stdout, "%s\n  ", path);
    print_plain(e->others[i].what);
    free(path);
  }
}

// False with *err: this machine cannot judge at all.
static bool tell(Desk *desk, LsErr *err) {
  attempt_keep(desk->attempt, desk->progress);
  const Verdict *v = attempt_verdict(desk->attempt);
  const LsErr *why = attempt_error(desk->attempt);
  desk->seen = attempt_told(desk->attempt);
  if (why && why->kind == LS_EENV) return *err = *why, false;
  plain_print(stdout, "\n");
  if (why) return plain_print(stdout, "%s\n", why->message), true;
  practice_print_verdict(v);
  desk->passed = v->passed;
  if (desk->passed) print_others(desk->exercise);
  return true;
}

// ---- waiting for a save --------------------------------------------------------------------------------------------

static void obey(Desk *desk, const char *word) {
  if (strncmp(word, "tip", 3) == 0) give_tip(desk);
  else if (strncmp(word, "quit", 4) == 0) desk->over = true;
  else if (*word)
    plain_print(stdout, "tip gives a tip, quit leaves; save %s to have it judged.\n", attempt_path(desk->attempt));
}

static void listen(Desk *desk) {
  char words[WORDS];
  ssize_t n = read(STDIN_FILENO, words, sizeof words - 1);
  if (n <= 0) {
    desk->listens = n < 0 && errno == EINTR;
    return;
  }
  words[n] = 0;
  for (char *line = words, *end; *line; line = end + (*end != 0)) {
    end = line + strcspn(line, "\n");
    if (*end) *end = 0, obey(desk, line), *end = '\n';
    else obey(desk, line);
  }
}

// Sleeps until something may have happened. Words are heard when nothing is judged any more.
static void sleep_until_news(Desk *desk) {
  bool busy = attempt_is_busy(desk->attempt);
  int period = busy ? BUSY_MS : attempt_period(desk->attempt);
  struct pollfd fds[] = {{.fd = attempt_fd(desk->attempt), .events = POLLIN},
                         {.fd = desk->listens && !busy ? STDIN_FILENO : -1, .events = POLLIN}};
  fflush(stdout);
  if (poll(fds, LS_COUNT(fds), period > 0 ? period : IDLE_MS) > 0 && fds[1].revents) listen(desk);
}

static bool watch(Desk *desk, LsErr *err) {
  while (!desk->passed && !desk->over && !*desk->ending) {
    sleep_until_news(desk);
    attempt_look(desk->attempt, (double)ls_clock_ns() * 1e-9);
    if (attempt_told(desk->attempt) != desk->seen && !tell(desk, err)) return false;
  }
  return true;
}

// ---- the whole -----------------------------------------------------------------------------------------------------

int practice_in_lines(const Exercise *exercise, Progress *progress, LsErr *err) {
  Desk desk = {.exercise = exercise, .progress = progress, .listens = true};
  desk.attempt = attempt_open(exercise, NULL, err);
  if (!desk.attempt) return -1;
  plain_progress(progress);
  print_statement(exercise);
  plain_print(stdout, "\n%s: %s; it is judged at every save\n", attempt_path(desk.attempt),
              attempt_was_made(desk.attempt) ? "the file to write" : "your file as you left it");
  desk.ending = cli_catch_endings();
  bool ok = watch(&desk, err);
  attempt_free(desk.attempt);
  cli_end_if_interrupted();
  return !ok ? -1 : desk.passed ? 0 : 1;
}
