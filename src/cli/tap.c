// tap.c: results of tests in the Test Anything Protocol.
#include "cli/tap.h"

#include "base/json.h"
#include "cli/plain.h"

// Words of a line of TAP: '#' begins a directive, and there is one line.
static void add_words(LsText *out, const char *text) {
  LsText visible = {0};
  ls_text_add_visible(&visible, text);
  for (const char *p = ls_text_str(&visible); *p; p++) {
    if (*p == '#' || *p == '\\') ls_text_addc(out, '\\');
    ls_text_addc(out, *p == '\n' || *p == '\t' || *p == '\r' ? ' ' : *p);
  }
  ls_text_free(&visible);
}

static void add_string(LsText *out, const char *key, const char *value) {
  LsJson json;
  ls_text_addf(out, "  %s: ", key);
  ls_json_init(&json, out);
  ls_json_str(&json, value);
  ls_text_addc(out, '\n');
}

static void add_place(LsText *out, const SuiteProblem *problem) {
  LsText place = {0};
  if (!problem->file) return;
  ls_text_add(&place, problem->file);
  if (problem->line) ls_text_addf(&place, ":%d", problem->line);
  add_string(out, "at", ls_text_str(&place));
  ls_text_free(&place);
}

// The other problems, a line each.
static void add_others(LsText *out, const SuitePoint *point) {
  if (point->problem_count > 1) ls_text_add(out, "  also:\n");
  for (int i = 1; i < point->problem_count; i++) {
    const SuiteProblem *problem = &point->problems[i];
    LsText words = {0};
    LsJson json;
    if (problem->file) ls_text_addf(&words, "%s", problem->file);
    if (problem->file && problem->line) ls_text_addf(&words, ":%d", problem->line);
    ls_text_addf(&words, "%s%s: %s", problem->file ? ": " : "", problem->kind, problem->message);
    ls_text_add(out, "    - ");
    ls_json_init(&json, out);
    ls_json_str(&json, ls_text_str(&words));
    ls_text_addc(out, '\n');
    ls_text_free(&words);
  }
}

static void add_block(LsText *out, const SuitePoint *point) {
  const SuiteProblem *first = &point->problems[0];
  ls_text_add(out, "  ---\n");
  add_string(out, "message", first->message);
  add_string(out, "severity", point->state == SUITE_FAILED ? "fail" : "error");
  add_string(out, "kind", first->kind);
  add_place(out, first);
  if (first->advice && *first->advice) add_string(out, "advice", first->advice);
  add_others(out, point);
  ls_text_add(out, "  ...\n");
}

void tap_begin(int count, FILE *out) { fprintf(out, "TAP version 14\n1..%d\n", count); }

void tap_point(const SuitePoint *point, int number, FILE *out) {
  LsText text = {0};
  bool ok = point->state == SUITE_PASSED || point->state == SUITE_SKIPPED;
  ls_text_addf(&text, "%s %d - ", ok ? "ok" : "not ok", number);
  add_words(&text, point->name);
  if (point->state == SUITE_SKIPPED) {
    ls_text_add(&text, " # SKIP ");
    add_words(&text, point->reason);
  }
  ls_text_addc(&text, '\n');
  if (point->problem_count) add_block(&text, point);
  plain_print(out, "%s", ls_text_str(&text));
  fflush(out);
  ls_text_free(&text);
}

void tap_end(const Suite *suite, FILE *out) {
  int skipped = suite_count(suite, SUITE_SKIPPED), canceled = suite_count(suite, SUITE_CANCELED);
  int passed = suite_count(suite, SUITE_PASSED);
  if (canceled) fprintf(out, "Bail out! interrupted with %d of %d tests to go\n", canceled, suite->count);
  fprintf(out, "# %d of %d passed", passed, suite->count - skipped);
  if (skipped) fprintf(out, ", %d skipped", skipped);
  fputs("\n", out);
}
