// menu_draw.c: the course as a picture: lessons and progress, the chosen one with its glimpse, what is due, ways in.
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "ui/pages/column.h"
#include "ui/pages/menu_page.h"
#include "ui/views/frame.h"

enum {
  ID_X = 2, TITLE_X = 7, STATE_W = 4, METER_W = 10, MARGIN = 1, GUTTER = 3,
  PICTURE_GAP = 1,             // beside a narrow list, where each column counts for the picture
  WIDE = 100,                  // columns from which on a lesson's row has a meter
  LEAST_W = 30, MOST_W = 76,   // of the words beside the list; with less room they stand below it
  BELOW_ROWS = 4,              // of them there
  ROOMY_W = 44, ROOMY_H = 18, MOST_H = 18,   // beside the list: for words in full; for kernels above the picture; of it
  LABEL_W = 9, WAY_NAME_X = 3, WAY_W = 56,
};

// ---- rows of lessons -----------------------------------------------------------------------------------------------

static double share_done(const ProgressLesson *place, CourseState state) {
  if (state == COURSE_DONE) return 1;
  return state == COURSE_BEGUN && place->steps > 0 ? (double)place->step / place->steps : 0;
}

// The meter and the empty place say that a lesson is new.
static void state_words(CourseState state, double share, char *out, size_t size, Role *role) {
  *role = state == COURSE_DONE ? ROLE_GOOD : state == COURSE_BEGUN ? ROLE_CURSOR : ROLE_DIM;
  if (state == COURSE_BEGUN) snprintf(out, size, "%.0f%%", 100 * share);
  else snprintf(out, size, "%s", state == COURSE_DONE ? "done" : state == COURSE_NEW ? "new" : "–");
}

static void draw_meter(Canvas *canvas, int x, int y, double share, Role role) {
  int filled = (int)(share * METER_W + 0.5);
  for (int i = 0; i < METER_W; i++) canvas_put(canvas, x + i, y, 0x2501, i < filled ? role : ROLE_RULE, 0);
}

static void draw_row(MenuPage *self, Canvas *canvas, int width, bool meter, int row) {
  const CourseLesson *lesson = &self->menu.course->lessons[row];
  ProgressLesson place = {0};
  CourseState state = course_state(lesson, self->menu.progress, &place);
  double share = share_done(&place, state);
  bool here = row == self->list.chosen;
  int y = self->list.y + row - self->list.top, state_x = width - meter - STATE_W, id_x = ID_X + meter;
  char words[24];
  Role role;
  state_words(state, share, words, sizeof words, &role);
  list_mark(&self->list, canvas, -1, width + 1, row);
  canvas_text(canvas, id_x, y, ROLE_DIM, 0, lesson->id);
  int title_x = TITLE_X + meter, title_end = state_x - 1 - (meter ? METER_W + 1 : 0);
  Role text = state == COURSE_PLANNED && !here ? ROLE_DIM : ROLE_TEXT;
  canvas_text_cut(canvas, title_x, y, title_end - title_x, text, here ? STYLE_BOLD : 0, lesson->title);
  if (meter) draw_meter(canvas, state_x - METER_W - 1, y, share, role);
  canvas_text(canvas, state_x, y, role, 0, words);
}

// Columns that a row of the list takes, so that no title is cut.
static int list_width(const Course *course, bool meter) {
  int title_w = 0;
  for (int i = 0; i < course->count; i++) title_w = LS_MAX(title_w, ls_utf8_width(course->lessons[i].title));
  return TITLE_X + title_w + 1 + STATE_W + (meter ? METER_W + 1 + 2 : 0);
}

static void draw_list(MenuPage *self, Canvas *canvas, Rect rect, bool meter) {
  List *list = &self->list;
  list_place(list, rect.y, list->count > rect.h ? rect.h - 1 : rect.h);
  for (int row = list->top; list_shows(list, row); row++) draw_row(self, canvas, rect.w, meter, row);
  list_count(list, canvas, TITLE_X + meter);
}

// ---- the chosen lesson ---------------------------------------------------------------------------------------------

static void join(LsText *out, const char **words, int count) {
  ls_text_clear(out);
  for (int i = 0; i < count; i++) ls_text_addf(out, "%s%s", i ? "  " : "", words[i]);
}

// Where the student stands, in a sentence; "" for a lesson that was not begun.
static void place_words(const CourseLesson *lesson, CourseState state, const ProgressLesson *place, bool brief,
                        char *out, size_t size) {
  out[0] = 0;
  if (state == COURSE_BEGUN)
    snprintf(out, size,
             brief ? "At step %d of %d: Enter goes on." : "You stopped at step %d of %d. Enter goes on from there.",
             place->step + 1, LS_MAX(place->steps, lesson->steps));
  if (state == COURSE_DONE && place->asked)
    snprintf(out, size, brief ? "Done: %d of %d right at once." : "Done: %d of %d answers right at the first try.",
             place->right, place->asked);
  if (state == COURSE_PLANNED) snprintf(out, size, "This lesson is not written yet; Enter explores its kernels.");
}

static void about_words(const CourseLesson *lesson, char *out, size_t size) {
  int used = snprintf(out, size, "%d minutes", lesson->minutes);
  if (lesson->questions)
    snprintf(out + used, size - (size_t)used, " · %d steps · %d questions", lesson->steps, lesson->questions);
}

static Rect draw_lists(const CourseLesson *lesson, Canvas *canvas, Rect rect) {
  LsText list = {0};
  join(&list, lesson->needs, lesson->need_count);
  rect = column_labeled(canvas, rect, LABEL_W, "needs", ROLE_TEXT, ls_text_str(&list));
  join(&list, lesson->kernels, lesson->kernel_count);
  rect = column_labeled(canvas, rect, LABEL_W, "kernels", ROLE_ACTIVE, ls_text_str(&list));
  ls_text_free(&list);
  return rect;
}

// What is to be said of the chosen lesson, and how.
typedef struct Words { const CourseLesson *lesson; CourseState state; char place[160], about[160]; } Words;

static Words words_of(const MenuPage *self, bool brief) {
  Words words = {.lesson = &self->menu.course->lessons[self->list.chosen]};
  ProgressLesson place = {0};
  words.state = course_state(words.lesson, self->menu.progress, &place);
  place_words(words.lesson, words.state, &place, brief, words.place, sizeof words.place);
  about_words(words.lesson, words.about, sizeof words.about);
  return words;
}

static Role place_role(const Words *words) { return words->state == COURSE_BEGUN ? ROLE_CURSOR : ROLE_DIM; }

// Without its title, which the list has, and only what is for choosing it.
static void draw_brief(const MenuPage *self, Canvas *canvas, Rect rect) {
  Words words = words_of(self, false);
  if (!words.place[0]) rect = column_paragraph(canvas, rect, ROLE_TEXT, 0, words.lesson->glimpse);
  rect = column_paragraph(canvas, rect, place_role(&words), 0, words.place);
  column_paragraph(canvas, rect, ROLE_DIM, 0, words.about);
}

// The words; and the picture below them, for which the names of kernels give way.
static void draw_lesson(MenuPage *self, Canvas *canvas, Rect rect) {
  bool narrow = rect.w < ROOMY_W;
  Words words = words_of(self, narrow);
  char title[160];
  snprintf(title, sizeof title, "%s  %s", words.lesson->id, words.lesson->title);
  rect = column_paragraph(canvas, rect, ROLE_TEXT, STYLE_BOLD, title);
  const char *promise = words.lesson->glimpse ? words.lesson->glimpse : "";   // of what is to be seen
  rect = column_below(rect, canvas_text_wrap(canvas, rect, 0, ROLE_TEXT, 0, promise) + !narrow);
  int place_rows = canvas_text_wrap(canvas, rect, 0, place_role(&words), 0, words.place);
  rect = column_below(rect, words.place[0] ? place_rows + !narrow : 0);
  rect = column_paragraph(canvas, rect, ROLE_DIM, 0, words.about);
  bool roomy = rect.h >= ROOMY_H;
  if (roomy) rect = column_below(draw_lists(words.lesson, canvas, rect), 1);
  Rect picture = {rect.x, rect.y, rect.w, LS_MIN(rect.h, MOST_H)};
  if (narrow) picture.x -= GUTTER - 1 - PICTURE_GAP, picture.w = canvas->cols - picture.x;
  glimpse_choose(&self->glimpse, words.lesson, picture.w);
  self->base.ticking = glimpse_waits(&self->glimpse);
  Rect clip = canvas_clip(canvas, picture);
  bool drawn = glimpse_draw(&self->glimpse, canvas, picture);
  canvas_clip(canvas, clip);
  if (!drawn && !roomy && !self->base.ticking) draw_lists(words.lesson, canvas, rect);
}

// ---- today, and the ways in ----------------------------------------------------------------------------------------

// The ways stand in one row, or where there is room two or three side by side with a word about each.
static int way_columns(const MenuPage *self, const Canvas *canvas) {
  int spare = canvas->rows - self->list.count - 9;
  int columns = canvas->cols / WAY_W, rows = columns ? (self->way_count + columns - 1) / columns : 0;
  return columns > 1 && spare >= rows ? columns : 0;
}

static int way_width(const MenuWay *way) { return ls_utf8_width(way->key) + 1 + ls_utf8_width(way->name); }

// Blanks between ways that stand without words: fewer where that keeps them in one row.
static int way_gap(const MenuPage *self, int cols) {
  enum { WIDE_GAP = 3, NARROW_GAP = 2 };
  int width = 0;
  for (int i = 0; i < self->way_count; i++) width += way_width(&self->ways[i]) + WIDE_GAP;
  return width - WIDE_GAP <= cols - 2 ? WIDE_GAP : NARROW_GAP;
}

static int way_rows(const MenuPage *self, int columns, int cols) {
  int gap = way_gap(self, cols), x = 1, rows = self->way_count > 0;
  if (columns) return (self->way_count + columns - 1) / columns;
  for (int i = 0; i < self->way_count; i++) {
    int width = way_width(&self->ways[i]);
    if (x + width > cols - 1) rows++, x = 1;
    x += width + gap;
  }
  return rows;
}

static void draw_way_with_words(MenuPage *self, Canvas *canvas, int columns, int y, int index) {
  const MenuWay *way = &self->ways[index];
  Rect at = {1 + index % columns * (canvas->cols / columns), y + index / columns, canvas->cols / columns - 1, 1};
  int name_w = 0;
  for (int i = 0; i < self->way_count; i++) name_w = LS_MAX(name_w, ls_utf8_width(self->ways[i].name));
  canvas_text(canvas, at.x, at.y, ROLE_CURSOR, 0, way->key);
  canvas_text(canvas, at.x + WAY_NAME_X, at.y, ROLE_TEXT, 0, way->name);
  int about_x = at.x + WAY_NAME_X + name_w + 2;
  canvas_text_cut(canvas, about_x, at.y, at.x + at.w - about_x, ROLE_DIM, 0, way->about);
  self->way_at[index] = at;
}

static void draw_ways(MenuPage *self, Canvas *canvas, int columns, int y) {
  int x = 1, gap = way_gap(self, canvas->cols);
  for (int i = 0; i < self->way_count; i++) {
    if (columns) {
      draw_way_with_words(self, canvas, columns, y, i);
      continue;
    }
    if (x + way_width(&self->ways[i]) > canvas->cols - 1) x = 1, y++;
    int end = canvas_text(canvas, x, y, ROLE_CURSOR, 0, self->ways[i].key) + 1;
    end = canvas_text(canvas, end, y, ROLE_TEXT, 0, self->ways[i].name);
    self->way_at[i] = (Rect){x, y, end - x, 1};
    x = end + gap;
  }
}

// What is due, and where it is asked.
static void draw_due(const MenuPage *self, Canvas *canvas, int y, const char *words) {
  static const char asks[] = "asks";
  int end = canvas->cols - 1;
  Role role = self->due.count ? ROLE_CURSOR : ROLE_DIM;
  if (self->menu.open_quiz && self->due.count) {
    end = canvas_text_right(canvas, end, y, ROLE_DIM, 0, asks) - 2;
    canvas_text(canvas, end, y, ROLE_CURSOR, 0, "Z");
    end -= 2;
  }
  canvas_text_cut(canvas, 1, y, end - 1, role, 0, words);
}

// Returns the row of its rule.
static int draw_besides(MenuPage *self, Canvas *canvas, int bottom) {
  LsText due = {0};
  int columns = way_columns(self, canvas), rows = way_rows(self, columns, canvas->cols);
  int64_t now = time(NULL);
  due_count(self->menu.progress, now, &self->due);
  due_words(&self->due, now, &due);
  int due_rows = due.length ? 1 + (columns > 0) : 0, y = bottom - 1 - due_rows - rows;
  canvas_rule(canvas, 0, y, canvas->cols, due.length ? "today" : "besides", NULL);
  if (due.length) draw_due(self, canvas, y + 1, ls_text_str(&due));
  draw_ways(self, canvas, columns, bottom - rows);
  ls_text_free(&due);
  return y;
}

// ---- the page ------------------------------------------------------------------------------------------------------

static void draw_keys(Canvas *canvas) {
  static const FooterKey keys[] = {{"↑↓", "up down", "choose"}, {"⏎", "enter", "open"}, {"/", NULL, "find anything"},
                                  {"?", NULL, "help"}, {"q", NULL, "quit"}};
  frame_keys(canvas, keys, LS_COUNT(keys));
}

// Where progress is not saved a student learns of it before the work is done.
static int draw_notice(const MenuPage *self, Canvas *canvas) {
  LsText words = {0};
  progress_words(self->menu.progress, &words);
  int rows = frame_notice(canvas, ls_text_str(&words));
  ls_text_free(&words);
  return rows;
}

static void draw_title(const MenuPage *self, Canvas *canvas) {
  int done, open;
  char right[64];
  course_count(self->menu.course, self->menu.progress, &done, &open);
  snprintf(right, sizeof right, "%d of %d lessons done", done, open);
  frame_title(canvas, &(FrameTitle){.crumbs = {"lanescope", self->menu.course->title}, .crumb_count = 2,
                                    .middle = {self->menu.note}, .right = right});
}

// The row below the title, and the one above the rule, go where the lessons need them.
void menu_page_draw(Page *page, Canvas *canvas) {
  MenuPage *self = (MenuPage *)page;
  bool meter = canvas->cols >= WIDE;
  draw_title(self, canvas);
  int bottom = draw_besides(self, canvas, canvas->rows - 1 - draw_notice(self, canvas));
  int list_w = list_width(self->menu.course, meter), words_x = list_w + GUTTER - !meter;
  bool beside = canvas->cols - words_x - MARGIN >= LEAST_W;
  int rows = bottom - 1 - (beside ? 0 : BELOW_ROWS + 1), top = 1 + (rows > self->list.count);
  if (!beside) list_w = canvas->cols;
  draw_list(self, canvas, (Rect){0, top, list_w, rows - (top - 1)}, meter || !beside);
  Rect words = beside ? (Rect){words_x, top, LS_MIN(canvas->cols - words_x - MARGIN, MOST_W), bottom - top}
                      : (Rect){ID_X, bottom - BELOW_ROWS, LS_MIN(canvas->cols - ID_X - MARGIN, MOST_W), BELOW_ROWS};
  if (self->list.count && beside) draw_lesson(self, canvas, words);
  else if (self->list.count) draw_brief(self, canvas, words);
  draw_keys(canvas);
}
