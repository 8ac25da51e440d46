// view_constant.c: the passes of a load of constant memory: each gives one word to all lanes that want it.
#include <stdio.h>
#include "base/mem.h"
#include "model/model.h"
#include "ui/views/focus/focus.h"

//   pass  word          lanes
//      1  c_table[0]    lanes 0, 16          9  c_table[8]    lanes 8, 24
//      2  c_table[1]    lanes 1, 17         10  c_table[9]    lanes 9, 25
// They read down, column after column; the words are in the colors of their passes.
enum { NUMBER_W = 4, NUMBER_GAP = 2, WORD_MOST = 24, LANES_MOST = 30, GAP = 2, ENTRY_GAP = 4, GOOD_ROWS = 8 };

typedef struct Passes {
  const Focus *focus;
  Atomics words;             // the lanes of each word, in the order of addresses
  int word, lanes, entry;    // columns of the word, of its lanes, of all with the number
  int across, down;          // passes side by side, and rows of them
} Passes;

static void word_of(const Passes *p, int pass, LsText *out) {
  ls_text_clear(out);
  sentence_place(p->focus->info, (TraceSpace)p->focus->event->space, p->words.queues[pass].addr, out);
}

static void lanes_of(const Passes *p, int pass, LsText *out) {
  ls_text_clear(out);
  sentence_lanes(p->words.queues[pass].lanes, out);
}

static void by_address(Atomics *words) {
  for (int i = 1; i < words->queue_count; i++) {
    AtomicQueue word = words->queues[i];
    int at = i;
    for (; at > 0 && words->queues[at - 1].addr > word.addr; at--) words->queues[at] = words->queues[at - 1];
    words->queues[at] = word;
  }
}

static void measure(Passes *p) {
  int room = p->focus->body.w - 2 * FOCUS_INDENT;
  LsText text = {0};
  atomic_analyze(p->focus->event, &p->words);
  by_address(&p->words);
  for (int i = 0; i < p->words.queue_count; i++) {
    word_of(p, i, &text);
    p->word = LS_MAX(p->word, ls_utf8_width(ls_text_str(&text)));
    lanes_of(p, i, &text);
    p->lanes = LS_MAX(p->lanes, ls_utf8_width(ls_text_str(&text)));
  }
  ls_text_free(&text);
  p->word = LS_MIN(p->word, WORD_MOST);
  p->lanes = LS_MIN(p->lanes, LANES_MOST);
  p->entry = NUMBER_W + NUMBER_GAP + p->word + GAP + p->lanes;
  p->across = LS_CLAMP((room + ENTRY_GAP) / (p->entry + ENTRY_GAP), 1, LS_MAX(p->words.queue_count, 1));
  p->down = (p->words.queue_count + p->across - 1) / p->across;
}

static bool is_given(const Passes *p, int pass) { return focus_part(p->focus, pass, p->words.queue_count) > 0; }

static void draw_pass(const Passes *p, int pass, int x, int y) {
  Canvas *canvas = p->focus->canvas;
  int lane = p->focus->session->lane;
  bool given = is_given(p, pass), chosen = lane >= 0 && (p->words.queues[pass].lanes >> lane & 1);
  LsText text = {0};
  canvas_textf(canvas, x, y, ROLE_DIM, 0, "%*d", NUMBER_W, pass + 1);
  x += NUMBER_W + NUMBER_GAP;
  word_of(p, pass, &text);
  if (given) canvas_background(canvas, (Rect){x, y, p->word, 1}, focus_turn(pass, p->words.queue_count));
  canvas_text_cut(canvas, x, y, p->word, given ? ROLE_TEXT : ROLE_DIM, 0, ls_text_str(&text));
  lanes_of(p, pass, &text);
  canvas_text_cut(canvas, x + p->word + GAP, y, p->lanes, chosen ? ROLE_CURSOR : given ? ROLE_TEXT : ROLE_DIM, 0,
                  ls_text_str(&text));
  ls_text_free(&text);
}

static void draw_header(const Passes *p, int y) {
  for (int i = 0; i < p->across; i++) {
    int x = p->focus->body.x + FOCUS_INDENT + i * (p->entry + ENTRY_GAP);
    canvas_text(p->focus->canvas, x, y, ROLE_DIM, 0, "pass");
    canvas_text_cut(p->focus->canvas, x + NUMBER_W + NUMBER_GAP, y, p->word, ROLE_DIM, 0, "word");
  }
}

// Rows that do not fit are counted, those of all columns.
static void draw_passes(const Passes *p) {
  Rect body = p->focus->body;
  int y = body.y, rows = body.h;
  if (rows > LS_MIN(p->down, 3)) draw_header(p, y++), rows--;
  int down = p->down <= rows ? p->down : LS_MAX(rows - 1, 0), shown = LS_MIN(down * p->across, p->words.queue_count);
  for (int i = 0; i < shown; i++)
    draw_pass(p, i, body.x + FOCUS_INDENT + i / down * (p->entry + ENTRY_GAP), y + i % down);
  if (down < p->down && rows > 0) focus_more(p->focus, y + down, p->words.queue_count - shown, "pass");
}

static const FocusPane pane = {FOCUS_CONSTANT,
                               "Loads of constant memory show here with the passes that they take; this warp has made "
                               "none yet. Press n for the next event of interest."};

void view_draw_constant(Session *session, Canvas *canvas, Rect rect) {
  Focus focus;
  if (!focus_begin(&pane, session, canvas, rect, &focus) || !focus.event->addr) return;
  Passes passes = {.focus = &focus};
  measure(&passes);
  char right[32];
  int count = passes.words.queue_count, now = 0;
  while (now + 1 < count && is_given(&passes, now + 1)) now++;
  if (focus_plays(&focus)) focus_count(&focus, "pass", now + 1, count, right, sizeof right);
  else snprintf(right, sizeof right, "%d pass%s", count, count == 1 ? "" : "es");
  focus_rule(&focus, rect, focus_title(FOCUS_CONSTANT), right);
  measure(&passes);   // in the body that the rule leaves
  if (focus_fits(&focus, FOCUS_LEAST)) draw_passes(&passes);
}

void view_room_constant(Session *session, int cols, FocusRoom *room) {
  Focus focus;
  if (!focus_room(&pane, session, cols, &focus, room) || !focus.event->addr || cols < FOCUS_LEAST) return;
  Passes passes = {.focus = &focus};
  measure(&passes);
  room->parts = LS_MAX(passes.words.queue_count, 1);
  room->least = 1 + LS_MIN(passes.down, 2);
  room->good = 2 + LS_MIN(passes.down, GOOD_ROWS);
  room->whole = 2 + passes.down + 1;
}
