// judge_run.h: one run of a student's kernel, be it a launch or a program of several: its faults, result and counters.
#ifndef LS_APP_PRACTICE_JUDGE_RUN_H
#define LS_APP_PRACTICE_JUDGE_RUN_H

#include "app/practice/exercise.h"
#include "app/run/program_run.h"

typedef struct JudgeRun {
  Run *run; ProgramRun *program;   // one of them
  RunVerdict verdict; const char *verdict_text;
  const PtxModule *module;
  RecipeCounted counted;
  CounterSet *launches;            // of counted; owned
  RecipeStepTime *steps;           // the same
} JudgeRun;

// NULL run and program: it could not be made.
bool judge_run_make(const RunRequest *request, RunProgress *progress, JudgeRun *out, LsErr *err);
void judge_run_free(JudgeRun *run);
// Whether no thread wrote that element of a result; got: what is in it as text. False also where it is not known.
bool judge_run_unwritten(const JudgeRun *run, const char *buffer, uint64_t element, const char *got);

// What is told first of what counts as a fault in the exercise.
typedef struct JudgeFault {
  const char *kind;
  const TraceFault *fault;         // NULL: it is between steps
  int launch;                      // from 1; 0: there is only one
  char *message, *advice;          // owned
  int line, other_line;            // 0: not known
} JudgeFault;
bool judge_run_fault(const JudgeRun *run, const Exercise *exercise, JudgeFault *out);
void judge_fault_fini(JudgeFault *fault);
// Whether another run, with the events recorded, has that fault; *step: where.
bool judge_run_find_step(const JudgeRun *run, const JudgeFault *fault, uint64_t *step);

#endif
