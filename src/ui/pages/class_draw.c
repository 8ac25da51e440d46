// class_draw.c: bars, lines and sentences about the skills of a class.
#include "ui/pages/class_draw.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "app/report/class_write.h"
#include "base/mem.h"
#include "ui/pages/column.h"

enum { PERCENT_W = 6, COUNT_W = 5, GIVEN_X = 8, GIVEN_W = 9, GIVEN_MOST = 24 };

void class_draw_bar(Canvas *canvas, Rect rect, double share) {
  canvas_textf(canvas, rect.x, rect.y, ROLE_TEXT, 0, "%3.0f%%", 100 * share);
  canvas_meter(canvas, rect.x + PERCENT_W, rect.y, rect.w - PERCENT_W, share, 1, ROLE_USED);
}

static int rows_of(Canvas *canvas, int width, const char *words) {
  return canvas_text_wrap(canvas, (Rect){0, 0, width, 0}, 0, ROLE_TEXT, 0, words);
}

// Where the words begin that met an answer.
static int says_x(const ClassWrong *wrong) {
  return GIVEN_X + LS_MAX(LS_MIN(ls_utf8_width(wrong->given), GIVEN_MOST) + 2, GIVEN_W);
}

bool class_wrong_fits(const ClassWrong *wrong, int columns) {
  int given = ls_utf8_width(wrong->given);
  if (!wrong->says) return GIVEN_X + given <= columns;
  return given <= GIVEN_MOST && says_x(wrong) + ls_utf8_width(wrong->says) <= columns;
}

int class_wrong_rows(Canvas *canvas, int columns, const ClassWrong *wrong) {
  return wrong->says ? LS_MAX(rows_of(canvas, columns - says_x(wrong), wrong->says), 1) : 1;
}

Rect class_draw_wrong(Canvas *canvas, Rect rect, const ClassWrong *wrong, int style) {
  int x = says_x(wrong), rows = 1;
  canvas_textf(canvas, rect.x, rect.y, ROLE_DIM, 0, "%*" PRId64 " ×", COUNT_W, wrong->count);
  canvas_text_cut(canvas, rect.x + GIVEN_X, rect.y, wrong->says ? GIVEN_MOST : rect.w - GIVEN_X, ROLE_WAITING, style,
                  wrong->given);
  if (wrong->says && rect.h == 1)
    canvas_text_cut(canvas, rect.x + x, rect.y, rect.w - x, ROLE_TEXT, style, wrong->says);
  else if (wrong->says)
    rows = canvas_text_wrap(canvas, (Rect){rect.x + x, rect.y, rect.w - x, rect.h}, 0, ROLE_TEXT, style, wrong->says);
  return column_below(rect, LS_MAX(rows, 1));
}

static int names_in(const char *words) {
  int count = 1;
  for (const char *at = words; (at = strstr(at, ", ")); at++) count++;
  return count;
}

Rect class_draw_names(Canvas *canvas, Rect rect, Role role, const char *words) {
  LsText text = {0};
  ls_text_add(&text, words);
  int all = names_in(words), kept = all;
  while (kept > 1 && rows_of(canvas, rect.w, ls_text_str(&text)) > rect.h) {
    const char *end = words;
    kept = kept > 64 ? kept * 3 / 4 : kept - 1;
    for (int i = 0; i < kept; i++) end = strstr(end, ", ") + 2;
    ls_text_clear(&text);
    ls_text_addn(&text, words, (size_t)(end - words) - 2);
    ls_text_addf(&text, " and %d more", all - kept);
  }
  rect = column_paragraph(canvas, rect, role, 0, ls_text_str(&text));
  ls_text_free(&text);
  return rect;
}

void class_skill_words(const ClassView *view, const ClassSkill *skill, LsText *out) {
  int without = view->files->class->student_count - skill->students;
  bool told = class_tells(view->anonymous, skill->students);
  if (!skill->students || !told) {
    ls_text_addf(out, skill->students ? "Fewer than %d students answered." : "Nobody has answered it.", CLASS_FEW);
    return;
  }
  ls_text_addf(out, "%.0f%% of %" PRId64 " answers were right. %d student%s answered", 100 * class_share(skill),
               skill->seen, skill->students, skill->students == 1 ? "" : "s");
  if (without && class_tells(view->anonymous, without)) ls_text_addf(out, ", %d did not", without);
  ls_text_add(out, ".");
  if (skill->sure_wrong && class_tells(view->anonymous, skill->sure_wrong_students))
    ls_text_addf(out, " Of %" PRId64 " that were sure, %" PRId64 " %s wrong.", skill->sure, skill->sure_wrong,
                 skill->sure_wrong == 1 ? "was" : "were");
  if (skill->doubts && class_tells(view->anonymous, skill->doubts))
    ls_text_addf(out, " %d say%s that a question is wrong.", skill->doubts, skill->doubts == 1 ? "s" : "");
}
