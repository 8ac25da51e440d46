// page_class.c: a class by its skills: how much of each was right, as a bar, the worst first; Enter opens one.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/report/class_write.h"
#include "base/mem.h"
#include "ui/pages/class_draw.h"
#include "ui/pages/column.h"
#include "ui/pages/list_page.h"
#include "ui/views/frame.h"

// Row 0 is the class as a whole, the others are skills.
typedef struct ClassPage {
  Page base;
  ClassView view;
  ClassOrder order;
  int *skills;               // in this order
  List rows;
} ClassPage;

enum {
  TOP = 3, BOTTOM = 2, HEAD_ROW = 2, WIDE = 116, LIST_W = 68, GAP = 2, BELOW_ROWS = 10, WORDS_MOST = 76,
  PERCENT_X = 4, BAR_X = 10, BAR_W = 10, STUDENTS_END = 25, SURE_END = 31, ID_X = 33, ID_W = 14
};

static const Class *class_of(const ClassPage *self) { return self->view.files->class; }

// NULL: the whole class.
static const ClassSkill *skill_at(const ClassPage *self, int row) {
  return row ? &class_of(self)->skills[self->skills[row - 1]] : NULL;
}

static const char *row_text(void *context, int row) {
  static char text[512];
  const ClassSkill *skill = skill_at(context, row);
  if (!skill) return "the whole class";
  snprintf(text, sizeof text, "%s %s %s %s", skill->id, skill->family ? skill->family : "", skill->topic,
           skill->lesson);
  return text;
}

// ---- the list -------------------------------------------------------------------------------------------------------

static void draw_head(const ClassPage *self, Canvas *canvas, int width) {
  canvas_text(canvas, PERCENT_X, HEAD_ROW, ROLE_DIM, 0, "right");
  canvas_text_right(canvas, STUDENTS_END, HEAD_ROW, ROLE_DIM, 0, "who");
  canvas_text_right(canvas, SURE_END, HEAD_ROW, ROLE_DIM, 0, "sure");
  canvas_text_cut(canvas, ID_X, HEAD_ROW, width - ID_X - 1, ROLE_DIM, 0, class_order_name(self->order));
}

static void draw_class_row(const ClassPage *self, Canvas *canvas, int y, int width, int style) {
  const Class *class = class_of(self);
  int64_t right = 0;
  char students[16];
  for (int i = 0; i < class->skill_count; i++) right += class->skills[i].right;
  if (class->answers) class_draw_bar(canvas, (Rect){PERCENT_X, y, BAR_X + BAR_W - PERCENT_X, 1},
                                     (double)right / (double)class->answers);
  snprintf(students, sizeof students, "%d", class->student_count);
  canvas_text_right(canvas, STUDENTS_END, y, ROLE_TEXT, 0, students);
  canvas_text_cut(canvas, ID_X, y, width - ID_X - 1, ROLE_CURSOR, style, "the whole class");
}

static void draw_skill_row(const ClassPage *self, Canvas *canvas, const ClassSkill *skill, int y, int width,
                           int style) {
  bool told = skill->students && class_tells(self->view.anonymous, skill->students);
  char number[24];
  if (told) {
    class_draw_bar(canvas, (Rect){PERCENT_X, y, BAR_X + BAR_W - PERCENT_X, 1}, class_share(skill));
    snprintf(number, sizeof number, "%d", skill->students);
    canvas_text_right(canvas, STUDENTS_END, y, ROLE_TEXT, 0, number);
  } else {
    canvas_text(canvas, PERCENT_X, y, ROLE_DIM, 0, skill->students ? "few answers" : "no answers");
  }
  if (told && skill->sure_wrong && class_tells(self->view.anonymous, skill->sure_wrong_students)) {
    snprintf(number, sizeof number, "▲%" PRId64, skill->sure_wrong);
    canvas_text_right(canvas, SURE_END, y, ROLE_ALARM, 0, number);
  }
  canvas_text_cut(canvas, ID_X, y, ID_W - 1, told ? ROLE_ACTIVE : ROLE_DIM, style, skill->id);
  canvas_text_cut(canvas, ID_X + ID_W, y, width - ID_X - ID_W - 1, told ? ROLE_TEXT : ROLE_DIM, style, skill->topic);
}

static void draw_row(const ClassPage *self, Canvas *canvas, int width, int row) {
  int y = self->rows.y + row - self->rows.top, style = row == self->rows.chosen ? STYLE_BOLD : 0;
  const ClassSkill *skill = skill_at(self, row);
  list_mark(&self->rows, canvas, 0, width, row);
  if (skill) draw_skill_row(self, canvas, skill, y, width, style);
  else draw_class_row(self, canvas, y, width, style);
}

// ---- what is said of the chosen row ---------------------------------------------------------------------------------

// Who has not begun, what was left out, and what the numbers are.
static void draw_class_words(const ClassPage *self, Canvas *canvas, Rect rect) {
  const Class *class = class_of(self);
  LsText words = {0};
  int missing = class->student_count - class->begun;
  ls_text_addf(&words, "%d student%s gave %" PRId64 " answers.", class->student_count,
               class->student_count == 1 ? "" : "s", class->answers);
  rect = column_paragraph(canvas, rect, ROLE_TEXT, 0, ls_text_str(&words));
  ls_text_clear(&words);
  if (missing && class_tells(self->view.anonymous, missing)) {
    ls_text_addf(&words, "%d of them %s not begun", missing, missing == 1 ? "has" : "have");
    if (!self->view.anonymous) ls_text_add(&words, ": ");
    if (!self->view.anonymous) class_not_begun(class, &words);
    ls_text_add(&words, ".");
    rect = class_draw_names(canvas, rect, ROLE_TEXT, ls_text_str(&words));
  }
  ls_text_clear(&words);
  class_left_out(self->view.files, &words);
  rect = column_paragraph(canvas, rect, ROLE_ALARM, 0, ls_text_str(&words));
  column_paragraph(canvas, rect, ROLE_DIM, 0,
                   "Bars show how many answers were right at once; who: how many students answered; "
                   "sure ▲: answers given as sure, and wrong.");
  ls_text_free(&words);
}

// The commonest wrong answers, as many as there is room for, and how many more there are.
static void draw_wrong(const ClassPage *self, Canvas *canvas, Rect rect, const ClassSkill *skill) {
  int left = 0;
  for (int i = 0; i < skill->wrong_count; i++) {
    const ClassWrong *wrong = &class_of(self)->wrong[skill->first_wrong + i];
    if (!class_tells(self->view.anonymous, wrong->students)) continue;
    int rows = class_wrong_rows(canvas, rect.w, wrong);
    if (left || rows >= rect.h) left++;
    else rect = class_draw_wrong(canvas, (Rect){rect.x, rect.y, rect.w, rect.h}, wrong, 0);
  }
  if (left) canvas_textf(canvas, rect.x, rect.y, ROLE_DIM, 0, "▾ %d more", left);
}

static void draw_skill_words(const ClassPage *self, Canvas *canvas, Rect rect, const ClassSkill *skill) {
  LsText words = {0};
  class_skill_words(&self->view, skill, &words);
  rect = column_paragraph(canvas, rect, ROLE_TEXT, 0, ls_text_str(&words));
  ls_text_free(&words);
  draw_wrong(self, canvas, rect, skill);
}

static void draw_chosen(const ClassPage *self, Canvas *canvas, Rect rect) {
  const ClassSkill *skill = skill_at(self, self->rows.chosen);
  if (skill) draw_skill_words(self, canvas, rect, skill);
  else draw_class_words(self, canvas, rect);
}

static void draw_beside(const ClassPage *self, Canvas *canvas, Rect rect) {
  const ClassSkill *skill = skill_at(self, self->rows.chosen);
  canvas_text(canvas, rect.x, rect.y, ROLE_TEXT, STYLE_BOLD, skill ? skill->id : "the whole class");
  if (skill) canvas_text_cut(canvas, rect.x + ID_W, rect.y, rect.w - ID_W, ROLE_DIM, 0, skill->topic);
  draw_chosen(self, canvas, column_below(rect, 2));
}

static void draw_below(const ClassPage *self, Canvas *canvas, int y) {
  const ClassSkill *skill = skill_at(self, self->rows.chosen);
  char words[256];
  snprintf(words, sizeof words, "%s%s%s", skill ? skill->id : "the whole class", skill ? " · " : "",
           skill ? skill->topic : "");
  canvas_rule(canvas, 0, y, canvas->cols, words, NULL);
  Rect rect = {PERCENT_X, y + 1, LS_MIN(canvas->cols - 2 * PERCENT_X, WORDS_MOST), canvas->rows - y - BOTTOM - 1};
  draw_chosen(self, canvas, rect);
}

static void class_page_draw(Page *page, Canvas *canvas) {
  ClassPage *self = (ClassPage *)page;
  const Class *class = class_of(self);
  bool wide = canvas->cols >= WIDE;
  int width = wide ? LIST_W : canvas->cols, height = canvas->rows - TOP - BOTTOM - (wide ? 0 : BELOW_ROWS);
  char right[64];
  snprintf(right, sizeof right, "%d of %d have begun", class->begun, class->student_count);
  bool told = class_tells(self->view.anonymous, class->student_count - class->begun);
  FrameTitle title = {.crumbs = {"lanescope", "class"}, .crumb_count = 2, .middle = {"what is known, skill by skill"},
                      .right = told ? right : NULL};
  frame_title(canvas, &title);
  draw_head(self, canvas, width);
  list_place(&self->rows, TOP, self->rows.count > height ? height - 1 : height);
  for (int row = self->rows.top; list_shows(&self->rows, row); row++) draw_row(self, canvas, width, row);
  list_count(&self->rows, canvas, PERCENT_X);
  int x = width + GAP;
  if (wide) draw_beside(self, canvas, (Rect){x, TOP, LS_MIN(canvas->cols - x - 2, WORDS_MOST), height});
  else draw_below(self, canvas, TOP + LS_MIN(height, self->rows.count));
  static const FooterKey keys[] = {{"↑↓", "up down", "choose"}, {"⏎", "enter", "open"}, {"s", NULL, "order"},
                                  {"/", NULL, "find"}, {"?", NULL, "help"}, {"q", NULL, "back"}};
  if (self->rows.searching) frame_prompt(canvas, "/", self->rows.search, "L11, FQ5, banks, a word");
  else frame_keys(canvas, keys, LS_COUNT(keys));
}

// ---- keys ----------------------------------------------------------------------------------------------------------

// The chosen skill stays chosen.
static void sort_next(ClassPage *self) {
  int chosen = self->rows.chosen, skill = chosen ? self->skills[chosen - 1] : -1;
  self->order = (ClassOrder)((self->order + 1) % CLASS_ORDERS);
  class_order(class_of(self), self->order, self->skills);
  for (int i = 0; i < class_of(self)->skill_count; i++)
    if (self->skills[i] == skill) self->rows.chosen = i + 1;
}

static void add_number(const ClassPage *self, int students, LsText *out) {
  if (class_tells(self->view.anonymous, students)) ls_text_addf(out, "%7d", students);
  else ls_text_add(out, "    few");
}

static void add_lessons(const ClassPage *self, LsText *out) {
  const Class *class = class_of(self);
  ls_text_add(out, "lesson  begun   done\n\n");
  for (int i = 0; i < class->lesson_count; i++) {
    const ClassLesson *lesson = &class->lessons[i];
    ls_text_addf(out, "%-6s", lesson->id);
    add_number(self, lesson->begun, out);
    add_number(self, lesson->done, out);
    ls_text_addf(out, "   %s\n", lesson->title);
  }
}

static void add_exercises(const ClassPage *self, LsText *out) {
  const Class *class = class_of(self);
  bool any = false;
  for (int i = 0; i < class->exercise_count; i++) {
    const ClassExercise *exercise = &class->exercises[i];
    if (!exercise->tried) continue;
    if (!any) ls_text_add(out, "\nexercise             tried passed\n\n");
    any = true;
    ls_text_addf(out, "%-19s", exercise->name);
    add_number(self, exercise->tried, out);
    add_number(self, exercise->passed, out);
    ls_text_addc(out, '\n');
  }
}

static void add_students(const ClassPage *self, LsText *out) {
  enum { NAME_W = 22 };
  const Class *class = class_of(self);
  char points[32];
  snprintf(points, sizeof points, "points of %g", class->of);
  ls_text_addf(out, "\n%-*s  %15s   answers  lessons  made\n\n", NAME_W, "who", points);
  for (int i = 0; i < class->student_count; i++) {
    const ClassStudent *student = &class->students[i];
    ls_text_addn(out, student->who, ls_utf8_within(student->who, NAME_W));
    ls_text_addf(out, "%*s", NAME_W - LS_MIN(ls_utf8_width(student->who), NAME_W), "");
    ls_text_addf(out, "  %15.2f  %8" PRId64 " %8d  %s\n", student->points, student->answers, student->lessons,
                 student->made);
  }
}

// A line for each lesson, each exercise that was tried, and each student.
static Page *lines_page(const ClassPage *self) {
  LsText text = {0};
  add_lessons(self, &text);
  add_exercises(self, &text);
  if (!self->view.anonymous) add_students(self, &text);
  Page *page = page_message_new("class", ls_text_str(&text));
  ls_text_free(&text);
  return page;
}

static Page *open_chosen(Page *page) {
  const ClassPage *self = (const ClassPage *)page;
  int row = self->rows.chosen;
  return row ? page_class_skill_new(&self->view, self->skills[row - 1]) : lines_page(self);
}

static bool class_page_key(Page *page, AppKey key) {
  ClassPage *self = (ClassPage *)page;
  bool sorts = !self->rows.searching && command_for_key(key.code, CTX_M) == CMD_SORT;
  if (sorts) sort_next(self);
  return sorts || list_page_key(page, &self->rows, key, open_chosen);
}

static void class_page_free(Page *page) {
  free(((ClassPage *)page)->skills);
  free(page);
}

static const PageClass class_page_class = {class_page_draw, class_page_key, NULL, class_page_free};

Page *page_class_new(const ClassView *view) {
  ClassPage *self = ls_alloc(sizeof *self);
  const Class *class = view->files->class;
  self->base.class = &class_page_class;
  self->view = *view;
  self->skills = ls_alloc(sizeof *self->skills * (size_t)LS_MAX(class->skill_count, 1));
  class_order(class, self->order, self->skills);
  self->rows = (List){.count = class->skill_count + 1, .text = row_text, .context = self};
  return &self->base;
}
