// program_job.h: a program run as a whole by a worker thread, so that the screen stays alive: for its times.
#ifndef LS_APP_PROGRAM_JOB_H
#define LS_APP_PROGRAM_JOB_H

#include "app/run/program_run.h"

typedef struct ProgramJob ProgramJob;
ProgramJob *program_job_start(const RunRequest *request);   // copied
bool program_job_done(const ProgramJob *job);               // never waits
// Waits for the end. NULL: it failed. The caller owns the run, once.
ProgramRun *program_job_take(ProgramJob *job, LsErr *err);
void program_job_free(ProgramJob *job);                     // cancels; NULL is fine

#endif
