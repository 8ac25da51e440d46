// draw_spaces.c: the line of addresses with its windows, which window each lane points into, and pointers one by one.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "app/models/spaces.h"
#include "base/mem.h"
#include "ui/models/pictures.h"

enum { LABEL_W = 8, LINE_H = 4, LANES_H = 5, TABLE_HEAD = 2, LEAST = 11, WIDE_LANE = 3, TABLE_W = 58, TABLES = 2 };

static const Role roles[WINDOW_COUNT] = {ROLE_SET1, ROLE_SET2, ROLE_ACTIVE};
static const char letters[WINDOW_COUNT] = {'L', 'S', 'G'};
static const uint32_t shades[WINDOW_COUNT] = {0x2592, 0x2593, 0x2588};

// Windows in their order, not to scale: between them nothing is.
static void draw_line(const SpacesModel *m, Canvas *canvas, Rect rect) {
  int gap = rect.w / 16, box = (rect.w - 3 * gap) / (WINDOW_COUNT + 1), x = rect.x;
  canvas_fill(canvas, (Rect){rect.x, rect.y + 1, rect.w, 1}, 0x2508, ROLE_RULE, 0);
  canvas_text(canvas, x, rect.y, ROLE_DIM, 0, "null");
  canvas_put(canvas, x, rect.y + 1, 0x25b2, ROLE_ALARM, STYLE_BOLD);
  canvas_text(canvas, x, rect.y + 2, ROLE_DIM, 0, "0x0");
  x += gap * 2;
  for (int w = 0; w < WINDOW_COUNT; w++) {
    char text[32];
    int width = w == WINDOW_GLOBAL ? rect.x + rect.w - x : box;
    int lanes = __builtin_popcount(m->lanes[w]);
    Role role = lanes ? roles[w] : ROLE_DIM;
    canvas_fill(canvas, (Rect){x, rect.y + 1, width, 1}, shades[w], role, 0);
    int end = canvas_text(canvas, x, rect.y, role, lanes ? STYLE_BOLD : 0, spaces_name((SpaceWindow)w));
    if (lanes && m->name[w][0] && end + 1 + ls_utf8_width(m->name[w]) <= x + width)
      end = canvas_text(canvas, end + 1, rect.y, ROLE_CURSOR, 0, m->name[w]);
    snprintf(text, sizeof text, "%d %s", lanes, lanes == 1 ? "lane" : "lanes");
    if (lanes && end + 1 + ls_utf8_width(text) <= x + width) canvas_text(canvas, end + 1, rect.y, ROLE_TEXT, 0, text);
    snprintf(text, sizeof text, "0x%" PRIx64, m->base[w]);
    canvas_text_cut(canvas, x, rect.y + 2, width, ROLE_DIM, 0, text);
    x += width + gap;
  }
}

// A row for each window, a column for each lane.
static void draw_lanes(const SpacesModel *m, Canvas *canvas, Rect rect) {
  int lane_w = LS_CLAMP((rect.w - LABEL_W) / SPACES_LANES, 1, WIDE_LANE), x = rect.x + LABEL_W;
  canvas_text(canvas, rect.x, rect.y, ROLE_DIM, 0, "lane");
  for (int lane = 0; lane < SPACES_LANES; lane += lane_w >= WIDE_LANE ? 1 : 4)
    canvas_textf(canvas, x + lane * lane_w, rect.y, ROLE_DIM, 0, "%d", lane);
  for (int w = 0; w < WINDOW_COUNT; w++) {
    int row = WINDOW_COUNT - 1 - w, y = rect.y + 1 + row;
    canvas_text(canvas, rect.x, y, m->lanes[w] ? roles[w] : ROLE_DIM, 0, spaces_name((SpaceWindow)w));
    for (int lane = 0; lane < SPACES_LANES; lane++) {
      bool here = m->window[lane] == (SpaceWindow)w;
      for (int i = 0; i < LS_MAX(lane_w - 1, 1); i++) {
        uint32_t glyph = !here ? (i ? ' ' : 0xb7) : i ? shades[w] : (uint32_t)letters[w];
        canvas_put(canvas, x + lane * lane_w + i, y, glyph, here ? roles[w] : ROLE_GONE, here ? STYLE_BOLD : 0);
      }
    }
  }
}

static int columns_of(int width) { return LS_CLAMP(width / TABLE_W, 1, TABLES); }

static void draw_pointers(const SpacesModel *m, Canvas *canvas, Rect rect, int first, int end) {
  canvas_text(canvas, rect.x, rect.y, ROLE_DIM, 0, 
              m->of_run ? "lane         ptr             window   from its start"
                        : "lane  input  ptr             window   from its start");
  for (int lane = first; lane < end; lane++) {
    SpaceWindow w = m->window[lane];
    int y = rect.y + 1 + lane - first;
    canvas_textf(canvas, rect.x, y, ROLE_DIM, 0, "%4d", lane);
    if (w == WINDOW_COUNT) continue;
    if (!m->of_run) canvas_textf(canvas, rect.x + 6, y, ROLE_TEXT, 0, "%5d", m->input[lane]);
    canvas_textf(canvas, rect.x + 13, y, ROLE_TEXT, 0, "0x%" PRIx64, m->address[lane]);
    canvas_text(canvas, rect.x + 29, y, roles[w], STYLE_BOLD, spaces_name(w));
    canvas_textf(canvas, rect.x + 38, y, ROLE_DIM, 0, "+ 0x%" PRIx64, m->address[lane] - m->base[w]);
  }
}

// As many pointers as there is room for, down one column and then the next.
static void draw_table(const SpacesModel *m, Canvas *canvas, Rect rect) {
  int columns = columns_of(rect.w), each = (SPACES_LANES + columns - 1) / columns, rows = LS_MIN(rect.h - 1, each);
  bool more = rows < each;
  if (more) rows--;
  for (int column = 0; column < columns; column++) {
    Rect table = {rect.x + column * TABLE_W, rect.y, TABLE_W, rows + 1};
    draw_pointers(m, canvas, table, column * rows, LS_MIN((column + 1) * rows, SPACES_LANES));
  }
  if (more) canvas_textf(canvas, rect.x, rect.y + 1 + rows, ROLE_DIM, 0, "▾ %d more lanes",
                         SPACES_LANES - rows * columns);
}

PictureRoom model_room_spaces(const ModelValues *values, int cols) {
  (void)values;
  return (PictureRoom){LEAST, 2 + LINE_H + LANES_H + TABLE_HEAD + SPACES_LANES / columns_of(cols)};
}

void model_draw_spaces(const ModelValues *values, Canvas *canvas, Rect rect) {
  SpacesModel m;
  spaces_model(values, &m);
  char title[96];
  const char *what = !m.of_run || strcmp(m.access, "st") == 0 ? "*ptr = ...;" : strcmp(m.access, "ld") ? "atomic, *ptr"
                                                                                                     : "... = *ptr;";
  snprintf(title, sizeof title, "%s  one line of addresses, windows not to scale", m.of_run ? what : "*ptr = 7;");
  canvas_text_cut(canvas, rect.x, rect.y, rect.w, ROLE_TEXT, STYLE_BOLD, title);
  int y = rect.y + 2;
  draw_line(&m, canvas, (Rect){rect.x, y, rect.w, LINE_H - 1});
  y += LINE_H;
  draw_lanes(&m, canvas, (Rect){rect.x, y, rect.w, LANES_H - 1});
  y += LANES_H;
  int left = rect.y + rect.h - y;
  if (left >= TABLE_HEAD + 1) draw_table(&m, canvas, (Rect){rect.x, y, rect.w, left});
}
