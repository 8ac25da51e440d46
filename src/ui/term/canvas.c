// canvas.c: drawing into cells.
#include "ui/term/canvas.h"
#include <stdio.h>
#include <stdlib.h>
#include "base/mem.h"

enum { MAX_SIDE = 2000 };   // cells; far beyond any screen, small enough to allocate
static const Cell blank = {' ', ROLE_NONE, 0, ROLE_NONE};

Canvas *canvas_new(int cols, int rows) {
  Canvas *canvas = ls_alloc(sizeof *canvas);
  canvas->cols = LS_CLAMP(cols, 1, MAX_SIDE);
  canvas->rows = LS_CLAMP(rows, 1, MAX_SIDE);
  canvas->cells = ls_alloc(sizeof(Cell) * (size_t)canvas->cols * (size_t)canvas->rows);
  canvas_clear(canvas);
  return canvas;
}

void canvas_free(Canvas *canvas) {
  if (!canvas) return;
  free(canvas->cells);
  free(canvas);
}

void canvas_clear(Canvas *canvas) {
  for (int i = 0; i < canvas->cols * canvas->rows; i++) canvas->cells[i] = blank;
  canvas->clip = (Rect){0, 0, canvas->cols, canvas->rows};
  canvas->cursor_x = canvas->cursor_y = -1;
  canvas->typing = false;
}

static Rect intersect(Rect a, Rect b) {
  int x = LS_MAX(a.x, b.x), y = LS_MAX(a.y, b.y);
  int right = LS_MIN(a.x + a.w, b.x + b.w), bottom = LS_MIN(a.y + a.h, b.y + b.h);
  return (Rect){x, y, LS_MAX(right - x, 0), LS_MAX(bottom - y, 0)};
}

Rect canvas_clip(Canvas *canvas, Rect clip) {
  Rect old = canvas->clip;
  canvas->clip = intersect(clip, (Rect){0, 0, canvas->cols, canvas->rows});
  return old;
}

const Cell *canvas_at(const Canvas *canvas, int x, int y) {
  bool inside = x >= 0 && y >= 0 && x < canvas->cols && y < canvas->rows;
  return inside ? &canvas->cells[y * canvas->cols + x] : NULL;
}

static Cell *clipped_cell(Canvas *canvas, int x, int y) {
  Rect c = canvas->clip;
  bool inside = x >= c.x && y >= c.y && x < c.x + c.w && y < c.y + c.h;
  return inside ? &canvas->cells[y * canvas->cols + x] : NULL;
}

static bool is_control(uint32_t code) { return code < 0x20 || (code >= 0x7f && code < 0xa0); }

void canvas_put(Canvas *canvas, int x, int y, uint32_t code, Role role, int style) {
  Cell *cell = clipped_cell(canvas, x, y);
  if (cell) *cell = (Cell){is_control(code) ? ' ' : code, (uint8_t)role, (uint8_t)style, cell->background};
}

int canvas_text(Canvas *canvas, int x, int y, Role role, int style, const char *text) {
  for (uint32_t code; (code = ls_utf8_next(&text)); x++) canvas_put(canvas, x, y, code, role, style);
  return x;
}

int canvas_textf(Canvas *canvas, int x, int y, Role role, int style, const char *format, ...) {
  char text[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return canvas_text(canvas, x, y, role, style, text);
}

int canvas_text_cut(Canvas *canvas, int x, int y, int width, Role role, int style, const char *text) {
  if (width <= 0) return 0;
  int needed = ls_utf8_width(text), used = LS_MIN(needed, width);
  int whole = needed > width ? width - 1 : needed;
  for (int i = 0; i < whole; i++) canvas_put(canvas, x + i, y, ls_utf8_next(&text), role, style);
  if (needed > width) canvas_put(canvas, x + whole, y, 0x2026, role == ROLE_TEXT ? ROLE_DIM : role, style);
  return used;
}

int canvas_text_right(Canvas *canvas, int x_end, int y, Role role, int style, const char *text) {
  int x = x_end - ls_utf8_width(text);
  canvas_text(canvas, x, y, role, style, text);
  return x;
}

// One line of wrapped text: how many code points fit in width, and how many bytes to skip to the next line.
typedef struct WrapLine { int glyphs; size_t bytes; } WrapLine;

static WrapLine wrap_line(const char *text, int width) {
  WrapLine at_space = {-1, 0};
  const char *p = text;
  int column = 0;
  for (; *p && *p != '\n'; column++) {
    if (*p == ' ') at_space = (WrapLine){column, (size_t)(p - text) + 1};
    if (column == width) return at_space.glyphs >= 0 ? at_space : (WrapLine){width, (size_t)(p - text)};
    ls_utf8_next(&p);
  }
  return (WrapLine){column, (size_t)(p - text) + (*p == '\n')};
}

int canvas_text_wrap(Canvas *canvas, Rect rect, int skip, Role role, int style, const char *text) {
  if (rect.w <= 0) return 0;
  int row = 0;
  for (; *text; row++) {
    WrapLine line = wrap_line(text, rect.w);
    const char *p = text;
    int y = row - skip;
    for (int i = 0; i < line.glyphs; i++) {
      uint32_t code = ls_utf8_next(&p);
      if (y >= 0 && y < rect.h) canvas_put(canvas, rect.x + i, rect.y + y, code, role, style);
    }
    text += line.bytes;
  }
  return row;
}

void canvas_fill(Canvas *canvas, Rect rect, uint32_t code, Role role, int style) {
  rect = intersect(rect, canvas->clip);
  for (int y = rect.y; y < rect.y + rect.h; y++)
    for (int x = rect.x; x < rect.x + rect.w; x++) canvas_put(canvas, x, y, code, role, style);
}

void canvas_background(Canvas *canvas, Rect rect, Role role) {
  rect = intersect(rect, canvas->clip);
  for (int y = rect.y; y < rect.y + rect.h; y++)
    for (int x = rect.x; x < rect.x + rect.w; x++) canvas->cells[y * canvas->cols + x].background = (uint8_t)role;
}

enum { RULE_LEAD = 2 };   // dashes before the title and after the right one

void canvas_rule(Canvas *canvas, int x, int y, int w, const char *title, const char *right) {
  canvas_fill(canvas, (Rect){x, y, w, 1}, 0x2500, ROLE_RULE, 0);
  int room = w - 2 * RULE_LEAD - 2;
  if (room < 4) return;
  int used = 0;
  if (title && *title) {
    int start = x + RULE_LEAD;
    canvas_put(canvas, start, y, ' ', ROLE_NONE, 0);
    used = canvas_text_cut(canvas, start + 1, y, room, ROLE_DIM, 0, title);
    canvas_put(canvas, start + 1 + used, y, ' ', ROLE_NONE, 0);
    used += 3;
  }
  if (!right || !*right || used + ls_utf8_width(right) > room) return;
  int end = x + w - RULE_LEAD;
  canvas_put(canvas, end - 1, y, ' ', ROLE_NONE, 0);
  int begin = canvas_text_right(canvas, end - 1, y, ROLE_DIM, 0, right);
  canvas_put(canvas, begin - 1, y, ' ', ROLE_NONE, 0);
}

void canvas_lanes(Canvas *canvas, int x, int y, uint32_t live, uint32_t active, uint32_t waiting) {
  for (int lane = 0; lane < 32; lane++) {
    uint32_t bit = 1u << lane;
    if (!(live & bit)) canvas_put(canvas, x + lane, y, 0xb7, ROLE_GONE, 0);
    else if (waiting & bit) canvas_put(canvas, x + lane, y, 0x2592, ROLE_WAITING, 0);
    else if (active & bit) canvas_put(canvas, x + lane, y, 0x2588, ROLE_ACTIVE, 0);
    else canvas_put(canvas, x + lane, y, 0x2591, ROLE_MASKED, 0);
  }
}

void canvas_meter(Canvas *canvas, int x, int y, int width, double part, double whole, Role role) {
  double share = whole > 0 ? LS_CLAMP(part / whole, 0.0, 1.0) : 0;
  int eighths = (int)(share * width * 8 + 0.5);
  for (int i = 0; i < width; i++) {
    int filled = LS_CLAMP(eighths - 8 * i, 0, 8);
    if (filled) canvas_put(canvas, x + i, y, (uint32_t)(0x2590 - filled), role, 0);
    else canvas_put(canvas, x + i, y, 0x2591, ROLE_GONE, 0);
  }
}
