// job.c: one thread that makes one run.
#include "app/run/job.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "app/run/program_record.h"
#include "base/clock.h"
#include "base/mem.h"

struct Job {
  RunRequest request;
  char *path;        // of the trace; NULL: in memory
  RunProgress progress;
  pthread_t thread;
  bool started;
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  bool done;         // guarded by mutex, as are the two below
  Run *run;
  LsErr err;
};

static void finish(Job *job, Run *run, const LsErr *err) {
  pthread_mutex_lock(&job->mutex);
  job->run = run;
  job->err = *err;
  job->done = true;
  pthread_cond_broadcast(&job->changed);
  pthread_mutex_unlock(&job->mutex);
}

// A file gets all launches of a program, unless one is asked for.
static Run *make(Job *job, LsErr *err) {
  const RunRequest *request = &job->request;
  bool whole = job->path && request->recipe && request->recipe->sequence && !request->launch_number;
  if (whole && strcmp(request->device, "recorded") != 0) return program_record(request, job->path, &job->progress, err);
  return run_new_to_file(request, job->path, &job->progress, err);
}

static void *work(void *context) {
  Job *job = context;
  LsErr err = {0};
  Run *run = make(job, &err);
  if (run && run->counters) run_findings(run);   // here nobody waits for it
  finish(job, run, &err);
  return NULL;
}

Job *job_start(const RunRequest *request) { return job_start_to_file(request, NULL); }

Job *job_start_to_file(const RunRequest *request, const char *path) {
  Job *job = ls_alloc(sizeof *job);
  job->path = path ? ls_strdup(path) : NULL;
  run_request_copy(&job->request, request);
  job->progress.stage = "starting";
  pthread_condattr_t clock;
  pthread_condattr_init(&clock);
  pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
  pthread_cond_init(&job->changed, &clock);
  pthread_condattr_destroy(&clock);
  pthread_mutex_init(&job->mutex, NULL);
  job->started = pthread_create(&job->thread, NULL, work, job) == 0;
  if (!job->started) {
    LsErr err = {0};
    ls_fail(&err, LS_ENOMEM, "the system gives no further thread: close other programs and try again");
    finish(job, NULL, &err);
  }
  return job;
}

bool job_done(const Job *job) {
  Job *writable = (Job *)job;   // looking takes the lock
  pthread_mutex_lock(&writable->mutex);
  bool done = job->done;
  pthread_mutex_unlock(&writable->mutex);
  return done;
}

bool job_wait(Job *job, int milliseconds) {
  struct timespec until = ls_clock_after(milliseconds);
  pthread_mutex_lock(&job->mutex);
  while (!job->done && pthread_cond_timedwait(&job->changed, &job->mutex, &until) != ETIMEDOUT) continue;
  bool done = job->done;
  pthread_mutex_unlock(&job->mutex);
  return done;
}

const RunProgress *job_progress(const Job *job) { return &job->progress; }

void job_cancel(Job *job) { job->progress.cancel = true; }

void job_stop(Job *job) {
  job->progress.keep = true;
  job_cancel(job);
}

Run *job_take(Job *job, LsErr *err) {
  if (job->started) pthread_join(job->thread, NULL);
  Run *run = job->run;
  if (!run && err) *err = job->err;
  pthread_cond_destroy(&job->changed);
  pthread_mutex_destroy(&job->mutex);
  run_request_fini(&job->request);
  free(job->path);
  free(job);
  return run;
}

void job_free(Job *job) {
  if (!job) return;
  job_cancel(job);
  run_free(job_take(job, NULL));
}
