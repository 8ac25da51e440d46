// solved.h: which exercises a student has solved, how often was tried, and the best score on this machine.
#ifndef LS_APP_SOLVED_H
#define LS_APP_SOLVED_H

#include "app/course/progress.h"

// No score: none is taken of it, or it did not pass.
#define SOLVED_NO_SCORE INT64_MIN

typedef struct Solved {
  int tries;                   // judged so often; a file that did not change counts again
  bool passed;                 // once
  int64_t best;                // the least score; SOLVED_NO_SCORE
  int64_t solved, updated;     // seconds since 1970: passed for the first time (0: never), judged last
} Solved;

// False if it was never judged (*solved is all zero then, and has no score).
bool solved_load(Progress *progress, const char *exercise, Solved *solved);
// All that were judged, by their names, until each returns false. what: what the score counts, "" if none was taken.
typedef bool SolvedEach(void *context, const char *exercise, const char *what, const Solved *solved);
void solved_each(Progress *progress, SolvedEach *each, void *context);
// One more verdict. what: what the score counts; a best score of something else is forgotten.
void solved_add(Progress *progress, const char *exercise, bool passed, const char *what, int64_t score);

#define SOLVED_SCHEMA \
  "create table if not exists exercise (name text primary key, tries integer not null, passed integer not null," \
  " what text not null, best integer not null, solved integer not null, updated integer not null);"

#endif
