// view_atomics.c: the addresses that an atomic changes, and the queue of lanes on each.
#include <stdio.h>
#include "base/mem.h"
#include "model/model.h"
#include "ui/views/focus/focus.h"

//   buckets[3]    0  5 11 18 27     5 lanes, one after the other
//   buckets[7]    1  2              2 lanes
//   buckets[0]    4
// Short queues stand side by side.
enum { LANES = 32, LANE_W = 3, GAP = 3, WORDS_W = 10 };

typedef struct Table {
  const Focus *focus;
  const Atomics *atomics;
  int label;                 // columns of the address
  int lanes;                 // of a queue that are drawn
  int entry, across;         // columns of a queue with its label; queues side by side
} Table;

static void place_of(const Table *t, const AtomicQueue *queue, LsText *out) {
  ls_text_clear(out);
  sentence_place(t->focus->info, (TraceSpace)t->focus->event->space, queue->addr, out);
}

static void measure(Table *t) {
  const Rect *body = &t->focus->body;
  int room = body->w - 2 * FOCUS_INDENT;
  LsText text = {0};
  for (int i = 0; i < t->atomics->queue_count; i++) {
    place_of(t, &t->atomics->queues[i], &text);
    t->label = LS_MAX(t->label, ls_utf8_width(ls_text_str(&text)));
  }
  ls_text_free(&text);
  t->label = LS_MIN(t->label, t->focus->wide ? 24 : 14) + 1;
  t->lanes = LS_MIN(t->atomics->longest, (room - t->label - WORDS_W) / LANE_W);
  t->entry = t->label + LANE_W * t->lanes + (t->atomics->longest > 1 ? WORDS_W : 0) + GAP;
  t->across = LS_MAX((room + GAP) / t->entry, 1);
}

static void draw_queue(const Table *t, const AtomicQueue *queue, int x, int y) {
  Canvas *canvas = t->focus->canvas;
  LsText text = {0};
  place_of(t, queue, &text);
  canvas_text_cut(canvas, x, y, t->label - 1, ROLE_DIM, 0, ls_text_str(&text));
  ls_text_free(&text);
  x += t->label;
  int shown = 0, inspected = t->focus->session->lane;
  for (uint32_t left = queue->lanes; left && shown < t->lanes; left &= left - 1, shown++) {
    int lane = __builtin_ctz(left);
    // The first one goes at once, the others wait for it.
    canvas_background(canvas, (Rect){x, y, 2, 1}, lane == inspected ? ROLE_CURSOR : shown ? ROLE_WAITING : ROLE_USED);
    canvas_textf(canvas, x, y, ROLE_TEXT, 0, "%2d", lane);
    x += LANE_W;
  }
  if (shown < queue->length) canvas_put(canvas, x - 1, y, 0x2026, ROLE_DIM, 0);
  bool longest = queue->length == t->atomics->longest;
  if (queue->length < 2) return;
  x = canvas_textf(canvas, x + 1, y, longest ? ROLE_ALARM : ROLE_DIM, 0, "%d lanes", queue->length);
}

static void draw_table(const Table *t) {
  Rect body = t->focus->body;
  int count = t->atomics->queue_count, rows = body.h, tall = (count + t->across - 1) / t->across;
  bool all = tall <= rows;
  if (!all) tall = LS_MAX(rows - (rows > 1), 1);
  int shown = LS_MIN(count, tall * t->across);
  for (int i = 0; i < shown; i++)   // rows first: the longest queues stay on top
    draw_queue(t, &t->atomics->queues[i], body.x + FOCUS_INDENT + i % t->across * t->entry, body.y + i / t->across);
  if (shown < count && rows > tall) focus_more(t->focus, body.y + tall, count - shown, "address");
  if (!all || rows < tall + 2) return;
  int longest = t->atomics->longest;
  const char *es = count == 1 ? "" : "es", *s = longest == 1 ? "" : "s";
  char text[120];
  snprintf(text, sizeof text, "%d address%s, the longest queue has %d lane%s: it takes %d turn%s", count, es, longest, s, longest,
           s);
  canvas_text_cut(t->focus->canvas, body.x + FOCUS_INDENT, body.y + tall + 1, body.w - 2 * FOCUS_INDENT, ROLE_DIM, 0, text);
}

static const FocusPane pane = {FOCUS_ATOMICS,
                               "Atomics show here with the queue of lanes on each address; this warp has made none yet. "
                               "Press n for the next event of interest."};

void view_draw_atomics(Session *session, Canvas *canvas, Rect rect) {
  Focus focus;
  Atomics atomics;
  if (!focus_begin(&pane, session, canvas, rect, &focus) || !focus.event->addr) return;
  atomic_analyze(focus.event, &atomics);
  char title[48], right[48];
  snprintf(title, sizeof title, "atomics · %s memory", trace_space_name((TraceSpace)focus.event->space));
  snprintf(right, sizeof right, "longest queue %d", atomics.longest);
  focus_rule(&focus, rect, title, right);
  Table table = {.focus = &focus, .atomics = &atomics};
  measure(&table);
  draw_table(&table);
}

void view_room_atomics(Session *session, int cols, FocusRoom *room) {
  (void)session, (void)cols;
  *room = (FocusRoom){.least = 6, .good = 10, .whole = 14, .parts = 1};
}
