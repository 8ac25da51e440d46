// judged.h: open questions of families as they were judged: what was written, marked and ticked, as a log that is only
// added to.
#ifndef LS_APP_JUDGED_H
#define LS_APP_JUDGED_H

#include "app/course/writing.h"

typedef struct JudgedAnswer {
  int count;                       // how often it was judged
  double points; int of, words;    // the last time: points met, a half without a mark, of so many; words of the text
  int64_t at;                      // seconds since 1970
} JudgedAnswer;

void judged_add(Progress *progress, const char *family, const LessonWriting *writing, int64_t at);
bool judged_last(Progress *progress, const char *family, JudgedAnswer *answer);   // false: it was never judged
// The last answer of each family, by the families' names, until each returns false; marks as of writing_marks.
typedef bool JudgedEach(void *context, const char *family, const char *text, const char *marks);
void judged_each(Progress *progress, JudgedEach *each, void *context);
// The text with its ticks was judged: it is no draft that waits.
bool judged_has(Progress *progress, const char *family, const LessonWriting *writing);

#define JUDGED_SCHEMA \
  "create table if not exists judged (place integer primary key, number integer unique not null," \
  " family text not null, at integer not null, text text not null, marks text not null, points real not null, most integer not null," \
  " words integer not null);"

#endif
