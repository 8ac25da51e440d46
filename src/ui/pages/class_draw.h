// class_draw.h: shares, wrong answers and names of a class, as its pages draw them.
#ifndef LS_UI_PAGES_CLASS_DRAW_H
#define LS_UI_PAGES_CLASS_DRAW_H

#include "app/report/class.h"
#include "ui/pages/page.h"

// " 29%  ███▌░░░░": the percentage, and a bar in what is left of the row.
void class_draw_bar(Canvas *canvas, Rect rect, double share);
// "  43 × 8        Warps do not pay for each other.", wrapped, and cut where the rectangle is one row high. Returns
// what is left.
Rect class_draw_wrong(Canvas *canvas, Rect rect, const ClassWrong *wrong, int style);
int class_wrong_rows(Canvas *canvas, int columns, const ClassWrong *wrong);   // that it takes wrapped
// Whether a row of so many columns has room for all of it.
bool class_wrong_fits(const ClassWrong *wrong, int columns);
// A sentence, and of a list of names at its end as many as there is room for, and how many more there are.
Rect class_draw_names(Canvas *canvas, Rect rect, Role role, const char *words);
// "29% of 83 answers were right. 18 students answered, 10 did not."
void class_skill_words(const ClassView *view, const ClassSkill *skill, LsText *out);

#endif
