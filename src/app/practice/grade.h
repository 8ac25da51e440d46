// grade.h: what practice says of the files of a whole class: each judged by a process of its own, several at a time.
//
//   Submissions --grade_run--> a GradeRow for each, in their order, whatever the order in which they were judged
//
// The process is `lanescope serve-judge` (here, or where a runner leads): it gets the source and the seed through a
// pipe and answers
// with one message (grade_wire.h). It keeps the limits itself (device/sandbox.h); one that does not answer is ended.
#ifndef LS_APP_PRACTICE_GRADE_H
#define LS_APP_PRACTICE_GRADE_H

#include <signal.h>

#include "app/practice/submission.h"

typedef enum GradeState {
  GRADE_WAITS,
  GRADE_JUDGED,            // there is a verdict
  GRADE_REFUSED,           // nothing was compiled: it is no source, or one that asks for too much (source_rules.h)
  GRADE_BROKEN,            // judging ended early: late, out of memory, a compiler that is not there, or our own slip
  GRADE_CANCELED
} GradeState;

typedef struct GradeRow {
  GradeState state;
  bool passed;
  int cases, cases_passed;
  char *how, *kind;        // "fault", "race"; of what was not judged "refused" or "broken"; NULL: passed
  char *message, *says, *advice;   // NULL: nothing
  char *values;            // of the case; NULL
  bool shown;              // that case is known to students
  int line;                // 0: none
  char *score; int64_t score_value;   // what is counted for it, and how much; NULL: there is none, or it did not pass
  double seconds;
} GradeRow;

typedef struct GradeOptions {
  ExerciseBook *book;            // borrowed, as all of these
  uint64_t seed;                 // the same data for the whole class
  double seconds; int megabytes; // of each judging
  int jobs;
  const char *runner;            // command prefix; NULL: here
  const volatile sig_atomic_t *ending;   // not 0: stop; may be NULL
  void (*waiting)(void *context, int done, int passed);   // some ten times a second; may be NULL
  void *context;
} GradeOptions;

// One row for each submission; the caller frees them with grade_free.
GradeRow *grade_run(const Submissions *found, const GradeOptions *options);
void grade_free(GradeRow *rows, int count);

// grade_answer.c: the far end of the pipe. Judges what the message `request` asks for and adds the answer to `out`;
// open: the
// exercises. Runs in a process of its own, in whose folder ("" : the current one) it writes.
typedef ExerciseBook *GradeOpen(const char *folder, LsErr *err);
void grade_answer(const LsText *request, GradeOpen *open, LsText *out);
// An answer without a verdict: how is "refused" or "broken".
void grade_answer_none(LsText *out, const char *how, const char *message, int line);
// An answer as a row.
void grade_read_answer(const LsText *answer, GradeRow *row);

#endif
