// view_timeline.c: the picture of a program over time: rows for the host, copy engines and streams, bars with names,
// idle time, and the critical path.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "ui/views/timeline.h"

//                  0           1 µs        2 µs                    idle
//   host           █ launch █░░ waits for the device ░░░░░░······   12%
//   stream a       ···· ▒ x → device ▒█ part<<<256, 128>>> ████··   40%
//   SMs busy       ················▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃
//   critical path  █ launch █ x → device █ part █████████████████
enum { FULL = 0x2588, LIGHT = 0x2591, MEDIUM = 0x2592, EDGE = 0x258f, THIN = 0x258e, DOT = 0xb7, DOWN = 0x2502 };
enum { TICK_W = 12, INDENT = 2, MOST_INDENT = 4, LEAST_NAME = 5, EIGHTHS = 8 };

typedef struct Pane { Canvas *canvas; ScheduleView view; const Schedule *schedule; double until; } Pane;

// ---- bars -----------------------------------------------------------------------------------------------------------

// How a bar is filled: with what, in whose color.
typedef struct Fill { uint32_t glyph; Role role; bool chosen; } Fill;

static Role kind_role(const ProgramStep *s, bool of_host) {
  if (of_host || !program_is_on_device(s)) return ROLE_SET5;
  return s->kind == PROGRAM_LAUNCH ? ROLE_SET0 : ROLE_SET2;
}

static Fill fill_of(const Pane *p, int row, int bar) {
  const ProgramChartRow *r = &p->schedule->chart->rows[row];
  const ProgramStep *s = &p->schedule->program->steps[r->bars[bar].step];
  bool of_host = r->kind == CHART_HOST || (r->kind == CHART_PATH && r->bars[bar].waits);
  Fill fill = {FULL, kind_role(s, of_host), p->view.row == row && p->view.bar == bar};
  bool lies_there = r->kind == CHART_HOST && r->bars[bar].waits, in_engine = r->kind == CHART_STREAM &&
      s->kind == PROGRAM_COPY;
  if (lies_there) fill = (Fill){LIGHT, ROLE_DIM, fill.chosen};
  else if (in_engine && s->direction <= PROGRAM_D2H) fill.glyph = MEDIUM;
  if (p->view.held_row == row && p->view.held_bar == bar) fill.role = ROLE_WAITING;
  if (fill.chosen) fill.role = ROLE_CURSOR;
  return fill;
}

static uint32_t height_of(double share) {
  return 0x2580 + (uint32_t)LS_CLAMP((int)(share * EIGHTHS + 0.5), 1, EIGHTHS);
}

// Columns of a bar that are its own: those that it covers for the greater part. begin == end: none.
static void columns_of(const Pane *p, const ProgramBar *bar, int *begin, int *end) {
  double w = (double)p->view.cells.w, first = (bar->begin - p->view.left) / p->view.width * w;
  double last = (LS_MIN(bar->end, p->until) - p->view.left) / p->view.width * w;
  *begin = (int)LS_CLAMP(first + 0.5, 0.0, w);
  *end = (int)LS_CLAMP(last + 0.5, 0.0, w);
}

// Before its first block a kernel is there, and waits; behind its last one it waits for its children.
static uint32_t glyph_at(const Pane *p, const ProgramBar *bar, const Fill *fill, int column) {
  double time = scheduleview_time(&p->view, column + 0.5);
  return time < bar->runs || time > bar->over ? LIGHT : fill->glyph;
}

// Of "1.2.1.2" the end says most: "….1.2".
static void keep_end(int room, LsText *name) {
  const char *end = ls_text_str(name);
  if (ls_utf8_width(end) <= room) return;
  while (end && (int)strlen(end) > room - 1) end = strchr(end + 1, '.');
  char *rest = end ? ls_format("…%s", end) : ls_strdup("");
  ls_text_clear(name);
  ls_text_add(name, rest);
  free(rest);
}

// As long as it fits, else in brief, else the beginning of that; "" where even this says nothing.
static void fitting_name(const Pane *p, int row, const ProgramBar *bar, int room, LsText *name) {
  const ProgramChartRow *r = &p->schedule->chart->rows[row];
  bool of_host = r->kind == CHART_HOST || (r->kind == CHART_PATH && bar->waits);
  ses_schedule_bar_name(p->schedule->program, bar, of_host, false, name);
  if (ls_utf8_width(ls_text_str(name)) <= room) return;
  ls_text_clear(name);
  ses_schedule_bar_name(p->schedule->program, bar, of_host, true, name);
  if (p->schedule->program->steps[bar->step].kin) keep_end(room, name);
  if (LS_MIN(ls_utf8_width(ls_text_str(name)), LEAST_NAME) > room) ls_text_clear(name);
}

// Between begin and end, in cells of one kind.
static void draw_name(const Pane *p, int row, const ProgramBar *bar, const Fill *fill, int begin, int end, int y) {
  LsText name = {0};
  int room = end - begin - 2, x = p->view.cells.x + begin;
  fitting_name(p, row, bar, room, &name);
  if (name.length) {
    bool on_path = program_chart_on_path(p->schedule->chart, bar->step, bar->begin, bar->end);
    bool solid = glyph_at(p, bar, fill, begin) == FULL;
    int width = LS_MIN(ls_utf8_width(ls_text_str(&name)), room), style = on_path || fill->chosen ? STYLE_BOLD : 0;
    Rect around = {x + 1, y, width + 1, 1};
    canvas_fill(p->canvas, around, ' ', ROLE_TEXT, 0);
    if (solid) canvas_background(p->canvas, around, fill->role);
    canvas_text_cut(p->canvas, x + 1, y, width, solid ? ROLE_TEXT : fill->role, style, ls_text_str(&name));
  }
  ls_text_free(&name);
}

// The first column of a bar behind another one has an edge.
static void put_edge(const Pane *p, const Fill *fill, bool solid, int x, int y) {
  if (solid) canvas_background(p->canvas, (Rect){x, y, 1, 1}, fill->role);
  canvas_put(p->canvas, x, y, EDGE, solid ? ROLE_TEXT : fill->role, 0);
}

// The name stands where the kernel runs, if that has room, else where it waits: in the longest part of one kind.
static void draw_bar(const Pane *p, int row, int index, int begin, int end, bool touches, int y) {
  const ProgramBar *bar = &p->schedule->chart->rows[row].bars[index];
  Fill fill = fill_of(p, row, index);
  int part = begin, from = begin, to = begin;
  for (int c = begin; c < end; c++) {
    uint32_t glyph = glyph_at(p, bar, &fill, c);
    canvas_put(p->canvas, p->view.cells.x + c, y, glyph, fill.role, 0);
    if (glyph != glyph_at(p, bar, &fill, part)) part = c;
    bool longer = c + 1 - part > to - from || (c + 1 - part == to - from && glyph == fill.glyph);
    if (longer) from = part, to = c + 1;
  }
  draw_name(p, row, bar, &fill, from, to, y);
  if (touches) put_edge(p, &fill, glyph_at(p, bar, &fill, begin) == FULL, p->view.cells.x + begin, y);
}

// ---- rows -----------------------------------------------------------------------------------------------------------

// A column with bars that are too short for it: how much of it they take.
static void draw_crowd(const Pane *p, int row, int column, int first, int y) {
  const ProgramChartRow *r = &p->schedule->chart->rows[row];
  double from = scheduleview_time(&p->view, column), to = LS_MIN(scheduleview_time(&p->view, column + 1), p->until);
  if (first >= r->count || r->bars[first].begin >= to || to <= from) return;
  double share = program_chart_busy(r, from, to) / (to - from);
  bool one = first + 1 >= r->count || r->bars[first + 1].begin >= to;
  Fill fill = fill_of(p, row, first);
  for (int i = first + 1; i < r->count && i < first + EIGHTHS && r->bars[i].begin < to && !fill.chosen; i++) {
    Fill other = fill_of(p, row, i);
    if (other.chosen) fill = other;
  }
  bool tiny = one && r->bars[first].end - r->bars[first].begin < to - from;
  if (fill.glyph == FULL) canvas_put(p->canvas, p->view.cells.x + column, y, tiny ? THIN : height_of(share),
                                     fill.role, 0);
  else canvas_put(p->canvas, p->view.cells.x + column, y, tiny ? THIN : LIGHT, fill.role, 0);
}

// The chosen bar is there, also where a longer one has its column.
static void put_hidden(const Pane *p, int column, int y) {
  canvas_put(p->canvas, p->view.cells.x + column, y, THIN, ROLE_CURSOR, 0);
}

static void draw_idle(const Pane *p, int y) {
  int reached = p->until < p->view.left + p->view.width ? scheduleview_column(&p->view, p->until) : p->view.cells.w;
  for (int c = 0; c < reached; c++) canvas_put(p->canvas, p->view.cells.x + c, y, DOT, ROLE_MASKED, 0);
}

// From bar to bar, or, where bars are shorter than columns, from column to column.
static void draw_row(const Pane *p, int row, int y) {
  const ProgramChartRow *r = &p->schedule->chart->rows[row];
  double last = LS_MIN(p->view.left + p->view.width, p->until);
  int reached = 0, at = program_chart_find(r, p->view.left);   // reached: column behind what is drawn
  draw_idle(p, y);
  while (at < r->count && r->bars[at].begin < last && reached < p->view.cells.w) {
    int begin, end;
    columns_of(p, &r->bars[at], &begin, &end);
    if (end > LS_MAX(begin, reached)) {
      draw_bar(p, row, at, LS_MAX(begin, reached), end, reached > 0 && begin <= reached, y);
      reached = end;
      at++;
      continue;
    }
    int column = LS_MIN((int)((r->bars[at].begin - p->view.left) / p->view.width * p->view.cells.w),
                        p->view.cells.w - 1);
    if (column >= reached) draw_crowd(p, row, column, at, y);
    else if (p->view.row == row && p->view.bar == at) put_hidden(p, LS_MAX(column, 0), y);
    reached = LS_MAX(reached, column + (column >= reached));
    at = LS_MAX(at + 1, program_chart_find(r, scheduleview_time(&p->view, reached)));
  }
}

static void draw_label(const Pane *p, int row, int y) {
  const ProgramChartRow *r = &p->schedule->chart->rows[row];
  bool here = row == p->view.row;
  LsText name = {0};
  int x = p->view.cells.x - SCHEDULE_LABEL_W + INDENT, indent = LS_MIN(r->depth, MOST_INDENT);
  ses_schedule_row_name(r, &name);
  canvas_text_cut(p->canvas, x + indent, y, SCHEDULE_LABEL_W - INDENT - 1 - indent, here ? ROLE_CURSOR : ROLE_DIM,
                  0,
                  ls_text_str(&name));
  ls_text_free(&name);
  if (!p->view.has_idle) return;
  char share[16];
  double idle = 1 - r->busy / LS_MAX(p->schedule->chart->span, 1.0);
  snprintf(share, sizeof share, "%.0f%%", 100 * LS_MAX(idle, 0.0));
  canvas_text_right(p->canvas, p->view.cells.x + p->view.cells.w + SCHEDULE_IDLE_W, y, here ? ROLE_TEXT : ROLE_DIM, 0,
                    share);
}

// ---- around the rows ------------------------------------------------------------------------------------------------

// A round number of nanoseconds that takes TICK_W columns at least.
static double tick_of(const ScheduleView *view) {
  double least = view->width / LS_MAX((double)view->cells.w / TICK_W, 1.0);
  static const double factors[] = {1, 2, 5};
  for (double power = 1;; power *= 10)
    for (int i = 0; i < LS_COUNT(factors); i++)
      if (power * factors[i] >= least || power > 1e18) return power * factors[i];
}

static void draw_axis(const Pane *p) {
  const ScheduleView *view = &p->view;
  double tick = tick_of(view);
  int y = view->cells.y - 1, end = view->cells.x;
  canvas_text(p->canvas, view->cells.x - SCHEDULE_LABEL_W + INDENT, y, ROLE_DIM, 0, "time");
  for (double n = (double)(int64_t)(view->left / tick); n * tick <= view->left + view->width; n++) {
    char text[24];
    if (n * tick < view->left) continue;
    int x = view->cells.x + scheduleview_column(view, n * tick);
    ses_format_ns((uint64_t)(n * tick + 0.5), text, sizeof text);
    if (x < end || x + ls_utf8_width(text) > view->cells.x + view->cells.w) continue;
    end = canvas_text(p->canvas, x, y, ROLE_DIM, 0, n > 0 ? text : "0") + 1;
  }
  if (view->has_idle)
    canvas_text_right(p->canvas, view->cells.x + view->cells.w + SCHEDULE_IDLE_W, y, ROLE_DIM, 0, "idle");
}

static void draw_use(const Pane *p) {
  const ScheduleView *view = &p->view;
  canvas_text(p->canvas, view->cells.x - SCHEDULE_LABEL_W + INDENT, view->use_y, ROLE_DIM, 0, "SMs busy");
  draw_idle(p, view->use_y);
  for (int c = 0; c < view->cells.w; c++) {
    double from = scheduleview_time(view, c), to = LS_MIN(scheduleview_time(view, c + 1), p->until);
    double use = program_chart_use(p->schedule->chart, from, to);
    if (use > 0) canvas_put(p->canvas, view->cells.x + c, view->use_y, height_of(use), ROLE_ACTIVE, 0);
  }
}

static void draw_path(const Pane *p) {
  int row = p->schedule->chart->row_count - 1;
  canvas_text(p->canvas, p->view.cells.x - SCHEDULE_LABEL_W + INDENT, p->view.path_y, ROLE_DIM, 0, "critical path");
  draw_row(p, row, p->view.path_y);
}

// From the bar that is waited for to the chosen one, through what is idle between their rows.
static void draw_arrow(const Pane *p) {
  const ProgramBar *bar = scheduleview_bar(&p->view);
  int from = scheduleview_y(&p->view, p->view.held_row), to = scheduleview_y(&p->view, p->view.row);
  if (!bar || p->view.held_bar < 0 || from < 0 || to < 0 || bar->begin < p->view.left ||
      bar->begin > p->view.left + p->view.width)
    return;
  int x = p->view.cells.x + scheduleview_column(&p->view, bar->begin);
  for (int y = LS_MIN(from, to) + 1; y < LS_MAX(from, to); y++) {
    const Cell *cell = canvas_at(p->canvas, x, y);
    bool free = cell && !cell->background && (cell->code == ' ' || cell->code == DOT);
    if (free) canvas_put(p->canvas, x, y, DOWN, ROLE_WAITING, 0);
  }
}

static void put_cursor(const Pane *p) {
  const ProgramBar *bar = scheduleview_bar(&p->view);
  int y = scheduleview_y(&p->view, p->view.row);
  if (!bar || y < 0) return;
  p->canvas->cursor_x = p->view.cells.x + scheduleview_column(&p->view, bar->begin);
  p->canvas->cursor_y = y;
}

// Rows that have no room are counted where they are missing.
static void rule_right(const Pane *p, LsText *out) {
  const int hidden[] = {p->view.top, p->view.all - p->view.top - p->view.rows};
  static const char *const signs[] = {"▴", "▾"};
  for (int i = 0; i < 2; i++)
    if (hidden[i] > 0) ls_text_addf(out, "%s %d more row%s   ", signs[i], hidden[i], hidden[i] == 1 ? "" : "s");
  ses_schedule_total(p->schedule, p->view.has_idle && !out->length, out);
}

void timeline_picture(Session *session, Canvas *canvas, Rect rect) {
  const Schedule *schedule = ses_schedule(session);
  const SesScheduleAt *at = &session->schedule_at;
  Pane p = {.canvas = canvas, .schedule = schedule};
  LsText title = {0}, right = {0};
  scheduleview_place(schedule, at, rect, &p.view);
  p.until = at->until > 0 ? at->until : schedule->chart->span + 1;
  ses_schedule_title(schedule, &title);
  rule_right(&p, &right);
  view_rule(canvas, rect, ls_text_str(&title), ls_text_str(&right));
  ls_text_free(&title);
  ls_text_free(&right);
  draw_axis(&p);
  for (int row = p.view.top; row < p.view.top + p.view.rows; row++) {
    int y = scheduleview_y(&p.view, row);
    draw_label(&p, row, y);
    draw_row(&p, row, y);
  }
  if (p.view.use_y >= 0) draw_use(&p);
  if (p.view.path_y >= 0) draw_path(&p);
  draw_arrow(&p);
  put_cursor(&p);
}
