// practice_lines.c: a student's file, judged again whenever it is saved, in lines of text.
#include "cli/practice_lines.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/course/lesson.h"
#include "app/own/watch.h"
#include "app/practice/workplace.h"
#include "base/clock.h"
#include "cli/cli.h"
#include "cli/wait.h"

enum { SETTLING_MS = 20, MS = 1000, WORDS = 128 };

typedef struct Desk {
  const Exercise *exercise;
  const uint64_t *seeded;
  char *path;
  Watch *watch;
  Progress *progress;
  const volatile sig_atomic_t *ending;
  bool passed, over, listens;      // over: quit; listens: standard input is still open
  int tips;                        // given so far
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

static bool judge(Desk *desk, LsErr *err) {
  JudgeRequest request = {.path = desk->path, .seed = desk->seeded ? *desk->seeded : judge_seed(), .fast = true};
  Verdict verdict;
  LsErr why = {0};
  if (!judge_file(desk->exercise, &request, NULL, &verdict, &why)) {
    if (why.kind != LS_EREQUEST) {
      if (err) *err = why;
      return false;
    }
    plain_print(stdout, "\n%s\n", why.message);   // a file that is no text today may be one tomorrow
    return true;
  }
  plain_print(stdout, "\n");
  verdict_keep(&verdict, desk->progress);
  practice_print_verdict(&verdict);
  desk->passed = verdict.passed;
  verdict_fini(&verdict);
  if (desk->passed) print_others(desk->exercise);
  return true;
}

// ---- waiting for a save --------------------------------------------------------------------------------------------

static void obey(Desk *desk, const char *word) {
  if (strncmp(word, "tip", 3) == 0) give_tip(desk);
  else if (strncmp(word, "quit", 4) == 0) desk->over = true;
  else if (*word != '\n') plain_print(stdout, "tip gives a tip, quit leaves; save %s to have it judged.\n", desk->path);
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

// Sleeps until something may have happened.
static void sleep_until_news(Desk *desk, WatchNews last) {
  int period = last == WATCH_SETTLING ? SETTLING_MS : watch_period(desk->watch);
  struct pollfd fds[] = {{.fd = watch_fd(desk->watch), .events = POLLIN},
                         {.fd = desk->listens ? STDIN_FILENO : -1, .events = POLLIN}};
  fflush(stdout);
  if (poll(fds, LS_COUNT(fds), period > 0 ? period : MS) > 0 && fds[1].revents) listen(desk);
}

static bool watch(Desk *desk, LsErr *err) {
  WatchNews news = WATCH_SAME;
  while (!desk->passed && !desk->over && !*desk->ending) {
    sleep_until_news(desk, news);
    news = watch_look(desk->watch, (double)ls_clock_ns() * 1e-9);
    if (news == WATCH_GONE) plain_print(stdout, "\n%s is gone; it is judged when it comes back.\n", desk->path);
    if (news == WATCH_CHANGED && !judge(desk, err)) return false;
  }
  return true;
}

// ---- the whole -----------------------------------------------------------------------------------------------------

static bool begin(Desk *desk, LsErr *err) {
  bool is_new = false;
  if (!workplace_begin(desk->exercise, desk->path, &is_new, err)) return false;
  print_statement(desk->exercise);
  plain_print(stdout, "\n%s: %s\n", desk->path,
              is_new ? "the file to write; it is judged at every save" : "your file as you left it; it is judged at every save");
  desk->watch = watch_new(desk->path);
  return judge(desk, err);
}

int practice_in_lines(const Exercise *exercise, const uint64_t *seeded, LsErr *err) {
  Desk desk = {.exercise = exercise, .seeded = seeded, .path = workplace_path(exercise), .listens = true,
               .progress = progress_open(NULL), .ending = cli_catch_endings()};
  plain_progress(desk.progress);
  bool ok = begin(&desk, err) && watch(&desk, err);
  watch_free(desk.watch);
  progress_close(desk.progress);
  free(desk.path);
  cli_end_if_interrupted();
  return !ok ? -1 : desk.passed ? 0 : 1;
}
