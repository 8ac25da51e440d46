// session_waves.c: the pane of waves: its chart, its window, and how keys and clicks move through it.
#include <stdlib.h>
#include <string.h>

#include "app/session/session_impl.h"
#include "app/run/timing.h"

// ---- the chart -----------------------------------------------------------------------------------------------------

// Registers of a computed chart may take a while: until they are there, it is drawn without.
static bool registers_are_there(Session *session) {
  SesImpl *impl = ses_impl(session);
  if (!impl->registers) impl->registers = registers_ask(session->run);
  return session->patience <= 0 || registers_known(impl->registers);
}

const WaveChart *ses_wave_chart(Session *session) {
  SesImpl *impl = ses_impl(session);
  bool there = registers_are_there(session);
  if (impl->chart_made && there == impl->chart_has_registers) return &impl->chart;
  wavechart_free(&impl->chart);
  run_wave_chart(session->run, there ? registers_count(impl->registers) : 0, &impl->chart);
  bool first = !impl->chart_made, few = impl->chart.blocks <= (uint64_t)LS_MAX(impl->chart.sms, 0);
  impl->chart_made = true;
  impl->picture_key.kind = -1;   // its words are others now
  impl->chart_has_registers = there;
  if (first) session->waves.rows = few ? WAVES_SM : WAVES_ALL;   // a few blocks would be lost among all SMs
  return &impl->chart;
}

bool ses_waves_wait(const Session *session) {
  const SesImpl *impl = session->impl;
  return impl->chart_made && !impl->chart_has_registers;
}

void ses_waves_clear(Session *session) {
  SesImpl *impl = ses_impl(session);
  wavechart_free(&impl->chart);
  registers_free(impl->registers);
  impl->registers = NULL;
  impl->chart_made = false;
  session->waves = (SesWaves){.block = -1};
}

void ses_waves_words(Session *session, LsText *out) {
  SesImpl *impl = ses_impl(session);
  const WaveChart *chart = ses_wave_chart(session);
  waveview_words(chart, out);
  if (!chart->computed || !chart->span) return;
  ls_text_addc(out, ' ');
  if (impl->chart_has_registers) registers_words(impl->registers, out);
  else ls_text_add(out, "Registers are not counted yet: ptxas is at work.");
}

void ses_wave_view(Session *session, Rect rect, WaveView *view) {
  waveview_place(ses_wave_chart(session), &session->waves, session->block, rect, view);
}

// ---- words ---------------------------------------------------------------------------------------------------------

static bool is_recorded(const Session *session, uint32_t block) {
  int count = 0;
  const TraceBlock *blocks = session->run->trace ? trace_blocks(session->run->trace, &count) : NULL;
  for (int i = 0; i < count; i++)
    if (blocks[i].block == block && blocks[i].count) return true;
  return false;
}

void ses_wave_words(Session *session, const WaveView *view, LsText *out) {
  char from[24], to[24], took[24];
  const WaveChart *chart = view->chart;
  if (!view->has_cursor) return;
  waveview_time_text(chart, view->cursor.start, from, sizeof from);
  waveview_time_text(chart, view->cursor.end, to, sizeof to);
  waveview_time_text(chart, view->cursor.end - view->cursor.start, took, sizeof took);
  int sm = view->cursor_row / chart->slots, slot = view->cursor_row % chart->slots;
  ls_text_addf(out, "block %u · SM %d, slot %d · ", view->cursor.block, sm, slot);
  if (chart->computed) ls_text_addf(out, "wave %s", from);
  else ls_text_addf(out, "%s to %s, %s long", from, to, took);
  if (view->cursor.block == session->block) ls_text_add(out, " · shown");
  else if (is_recorded(session, view->cursor.block)) ls_text_add(out, " · enter shows its steps");
  else ls_text_add(out, " · not recorded");
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
  int rows = view->chart->sms * view->chart->slots, step = view->rows == WAVES_SLOT ? 1 : view->chart->slots * view->group;
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

static void turn_rows(Session *session) { session->waves.rows = (WaveRows)((session->waves.rows + 1) % WAVES_ROWS_COUNT); }

// ---- the mode ------------------------------------------------------------------------------------------------------

bool ses_open_waves(Session *session, const Command *command) {
  SesImpl *impl = ses_impl(session);
  (void)command;
  impl->before_waves = (struct BeforeWaves){session->focus, session->focus_auto};
  session->mode = SES_WAVES;
  session->playing = false;
  session->focus = FOCUS_WAVES;
  session->focus_auto = false;
  if (session->waves.block < 0) session->waves.block = session->block;
  return true;
}

static void close_waves(Session *session) {
  struct BeforeWaves before = ses_impl(session)->before_waves;
  ses_close_panel(session);
  session->focus = before.focus;
  session->focus_auto = before.automatic;
}

static bool show_block(Session *session) {
  int64_t block = session->waves.block;
  close_waves(session);
  return ses_set_block(session, &(Command){.id = CMD_SET_BLOCK, .arg = block});
}

static void view_on_screen(Session *session, WaveView *view) {
  Layout layout;
  Rect picture, words;
  ses_layout(session, &layout);
  waveview_split(layout.focus, &picture, &words);
  ses_wave_view(session, picture, view);
}

bool ses_waves_key(Session *session, uint32_t code) {
  WaveView view;
  view_on_screen(session, &view);
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
    case CMD_CANCEL: case CMD_QUIT: case CMD_WAVES: case CMD_ZOOM: close_waves(session); return true;
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

bool ses_waves_click(Session *session, int x, int y, int button) {
  WaveView view;
  view_on_screen(session, &view);
  if (!view.chart->span) return false;
  bool wheel = button == 4 || button == 5, over_labels = x < view.cells.x;
  if (wheel && over_labels) return move_rows(session, &view, button == 4 ? -1 : 1);
  bool hit = point_at(session, &view, x, y);
  if (wheel) return zoom(session, &view, button == 4 ? 1 : -1);
  return hit && (button == 1 || button == 6);
}
