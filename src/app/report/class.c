// class.c: takes reports apart into rows: one for each skill of a student, and one for each wrong answer.
#include "app/report/class.h"

#include <stdlib.h>
#include <string.h>

#include "app/report/class_rows.h"
#include "app/report/course_hash.h"
#include "base/random.h"

// ---- finding by name -----------------------------------------------------------------------------------------------

// The name that a number stands for.
typedef const char *NameOf(const Class *self, int number);

// Where the number of a name stands, or is to stand: names of the same hash lie one behind the other.
static int *slot_of(Class *self, LsTable *table, const char *name, int group, NameOf *name_of) {
  LsKey key = {{ls_hash64(name, strlen(name)), strlen(name), (uint64_t)group, 0}};
  for (;; key.word[3]++) {
    int *number = ls_table_at(table, &key);
    if (!*number || strcmp(name_of(self, *number - 1), name) == 0) return number;
  }
}

static const char *entry_name(const Class *self, int number) { return self->rows->entries[number].who; }
static const char *wrong_name(const Class *self, int number) { return self->wrong[number].given; }

// -1: the course has none of this name.
static int find_skill(const Class *self, const char *id) {
  int low = 0, high = self->skill_count;
  while (low < high) {
    int middle = (low + high) / 2, skill = self->rows->skills_by_id[middle];
    int order = strcmp(self->skills[skill].id, id);
    if (!order) return skill;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return -1;
}

static void sort_skills(Class *self) {
  int *order = ls_alloc(sizeof *order * (size_t)LS_MAX(self->skill_count, 1));
  for (int i = 0; i < self->skill_count; i++) {
    int at = i;
    for (; at > 0 && strcmp(self->skills[order[at - 1]].id, self->skills[i].id) > 0; at--) order[at] = order[at - 1];
    order[at] = i;
  }
  self->rows->skills_by_id = order;
}

// ---- the course ----------------------------------------------------------------------------------------------------

static const CourseFamily *family_of(const CourseFamily *families, int count, const char *skill) {
  for (int i = 0; i < count; i++)
    for (int k = 0; k < families[i].skill_count; k++)
      if (strcmp(families[i].skills[k], skill) == 0) return &families[i];
  return NULL;
}

static bool add_skills(Class *self, Course *course, const CourseLesson *lesson, const CourseFamily *families, int count,
                       int *room, LsErr *err) {
  const char **names;
  int name_count = 0;
  if (!course->skills(course, lesson, self->arena, &names, &name_count, err)) return false;
  for (int i = 0; i < name_count; i++) {
    const CourseFamily *family = family_of(families, count, names[i]);
    ClassSkill skill = {.id = names[i], .lesson = lesson->id, .family = family ? family->id : NULL,
                        .topic = ls_arena_strdup(self->arena, family ? family->topic : lesson->title)};
    LS_PUSH(self->skills, self->skill_count, *room, skill);
  }
  return true;
}

static void add_open(Class *self, const CourseFamily *family, int *room) {
  ClassOpen open = {.id = family->id, .topic = family->topic};
  LS_PUSH(self->open, self->open_count, *room, open);
}

static bool read_course(Class *self, Course *course, const CourseLesson *only, LsErr *err) {
  CourseFamily *families;
  int family_count = 0, skill_room = 0, open_room = 0, lesson_room = 0;
  if (!course->families(course, self->arena, &families, &family_count, err)) return false;
  for (int i = 0; i < course->count; i++) {
    const CourseLesson *lesson = &course->lessons[i];
    if (only && only != lesson) continue;
    ClassLesson one = {ls_arena_strdup(self->arena, lesson->id), ls_arena_strdup(self->arena, lesson->title), 0, 0};
    LS_PUSH(self->lessons, self->lesson_count, lesson_room, one);
    if (!add_skills(self, course, lesson, families, family_count, &skill_room, err)) return false;
  }
  for (int i = 0; i < family_count; i++)
    if (families[i].open && (!only || strcmp(families[i].lesson, only->id) == 0))
      add_open(self, &families[i], &open_room);
  sort_skills(self);
  self->of = self->skill_count + (double)self->open_count / OPEN_SHARE;
  return true;
}

bool class_new(Class *self, Course *course, const CourseLesson *lesson, bool mixed, LsErr *err) {
  char hash[LS_SHA256_HEX];
  *self = (Class){.arena = ls_arena_new(), .mixed = mixed, .rows = ls_alloc(sizeof(ClassRows))};
  if (!course_hash(course, NULL, hash, err)) return false;
  self->course = ls_arena_strdup(self->arena, hash);
  return read_course(self, course, lesson, err);
}

void class_exercises(Class *self, const char *const *names, int count) {
  self->exercises = ls_alloc(sizeof *self->exercises * (size_t)LS_MAX(count, 1));
  self->exercise_count = count;
  for (int i = 0; i < count; i++) self->exercises[i].name = ls_arena_strdup(self->arena, names[i]);
}

void class_free(Class *self) {
  ClassRows *rows = self->rows;
  if (rows) {
    free(rows->entries), free(rows->skills), free(rows->wrong), free(rows->open), free(rows->lessons);
    free(rows->doubts), free(rows->exercises);
    free(rows->skills_by_id);
    ls_table_free(&rows->names), ls_table_free(&rows->wrong_names);
    free(rows);
  }
  free(self->skills);
  free(self->lessons);
  free(self->open);
  free(self->wrong);
  free(self->doubts);
  free(self->exercises);
  free(self->students);
  ls_arena_free(self->arena);
  *self = (Class){0};
}

// ---- a report ------------------------------------------------------------------------------------------------------

static int wrong_number(Class *self, int skill, const ReportWrong *wrong) {
  int *number = slot_of(self, &self->rows->wrong_names, wrong->given, skill, wrong_name);
  if (!*number) {
    ClassWrong kind = {.given = ls_arena_strdup(self->arena, wrong->given), .skill = skill};
    LS_PUSH(self->wrong, self->wrong_count, self->rows->wrong_kinds_room, kind);
    *number = self->wrong_count;
  }
  ClassWrong *kind = &self->wrong[*number - 1];
  if (!kind->says && wrong->says) kind->says = ls_arena_strdup(self->arena, wrong->says);
  return *number - 1;
}

static void add_doubt(Class *self, const ReportDoubt *told, int entry) {
  ClassRows *rows = self->rows;
  DoubtRow row = {entry, {.skill = find_skill(self, told->skill), .draw = told->draw,
                          .seed = ls_arena_strdup(self->arena, told->seed),
                          .given = ls_arena_strdup(self->arena, told->given),
                          .words = ls_arena_strdup(self->arena, told->words)}};
  if (row.doubt.skill >= 0) LS_PUSH(rows->doubts, rows->doubt_count, rows->doubt_room, row);
}

// A skill that stands twice in a report counts once: its rows are the last ones.
static bool has_skill(const ClassRows *rows, int entry, int skill) {
  for (int i = rows->skill_count; i-- && rows->skills[i].entry == entry;)
    if (rows->skills[i].skill == skill) return true;
  return false;
}

static bool has_open(const ClassRows *rows, int entry, int open) {
  for (int i = rows->open_count; i-- && rows->open[i].entry == entry;)
    if (rows->open[i].open == open) return true;
  return false;
}

static bool has_lesson(const ClassRows *rows, int entry, int lesson) {
  for (int i = rows->lesson_count; i-- && rows->lessons[i].entry == entry;)
    if (rows->lessons[i].lesson == lesson) return true;
  return false;
}

static void add_skill(Class *self, const ReportSkill *told, int entry) {
  ClassRows *rows = self->rows;
  int skill = find_skill(self, told->id);
  if (skill < 0) {
    self->unknown++;
    return;
  }
  if (has_skill(rows, entry, skill)) return;
  SkillRow row = {.entry = entry, .skill = skill, .seen = told->seen, .right = told->right,
                  .sure = told->sure, .sure_wrong = told->sure_wrong, .score = (float)told->score};
  LS_PUSH(rows->skills, rows->skill_count, rows->skill_room, row);
  for (int i = 0; i < told->wrong_count; i++) {
    WrongRow wrong = {entry, wrong_number(self, skill, &told->wrong[i]), told->wrong[i].count};
    LS_PUSH(rows->wrong, rows->wrong_count, rows->wrong_room, wrong);
  }
}

static void add_open_answer(Class *self, const ReportOpen *told, int entry) {
  ClassRows *rows = self->rows;
  double points = 0;
  for (int i = 0; i < told->of; i++) points += told->points[i];
  for (int i = 0; i < self->open_count && told->of; i++) {
    if (strcmp(self->open[i].id, told->id) != 0 || has_open(rows, entry, i)) continue;
    OpenRow row = {entry, i, (float)(points / told->of)};
    LS_PUSH(rows->open, rows->open_count, rows->open_room, row);
  }
}

static bool add_lesson(Class *self, const ReportLesson *told, int entry) {
  ClassRows *rows = self->rows;
  for (int i = 0; i < self->lesson_count; i++) {
    if (strcmp(self->lessons[i].id, told->id) != 0 || has_lesson(rows, entry, i)) continue;
    LessonRow row = {entry, i, told->done};
    LS_PUSH(rows->lessons, rows->lesson_count, rows->lesson_room, row);
    return true;
  }
  return false;
}

static bool has_exercise(const ClassRows *rows, int entry, int exercise) {
  for (int i = rows->exercise_count; i-- && rows->exercises[i].entry == entry;)
    if (rows->exercises[i].exercise == exercise) return true;
  return false;
}

static void add_exercise(Class *self, const ReportExercise *told, int entry) {
  ClassRows *rows = self->rows;
  for (int i = 0; i < self->exercise_count; i++) {
    if (strcmp(self->exercises[i].name, told->name) != 0 || has_exercise(rows, entry, i)) continue;
    ExerciseRow row = {entry, i, told->passed};
    LS_PUSH(rows->exercises, rows->exercise_count, rows->exercise_room, row);
  }
}

static void add_rows(Class *self, const Report *report, int entry) {
  int lessons = 0;
  for (int i = 0; i < report->skill_count; i++) add_skill(self, &report->skills[i], entry);
  for (int i = 0; i < report->open_count; i++) add_open_answer(self, &report->open[i], entry);
  for (int i = 0; i < report->practice_count; i++) add_exercise(self, &report->practice[i], entry);
  for (int i = 0; i < report->doubt_count; i++) add_doubt(self, &report->doubts[i], entry);
  for (int i = 0; i < report->lesson_count; i++) lessons += add_lesson(self, &report->lessons[i], entry);
  self->rows->entries[entry].lessons = lessons;
}

static int64_t answers_of(const Report *report) {
  int64_t answers = 0;
  for (int i = 0; i < report->skill_count; i++) answers += report->skills[i].seen;
  return answers;
}

// The day says which is newer; of one day the one with more answers, then the one that comes later.
static bool is_older(const Report *report, int64_t answers, const Entry *entry) {
  int days = strcmp(report->made, entry->made);
  return days < 0 || (days == 0 && answers < entry->answers);
}

ClassTaken class_add(Class *self, const Report *report) {
  ClassRows *rows = self->rows;
  bool other = strcmp(report->course, self->course) != 0;
  self->others += other;
  if (other && !self->mixed) return CLASS_OTHER;
  int64_t answers = answers_of(report);
  int *number = slot_of(self, &rows->names, report->who, 0, entry_name);
  Entry *before = *number ? &rows->entries[*number - 1] : NULL;
  self->older += before != NULL;
  if (before && is_older(report, answers, before)) return CLASS_OLDER;
  if (before) before->dropped = true;
  Entry entry = {.who = before ? before->who : ls_arena_strdup(self->arena, report->who), .answers = answers,
                 .made = ls_arena_strdup(self->arena, report->made)};
  LS_PUSH(rows->entries, rows->entry_count, rows->entry_room, entry);
  *number = rows->entry_count;
  add_rows(self, report, rows->entry_count - 1);
  return before ? CLASS_NEWER : CLASS_TAKEN;
}
