// page_menu.c: the course: lessons in order, how far the student is, and what the chosen one will show.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/mem.h"
#include "ui/views/frame.h"
#include "ui/pages/list.h"
#include "ui/pages/page.h"

typedef struct MenuPage {
  Page base;
  PageMenu menu;
  List list;
  int bottom;                // the row below the list: that of a notice, or of the keys
} MenuPage;

enum { TOP = 2, WIDE = 100, METER_W = 10, ID_X = 4, TITLE_X = 9 };

static const CourseLesson *chosen(const MenuPage *self) { return &self->menu.course->lessons[self->list.chosen]; }

static const char *row_text(void *context, int row) {
  const MenuPage *self = context;
  static char text[512];
  const CourseLesson *lesson = &self->menu.course->lessons[row];
  snprintf(text, sizeof text, "%s %s %s %s", lesson->id, lesson->name, lesson->title,
           lesson->glimpse ? lesson->glimpse : "");
  return text;
}

static double share_done(const ProgressLesson *place, CourseState state) {
  if (state == COURSE_DONE) return 1;
  return state == COURSE_BEGUN && place->steps > 0 ? (double)place->step / place->steps : 0;
}

static void state_words(CourseState state, double share, char *out, size_t size, Role *role) {
  *role = state == COURSE_DONE ? ROLE_GOOD : state == COURSE_BEGUN ? ROLE_CURSOR : ROLE_DIM;
  if (state == COURSE_BEGUN) snprintf(out, size, "%.0f%%", 100 * share);
  else snprintf(out, size, "%s", course_state_name(state));
}

static void draw_meter(Canvas *canvas, int x, int y, double share, Role role) {
  int filled = (int)(share * METER_W + 0.5);
  for (int i = 0; i < METER_W; i++) canvas_put(canvas, x + i, y, 0x2501, i < filled ? role : ROLE_RULE, 0);
}

static void draw_row(MenuPage *self, Canvas *canvas, int width, int row) {
  const CourseLesson *lesson = &self->menu.course->lessons[row];
  ProgressLesson place = {0};
  CourseState state = course_state(lesson, self->menu.progress, &place);
  double share = share_done(&place, state);
  bool here = row == self->list.chosen, wide = width >= 50;
  int y = self->list.y + row - self->list.top, state_x = width - 9;
  char words[24];
  Role role;
  state_words(state, share, words, sizeof words, &role);
  list_mark(&self->list, canvas, 0, width, row);
  Role text = state == COURSE_PLANNED && !here ? ROLE_DIM : ROLE_TEXT;
  canvas_text(canvas, ID_X, y, ROLE_DIM, 0, lesson->id);
  int title_w = (wide ? state_x - METER_W - 2 : state_x) - TITLE_X - 1;
  canvas_text_cut(canvas, TITLE_X, y, title_w, text, here ? STYLE_BOLD : 0, lesson->title);
  if (wide) draw_meter(canvas, state_x - METER_W - 2, y, share, role);
  canvas_text(canvas, state_x, y, role, 0, words);
}

// As much of a column as there is from row y on, with an empty row below.
static Rect column_from(const MenuPage *self, int x, int y, int width) {
  return (Rect){x, y, width, LS_MAX(self->bottom - 1 - y, 0)};
}

static int labeled_words(const MenuPage *self, Canvas *canvas, Rect column, const char *label, const char *words,
                         Role role) {
  enum { LABEL_W = 10 };
  int y = column.y;
  if (column.h > 0) canvas_text(canvas, column.x, y, ROLE_DIM, 0, label);
  Rect rect = column_from(self, column.x + LABEL_W, y, column.w - LABEL_W);
  return y + LS_MAX(canvas_text_wrap(canvas, rect, 0, role, 0, words), 1);
}

static void join(LsText *out, const char **words, int count) {
  ls_text_clear(out);
  for (int i = 0; i < count; i++) ls_text_addf(out, "%s%s", i ? "  " : "", words[i]);
}

// Where the student stands, in a sentence; "" for a lesson that was not begun.
static void place_words(const CourseLesson *lesson, CourseState state, const ProgressLesson *place, char *out,
                        size_t size) {
  out[0] = 0;
  if (state == COURSE_BEGUN)
    snprintf(out, size, "You stopped at step %d of %d. Enter goes on from there.", place->step + 1,
             LS_MAX(place->steps, lesson->steps));
  if (state == COURSE_DONE && place->asked)
    snprintf(out, size, "Done: %d of %d answers right at the first try.", place->right, place->asked);
  if (state == COURSE_PLANNED) snprintf(out, size, "This lesson is not written yet; Enter explores its kernels.");
}

static void draw_lesson(MenuPage *self, Canvas *canvas, int x, int width) {
  const CourseLesson *lesson = chosen(self);
  ProgressLesson place = {0};
  CourseState state = course_state(lesson, self->menu.progress, &place);
  char words[160];
  LsText list = {0};
  int y = TOP;
  canvas_textf(canvas, x, y, ROLE_TEXT, STYLE_BOLD, "%s  %s", lesson->id, lesson->title);
  y += 2;
  if (lesson->glimpse)
    y += canvas_text_wrap(canvas, column_from(self, x, y, width), 0, ROLE_TEXT, 0, lesson->glimpse) + 1;
  place_words(lesson, state, &place, words, sizeof words);
  Role role = state == COURSE_BEGUN ? ROLE_CURSOR : ROLE_DIM;
  if (words[0]) y += canvas_text_wrap(canvas, column_from(self, x, y, width), 0, role, 0, words) + 1;
  join(&list, lesson->kernels, lesson->kernel_count);
  Rect column = column_from(self, x, y, width);
  if (lesson->kernel_count) y = labeled_words(self, canvas, column, "kernels", ls_text_str(&list), ROLE_ACTIVE);
  snprintf(words, sizeof words, "%d minutes", lesson->minutes);
  if (lesson->questions)
    snprintf(words, sizeof words, "%d minutes · %d steps · %d questions", lesson->minutes, lesson->steps,
             lesson->questions);
  y = labeled_words(self, canvas, column_from(self, x, y, width), "about", words, ROLE_TEXT);
  join(&list, lesson->needs, lesson->need_count);
  column = column_from(self, x, y, width);
  if (lesson->need_count) labeled_words(self, canvas, column, "needs", ls_text_str(&list), ROLE_TEXT);
  ls_text_free(&list);
}

static void draw_keys(const MenuPage *self, Canvas *canvas) {
  static const FooterKey keys[] = {{"⏎", "enter", "open"}, {"K", NULL, "kernels"}, {"M", NULL, "models"},
                                  {"C", NULL, "claims"}, {"B", NULL, "museum"}, {"/", NULL, "find"},
                                      {"?", NULL, "help"},
                                  {"q", NULL, "quit"}, {"z", NULL, "quiz"}};
  if (self->list.searching) frame_prompt(canvas, "/", self->list.search, "a lesson, a word of its title");
  else frame_keys(canvas, keys, LS_COUNT(keys) - (self->menu.open_quiz ? 0 : 1));
}

// Where progress is not saved a student learns of it before the work is done.
static void draw_notice(MenuPage *self, Canvas *canvas) {
  LsText words = {0};
  progress_words(self->menu.progress, &words);
  self->bottom = canvas->rows - 1 - frame_notice(canvas, ls_text_str(&words));
  ls_text_free(&words);
}

// The row below the title, and the one above the notice, go where the lessons need them; what has no row is counted.
static void draw_list(MenuPage *self, Canvas *canvas, int width) {
  List *list = &self->list;
  int y = TOP + 2, rows = self->bottom - y - 1;
  if (rows < list->count) y--, rows += 2;
  list_place(list, y, list->count > rows ? rows - 1 : rows);
  for (int row = list->top; list_shows(list, row); row++) draw_row(self, canvas, width, row);
  list_count(list, canvas, TITLE_X);
}

static void menu_draw(Page *page, Canvas *canvas) {
  MenuPage *self = (MenuPage *)page;
  int done, open;
  char right[64];
  course_count(self->menu.course, self->menu.progress, &done, &open);
  snprintf(right, sizeof right, "%d of %d lessons done", done, open);
  FrameTitle title = {.crumbs = {"lanescope", "course"}, .crumb_count = 2, .middle = {self->menu.note}, .right = right};
  frame_title(canvas, &title);
  bool wide = canvas->cols >= WIDE;
  int width = wide ? 57 : 40;
  canvas_text_cut(canvas, 2, TOP, width - 3, ROLE_TEXT, STYLE_BOLD, self->menu.course->title);
  draw_notice(self, canvas);
  draw_list(self, canvas, width);
  if (self->list.count) draw_lesson(self, canvas, width + 3, LS_MIN(canvas->cols - width - 5, 76));
  draw_keys(self, canvas);
}

static Page *open_lesson(MenuPage *self) {
  const CourseLesson *lesson = chosen(self);
  if (lesson->file && self->menu.open_lesson) return self->menu.open_lesson(&self->menu, lesson);
  if (lesson->kernel_count && self->menu.book) return page_recipe_new(self->menu.book, lesson->kernels[0]);
  return page_message_new(lesson->title, "This lesson is not written yet.");
}

// The ways besides the lessons.
static Page *other_page(const MenuPage *self, CommandId id) {
  const PageMenu *menu = &self->menu;
  if (id == CMD_MODELS) return page_models_new();
  if (id == CMD_KERNELS && menu->book) return page_kernels_new(menu->book);
  if (id == CMD_CLAIMS && menu->open_claims) return menu->open_claims(menu);
  if (id == CMD_MUSEUM && menu->open_museum) return menu->open_museum(menu);
  return NULL;
}

static bool menu_key(Page *page, AppKey key) {
  MenuPage *self = (MenuPage *)page;
  bool was_searching = self->list.searching;
  ListResult result = list_key(&self->list, key);
  if (result == LIST_OPEN) page->open = open_lesson(self);
  if (result != LIST_IGNORED || was_searching) return true;
  CommandId id = command_for_key(key.code, CTX_M);
  page->open = other_page(self, id);
  if (page->open) return true;
  if (key.code == 'z' && self->menu.open_quiz) page->open = self->menu.open_quiz(&self->menu);
  else if (id == CMD_HELP) page->open = page_help_new(CTX_M);
  else if (id == CMD_QUIT) page->closed = true;
  else return false;
  return true;
}

static void menu_free(Page *page) { free(page); }

static const PageClass menu_class = {menu_draw, menu_key, NULL, menu_free};

Page *page_menu_new(const PageMenu *menu) {
  MenuPage *self = ls_alloc(sizeof *self);
  self->base.class = &menu_class;
  self->menu = *menu;
  self->list = (List){.count = menu->course->count, .text = row_text, .context = self};
  const CourseLesson *next = course_next(menu->course, menu->progress);
  if (next) self->list.chosen = (int)(next - menu->course->lessons);
  return &self->base;
}
