// judge_job.h: a file judged by a worker thread, so that the screen stays alive.
#ifndef LS_APP_PRACTICE_JUDGE_JOB_H
#define LS_APP_PRACTICE_JUDGE_JOB_H

#include "app/practice/judge.h"

typedef struct JudgeJob JudgeJob;
// The exercise lives as long as its book; the request is copied.
JudgeJob *judge_job_start(const Exercise *exercise, const JudgeRequest *request);
bool judge_job_done(const JudgeJob *job);                     // never waits
const RunProgress *judge_job_progress(const JudgeJob *job);   // stage, note, permille of the cases
void judge_job_cancel(JudgeJob *job);                         // it is done soon after
// Waits for the end. False with an error as of judge_file. Frees the job.
bool judge_job_take(JudgeJob *job, Verdict *verdict, LsErr *err);
void judge_job_free(JudgeJob *job);                           // cancels, waits, drops the verdict; NULL is fine

#endif
