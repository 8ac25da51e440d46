// verdict.h: what is said of a file that was judged.
#ifndef LS_APP_PRACTICE_VERDICT_H
#define LS_APP_PRACTICE_VERDICT_H

#include "app/course/progress.h"
#include "app/practice/exercise.h"
#include "app/run/run.h"

typedef enum VerdictHow {
  VERDICT_COMPILE, VERDICT_LAUNCH, VERDICT_RULE, VERDICT_FAULT, VERDICT_RESULT, VERDICT_LIMIT, VERDICT_BUDGET,
  VERDICT_HOW_COUNT
} VerdictHow;
const char *verdict_how_name(VerdictHow how);    // "compile", "launch", ... as in JSON

// The first thing that is wrong.
typedef struct VerdictFailure {
  VerdictHow how;
  char *kind;                    // "race"; "result"; the name of a limit or a rule; "compile", "launch", "budget"
  int index;                     // of the case, from 0; -1: before any of them
  bool shown;                    // the student knows that case
  char *values;                  // "cols=96 rows=64"; NULL without a case
  int order; uint64_t seed;      // of execution, from 0; -1 and 0 without a case
  char *message, *says, *advice; // whole sentences: what it is; in the exercise's words; what to do. NULL: nothing
  int line, other_line;          // of the student's file; 0: not known
  int64_t value, bound;          // of a limit
  char *buffer, *got, *want;     // of a result: the first element that is wrong; NULL: not known
  int64_t element;               // -1
  bool unwritten;                // nobody wrote it
  // The run in which it shows, to be looked at: recorded, in the same order. Not of what is found without a run.
  bool has_request;
  RunRequest request;
  uint64_t step;                 // where it shows; UINT64_MAX: not known
} VerdictFailure;

typedef struct VerdictCounter {
  int index;                     // of the case
  char *values, *what;
  int64_t value, bound, reference;   // reference INT64_MIN: not known
  bool is_least, met;
} VerdictCounter;

typedef struct Verdict {
  const Exercise *exercise;      // borrowed
  char *file;
  bool passed;
  uint64_t seed;
  int cases, cases_passed;
  bool failed; VerdictFailure failure;   // failed: the opposite of passed
  VerdictCounter *counters; int counter_count, counter_capacity;   // in the cases that count, once all is right there
  const char *score;             // what is counted for it; NULL: there is none, or it did not pass
  int64_t score_value, score_reference, score_best;   // INT64_MIN: not known
  uint64_t elapsed_ns, compiled_ns;      // in all, and, where somebody watched, what compilers took of it
} Verdict;
void verdict_fini(Verdict *verdict);
// Keeps it in the student's database, and finds the best score so far, this one included.
void verdict_keep(Verdict *verdict, Progress *progress);

// The verdict as lines of text: what failed and where, or that it passed; then the counters beside the reference's.
void verdict_words(const Verdict *verdict, LsText *out);

#endif
