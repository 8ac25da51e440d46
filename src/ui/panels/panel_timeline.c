// panel_timeline.c: walking through the bars of a program's timeline: keys and clicks choose a bar and move the window;
// what its times rest on is changed here, too.
#include "base/mem.h"
#include "ui/panels/panel.h"
#include "ui/views/timeline.h"

enum { LEAST_NS = 10 };            // of the window
enum { DRAG = 6 };                 // AppKey.button
static const double zoom_step = 2, margin = 0.1;

static bool open(Session *session) {
  const Schedule *schedule = ses_schedule(session);
  if (!schedule->why_not) return true;
  ses_complain(session, "%s", schedule->why_not);
  return false;
}

static void close(Session *session) {
  session->schedule_at.edits = false;
  ses_schedule_show_all(session);
}

static void view_now(Session *session, TimelineRooms *rooms, ScheduleView *view) {
  Layout layout;
  ses_layout(session, &layout);
  timeline_rooms(session, ses_panel_rect(session, &layout), rooms);
  scheduleview_place(ses_schedule(session), &session->schedule_at, rooms->picture, view);
}

// ---- the window -----------------------------------------------------------------------------------------------------

static void show_from(Session *session, const ScheduleView *view, double left, double width) {
  double span = view->schedule->chart->span;
  bool whole = width >= span;
  session->schedule_at.width = whole ? 0 : LS_MAX(width, LEAST_NS);
  session->schedule_at.left = LS_CLAMP(left, 0.0, LS_MAX(span - session->schedule_at.width, 0.0));
}

// The time under a column stays there.
static void zoom_at(Session *session, const ScheduleView *view, double column, double factor) {
  double time = scheduleview_time(view, column), width = view->width / factor;
  show_from(session, view, time - (time - view->left) / factor, width);
}

static void pan(Session *session, const ScheduleView *view, double share) {
  show_from(session, view, view->left + share * view->width, view->width);
}

// The chosen bar comes into the window.
static void follow(Session *session) {
  TimelineRooms rooms;
  ScheduleView view;
  view_now(session, &rooms, &view);
  const ProgramBar *bar = scheduleview_bar(&view);
  if (!bar || session->schedule_at.width <= 0) return;
  double end = view.left + view.width;
  if (bar->begin >= view.left && bar->end <= end) return;
  if (bar->end - bar->begin >= view.width && bar->begin < end && bar->end > view.left) return;   // it fills the window
  double left = bar->begin < view.left ? bar->begin - margin * view.width : bar->end - (1 - margin) * view.width;
  show_from(session, &view, LS_MIN(left, bar->begin), view.width);
}

// ---- the chosen bar -------------------------------------------------------------------------------------------------

static bool choose(Session *session, const ScheduleView *view, int row, int bar) {
  const ProgramChartRow *r = &view->schedule->chart->rows[row];
  if (bar < 0 || bar >= r->count) return true;
  session->schedule_at.step = r->bars[bar].step;
  session->schedule_at.row = row;
  follow(session);
  return true;
}

// The bar of a row that runs at a time, or the nearest one.
static int nearest(const ProgramChartRow *row, double time) {
  int at = program_chart_find(row, time);
  if (at >= row->count) return row->count - 1;
  bool gap = row->bars[at].begin > time && at > 0;
  return gap && time - row->bars[at - 1].end < row->bars[at].begin - time ? at - 1 : at;
}

static bool move_rows(Session *session, const ScheduleView *view, int by) {
  const ProgramBar *bar = scheduleview_bar(view);
  double time = bar ? bar->begin + (bar->end - bar->begin) / 2 : view->left + view->width / 2;
  for (int row = view->row + by; row >= 0 && row < view->all; row += by)
    if (view->schedule->chart->rows[row].count)
      return choose(session, view, row, nearest(&view->schedule->chart->rows[row], time));
  return true;
}

// To the step before or behind in the program's order that has a bar.
static bool move_steps(Session *session, const ScheduleView *view, int by, bool launches) {
  const Schedule *schedule = view->schedule;
  int place = schedule_place_of(schedule, session->schedule_at.step) + by;
  for (; place >= 0 && place < program_all_steps(schedule->program); place += by) {
    int step = schedule_step_at(schedule, place);
    int row = program_chart_home(schedule->chart, schedule->program, step);
    int bar = program_chart_bar(schedule->chart, row, step, schedule->times);
    bool fits = !launches || schedule->program->steps[step].kind == PROGRAM_LAUNCH;
    if (fits && bar >= 0) return choose(session, view, row, bar);
  }
  return true;
}

static bool open_launch(Session *session) {
  int step = session->schedule_at.step;
  if (ses_schedule(session)->program->steps[step].kind != PROGRAM_LAUNCH)
    return ses_complain(session, "only launches can be opened: { and } go to them");
  LsText name = {0};
  program_launch_name(ses_schedule(session)->program, step, &name);   // the code that is open may have others
  ses_close_panel(session);
  bool ok = ses_go_launch_of(session, ls_text_str(&name));
  ls_text_free(&name);
  return ok;
}

// ---- the model ------------------------------------------------------------------------------------------------------

static bool change(Session *session, double value) {
  ses_schedule_change(session, (ProgramModelId)session->schedule_at.pick, value);
  return true;
}

static bool edit(Session *session) {
  session->schedule_at.edits = !session->schedule_at.edits && !ses_schedule(session)->measured;
  if (ses_schedule(session)->measured) ses_complain(session, "these times were measured: there is no model to change");
  return true;
}

static bool edit_key(Session *session, uint32_t code) {
  const Schedule *schedule = ses_schedule(session);
  int pick = session->schedule_at.pick, by = 0;
  ProgramModelId id = (ProgramModelId)pick;
  double value = schedule->model.value[id];
  if (code == '0' || code == KEY_BACKSPACE_) return change(session, schedule->usual.value[id]);
  switch (command_for_key(code, CTX_X)) {
    case CMD_UP: by = -1; break;
    case CMD_DOWN: by = 1; break;
    case CMD_STEP_BACK: case CMD_SLOWER: return change(session, program_model_turn(id, value, -1));
    case CMD_STEP_NEXT: case CMD_FASTER: return change(session, program_model_turn(id, value, 1));
    case CMD_PARAMS: case CMD_CANCEL: case CMD_QUIT: case CMD_ENTER: return edit(session);
    default: return false;
  }
  session->schedule_at.pick = LS_CLAMP(pick + by, 0, PROGRAM_MODEL_COUNT - 1);
  return true;
}

// ---- keys -----------------------------------------------------------------------------------------------------------

// Before anything is there to walk through.
static bool leave(Session *session, uint32_t code) {
  CommandId id = command_for_key(code, CTX_X);
  if (id != CMD_CANCEL && id != CMD_QUIT && id != CMD_TIMELINE) return false;
  ses_close_panel(session);
  return true;
}

static bool key(Session *session, uint32_t code) {
  TimelineRooms rooms;
  ScheduleView view;
  session->message[0] = 0;
  if (!ses_schedule(session)->chart) return leave(session, code);
  if (command_for_key(code, CTX_X) == CMD_PLAY) return ses_schedule_play(session), true;
  ses_schedule_show_all(session);
  if (session->schedule_at.edits) return edit_key(session, code);
  view_now(session, &rooms, &view);
  const ProgramBar *bar = scheduleview_bar(&view);
  const ProgramChartRow *row = &view.schedule->chart->rows[view.row];
  double middle = bar ? scheduleview_column(&view, bar->begin + (bar->end - bar->begin) / 2) : view.cells.w / 2;
  if (code == '0') return show_from(session, &view, 0, view.schedule->chart->span), true;
  switch (command_for_key(code, CTX_X)) {
    case CMD_STEP_BACK: return choose(session, &view, view.row, view.bar - 1);
    case CMD_STEP_NEXT: return choose(session, &view, view.row, view.bar + 1);
    case CMD_UP: return move_rows(session, &view, -1);
    case CMD_DOWN: return move_rows(session, &view, 1);
    case CMD_LINE_BACK: pan(session, &view, -0.5); return true;
    case CMD_LINE_NEXT: pan(session, &view, 0.5); return true;
    case CMD_FIRST: return choose(session, &view, view.row, 0);
    case CMD_LAST: return choose(session, &view, view.row, row->count - 1);
    case CMD_FOCUS_NEXT: return move_steps(session, &view, 1, false);
    case CMD_FOCUS_BACK: return move_steps(session, &view, -1, false);
    case CMD_LAUNCH_NEXT: return move_steps(session, &view, 1, true);
    case CMD_LAUNCH_BACK: return move_steps(session, &view, -1, true);
    case CMD_FASTER: zoom_at(session, &view, middle, zoom_step); return true;
    case CMD_SLOWER: zoom_at(session, &view, middle, 1 / zoom_step); return true;
    case CMD_PARAMS: return edit(session);
    case CMD_ENTER: return open_launch(session);
    case CMD_CANCEL: case CMD_QUIT: case CMD_TIMELINE: ses_close_panel(session); return true;
    default: return false;
  }
}

// ---- the mouse ------------------------------------------------------------------------------------------------------

static bool click_model(Session *session, const TimelineRooms *rooms, AppKey mouse) {
  int row = timeline_model_row(rooms, session, mouse.y);
  if (mouse.button != 1 || row < 0) return false;
  session->schedule_at.pick = row;
  return true;
}

static bool point_at(Session *session, const ScheduleView *view, AppKey mouse) {
  session->schedule_at.dragged = mouse.x;
  int row = scheduleview_row_at(view, mouse.y);
  if (row < 0 || !view->schedule->chart->rows[row].count) return true;
  double time = scheduleview_time(view, mouse.x - view->cells.x + 0.5);
  return choose(session, view, row, nearest(&view->schedule->chart->rows[row], time));
}

// The time under the mouse goes with it.
static bool drag(Session *session, const ScheduleView *view, AppKey mouse) {
  double columns = session->schedule_at.dragged - mouse.x;
  session->schedule_at.dragged = mouse.x;
  show_from(session, view, view->left + columns * view->width / view->cells.w, view->width);
  return true;
}

static bool click(Session *session, Rect rect, AppKey mouse) {
  TimelineRooms rooms;
  ScheduleView view;
  if (!ses_schedule(session)->chart) return true;
  timeline_rooms(session, rect, &rooms);
  scheduleview_place(ses_schedule(session), &session->schedule_at, rooms.picture, &view);
  double column = LS_CLAMP(mouse.x - view.cells.x, 0, view.cells.w - 1) + 0.5;
  bool inside = mouse.y < rooms.picture.y + rooms.picture.h;
  if (!inside) return click_model(session, &rooms, mouse);
  if (mouse.button == 4) zoom_at(session, &view, column, zoom_step);
  else if (mouse.button == 5) zoom_at(session, &view, column, 1 / zoom_step);
  else if (mouse.button == 1) return point_at(session, &view, mouse);
  else if (mouse.button == DRAG) return drag(session, &view, mouse);
  return true;
}

static const FooterKey keys[] = {{"←→", "left right", "bar"}, {"↑↓", "up down", "row"}, {"+ -", NULL, "zoom"},
                                 {"0", NULL, "whole"}, {"⏎", "enter", "open"}, {"p", NULL, "what if"},
                                     {"space", NULL, "play"},
                                 {"⇧←→", "H L", "pan"}, {"{ }", NULL, "launch"}, {"tab", NULL, "step"},
                                 {"esc", NULL, "close"}};

static const FooterKey edit_keys[] = {{"←→", "left right", "change"}, {"↑↓", "up down", "choose"},
                                      {"0", NULL, "as at first"}, {"space", NULL, "play"}, {"p", NULL, "done"}};

static int keys_now(const Session *session, const FooterKey **out) {
  *out = session->schedule_at.edits ? edit_keys : keys;
  return session->schedule_at.edits ? LS_COUNT(edit_keys) : LS_COUNT(keys);
}

const SesPanel panel_timeline = {
    .place = PANEL_SCREEN, .crumb = "timeline", .keys = keys, .key_count = LS_COUNT(keys),
    .keys_now = keys_now,
    .open = open, .key = key, .click = click, .draw = view_draw_timeline, .close = close,
};
