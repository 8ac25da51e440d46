// view_atomics.c: the addresses that an atomic changes, and the queue of lanes on each.
#include <stdio.h>
#include <string.h>
#include "base/mem.h"
#include "model/model.h"
#include "ui/views/focus/focus.h"

//   turn          1  2  3  4  5
//   buckets[3]    0  5 11 18 27    5 lanes       one after the other, each in the color of its turn
//   buckets[7]    1  2             2 lanes
//   buckets[0]    4
// Short queues stand side by side, without the numbers of the turns; a long one takes several rows.
enum { LANE_W = 3, LANE_W_MOST = 5, GAP = 3, WORDS_W = 10, GOOD_ROWS = 8 };

typedef struct Table {
  const Focus *focus;
  const Atomics *atomics;
  int label;                 // columns of the address
  int lane_w, lanes;         // columns of a lane; lanes of a queue in a row
  int entry, across;         // columns of a queue with its label; queues side by side
  int lines;                 // rows of all queues
  uint32_t outside;          // lanes outside of their array
  bool words;                // "6 lanes" stands behind a queue
  bool turns;                // there is a row that numbers the turns
} Table;

static void place_of(const Table *t, const AtomicQueue *queue, LsText *out) {
  ls_text_clear(out);
  sentence_place(t->focus->info, (TraceSpace)t->focus->event->space, queue->addr, out);
}

static int lines_of(const Table *t, const AtomicQueue *queue) { return (queue->length + t->lanes - 1) / t->lanes; }

// Wide cells where all turns have room for them.
static void measure(Table *t) {
  const Scene *scene = t->focus->scene;
  t->outside = t->focus->event == &scene->event ? scene->bounds.outside : scene->focus_bounds.outside;
  const Rect *body = &t->focus->body;
  const Atomics *atomics = t->atomics;
  int room = body->w - 2 * FOCUS_INDENT, longest = LS_MAX(atomics->longest, 1);
  LsText text = {0};
  for (int i = 0; i < atomics->queue_count; i++) {
    place_of(t, &atomics->queues[i], &text);
    t->label = LS_MAX(t->label, ls_utf8_width(ls_text_str(&text)));
  }
  ls_text_free(&text);
  t->label = LS_MAX(LS_MIN(t->label, t->focus->wide ? 24 : 14), 4) + 1;
  int bare = t->label + LANE_W * longest + GAP;   // many queues stand side by side rather than with words
  bool beside = atomics->queue_count > GOOD_ROWS && bare + WORDS_W > (room + GAP) / 2 && bare <= (room + GAP) / 2;
  t->words = longest > 1 && !beside;
  int words = t->words ? WORDS_W : 0, free = LS_MAX(room - t->label - words, LANE_W);
  t->lane_w = LS_CLAMP(free / longest, LANE_W, t->focus->session->zoom ? LANE_W_MOST : LANE_W);
  t->lanes = LS_CLAMP(free / t->lane_w, 1, longest);
  if (t->lanes < longest) t->lanes = t->lanes >= 16 ? 16 : t->lanes >= 8 ? 8 : t->lanes;
  t->entry = t->label + t->lane_w * t->lanes + words + GAP;
  t->across = t->lanes < longest ? 1 : LS_MAX((room + GAP) / t->entry, 1);
  for (int i = 0; i < atomics->queue_count; i++) t->lines += i % t->across ? 0 : lines_of(t, &atomics->queues[i]);
  t->turns = longest > 1 && t->across == 1;
}

// ---- one queue -------------------------------------------------------------------------------------------------------

// What tells addresses apart is at their end.
static void draw_label(const Table *t, const AtomicQueue *queue, int x, int y) {
  LsText text = {0};
  place_of(t, queue, &text);
  const char *name = ls_text_str(&text);
  bool cut = ls_utf8_width(name) > t->label - 1;
  while (ls_utf8_width(name) > t->label - 1 - cut) ls_utf8_next(&name);
  if (cut) x += canvas_put(t->focus->canvas, x, y, 0x2026, ROLE_DIM, 0);
  canvas_text(t->focus->canvas, x, y, ROLE_DIM, 0, name);
  ls_text_free(&text);
}

static bool is_served(const Table *t, int turn) {
  return focus_part(t->focus, turn, LS_MAX(t->atomics->longest, 1)) > 0;
}

static void draw_words(const Table *t, const AtomicQueue *queue, int x, int y) {
  int wait = 0;
  bool longest = queue->length == t->atomics->longest;
  for (int turn = 0; turn < queue->length; turn++) wait += !is_served(t, turn);
  if (queue->length < 2) return;
  Canvas *canvas = t->focus->canvas;
  if (!focus_plays(t->focus)) canvas_textf(canvas, x, y, longest ? ROLE_ALARM : ROLE_DIM, 0, "%d lanes", queue->length);
  else if (wait) canvas_textf(canvas, x, y, ROLE_TEXT, 0, "%d wait%s", wait, wait == 1 ? "s" : "");
  else canvas_text(canvas, x, y, ROLE_DIM, 0, "done");
}

// A row of a queue, from its `line`; those who still wait have no ground.
static void draw_line(const Table *t, const AtomicQueue *queue, int line, int x, int y) {
  Canvas *canvas = t->focus->canvas;
  int turn = 0, first = line * t->lanes, inspected = t->focus->session->lane;
  if (line == 0) draw_label(t, queue, x, y);
  x += t->label;
  for (uint32_t left = queue->lanes; left; left &= left - 1, turn++) {
    if (turn < first || turn >= first + t->lanes) continue;
    int lane = __builtin_ctz(left), at = x + (turn - first) * t->lane_w;
    bool served = is_served(t, turn);
    Rect cell = {at, y, t->lane_w - 1, 1};
    if (t->outside >> lane & 1) {
      canvas_textf(canvas, at, y, ROLE_ALARM, STYLE_BOLD, "%2d▲", lane);
      continue;
    }
    bool chosen = lane == inspected;
    if (served) canvas_background(canvas, cell, chosen ? ROLE_CURSOR : focus_turn(turn, t->atomics->longest));
    Role role = served ? ROLE_TEXT : chosen ? ROLE_CURSOR : ROLE_DIM;
    canvas_textf(canvas, at + (cell.w - 2) / 2, y, role, 0, "%2d", lane);
  }
  if (line == 0 && t->words) draw_words(t, queue, x + t->lanes * t->lane_w + 1, y);
}

static void draw_turns(const Table *t, int y) {
  int x = t->focus->body.x + FOCUS_INDENT, first = x + t->label + (t->lane_w - 3) / 2;
  canvas_text(t->focus->canvas, x, y, ROLE_DIM, 0, "turn");
  for (int turn = 0; turn < t->lanes; turn++)
    canvas_textf(t->focus->canvas, first + turn * t->lane_w, y, ROLE_DIM, 0, "%2d", turn + 1);
}

// ---- the table -------------------------------------------------------------------------------------------------------

// Row `line` of the table: queues side by side, or one row of a queue. Longest queues come first.
static void draw_row(const Table *t, int line, int y) {
  canvas_tall(t->focus->canvas, y);
  const Atomics *atomics = t->atomics;
  int x = t->focus->body.x + FOCUS_INDENT, first = 0;
  for (int lines; first < atomics->queue_count; first += t->across, line -= lines) {
    lines = lines_of(t, &atomics->queues[first]);
    if (line < lines) break;
  }
  for (int i = first; i < LS_MIN(first + t->across, atomics->queue_count); i++)
    draw_line(t, &atomics->queues[i], line, x + (i - first) * t->entry, y);
}

static void draw_cost(const Table *t, int y) {
  if (t->focus->session->hides) return;
  int longest = t->atomics->longest, count = t->atomics->queue_count;
  const char *es = count == 1 ? "" : "es", *s = longest == 1 ? "" : "s";
  char text[120];
  snprintf(text, sizeof text, "%d address%s · longest queue %d lane%s · %d turn%s", count, es, longest, s, longest, s);
  Rect body = t->focus->body;
  canvas_text_cut(t->focus->canvas, body.x + FOCUS_INDENT, y, body.w - 2 * FOCUS_INDENT, ROLE_DIM, 0, text);
}

// Where rows do not fit, the addresses that have none at all are counted, or the rows of a queue that goes on.
static void draw_missing(const Table *t, int shown, int y) {
  const Atomics *atomics = t->atomics;
  bool each_one = t->lines * t->across >= atomics->queue_count && lines_of(t, &atomics->queues[0]) == 1;
  int missing = each_one ? atomics->queue_count - shown * t->across : t->lines - shown;
  focus_more(t->focus, y, missing, each_one ? "address" : "row");
}

static void draw_table(const Table *t) {
  Rect body = t->focus->body;
  int y = body.y, rows = body.h, cost = rows > t->lines + t->turns + 1 ? 2 : 0;
  if (t->turns && rows > LS_MIN(t->lines, 3)) draw_turns(t, y++), rows--;
  int shown = t->lines <= rows ? t->lines : LS_MAX(rows - 1, 0);
  int step = t->focus->session->zoom && t->lines && (rows - cost) / t->lines > 1 ? 2 : 1;
  for (int i = 0; i < shown; i++) draw_row(t, i, y + i * step);
  y += shown * step;
  if (shown < t->lines && rows > 0) draw_missing(t, shown, y);
  else if (cost) draw_cost(t, y + (step == 1));
}

static const FocusPane pane = {FOCUS_ATOMICS,
                               "Atomics show here with the queue of lanes on each address; this warp has made none "
                               "yet. Press n for the next event of interest."};

static int turn_now(const Table *t) {
  int turn = 0;
  while (turn + 1 < t->atomics->longest && is_served(t, turn + 1)) turn++;
  return turn;
}

void view_draw_atomics(Session *session, Canvas *canvas, Rect rect) {
  Focus focus;
  Atomics atomics;
  if (!focus_begin(&pane, session, canvas, rect, &focus) || !focus.event->addr) return;
  atomic_analyze(focus.event, &atomics);
  Table table = {.focus = &focus, .atomics = &atomics};
  measure(&table);
  char title[48], right[48];
  snprintf(title, sizeof title, "atomics · %s memory", trace_space_name((TraceSpace)focus.event->space));
  if (focus_plays(&focus)) focus_count(&focus, "turn", turn_now(&table) + 1, atomics.longest, right, sizeof right);
  else snprintf(right, sizeof right, "longest queue %d", atomics.longest);
  focus_rule(&focus, rect, title, right);
  if (focus_fits(&focus, FOCUS_LEAST)) draw_table(&table);
}

void view_room_atomics(Session *session, int cols, FocusRoom *room) {
  Focus focus;
  Atomics atomics;
  if (!focus_room(&pane, session, cols, &focus, room) || !focus.event->addr || cols < FOCUS_LEAST) return;
  atomic_analyze(focus.event, &atomics);
  Table table = {.focus = &focus, .atomics = &atomics};
  measure(&table);
  room->parts = LS_MAX(atomics.longest, 1);
  room->least = 1 + LS_MIN(table.lines, 2);
  room->good = 1 + table.turns + LS_MIN(table.lines, GOOD_ROWS);
  room->whole = 1 + table.turns + table.lines + 2;
}
