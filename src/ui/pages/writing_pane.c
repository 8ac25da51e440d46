// writing_pane.c: typing a text over several rows, and ticking the points that it makes.
#include "ui/pages/writing_pane.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "ui/pages/rail.h"

enum { ROWS_LIMIT = 400, LEAST_ROWS = 4, TEXT_LIMIT = 4000, TWO_COLUMNS = 60, GAP = 3 };

void writing_pane_reset(WritingPane *pane) {
  ls_text_free(&pane->text);
  *pane = (WritingPane){0};
}

static const LessonStep *step_of(const Lesson *lesson) { return lesson_current(lesson); }

// ---- typing --------------------------------------------------------------------------------------------------------

static void replace(WritingPane *pane, size_t from, size_t to, const char *with) {
  char *rest = ls_strdup(ls_text_str(&pane->text) + to);
  char *before = ls_strndup(ls_text_str(&pane->text), from);
  ls_text_clear(&pane->text);
  ls_text_add(&pane->text, before);
  ls_text_add(&pane->text, with);
  ls_text_add(&pane->text, rest);
  pane->cursor = from + strlen(with);
  free(rest);
  free(before);
}

static size_t before_cursor(const WritingPane *pane) {
  const char *text = ls_text_str(&pane->text);
  size_t at = pane->cursor;
  while (at && ((unsigned char)text[--at] & 0xc0) == 0x80) {}
  return at;
}

static size_t after_cursor(const WritingPane *pane) {
  const char *text = ls_text_str(&pane->text), *next = text + pane->cursor;
  ls_utf8_next(&next);
  return (size_t)(next - text);
}

// The row of the cursor among the rows of the text.
static int cursor_row(const char *text, int columns, size_t cursor, size_t *start) {
  size_t starts[ROWS_LIMIT];
  int rows = LS_MIN(writing_rows(text, columns, starts, ROWS_LIMIT), ROWS_LIMIT), row = 0;
  while (row + 1 < rows && starts[row + 1] <= cursor) row++;
  *start = starts[row];
  return row;
}

// To the same column of the row above or below.
static void change_row(WritingPane *pane, int by) {
  size_t starts[ROWS_LIMIT], start;
  const char *text = ls_text_str(&pane->text);
  int rows = LS_MIN(writing_rows(text, pane->columns, starts, ROWS_LIMIT), ROWS_LIMIT);
  int row = cursor_row(text, pane->columns, pane->cursor, &start), to = row + by;
  if (to < 0 || to >= rows) return;
  size_t end = to + 1 < rows ? starts[to + 1] - 1 : strlen(text);
  pane->cursor = LS_MIN(starts[to] + (pane->cursor - start), end);
  while (((unsigned char)text[pane->cursor] & 0xc0) == 0x80) pane->cursor--;
}

// Enter begins a line; on an empty last line it ends the typing.
static void enter(WritingPane *pane) {
  const char *text = ls_text_str(&pane->text);
  bool last = pane->cursor == pane->text.length, empty = last && (!pane->cursor || text[pane->cursor - 1] == '\n');
  if (!empty) replace(pane, pane->cursor, pane->cursor, "\n");
  else pane->typing = false;
}

char *writing_pane_text(const WritingPane *pane) {
  const char *text = ls_text_str(&pane->text);
  size_t length = pane->text.length;
  while (length && text[length - 1] == '\n') length--;
  return writing_word_count(text) ? ls_strndup(text, length) : NULL;
}

static void hand_in(const WritingPane *pane, Lesson *lesson) {
  char *text = writing_pane_text(pane);
  if (text) lesson_hand_in(lesson, text);
  free(text);
}

static void type(WritingPane *pane, uint32_t code) {
  char bytes[5];
  ls_utf8_encode(code, bytes);
  if (pane->text.length < TEXT_LIMIT) replace(pane, pane->cursor, pane->cursor, bytes);
}

void writing_pane_type(WritingPane *pane, uint32_t code) {
  size_t start;
  switch (code) {
    case KEY_ESC_: pane->typing = false; break;
    case KEY_RETURN_: enter(pane); break;
    case KEY_BACKSPACE_: replace(pane, before_cursor(pane), pane->cursor, ""); break;
    case KEYX_DELETE: replace(pane, pane->cursor, after_cursor(pane), ""); break;
    case KEYX_LEFT: pane->cursor = before_cursor(pane); break;
    case KEYX_RIGHT: pane->cursor = after_cursor(pane); break;
    case KEYX_UP: change_row(pane, -1); break;
    case KEYX_DOWN: change_row(pane, 1); break;
    case KEYX_HOME: cursor_row(ls_text_str(&pane->text), pane->columns, pane->cursor, &start), pane->cursor = start;
        break;
    case KEYX_END: pane->cursor += strcspn(ls_text_str(&pane->text) + pane->cursor, "\n"); break;
    default:
      if (code >= ' ' && code != 127 && code < KEYX_UP) type(pane, code);
  }
}

// ---- ticking -------------------------------------------------------------------------------------------------------

// A word of the text that looks as if it said the point: it begins like one of the point's longer words.
static int likely_word(const LessonWriting *writing, int point) {
  enum { LONG = 4, BEGINNING = 5 };
  const char *says = writing->points[point].says;
  size_t start, end;
  for (int i = 0; writing_word(says, i, &start, &end); i++) {
    char begin[BEGINNING + 1];
    if (end - start < LONG) continue;
    snprintf(begin, sizeof begin, "%.*s", (int)LS_MIN(end - start, (size_t)BEGINNING), says + start);
    int word = writing_find_word(writing->text, begin);
    if (word >= 0) return word;
  }
  return 0;
}

static void begin_marking(WritingPane *pane, Lesson *lesson) {
  const LessonWriting *writing = step_of(lesson)->writing;
  if (writing->points[pane->point].ticked) {
    lesson_untick(lesson, pane->point);
    return;
  }
  pane->marking = true;
  pane->word = likely_word(writing, pane->point);
}

static void end_marking(WritingPane *pane, Lesson *lesson, int word) {
  lesson_tick(lesson, pane->point, word);
  pane->marking = false;
  pane->point = LS_MIN(pane->point + 1, step_of(lesson)->writing->point_count - 1);
}

static bool marking_key(WritingPane *pane, Lesson *lesson, uint32_t code) {
  int words = writing_word_count(step_of(lesson)->writing->text);
  if (code == KEYX_LEFT || code == KEYX_UP) pane->word = LS_MAX(pane->word - 1, 0);
  else if (code == KEYX_RIGHT || code == KEYX_DOWN) pane->word = LS_MIN(pane->word + 1, words - 1);
  else if (code == ' ' || code == KEY_RETURN_) end_marking(pane, lesson, pane->word);
  else if (code == KEY_ESC_) end_marking(pane, lesson, -1);
  return true;
}

static bool ticking_key(WritingPane *pane, Lesson *lesson, uint32_t code) {
  int last = step_of(lesson)->writing->point_count - 1;
  if (code == KEYX_UP) pane->point = LS_MAX(pane->point - 1, 0);
  else if (code == KEYX_DOWN) pane->point = LS_MIN(pane->point + 1, last);
  else if (code >= '1' && code <= '9' && (int)code - '1' <= last) pane->point = (int)code - '1';
  else if (code == ' ') begin_marking(pane, lesson);
  else if (code == KEY_RETURN_) lesson_close_writing(lesson);
  else return false;
  return true;
}

bool writing_pane_key(WritingPane *pane, Lesson *lesson, AppKey key) {
  const LessonStep *step = step_of(lesson);
  if (!lesson_waits(step)) return false;
  if (pane->marking) return marking_key(pane, lesson, key.code);
  if (step->writing->text) return ticking_key(pane, lesson, key.code);
  if (pane->typing) {
    writing_pane_type(pane, key.code);
    if (!pane->typing && key.code == KEY_RETURN_) hand_in(pane, lesson);
    return true;
  }
  if (key.code != KEY_RETURN_) return false;
  pane->typing = true;
  return true;
}

// ---- drawing -------------------------------------------------------------------------------------------------------

typedef struct Brush { WritingPane *pane; const LessonStep *step; Canvas *canvas; Rect rect; int skip, row; } Brush;

// The row on the canvas, or -1 where it is not seen.
static int seen_row(const Brush *b, int row) {
  int y = row - b->skip;
  return y >= 0 && y < b->rect.h ? b->rect.y + y : -1;
}

static void put(Brush *b, const char *text, Role role) {
  b->row = rail_text(b->canvas, b->rect, b->skip, b->row, text, role);
}

static void put_label(Brush *b, int x, int row, const char *label) {
  int y = seen_row(b, row);
  if (y >= 0) canvas_text(b->canvas, b->rect.x + x, y, ROLE_TITLE, STYLE_BOLD, label);
}

// A piece of the text in another style, if it stands in this row.
static void put_word(const Brush *b, int x, int y, const char *text, size_t start, size_t end, int word, Role role,
                     int style) {
  size_t from, to;
  char piece[256];
  if (!writing_word(text, word, &from, &to) || from < start || from >= end) return;
  snprintf(piece, sizeof piece, "%.*s", (int)(from - start), text + start);
  int column = ls_utf8_width(piece);
  snprintf(piece, sizeof piece, "%.*s", (int)(LS_MIN(to, end) - from), text + from);
  canvas_text(b->canvas, x + column, y, role, style, piece);
}

static void put_marks(const Brush *b, int x, int y, const char *text, size_t start, size_t end) {
  const LessonWriting *writing = b->step->writing;
  for (int i = 0; i < writing->point_count; i++) {
    const WritingPoint *point = &writing->points[i];
    bool chosen = i == b->pane->point && lesson_waits(b->step);
    if (point->ticked) put_word(b, x, y, text, start, end, point->word, ROLE_GOOD,
                                STYLE_BOLD | (chosen ? STYLE_UNDERLINE : 0));
  }
  if (b->pane->marking) put_word(b, x, y, text, start, end, b->pane->word, ROLE_CURSOR, STYLE_BOLD | STYLE_REVERSE);
}

// The student's text in rows of so many columns, from row `row` on; returns the row after it.
static int put_own(const Brush *b, int row, int columns, const char *text) {
  size_t starts[ROWS_LIMIT];
  int rows = LS_MIN(writing_rows(text, columns, starts, ROWS_LIMIT), ROWS_LIMIT);
  for (int i = 0; i < rows; i++) {
    size_t end = i + 1 < rows ? starts[i + 1] : strlen(text);
    int y = seen_row(b, row + i);
    char line[512];
    snprintf(line, sizeof line, "%.*s", (int)(end - starts[i]), text + starts[i]);
    line[strcspn(line, "\n")] = 0;
    if (y < 0) continue;
    canvas_text_cut(b->canvas, b->rect.x + 2, y, columns, ROLE_TEXT, 0, line);
    put_marks(b, b->rect.x + 2, y, text, starts[i], end);
  }
  return row + rows;
}

static void put_bar(const Brush *b, int from, int to, Role role) {
  for (int row = from; row < to; row++) {
    int y = seen_row(b, row);
    if (y >= 0) canvas_put(b->canvas, b->rect.x, y, 0x2502, role, 0);   // │
  }
}

static void put_cursor(Brush *b, int first, int columns, const char *text) {
  size_t start;
  char before[512];
  int row = first + cursor_row(text, columns, b->pane->cursor, &start), y = seen_row(b, row);
  snprintf(before, sizeof before, "%.*s", (int)(b->pane->cursor - start), text + start);
  b->pane->row = row;
  if (y < 0) return;
  b->canvas->cursor_x = b->rect.x + 2 + LS_MIN(ls_utf8_width(before), columns);
  b->canvas->cursor_y = y;
  b->canvas->typing = true;
}

static void draw_typing(Brush *b, const char *how) {
  const char *text = ls_text_str(&b->pane->text);
  int columns = LS_MAX(b->rect.w - 3, 1), first = b->row + 1;
  b->pane->columns = columns;
  b->row = LS_MAX(put_own(b, first, columns, text), first + LEAST_ROWS);
  put_bar(b, first, b->row, b->pane->typing ? ROLE_CURSOR : ROLE_RULE);
  if (b->pane->typing) put_cursor(b, first, columns, text);
  b->row++;
  put(b, b->pane->typing ? how : "Press Enter and write.", ROLE_DIM);
}

static void put_point(Brush *b, int index) {
  const WritingPoint *point = &b->step->writing->points[index];
  bool chosen = index == b->pane->point && lesson_waits(b->step);
  int y = seen_row(b, b->row);
  Role role = point->ticked ? ROLE_GOOD : lesson_waits(b->step) ? ROLE_TEXT : ROLE_DIM;
  if (y >= 0) {
    if (chosen) canvas_background(b->canvas, (Rect){b->rect.x, y, b->rect.w, 1}, ROLE_SELECTED);
    canvas_text(b->canvas, b->rect.x, y, chosen ? ROLE_CURSOR : ROLE_DIM, chosen ? STYLE_BOLD : 0, chosen ? "▸" : " ");
    canvas_text(b->canvas, b->rect.x + 2, y, role, STYLE_BOLD, !point->ticked ? "[ ]" : point->word < 0 ? "[~]" :
                "[✓]");
  }
  if (chosen) b->pane->row = b->row;
  enum { INDENT = 6 };
  Rect rect = {b->rect.x + INDENT, b->rect.y, b->rect.w - INDENT, b->rect.h};
  b->row = rail_text(b->canvas, rect, b->skip, b->row, point->says, role);
}

static void put_points(Brush *b) {
  const LessonWriting *writing = b->step->writing;
  LsText words = {0};
  if (lesson_waits(b->step)) ls_text_add(&words, b->pane->marking ? "Which of your words says it?" :
                                         "Which points does your text make?");
  else if (writing->text) writing_score_words(writing, &words);
  else ls_text_add(&words, "Its points");
  b->row++;
  put(b, ls_text_str(&words), lesson_waits(b->step) ? ROLE_CURSOR : ROLE_GOOD);
  for (int i = 0; i < writing->point_count; i++) put_point(b, i);
  ls_text_free(&words);
}

// Side by side where there is room, else one below the other.
static void draw_held(Brush *b) {
  const LessonWriting *writing = b->step->writing;
  const char *label = writing->is_list ? "The list" : "A good answer";
  bool beside = writing->text && (writing->is_list ? b->rect.w >= TWO_COLUMNS : b->rect.w >= 2 * TWO_COLUMNS - 20);
  int half = beside ? (b->rect.w - GAP) / 2 : b->rect.w, top = b->row + 1, end = top;
  if (writing->text) {
    put_label(b, 2, top, "Yours");
    end = put_own(b, top + 1, LS_MAX(half - 2, 1), writing->text);
    put_bar(b, top, end, ROLE_RULE);
  }
  Brush right = *b;
  if (beside) right.rect.x += half + GAP, right.rect.w -= half + GAP;
  right.row = beside ? top : end + (writing->text != NULL);
  put_label(&right, 0, right.row++, label);
  put(&right, writing->model, ROLE_TEXT);
  b->row = LS_MAX(end, right.row);
  if (writing->point_count) put_points(b);
}

int writing_pane_draw(WritingPane *pane, const Lesson *lesson, Canvas *canvas, Rect rect, int skip) {
  const LessonStep *step = step_of(lesson);
  Brush b = {pane, step, canvas, rect, skip, 0};
  bool held = step->writing->text || !lesson_waits(step);
  pane->row = 0;
  if (!held && step->text && *step->text) {
    put(&b, step->text, ROLE_TEXT);
    b.row++;
  }
  put(&b, step->question.prompt, held ? ROLE_DIM : ROLE_CURSOR);
  if (held) draw_held(&b);
  else draw_typing(&b, step->writing->is_list ? "Enter begins the next line. On an empty line it shows the list."
                                              : "Write as to a friend. Enter on an empty line hands it in.");
  return b.row;
}

int writing_pane_draw_text(WritingPane *pane, const LessonStep *step, const char *how, Canvas *canvas, Rect rect,
                           int skip) {
  Brush b = {pane, step, canvas, rect, skip, 0};
  pane->row = 0;
  put(&b, step->question.prompt, ROLE_CURSOR);
  draw_typing(&b, how);
  return b.row;
}

const FooterKey *writing_pane_keys(const WritingPane *pane, const Lesson *lesson, int *count) {
  static const FooterKey opening[] = {{"⏎", "enter", "write"}, {"s", NULL, "skip"}, {"⌫", "backspace", "back"},
                                     {"q", NULL, "leave"}};
  static const FooterKey typing[] = {{"⏎⏎", "enter twice", "finish"}, {"esc", NULL, "keys of the lesson"}};
  static const FooterKey ticking[] = {{"↑↓", "up down", "choose"}, {"space", NULL, "tick"}, {"⏎", "enter", "done"},
                                     {"⌫", "backspace", "back"}, {"q", NULL, "leave"}};
  static const FooterKey marking[] = {{"←→", "left right", "word"}, {"⏎", "enter", "this one says it"},
                                     {"esc", NULL, "none (half a point)"}};
  static const struct { const FooterKey *keys; int count; } all[] = {
      {opening, LS_COUNT(opening)}, {typing, LS_COUNT(typing)}, {ticking, LS_COUNT(ticking)},
          {marking, LS_COUNT(marking)}};
  const LessonStep *step = step_of(lesson);
  int now = pane->typing ? 1 : pane->marking ? 3 : step->writing->text ? 2 : 0;
  *count = all[now].count;
  return lesson_waits(step) ? all[now].keys : NULL;
}
