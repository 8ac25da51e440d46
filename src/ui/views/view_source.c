// view_source.c: the source around the cursor: numbers, the line about to run, where the other warps are, a margin.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/file.h"
#include "base/mem.h"
#include "ui/views/syntax.h"
#include "ui/views/view.h"

//   16 ▸       ts[id] += ts[id + k];      16.0
//   number     text                       margin
enum { MARK_X = 4, TEXT_X = 6, MARGIN_W = 8, ROOMY = 48, TAB = 4, MAX_LINE = 1024 };
// Where there is little room, every column goes to the text.
enum { TIGHT_MARK_X = 3, TIGHT_TEXT_X = 5, TIGHT_MARGIN_W = 6, LEAST_TEXT = 24 };
enum { NUMBER_W = 3 };   // of line numbers; wider in a file with more lines
typedef struct Columns { int number_end, mark, text, margin_w; } Columns;

static Columns columns_of(int width, int lines) {
  int more = 0;
  for (int n = lines / 1000; n > 0; n /= 10) more++;
  if (width >= ROOMY) return (Columns){NUMBER_W + more, MARK_X + more, TEXT_X + more, MARGIN_W};
  bool margin = width >= TIGHT_TEXT_X + more + LEAST_TEXT + TIGHT_MARGIN_W;
  return (Columns){NUMBER_W + more, TIGHT_MARK_X + more, TIGHT_TEXT_X + more, margin ? TIGHT_MARGIN_W : 0};
}

static const Scene *scene_of(Session *session) { return session->steps ? ses_scene(session) : NULL; }

// Draws a line from column x on, at most width wide, with tabs as blanks and an ellipsis where it is cut.
static void draw_code(Canvas *canvas, int x, int y, int width, const char *line, const uint8_t *roles) {
  const char *p = line;
  int column = 0;
  while (*p) {
    Role role = (Role)roles[p - line];
    const char *next = p;
    uint32_t code = ls_utf8_next(&next);
    if (column >= width || column + ls_code_width(code) > width) break;
    if (code == '\t') column += TAB - column % TAB;
    else column += canvas_put(canvas, x + column, y, code, role, 0);
    p = next;
  }
  if (*p) canvas_put(canvas, x + width - 1, y, 0x2026, ROLE_DIM, 0);
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

static void draw_gutter(Session *session, Canvas *canvas, int x, const Columns *c, int y, int line, bool here) {
  const Scene *scene = scene_of(session);
  char number[16];
  snprintf(number, sizeof number, "%d", line);
  canvas_text_right(canvas, x + c->number_end, y, here ? ROLE_CURSOR : ROLE_DIM, here ? STYLE_BOLD : 0, number);
  if (scene && ses_line_faults(session, line)) canvas_put(canvas, x + c->mark + 1, y, 0x25b2, ROLE_ALARM, 0);
  if (here) canvas_put(canvas, x + c->mark, y, 0x25b8, ROLE_CURSOR, 0);
  else if (other_warp_at(session, scene, line)) canvas_put(canvas, x + c->mark, y, 0xb7, ROLE_DIM, 0);
}

static void draw_lines(Session *session, Canvas *canvas, Rect body, Columns c) {
  const char *const *lines, *path;
  int count = ses_source_lines(session, &lines, &path), top = ses_source_top(session, body.h);
  const Scene *scene = scene_of(session);
  Syntax syntax = {0};
  uint8_t roles[MAX_LINE];
  char line[MAX_LINE];
  int text_w = body.w - c.text - LS_MAX(c.margin_w, 1);
  for (int i = 0; i < count && i < top + body.h; i++) {
    snprintf(line, sizeof line, "%s", lines[i]);
    syntax_line(&syntax, line, roles);   // also above the window: a comment may be open there
    if (i < top) continue;
    int y = body.y + i - top;
    bool here = scene && scene->line == i + 1;
    if (here) {
      canvas_background(canvas, (Rect){body.x, y, body.w, 1}, ROLE_SELECTED);
      canvas->cursor_x = body.x + c.mark;
      canvas->cursor_y = y;
    }
    draw_gutter(session, canvas, body.x, &c, y, i + 1, here);
    draw_code(canvas, body.x + c.text, y, text_w, line, roles);
    if (c.margin_w) draw_margin(session, canvas, body.x + body.w - 1, y, i + 1, here);
  }
}

void view_draw_source(Session *session, Canvas *canvas, Rect rect) {
  const char *const *lines, *path = NULL;
  int count = ses_source_lines(session, &lines, &path);
  Columns c = columns_of(rect.w, count);
  const char *file = path && *path ? ls_path_base(path) : "source";
  Rect body = view_pane_rule(session, PANE_SOURCE, canvas, rect, file, c.margin_w ? ses_margin_name(session->margin) : NULL);
  if (count > 0) {
    draw_lines(session, canvas, body, c);
    return;
  }
  Rect words = {body.x + 2, body.y + 1, body.w - 4, body.h - 1};
  canvas_text_wrap(canvas, words, 0, ROLE_DIM, 0, "The source is not here. O shows the PTX.");
}
