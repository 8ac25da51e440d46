// verdict.c: a verdict as lines of text.
#include "app/practice/verdict.h"

#include <stdlib.h>
#include <string.h>

#include "app/course/solved.h"

const char *verdict_how_name(VerdictHow how) {
  static const char *const names[] = {
      [VERDICT_COMPILE] = "compile", [VERDICT_LAUNCH] = "launch", [VERDICT_RULE] = "rule", [VERDICT_FAULT] = "fault",
      [VERDICT_RESULT] = "result", [VERDICT_LIMIT] = "limit", [VERDICT_BUDGET] = "budget"};
  return how < VERDICT_HOW_COUNT ? names[how] : "";
}

static void failure_fini(VerdictFailure *f) {
  free(f->kind);
  free(f->values);
  free(f->message);
  free(f->says);
  free(f->advice);
  free(f->buffer);
  free(f->got);
  free(f->want);
  if (f->has_request) run_request_fini(&f->request);
}

void verdict_fini(Verdict *v) {
  for (int i = 0; i < v->counter_count; i++) free(v->counters[i].values), free(v->counters[i].what);
  free(v->counters);
  free(v->file);
  if (v->failed) failure_fini(&v->failure);
  *v = (Verdict){0};
}

void verdict_keep(Verdict *v, Progress *progress) {
  Solved solved;
  solved_add(progress, v->exercise->name, v->passed, v->score, v->score ? v->score_value : SOLVED_NO_SCORE);
  solved_load(progress, v->exercise->name, &solved);
  if (v->score) v->score_best = solved.best;
}

// ---- words ---------------------------------------------------------------------------------------------------------

static void add_place(const Verdict *v, LsText *out) {
  const VerdictFailure *f = &v->failure;
  if (f->index >= 0) ls_text_addf(out, "case %d of %d (%s)", f->index + 1, v->cases, f->values);
  if (f->order > 0) ls_text_addf(out, ", order of execution %d", f->order + 1);
  if (f->index >= 0) ls_text_add(out, ": ");
}

static void add_failure(const Verdict *v, LsText *out) {
  static const char *const heads[] = {
      [VERDICT_COMPILE] = "It does not compile.", [VERDICT_LAUNCH] = "It cannot be launched.",
      [VERDICT_RULE] = "A rule of the exercise.", [VERDICT_FAULT] = "A fault.", [VERDICT_RESULT] = "A wrong result.",
      [VERDICT_LIMIT] = "Right, but it wastes.", [VERDICT_BUDGET] = "It does not end."};
  const VerdictFailure *f = &v->failure;
  ls_text_addf(out, "%s\n", heads[f->how]);
  add_place(v, out);
  ls_text_addf(out, "%s\n", f->message);
  if (f->says) ls_text_addf(out, "%s\n", f->says);
  if (f->advice) ls_text_addf(out, "%s\n", f->advice);
}

static void add_counters(const Verdict *v, LsText *out) {
  int width = 0;
  for (int i = 0; i < v->counter_count; i++) width = LS_MAX(width, ls_utf8_width(v->counters[i].what));
  const char *values = "";
  for (int i = 0; i < v->counter_count; i++) {
    const VerdictCounter *c = &v->counters[i];
    if (strcmp(values, c->values) != 0) ls_text_addf(out, "\n%s\n%-*s %12s %12s %12s\n", values = c->values, width + 2,
                                                     "", "yours", "limit", "reference");
    ls_text_addf(out, "%s %-*s %12lld %s%*lld ", c->met ? " " : "!", width, c->what, (long long)c->value,
                 c->is_least ? ">=" : "<=", 10, (long long)c->bound);
    if (c->reference != INT64_MIN) ls_text_addf(out, "%12lld", (long long)c->reference);
    ls_text_add(out, "\n");
  }
}

void verdict_words(const Verdict *v, LsText *out) {
  if (v->passed && v->cases == 1) ls_text_add(out, "Passed: the one case.\n");
  else if (v->passed) ls_text_addf(out, "Passed: all %d cases.\n", v->cases);
  else add_failure(v, out);
  add_counters(v, out);
  if (v->score && v->score_value != INT64_MIN) {
    ls_text_addf(out, "\nscore: %lld %s", (long long)v->score_value, v->score);
    if (v->score_reference != INT64_MIN) ls_text_addf(out, "; the reference %lld", (long long)v->score_reference);
    if (v->score_best != INT64_MIN) ls_text_addf(out, "; your best %lld", (long long)v->score_best);
    ls_text_add(out, "\n");
  }
}
