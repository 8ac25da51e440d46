// due.h: what a student should be asked again by now, lesson by lesson, from the days of the skills (skills.h).
#ifndef LS_APP_DUE_H
#define LS_APP_DUE_H

#include "app/course/course.h"
#include "app/course/skills.h"

enum { DUE_LESSONS = 32 };
typedef struct DueLesson { char id[8]; int count; } DueLesson;
typedef struct Due {
  int count, known;            // skills to be asked again by now, and those that were ever asked
  int today, fresh;            // of those that are due, what the day still asks; and at most so many new ones
  int resting;                 // of the known ones: those that come back when their lesson was read
  DueLesson lessons[DUE_LESSONS]; int lesson_count;   // by id; of the skills that are due
  int64_t next;                // when the next one of the others will be, in seconds since 1970; 0: there is none
} Due;
void due_count(Progress *progress, int64_t now, Due *due);
// "4 questions are due: L03 2, L08 2", or when the next ones will be. Nothing as long as none was asked.
void due_words(const Due *due, int64_t now, LsText *out);
// "Today 7 are due, and up to 4 new ones."; that skills rest; the exam. All that the day asks, in sentences.
void due_today_words(Progress *progress, int64_t now, LsText *out);
// "The exam is on 2027-02-10, in 79 days: nothing waits longer than that." Nothing if there is none.
void due_exam_words(Progress *progress, int64_t now, LsText *out);

#endif
