// scheduleview.c: from a schedule, a cursor and a rectangle to rows and columns.
#include "app/session/scheduleview.h"

#include "base/mem.h"

enum { HEAD = 2, IDLE_FROM = 70 };   // rule and axis; columns from which shares have room

// Rows of the picture: all that go by once, use and path below them, and lines between them where there is room.
static void place_rows(const ProgramChart *chart, Rect rect, ScheduleView *view) {
  int room = LS_MAX(rect.h - HEAD, 0);
  bool has_path = program_chart_path(chart) != NULL;
  view->all = chart->row_count - has_path;
  int below = (chart->knows_use && room >= 5) + (has_path && room >= 4);
  view->rows = LS_CLAMP(room - below, 0, view->all);
  view->apart = view->all > 1 && 2 * view->all - 1 + below + (below > 0) <= room ? 2 : 1;
  int used = view->apart == 2 ? 2 * view->all - 1 : view->rows;
  view->cells.h = used;
  int next = view->cells.y + used + (below && view->apart == 2);
  view->use_y = chart->knows_use && room >= 5 ? next++ : -1;
  view->path_y = has_path && room >= 4 ? next : -1;
  view->top = LS_CLAMP(view->row - view->rows / 2, 0, view->all - view->rows);
}

static void place_time(const ProgramChart *chart, const SesScheduleAt *at, ScheduleView *view) {
  bool whole = at->width <= 0 || at->width >= chart->span;
  view->width = whole ? LS_MAX(chart->span, 1.0) : at->width;
  view->left = whole ? 0 : LS_CLAMP(at->left, 0.0, chart->span - view->width);
}

static void place_cursor(const Schedule *schedule, const SesScheduleAt *at, ScheduleView *view) {
  const ProgramChart *chart = schedule->chart;
  int step = LS_CLAMP(at->step, 0, program_all_steps(schedule->program) - 1), held = schedule->times[step].waited_for;
  view->row = LS_CLAMP(at->row, 0, view->all - 1);
  view->bar = program_chart_bar(chart, view->row, step, schedule->times);
  if (view->bar < 0) {
    view->row = program_chart_home(chart, schedule->program, step);
    view->bar = program_chart_bar(chart, view->row, step, schedule->times);
  }
  if (chart->rows[view->row].kind == CHART_HOST && program_is_on_device(&schedule->program->steps[step])) held = -1;
  view->held_row = held < 0 ? -1 : program_chart_home(chart, schedule->program, held);
  view->held_bar = held < 0 ? -1 : program_chart_bar(chart, view->held_row, held, schedule->times);
}

void scheduleview_place(const Schedule *schedule, const SesScheduleAt *at, Rect rect, ScheduleView *view) {
  *view = (ScheduleView){.schedule = schedule, .use_y = -1, .path_y = -1, .bar = -1, .held_row = -1, .held_bar = -1};
  if (!schedule->chart) return;
  view->has_idle = rect.w >= IDLE_FROM;
  view->cells = (Rect){rect.x + SCHEDULE_LABEL_W, rect.y + HEAD, 0, 0};
  view->cells.w = LS_MAX(rect.w - SCHEDULE_LABEL_W - (view->has_idle ? SCHEDULE_IDLE_W + 2 : 2), 1);
  view->all = schedule->chart->row_count - (program_chart_path(schedule->chart) != NULL);
  place_cursor(schedule, at, view);
  place_rows(schedule->chart, rect, view);
  place_time(schedule->chart, at, view);
}

double scheduleview_time(const ScheduleView *view, double column) {
  return view->left + view->width * column / (double)view->cells.w;
}

int scheduleview_column(const ScheduleView *view, double time) {
  double at = (time - view->left) / view->width * (double)view->cells.w;
  return (int)LS_CLAMP(at, 0.0, (double)view->cells.w - 1);
}

int scheduleview_y(const ScheduleView *view, int row) {
  if (row < view->top || row >= view->top + view->rows) return -1;
  return view->cells.y + (row - view->top) * view->apart;
}

int scheduleview_row_at(const ScheduleView *view, int y) {
  int line = y - view->cells.y;
  if (line < 0 || line >= view->cells.h || line % view->apart) return -1;
  return view->top + line / view->apart;
}

const ProgramBar *scheduleview_bar(const ScheduleView *view) {
  return view->bar < 0 ? NULL : &view->schedule->chart->rows[view->row].bars[view->bar];
}
