// view_source.c: the source around the cursor: numbers, the line about to run, where the other warps are, a margin.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/file.h"
#include "base/mem.h"
#include "ui/views/syntax.h"
#include "ui/views/view.h"

enum { WASTE_HEIGHT = 7 };
enum { MAX_LINE = 1024, LINE_ROOM = 50 };   // columns of text beside which the lanes are told in words

static const Scene *scene_of(Session *session) { return session->steps ? ses_scene(session) : NULL; }

// Draws a piece of a line from column x on, at most width wide, with tabs as blanks and an ellipsis where more follows
// and has no row. Returns the columns that it takes.
static int draw_code(Canvas *canvas, int x, int y, int width, const char *line, size_t end, bool whole,
                     const uint8_t *roles) {
  const char *p = line;
  int column = 0;
  while (*p && (size_t)(p - line) < end) {
    Role role = (Role)roles[p - line];
    const char *next = p;
    uint32_t code = ls_utf8_next(&next);
    if (column >= width || column + ls_code_width(code) > width) break;
    if (code == '\t') column += CODE_TAB - column % CODE_TAB;
    else column += canvas_put(canvas, x + column, y, code, role, 0);
    p = next;
  }
  if (*p && !whole) canvas_put(canvas, x + LS_MIN(column, width - 1), y, 0x2026, ROLE_DIM, 0);
  return column;
}

static bool other_warp_at(const Session *session, const Scene *scene, int line) {
  for (int w = 0; scene && w < scene->warp_count; w++)
    if (w != session->warp && scene->warp_line[w] == line && scene->warps[w].live) return true;
  return false;
}

static void draw_margin(Session *session, Canvas *canvas, int x_end, int y, int line, bool here) {
  double value;
  bool alarming;
  if (!ses_margin_value(session, line, &value, &alarming)) return;
  char text[32];
  bool decimals = ses_margin_average(session->margin) && value < 100;
  snprintf(text, sizeof text, decimals ? "%.1f" : "%.0f", value);
  canvas_text_right(canvas, x_end, y, alarming ? ROLE_ALARM : here ? ROLE_TEXT : ROLE_DIM, 0, text);
}

// own: the other form of the kernel has not got this line.
static void draw_gutter(Session *session, Canvas *canvas, int x, const CodeColumns *c, int y, int line, bool here,
                        bool own) {
  const Scene *scene = scene_of(session);
  char number[16];
  snprintf(number, sizeof number, "%d", line);
  canvas_text_right(canvas, x + c->number_end, y, here ? ROLE_CURSOR : ROLE_DIM, here ? STYLE_BOLD : 0, number);
  Role role = ROLE_ALARM;
  uint32_t waste = scene ? view_waste_glyph(ses_line_finding(session, line), WASTE_HEIGHT, &role) : 0;
  if (own && session->peer_of) canvas_put(canvas, x + c->mark + 1, y, '+', ROLE_GOOD, STYLE_BOLD);
  else if (own) canvas_put(canvas, x + c->mark + 1, y, '-', ROLE_ALARM, STYLE_BOLD);
  else if (scene && ses_line_faults(session, line)) canvas_put(canvas, x + c->mark + 1, y, 0x25b2, ROLE_ALARM, 0);
  else if (waste) canvas_put(canvas, x + c->mark + 1, y, waste, role, 0);
  if (here) canvas_put(canvas, x + c->mark, y, 0x25b8, ROLE_CURSOR, 0);
  else if (other_warp_at(session, scene, line)) canvas_put(canvas, x + c->mark, y, 0xb7, ROLE_DIM, 0);
}

// "16 of 32 lanes": where the pane of lanes has gone.
static void draw_lanes_words(Session *session, Canvas *canvas, int x, int x_end, int y) {
  const Scene *scene = scene_of(session);
  int live = scene ? __builtin_popcount(scene->warps[session->warp & 31].live) : 0;
  if (!live || !scene->event.mask || session->hides) return;
  char words[48];
  int active = __builtin_popcount(scene->event.mask);
  snprintf(words, sizeof words, active == 32 ? "all 32 lanes" : "%d of %d lanes", active, LS_MAX(live, active));
  if (x + ls_utf8_width(words) + 2 < x_end) canvas_text_right(canvas, x_end, y, ROLE_DIM, 0, words);
}

// Colors of a line of the file. A comment may have begun above; the lines are asked for in order. own: by line, as
// ses_own_lines gives it.
typedef struct Colors { Syntax syntax; const char *const *lines; int done; uint8_t of[MAX_LINE];
                       char line[MAX_LINE]; const bool *own; } Colors;

static void color_line(Colors *colors, int line) {
  for (; colors->done < line; colors->done++) {
    snprintf(colors->line, sizeof colors->line, "%s", colors->lines[colors->done]);
    syntax_line(&colors->syntax, colors->line, colors->of);
  }
}

static void draw_row(Session *session, Canvas *canvas, Rect body, const CodeColumns *c, const SesSourceRow *row, int y,
                     Colors *colors) {
  const Scene *scene = scene_of(session);
  bool marked = session->line_marked == row->line, here = scene && scene->line == row->line && !session->line_marked;
  if (marked) canvas_background(canvas, (Rect){body.x, y, body.w, 1}, ROLE_SELECTED);
  if (here) canvas_background(canvas, (Rect){body.x, y, body.w, 1}, ROLE_SELECTED);
  if (here && row->first) canvas->cursor_x = body.x + c->mark, canvas->cursor_y = y;
  if (row->first) draw_gutter(session, canvas, body.x, c, y, row->line, here || marked,
                              colors->own && colors->own[row->line - 1]);
  color_line(colors, row->line);
  size_t length = strlen(colors->line), begin = LS_MIN(row->part.begin, length);
  int x = body.x + c->text + row->part.indent, width = c->text_w - row->part.indent;
  x += draw_code(canvas, x, y, width, colors->line + begin, row->part.end - begin, row->goes_on, colors->of + begin);
  if (c->margin_w && row->first) draw_margin(session, canvas, body.x + body.w - 1, y, row->line, here);
  bool alone = body.w == canvas->cols && !row->goes_on;   // no pane of lanes stands beside it
  if (here && alone && c->text_w >= LINE_ROOM)
    draw_lanes_words(session, canvas, x, body.x + body.w - c->margin_w - 1, y);
}

static void draw_lines(Session *session, Canvas *canvas, Rect rect, Rect body, const CodeColumns *c) {
  SesSourceRow rows[SES_SOURCE_ROWS];
  const char *path;
  bool *own = ses_own_lines(session);
  Colors colors = {.own = own};
  ses_source_lines(session, &colors.lines, &path);
  int count = ses_source_rows(session, rect, rows);
  for (int i = 0; i < count; i++) draw_row(session, canvas, body, c, &rows[i], body.y + i, &colors);
  free(own);
}

// The name of the file. Where a lesson asks for the mistake, without the form's, which would tell it: "reduce4.cu".
static void name_file(const Session *session, const char *path, char *out, size_t size) {
  const char *file = path && *path ? ls_path_base(path) : "source";
  const char *first = strchr(file, '.'), *last = strrchr(file, '.');
  int stem = (int)(first ? first - file : (ptrdiff_t)strlen(file));
  if (session->untold && first != last) snprintf(out, size, "%.*s%s", stem, file, last);
  else snprintf(out, size, "%s", file);
}

void view_draw_source(Session *session, Canvas *canvas, Rect rect) {
  const char *const *lines, *path = NULL;
  int count = ses_source_lines(session, &lines, &path);
  CodeColumns c = code_columns(rect.w, count);
  char file[256];
  name_file(session, path, file, sizeof file);
  const char *margin = c.margin_w && !session->hides ? ses_margin_name(session->margin) : NULL;
  Rect body = rect.h >= LAYOUT_RULE_H ? view_pane_rule(session, PANE_SOURCE, canvas, rect, file, margin) : rect;
  if (count > 0) {
    draw_lines(session, canvas, rect, body, &c);
    return;
  }
  Rect words = {body.x + 2, body.y + (body.h > 2), body.w - 4, LS_MAX(body.h - (body.h > 2), 1)};
  canvas_text_wrap(canvas, words, 0, ROLE_DIM, 0, "The source is not here. O shows the PTX.");
}
