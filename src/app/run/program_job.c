// program_job.c: one thread that runs a program.
#include "app/run/program_job.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/mem.h"

struct ProgramJob {
  RunRequest request;
  RunProgress progress;
  pthread_t thread;
  bool started;
  _Atomic bool done;
  ProgramRun *run;
  LsErr err;
};

static void *work(void *context) {
  ProgramJob *job = context;
  job->run = program_run_new(&job->request, &job->progress, &job->err);
  job->done = true;
  return NULL;
}

ProgramJob *program_job_start(const RunRequest *request) {
  ProgramJob *job = ls_alloc(sizeof *job);
  run_request_copy(&job->request, request);
  job->progress.stage = "starting";
  job->started = pthread_create(&job->thread, NULL, work, job) == 0;
  if (!job->started) work(job);
  return job;
}

bool program_job_done(const ProgramJob *job) { return job->done; }

static void wait_for(ProgramJob *job) {
  if (job->started) pthread_join(job->thread, NULL);
  job->started = false;
}

ProgramRun *program_job_take(ProgramJob *job, LsErr *err) {
  wait_for(job);
  ProgramRun *run = job->run;
  job->run = NULL;
  if (!run && err) *err = job->err;
  return run;
}

void program_job_free(ProgramJob *job) {
  if (!job) return;
  job->progress.cancel = true;
  wait_for(job);
  program_run_close(job->run);
  run_request_fini(&job->request);
  free(job);
}
