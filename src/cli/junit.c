// junit.c: results of tests as JUnit's XML.
#include "cli/junit.h"

#include <string.h>

#include "base/file.h"
#include "base/mem.h"

// ---- XML -----------------------------------------------------------------------------------------------------------

// XML has no way to write most control characters, nor two code points that are none: they are made visible.
static void add_text(LsText *out, const char *text, bool is_attribute) {
  LsText visible = {0};
  ls_text_add_visible(&visible, text);
  const char *p = ls_text_str(&visible);
  for (uint32_t code; (code = ls_utf8_next(&p));) {
    char bytes[5];
    ls_utf8_encode(code == 0xfffe || code == 0xffff ? 0xfffd : code, bytes);
    switch (code) {
    case '&': ls_text_add(out, "&amp;"); break;
    case '<': ls_text_add(out, "&lt;"); break;
    case '>': ls_text_add(out, "&gt;"); break;
    case '"': ls_text_add(out, "&quot;"); break;
    case '\r': ls_text_add(out, "&#13;"); break;
    case '\n':
    case '\t':
      if (is_attribute) ls_text_addf(out, "&#%d;", (int)code);
      else ls_text_add(out, bytes);
      break;
    default: ls_text_add(out, bytes);
    }
  }
  ls_text_free(&visible);
}

static void attribute(LsText *out, const char *name, const char *value) {
  ls_text_addf(out, " %s=\"", name);
  add_text(out, value, true);
  ls_text_addc(out, '"');
}

static void count_attribute(LsText *out, const char *name, int count) { ls_text_addf(out, " %s=\"%d\"", name, count); }
static void time_attribute(LsText *out, double seconds) { ls_text_addf(out, " time=\"%.3f\"", seconds); }

// ---- results -------------------------------------------------------------------------------------------------------

typedef struct Sums { int tests, failures, errors, skipped; double seconds; } Sums;

static void count_point(Sums *sums, const SuitePoint *point) {
  sums->tests++;
  sums->failures += point->state == SUITE_FAILED;
  sums->errors += point->state == SUITE_BAD || point->state == SUITE_LACKS;
  sums->skipped += point->state == SUITE_SKIPPED || point->state == SUITE_CANCELED;
  sums->seconds += point->seconds;
}

static void sum_attributes(LsText *out, const Sums *sums) {
  count_attribute(out, "tests", sums->tests);
  count_attribute(out, "failures", sums->failures);
  count_attribute(out, "errors", sums->errors);
  count_attribute(out, "skipped", sums->skipped);
  time_attribute(out, sums->seconds);
}

static void add_problem_words(LsText *out, const SuiteProblem *problem) {
  if (problem->file) {
    ls_text_add(out, problem->file);
    if (problem->line) ls_text_addf(out, ":%d", problem->line);
    ls_text_add(out, ": ");
  }
  ls_text_addf(out, "%s: %s\n", problem->kind, problem->message);
  if (problem->advice && *problem->advice) ls_text_addf(out, "%s\n", problem->advice);
}

// The schema has one failure to a testcase: the others stand in its text.
static void add_outcome(LsText *out, const SuitePoint *point) {
  const char *element = point->state == SUITE_FAILED ? "failure" : "error";
  if (point->state == SUITE_SKIPPED || point->state == SUITE_CANCELED) {
    ls_text_add(out, "      <skipped");
    attribute(out, "message", point->reason ? point->reason : "interrupted");
    ls_text_add(out, "/>\n");
    return;
  }
  LsText words = {0};
  for (int i = 0; i < point->problem_count; i++) add_problem_words(&words, &point->problems[i]);
  ls_text_addf(out, "      <%s", element);
  attribute(out, "message", point->problems[0].message);
  attribute(out, "type", point->problems[0].kind);
  ls_text_addc(out, '>');
  add_text(out, ls_text_str(&words), false);
  ls_text_addf(out, "</%s>\n", element);
  ls_text_free(&words);
}

static void add_point(LsText *out, const SuitePoint *point) {
  const SuiteProblem *first = point->problem_count ? &point->problems[0] : NULL;
  ls_text_add(out, "    <testcase");
  attribute(out, "name", *point->parameters ? point->parameters : point->name);
  attribute(out, "classname", point->recipe_name);
  attribute(out, "file", first && first->file ? first->file : point->path);
  if (first && first->file && first->line) count_attribute(out, "line", first->line);
  time_attribute(out, point->seconds);
  if (point->state == SUITE_PASSED) {
    ls_text_add(out, "/>\n");
    return;
  }
  ls_text_add(out, ">\n");
  add_outcome(out, point);
  ls_text_add(out, "    </testcase>\n");
}

// The points of the recipe that the first of them is of; how many they are.
static int add_suite(LsText *out, const Suite *suite, int first) {
  Sums sums = {0};
  int end = first;
  const char *name = suite->points[first].recipe_name;
  while (end < suite->count && strcmp(suite->points[end].recipe_name, name) == 0) count_point(&sums,
      &suite->points[end++]);
  ls_text_add(out, "  <testsuite");
  attribute(out, "name", name);
  sum_attributes(out, &sums);
  ls_text_add(out, ">\n");
  for (int i = first; i < end; i++) add_point(out, &suite->points[i]);
  ls_text_add(out, "  </testsuite>\n");
  return end - first;
}

bool junit_write(const Suite *suite, const char *path, LsErr *err) {
  LsText text = {0};
  Sums sums = {0};
  for (int i = 0; i < suite->count; i++) count_point(&sums, &suite->points[i]);
  ls_text_add(&text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"lanescope\"");
  sum_attributes(&text, &sums);
  ls_text_add(&text, ">\n");
  for (int i = 0; i < suite->count;) i += add_suite(&text, suite, i);
  ls_text_add(&text, "</testsuites>\n");
  bool ok = ls_file_write(path, ls_text_str(&text), text.length, err);
  ls_text_free(&text);
  return ok;
}
