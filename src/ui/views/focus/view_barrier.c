// view_barrier.c: the warps of a block on their way to a barrier; lanes that meet inside a warp.
#include <stdio.h>
#include <string.h>
#include "base/mem.h"
#include "ui/views/focus/focus.h"
#include "ui/views/focus/lanestrip.h"

// Time runs from the last release to the next one and a little beyond. In the emulator one warp runs at a time.
//                    ▾
//   w0   ████▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒██──   1st
//   w1   ────████▒▒▒▒▒▒▒▒▒▒▒▒──██   2nd
//   w2   ────────────████████────   last: releases all
enum { WARPS = 32, LANES = 32, MAX_COLUMNS = 256, WALK_STEPS = 16384, MAX_FINDS = 256, LABEL = 8, LEAST_WARPS = 3,
      GOOD_WARPS = 8 };
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
  uint64_t frontier;              // what lies beyond is still to come while the event is played
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

// ---- playing ---------------------------------------------------------------------------------------------------------

static uint64_t arrival_of(const Phase *p, int order) {
  for (int w = 0; w < WARPS; w++)
    if (p->warps[w].order == order) return p->warps[w].arrival;
  return p->first;
}

// Time goes on from one arrival to the next, each of them a part; behind the last one all is there.
static void find_frontier(Phase *p) {
  int arrivals = 0;
  for (int w = 0; w < WARPS; w++) arrivals += p->warps[w].order > 0;
  p->frontier = p->end;
  uint64_t before = p->first;
  for (int i = 0; i < arrivals; i++) {
    double part = focus_part(p->focus, i, arrivals);
    uint64_t next = arrival_of(p, i + 1);
    if (part < 1) {
      p->frontier = before + (uint64_t)((double)(next - before) * part);
      return;
    }
    before = next;
  }
}

// ---- drawing ---------------------------------------------------------------------------------------------------------

enum { RUNS = 0x2588, COULD_RUN = 0x2500, WAITS = 0x2592, ENDED = 0xb7, SOME_WAIT = 0x2583 };
// How many of several warps wait. In ASCII, too, these are no glyphs of the others.
static const uint32_t shares[] = {0x2581, SOME_WAIT, 0x2586, 0x2587};

// Rows: a warp, or warps that follow one another.
typedef struct WarpRow { int first, last; } WarpRow;
typedef struct Counts { int running, waiting, ended, all; } Counts;

static Counts count_at(const Phase *p, WarpRow row, int column, uint64_t at) {
  Counts c = {.all = row.last - row.first + 1};
  for (int w = row.first; w <= row.last; w++) {
    const WarpTime *warp = &p->warps[w];
    bool ended = warp->exit != NEVER && warp->exit < at, runs = p->walked && warp->runs[column];
    if (ended) c.ended++;
    else if (runs) c.running++;
    else if (warp->arrival <= at && at < p->release) c.waiting++;
  }
  return c;
}

// Of several warps: how many of them wait, as the height of the cell.
static void draw_time(const Phase *p, WarpRow row, int y) {
  Canvas *canvas = p->focus->canvas;
  for (int i = 0; i < p->columns; i++) {
    uint64_t at = p->first + (p->end - p->first) * (uint64_t)i / (uint64_t)p->columns;
    if (at >= p->frontier && p->frontier < p->end) return;
    Counts c = count_at(p, row, i, at);
    if (c.ended == c.all) canvas_put(canvas, p->x + i, y, ENDED, ROLE_GONE, 0);
    else if (c.waiting + c.ended == c.all) canvas_put(canvas, p->x + i, y, WAITS, ROLE_WAITING, 0);
    else if (c.running && c.waiting == 0) canvas_put(canvas, p->x + i, y, RUNS, ROLE_ACTIVE, 0);
    else if (c.waiting) canvas_put(canvas, p->x + i, y, shares[c.waiting * LS_COUNT(shares) / c.all], ROLE_WAITING, 0);
    else canvas_put(canvas, p->x + i, y, p->walked ? COULD_RUN : RUNS, p->walked ? ROLE_GONE : ROLE_ACTIVE, 0);
  }
}

static const char *ending(int order) {
  static const char *const endings[] = {"th", "st", "nd", "rd"};
  int teens = order % 100 >= 11 && order % 100 <= 13;
  return endings[!teens && order % 10 <= 3 ? order % 10 : 0];
}

static void warp_words(const Phase *p, int w, char *out, size_t size) {
  const WarpTime *warp = &p->warps[w];
  if (w == p->last) snprintf(out, size, p->focus->wide ? "last: releases all" : "last");
  else if (warp->order) snprintf(out, size, "%d%s", warp->order, ending(warp->order));
  else if (warp->exit != NEVER) snprintf(out, size, "done");
  else snprintf(out, size, p->focus->wide ? "never arrives" : "never");
}

// Of several warps: where in the order they come, if no other comes between them; else how many do what.
static void row_words(const Phase *p, WarpRow row, char *out, size_t size) {
  int arrive = 0, done = 0, low = WARPS + 1, high = 0, all = row.last - row.first + 1;
  for (int w = row.first; w <= row.last; w++) {
    const WarpTime *warp = &p->warps[w];
    if (!warp->order) {
      done += warp->exit != NEVER;
      continue;
    }
    arrive++;
    low = LS_MIN(low, warp->order), high = LS_MAX(high, warp->order);
  }
  int never = all - arrive - done;
  bool wide = p->focus->wide;
  if (arrive == all && high - low + 1 == all && wide)
    snprintf(out, size, "%d%s %s %d%s", low, ending(low), all == 2 ? "and" : "to", high, ending(high));
  else if (never) snprintf(out, size, wide ? "%d never arrive%s" : "%d never", never, never == 1 ? "s" : "");
  else if (!arrive) snprintf(out, size, "%d done", done);
  else if (done && wide) snprintf(out, size, "%d arrive, %d done", arrive, done);
  else snprintf(out, size, wide ? "%d arrive" : "%d come", arrive);
}

static bool all_known(const Phase *p, WarpRow row) {
  for (int w = row.first; w <= row.last; w++)
    if (p->frontier < p->end && (p->warps[w].arrival == NEVER || p->warps[w].arrival >= p->frontier)) return false;
  return true;
}

static void draw_row(const Phase *p, WarpRow row, int y) {
  canvas_tall(p->focus->canvas, y);
  const Focus *focus = p->focus;
  bool one = row.first == row.last, here = one && row.first == focus->session->warp, never = false;
  char words[40], label[16];
  snprintf(label, sizeof label, one ? "w%d" : "w%d-w%d", row.first, row.last);
  canvas_text(focus->canvas, focus->body.x + FOCUS_INDENT, y, here ? ROLE_TEXT : ROLE_DIM, here ? STYLE_BOLD : 0,
              label);
  draw_time(p, row, y);
  if (!all_known(p, row)) return;
  for (int w = row.first; w <= row.last; w++) never |= p->warps[w].order == 0 && p->warps[w].exit == NEVER;
  if (one) warp_words(p, row.first, words, sizeof words);
  else row_words(p, row, words, sizeof words);
  Role role = never ? ROLE_ALARM : one && row.first == p->last ? ROLE_WAITING : ROLE_DIM;
  canvas_text(focus->canvas, p->x + p->columns + 2, y, role, 0, words);
}

static void draw_cursor(const Phase *p, int y) {
  canvas_put(p->focus->canvas, p->x + column_of(p, p->focus->session->step), y, 0x25be, ROLE_CURSOR, 0);
}

static void draw_legend(const Phase *p, bool grouped, int y) {
  static const struct { uint32_t code; Role role; const char *words; } keys[] = {
      {RUNS, ROLE_ACTIVE, "runs"}, {COULD_RUN, ROLE_GONE, "could run"}, {WAITS, ROLE_WAITING, "waits"},
      {SOME_WAIT, ROLE_WAITING, "some wait"}, {ENDED, ROLE_GONE, "has ended"}};
  int x = p->x;
  for (int i = 0; i < LS_COUNT(keys); i++) {
    if ((keys[i].code == COULD_RUN && !p->walked) || (keys[i].code == SOME_WAIT && !grouped)) continue;
    if (x + 2 + ls_utf8_width(keys[i].words) > p->focus->body.x + p->focus->body.w) return;
    canvas_put(p->focus->canvas, x, y, keys[i].code, keys[i].role, 0);
    x = canvas_text(p->focus->canvas, x + 2, y, ROLE_DIM, 0, keys[i].words) + 3;
  }
}

// ---- which warps have a row of their own -------------------------------------------------------------------------------

// Rows for these warps, one each, and for all that lie between them. Returns how many.
static int split_rows(uint32_t alone, int count, WarpRow rows[WARPS]) {
  int rows_made = 0;
  for (int w = 0; w < count; w++) {
    bool joins = rows_made && !(alone >> w & 1) && !(alone >> (w - 1) & 1);
    if (joins) rows[rows_made - 1].last = w;
    else rows[rows_made++] = (WarpRow){w, w};
  }
  return rows_made;
}

// One after another, who matters most first, as long as there are rows: the last to arrive, the warp of the event and
// that of the session, one that never arrives, the first to arrive, then their neighbors.
static int choose_rows(const Phase *p, int count, int room, WarpRow rows[WARPS]) {
  int wanted[5 + 2 * WARPS] = {p->last, p->focus->event->warp, p->focus->session->warp, -1, -1}, made = 5;
  for (int w = count - 1; w >= 0; w--) {
    if (!p->warps[w].order && p->warps[w].exit == NEVER) wanted[3] = w;
    if (p->warps[w].order == 1) wanted[4] = w;
  }
  for (int off = 1; off < count; off++) {
    wanted[made++] = p->focus->session->warp + off;
    wanted[made++] = p->focus->session->warp - off;
  }
  uint32_t alone = 0;
  for (int i = 0; i < made; i++) {
    if (wanted[i] < 0 || wanted[i] >= count) continue;
    uint32_t more = alone | 1u << wanted[i];
    if (split_rows(more, count, rows) <= room) alone = more;
  }
  return split_rows(alone, count, rows);
}

static void draw_warps(Phase *p) {
  const Focus *focus = p->focus;
  WarpRow shown[WARPS];
  int count = LS_CLAMP(focus->scene->warp_count, 1, WARPS), y = focus->body.y, rows = focus->body.h;
  bool cursor = focus->session->step >= p->first && focus->session->step < p->end && (rows > count || rows >= 5);
  if (cursor) draw_cursor(p, y++), rows--;
  int made = choose_rows(p, count, rows, shown), step = 2 * made + 4 <= rows && made == count ? 2 : 1;
  for (int i = 0; i < LS_MIN(made, rows); i++, y += step) draw_row(p, shown[i], y);
  rows -= step * (made - 1) + 1;
  if (rows > 1) draw_legend(p, made < count, y + 2 - step);
}

// Warps that have come: of the event, or while it is played, of the time that the picture has come to.
static int warps_there(const Phase *p) {
  int count = 0;
  if (p->frontier >= p->end) return p->focus->event->arrived;
  for (int w = 0; w < WARPS; w++) count += p->warps[w].order && p->warps[w].arrival < p->frontier;
  return count;
}

static void draw_barrier(Focus *focus, Rect rect) {
  Phase phase = {.focus = focus};
  char title[64], right[64];
  const TraceEvent *event = focus->event;
  bool known = focus_block(focus).count > 0;
  phase.x = focus->body.x + FOCUS_INDENT + LABEL;
  phase.columns = LS_CLAMP(focus->body.x + focus->body.w - phase.x - (focus->wide ? 22 : 10), 1, MAX_COLUMNS);
  if (known) {
    find_interval(&phase);
    gather(&phase);
    note_ended(&phase);
    find_frontier(&phase);
  }
  snprintf(title, sizeof title, "barrier %d", event->barrier_id);
  snprintf(right, sizeof right, "%d of %d warps there", known ? warps_there(&phase) : event->arrived, event->expected);
  focus_rule(focus, rect, title, right);
  if (known) draw_warps(&phase);
}

// Lanes of one warp that wait for one another.
static void draw_syncwarp(Focus *focus, Rect rect) {
  enum { WORDS_W = 12, STRIP = 10 };
  const TraceEvent *event = focus->event;
  Canvas *canvas = focus->canvas;
  focus_rule(focus, rect, "barrier of a warp · __syncwarp", NULL);
  int x = focus->body.x + FOCUS_INDENT, y = focus->body.y, strip = x + STRIP,
      room = focus->body.w - STRIP - WORDS_W - 4;
  int pitch = LS_CLAMP(room / LANES, 1, 3), words = strip + LANES * pitch + 2;
  bool tell = room >= LANES;
  uint32_t there = lanestrip_first(event->mask, focus_part(focus, 0, 1));
  if (focus->body.h >= 3) {
    canvas_text(canvas, x, y, ROLE_DIM, 0, "lane");
    lanestrip_header(canvas, strip, y++, pitch);
  }
  if (focus->body.h >= 2) {
    canvas_text(canvas, x, y, ROLE_DIM, 0, "members");
    lanestrip_draw(canvas, strip, y, pitch, (LaneStates){event->members, event->members, 0});
    if (tell) canvas_textf(canvas, words, y, ROLE_TEXT, 0, "0x%08x", event->members);
    y++;
  }
  canvas_text(canvas, x, y, ROLE_DIM, 0, "meet");
  lanestrip_draw(canvas, strip, y, pitch, (LaneStates){event->members, there, event->members & ~there});
  if (tell) canvas_textf(canvas, words, y, ROLE_TEXT, 0, "%d lanes", __builtin_popcount(there));
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
  Focus focus;
  if (!focus_room(&pane, session, cols, &focus, room)) return;
  *room = (FocusRoom){.least = 2, .good = 4, .whole = 4, .parts = 1};
  if (focus.event->kind != TRACE_BARRIER) return;
  int warps = LS_CLAMP(focus.scene->warp_count, 1, WARPS);
  room->least = 1 + LS_MIN(warps, LEAST_WARPS);
  room->good = 2 + LS_MIN(warps, GOOD_WARPS);
  room->whole = 4 + warps;
  room->parts = LS_MAX(focus.event->expected, 1);
}
