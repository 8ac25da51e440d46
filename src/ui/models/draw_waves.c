// draw_waves.c: SMs as rows, time as columns, each block with its number; the tail shaded; the queue that waits.
#include <stdio.h>
#include <stdlib.h>

#include "app/models/waves.h"
#include "base/mem.h"
#include "ui/models/pictures.h"

enum { LABEL_W = 9, HEAD_H = 2, AXIS_H = 1, LEAST_LINES = 4, BAR_MOST = 3, MARK_W = 8, LEGEND_GAP = 3, NUMBER_W = 8 };
enum { SHADE = 0x2591 };

// Lines of places: those of some SMs share one if there are more places than lines; else a place has bar_h lines.
typedef struct Gantt { const WavesModel *m; Canvas *canvas; Rect bars; int lines, each, bar_h; double per_tick; } Gantt;

static int row_of(const WavesModel *m, int place) { return place % m->sms * m->per_sm + place / m->sms; }

// A whole number of columns for a second, where there is room for that: then equal blocks look equal.
static double scale_of(const WavesModel *m, int width) {
  int seconds = (int)((m->end + WAVES_TICKS - 1) / WAVES_TICKS), columns = width / LS_MAX(seconds, 1);
  return columns >= 4 ? (double)columns / WAVES_TICKS : (double)width / (double)LS_MAX(m->end, 1);
}

static Gantt plan(const WavesModel *m, Canvas *canvas, Rect rect) {
  int room = LS_MAX(rect.h - HEAD_H - AXIS_H, 1), width = LS_MAX(rect.w - LABEL_W, 1);
  int each = (m->places + room - 1) / room, whole = (each + m->per_sm - 1) / m->per_sm * m->per_sm;
  Gantt g = {.m = m, .canvas = canvas, .each = each > 1 ? whole : 1, .per_tick = scale_of(m, width)};
  g.lines = (m->places + g.each - 1) / g.each;
  g.bar_h = LS_CLAMP(room / g.lines, 1, BAR_MOST);
  g.bars = (Rect){rect.x + LABEL_W, rect.y + HEAD_H, width, g.lines * g.bar_h};
  return g;
}

static int column_of(const Gantt *g, int64_t tick) { return (int)((double)tick * g->per_tick + 0.5); }

static void fill_bar(const Gantt *g, int line, int from, int to, uint32_t code, Role role) {
  Rect bar = {g->bars.x + from, g->bars.y + line * g->bar_h, LS_MIN(to, g->bars.w) - from, g->bar_h};
  if (bar.w <= 0) return;
  if (code == SHADE) bar.h = LS_MAX(bar.h - 1, 1), canvas_fill(g->canvas, bar, code, role, 0);
  else picture_bar(g->canvas, bar, code, role);
}

static Role role_of(const WavesModel *m, const WavesBlock *block, int turn) {
  if (block->kernel) return turn % 2 ? ROLE_SET4 : ROLE_SET1;
  if (m->long_times > 1 && block->number / m->cut == m->long_block) return ROLE_CURSOR;
  return turn % 2 ? ROLE_SET2 : ROLE_SET0;
}

static void draw_block(const Gantt *g, const WavesBlock *block, int turn) {
  int line = row_of(g->m, block->place), from = column_of(g, block->start);
  int to = column_of(g, LS_MIN(block->end, g->m->now)), end = column_of(g, block->end);
  bool apart = end - from > 2 && to == end;
  Role role = role_of(g->m, block, turn);
  Rect gap = {g->bars.x + to - 1, g->bars.y + line * g->bar_h, 1, g->bar_h};
  if (apart) canvas_fill(g->canvas, gap, ' ', ROLE_TEXT, 0);
  fill_bar(g, line, from, to - apart, turn % 2 ? picture_shade(1) : picture_shade(0), role);
  char text[16];
  int width = snprintf(text, sizeof text, " %d ", block->number);
  if (width >= to - from) width = snprintf(text, sizeof text, "%d", block->number);
  if (width < to - from) canvas_text(g->canvas, g->bars.x + from, g->bars.y + line * g->bar_h, role,
                                     STYLE_REVERSE | STYLE_BOLD, text);
}

static void draw_blocks(const Gantt *g) {
  int *turns = ls_alloc((size_t)g->m->places * sizeof *turns), now = column_of(g, LS_MIN(g->m->now, g->m->end));
  for (int line = 0; line < g->lines; line++) fill_bar(g, line, 0, now, SHADE, ROLE_WASTED);
  for (int i = 0; i < g->m->count; i++) {
    const WavesBlock *block = &g->m->list[i];
    int turn = turns[block->place]++;
    if (block->start < g->m->now) draw_block(g, block, turn);
  }
  free(turns);
}

// ---- many places on a line -----------------------------------------------------------------------------------------

// Ticks of blocks in each cell: what a line's places were used in the time of a column.
static void add_cells(const Gantt *g, const WavesBlock *block, double *used) {
  double from = (double)block->start * g->per_tick, to = (double)LS_MIN(block->end, g->m->now) * g->per_tick;
  double *line = used + (size_t)(row_of(g->m, block->place) / g->each) * (size_t)g->bars.w;
  for (int x = (int)from; x < to && x < g->bars.w; x++) line[x] += LS_MIN(to, x + 1.0) - LS_MAX(from, x);
}

static void draw_shares(const Gantt *g) {
  double *used = ls_alloc((size_t)g->lines * (size_t)g->bars.w * sizeof *used);
  int now = LS_MIN(column_of(g, LS_MIN(g->m->now, g->m->end)), g->bars.w);
  for (int i = 0; i < g->m->count; i++) add_cells(g, &g->m->list[i], used);
  for (int line = 0; line < g->lines; line++) {
    int places = LS_MIN(g->each, g->m->places - line * g->each);
    for (int x = 0; x < now; x++) {
      double share = used[(size_t)line * (size_t)g->bars.w + (size_t)x] / places;
      Rect cell = {g->bars.x + x, g->bars.y + line, 1, 1};
      bool second = g->m->even && (int)((x + 0.5) / g->per_tick) * g->m->cut / WAVES_TICKS % 2;
      if (share < 1.0 / 16) canvas_put(g->canvas, cell.x, cell.y, SHADE, ROLE_WASTED, 0);
      else picture_column(g->canvas, cell, share, second ? ROLE_SET2 : ROLE_SET0);
    }
  }
  free(used);
}

// ---- around the bars -----------------------------------------------------------------------------------------------

static void draw_labels(const Gantt *g) {
  const WavesModel *m = g->m;
  for (int line = 0; line < g->lines; line++) {
    char text[32];
    int first = line * g->each / m->per_sm, last = LS_MIN((line + 1) * g->each, m->places) - 1;
    if (g->each == 1 && m->per_sm > 1) snprintf(text, sizeof text, "SM %d.%d", first, line % m->per_sm);
    else if (last / m->per_sm > first) snprintf(text, sizeof text, "%d-%d", first, last / m->per_sm);
    else snprintf(text, sizeof text, "SM %d", first);
    canvas_text(g->canvas, g->bars.x - LABEL_W, g->bars.y + line * g->bar_h, ROLE_DIM, 0, text);
  }
}

static void draw_axis(const Gantt *g) {
  int y = g->bars.y + g->bars.h, end = g->bars.x;
  int seconds = (int)(g->m->end / WAVES_TICKS), most = LS_MAX(g->bars.w / MARK_W, 1), apart = seconds / most + 1;
  canvas_text(g->canvas, g->bars.x - LABEL_W, y, ROLE_DIM, 0, "seconds");
  for (int second = 0; second <= seconds; second += apart) {
    char text[16];
    int x = g->bars.x + column_of(g, (int64_t)second * WAVES_TICKS);
    int width = snprintf(text, sizeof text, "%d", second);
    x = LS_MIN(x, g->bars.x + g->bars.w - width);
    if (x >= end) end = canvas_text(g->canvas, x, y, ROLE_DIM, 0, text) + 1;
  }
}

// The numbers of the blocks that wait, as many as there is room for; the rest is counted.
static void draw_queue(const WavesModel *m, Canvas *canvas, Rect row) {
  int waiting = waves_waiting(m), x = canvas_text(canvas, row.x, row.y, ROLE_DIM, 0, "queue"), shown = 0;
  x = row.x + LABEL_W;
  for (int i = m->count - waiting; i < m->count; i++, shown++) {
    char text[16];
    int width = snprintf(text, sizeof text, "%d", m->list[i].number);
    if (x + width + NUMBER_W > row.x + row.w && shown + 1 < waiting) break;
    x = canvas_text(canvas, x, row.y, m->list[i].kernel ? ROLE_SET1 : ROLE_TEXT, 0, text) + 1;
  }
  if (shown < waiting) canvas_textf(canvas, x, row.y, ROLE_DIM, 0, "+%d", waiting - shown);
  if (!waiting) canvas_text(canvas, x, row.y, ROLE_DIM, 0, "empty");
}

// A sign and its word, if the row has room for them; where the next one begins.
static int legend(Canvas *canvas, Rect row, int x, uint32_t code, Role role, const char *word) {
  if (x + 2 + ls_utf8_width(word) > row.x + row.w) return x;
  canvas_put(canvas, x, row.y, code, role, 0);
  return canvas_text(canvas, x + 2, row.y, ROLE_DIM, 0, word) + LEGEND_GAP;
}

static void draw_legend(const WavesModel *m, Canvas *canvas, Rect row) {
  int x = row.x + LABEL_W;
  bool empty = m->work < m->end * m->places;
  x = legend(canvas, row, x, picture_shade(0), ROLE_SET0, m->second ? "first kernel" : "a block");
  if (m->second) x = legend(canvas, row, x, picture_shade(0), ROLE_SET1, "second kernel");
  if (m->long_times > 1) x = legend(canvas, row, x, picture_shade(0), ROLE_CURSOR, "long");
  if (empty) legend(canvas, row, x, SHADE, ROLE_WASTED, "empty place");
}

static void draw_head(const WavesModel *m, Canvas *canvas, Rect rect) {
  char right[48], left[80];
  int length = snprintf(left, sizeof left, "%d blocks on %d %s", m->blocks + m->second, m->sms,
                        m->sms == 1 ? "SM" : "SMs");
  if (m->per_sm > 1) snprintf(left + length, sizeof left - (size_t)length, ", %d at once on each", m->per_sm);
  if (m->now < m->end) snprintf(right, sizeof right, "%.3g of %.4g s", waves_seconds(m->now), waves_seconds(m->end));
  else snprintf(right, sizeof right, "%.4g s, %.3g %% used", waves_seconds(m->end), waves_used(m) * 100);
  canvas_text_cut(canvas, rect.x, rect.y, rect.w - ls_utf8_width(right) - 2, ROLE_TEXT, STYLE_BOLD, left);
  canvas_text_right(canvas, rect.x + rect.w, rect.y, ROLE_TEXT, STYLE_BOLD, right);
  Rect row = {rect.x, rect.y + 1, rect.w, 1};
  if (m->now < m->end) draw_queue(m, canvas, row);
  else draw_legend(m, canvas, row);
}

PictureRoom model_room_waves(const ModelValues *values, int cols) {
  (void)cols;
  WavesModel m;
  waves_model(values, &m);
  waves_model_free(&m);
  int frame = HEAD_H + AXIS_H;
  return (PictureRoom){frame + LS_MIN(m.places, LEAST_LINES), frame + m.places * BAR_MOST};
}

void model_draw_waves(const ModelValues *values, Canvas *canvas, Rect rect) {
  WavesModel m;
  waves_model(values, &m);
  Gantt g = plan(&m, canvas, rect);
  draw_head(&m, canvas, rect);
  draw_labels(&g);
  if (g.each == 1) draw_blocks(&g);
  else draw_shares(&g);
  draw_axis(&g);
  waves_model_free(&m);
}
