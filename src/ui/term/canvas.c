// canvas.c: drawing into cells.
#include "ui/term/canvas.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/mem.h"

enum { MAX_SIDE = 2000 };   // cells; far beyond any screen, small enough to allocate
static const Cell blank = {.code = ' ', .role = ROLE_NONE, .background = ROLE_NONE};

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
  memset(canvas->tall, 0, sizeof canvas->tall);
}

void canvas_tall(Canvas *canvas, int y) {
  if (y >= 0 && y < CANVAS_TALL) canvas->tall[y / 64] |= UINT64_C(1) << y % 64;
}

bool canvas_is_tall(const Canvas *canvas, int y) {
  return y >= 0 && y < CANVAS_TALL && canvas->tall[y / 64] >> y % 64 & 1;
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

// Characters that say how others are shown: joiners, directions, variants, tags.
static bool is_format(uint32_t code) {
  static const struct { uint32_t first, last; } ranges[] = {
      {0x61c, 0x61c},   {0x180b, 0x180f}, {0x200b, 0x200f},   {0x202a, 0x202e},   {0x2060, 0x206f},
      {0xfe00, 0xfe0f}, {0xfeff, 0xfeff}, {0xfff9, 0xfffb},   {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a},
      {0xe0000, 0xe0fff}};
  for (int i = 0; i < LS_COUNT(ranges); i++)
    if (code >= ranges[i].first && code <= ranges[i].last) return true;
  return false;
}

static void add_mark(Canvas *canvas, int x, int y, uint32_t mark) {
  Cell *cell = clipped_cell(canvas, x, y);
  if (cell && cell->code == CELL_REST) cell = clipped_cell(canvas, x - 1, y);
  for (int i = 0; cell && i < CELL_MARKS; i++) {
    if (cell->marks[i]) continue;
    cell->marks[i] = mark;
    return;
  }
}

static void make_blank(Cell *cell) {
  cell->code = ' ';
  memset(cell->marks, 0, sizeof cell->marks);
}

// What is about to be overwritten may be half of a wide character: the other half goes, also beyond the clip.
static void part_wide(Canvas *canvas, int x, int y) {
  Cell *cell = &canvas->cells[y * canvas->cols + x];
  if (cell->code == CELL_REST) make_blank(cell - 1);
  else if (x + 1 < canvas->cols && cell[1].code == CELL_REST) make_blank(cell + 1);
}

static void tell(const Canvas *canvas, const Cell *cell, int x, int y, uint32_t code) {
  const CanvasWatch *watch = canvas->watch;
  if (code == ' ') return;
  if (!cell && watch->lost) watch->lost(watch->context, x, y, code);
  if (cell && cell->code != ' ' && cell->code != code && watch->covered)
    watch->covered(watch->context, x, y, cell->code, code);
}

static void set_cell(Canvas *canvas, int x, int y, uint32_t code, Role role, int style) {
  Cell *cell = clipped_cell(canvas, x, y);
  if (canvas->watch) tell(canvas, cell, x, y, code);
  if (!cell) return;
  part_wide(canvas, x, y);
  *cell = (Cell){.code = code, .role = (uint8_t)role, .style = (uint8_t)style, .background = cell->background};
}

// As many cells as ls_code_width says: "\e" for an escape character.
static int put_control(Canvas *canvas, int x, int y, const char *shown, Role role, int style) {
  int at = 0;
  for (; shown[at]; at++) set_cell(canvas, x + at, y, (unsigned char)shown[at], role, style);
  return at;
}

int canvas_put(Canvas *canvas, int x, int y, uint32_t code, Role role, int style) {
  char shown[8];
  if (ls_control_text(code, shown)) return put_control(canvas, x, y, shown, role, style);
  int width = ls_code_width(code);
  if (width == 0) {
    if (!is_format(code)) add_mark(canvas, x - 1, y, code);
    return 0;
  }
  bool whole = width == 1 || (clipped_cell(canvas, x, y) && clipped_cell(canvas, x + 1, y));
  set_cell(canvas, x, y, code < ' ' || !whole ? ' ' : code, role, style);
  if (width == 2) set_cell(canvas, x + 1, y, ' ', role, style);
  if (width == 2 && whole) canvas->cells[y * canvas->cols + x + 1].code = CELL_REST;
  return width;
}

// Text of so many bytes; a mark at its beginning has nothing to join.
static int put_text(Canvas *canvas, int x, int y, Role role, int style, const char *text, size_t bytes) {
  const char *from = text;
  int begin = x;
  for (const char *end = text + bytes; text < end;) {
    uint32_t code = ls_utf8_next(&text);
    if (x > begin || ls_code_width(code)) x += canvas_put(canvas, x, y, code, role, style);
  }
  if (canvas->watch && canvas->watch->text) canvas->watch->text(canvas->watch->context, begin, x, y, from, bytes);
  return x;
}

int canvas_text(Canvas *canvas, int x, int y, Role role, int style, const char *text) {
  return put_text(canvas, x, y, role, style, text, strlen(text));
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
  bool cut = ls_utf8_width(text) > width;
  int end = put_text(canvas, x, y, role, style, text, ls_utf8_within(text, cut ? width - 1 : width));
  if (cut) end += canvas_put(canvas, end, y, 0x2026, role == ROLE_TEXT ? ROLE_DIM : role, style);
  return end - x;
}

int canvas_text_right(Canvas *canvas, int x_end, int y, Role role, int style, const char *text) {
  int x = x_end - ls_utf8_width(text);
  canvas_text(canvas, x, y, role, style, text);
  return x;
}

// One line of wrapped text: how many bytes of it are shown, and how many to skip to the next line.
typedef struct WrapLine { size_t shown, all; } WrapLine;

static WrapLine wrap_line(const char *text, int width) {
  WrapLine at_space = {0, 0};
  const char *p = text;
  for (int column = 0; *p && *p != '\n';) {
    size_t here = (size_t)(p - text);
    if (*p == ' ') at_space = (WrapLine){here, here + 1};
    column += ls_code_width(ls_utf8_next(&p));
    if (column <= width) continue;
    if (at_space.all) return at_space;
    if (here == 0) here = (size_t)(p - text);   // wider than a line: it goes on one of its own
    return (WrapLine){here, here};
  }
  return (WrapLine){(size_t)(p - text), (size_t)(p - text) + (*p == '\n')};
}

int canvas_text_wrap(Canvas *canvas, Rect rect, int skip, Role role, int style, const char *text) {
  if (rect.w <= 0) return 0;
  int row = 0;
  for (; *text; row++) {
    WrapLine line = wrap_line(text, rect.w);
    int y = row - skip;
    if (y >= 0 && y < rect.h) put_text(canvas, rect.x, rect.y + y, role, style, text, line.shown);
    text += line.all;
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
