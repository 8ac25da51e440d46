// job.h: a run made by a worker thread, so that the screen stays alive: start, look at its progress, take the result.
//
//   Job *job = job_start(&request);
//   while (!job_wait(job, 16)) draw(job_progress(job));
//   Run *run = job_take(job, &err);      // always joins the thread and frees the job
#ifndef LS_APP_JOB_H
#define LS_APP_JOB_H

#include "app/run/run.h"

typedef struct Job Job;
Job *job_start(const RunRequest *request);            // the request is copied
Job *job_start_to_file(const RunRequest *request, const char *path);   // the trace goes to a file; NULL: it does not
bool job_done(const Job *job);
bool job_wait(Job *job, int milliseconds);            // true if it is done; returns early when it gets done
const RunProgress *job_progress(const Job *job);
void job_cancel(Job *job);                            // asks it to stop; it is done soon after
void job_stop(Job *job);                              // the same, but what the emulator has done by then is the run
// Waits for the end. NULL with an error if the run failed or was canceled (LS_ECANCEL). Frees the job.
Run *job_take(Job *job, LsErr *err);
void job_free(Job *job);                              // cancels, waits, drops the result; NULL is fine

#endif
