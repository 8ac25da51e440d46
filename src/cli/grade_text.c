// grade_text.c: the marks of a class as text, CSV and JSON.
#include "cli/grade_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "cli/plain.h"

enum { STUDENT_MOST = 24, EXERCISE_MOST = 16, KIND_MOST = 16, MESSAGE_MOST = 60 };

// ---- words ---------------------------------------------------------------------------------------------------------

// A name, or a message, in one line: whatever bytes it has. Caller frees.
static char *one_line(const char *text) {
  LsText visible = {0}, out = {0};
  ls_text_add_visible(&visible, text ? text : "");
  for (const char *p = ls_text_str(&visible); *p; p++) {
    if (*p == '\n') ls_text_add(&out, "\\n");
    else if (*p == '\t' || *p == '\r') ls_text_addc(&out, ' ');
    else ls_text_addc(&out, *p);
  }
  ls_text_free(&visible);
  if (!out.data) ls_text_add(&out, "");
  return ls_text_take(&out);
}

static const char *exercise_name(const GradeTable *table, int index) {
  const Exercise *e = index >= 0 ? table->book->get(table->book, index, NULL) : NULL;
  return e ? e->name : "";
}

// "race", "load sectors"; of what was not judged "refused", "late".
static const char *failed_by(const GradeRow *row) {
  if (row->state == GRADE_CANCELED) return "interrupted";
  return row->passed ? "" : row->kind ? row->kind : row->how ? row->how : "";
}

// What is said of it: where, what, and in the exercise's own words why. Caller frees.
static char *message_of(const GradeRow *row) {
  LsText out = {0};
  bool is_placed = row->how && strcmp(row->how, "compile") == 0;   // the compiler says where
  if (row->line && !is_placed) ls_text_addf(&out, "line %d: ", row->line);
  if (row->message) ls_text_add(&out, row->message);
  if (row->says) ls_text_addf(&out, "%s%s", out.length ? " " : "", row->says);
  char *line = one_line(ls_text_str(&out));
  ls_text_free(&out);
  return line;
}

static int count_passed(const GradeTable *table) {
  int passed = 0;
  for (int i = 0; i < table->found->count; i++) passed += table->rows[i].passed;
  return passed;
}

// ---- a table -------------------------------------------------------------------------------------------------------

static void add_cell(LsText *out, const char *text, int columns) {
  int fits = (int)ls_utf8_within(text, columns), width;
  char *cut = ls_strndup(text, (size_t)fits);
  width = ls_utf8_width(cut);
  ls_text_addf(out, "%s%*s  ", cut, columns - width, "");
  free(cut);
}

typedef struct Widths { int student, exercise, kind; } Widths;

static int wider(int width, const char *text, int most) { return LS_CLAMP(ls_utf8_width(text), width, most); }

static Widths widths_of(const GradeTable *table) {
  Widths w = {7, 8, 9};
  for (int i = 0; i < table->found->count; i++) {
    char *student = one_line(table->found->items[i].student);
    w.student = wider(w.student, student, STUDENT_MOST);
    w.exercise = wider(w.exercise, exercise_name(table, table->found->items[i].exercise), EXERCISE_MOST);
    w.kind = wider(w.kind, failed_by(&table->rows[i]), KIND_MOST);
    free(student);
  }
  return w;
}

static void add_row(LsText *out, Widths w, const char *student, const char *exercise, const char *cases,
                    const char *kind, const char *message) {
  size_t before = out->length;
  add_cell(out, student, w.student);
  add_cell(out, exercise, w.exercise);
  add_cell(out, cases, 8);
  add_cell(out, kind, w.kind);
  int fits = (int)ls_utf8_within(message, MESSAGE_MOST);
  ls_text_addf(out, "%.*s%s", fits, message, message[fits] ? "…" : "");
  while (out->length > before && out->data[out->length - 1] == ' ') out->data[--out->length] = 0;
  ls_text_addc(out, '\n');
}

static void add_submission(LsText *out, const GradeTable *table, Widths w, int index) {
  const GradeRow *row = &table->rows[index];
  char *student = one_line(table->found->items[index].student), *message = message_of(row);
  char *cases = row->state == GRADE_JUDGED ? ls_format("%d of %d", row->cases_passed, row->cases) : ls_strdup("-");
  add_row(out, w, student, exercise_name(table, table->found->items[index].exercise), cases,
          row->passed ? "passed" : failed_by(row), message);
  free(cases);
  free(message);
  free(student);
}

void grade_print(const GradeTable *table, FILE *out) {
  LsText text = {0};
  Widths w = widths_of(table);
  add_row(&text, w, "student", "exercise", "cases", "verdict", "");
  for (int i = 0; i < table->found->count; i++) add_submission(&text, table, w, i);
  ls_text_addf(&text, "\n%d of %d passed; seed %" PRIu64 "\n", count_passed(table), table->found->count, table->seed);
  plain_print(out, "%s", ls_text_str(&text));
  ls_text_free(&text);
}

// ---- CSV -----------------------------------------------------------------------------------------------------------

static void add_field(LsText *out, const char *text, bool is_last) {
  char *line = one_line(text);
  bool formula = *line && strchr("=+-@", *line);
  ls_text_addf(out, "\"%s", formula ? "'" : "");
  for (const char *p = line; *p; p++) {
    if (*p == '"') ls_text_addc(out, '"');
    ls_text_addc(out, *p);
  }
  ls_text_add(out, is_last ? "\"\r\n" : "\",");
  free(line);
}

void grade_csv(const GradeTable *table, LsText *out) {
  ls_text_add(out, "student,exercise,passed,cases,failed by,message,score,seconds,file,seed\r\n");
  for (int i = 0; i < table->found->count; i++) {
    const Submission *item = &table->found->items[i];
    const GradeRow *row = &table->rows[i];
    char *message = message_of(row);
    add_field(out, item->student, false);
    add_field(out, exercise_name(table, item->exercise), false);
    ls_text_addf(out, "%d,%d/%d,", row->passed, row->cases_passed, row->cases);
    add_field(out, failed_by(row), false);
    add_field(out, message, false);
    if (row->score) ls_text_addf(out, "%" PRId64, row->score_value);
    ls_text_addf(out, ",%.2f,", row->seconds);
    add_field(out, item->path, false);
    ls_text_addf(out, "%" PRIu64 "\r\n", table->seed);
    free(message);
  }
}

// ---- JSON ----------------------------------------------------------------------------------------------------------

static const char *const states[] = {[GRADE_WAITS] = "interrupted", [GRADE_JUDGED] = "judged",
                                     [GRADE_REFUSED] = "refused", [GRADE_BROKEN] = "broken",
                                     [GRADE_CANCELED] = "interrupted"};

static void json_failure(LsJson *json, const GradeRow *row) {
  ls_json_open_member(json, "failure", '{');
  ls_json_member(json, "how", row->how);
  ls_json_member(json, "kind", failed_by(row));
  ls_json_member(json, "message", row->message);
  if (row->says) ls_json_member(json, "says", row->says);
  if (row->advice) ls_json_member(json, "advice", row->advice);
  if (row->values) ls_json_member(json, "case", row->values);
  if (row->values) ls_json_member_bool(json, "shown", row->shown);
  if (row->line) ls_json_member_u64(json, "line", (uint64_t)row->line);
  ls_json_close(json, '}');
}

static void json_row(LsJson *json, const GradeTable *table, int index) {
  const Submission *item = &table->found->items[index];
  const GradeRow *row = &table->rows[index];
  ls_json_open(json, '{');
  ls_json_member(json, "student", item->student);
  ls_json_member(json, "exercise", item->exercise < 0 ? NULL : exercise_name(table, item->exercise));
  ls_json_member(json, "file", item->path);
  ls_json_member(json, "state", states[row->state]);
  ls_json_member_bool(json, "passed", row->passed);
  ls_json_member_u64(json, "cases", (uint64_t)row->cases);
  ls_json_member_u64(json, "cases_passed", (uint64_t)row->cases_passed);
  if (!row->passed && row->state != GRADE_CANCELED) json_failure(json, row);
  if (row->score) {
    ls_json_open_member(json, "score", '{');
    ls_json_member(json, "what", row->score);
    ls_json_member_i64(json, "value", row->score_value);
    ls_json_close(json, '}');
  }
  ls_json_member_f64(json, "seconds", row->seconds);
  ls_json_close(json, '}');
}

void grade_json(const GradeTable *table, LsText *out) {
  LsJson json;
  ls_json_init(&json, out);
  ls_json_open(&json, '{');
  ls_json_member_u64(&json, "seed", table->seed);
  ls_json_member_u64(&json, "files", (uint64_t)table->found->count);
  ls_json_member_u64(&json, "passed", (uint64_t)count_passed(table));
  ls_json_open_member(&json, "rows", '[');
  for (int i = 0; i < table->found->count; i++) json_row(&json, table, i);
  ls_json_close(&json, ']');
  ls_json_close(&json, '}');
}
