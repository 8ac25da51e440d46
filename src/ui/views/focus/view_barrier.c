// view_barrier.c: the warps of a block on their way to a barrier; lanes that meet inside a warp.
#include <stdio.h>
#include <string.h>
#include "base/mem.h"
#include "ui/views/focus/focus.h"

// Time runs from the last release to the next one and a little beyond. In the emulator one warp runs at a time.
//                    ▾
//   w0   ████▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒██──   1st
//   w1   ────████▒▒▒▒▒▒▒▒▒▒▒▒──██   2nd
//   w2   ────────────████████────   last: releases all
enum { WARPS = 32, LANES = 32, MAX_COLUMNS = 256, WALK_STEPS = 16384, MAX_FINDS = 256, LABEL = 6 };
static const uint64_t NEVER = UINT64_MAX;

typedef struct WarpTime {
  uint64_t arrival, exit;      // steps; NEVER
  int order;                   // of arrival, from 1; 0: none
  uint8_t runs[MAX_COLUMNS];   // executes something in the column
} WarpTime;

typedef struct Phase {
  Focus *focus;
  uint64_t first, end, release;   // steps [first, end); NEVER: nobody released them
  int columns, x;
  int last;                       // warp that arrived last, -1
  bool walked;                    // runs[] is known
  WarpTime warps[WARPS];
} Phase;

// ---- the interval ----------------------------------------------------------------------------------------------------

// The nearest release of this barrier from a step on; false if there is none in the block.
static bool find_release(const Focus *focus, uint64_t from, int dir, TraceEvent *found) {
  Trace *trace = focus->session->run->trace;
  TraceQuery query;
  trace_query_init(&query);
  query.kinds = 1u << TRACE_BARRIER;
  query.block = focus->event->block;
  for (int i = 0; i < MAX_FINDS && trace_find(trace, from, dir, &query, &from, NULL); i++) {
    if (!trace_event(trace, from, found, NULL)) return false;
    if (found->flags & TRACE_LAST_ARRIVAL && found->barrier_id == focus->event->barrier_id) return true;
  }
  return false;
}

static void find_interval(Phase *p) {
  const TraceEvent *event = p->focus->event;
  TraceBlock block = focus_block(p->focus);
  TraceEvent found;
  p->first = find_release(p->focus, event->step, -1, &found) ? found.step : block.first;
  p->release = NEVER;
  p->last = -1;
  if (event->flags & TRACE_LAST_ARRIVAL) p->release = event->step, p->last = event->warp;
  else if (find_release(p->focus, event->step, 1, &found)) p->release = found.step, p->last = found.warp;
  uint64_t end = block.first + block.count, after = p->release == NEVER ? end : p->release + 1;
  // The cursor is kept in the picture while it is not far beyond.
  uint64_t length = after - p->first, shown = after + length / 8 + 1, cursor = p->focus->session->step;
  if (cursor < after + length) shown = LS_MAX(shown, cursor + 1);
  p->end = LS_MIN(end, shown);
}

// ---- what every warp does --------------------------------------------------------------------------------------------

static int column_of(const Phase *p, uint64_t step) {
  return (int)((step - p->first) * (uint64_t)p->columns / (p->end - p->first));
}

static void note(Phase *p, const TraceEvent *event, int *arrived) {
  if (event->warp >= WARPS) return;
  WarpTime *warp = &p->warps[event->warp];
  bool arrives = event->kind == TRACE_BARRIER && event->barrier_id == p->focus->event->barrier_id && event->step > p->first;
  if (arrives && warp->arrival == NEVER && !(event->flags & TRACE_BAR_ARRIVE)) {
    warp->arrival = event->step;
    warp->order = ++*arrived;
  }
  if (event->kind == TRACE_EXIT && event->mask == event->active) warp->exit = event->step;
}

// Short intervals are read event by event; of long ones only arrivals and ends.
static void gather(Phase *p) {
  Trace *trace = p->focus->session->run->trace;
  TraceEvent event;
  TraceQuery query;
  int arrived = 0;
  for (int w = 0; w < WARPS; w++) p->warps[w].arrival = p->warps[w].exit = NEVER;
  p->walked = p->end - p->first <= WALK_STEPS;
  if (p->walked) {
    for (uint64_t step = p->first; step < p->end && trace_event(trace, step, &event, NULL); step++) {
      note(p, &event, &arrived);
      if (event.warp < WARPS) p->warps[event.warp].runs[column_of(p, step)] = 1;
    }
    return;
  }
  trace_query_init(&query);
  query.kinds = 1u << TRACE_BARRIER | 1u << TRACE_EXIT;
  query.block = p->focus->event->block;
  uint64_t at = p->first;
  for (int i = 0; i < MAX_FINDS && trace_find(trace, at, 1, &query, &at, NULL) && at < p->end; i++)
    if (trace_event(trace, at, &event, NULL)) note(p, &event, &arrived);
}

// Those that had ended before the interval began.
static void note_ended(Phase *p) {
  TraceWarp warps[WARPS];
  memset(warps, 0, sizeof warps);
  if (!trace_warps(p->focus->session->run->trace, p->first, warps, NULL)) return;
  for (int w = 0; w < WARPS; w++)
    if (warps[w].live == 0) p->warps[w].exit = p->first;
}

// ---- drawing ---------------------------------------------------------------------------------------------------------

static void draw_time(const Phase *p, const WarpTime *warp, int y) {
  Canvas *canvas = p->focus->canvas;
  for (int i = 0; i < p->columns; i++) {
    uint64_t at = p->first + (p->end - p->first) * (uint64_t)i / (uint64_t)p->columns;
    if (warp->exit != NEVER && warp->exit < at) canvas_put(canvas, p->x + i, y, 0xb7, ROLE_GONE, 0);
    else if (p->walked && warp->runs[i]) canvas_put(canvas, p->x + i, y, 0x2588, ROLE_ACTIVE, 0);
    else if (warp->arrival <= at && at < p->release) canvas_put(canvas, p->x + i, y, 0x2592, ROLE_WAITING, 0);
    else if (p->walked) canvas_put(canvas, p->x + i, y, 0x2500, ROLE_GONE, 0);
    else canvas_put(canvas, p->x + i, y, 0x2588, ROLE_ACTIVE, 0);
  }
}

static void order_words(const Phase *p, int w, char *out, size_t size) {
  static const char *const endings[] = {"th", "st", "nd", "rd"};
  const WarpTime *warp = &p->warps[w];
  int order = warp->order, teens = order % 100 >= 11 && order % 100 <= 13;
  if (w == p->last) snprintf(out, size, p->focus->wide ? "last: releases all" : "last");
  else if (order) snprintf(out, size, "%d%s", order, endings[!teens && order % 10 <= 3 ? order % 10 : 0]);
  else if (warp->exit != NEVER) snprintf(out, size, "done");
  else snprintf(out, size, p->focus->wide ? "never arrives" : "never");
}

static void draw_warp(const Phase *p, int w, int y) {
  const Focus *focus = p->focus;
  bool here = w == focus->session->warp;
  char words[32];
  canvas_textf(focus->canvas, focus->body.x + FOCUS_INDENT, y, here ? ROLE_TEXT : ROLE_DIM, here ? STYLE_BOLD : 0, "w%d", w);
  draw_time(p, &p->warps[w], y);
  order_words(p, w, words, sizeof words);
  bool missing = p->warps[w].order == 0 && p->warps[w].exit == NEVER;
  Role role = missing ? ROLE_ALARM : w == p->last ? ROLE_WAITING : ROLE_DIM;
  canvas_text(focus->canvas, p->x + p->columns + 2, y, role, 0, words);
}

static void draw_cursor(const Phase *p, int y) {
  canvas_put(p->focus->canvas, p->x + column_of(p, p->focus->session->step), y, 0x25be, ROLE_CURSOR, 0);
}

static void draw_legend(const Phase *p, int y) {
  static const struct { uint32_t code; Role role; const char *words; } keys[] = {
      {0x2588, ROLE_ACTIVE, "runs"}, {0x2500, ROLE_GONE, "could run"}, {0x2592, ROLE_WAITING, "waits"},
      {0xb7, ROLE_GONE, "has ended"}};
  int x = p->x;
  for (int i = 0; i < LS_COUNT(keys); i++) {
    if (keys[i].code == 0x2500 && !p->walked) continue;
    if (x + 2 + ls_utf8_width(keys[i].words) > p->focus->body.x + p->focus->body.w) return;
    canvas_put(p->focus->canvas, x, y, keys[i].code, keys[i].role, 0);
    x = canvas_text(p->focus->canvas, x + 2, y, ROLE_DIM, 0, keys[i].words) + 3;
  }
}

static void draw_warps(Phase *p) {
  const Focus *focus = p->focus;
  int count = focus->scene->warp_count, y = focus->body.y, rows = focus->body.h;
  bool cursor = focus->session->step >= p->first && focus->session->step < p->end;
  if (cursor && (rows > count || rows >= 5)) draw_cursor(p, y++), rows--;
  int shown = count <= rows ? count : rows >= 4 ? rows - 1 : rows;
  int top = LS_CLAMP(focus->session->warp - shown / 2, 0, LS_MAX(count - shown, 0));
  for (int i = 0; i < shown; i++) draw_warp(p, top + i, y + i);
  y += shown;
  if (shown < count && rows > shown) focus_more(focus, y++, count - shown, "warp");
  if (shown == count && rows > shown + 1) draw_legend(p, y + 1);
}

static void draw_barrier(Focus *focus, Rect rect) {
  Phase phase = {.focus = focus};
  char title[64], right[64];
  const TraceEvent *event = focus->event;
  snprintf(title, sizeof title, "barrier %d", event->barrier_id);
  snprintf(right, sizeof right, "%d of %d warps there", event->arrived, event->expected);
  focus_rule(focus, rect, title, right);
  if (focus_block(focus).count == 0) return;
  find_interval(&phase);
  phase.x = focus->body.x + FOCUS_INDENT + LABEL;
  phase.columns = LS_CLAMP(focus->body.x + focus->body.w - phase.x - (focus->wide ? 22 : 8), 1, MAX_COLUMNS);
  gather(&phase);
  note_ended(&phase);
  draw_warps(&phase);
}

// Lanes of one warp that wait for one another.
static void draw_syncwarp(Focus *focus, Rect rect) {
  const TraceEvent *event = focus->event;
  Canvas *canvas = focus->canvas;
  focus_rule(focus, rect, "barrier of a warp · __syncwarp", NULL);
  int x = focus->body.x + FOCUS_INDENT, y = focus->body.y, strip = x + 10;
  static const int marks[] = {0, 8, 16, 24, 31};
  bool words = strip + LANES + 12 < focus->body.x + focus->body.w;
  if (focus->body.h >= 3) {
    canvas_text(canvas, x, y, ROLE_DIM, 0, "lane");
    for (int i = 0; i < LS_COUNT(marks); i++)
      canvas_textf(canvas, strip + marks[i] - (marks[i] == 31), y, ROLE_DIM, 0, "%d", marks[i]);
    y++;
  }
  if (focus->body.h >= 2) {
    canvas_text(canvas, x, y, ROLE_DIM, 0, "members");
    canvas_lanes(canvas, strip, y, event->members, event->members, 0);
    if (words) canvas_textf(canvas, strip + LANES + 2, y, ROLE_TEXT, 0, "0x%08x", event->members);
    y++;
  }
  canvas_text(canvas, x, y, ROLE_DIM, 0, "meet");
  canvas_lanes(canvas, strip, y, event->members, event->mask, event->members & ~event->mask);
  if (words) canvas_textf(canvas, strip + LANES + 2, y, ROLE_TEXT, 0, "%d lanes", __builtin_popcount(event->mask));
}

static const FocusPane pane = {FOCUS_BARRIER,
                               "Barriers show here with the warps that wait at them; this warp has come to none yet. "
                               "Press n for the next event of interest."};

void view_draw_barrier(Session *session, Canvas *canvas, Rect rect) {
  Focus focus;
  if (!focus_begin(&pane, session, canvas, rect, &focus)) return;
  if (focus.event->kind == TRACE_BARRIER) draw_barrier(&focus, rect);
  else draw_syncwarp(&focus, rect);
}

void view_room_barrier(Session *session, int cols, FocusRoom *room) {
  (void)session, (void)cols;
  *room = (FocusRoom){.least = 6, .good = 10, .whole = 14, .parts = 1};
}
