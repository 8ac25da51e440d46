// judge.h: judges a student's file against an exercise.
//
//   text -> compiled once -> signature -> rules -> for each case, each order of execution: faults, result, and in the
//   first order of the cases that count the limits -> Verdict, with the first thing that is wrong
//
// The kernel is emulated, never executed. Sizes and data are drawn with a seed, so that nobody writes for known ones.
// A counter is told only once the result is right. Of an exercise's reference the same cases are run, to hold its
// counters beside.
//
// May be called from any thread; progress as of a run (app/run/run.h): its stage and permille tell what is judged, and
// cancel ends it. NULL: nobody watches, and NVRTC compiles in this process.
#ifndef LS_APP_PRACTICE_JUDGE_H
#define LS_APP_PRACTICE_JUDGE_H

#include "app/practice/verdict.h"

typedef struct JudgeRequest {
  const char *path;              // of the student's file; borrowed
  uint64_t seed;
  bool alone;                    // without the reference's counters
  bool fast;                     // the failure gets no step to look at
} JudgeRequest;

// False: the file cannot be judged (LS_EREQUEST), there is no compiler (LS_EENV), it was canceled (LS_ECANCEL), or the
// exercise itself is wrong (LS_EPARSE). Else the caller finishes the verdict.
bool judge_file(const Exercise *exercise, const JudgeRequest *request, RunProgress *progress, Verdict *verdict,
                LsErr *err);
// A seed that nobody can know.
uint64_t judge_seed(void);

#endif
