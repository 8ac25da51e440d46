// grade_text.h: the marks of a class as a table for people, as CSV for learning platforms, and as JSON.
#ifndef LS_CLI_GRADE_TEXT_H
#define LS_CLI_GRADE_TEXT_H

#include <stdio.h>

#include "app/practice/grade.h"

typedef struct GradeTable {
  const Submissions *found;
  const GradeRow *rows;
  ExerciseBook *book;
  uint64_t seed;
} GradeTable;

void grade_print(const GradeTable *table, FILE *out);
// student,exercise,passed,cases,failed by,message,score,seconds,file,seed; as RFC 4180 has it. A cell that a
// spreadsheet would
// take for a formula begins with an apostrophe.
void grade_csv(const GradeTable *table, LsText *out);
void grade_json(const GradeTable *table, LsText *out);

#endif
