// progress.h: what a student has done, kept in a small database that survives a crash.
//
// The file is $XDG_STATE_HOME/lanescope/progress.db. Opening always gives a progress that can be used; if the file
// cannot be used, now or later, everything is kept in memory until the program ends (store.h), and progress_state says
// why. Whoever has a screen says so before the work is done, and when the state changes. Nothing here ever stops a
// lesson.
#ifndef LS_APP_PROGRESS_H
#define LS_APP_PROGRESS_H

#include "app/course/store.h"

typedef struct Progress Progress;

// path NULL: the usual place, ":memory:": nothing is saved, and nobody expects it. Never NULL.
Progress *progress_open(const char *path);
void progress_close(Progress *progress);                 // NULL is fine
// STORE_SAVED: each change is on disk when its function returns.
StoreState progress_state(const Progress *progress);
const char *progress_path(const Progress *progress);
Store *progress_store(Progress *progress);               // for skills.c
// One line for the student: what, where, and what to do. Nothing while all is well.
void progress_words(const Progress *progress, LsText *out);

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
// Whether somebody is here for the first time: nothing was ever saved, and it can be now. After progress_greeted it is
// not, ever.
bool progress_is_first(Progress *progress);
void progress_greeted(Progress *progress);
// Answers by the name of what asked, so that a lesson can be taken up where it was left, also when it has got other
// screens since.
enum { PROGRESS_NAME = 64, PROGRESS_WORDS = 64 };
typedef struct ProgressAnswer {
  double value;                // the first answer, which counts
  bool right, skipped;
  int tries;                   // answers given
  double last;                 // the last of them
  bool open;                   // it was left before the second try
  bool looked;                 // at the run, before the first answer
  int sure;                    // 1 sure, 2 think so, 3 guess; 0: not asked
  char words[2][PROGRESS_WORDS];   // the first and the last answer where they are texts; ""
} ProgressAnswer;
bool progress_answer(Progress *progress, const char *id, const char *name, ProgressAnswer *answer);
void progress_save_answer(Progress *progress, const char *id, const char *name, const ProgressAnswer *answer);
// Forgets the answers and the place, not that the lesson was done.
void progress_restart_lesson(Progress *progress, const char *id);

#endif
