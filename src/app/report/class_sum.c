// class_sum.c: the sums of a class, over the rows of all reports that count.
#include <stdlib.h>
#include <string.h>

#include "app/report/class_rows.h"

static int by_name(const void *left, const void *right) {
  const Entry *const *a = left, *const *b = right;
  return strcmp((*a)->who, (*b)->who);
}

static void list_students(Class *self) {
  ClassRows *rows = self->rows;
  Entry **living = ls_alloc(sizeof *living * (size_t)LS_MAX(rows->entry_count, 1));
  int count = 0;
  for (int i = 0; i < rows->entry_count; i++)
    if (!rows->entries[i].dropped) living[count++] = &rows->entries[i];
  qsort(living, (size_t)count, sizeof *living, by_name);
  self->students = ls_alloc(sizeof *self->students * (size_t)LS_MAX(count, 1));
  for (int i = 0; i < count; i++) {
    living[i]->student = i;
    self->students[i] = (ClassStudent){.who = living[i]->who, .made = living[i]->made, .lessons = living[i]->lessons};
  }
  self->student_count = count;
  free(living);
}

static void sum_skills(Class *self) {
  ClassRows *rows = self->rows;
  for (int i = 0; i < rows->skill_count; i++) {
    const SkillRow *row = &rows->skills[i];
    const Entry *entry = class_entry(self, row->entry);
    if (!entry) continue;
    ClassSkill *skill = &self->skills[row->skill];
    ClassStudent *student = &self->students[entry->student];
    if (!row->seen) continue;
    skill->students++;
    skill->seen += row->seen;
    skill->right += row->right;
    skill->sure += row->sure;
    skill->sure_wrong += row->sure_wrong;
    skill->sure_wrong_students += row->sure_wrong > 0;
    student->skills++;
    student->answers += row->seen;
    student->points += (double)row->score / row->seen;
    self->answers += row->seen;
  }
}

static void sum_others(Class *self) {
  ClassRows *rows = self->rows;
  const Entry *entry;
  for (int i = 0; i < rows->open_count; i++) {
    if (!(entry = class_entry(self, rows->open[i].entry))) continue;
    self->open[rows->open[i].open].students++;
    self->open[rows->open[i].open].share += (double)rows->open[i].share;
    self->students[entry->student].points += (double)rows->open[i].share / OPEN_SHARE;
  }
  for (int i = 0; i < self->open_count; i++)
    if (self->open[i].students) self->open[i].share /= self->open[i].students;
  for (int i = 0; i < rows->lesson_count; i++) {
    if (!class_entry(self, rows->lessons[i].entry)) continue;
    self->lessons[rows->lessons[i].lesson].begun++;
    self->lessons[rows->lessons[i].lesson].done += rows->lessons[i].done;
  }
  for (int i = 0; i < rows->exercise_count; i++) {
    if (!class_entry(self, rows->exercises[i].entry)) continue;
    self->exercises[rows->exercises[i].exercise].tried++;
    self->exercises[rows->exercises[i].exercise].passed += rows->exercises[i].passed;
  }
  for (int i = 0; i < self->student_count; i++)
    self->begun += self->students[i].answers > 0 || self->students[i].lessons > 0;
}

static int by_count(const void *left, const void *right) {
  const ClassWrong *const *a = left, *const *b = right;
  if ((*a)->skill != (*b)->skill) return (*a)->skill < (*b)->skill ? -1 : 1;
  if ((*a)->count != (*b)->count) return (*a)->count > (*b)->count ? -1 : 1;
  return strcmp((*a)->given, (*b)->given);
}

// Wrong answers skill by skill; the rows follow them to their new numbers.
static void order_wrong(Class *self) {
  ClassRows *rows = self->rows;
  int count = self->wrong_count, *moved = ls_alloc(sizeof *moved * (size_t)LS_MAX(count, 1));
  const ClassWrong **order = ls_alloc(sizeof *order * (size_t)LS_MAX(count, 1));
  ClassWrong *sorted = ls_alloc(sizeof *sorted * (size_t)LS_MAX(count, 1));
  for (int i = 0; i < count; i++) order[i] = &self->wrong[i];
  qsort(order, (size_t)count, sizeof *order, by_count);
  for (int i = 0; i < count; i++) {
    moved[order[i] - self->wrong] = i;
    sorted[i] = *order[i];
  }
  for (int i = 0; i < rows->wrong_count; i++) rows->wrong[i].wrong = moved[rows->wrong[i].wrong];
  free(self->wrong);
  free(order);
  free(moved);
  self->wrong = sorted;
}

static void sum_wrong(Class *self) {
  ClassRows *rows = self->rows;
  for (int i = 0; i < rows->wrong_count; i++) {
    if (!class_entry(self, rows->wrong[i].entry)) continue;
    self->wrong[rows->wrong[i].wrong].count += rows->wrong[i].count;
    self->wrong[rows->wrong[i].wrong].students++;
  }
  order_wrong(self);
  for (int i = 0; i < self->wrong_count; i++) {
    ClassSkill *skill = &self->skills[self->wrong[i].skill];
    if (!self->wrong[i].students) continue;      // of reports that were dropped
    if (!skill->wrong_count++) skill->first_wrong = i;
  }
}

static int by_skill(const void *left, const void *right) {
  const ClassDoubt *a = left, *b = right;
  if (a->skill != b->skill) return a->skill < b->skill ? -1 : 1;
  if (a->student != b->student) return a->student < b->student ? -1 : 1;
  return a->draw != b->draw ? a->draw - b->draw : strcmp(a->words, b->words);
}

static void list_doubts(Class *self) {
  ClassRows *rows = self->rows;
  self->doubts = ls_alloc(sizeof *self->doubts * (size_t)LS_MAX(rows->doubt_count, 1));
  for (int i = 0; i < rows->doubt_count; i++) {
    const Entry *entry = class_entry(self, rows->doubts[i].entry);
    if (!entry) continue;
    ClassDoubt *doubt = &self->doubts[self->doubt_count++];
    *doubt = rows->doubts[i].doubt;
    doubt->student = entry->student;
  }
  qsort(self->doubts, (size_t)self->doubt_count, sizeof *self->doubts, by_skill);
  for (int i = 0; i < self->doubt_count; i++) {
    const ClassDoubt *doubt = &self->doubts[i], *before = i ? doubt - 1 : NULL;
    ClassSkill *skill = &self->skills[doubt->skill];
    if (!skill->doubt_count++) skill->first_doubt = i;
    skill->doubts += !before || before->skill != doubt->skill || before->student != doubt->student;
  }
}

void class_end(Class *self) {
  list_students(self);
  sum_skills(self);
  sum_others(self);
  sum_wrong(self);
  list_doubts(self);
}

// ---- for whoever looks ---------------------------------------------------------------------------------------------

void class_each_wrong(const Class *self, int wrong, ClassEach *each, void *context) {
  const ClassRows *rows = self->rows;
  for (int i = 0; i < rows->wrong_count; i++) {
    const Entry *entry = rows->wrong[i].wrong == wrong ? class_entry(self, rows->wrong[i].entry) : NULL;
    if (entry && !each(context, entry->student, rows->wrong[i].count)) return;
  }
}

void class_each_without(const Class *self, int skill, ClassEach *each, void *context) {
  const ClassRows *rows = self->rows;
  bool *has = ls_alloc(sizeof *has * (size_t)LS_MAX(self->student_count, 1)), more = true;
  for (int i = 0; i < rows->skill_count; i++) {
    const Entry *entry = rows->skills[i].skill == skill ? class_entry(self, rows->skills[i].entry) : NULL;
    if (entry && rows->skills[i].seen) has[entry->student] = true;
  }
  for (int i = 0; more && i < self->student_count; i++)
    if (!has[i]) more = each(context, i, 0);
  free(has);
}
