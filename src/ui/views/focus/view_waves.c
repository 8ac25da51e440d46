// view_waves.c: blocks on SMs over time, as a Gantt chart: a row is a group of SMs, an SM, or one of its slots.
#include <stdio.h>
#include <string.h>
#include "base/mem.h"
#include "ui/views/focus/focus.h"

//               0           1 µs        2 µs        3 µs
//   SM 0-1      ████████████████████████▀▀▀▀▀▀▀▀████░░░░      two groups of SMs to a row: upper and lower half
//   SM 7        ████████████████▅▅▅▅▅▅▅▅████████████          an SM: how many of its slots are used
//   SM 7.0      17██████████42▓▓▓▓▓▓▓▓▓▓██████░░░░░░          a slot: its blocks, one by one
// Blocks that recording slowed have a role of their own, and a shade where they have a row.
enum { UPPER = 0x2580, LOWER = 0x2584, FULL = 0x2588, SHADE = 0x2591, MEDIUM = 0x2592, DENSE = 0x2593 };
enum { TICK_W = 12, LABELS = 11 };

// What a group of rows does during a column.
typedef struct Load {
  double share;              // of its slots, of the time
  bool cursor;               // the chosen block is among what runs
  bool slowed;               // and one that recording slowed
  uint64_t turn;             // how many blocks its first slot ran before: neighbors in time differ in color by that
} Load;

typedef struct WavePane {
  WaveView view;
  Canvas *canvas;
  uint64_t from, to;         // of the column
} WavePane;

// ---- loads
// -----------------------------------------------------------------------------------------------------------

static bool is_slowed(const WaveChart *chart, int row, uint64_t from, uint64_t to) {
  uint64_t n = chart->slowed ? wavechart_find(chart, row, from) : 0;
  if (!chart->slowed || n >= wavechart_count(chart, row)) return false;
  WaveBlock block = wavechart_block(chart, row, n);
  return block.slowed && block.start < to;
}

static Load load_of(const WavePane *w, int group) {
  const WaveChart *chart = w->view.chart;
  int count, first = waveview_first(&w->view, group, &count);
  uint64_t busy = 0, length = LS_MAX(w->to - w->from, 1);
  bool slowed = false;
  for (int r = first; r < first + count; r++) {
    busy += wavechart_busy(chart, r, w->from, w->from + length);
    slowed = slowed || is_slowed(chart, r, w->from, w->from + length);
  }
  Load load = {.share = count ? (double)busy / ((double)length * count) : 0, .slowed = slowed};
  if (count) load.turn = wavechart_find(chart, first, w->from + length / 2);
  load.cursor = w->view.has_cursor && w->view.cursor_row >= first && w->view.cursor_row < first + count &&
                w->view.cursor.start < w->from + length && w->view.cursor.end > w->from;
  return load;
}

static Role role_of(const Load *load) {
  return load->cursor ? ROLE_CURSOR : load->slowed ? ROLE_WAITING : load->turn % 2 ? ROLE_SET2 : ROLE_SET0;
}

// Where nothing runs: blank, or shaded once the device runs dry.
static void put_idle(const WavePane *w, int x, int y) {
  if (w->from >= w->view.chart->tail && w->from < w->view.chart->end)
    canvas_put(w->canvas, x, y, SHADE, ROLE_WASTED, 0);
}

// ---- cells
// -----------------------------------------------------------------------------------------------------------

static uint32_t height_of(double share) { return 0x2580 + (uint32_t)LS_CLAMP((int)(share * 8 + 0.5), 1, 8); }

// Two groups that run both share the cell's height, which is above that of the lower one alone: a last wave that is not
// full is seen here too.
static void put_halves(const WavePane *w, int group, int x, int y) {
  Load upper = load_of(w, group), lower = group + 1 < w->view.groups ? load_of(w, group + 1) : (Load){0};
  bool up = upper.share >= 0.5, down = lower.share >= 0.5;
  Load *shown = up ? &upper : &lower;
  if (lower.cursor && down) shown = &lower;
  if (up && down) canvas_put(w->canvas, x, y, height_of(LS_MAX((upper.share + lower.share) / 2, 0.6)), role_of(shown),
                             0);
  else if (up || down) canvas_put(w->canvas, x, y, up ? UPPER : LOWER, role_of(shown), 0);
  else if (upper.share + lower.share > 0) canvas_put(w->canvas, x, y, SHADE,
                                                     role_of(upper.share > 0 ? &upper : &lower), 0);
  else put_idle(w, x, y);
}

// Eighths of a cell.
static void put_height(const WavePane *w, int group, int x, int y) {
  Load load = load_of(w, group);
  if (load.share > 0) canvas_put(w->canvas, x, y, height_of(load.share), role_of(&load), 0);
  else put_idle(w, x, y);
}

static void put_block(const WavePane *w, int row, int x, int y) {
  Load load = load_of(w, row);
  bool odd = load.turn % 2;
  uint32_t other = w->canvas->ascii ? '=' : DENSE;
  if (load.share >= 0.5 && load.slowed) canvas_put(w->canvas, x, y, w->canvas->ascii ? '%' : MEDIUM, role_of(&load), 0);
  else if (load.share >= 0.5) canvas_put(w->canvas, x, y, odd ? other : FULL, role_of(&load), 0);
  else if (load.share > 0) canvas_put(w->canvas, x, y, SHADE, role_of(&load), 0);
  else put_idle(w, x, y);
}

static void draw_cells(WavePane *w, int row) {
  const WaveView *view = &w->view;
  int group = view->top + (view->halves ? 2 * row : row), y = view->cells.y + row;
  for (int column = 0; column < view->cells.w; column++) {
    w->from = waveview_time(view, column);
    w->to = waveview_time(view, column + 1);
    int x = view->cells.x + column;
    if (view->halves) put_halves(w, group, x, y);
    else if (view->rows == WAVES_SLOT) put_block(w, group, x, y);
    else put_height(w, group, x, y);
  }
}

// The numbers of a slot's blocks, where they have room.
static void draw_numbers(const WavePane *w, int row, int y) {
  const WaveView *view = &w->view;
  int x = view->cells.x, end = x + view->cells.w;
  while (x < end) {
    uint64_t from = waveview_time(view, x - view->cells.x), n = wavechart_find(view->chart, row, from);
    if (n >= wavechart_count(view->chart, row)) return;
    WaveBlock block = wavechart_block(view->chart, row, n);
    int begin = x;
    while (begin < end && waveview_time(view, begin - view->cells.x) < block.start) begin++;
    int stop = begin;
    while (stop < end && waveview_time(view, stop + 1 - view->cells.x) <= block.end) stop++;
    char text[16];
    int length = snprintf(text, sizeof text, " %u ", block.block);
    if (stop - begin >= length) {
      bool cursor = view->has_cursor && block.block == view->cursor.block;
      canvas_background(w->canvas, (Rect){begin, y, length, 1}, cursor ? ROLE_CURSOR : n % 2 ? ROLE_SET2 : ROLE_SET0);
      canvas_text(w->canvas, begin, y, ROLE_TEXT, cursor ? STYLE_BOLD : 0, text);
    }
    x = LS_MAX(stop, x + 1);
  }
}

// ---- around the cells
// ------------------------------------------------------------------------------------------------

static void draw_label(const WavePane *w, int row) {
  const WaveView *view = &w->view;
  int group = view->top + (view->halves ? 2 * row : row), slots = view->chart->slots;
  int first = group * view->group, last = LS_MIN((group + (view->halves ? 2 : 1)) * view->group, view->chart->sms) - 1;
  char text[32];
  if (view->rows == WAVES_SLOT) snprintf(text, sizeof text, "SM %d.%d", group / slots, group % slots);
  else if (first < last) snprintf(text, sizeof text, "SM %d-%d", first, last);
  else snprintf(text, sizeof text, "SM %d", first);
  int at = view->cursor_row / slots;
  bool here = view->has_cursor && (view->rows == WAVES_SLOT ? group == view->cursor_row : at >= first && at <= last);
  Role role = here ? ROLE_CURSOR : ROLE_DIM;
  canvas_text_cut(w->canvas, view->cells.x - WAVES_LABEL_W + 2, view->cells.y + row, LABELS, role, 0, text);
}

// A round number of units that takes TICK_W columns at least.
static uint64_t tick_of(const WaveView *view) {
  uint64_t least = view->width / (uint64_t)LS_MAX(view->cells.w / TICK_W, 1) + 1, tick = view->chart->computed ?
      WAVE_UNIT : 1;
  static const uint64_t factors[] = {2, 5, 10};
  for (uint64_t power = tick; ; power *= 10)
    for (int i = 0; i < LS_COUNT(factors); i++) {
      if (tick >= least || power > UINT64_MAX / 100) return tick;
      tick = power * factors[i];
    }
}

// Ticks are counted, not added up: times of a damaged trace reach the end of their type.
static void draw_axis(const WavePane *w) {
  const WaveView *view = &w->view;
  uint64_t tick = tick_of(view), last = (view->left + LS_MIN(view->width, view->chart->span - view->left)) / tick;
  int y = view->cells.y - 1, end = view->cells.x;
  canvas_text(w->canvas, view->cells.x - WAVES_LABEL_W + 2, y, ROLE_DIM, 0, view->chart->computed ? "wave" : "time");
  for (uint64_t n = view->left / tick + (view->left % tick != 0); n <= last; n++) {
    uint64_t time = n * tick;
    int x = view->cells.x + (int)((double)(time - view->left) / (double)view->width * view->cells.w);
    char text[24];
    waveview_time_text(view->chart, time, text, sizeof text);
    if (x < end || x + ls_utf8_width(text) > view->cells.x + view->cells.w) continue;
    end = canvas_text(w->canvas, x, y, ROLE_DIM, 0, text) + 1;
  }
}

static void put_cursor(const WavePane *w) {
  const WaveView *view = &w->view;
  if (!view->has_cursor) return;
  int group = view->rows == WAVES_SLOT ? view->cursor_row : view->cursor_row / view->chart->slots / view->group;
  int row = view->halves ? (group - view->top) / 2 : group - view->top;
  uint64_t middle = view->cursor.start + (view->cursor.end - view->cursor.start) / 2;
  w->canvas->cursor_x = view->cells.x +
      (int)((double)(middle - view->left) / (double)view->width * (view->cells.w - 1));
  w->canvas->cursor_y = view->cells.y + LS_CLAMP(row, 0, view->cells.h - 1);
}

// ---- the pane
// --------------------------------------------------------------------------------------------------------

static void write_title(const Session *session, const WaveChart *chart, char *title, size_t size) {
  snprintf(title, size, "waves · %s", chart->computed ? "computed" : run_how(session->run));
  size_t length = strlen(title);
  if (!chart->computed && chart->span && !chart->stamped) snprintf(title + length, size - length, " while traced");
}

static const char *variant_word(WaveRows rows) {
  static const char *const words[WAVES_ROWS_COUNT] = {"v an SM a row", "v a slot a row", "v all SMs"};
  return words[rows];
}

// Where not all rows fit, which they are.
static void write_right(const WaveView *view, char *out, size_t size) {
  int each = view->halves ? 2 : 1, last = LS_MIN(view->top + view->cells.h * each, view->groups);
  bool all = view->top == 0 && last == view->groups;
  int one = view->rows == WAVES_SLOT;   // slots are counted; SMs have numbers, from 0 on
  const char *what = one ? "slots" : "SMs";
  if (all || view->rows == WAVES_ALL) snprintf(out, size, "%s", variant_word(view->rows));
  else snprintf(out, size, "%s %d-%d of %d   %s", what, view->top + one, last - 1 + one, view->groups,
                variant_word(view->rows));
}

void view_draw_waves(Session *session, Canvas *canvas, Rect rect) {
  WavePane w = {.canvas = canvas};
  char title[64];
  ses_wave_view(session, rect, &w.view);
  write_title(session, w.view.chart, title, sizeof title);
  char right[80];
  write_right(&w.view, right, sizeof right);
  Rect body = view_rule(canvas, rect, title, w.view.chart->span ? right : NULL);
  if (!w.view.chart->span) {
    canvas_text_cut(canvas, body.x + FOCUS_INDENT, body.y, body.w - 4, ROLE_DIM, 0, "There are no blocks to show.");
    return;
  }
  draw_axis(&w);
  for (int row = 0; row < w.view.cells.h; row++) {
    int group = w.view.top + (w.view.halves ? 2 * row : row);
    if (group >= w.view.groups) break;
    draw_label(&w, row);
    draw_cells(&w, row);
    if (w.view.rows == WAVES_SLOT) draw_numbers(&w, group, w.view.cells.y + row);
  }
  put_cursor(&w);
}

void view_waves_page(Session *session, Canvas *canvas, Rect rect) {
  Rect picture, words;
  WaveView view;
  LsText text = {0};
  waveview_split(rect, &picture, &words);
  view_draw_waves(session, canvas, picture);
  ses_wave_view(session, picture, &view);
  ses_wave_words(session, &view, &text);
  canvas_text_cut(canvas, words.x + FOCUS_INDENT, words.y, words.w - 2 * FOCUS_INDENT, ROLE_CURSOR, 0,
                  ls_text_str(&text));
  ls_text_clear(&text);
  ses_waves_words(session, &text);
  Rect below = {words.x + FOCUS_INDENT, words.y + 1, words.w - 2 * FOCUS_INDENT, words.h - 1};
  if (below.h > 0) canvas_text_wrap(canvas, below, 0, ROLE_TEXT, 0, ls_text_str(&text));
  ls_text_free(&text);
}

// All SMs fit into any rows; of SMs or slots by themselves, the rule says which rows these are.
void view_room_waves(Session *session, int cols, FocusRoom *room) {
  enum { PLENTY = 1 << 20, FRAME = 2, LEAST_ROWS = 2, GOOD_ROWS = 8 };
  WaveView view;
  ses_wave_view(session, (Rect){0, 0, cols, PLENTY}, &view);
  int rows = view.chart->span ? LS_MAX(view.groups, 1) : 0;
  *room = (FocusRoom){.parts = 1, .least = FRAME + LS_MIN(rows, LEAST_ROWS), .good = FRAME + LS_MIN(rows, GOOD_ROWS),
                      .whole = FRAME + rows};
}
