// progress.h: what a student has done, kept in a small database that survives a crash.
//
// The file is $XDG_STATE_HOME/lanescope/progress.db. If it cannot be used, progress is kept in memory for this session and
// a warning says why; nothing here ever stops a lesson. Every change is on disk when the function returns.
#ifndef LS_APP_PROGRESS_H
#define LS_APP_PROGRESS_H

#include "base/error.h"

typedef struct Progress Progress;

// path NULL: the usual place, ":memory:": nothing is kept. Never NULL. *warning (may be NULL) is LS_OK, or says why
// nothing will be kept.
Progress *progress_open(const char *path, LsErr *warning);
void progress_close(Progress *progress);           // NULL is fine
bool progress_is_kept(const Progress *progress);   // false: in memory only

// Times are seconds since 1970.
typedef struct ProgressLesson {
  int step, steps;             // where the student is, counted from 0; screens of the lesson, 0 if not known yet
  bool done;                   // has been to the end once
  int right, asked;            // answers right at the first try, questions answered
  int64_t started, updated;
} ProgressLesson;

// False if the lesson was never opened (*lesson is all zero then).
bool progress_lesson(Progress *progress, const char *id, ProgressLesson *lesson);
// Saves step, steps, done, right and asked; sets the times. done stays once it was set.
void progress_save_lesson(Progress *progress, const char *id, const ProgressLesson *lesson);
// Answers by step, so that a lesson can be taken up where it was left.
typedef struct ProgressAnswer { double value; bool right, skipped; } ProgressAnswer;
bool progress_answer(Progress *progress, const char *id, int step, ProgressAnswer *answer);
void progress_save_answer(Progress *progress, const char *id, int step, const ProgressAnswer *answer);

#endif
