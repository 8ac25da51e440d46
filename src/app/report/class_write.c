// class_write.c: the sums of a class as JSON, and its points as a table.
#include "app/report/class_write.h"

#include <math.h>

#include "base/json.h"

static double rounded(double value) { return round(value * 100) / 100; }

// Null where too few would be told of.
static void number(LsJson *json, const char *key, bool told, double value) {
  if (told) ls_json_member_f64(json, key, rounded(value));
  else ls_json_member(json, key, NULL);
}

static void write_wrong(LsJson *json, const Class *self, const ClassSkill *skill, bool anonymous) {
  ls_json_open_member(json, "wrong", '[');
  for (int i = 0; i < skill->wrong_count; i++) {
    const ClassWrong *wrong = &self->wrong[skill->first_wrong + i];
    if (!class_tells(anonymous, wrong->students)) continue;
    ls_json_open(json, '{');
    ls_json_member(json, "given", wrong->given);
    if (wrong->says) ls_json_member(json, "says", wrong->says);
    ls_json_member_i64(json, "count", wrong->count);
    ls_json_member_i64(json, "students", wrong->students);
    ls_json_close(json, '}');
  }
  ls_json_close(json, ']');
}

static void write_doubts(LsJson *json, const Class *self, const ClassSkill *skill) {
  ls_json_open_member(json, "doubts", '[');
  for (int i = 0; i < skill->doubt_count; i++) {
    const ClassDoubt *doubt = &self->doubts[skill->first_doubt + i];
    ls_json_open(json, '{');
    ls_json_member(json, "who", self->students[doubt->student].who);
    ls_json_member_i64(json, "draw", doubt->draw);
    ls_json_member(json, "seed", doubt->seed);
    ls_json_member(json, "given", doubt->given);
    ls_json_member(json, "words", doubt->words);
    ls_json_close(json, '}');
  }
  ls_json_close(json, ']');
}

static void write_skill(LsJson *json, const Class *self, const ClassSkill *skill, bool anonymous) {
  bool told = class_tells(anonymous, skill->students);
  ls_json_open(json, '{');
  ls_json_member(json, "id", skill->id);
  ls_json_member(json, "lesson", skill->lesson);
  ls_json_member(json, "family", skill->family);
  ls_json_member(json, "topic", skill->topic);
  number(json, "students", told, skill->students);
  number(json, "seen", told, (double)skill->seen);
  number(json, "right", told, (double)skill->right);
  number(json, "share", told && skill->seen, class_share(skill));
  number(json, "sure", told, (double)skill->sure);
  number(json, "sure_and_wrong", class_tells(anonymous, skill->sure_wrong_students), (double)skill->sure_wrong);
  number(json, "questioned", class_tells(anonymous, skill->doubts), skill->doubts);
  write_wrong(json, self, skill, anonymous);
  if (!anonymous) write_doubts(json, self, skill);
  ls_json_close(json, '}');
}

static void write_lessons(LsJson *json, const Class *self, bool anonymous) {
  ls_json_open_member(json, "lessons", '[');
  for (int i = 0; i < self->lesson_count; i++) {
    const ClassLesson *lesson = &self->lessons[i];
    ls_json_open(json, '{');
    ls_json_member(json, "id", lesson->id);
    ls_json_member(json, "title", lesson->title);
    number(json, "begun", class_tells(anonymous, lesson->begun), lesson->begun);
    number(json, "done", class_tells(anonymous, lesson->done), lesson->done);
    ls_json_close(json, '}');
  }
  ls_json_close(json, ']');
}

static void write_exercises(LsJson *json, const Class *self, bool anonymous) {
  ls_json_open_member(json, "practice", '[');
  for (int i = 0; i < self->exercise_count; i++) {
    const ClassExercise *exercise = &self->exercises[i];
    ls_json_open(json, '{');
    ls_json_member(json, "name", exercise->name);
    number(json, "tried", class_tells(anonymous, exercise->tried), exercise->tried);
    number(json, "passed", class_tells(anonymous, exercise->passed), exercise->passed);
    ls_json_close(json, '}');
  }
  ls_json_close(json, ']');
}

static void write_open(LsJson *json, const Class *self, bool anonymous) {
  ls_json_open_member(json, "open", '[');
  for (int i = 0; i < self->open_count; i++) {
    const ClassOpen *open = &self->open[i];
    bool told = class_tells(anonymous, open->students);
    ls_json_open(json, '{');
    ls_json_member(json, "id", open->id);
    ls_json_member(json, "topic", open->topic);
    number(json, "students", told, open->students);
    number(json, "share", told && open->students, open->share);
    ls_json_close(json, '}');
  }
  ls_json_close(json, ']');
}

static void write_students(LsJson *json, const Class *self) {
  ls_json_open_member(json, "who", '[');
  for (int i = 0; i < self->student_count; i++) {
    const ClassStudent *student = &self->students[i];
    ls_json_open(json, '{');
    ls_json_member(json, "who", student->who);
    ls_json_member(json, "made", student->made);
    ls_json_member_bool(json, "begun", student->answers || student->lessons);
    ls_json_member_i64(json, "answers", student->answers);
    ls_json_member_i64(json, "lessons", student->lessons);
    ls_json_member_i64(json, "skills", student->skills);
    ls_json_member_f64(json, "points", rounded(student->points));
    ls_json_close(json, '}');
  }
  ls_json_close(json, ']');
}

// What was read, and what of it does not count.
static void write_files(LsJson *json, const ClassFiles *files) {
  ls_json_open_member(json, "files", '{');
  ls_json_member_i64(json, "read", files->files);
  ls_json_member_i64(json, "broken", files->broken);
  ls_json_member_i64(json, "newer_format", files->newer);
  ls_json_member_i64(json, "other_course", files->class->others);
  ls_json_member_i64(json, "older", files->class->older);
  ls_json_close(json, '}');
}

void class_json(const ClassFiles *files, bool anonymous, LsText *out) {
  const Class *self = files->class;
  LsJson json;
  ls_json_init(&json, out);
  ls_json_open(&json, '{');
  ls_json_member(&json, "course", self->course);
  ls_json_member_bool(&json, "mixed", self->mixed);
  write_files(&json, files);
  ls_json_member_i64(&json, "students", self->student_count);
  number(&json, "not_begun", class_tells(anonymous, self->student_count - self->begun),
         self->student_count - self->begun);
  ls_json_member_i64(&json, "answers", self->answers);
  ls_json_member_f64(&json, "of", self->of);
  ls_json_open_member(&json, "skills", '[');
  for (int i = 0; i < self->skill_count; i++) write_skill(&json, self, &self->skills[i], anonymous);
  ls_json_close(&json, ']');
  write_open(&json, self, anonymous);
  write_lessons(&json, self, anonymous);
  write_exercises(&json, self, anonymous);
  if (!anonymous) write_students(&json, self);
  ls_json_close(&json, '}');
}

void class_csv(const Class *self, LsText *out) {
  ls_text_add(out, "who,points,of\n");
  for (int i = 0; i < self->student_count; i++) {
    report_add_cell(out, self->students[i].who);
    ls_text_addf(out, ",%.2f,%g\n", self->students[i].points, self->of);
  }
}

// ---- words ---------------------------------------------------------------------------------------------------------

static void leave_out(LsText *out, int count, const char *one, const char *many) {
  if (count) ls_text_addf(out, "%s%d %s", out->length ? "; " : "", count, count == 1 ? one : many);
}

void class_left_out(const ClassFiles *files, LsText *out) {
  const Class *class = files->class;
  leave_out(out, files->broken, "file is no report", "files are no reports");
  leave_out(out, files->newer, "report is of another format", "reports are of another format");
  if (!class->mixed) leave_out(out, class->others, "report is on another course", "reports are on other courses");
  leave_out(out, class->older, "report has a newer one", "reports have newer ones");
  if (out->length) ls_text_add(out, ": left out.");
  if (class->mixed && class->others)
    ls_text_addf(out, "%s%d report%s on other courses mixed in; %d of their skills are not in this one.",
                 out->length ? " " : "", class->others, class->others == 1 ? "" : "s", class->unknown);
}

void class_not_begun(const Class *self, LsText *out) {
  const char *comma = "";
  for (int i = 0; i < self->student_count; i++) {
    const ClassStudent *student = &self->students[i];
    bool begun = student->answers || student->lessons;
    if (begun) continue;
    ls_text_addf(out, "%s%s", comma, student->who);
    comma = ", ";
  }
}
