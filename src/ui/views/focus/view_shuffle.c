// view_shuffle.c: how values move between the lanes of a warp.
#include "ui/views/focus/view_shuffle.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/mem.h"

// A net is a lane and all that read from it. It comes down from the lane above, runs along a track, and goes down to the
// lanes that get the value. Where two lanes read from one another, one arc stands for both:
//
//   0  1  2  3         0  1  2  3
//   │  │  │  │         │  │  │
//   ╰─────╯  │         ╰─╮╰─╮╰─╮
//      ╰─────╯           ▾  ▾  ▾
enum { LANES = 32, MAX_SERIES = 10, ROOMY = 10 };   // ROOMY: rows left over
typedef struct Net { int source; uint32_t readers; int low, high, track; } Net;   // low, high: columns

typedef enum Move { MOVE_XOR, MOVE_UP, MOVE_DOWN, MOVE_INDEX } Move;
typedef struct Exchange { Move move; int distance; uint32_t moves; } Exchange;   // moves: lanes that get another's value

typedef struct Series { Exchange steps[2 * MAX_SERIES + 1]; int count, now; } Series;

typedef struct Shuffle {
  Focus *focus;
  LaneRow row;
  Exchange now;
  bool paired;               // everyone reads from the one that reads from him
  Net nets[LANES]; int net_count, tracks;
  Series series;
} Shuffle;

// ---- what kind of exchange -------------------------------------------------------------------------------------------

static bool distance_is(const TraceEvent *event, uint32_t moves, Move move, int distance) {
  for (uint32_t left = moves; left; left &= left - 1) {
    int lane = __builtin_ctz(left), from = event->source[lane];
    int is = move == MOVE_XOR ? lane ^ from : move == MOVE_UP ? lane - from : from - lane;
    if (is != distance) return false;
  }
  return distance > 0;
}

static Move move_of_code(const Session *session, int pc) {
  const PtxModule *module = session->run->module;
  if (!module || pc < 0 || pc >= module->code_count) return MOVE_XOR;
  switch (module->code[pc].mode) {
    case PTX_SHFL_UP: return MOVE_UP;
    case PTX_SHFL_DOWN: return MOVE_DOWN;
    case PTX_SHFL_IDX: return MOVE_INDEX;
    default: return MOVE_XOR;
  }
}

static Exchange exchange_of(const Session *session, const TraceEvent *event) {
  Exchange exchange = {.move = move_of_code(session, event->pc)};
  for (uint32_t left = event->mask; left; left &= left - 1) {
    int lane = __builtin_ctz(left);
    if (event->source[lane] != lane) exchange.moves |= 1u << lane;
  }
  if (!exchange.moves) return exchange;
  int lane = __builtin_ctz(exchange.moves), from = event->source[lane];
  if (exchange.move == MOVE_INDEX) exchange.distance = from;
  else exchange.distance = exchange.move == MOVE_XOR ? lane ^ from : abs(lane - from);
  if (exchange.move != MOVE_INDEX && !distance_is(event, exchange.moves, exchange.move, exchange.distance))
    exchange.move = MOVE_INDEX;
  return exchange;
}

static bool one_source(const TraceEvent *event, uint32_t moves, int lane) {
  for (uint32_t left = moves; left; left &= left - 1)
    if (event->source[__builtin_ctz(left)] != lane) return false;
  return true;
}

static void exchange_words(const TraceEvent *event, const Exchange *exchange, char *out, size_t size) {
  switch (exchange->move) {
    case MOVE_XOR: snprintf(out, size, "xor %d", exchange->distance); break;
    case MOVE_UP: snprintf(out, size, "up %d", exchange->distance); break;
    case MOVE_DOWN: snprintf(out, size, "down %d", exchange->distance); break;
    case MOVE_INDEX:
      if (exchange->moves && one_source(event, exchange->moves, exchange->distance))
        snprintf(out, size, "from lane %d", exchange->distance);
      else snprintf(out, size, "by index");
      break;
  }
}

// ---- nets ------------------------------------------------------------------------------------------------------------

static int column(const Shuffle *s, int lane, bool reader) {
  return s->row.x + lane * s->row.pitch + (reader && !s->paired ? 0 : 1);
}

static bool is_paired(const TraceEvent *event, uint32_t moves) {
  for (uint32_t left = moves; left; left &= left - 1) {
    int lane = __builtin_ctz(left), from = event->source[lane];
    if (!(event->mask >> from & 1) || event->source[from] != lane) return false;
  }
  return moves != 0;
}

static void add_net(Shuffle *s, int source, uint32_t readers) {
  Net net = {.source = source, .readers = readers, .low = column(s, source, false), .high = column(s, source, false)};
  for (uint32_t left = readers; left; left &= left - 1) {
    int x = column(s, __builtin_ctz(left), true);
    net.low = LS_MIN(net.low, x);
    net.high = LS_MAX(net.high, x);
  }
  s->nets[s->net_count++] = net;
}

// Every net takes the first track where it has room.
static void lay_tracks(Shuffle *s) {
  const TraceEvent *event = s->focus->event;
  int busy[LANES];
  s->paired = is_paired(event, s->now.moves);
  for (int source = 0; source < LANES; source++) {
    uint32_t readers = 0;
    for (uint32_t left = s->now.moves; left; left &= left - 1)
      if (event->source[__builtin_ctz(left)] == source) readers |= left & -left;
    if (readers && !(s->paired && __builtin_ctz(readers) < source)) add_net(s, source, readers);
  }
  for (int i = 0; i < s->net_count; i++) {
    int track = 0;
    while (track < s->tracks && busy[track] >= s->nets[i].low) track++;
    s->tracks = LS_MAX(s->tracks, track + 1);
    busy[track] = s->nets[i].high;
    s->nets[i].track = track;
  }
}

enum { ARM_UP = 1, ARM_RIGHT = 2, ARM_DOWN = 4, ARM_LEFT = 8 };

static uint32_t joint(int arms) {
  static const uint16_t glyphs[16] = {
      [ARM_UP] = 0x2502, [ARM_DOWN] = 0x2502, [ARM_UP | ARM_DOWN] = 0x2502,
      [ARM_LEFT] = 0x2500, [ARM_RIGHT] = 0x2500, [ARM_LEFT | ARM_RIGHT] = 0x2500,
      [ARM_UP | ARM_RIGHT] = 0x2570, [ARM_UP | ARM_LEFT] = 0x256f, [ARM_DOWN | ARM_RIGHT] = 0x256d, [ARM_DOWN | ARM_LEFT] = 0x256e,
      [ARM_UP | ARM_LEFT | ARM_RIGHT] = 0x2534, [ARM_DOWN | ARM_LEFT | ARM_RIGHT] = 0x252c,
      [ARM_UP | ARM_DOWN | ARM_RIGHT] = 0x251c, [ARM_UP | ARM_DOWN | ARM_LEFT] = 0x2524, [15] = 0x253c};
  return glyphs[arms];
}

static Role role_of_net(const Shuffle *s, const Net *net) {
  int lane = s->row.lane;
  bool inspected = lane >= 0 && (net->source == lane || net->readers >> lane & 1);
  return inspected ? ROLE_CURSOR : net->track % 2 ? ROLE_SET1 : ROLE_SET0;
}

static void draw_uprights(const Shuffle *s, const Net *net, int y, int rows) {
  Canvas *canvas = s->focus->canvas;
  Role role = role_of_net(s, net);
  for (int row = 0; row < net->track; row++) canvas_put(canvas, column(s, net->source, false), y + row, 0x2502, role, 0);
  for (uint32_t left = net->readers; left; left &= left - 1) {
    int x = column(s, __builtin_ctz(left), true);
    if (s->paired)
      for (int row = 0; row < net->track; row++) canvas_put(canvas, x, y + row, 0x2502, role, 0);
    for (int row = net->track + 1; !s->paired && row < rows; row++)
      canvas_put(canvas, x, y + row, row + 1 < rows ? 0x2502 : 0x25be, role, 0);
  }
}

static void draw_track(const Shuffle *s, const Net *net, int y) {
  int source = column(s, net->source, false);
  for (int x = net->low; x <= net->high; x++) {
    int arms = (x > net->low ? ARM_LEFT : 0) | (x < net->high ? ARM_RIGHT : 0) | (x == source ? ARM_UP : 0);
    for (uint32_t left = net->readers; left; left &= left - 1)
      if (column(s, __builtin_ctz(left), true) == x) arms |= s->paired ? ARM_UP : ARM_DOWN;
    canvas_put(s->focus->canvas, x, y + net->track, joint(arms), role_of_net(s, net), 0);
  }
}

static int net_rows(const Shuffle *s) { return s->tracks + (s->paired ? 0 : 1); }

// A row in which lines leave the values, where there is room for it.
static void draw_stubs(const Shuffle *s, int y) {
  for (int i = 0; i < s->net_count; i++) {
    uint32_t lanes = 1u << s->nets[i].source | (s->paired ? s->nets[i].readers : 0);
    for (; lanes; lanes &= lanes - 1)
      canvas_put(s->focus->canvas, column(s, __builtin_ctz(lanes), false), y, 0x2502, role_of_net(s, &s->nets[i]), 0);
  }
}

static void draw_nets(const Shuffle *s, int y) {
  int rows = net_rows(s);
  for (int i = 0; i < s->net_count; i++) draw_uprights(s, &s->nets[i], y, rows);
  for (int i = 0; i < s->net_count; i++) draw_track(s, &s->nets[i], y);
}

// Where lines would take too much room: the number of the lane that each one reads from.
static void draw_sources(const Shuffle *s, int y) {
  const TraceEvent *event = s->focus->event;
  lanerow_label(&s->row, y, ROLE_DIM, "from");
  for (uint32_t left = event->mask; left; left &= left - 1) {
    int lane = __builtin_ctz(left), from = event->source[lane];
    bool moves = s->now.moves >> lane & 1;
    Role role = lane == s->row.lane ? ROLE_CURSOR : !moves ? ROLE_GONE : from / LS_CLAMP(s->now.distance, 1, 16) % 2 ? ROLE_SET1
        : ROLE_SET0;
    bool touches = s->row.pitch == 2 && lane % 2;
    if (s->row.pitch == 1) canvas_put(s->focus->canvas, s->row.x + lane, y, role == ROLE_SET1 ? 0x2592 : 0x2588, role, 0);
    else canvas_textf(s->focus->canvas, s->row.x + lane * s->row.pitch, y, role, touches ? STYLE_BOLD : 0, "%2d", from);
  }
}

// ---- the series ------------------------------------------------------------------------------------------------------

// The exchange before or after one, if it is half or twice as far: both belong to one algorithm.
static bool neighbor(Session *session, const TraceEvent *event, uint64_t *step, int dir, const Exchange *here, Exchange *there) {
  TraceQuery query;
  TraceEvent found;
  trace_query_init(&query);
  query.kinds = 1u << TRACE_SHUFFLE;
  query.block = event->block;
  query.warp = event->warp;
  if (!trace_find(session->run->trace, *step, dir, &query, step, NULL)) return false;
  if (!trace_event(session->run->trace, *step, &found, NULL) || !found.source) return false;
  *there = exchange_of(session, &found);
  return there->move == here->move && there->move != MOVE_INDEX &&
         (there->distance == 2 * here->distance || here->distance == 2 * there->distance);
}

static int walk(Session *session, const TraceEvent *event, int dir, Exchange here, Exchange out[MAX_SERIES]) {
  uint64_t step = event->step;
  Exchange there;
  int count = 0, trend = 0;
  while (count < MAX_SERIES && neighbor(session, event, &step, dir, &here, &there)) {
    int grows = there.distance > here.distance ? 1 : -1;
    if (trend && grows != trend) break;
    trend = grows;
    out[count++] = here = there;
  }
  return count;
}

// Distances go one way throughout a series: what grows before the event belongs to another one.
static void find_series(Shuffle *s) {
  Exchange before[MAX_SERIES], after[MAX_SERIES];
  Series *series = &s->series;
  if (s->now.move == MOVE_INDEX || !s->now.moves || focus_block(s->focus).count == 0) return;
  int back = walk(s->focus->session, s->focus->event, -1, s->now, before),
      on = walk(s->focus->session, s->focus->event, 1, s->now, after);
  bool same_way = !back || !on || (before[0].distance > s->now.distance) == (s->now.distance > after[0].distance);
  if (!same_way && back >= on) on = 0;
  else if (!same_way) back = 0;
  for (int i = back; i-- > 0;) series->steps[series->count++] = before[i];
  series->now = series->count;
  series->steps[series->count++] = s->now;
  for (int i = 0; i < on; i++) series->steps[series->count++] = after[i];
}

static void draw_series_row(const Shuffle *s, int i, int y) {
  const Series *series = &s->series;
  const Exchange *step = &series->steps[i];
  char label[24];
  exchange_words(s->focus->event, step, label, sizeof label);
  char *space = strchr(label, ' ');
  bool now = i == series->now;
  lanerow_label(&s->row, y, now ? ROLE_CURSOR : ROLE_DIM, space ? (*space = 0, label) : label);
  if (space) canvas_textf(s->focus->canvas, s->row.label_x + 5, y, now ? ROLE_CURSOR : ROLE_DIM, 0, "%2s", space + 1);
  lanerow_blocks(&s->row, y, UINT32_MAX, 0xb7, ROLE_GONE);
  if (i <= series->now) {
    uint32_t far = 0;
    for (int lane = 0; lane < LANES; lane++)
      if (lane & step->distance) far |= 1u << lane;
    if (step->move != MOVE_XOR) far = 0;
    lanerow_blocks(&s->row, y, step->moves & ~far, 0x2588, ROLE_SET0);
    lanerow_blocks(&s->row, y, step->moves & far, 0x2592, ROLE_SET1);
  }
  int end = s->row.x + LANES * s->row.pitch + 1;
  if (i <= series->now && end + 4 <= s->row.end)
    canvas_text(s->focus->canvas, end, y, now ? ROLE_CURSOR : ROLE_GOOD, 0, now ? "now" : "done");
}

static void draw_series(const Shuffle *s, int y, int rows) {
  static const char *const words[] = {"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"};
  int count = s->series.count;
  if (count < 2 || count > LS_COUNT(words) || rows < count + 2) return;
  char title[40];
  snprintf(title, sizeof title, "all %s steps", words[count - 1]);
  canvas_rule(s->focus->canvas, s->focus->body.x, y + 1, s->focus->body.w, title, NULL);
  for (int i = 0; i < count; i++) draw_series_row(s, i, y + 2 + i);
}

// ---- the pane --------------------------------------------------------------------------------------------------------

static void title_of(const Shuffle *s, char *out, size_t size) {
  static const char *const calls[] = {"__shfl_xor_sync", "__shfl_up_sync", "__shfl_down_sync", "__shfl_sync"};
  char words[40], part[40] = "";
  exchange_words(s->focus->event, &s->now, words, sizeof words);
  if (s->series.count > 1) snprintf(part, sizeof part, ", step %d of %d", s->series.now + 1, s->series.count);
  const char *call = calls[move_of_code(s->focus->session, s->focus->event->pc)];
  if (!s->now.moves) snprintf(out, size, "shuffle · every lane keeps its value · %s", call);
  else snprintf(out, size, "shuffle · %s%s%s · %s", s->now.move == MOVE_XOR ? "butterfly, " : "", words, part, call);
}

static void draw_shuffle(Focus *focus, Rect rect) {
  Shuffle s = {.focus = focus, .now = exchange_of(focus->session, focus->event)};
  const TraceEvent *event = focus->event;
  char title[128];
  find_series(&s);
  title_of(&s, title, sizeof title);
  focus_rule(focus, rect, title, NULL);
  lanerow_init(&s.row, focus);
  if (!focus_fits(focus, FOCUS_LEAST)) return;
  lay_tracks(&s);
  LaneFormat format = lanerow_format(focus->session, event);
  int y = focus->body.y, end = y + focus->body.h;
  int most = LS_MAX((focus->body.h - 2) / 2, 1);
  LaneFormat gets = format;
  int before = event->value ? lanerow_fit(&s.row, &format, event->value, event->mask, LS_MIN(most, 3)) : 0;
  int after = event->result ? lanerow_fit(&s.row, &gets, event->result, event->mask, LS_MIN(most, 3)) : 0;
  if (focus->body.h > 3) lanerow_header(&s.row, y++);
  if (before) {
    lanerow_label(&s.row, y, ROLE_DIM, "value");
    lanerow_values(&s.row, y, before, format, event->value, event->mask, 0);
    y += before;
  }
  int room = end - y - after;
  if (s.net_count && s.row.pitch > 1 && net_rows(&s) <= room) {
    bool roomy = room >= net_rows(&s) + ROOMY;
    if (roomy) draw_stubs(&s, y++);
    draw_nets(&s, y);
    y += net_rows(&s) + (roomy && s.paired);
  } else if (room > 0) draw_sources(&s, y++);
  if (after) {
    lanerow_label(&s.row, y, ROLE_DIM, "gets");
    lanerow_values(&s.row, y, after, gets, event->result, event->mask, ~s.now.moves);
    y += after;
  }
  draw_series(&s, y, end - y);
}

static const FocusPane pane = {FOCUS_SHUFFLE,
                               "Shuffles, votes, matches and reductions of a warp show here; this one has made none yet. "
                               "Press n for the next event of interest."};

void view_draw_shuffle(Session *session, Canvas *canvas, Rect rect) {
  Focus focus;
  if (!focus_begin(&pane, session, canvas, rect, &focus)) return;
  if (focus.event->kind == TRACE_SHUFFLE && focus.event->source) draw_shuffle(&focus, rect);
  else view_draw_sets(&focus, rect);
}

void view_room_shuffle(Session *session, int cols, FocusRoom *room) {
  (void)session, (void)cols;
  *room = (FocusRoom){.least = 6, .good = 10, .whole = 14, .parts = 1};
}
