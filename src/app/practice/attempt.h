// attempt.h: a student's file for an exercise: made from the starter, watched, and judged by a worker thread at every
// save.
//
//   Attempt *attempt = attempt_open(exercise, NULL, &err);
//   while (...) if (attempt_look(attempt, ls_clock_seconds())) draw(attempt_verdict(attempt));
//   attempt_free(attempt);
//
// Nobody waits here: the caller looks again (when attempt_fd can be read, every attempt_period, and often while it is
// busy).
#ifndef LS_APP_PRACTICE_ATTEMPT_H
#define LS_APP_PRACTICE_ATTEMPT_H

#include "app/practice/judge.h"

typedef struct Attempt Attempt;

// The folder of students' files: $LANESCOPE_PRACTICE, else "lanescope-practice" in the folder where one is. Borrowed.
const char *attempt_folder(void);
// "lanescope-practice/transpose.cu"; folder NULL: attempt_folder. Caller frees.
char *attempt_file(const Exercise *exercise, const char *folder);
// The file is made of the starter where there is none; what is there is never written to. One that is no starter any
// more is judged at once. NULL with LS_EREQUEST: the folder cannot be written, and what to do. The exercise is borrowed.
Attempt *attempt_open(const Exercise *exercise, const char *folder, LsErr *err);
void attempt_free(Attempt *attempt);                 // cancels what goes on; NULL is fine
const char *attempt_path(const Attempt *attempt);
bool attempt_was_made(const Attempt *attempt);       // the file was not there before
bool attempt_is_starter(const Attempt *attempt);     // and is as it was made

// Looks at the file, starts to judge it, takes a verdict; now: seconds of a clock that only goes forward. True if
// something is to be seen.
bool attempt_look(Attempt *attempt, double now);
void attempt_judge(Attempt *attempt);                // as it is, with other sizes and data
void attempt_cancel(Attempt *attempt);
bool attempt_is_busy(const Attempt *attempt);        // it is judged, or being saved: look often
int attempt_fd(const Attempt *attempt);              // as watch_fd
int attempt_period(const Attempt *attempt);          // as watch_period
// How far the judging is; NULL: it is not judged now.
const RunProgress *attempt_progress(const Attempt *attempt);
// How often there was something new to be said: a verdict, or that the file cannot be judged, or is gone.
int attempt_told(const Attempt *attempt);
// How many verdicts there were; the last one (NULL: none, or it could not be judged), and why not (NULL: it could).
int attempt_count(const Attempt *attempt);
const Verdict *attempt_verdict(const Attempt *attempt);
const LsErr *attempt_error(const Attempt *attempt);
// Keeps the verdict, if there is one, as verdict_keep.
void attempt_keep(Attempt *attempt, Progress *progress);

#endif
