// view_geometry.c: how the threads of a block fold into warps, and where the block stands in the grid.
#include <stdio.h>
#include "base/mem.h"
#include "ui/views/focus/focus.h"

// One to four columns per thread, in the color of its warp; the number of a warp stands where it begins, and where a
// thread has three columns, the other threads' lanes:
//          x 0       8
//   y 0    0 ██████████████████████████████1 ██████
//   y 1    1 ██████████████████████████...
// A block of one dimension folds by rows of 32: one warp each.
enum { WARP = 32, LABEL = 9, SIDE = 34, MAX_CELL = 4, NUMBERED = 3, LEAST_LINES = 3, GOOD_LINES = 8, ROOMY = 4 };

typedef struct Geometry {
  Focus focus;
  const uint32_t *block, *grid;
  int threads, warps;
  int columns;               // threads of a row of the picture
  int lines;                 // rows of the picture in all
  int cell;                  // columns of a thread
  int x;                     // of the first thread
  int step;                  // rows from line to line
  bool side;                 // there is room for the grid
} Geometry;

static int warp_lanes(const Geometry *g, int warp) { return LS_CLAMP(g->threads - warp * WARP, 0, WARP); }

// Long rows of threads are cut into rows of 32, so that a warp of a flat block is a row.
static void measure(Geometry *g, Session *session) {
  const Launch *launch = &session->run->info.launch;
  g->block = launch->block;
  g->grid = launch->grid;
  g->threads = (int)(g->block[0] * g->block[1] * g->block[2]);
  g->warps = (g->threads + WARP - 1) / WARP;
  g->side = g->focus.wide;
  int room = g->focus.body.w - FOCUS_INDENT - LABEL - (g->side ? SIDE : 2), bx = (int)g->block[0];
  bool flat = g->block[1] * g->block[2] == 1;
  g->columns = bx <= room && !(flat && bx > WARP) ? bx : WARP;
  g->lines = flat || bx > g->columns ? (g->threads + g->columns - 1) / g->columns : g->threads / g->columns;
  g->cell = LS_CLAMP(room / g->columns, 1, MAX_CELL);
  g->step = 1;
  g->x = g->focus.body.x + FOCUS_INDENT + LABEL;
}

static void line_label(const Geometry *g, int line, char *out, size_t size) {
  int thread = line * g->columns, by = (int)g->block[1], bx = (int)g->block[0], row = thread / bx;
  if (g->columns != bx) snprintf(out, size, "%d", thread);
  else if (g->block[2] > 1) snprintf(out, size, "z%d y%d", row / by, row % by);
  else snprintf(out, size, "y %d", row);
}

// Where a thread is wide, its lane: on the color of the warp that is looked at, else in the color of its own.
static void draw_numbered(const Geometry *g, int thread, bool begins, int x, int y) {
  const Session *session = g->focus.session;
  int warp = thread / WARP, lane = thread % WARP, width = g->cell - 1;
  bool here = warp == session->warp, inspected = here && lane == session->lane;
  char text[16];
  snprintf(text, sizeof text, begins ? "w%d" : "%d", begins ? warp : lane);
  if (here) canvas_background(g->focus.canvas, (Rect){x, y, width, 1}, inspected ? ROLE_CURSOR : focus_set(warp));
  canvas_text_right(g->focus.canvas, x + width, y, here ? ROLE_TEXT : focus_set(warp), begins ? STYLE_BOLD : 0, text);
}

static void draw_thread(const Geometry *g, int thread, int x, int y) {
  const Session *session = g->focus.session;
  int warp = thread / WARP, lane = thread % WARP;
  bool here = warp == session->warp;
  Role role = here && lane == session->lane ? ROLE_CURSOR : focus_set(warp);
  for (int i = 0; i < g->cell; i++) canvas_put(g->focus.canvas, x + i, y, here ? 0x2588 : 0x2592, role, 0);
}

// Lanes of the last warp that no thread has: the hardware runs them all the same.
static void draw_missing(const Geometry *g, int x, int y) {
  int gap = g->cell >= NUMBERED, missing = (g->warps * WARP - g->threads) * g->cell,
      room = g->focus.body.x + g->focus.body.w - (g->side ? SIDE : 1) - x;
  for (int i = 0; i < LS_MIN(missing, room); i++)
    if (!gap || i % g->cell < g->cell - 1) canvas_put(g->focus.canvas, x + i, y, 0xb7, ROLE_MASKED, 0);
}

// The number of a warp where its part of a row begins, if it has room.
static void draw_number(const Geometry *g, int first, int count, int x, int y) {
  char text[8];
  int warp = first / WARP, length = snprintf(text, sizeof text, "%d", warp);
  if (length >= count * g->cell) return;
  canvas_background(g->focus.canvas, (Rect){x, y, length, 1}, focus_set(warp));
  canvas_text(g->focus.canvas, x, y, ROLE_TEXT, 0, text);
}

static void draw_line(const Geometry *g, int line, int y) {
  canvas_tall(g->focus.canvas, y);
  int first = line * g->columns, end = LS_MIN(first + g->columns, g->threads);
  char label[24];
  line_label(g, line, label, sizeof label);
  canvas_text(g->focus.canvas, g->focus.body.x + FOCUS_INDENT, y, ROLE_DIM, 0, label);
  for (int thread = first; thread < end; thread++) {
    int x = g->x + (thread - first) * g->cell;
    if (g->cell < NUMBERED) draw_thread(g, thread, x, y);
    else draw_numbered(g, thread, thread == first || thread % WARP == 0, x, y);
  }
  if (end == g->threads) draw_missing(g, g->x + (end - first) * g->cell, y);
  for (int thread = first, count; g->cell < NUMBERED && thread < end; thread += count) {
    count = LS_MIN((thread / WARP + 1) * WARP, end) - thread;
    draw_number(g, thread, count, g->x + (thread - first) * g->cell, y);
  }
}

static void draw_header(const Geometry *g, int y) {
  canvas_text(g->focus.canvas, g->focus.body.x + FOCUS_INDENT, y, ROLE_DIM, 0, g->columns == (int)g->block[0] ? "x" : "thread");
  for (int i = 0; i < g->columns; i += 8) canvas_textf(g->focus.canvas, g->x + i * g->cell, y, ROLE_DIM, 0, "%d", i);
}

// ---- words -----------------------------------------------------------------------------------------------------------

static int dimensions(char *out, size_t size, const uint32_t dim[3]) {
  if (dim[2] > 1) return snprintf(out, size, "%u × %u × %u", dim[0], dim[1], dim[2]);
  if (dim[1] > 1) return snprintf(out, size, "%u × %u", dim[0], dim[1]);
  char digits[32];
  return snprintf(out, size, "%s", ls_group_digits(dim[0], digits));
}

// "(5, 1)": where the n-th of a box of this shape stands.
static void coordinates(char *out, size_t size, const uint32_t dim[3], uint32_t n) {
  uint32_t x = n % dim[0], y = n / dim[0] % dim[1], z = n / dim[0] / dim[1];
  char digits[32];
  if (dim[2] > 1) snprintf(out, size, "(%u, %u, %u)", x, y, z);
  else if (dim[1] > 1) snprintf(out, size, "(%u, %u)", x, y);
  else snprintf(out, size, "%s", ls_group_digits(x, digits));
}

static void draw_words(const Geometry *g, int y) {
  const Session *session = g->focus.session;
  Canvas *canvas = g->focus.canvas;
  int x = g->focus.body.x + FOCUS_INDENT, lanes = warp_lanes(g, session->warp), first = session->warp * WARP;
  char text[96], from[40], to[40];
  if (session->lane >= 0 && session->lane < lanes) {
    coordinates(from, sizeof from, g->block, (uint32_t)(first + session->lane));
    snprintf(text, sizeof text, "thread %s", from);
    x = canvas_textf(canvas, x, y, ROLE_DIM, 0, "warp %d, lane %d is ", session->warp, session->lane);
    canvas_text(canvas, x, y, ROLE_CURSOR, 0, text);
    return;
  }
  coordinates(from, sizeof from, g->block, (uint32_t)first);
  coordinates(to, sizeof to, g->block, (uint32_t)(first + LS_MAX(lanes - 1, 0)));
  x = canvas_textf(canvas, x, y, ROLE_DIM, 0, "warp %d is ", session->warp);
  x = canvas_textf(canvas, x, y, ROLE_TEXT, 0, lanes == 1 ? "thread %s" : "threads %s to %s", from, to);
  int last = warp_lanes(g, g->warps - 1);
  snprintf(text, sizeof text, "warp %d has %d of 32 lanes", g->warps - 1, last);
  bool room = x + 3 + ls_utf8_width(text) < g->focus.body.x + g->focus.body.w;
  if (last < WARP && room) canvas_text(canvas, x + 3, y, ROLE_WASTED, 0, text);
}

// ---- the grid --------------------------------------------------------------------------------------------------------

// Blocks of a cell, and how many rows of cells they are: a large grid has several to the cell.
static int64_t blocks_of_cell(int64_t blocks, int columns, int rows) {
  int64_t cells = (int64_t)columns * LS_MAX(rows, 1);
  return (blocks + cells - 1) / cells;
}

// Blocks of the grid, the current one bright.
static void draw_grid(const Geometry *g, int x, int y, int rows) {
  Canvas *canvas = g->focus.canvas;
  int64_t blocks = (int64_t)launch_blocks(&g->focus.session->run->info.launch), here = g->focus.session->block;
  int most = SIDE - 4, columns = (int)LS_MIN(g->grid[0], (uint32_t)most);
  int64_t each = blocks_of_cell(blocks, columns, rows - 1);
  if (each > 1) columns = most, each = blocks_of_cell(blocks, columns, rows - 2);
  char at[40], of[48];
  int pitch = 3 * columns <= SIDE - 3 ? 3 : 1;   // a gap between blocks where there is room
  coordinates(at, sizeof at, g->grid, (uint32_t)here);
  dimensions(of, sizeof of, g->grid);
  int end = canvas_textf(canvas, x, y, ROLE_DIM, 0, "block %s", at);
  if (end + 4 + ls_utf8_width(of) < x + SIDE) canvas_textf(canvas, end, y, ROLE_DIM, 0, " of %s", of);
  for (int64_t cell = 0; cell * each < blocks; cell++) {
    bool now = here / each == cell;
    for (int c = 0; c < LS_MAX(pitch - 1, 1); c++)
      canvas_put(canvas, x + (int)(cell % columns) * pitch + c, y + 1 + (int)(cell / columns), now ? 0x2588 : 0x2591,
                 now ? ROLE_CURSOR : ROLE_MASKED, 0);
  }
  char digits[32];
  if (each > 1)
    canvas_textf(canvas, x, y + rows - 1, ROLE_DIM, 0, "a cell is %s blocks", ls_group_digits((uint64_t)each, digits));
}

// ---- the pane --------------------------------------------------------------------------------------------------------

// Rows around the warp that is looked at. Returns how many are taken.
static int draw_lines(const Geometry *g, int y, int rows) {
  FocusWindow window = focus_window(g->lines, rows, g->focus.session->warp * WARP / g->columns);
  int at = y;
  if (window.before) focus_before(&g->focus, at++, window.before, "row");
  for (int i = 0; i < window.shown; i++, at += g->step) draw_line(g, window.top + i, at);
  at -= g->step - 1;
  if (window.after) focus_more(&g->focus, at++, window.after, "row");
  return at - y;
}

static void draw_block(Geometry *g) {
  Rect body = g->focus.body;
  int y = body.y, rows = body.h, few = LS_MIN(g->lines, LEAST_LINES);
  bool header = rows >= few + 2, words = rows > few;   // the picture first
  if (header) draw_header(g, y++), rows--;
  rows -= words;
  if (2 * g->lines + ROOMY <= rows) g->step = 2;
  int used = draw_lines(g, y, rows);
  if (words) draw_words(g, y + used + (rows > used));
}

// As much as there is room for, in whole words.
static void write_title(const Geometry *g, int width, char *out, size_t size) {
  enum { AROUND = 10 };
  char block[48];
  const char *plural = g->warps == 1 ? "" : "s", *threads = g->threads == 1 ? "thread" : "threads";
  dimensions(block, sizeof block, g->block);
  snprintf(out, size, "geometry · block of %s %s · %d warp%s", block, threads, g->warps, plural);
  if (ls_utf8_width(out) > width - AROUND)
    snprintf(out, size, "geometry · %s %s · %d warp%s", block, threads, g->warps, plural);
  if (ls_utf8_width(out) > width - AROUND) snprintf(out, size, "geometry");
}

void view_draw_geometry(Session *session, Canvas *canvas, Rect rect) {
  Geometry g;
  char title[96];
  focus_init(session, canvas, rect, &g.focus);
  measure(&g, session);
  write_title(&g, rect.w, title, sizeof title);
  focus_rule(&g.focus, rect, title, NULL);
  measure(&g, session);
  if (g.focus.body.h < 1) return;
  draw_block(&g);
  if (g.side) draw_grid(&g, rect.x + rect.w - SIDE + 2, g.focus.body.y, g.focus.body.h);
}

void view_room_geometry(Session *session, int cols, FocusRoom *room) {
  enum { PLENTY = 1000 };
  Geometry g;
  focus_init(session, NULL, (Rect){0, 0, cols, PLENTY}, &g.focus);
  measure(&g, session);
  *room = (FocusRoom){.parts = 1};
  room->least = 1 + LS_MIN(g.lines, LEAST_LINES);
  room->good = 3 + LS_MIN(g.lines, GOOD_LINES);
  room->whole = 4 + g.lines;
}
