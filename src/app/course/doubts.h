// doubts.h: drawn questions that a student holds to be wrong, with all that it takes to draw them again; a log that is
// only added to.
#ifndef LS_APP_DOUBTS_H
#define LS_APP_DOUBTS_H

#include "app/course/progress.h"

typedef struct Doubt {
  const char *skill; int times; uint64_t seed;   // what was drawn: the draw of the skill for that seed
  const char *given;                             // the first answer; ""
  const char *words;                             // what is wrong, in the student's words: one line
  int64_t at;                                    // seconds since 1970
} Doubt;

void doubts_add(Progress *progress, const Doubt *doubt);
// Oldest first, until each returns false; texts are borrowed until it returns.
typedef bool DoubtEach(void *context, const Doubt *doubt);
void doubts_each(Progress *progress, DoubtEach *each, void *context);

#define DOUBTS_SCHEMA \
  "create table if not exists doubt (place integer primary key, number integer unique not null, skill text not null," \
  " times integer not null, seed integer not null, at integer not null, given text not null, words text not null);"

#endif
