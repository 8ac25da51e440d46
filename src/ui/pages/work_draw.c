// work_draw.c: the source around what the student writes: numbers, colors, the region, what is wrong at its line.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "ui/pages/work_pane.h"
#include "ui/views/syntax.h"

enum { MAX_LINE = 512, NUMBER_W = 4, MARK_W = 2, LEAST_ROWS = 7 };

#define EMPTY "____"             // a blank that nothing is in

typedef struct Source {
  char *text; const char **lines; int count;   // all of it, cut into lines
  int first, rows;                             // of the region, from 0
} Source;

int work_pane_least(const WorkPane *pane) {
  int rows = pane->work->kind == WORK_ORDER ? pane->rows : 1;
  return LS_MIN(rows + LEAST_ROWS - 1, LEAST_ROWS + 3);
}

// The rows of an order stand in the region, the rule and what is below it too.
static char *ordered(const WorkPane *pane) {
  LsText text = {0};
  for (int i = 0; i < pane->rows; i++)
    ls_text_addf(&text, "%s%s", i ? "\n" : "", pane->order[i] < 0 ? "" : pane->work->pieces[pane->order[i]]);
  return ls_text_take(&text);
}

static int line_count(const char *text) {
  int lines = 1;
  for (; *text; text++) lines += *text == '\n';
  return lines;
}

static void cut(Source *source) {
  int capacity = 0;
  for (char *p = source->text;;) {
    LS_PUSH(source->lines, source->count, capacity, p);
    p += strcspn(p, "\n");
    if (!*p) break;
    *p++ = 0;
  }
  if (source->count > 1 && !*source->lines[source->count - 1]) source->count--;   // behind the last line end
}

static void take_source(const WorkPane *pane, Source *source) {
  const LessonWork *work = pane->work;
  char *region = work->kind == WORK_ORDER ? ordered(pane) : work_pane_text(pane);
  if (work->kind == WORK_FILL && !*region) {
    free(region);
    region = ls_strdup(EMPTY);
  }
  *source = (Source){.text = work_source(work, region), .first = line_count(work->before) - 1};
  source->rows = work->kind == WORK_FILL ? 1 : line_count(region);
  cut(source);
  free(region);
}

static void drop_source(Source *source) {
  free(source->lines);
  free(source->text);
}

// ---- what is wrong at a line ------------------------------------------------------------------------------------

// Only what was tried last is told, not what has been typed since.
static bool is_tried(const WorkPane *pane) {
  char *text = work_pane_text(pane);
  bool same = pane->work->text && strcmp(pane->work->text, text) == 0;
  free(text);
  return same && pane->work->state == WORK_FAILED;
}

static const char *words_at(const LessonWork *work, int line) {
  for (int i = 0; i < work->message_count; i++)
    if (work->messages[i].line == line) return work->messages[i].text;
  for (int i = 0; i < work->run_count; i++)
    if (work->rows[i].done && !work->rows[i].right && work->rows[i].line == line) return work->rows[i].note;
  return NULL;
}

static int first_wrong_line(const LessonWork *work) {
  if (work->message_count) return work->messages[0].line;
  for (int i = 0; i < work->run_count; i++)
    if (work->rows[i].done && !work->rows[i].right) return work->rows[i].line;
  return 0;
}

// ---- rows -------------------------------------------------------------------------------------------------------

static int draw_code(Canvas *canvas, int x, int y, int width, const char *line, const uint8_t *roles, Role faint) {
  int column = 0;
  for (const char *p = line; *p;) {
    const char *at = p;
    uint32_t code = ls_utf8_next(&p);
    int wide = code == '\t' ? 2 : ls_code_width(code);
    if (column + wide > width) {
      canvas_put(canvas, x + LS_MAX(width - 1, 0), y, 0x2026, ROLE_DIM, 0);
      return width;
    }
    if (code != '\t') canvas_put(canvas, x + column, y, code, faint ? faint : (Role)roles[at - line], 0);
    column += wide;
  }
  return column;
}

static void draw_blank(const WorkPane *pane, Canvas *canvas, int x, int y, int width) {
  const LessonWork *work = pane->work;
  char *text = work_pane_text(pane);
  int left = ls_utf8_width(work->indent) + ls_utf8_width(work->left), used = ls_utf8_width(*text ? text : EMPTY);
  for (int i = 0; i < used && left + i < width; i++) {
    const Cell *cell = canvas_at(canvas, x + left + i, y);
    if (cell) canvas_put(canvas, x + left + i, y, cell->code, ROLE_CURSOR, STYLE_UNDERLINE | STYLE_BOLD);
  }
  free(text);
}

static void draw_number(Canvas *canvas, int x, int y, int line, bool wrong, bool yours) {
  char number[16];
  snprintf(number, sizeof number, "%d", line);
  canvas_text_right(canvas, x + NUMBER_W, y, wrong ? ROLE_ALARM : yours ? ROLE_TEXT : ROLE_DIM, 0, number);
  if (wrong) canvas_put(canvas, x + NUMBER_W + 1, y, 0x25b2, ROLE_ALARM, 0);
}

static void draw_rule(Canvas *canvas, int x, int y, int width) {
  static const char words[] = " these belong nowhere ";
  for (int i = 0; i < width; i++) canvas_put(canvas, x + i, y, 0x2500, ROLE_RULE, 0);
  canvas_text_cut(canvas, x + 2, y, width - 2, ROLE_DIM, 0, words);
}

// A row of an order: which of its rows it is, -1 if it is none.
static int order_row(const WorkPane *pane, const Source *source, int row) {
  bool inside = pane->work->kind == WORK_ORDER && row >= source->first && row < source->first + source->rows;
  int at = source->first;
  for (int i = 0; inside && i < pane->rows; i++) {
    int rows = pane->order[i] < 0 ? 1 : line_count(pane->work->pieces[pane->order[i]]);
    if (row < at + rows) return i;
    at += rows;
  }
  return -1;
}

static bool is_spare(const WorkPane *pane, int order_row_index) {
  for (int i = 0; i < order_row_index; i++)
    if (pane->order[i] < 0) return true;
  return false;
}

// The number of a row in what is compiled: without the rule and what is below it.
static int line_of(const WorkPane *pane, const Source *source, int row) {
  int unused = 0;
  for (int r = source->first; pane->work->kind == WORK_ORDER && r < LS_MIN(row, source->first + source->rows); r++) {
    int placed = order_row(pane, source, r);
    unused += placed >= 0 && (pane->order[placed] < 0 || is_spare(pane, placed));
  }
  return row + 1 - unused;
}

typedef struct Area { int x, w, text_x, text_w, shift; } Area;   // shift: columns moved away at the left

static void draw_row(WorkPane *pane, Canvas *canvas, const Area *area, const Source *source, int row, int y,
                     Syntax *syntax) {
  uint8_t roles[MAX_LINE];
  char line[MAX_LINE];
  bool yours = row >= source->first && row < source->first + source->rows;
  int placed = order_row(pane, source, row);
  snprintf(line, sizeof line, "%s", source->lines[row]);
  syntax_line(syntax, line, roles);
  if (placed >= 0 && pane->order[placed] < 0) return draw_rule(canvas, area->text_x, y, area->text_w);
  int number = line_of(pane, source, row);
  const char *words = is_tried(pane) ? words_at(pane->work, number) : NULL;
  if (yours) canvas_background(canvas, (Rect){area->x, y, area->w, 1}, ROLE_SELECTED);
  bool spare = placed >= 0 && is_spare(pane, placed);
  if (!spare) draw_number(canvas, area->x, y, number, words != NULL, yours);
  if (placed == pane->chosen && placed >= 0) {
    canvas_put(canvas, area->x + NUMBER_W + 1, y, 0x25b8, ROLE_CURSOR, STYLE_BOLD);
    canvas->cursor_x = area->x + NUMBER_W + 1, canvas->cursor_y = y;
  }
  size_t skip = yours ? ls_utf8_within(line, area->shift) : 0;
  int used = draw_code(canvas, area->text_x, y, area->text_w, line + skip, roles + skip, spare ? ROLE_DIM : 0);
  if (yours && pane->work->kind == WORK_FILL && !area->shift) draw_blank(pane, canvas, area->text_x, y, area->text_w);
  int room = area->text_w - used - 3;
  if (words && ls_utf8_width(words) <= room) canvas_text(canvas, area->text_x + used + 2, y, ROLE_ALARM, 0, words);
}

// ---- the pane -----------------------------------------------------------------------------------------------------

static int cursor_column(const WorkPane *pane) {
  const LessonWork *work = pane->work;
  int before = work->kind == WORK_FILL ? ls_utf8_width(work->indent) + ls_utf8_width(work->left) : 0;
  return before + edit_column(&pane->edit);
}

// The row that is to be seen: that of the cursor, else of the first thing that is wrong, else the region.
static int wanted_row(const WorkPane *pane, const Source *source) {
  if (pane->typing) return source->first + edit_row(&pane->edit);
  if (pane->work->kind == WORK_ORDER) return source->first + pane->chosen;
  int wrong = is_tried(pane) ? first_wrong_line(pane->work) : 0;
  return wrong ? wrong - 1 : source->first + source->rows / 2;
}

static int top_row(WorkPane *pane, const Source *source, int rows) {
  int middle = source->first + source->rows / 2, wanted = wanted_row(pane, source);
  int most = LS_MAX(source->count - rows, 0), top = LS_CLAMP(middle - rows / 2, 0, most);
  if (wanted < top + 1) top = LS_MAX(wanted - 1, 0);
  if (wanted > top + rows - 2) top = LS_MIN(wanted - rows + 2, most);
  int moved = LS_CLAMP(top + pane->scroll, 0, most);
  pane->scroll = moved - top;
  return moved;
}

static void place_cursor(const WorkPane *pane, Canvas *canvas, const Area *area, const Source *source, int top, int y) {
  if (!pane->typing) return;
  canvas->cursor_x = area->text_x + cursor_column(pane) - area->shift;
  canvas->cursor_y = y + source->first + edit_row(&pane->edit) - top;
  canvas->typing = true;
}

void work_pane_draw(WorkPane *pane, Canvas *canvas, Rect rect) {
  Source source;
  Syntax syntax = {0};
  uint8_t roles[MAX_LINE];
  char above[MAX_LINE];
  take_source(pane, &source);
  const char *state = pane->typing ? "writing" : pane->job ? "running" : "";
  canvas_rule(canvas, rect.x, rect.y, rect.w, pane->work->file, state);
  Area area = {.x = rect.x, .w = rect.w, .text_x = rect.x + NUMBER_W + 1 + MARK_W};
  area.text_w = rect.x + rect.w - area.text_x - 1;
  if (pane->typing) area.shift = LS_MAX(cursor_column(pane) - area.text_w + 2, 0);
  int rows = rect.h - 1, top = top_row(pane, &source, rows);
  for (int row = 0; row < top; row++) {          // a comment may begin above
    snprintf(above, sizeof above, "%s", source.lines[row]);
    syntax_line(&syntax, above, roles);
  }
  for (int i = 0; i < rows && top + i < source.count; i++)
    draw_row(pane, canvas, &area, &source, top + i, rect.y + 1 + i, &syntax);
  place_cursor(pane, canvas, &area, &source, top, rect.y + 1);
  drop_source(&source);
}
