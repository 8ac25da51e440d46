// panel_waves.c: walking through the blocks on the SMs: keys and clicks move the cursor, which is a block, and the
// window with it.
#include <stdlib.h>

#include "base/mem.h"
#include "ui/panels/panel.h"
#include "ui/views/view.h"

// What the focus pane showed before.
typedef struct Before { FocusKind focus; bool automatic; } Before;

static bool open(Session *session) {
  Before *before = ls_alloc(sizeof *before);
  *before = (Before){session->focus, session->focus_auto};
  session->panel_data = before;
  session->focus = FOCUS_WAVES;
  session->focus_auto = false;
  if (session->waves.block < 0) session->waves.block = session->block;
  return true;
}

static void close(Session *session) {
  Before *before = session->panel_data;
  session->focus = before->focus;
  session->focus_auto = before->automatic;
  free(before);
  session->panel_data = NULL;
}

// ---- moving --------------------------------------------------------------------------------------------------------

static bool go_to(Session *session, const WaveView *view, int row, uint64_t time) {
  uint64_t count = wavechart_count(view->chart, row), n = wavechart_find(view->chart, row, time);
  if (!count) return false;
  session->waves.block = wavechart_block(view->chart, row, LS_MIN(n, count - 1)).block;
  return true;
}

static uint64_t middle_of(const WaveBlock *block) { return block->start + (block->end - block->start) / 2; }

// Rows without blocks are passed over.
static bool move_rows(Session *session, const WaveView *view, int by) {
  int rows = view->chart->sms * view->chart->slots;
  int step = view->rows == WAVES_SLOT ? 1 : view->chart->slots * view->group;
  if (!view->has_cursor) return false;
  int far = abs(by), direction = by < 0 ? -1 : 1;
  for (int row = view->cursor_row + direction * far * step; row >= 0 && row < rows; row += direction * step)
    if (go_to(session, view, row, middle_of(&view->cursor))) return true;
  return false;
}

static bool move_blocks(Session *session, const WaveView *view, int by) {
  uint64_t n;
  int row;
  if (!view->has_cursor || !wavechart_place(view->chart, view->cursor.block, &row, &n)) return false;
  uint64_t last = wavechart_count(view->chart, row) - 1;
  n = by < 0 ? n - LS_MIN(n, 1) : LS_MIN(n + 1, last);
  session->waves.block = wavechart_block(view->chart, row, n).block;
  return true;
}

static bool move_time(Session *session, const WaveView *view, int by) {
  if (!view->has_cursor) return false;
  uint64_t half = LS_MAX(view->width / 2, 1), now = middle_of(&view->cursor);
  return go_to(session, view, view->cursor_row, by < 0 ? now - LS_MIN(now, half) : now + half);
}

static bool zoom(Session *session, const WaveView *view, int by) {
  enum { LEAST_COLUMN = 1 };
  if (by > 0 && view->width <= (uint64_t)view->cells.w * LEAST_COLUMN) return true;   // a nanosecond to a column
  session->waves.zoom = LS_CLAMP(session->waves.zoom + by, 0, WAVES_MOST_ZOOM);
  return true;
}

static void turn_rows(Session *session) {
  session->waves.rows = (WaveRows)((session->waves.rows + 1) % WAVES_ROWS_COUNT);
}

// ---- keys ----------------------------------------------------------------------------------------------------------

static bool show_block(Session *session) {
  int64_t block = session->waves.block;
  ses_close_panel(session);
  return ses_command(session, &(Command){.id = CMD_SET_BLOCK, .arg = block});
}

static void view_in(Session *session, Rect rect, WaveView *view) {
  Rect picture, words;
  waveview_split(rect, &picture, &words);
  ses_wave_view(session, picture, view);
}

static bool key(Session *session, uint32_t code) {
  WaveView view;
  Layout layout;
  ses_layout(session, &layout);
  view_in(session, layout.focus, &view);
  int page = LS_MAX(view.cells.h - 2, 1);
  switch (command_for_key(code, CTX_X)) {
    case CMD_STEP_BACK: move_blocks(session, &view, -1); return true;
    case CMD_STEP_NEXT: move_blocks(session, &view, 1); return true;
    case CMD_UP: move_rows(session, &view, -1); return true;
    case CMD_DOWN: move_rows(session, &view, 1); return true;
    case CMD_PAGE_UP: move_rows(session, &view, -page); return true;
    case CMD_PAGE_DOWN: move_rows(session, &view, page); return true;
    case CMD_LINE_BACK: move_time(session, &view, -1); return true;
    case CMD_LINE_NEXT: move_time(session, &view, 1); return true;
    case CMD_FIRST: return !view.has_cursor || go_to(session, &view, view.cursor_row, 0);
    case CMD_LAST: return !view.has_cursor || go_to(session, &view, view.cursor_row, UINT64_MAX);
    case CMD_FASTER: return zoom(session, &view, 1);
    case CMD_SLOWER: return zoom(session, &view, -1);
    case CMD_VARIANT: turn_rows(session); return true;
    case CMD_ENTER: return show_block(session);
    case CMD_CANCEL: case CMD_QUIT: case CMD_WAVES: case CMD_ZOOM: ses_close_panel(session); return true;
    default: return false;
  }
}

// ---- the mouse -----------------------------------------------------------------------------------------------------

// The row of the chart under a cell: in a group the first one that runs a block at that time.
static bool point_at(Session *session, const WaveView *view, int x, int y) {
  int column = LS_CLAMP(x - view->cells.x, 0, view->cells.w - 1), row = y - view->cells.y, count;
  int group = view->top + (view->halves ? 2 * row : row);
  if (row < 0 || row >= view->cells.h || group >= view->groups) return false;
  uint64_t from = waveview_time(view, column), to = waveview_time(view, column + 1);
  int first = waveview_first(view, group, &count), other = 0;
  if (view->halves && group + 1 < view->groups) waveview_first(view, group + 1, &other);
  for (int r = first; r < first + count + other; r++)
    if (wavechart_busy(view->chart, r, from, LS_MAX(to, from + 1))) return go_to(session, view, r, from);
  return false;
}

static bool click(Session *session, Rect rect, AppKey mouse) {
  WaveView view;
  view_in(session, rect, &view);
  if (!view.chart->span) return true;
  bool wheel = mouse.button == 4 || mouse.button == 5, over_labels = mouse.x < view.cells.x;
  if (wheel && over_labels) {
    move_rows(session, &view, mouse.button == 4 ? -1 : 1);
    return true;
  }
  point_at(session, &view, mouse.x, mouse.y);
  if (wheel) zoom(session, &view, mouse.button == 4 ? 1 : -1);
  return true;
}

static const FooterKey keys[] = {{"←→", "left right", "block"}, {"↑↓", "up down", "SM"}, {"⇧←→", "H L", "time"},
                                 {"+ -", NULL, "zoom"}, {"⏎", "enter", "show block"}, {"v", NULL, "rows"},
                                 {"esc", NULL, "close"}};

const SesPanel panel_waves = {
    .place = PANEL_FOCUS, .keys = keys, .key_count = LS_COUNT(keys),
    .open = open, .key = key, .click = click, .draw = view_waves_page, .close = close,
};
