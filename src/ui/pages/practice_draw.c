// practice_draw.c: an exercise and the verdict on a file, drawn.
#include "ui/pages/practice_draw.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "ui/pages/rail_pen.h"
#include "ui/views/syntax.h"

enum { SOURCE_LIMIT = 8 << 20, AROUND = 2, NUMBER_W = 4, COLUMN_W = 11, MOST_LINE = 400 };

static Pen pen_in(Canvas *canvas, Rect rect, int skip) {
  return (Pen){.canvas = canvas, .rect = rect, .skip = skip, .fresh = true, .gap = true, .mark_row = -1};
}

static void paragraph(Pen *pen, const char *text, Role role) {
  pen_text(pen, text, role);
  pen_blank(pen);
}

static void row_text(Pen *pen, int column, Role role, int style, const char *text) {
  for (const char *at = text; *at; column++) pen_cell(pen, column, ls_utf8_next(&at), role, style);
}

// Somebody else's words, which have no markup: their lines stay lines, a long one goes on below.
static void verbatim(Pen *pen, const char *text, Role role) {
  while (*text) {
    size_t length = strcspn(text, "\n"), blanks = strspn(text, " ");
    char *line = ls_strndup(text + blanks, length - LS_MIN(blanks, length));
    if (*line) {
      pen->exact = true;
      pen->col += (int)blanks;
      pen_span(pen, line, (int)strlen(line), 0, role, &(int){0});
      pen->exact = false;
      pen_end(pen);
    } else {
      pen_blank(pen);
    }
    free(line);
    text += length + (text[length] == '\n');
  }
}

// ---- the task ------------------------------------------------------------------------------------------------------

int practice_draw_task(const Exercise *e, const char *cases, const char *file, int tips, Canvas *canvas, Rect rect,
                       int skip) {
  Pen pen = pen_in(canvas, rect, skip);
  paragraph(&pen, e->statement, ROLE_TEXT);
  for (int i = 0; i < e->kernel_count; i++) {
    pen.exact = true;
    pen_span(&pen, e->kernels[i], (int)strlen(e->kernels[i]), 1, ROLE_ACTIVE, &(int){0});
    pen.exact = false;
    pen_end(&pen);
  }
  pen_blank(&pen);
  paragraph(&pen, cases, ROLE_DIM);
  paragraph(&pen, file, ROLE_TEXT);
  for (int i = 0; i < tips && i < e->tip_count; i++) {
    char label[16];
    snprintf(label, sizeof label, "tip %d", i + 1);
    pen_labeled(&pen, label, ROLE_CURSOR, e->tips[i], ROLE_TEXT);
    pen_end(&pen);
  }
  return pen.row;
}

int practice_draw_words(const char *words, bool alarming, Canvas *canvas, Rect rect, int skip) {
  Pen pen = pen_in(canvas, rect, skip);
  if (alarming) verbatim(&pen, words, ROLE_ALARM);
  else paragraph(&pen, words, ROLE_TEXT);
  return pen.row;
}

// ---- source --------------------------------------------------------------------------------------------------------

// A line that is longer than a row goes on below.
static void draw_code_line(Pen *pen, Syntax *syntax, int number, const char *line, bool marked) {
  char cut[MOST_LINE], gutter[16];
  uint8_t roles[MOST_LINE];
  snprintf(cut, sizeof cut, "%s", line);
  syntax_line(syntax, cut, roles);
  snprintf(gutter, sizeof gutter, "%*d", NUMBER_W, number);
  row_text(pen, 0, marked ? ROLE_ALARM : ROLE_DIM, marked ? STYLE_BOLD : 0, gutter);
  pen_cell(pen, NUMBER_W + 1, marked ? 0x25B8 : ' ', ROLE_ALARM, STYLE_BOLD);
  int column = NUMBER_W + 3;
  for (const char *at = cut; *at; column++) {
    Role role = (Role)roles[at - cut];
    if (column >= pen->rect.w) pen_end(pen), column = NUMBER_W + 5;
    pen_cell(pen, column, ls_utf8_next(&at), role, 0);
  }
  pen_end(pen);
}

int practice_draw_source(const char *says, const char *source, Canvas *canvas, Rect rect, int skip) {
  Pen pen = pen_in(canvas, rect, skip);
  Syntax syntax = {0};
  paragraph(&pen, says, ROLE_TEXT);
  for (int number = 1; *source; number++) {
    size_t length = strcspn(source, "\n");
    char *line = ls_strndup(source, length);
    draw_code_line(&pen, &syntax, number, line, false);
    free(line);
    source += length + (source[length] == '\n');
  }
  return pen.row;
}

// ---- the failure ---------------------------------------------------------------------------------------------------

// One mark for each case: passed, failed, not tried.
static void draw_cases(Pen *pen, const Verdict *v) {
  int failed = v->failed ? v->failure.index : -1;
  row_text(pen, 0, ROLE_DIM, 0, "cases");
  for (int i = 0; i < v->cases; i++) {
    bool passed = v->passed || i < (failed < 0 ? 0 : failed);
    uint32_t mark = passed ? 0x25CF : i == failed ? 0x2717 : 0x00B7;
    pen_cell(pen, 7 + 2 * i, mark, passed ? ROLE_GOOD : i == failed ? ROLE_ALARM : ROLE_DIM, i == failed ? STYLE_BOLD : 0);
  }
  pen_end(pen);
}

static void draw_where(Pen *pen, const Verdict *v) {
  const VerdictFailure *f = &v->failure;
  if (f->index < 0) return;
  LsText words = {0};
  ls_text_addf(&words, "case %d: %s", f->index + 1, f->values);
  if (f->order > 0) ls_text_addf(&words, ", in order of execution %d", f->order + 1);
  paragraph(pen, ls_text_str(&words), ROLE_DIM);
  ls_text_free(&words);
}

// The lines around the one that it is about, and around the other one of two.
static void draw_source(Pen *pen, const Verdict *v) {
  const VerdictFailure *f = &v->failure;
  char *text = f->line ? ls_file_read(v->file, SOURCE_LIMIT, NULL, NULL) : NULL;
  Syntax syntax = {0};
  int number = 1, last = 0;
  for (char *line = text; line && *line; number++) {
    size_t length = strcspn(line, "\n");
    bool more = line[length] == '\n', marked = number == f->line || number == f->other_line;
    line[length] = 0;
    bool near = abs(number - f->line) <= AROUND || (f->other_line && abs(number - f->other_line) <= AROUND);
    if (near && last && number > last + 1) row_text(pen, NUMBER_W - 1, ROLE_DIM, 0, "⋮"), pen_end(pen);
    if (near) draw_code_line(pen, &syntax, number, line, marked), last = number;
    else syntax_line(&syntax, line, (uint8_t[MOST_LINE]){0});
    line += length + more;
  }
  if (last) pen_blank(pen);
  free(text);
}

static void draw_failure(Pen *pen, const Verdict *v) {
  static const char *const heads[] = {
      [VERDICT_COMPILE] = "It does not compile.", [VERDICT_LAUNCH] = "It cannot be launched.",
      [VERDICT_RULE] = "A rule of the exercise is broken.", [VERDICT_FAULT] = "A fault.",
      [VERDICT_RESULT] = "A wrong result.", [VERDICT_LIMIT] = "Right, but it wastes.",
      [VERDICT_BUDGET] = "It does not end."};
  const VerdictFailure *f = &v->failure;
  pen_blank(pen);
  row_text(pen, 0, ROLE_ALARM, STYLE_BOLD, heads[f->how]);
  pen_end(pen);
  draw_where(pen, v);
  if (f->says) paragraph(pen, f->says, ROLE_TEXT);
  verbatim(pen, f->message, f->says ? ROLE_DIM : ROLE_TEXT);
  pen_blank(pen);
  draw_source(pen, v);
  if (f->advice && f->how == VERDICT_FAULT) verbatim(pen, f->advice, ROLE_DIM);
  pen_blank(pen);
}

// ---- the counters --------------------------------------------------------------------------------------------------

static int name_width(const Verdict *v) {
  int width = 0;
  for (int i = 0; i < v->counter_count; i++) width = LS_MAX(width, ls_utf8_width(v->counters[i].what));
  return width + 3;
}

static void number_cell(Pen *pen, int column, Role role, int style, int64_t value) {
  char digits[32], words[40];
  ls_group_digits((uint64_t)(value < 0 ? -value : value), digits);
  snprintf(words, sizeof words, "%s%s", value < 0 ? "-" : "", digits);
  row_text(pen, column + COLUMN_W - (int)strlen(words), role, style, words);
}

static void heading(Pen *pen, const VerdictCounter *c, int x, const PracticeOther *others, int other_count) {
  static const char *const names[] = {"yours", "limit", "reference"};
  pen_blank(pen);
  row_text(pen, 0, ROLE_DIM, 0, c->values);
  for (int i = 0; i < LS_COUNT(names); i++)
    row_text(pen, x + (i + 1) * COLUMN_W - (int)strlen(names[i]), ROLE_DIM, 0, names[i]);
  for (int i = 0; i < other_count; i++)
    row_text(pen, x + (i + 4) * COLUMN_W - (int)strlen(others[i].name), ROLE_DIM, 0, others[i].name);
  pen_end(pen);
}

// That counter of another file.
static const VerdictCounter *same_counter(const Verdict *v, const VerdictCounter *wanted) {
  for (int i = 0; i < v->counter_count; i++) {
    const VerdictCounter *c = &v->counters[i];
    if (c->index == wanted->index && c->is_least == wanted->is_least && strcmp(c->what, wanted->what) == 0) return c;
  }
  return NULL;
}

static void draw_counter(Pen *pen, const VerdictCounter *c, int x, const PracticeOther *others, int other_count) {
  Role role = c->met ? ROLE_GOOD : ROLE_ALARM;
  if (!c->met) pen_cell(pen, 0, 0x2717, ROLE_ALARM, STYLE_BOLD);
  row_text(pen, 2, c->met ? ROLE_TEXT : ROLE_ALARM, 0, c->what);
  number_cell(pen, x, role, STYLE_BOLD, c->value);
  row_text(pen, x + COLUMN_W + 1, ROLE_DIM, 0, c->is_least ? "≥" : "≤");
  number_cell(pen, x + COLUMN_W, ROLE_TEXT, 0, c->bound);
  if (c->reference != INT64_MIN) number_cell(pen, x + 2 * COLUMN_W, ROLE_TEXT, 0, c->reference);
  for (int i = 0; i < other_count; i++) {
    const VerdictCounter *same = others[i].known ? same_counter(&others[i].verdict, c) : NULL;
    if (same) number_cell(pen, x + (i + 3) * COLUMN_W, ROLE_TEXT, 0, same->value);
  }
  pen_end(pen);
}

static void draw_counters(Pen *pen, const Verdict *v, const PracticeOther *others, int other_count) {
  int x = name_width(v);
  other_count = LS_CLAMP((pen->rect.w - x) / COLUMN_W - 3, 0, other_count);
  for (int i = 0; i < v->counter_count; i++) {
    if (!i || v->counters[i].index != v->counters[i - 1].index) heading(pen, &v->counters[i], x, others, other_count);
    draw_counter(pen, &v->counters[i], x, others, other_count);
  }
}

static void draw_score(Pen *pen, const Verdict *v) {
  LsText words = {0};
  if (!v->passed || !v->score || v->score_value == INT64_MIN) return;
  ls_text_addf(&words, "Score: %lld %s", (long long)v->score_value, v->score);
  if (v->score_reference != INT64_MIN) ls_text_addf(&words, "; the reference has %lld", (long long)v->score_reference);
  if (v->score_best != INT64_MIN) ls_text_addf(&words, "; your best is %lld", (long long)v->score_best);
  ls_text_add(&words, ".");
  pen_blank(pen);
  paragraph(pen, ls_text_str(&words), ROLE_TEXT);
  ls_text_free(&words);
}

static void draw_others(Pen *pen, const PracticeOther *others, int count) {
  if (!count) return;
  pen_text(pen, "Other ways that are as right:", ROLE_TEXT);
  pen_end(pen);
  for (int i = 0; i < count; i++) {
    char label[40];
    snprintf(label, sizeof label, "%d %s", i + 1, others[i].name);
    pen_labeled(pen, label, ROLE_ACTIVE, others[i].what ? others[i].what : "", ROLE_TEXT);
    pen_end(pen);
  }
}

int practice_draw_verdict(const Verdict *v, const PracticeOther *others, int other_count, Canvas *canvas, Rect rect,
                          int skip) {
  Pen pen = pen_in(canvas, rect, skip);
  draw_cases(&pen, v);
  if (v->passed) {
    pen_blank(&pen);
    row_text(&pen, 0, ROLE_GOOD, STYLE_BOLD, "Solved.");
    pen_end(&pen);
  } else {
    draw_failure(&pen, v);
  }
  draw_counters(&pen, v, others, v->passed ? other_count : 0);
  draw_score(&pen, v);
  if (v->passed) draw_others(&pen, others, other_count);
  return pen.row;
}
