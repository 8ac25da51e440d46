// suite_run.c: the points of a suite on several threads, told in their order.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "app/own/suite.h"
#include "base/clock.h"

enum { MOST_JOBS = 64, TICK_MS = 100 };

typedef struct Work {
  Suite *suite;
  const SuiteOptions *options;
  int *queue, queued;                  // points in the order in which they are begun
  int next;                            // of the queue
  bool *done; int done_count;
  RunProgress progress[MOST_JOBS];
  int running;                         // threads
  bool stops;
  pthread_mutex_t mutex;
  pthread_cond_t changed;
} Work;

typedef struct Worker { Work *work; int number; pthread_t thread; } Worker;

// Those that compile come first, so that the others find what was compiled, and no two compile the same.
static void fill_queue(Work *work) {
  const Suite *suite = work->suite;
  bool one_by_one = work->options->jobs <= 1;
  for (int first = 1; first >= 0; first--)
    for (int i = 0; i < suite->count; i++) {
      const SuitePoint *point = &suite->points[i];
      if (point->state == SUITE_WAITS && (point->is_first || one_by_one) == first) work->queue[work->queued++] = i;
    }
}

// The next point to run; -1: there is none.
static int take(Work *work, int number) {
  pthread_mutex_lock(&work->mutex);
  int index = work->stops || work->next == work->queued ? -1 : work->queue[work->next++];
  if (index >= 0) {
    memset(&work->progress[number], 0, sizeof work->progress[number]);
    work->progress[number].stage = "starting";
  }
  pthread_mutex_unlock(&work->mutex);
  return index;
}

static void finish(Work *work, int index) {
  pthread_mutex_lock(&work->mutex);
  work->done[index] = true;
  work->done_count++;
  pthread_cond_signal(&work->changed);
  pthread_mutex_unlock(&work->mutex);
}

static void *run_points(void *context) {
  Worker *worker = context;
  Work *work = worker->work;
  for (int index; (index = take(work, worker->number)) >= 0;) {
    SuitePoint *point = &work->suite->points[index];
    uint64_t start = ls_clock_ns();
    suite_point_run(point, work->options, &work->progress[worker->number]);
    point->seconds = (double)(ls_clock_ns() - start) / 1e9;
    finish(work, index);
  }
  pthread_mutex_lock(&work->mutex);
  work->running--;
  pthread_cond_signal(&work->changed);
  pthread_mutex_unlock(&work->mutex);
  return NULL;
}

// With the mutex held: nothing more is begun, and what runs is asked to end.
static void stop(Work *work) {
  work->stops = true;
  for (int i = 0; i < MOST_JOBS; i++) work->progress[i].cancel = true;
}

// Tells the points that are done, from *told on.
static void tell(Work *work, const SuiteListener *listener, int *told) {
  while (*told < work->suite->count && (work->done[*told] || work->stops)) {
    SuitePoint *point = &work->suite->points[*told];
    if (!work->done[*told] && work->running) return;
    if (!work->done[*told]) point->state = SUITE_CANCELED;
    pthread_mutex_unlock(&work->mutex);
    listener->point(listener->context, point, *told);
    pthread_mutex_lock(&work->mutex);
    ++*told;
  }
}

static void wait_and_tell(Work *work, const SuiteListener *listener) {
  int told = 0;
  pthread_mutex_lock(&work->mutex);
  for (tell(work, listener, &told); told < work->suite->count; tell(work, listener, &told)) {
    struct timespec until = ls_clock_after(TICK_MS);
    pthread_cond_timedwait(&work->changed, &work->mutex, &until);
    if (work->options->ending && *work->options->ending) stop(work);
    int done = work->done_count;
    pthread_mutex_unlock(&work->mutex);
    if (listener->waiting) listener->waiting(listener->context, done);
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

void suite_run(Suite *suite, const SuiteOptions *options, const SuiteListener *listener) {
  Work *work = ls_alloc(sizeof *work);
  work->suite = suite;
  work->options = options;
  work->queue = ls_alloc(sizeof *work->queue * (size_t)(suite->count + 1));
  work->done = ls_alloc(sizeof *work->done * (size_t)(suite->count + 1));
  for (int i = 0; i < suite->count; i++) work->done_count += work->done[i] = suite->points[i].state != SUITE_WAITS;
  init(work);
  fill_queue(work);
  Worker workers[MOST_JOBS];
  int wanted = LS_CLAMP(options->jobs, 1, LS_MIN(MOST_JOBS, LS_MAX(work->queued, 1))), started = 0;
  work->running = wanted;
  for (int i = 0; i < wanted; i++) {
    workers[started] = (Worker){work, i, 0};
    if (pthread_create(&workers[started].thread, NULL, run_points, &workers[started]) == 0) started++;
    else work->running--;
  }
  if (!started) work->running = 1, run_points(&(Worker){.work = work});
  wait_and_tell(work, listener);
  for (int i = 0; i < started; i++) pthread_join(workers[i].thread, NULL);
  pthread_cond_destroy(&work->changed);
  pthread_mutex_destroy(&work->mutex);
  free(work->queue);
  free(work->done);
  free(work);
}
