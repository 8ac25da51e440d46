// grade_answer.c: one submission judged, and what is said of it as a message and back.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/practice/grade.h"
#include "app/practice/grade_wire.h"
#include "app/practice/judge.h"
#include "app/practice/source_rules.h"
#include "base/file.h"

enum { COMPILER_LINES = 6, COMPILER_BYTES = 900 };

void grade_answer_none(LsText *out, const char *how, const char *message, int line) {
  grade_wire_begin(out);
  grade_wire_text(out, "state", how);
  grade_wire_text(out, "message", message);
  grade_wire_number(out, "line", line);
  grade_wire_end(out);
}

// ---- what a compiler says ------------------------------------------------------------------------------------------

// Of a compiler's words only lines about the file itself are told, and a few of them: what stands in others is nobody's
// business. Warnings are told where there is no error.
static bool is_told(const char *line, size_t length, const char *name, bool errors) {
  size_t prefix = strlen(name);
  if (length <= prefix || strncmp(line, name, prefix) != 0 || !strchr(":(", line[prefix])) return false;
  const char *error = strstr(line, "error");
  return !errors || (error && error < line + length);
}

static int add_lines(const char *message, const char *name, bool errors, LsText *out) {
  int lines = 0;
  for (const char *p = message; *p && lines < COMPILER_LINES && out->length < COMPILER_BYTES;) {
    size_t length = strcspn(p, "\n");
    if (is_told(p, length, name, errors))
      ls_text_addf(out, "%s%.*s", lines++ ? "\n" : "", (int)LS_MIN(length, (size_t)COMPILER_BYTES), p);
    p += length + (p[length] == '\n');
  }
  return lines;
}

static char *about_own_file(const char *message, const char *name) {
  LsText out = {0};
  bool ours = ls_starts_with(message, name);   // our own words come first
  if (!add_lines(message, name, true, &out) && !add_lines(message, name, false, &out)) {
    if (ours) ls_text_addn(&out, message, strcspn(message, "\n"));
    else ls_text_add(&out, "It does not compile.");
  }
  return ls_text_take(&out);
}

// ---- a verdict -----------------------------------------------------------------------------------------------------

static void put_failure(LsText *out, const Verdict *verdict, const char *name) {
  const VerdictFailure *f = &verdict->failure;
  char *message = f->how == VERDICT_COMPILE ? about_own_file(f->message, name) : ls_strdup(f->message);
  grade_wire_text(out, "how", verdict_how_name(f->how));
  grade_wire_text(out, "kind", f->kind);
  grade_wire_text(out, "message", message);
  grade_wire_text(out, "says", f->says);
  grade_wire_text(out, "advice", f->advice);
  grade_wire_text(out, "values", f->values);
  grade_wire_number(out, "shown", f->shown);
  grade_wire_number(out, "line", f->line);
  free(message);
}

static void put_verdict(LsText *out, const Verdict *verdict, const char *name) {
  grade_wire_begin(out);
  grade_wire_text(out, "state", "judged");
  grade_wire_number(out, "passed", verdict->passed);
  grade_wire_number(out, "cases", verdict->cases);
  grade_wire_number(out, "cases_passed", verdict->cases_passed);
  if (verdict->failed) put_failure(out, verdict, name);
  if (verdict->score && verdict->score_value != INT64_MIN) {
    grade_wire_text(out, "score", verdict->score);
    grade_wire_number(out, "score_value", verdict->score_value);
  }
  grade_wire_end(out);
}

static void judge(const Exercise *exercise, const char *path, uint64_t seed, LsText *out) {
  LsErr err = {0};
  Verdict verdict;
  JudgeRequest request = {.path = path, .seed = seed, .alone = true, .fast = true};
  if (!judge_file(exercise, &request, NULL, &verdict, &err)) {
    grade_answer_none(out, err.kind == LS_EENV ? "no compiler" : "broken", err.message, 0);
    return;
  }
  put_verdict(out, &verdict, ls_path_base(path));
  verdict_fini(&verdict);
}

static void judge_source(const LsText *request, const Exercise *exercise, LsText *out) {
  LsErr err = {0};
  LsText why = {0};
  size_t size = 0;
  int line = 0;
  const char *source = grade_wire_get(request, "source", &size);
  char *path = ls_format("%s.cu", exercise->name);
  if (!source_rules_hold(source ? source : "", size, &line, &why))
    grade_answer_none(out, "refused", ls_text_str(&why), line);
  else if (!ls_file_write(path, source ? source : "", size, &err)) grade_answer_none(out, "broken", err.message, 0);
  else judge(exercise, path, (uint64_t)grade_wire_int(request, "seed", 0), out);
  ls_text_free(&why);
  free(path);
}

void grade_answer(const LsText *request, GradeOpen *open, LsText *out) {
  LsErr err = {0};
  char *name = grade_wire_take(request, "exercise");
  ExerciseBook *book = open(NULL, &err);
  int index = book && name ? exercise_find(book, name, &err) : -1;
  const Exercise *exercise = index >= 0 ? book->get(book, index, &err) : NULL;
  if (exercise) judge_source(request, exercise, out);
  else grade_answer_none(out, "broken", name ? err.message : "the request names no exercise", 0);
  if (book) book->free(book);
  free(name);
}

// ---- reading -------------------------------------------------------------------------------------------------------

static void set_text(const LsText *answer, const char *key, char **to) {
  free(*to);
  *to = grade_wire_take(answer, key);
}

void grade_read_answer(const LsText *answer, GradeRow *row) {
  char *state = grade_wire_take(answer, "state");
  bool judged = state && strcmp(state, "judged") == 0, refused = state && strcmp(state, "refused") == 0;
  row->state = judged ? GRADE_JUDGED : refused ? GRADE_REFUSED : GRADE_BROKEN;
  row->passed = judged && grade_wire_int(answer, "passed", 0);
  row->cases = (int)grade_wire_int(answer, "cases", 0);
  row->cases_passed = (int)grade_wire_int(answer, "cases_passed", 0);
  row->shown = grade_wire_int(answer, "shown", 0);
  row->line = (int)grade_wire_int(answer, "line", 0);
  row->score_value = grade_wire_int(answer, "score_value", 0);
  static const char *const keys[] = {"how", "kind", "message", "says", "advice", "values", "score"};
  char **const places[] = {&row->how, &row->kind, &row->message, &row->says, &row->advice, &row->values, &row->score};
  for (int i = 0; i < LS_COUNT(keys); i++) set_text(answer, keys[i], places[i]);
  if (!judged) {
    free(row->how);
    row->how = ls_strdup(state ? state : "broken");
  }
  free(state);
}
