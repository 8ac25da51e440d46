// class_rows.h: what is kept of the reports of a class until they are summed up.
#ifndef LS_APP_REPORT_CLASS_ROWS_H
#define LS_APP_REPORT_CLASS_ROWS_H

#include "app/report/class.h"
#include "base/table.h"

// Rows belong to an entry, which is a report that was taken. An entry whose student handed in again is dropped, and its
// rows count no more.
typedef struct Entry {
  const char *who, *made;
  int64_t answers;
  int lessons, student;
  double open_points;
  bool dropped;
} Entry;
typedef struct SkillRow { int entry, skill, seen, right, sure, sure_wrong; float score; } SkillRow;
typedef struct WrongRow { int entry, wrong, count; } WrongRow;
typedef struct DoubtRow { int entry; ClassDoubt doubt; } DoubtRow;
typedef struct OpenRow { int entry, open; float share; } OpenRow;
typedef struct LessonRow { int entry, lesson; bool done; } LessonRow;

typedef struct ExerciseRow { int entry, exercise; bool passed; } ExerciseRow;

typedef struct ClassRows {
  Entry *entries; int entry_count, entry_room;
  SkillRow *skills; int skill_count, skill_room;
  WrongRow *wrong; int wrong_count, wrong_room;
  DoubtRow *doubts; int doubt_count, doubt_room;
  OpenRow *open; int open_count, open_room;
  ExerciseRow *exercises; int exercise_count, exercise_room;
  LessonRow *lessons; int lesson_count, lesson_room;
  int wrong_kinds_room;
  int *skills_by_id;
  LsTable names, wrong_names;                  // number of an entry, of a wrong answer, from 1
} ClassRows;

enum { OPEN_SHARE = 2 };   // an open answer counts 1 / 2, for the student ticked the points

// The entry of a row; NULL: it was dropped.
static inline Entry *class_entry(const Class *self, int entry) {
  Entry *one = &self->rows->entries[entry];
  return one->dropped ? NULL : one;
}

#endif
