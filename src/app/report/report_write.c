// report_write.c: a report as JSON and as a table.
#include <math.h>
#include <string.h>

#include "app/report/report.h"
#include "base/json.h"

// ---- JSON ----------------------------------------------------------------------------------------------------------

// An object on a line of its own.
static void open_line(LsJson *json, bool first) {
  if (!first) ls_text_addc(json->out, ',');
  ls_text_add(json->out, "\n    ");
  json->need_comma = false;
  ls_json_open(json, '{');
}

static void write_lesson(LsJson *json, const ReportLesson *lesson) {
  ls_json_member(json, "id", lesson->id);
  ls_json_member_bool(json, "done", lesson->done);
  ls_json_member_i64(json, "right", lesson->right);
  ls_json_member_i64(json, "asked", lesson->asked);
  ls_json_member_i64(json, "looked", lesson->looked);
  ls_json_member_i64(json, "minutes", lesson->minutes);
}

static void write_wrong(LsJson *json, const ReportSkill *skill) {
  bool foreseen = false;
  ls_json_open_member(json, "wrong", '{');
  for (int i = 0; i < skill->wrong_count; i++) {
    ls_json_member_i64(json, skill->wrong[i].given, skill->wrong[i].count);
    foreseen |= skill->wrong[i].says != NULL;
  }
  ls_json_close(json, '}');
  if (!foreseen) return;
  ls_json_open_member(json, "says", '{');
  for (int i = 0; i < skill->wrong_count; i++)
    if (skill->wrong[i].says) ls_json_member(json, skill->wrong[i].given, skill->wrong[i].says);
  ls_json_close(json, '}');
}

static void write_skill(LsJson *json, const ReportSkill *skill) {
  ls_json_member(json, "id", skill->id);
  if (skill->family) ls_json_member(json, "family", skill->family);
  ls_json_member_i64(json, "seen", skill->seen);
  ls_json_member_i64(json, "right", skill->right);
  ls_json_member_f64(json, "score", skill->score);
  ls_json_member_i64(json, "box", skill->box);
  ls_json_member_f64(json, "chance", skill->chance);
  if (skill->first) ls_json_member(json, "first", skill->first);
  if (skill->last) ls_json_member(json, "last", skill->last);
  ls_json_member_i64(json, "lapses", skill->lapses);
  ls_json_member_i64(json, "sure", skill->sure);
  ls_json_member_i64(json, "sure_and_wrong", skill->sure_wrong);
  write_wrong(json, skill);
}

static void write_open(LsJson *json, const ReportOpen *open) {
  ls_json_member(json, "id", open->id);
  ls_json_open_member(json, "points", '[');
  for (int i = 0; i < open->of; i++) ls_json_f64(json, open->points[i]);
  ls_json_close(json, ']');
  ls_json_member_i64(json, "of", open->of);
  ls_json_member_i64(json, "words", open->words);
  if (open->text) ls_json_member(json, "text", open->text);
}

static void write_exercise(LsJson *json, const ReportExercise *exercise) {
  ls_json_member(json, "name", exercise->name);
  ls_json_member_bool(json, "passed", exercise->passed);
  ls_json_member_i64(json, "tries", exercise->tries);
  if (isnan(exercise->score)) return;
  ls_json_member_f64(json, "score", exercise->score);
  ls_json_member(json, "counts", exercise->counts);
}

static void write_doubt(LsJson *json, const ReportDoubt *doubt) {
  ls_json_member(json, "skill", doubt->skill);
  ls_json_member_i64(json, "draw", doubt->draw);
  ls_json_member(json, "seed", doubt->seed);
  ls_json_member(json, "given", doubt->given);
  ls_json_member(json, "words", doubt->words);
}

// A member on a line of its own.
static void next_line(LsJson *json) {
  ls_text_add(json->out, json->need_comma ? ",\n  " : "\n  ");
  json->need_comma = false;
}

static void write_text(LsJson *json, const char *key, const char *value) {
  next_line(json);
  ls_json_member(json, key, value);
}

// A list of objects, each on a line of its own.
#define WRITE_LIST(json, key, items, count, write)           \
  do {                                                       \
    next_line(json);                                         \
    ls_json_open_member((json), (key), '[');                 \
    for (int i = 0; i < (count); i++) {                      \
      open_line((json), i == 0);                             \
      write((json), &(items)[i]);                            \
      ls_json_close((json), '}');                            \
    }                                                        \
    ls_json_close((json), ']');                              \
  } while (0)

void report_json(const Report *report, LsText *out) {
  LsJson json;
  ls_json_init(&json, out);
  ls_json_open(&json, '{');
  next_line(&json);
  ls_json_member_i64(&json, "format", REPORT_FORMAT);
  write_text(&json, "program", report->program);
  write_text(&json, "course", report->course);
  write_text(&json, "who", report->who);
  write_text(&json, "made", report->made);
  WRITE_LIST(&json, "lessons", report->lessons, report->lesson_count, write_lesson);
  WRITE_LIST(&json, "skills", report->skills, report->skill_count, write_skill);
  WRITE_LIST(&json, "open", report->open, report->open_count, write_open);
  WRITE_LIST(&json, "practice", report->practice, report->practice_count, write_exercise);
  WRITE_LIST(&json, "questioned", report->doubts, report->doubt_count, write_doubt);
  ls_text_add(out, "\n}\n");
}

// ---- the table -----------------------------------------------------------------------------------------------------

void report_add_cell(LsText *out, const char *text) {
  bool quoted = strpbrk(text, ",\"\r\n") != NULL;
  if (quoted) ls_text_addc(out, '"');
  for (; *text; text++) {
    if (*text == '"') ls_text_addc(out, '"');
    ls_text_addc(out, *text);
  }
  if (quoted) ls_text_addc(out, '"');
}

void report_csv(const Report *report, LsText *out) {
  ls_text_add(out, "who,skill,seen,right,first,last,chance\n");
  for (int i = 0; i < report->skill_count; i++) {
    const ReportSkill *skill = &report->skills[i];
    report_add_cell(out, report->who);
    ls_text_addc(out, ',');
    report_add_cell(out, skill->id);
    ls_text_addf(out, ",%d,%d,%s,%s,%.2f\n", skill->seen, skill->right, skill->first ? skill->first : "",
                 skill->last ? skill->last : "", skill->chance);
  }
}
