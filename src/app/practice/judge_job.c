// judge_job.c: one thread that judges one file.
#include "app/practice/judge_job.h"

#include <pthread.h>
#include <stdlib.h>

struct JudgeJob {
  const Exercise *exercise;
  JudgeRequest request;
  char *path;
  RunProgress progress;
  pthread_t thread;
  bool started, judged;
  Verdict verdict;
  LsErr err;
  _Atomic bool done;         // set last: the two above may be read then
};

static void *work(void *context) {
  JudgeJob *job = context;
  job->judged = judge_file(job->exercise, &job->request, &job->progress, &job->verdict, &job->err);
  job->done = true;
  return NULL;
}

JudgeJob *judge_job_start(const Exercise *exercise, const JudgeRequest *request) {
  JudgeJob *job = ls_alloc(sizeof *job);
  job->exercise = exercise;
  job->request = *request;
  job->request.path = job->path = ls_strdup(request->path);
  job->progress.stage = "starting";
  job->progress.permille = -1;
  job->started = pthread_create(&job->thread, NULL, work, job) == 0;
  if (!job->started) {
    ls_fail(&job->err, LS_ENOMEM, "the system gives no further thread: close other programs and try again");
    job->done = true;
  }
  return job;
}

bool judge_job_done(const JudgeJob *job) { return job->done; }
const RunProgress *judge_job_progress(const JudgeJob *job) { return &job->progress; }
void judge_job_cancel(JudgeJob *job) { job->progress.cancel = true; }

bool judge_job_take(JudgeJob *job, Verdict *verdict, LsErr *err) {
  if (job->started) pthread_join(job->thread, NULL);
  bool judged = job->judged;
  if (judged) *verdict = job->verdict;
  else if (err) *err = job->err;
  free(job->path);
  free(job);
  return judged;
}

void judge_job_free(JudgeJob *job) {
  Verdict verdict;
  if (!job) return;
  judge_job_cancel(job);
  if (judge_job_take(job, &verdict, NULL)) verdict_fini(&verdict);
}
