// grade.c: several judging processes at a time, each listened to by a thread.
#include "app/practice/grade.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "app/practice/grade_wire.h"
#include "base/clock.h"
#include "base/file.h"
#include "device/child.h"

enum { MOST_JOBS = 64, TICK_MS = 100, LISTEN_MS = 50, MOST_ANSWER = 4 << 20, GRACE_MS = 2000 };
static const double PATIENCE = 20;   // seconds beyond those of the judging until a process here is given up

typedef struct Work {
  const Submissions *found;
  const GradeOptions *options;
  GradeRow *rows;
  int next, done, passed, running;
  pthread_mutex_t mutex;
  pthread_cond_t changed;
} Work;

static bool is_ending(const Work *work) { return work->options->ending && *work->options->ending; }

static void set_row(GradeRow *row, GradeState state, const char *how, const char *message) {
  row->state = state;
  free(row->how);
  free(row->message);
  row->how = how ? ls_strdup(how) : NULL;
  row->message = message ? ls_strdup(message) : NULL;
}

// ---- one judging ---------------------------------------------------------------------------------------------------

static void write_request(const Work *work, const Submission *item, const Exercise *exercise, LsText *out) {
  grade_wire_begin(out);
  grade_wire_text(out, "exercise", exercise->name);
  grade_wire_number(out, "seed", (int64_t)work->options->seed);
  grade_wire_number(out, "milliseconds", (int64_t)(work->options->seconds * 1000));
  grade_wire_number(out, "megabytes", work->options->megabytes);
  grade_wire_put(out, "source", item->text, item->size);
  grade_wire_end(out);
}

// Sends and listens until it has answered. False: it was too late, or we are to end.
static bool talk(const Work *work, Child *child, const LsText *request, LsText *answer) {
  uint64_t until = ls_clock_ms() + (uint64_t)((work->options->seconds + PATIENCE) * 1000);
  size_t sent = 0;
  char bytes[4096];
  for (ssize_t count = 0; count >= 0;) {
    if (is_ending(work) || (!work->options->runner && ls_clock_ms() > until)) return false;
    child_wait(child, sent < request->length, LISTEN_MS);
    if (sent < request->length) {
      ssize_t taken = child_write(child, request->data + sent, request->length - sent);
      sent = taken < 0 ? request->length : sent + (size_t)taken;
    }
    while ((count = child_read(child, bytes, sizeof bytes)) > 0)
      if (answer->length < MOST_ANSWER) ls_text_addn(answer, bytes, (size_t)count);
    if (grade_wire_is_whole(answer)) return true;
  }
  return true;
}

// What is said of a process that ended without an answer.
static void tell_silence(const Work *work, const Child *child, GradeRow *row) {
  LsText words = {0};
  ls_text_add(&words, "The judging process ");
  child_fate(child, &words);
  if (work->options->runner) ls_text_addf(&words, ", through the runner '%s'", LS_QUOTE(work->options->runner));
  const char *said = ls_text_str(&child->said);
  ls_text_addf(&words, "%s%.300s", *said ? ": " : ".", said);
  set_row(row, GRADE_BROKEN, "broken", ls_text_str(&words));
  ls_text_free(&words);
}

static void judge_there(const Work *work, const LsText *request, GradeRow *row) {
  Child child;
  LsErr err = {0};
  LsText answer = {0};
  if (!child_start(&child, work->options->runner, "serve-judge", &err)) {
    set_row(row, GRADE_BROKEN, "broken", err.message);
    return;
  }
  bool heard = talk(work, &child, request, &answer);
  child_end(&child, heard ? GRACE_MS : 0);
  if (grade_wire_is_whole(&answer)) grade_read_answer(&answer, row);
  else if (is_ending(work)) set_row(row, GRADE_CANCELED, NULL, NULL);
  else if (heard) tell_silence(work, &child, row);
  else set_row(row, GRADE_BROKEN, "broken", "The judging process did not answer in time, and was ended.");
  child_free(&child);
  ls_text_free(&answer);
}

static void judge_one(const Work *work, int index) {
  const Submission *item = &work->found->items[index];
  GradeRow *row = &work->rows[index];
  LsErr err = {0};
  LsText request = {0};
  uint64_t start = ls_clock_ns();
  const Exercise *exercise = work->options->book->get(work->options->book, item->exercise, &err);
  if (exercise) {
    write_request(work, item, exercise, &request);
    judge_there(work, &request, row);
  } else {
    set_row(row, GRADE_BROKEN, "broken", err.message);
  }
  row->seconds = (double)(ls_clock_ns() - start) / 1e9;
  ls_text_free(&request);
}

// ---- threads -------------------------------------------------------------------------------------------------------

static int take(Work *work) {
  pthread_mutex_lock(&work->mutex);
  while (work->next < work->found->count && work->rows[work->next].state != GRADE_WAITS) work->next++;
  int index = is_ending(work) || work->next == work->found->count ? -1 : work->next++;
  pthread_mutex_unlock(&work->mutex);
  return index;
}

static void *judge_many(void *context) {
  Work *work = context;
  for (int index; (index = take(work)) >= 0;) {
    judge_one(work, index);
    pthread_mutex_lock(&work->mutex);
    work->done++;
    work->passed += work->rows[index].passed;
    pthread_mutex_unlock(&work->mutex);
  }
  pthread_mutex_lock(&work->mutex);
  work->running--;
  pthread_cond_signal(&work->changed);
  pthread_mutex_unlock(&work->mutex);
  return NULL;
}

static void wait_for_all(Work *work) {
  pthread_mutex_lock(&work->mutex);
  while (work->running) {
    struct timespec until = ls_clock_after(TICK_MS);
    pthread_cond_timedwait(&work->changed, &work->mutex, &until);
    int done = work->done, passed = work->passed;
    pthread_mutex_unlock(&work->mutex);
    if (work->options->waiting) work->options->waiting(work->options->context, done, passed);
    pthread_mutex_lock(&work->mutex);
  }
  pthread_mutex_unlock(&work->mutex);
}

static void init(Work *work) {
  pthread_condattr_t clock;
  pthread_condattr_init(&clock);
  pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
  pthread_cond_init(&work->changed, &clock);
  pthread_condattr_destroy(&clock);
  pthread_mutex_init(&work->mutex, NULL);
}

// What cannot be judged needs no process.
static void take_troubles(Work *work) {
  for (int i = 0; i < work->found->count; i++) {
    const Submission *item = &work->found->items[i];
    if (!item->trouble) continue;
    set_row(&work->rows[i], GRADE_REFUSED, "refused", item->trouble);
    work->done++;
  }
}

GradeRow *grade_run(const Submissions *found, const GradeOptions *options) {
  Work work = {.found = found, .options = options, .rows = ls_alloc(sizeof(GradeRow) * (size_t)(found->count + 1))};
  pthread_t threads[MOST_JOBS];
  int wanted = LS_CLAMP(options->jobs, 1, MOST_JOBS), started = 0;
  init(&work);
  take_troubles(&work);
  work.running = wanted;
  for (int i = 0; i < wanted; i++) {
    if (pthread_create(&threads[started], NULL, judge_many, &work) == 0) started++;
    else work.running--;
  }
  if (!started) work.running = 1, judge_many(&work);
  wait_for_all(&work);
  for (int i = 0; i < started; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < found->count; i++)
    if (work.rows[i].state == GRADE_WAITS) work.rows[i].state = GRADE_CANCELED;
  pthread_cond_destroy(&work.changed);
  pthread_mutex_destroy(&work.mutex);
  return work.rows;
}

void grade_free(GradeRow *rows, int count) {
  for (int i = 0; rows && i < count; i++) {
    GradeRow *row = &rows[i];
    char *const texts[] = {row->how, row->kind, row->message, row->says, row->advice, row->values, row->score};
    for (int k = 0; k < LS_COUNT(texts); k++) free(texts[k]);
  }
  free(rows);
}
