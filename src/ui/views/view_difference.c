// view_difference.c: two runs of the same code: whether they differ, and where: in events, on lines, in buffers.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "ui/views/view.h"

// Words down a column: what stands on the left is dim, what it is stands beside it and wraps. hidden: rows without
// room.
typedef struct Column { Canvas *canvas; Rect body; int y, hidden; } Column;
enum { LABEL = 10, LEAST_FOR_LIST = 3 };

static int rows_left(const Column *c) { return c->body.y + c->body.h - c->y; }

static void put(Column *c, const char *label, Role role, int style, const char *text) {
  int x = c->body.x + 2, w = c->body.w - 3;
  int left = LS_MAX(rows_left(c), 0);
  if (label) {
    if (left) canvas_text(c->canvas, x, c->y, ROLE_DIM, 0, label);
    x += LABEL, w -= LABEL;
  }
  Rect words = {x, c->y, w, left};
  int all = LS_MAX(canvas_text_wrap(c->canvas, words, 0, role, style, text), 1);
  c->hidden += LS_MAX(all - left, 0);
  c->y += LS_MIN(all, left);
}

static void putf(Column *c, const char *label, Role role, const char *format, ...) __attribute__((format(printf, 4, 5)));

static void putf(Column *c, const char *label, Role role, const char *format, ...) {
  LsText text = {0};
  va_list args;
  va_start(args, format);
  ls_text_addv(&text, format, args);
  va_end(args);
  put(c, label, role, 0, ls_text_str(&text));
  ls_text_free(&text);
}

// ---- the verdict -----------------------------------------------------------------------------------------------------

static uint64_t differing(const Difference *d) {
  uint64_t sum = 0;
  for (int i = 0; i < DIFFERENCE_KIND_COUNT; i++) sum += d->counts[i];
  return sum;
}

static const char *plural(uint64_t count) { return count == 1 ? "" : "s"; }

static void draw_verdict(const Difference *d, Column *c) {
  char digits[2][32], of[64];
  uint64_t count = differing(d);
  ls_group_digits(count, digits[1]);
  snprintf(of, sizeof of, "%s events of %d block%s", ls_group_digits(d->events, digits[0]), d->blocks, plural((uint64_t)d->blocks));
  if (!d->done) {
    putf(c, NULL, ROLE_WAITING, "comparing block %d of %d ...", d->compared + 1, d->blocks);
  } else if (!d->blocks) {
    put(c, NULL, ROLE_WAITING, 0, "no block is recorded on both sides: events are not compared");
  } else if (!count) {
    putf(c, NULL, ROLE_GOOD, "no difference in %s%s", of, d->cut_short ? ", which are not all" : "");
  } else if (d->ordered == count) {
    putf(c, NULL, ROLE_WAITING, "%s difference%s in %s, all after atomics whose values the order of warps decides", digits[1],
         plural(count), of);
  } else {
    putf(c, NULL, ROLE_ALARM, "▲ %s%s difference%s in %s", d->cut_short ? "at least " : "", digits[1], plural(count), of);
  }
}

static void draw_kinds(const Difference *d, Column *c) {
  char digits[32];
  const char *label = "events";
  for (int kind = 0; kind < DIFFERENCE_KIND_COUNT; kind++) {
    if (!d->counts[kind]) continue;
    putf(c, label, ROLE_ALARM, "%s: %s", difference_name((DifferenceKind)kind), ls_group_digits(d->counts[kind], digits));
    label = "";
  }
  if (d->regrouped)
    putf(c, "groups", ROLE_DIM, "lanes of %d warp%s run in other groups, and go the same way", d->regrouped,
         plural((uint64_t)d->regrouped));
  if (d->order)
    putf(c, "order", ROLE_DIM, "%s atomic%s found other values, as the order of warps decides", ls_group_digits(d->order, digits),
         plural(d->order));
}

// ---- lines and buffers -----------------------------------------------------------------------------------------------

static void draw_lines(const Session *session, const Difference *d, Column *c) {
  enum { MOST = 3 };
  char left[32], right[32];
  if (!session->run->counters_complete || !session->other->counters_complete) {
    put(c, "counters", ROLE_DIM, 0, "not of the whole grid on both sides");
    return;
  }
  if (!d->line_count) put(c, "counters", ROLE_GOOD, 0, "the same on every line");
  for (int i = 0; i < LS_MIN(d->line_count, MOST); i++) {
    const LineDifference *line = &d->lines[i];
    putf(c, i ? "" : "counters", ROLE_ALARM, "line %d: %s here, %s there, %s", line->line, ls_group_digits(line->left, left),
         ls_group_digits(line->right, right), counter_def(line->counter)->name);
  }
  if (d->line_count > MOST) putf(c, "", ROLE_DIM, "and on %d more lines", d->line_count - MOST);
}

static void draw_buffers(const Session *session, const Difference *d, Column *c) {
  char digits[32];
  uint64_t elements = 0;
  bool first = true;
  if (!d->buffer_count) put(c, "buffers", ROLE_DIM, 0, "not known: a saved trace does not hold them");
  for (int i = 0; i < d->buffer_count; i++) {
    LsText text = {0};
    elements += d->buffers[i].elements;
    if (!d->buffers[i].count) continue;
    difference_buffer_words(session->run, &d->buffers[i], &text);
    put(c, first ? "buffers" : "", ROLE_ALARM, 0, ls_text_str(&text));
    first = false;
    ls_text_free(&text);
  }
  if (d->buffer_count && first) putf(c, "buffers", ROLE_GOOD, "the same to the bit: %s elements", ls_group_digits(elements, digits));
}

// ---- the differing events --------------------------------------------------------------------------------------------

static int line_of(const Session *session, int pc) {
  int file = 0, line = 0;
  return pc >= 0 && ptx_line_of(session->run->module, pc, &file, &line) ? line : 0;
}

// The item at the cursor, or the last one before it; 0: the first.
static int shown_item(const Session *session, const Difference *d) {
  int at = difference_at(d, session->step);
  return at >= 0 ? at : LS_MAX(difference_next(d, session->step, -1), 0);
}

static void draw_row(Session *session, const EventDifference *item, bool here, Column *c) {
  char digits[32];
  int line = line_of(session, item->left_pc >= 0 ? item->left_pc : item->right_pc), x = c->body.x + 2;
  Role role = here ? ROLE_CURSOR : ROLE_TEXT;
  if (here) canvas_text(c->canvas, c->body.x, c->y, ROLE_CURSOR, 0, "▸");
  if (item->left != UINT64_MAX) canvas_text_right(c->canvas, x + LABEL - 2, c->y, role, 0, ls_group_digits(item->left, digits));
  x = canvas_textf(c->canvas, x + LABEL, c->y, role, 0, "w%d", item->warp) + (item->warp < 10) + 2;
  if (line) canvas_textf(c->canvas, x, c->y, role, 0, "line %d", line);
  int room = c->body.x + c->body.w - x - 11;
  canvas_text_cut(c->canvas, x + 11, c->y, room, here ? role : ROLE_DIM, 0, difference_name((DifferenceKind)item->kind));
  c->y++;
}

static void draw_items(Session *session, const Difference *d, Column *c) {
  if (!d->item_count || rows_left(c) < LEAST_FOR_LIST) return;
  int shown = shown_item(session, d), at = difference_at(d, session->step);
  c->y++;
  canvas_text_right(c->canvas, c->body.x + LABEL, c->y, ROLE_DIM, 0, "step");
  canvas_text_cut(c->canvas, c->body.x + 2 + LABEL, c->y++, c->body.w - LABEL - 3, ROLE_DIM, 0,
                  "n and N go from one to the next");
  int rows = LS_CLAMP(rows_left(c), 1, d->item_count), first = LS_CLAMP(shown - rows / 2, 0, d->item_count - rows);
  for (int i = first; i < first + rows; i++) draw_row(session, &d->items[i], i == at, c);
}

// What is at the cursor comes first, since a small window has no room for all.
static void draw_here(Session *session, const Difference *d, Column *c) {
  char digits[2][32];
  int at = difference_at(d, session->step);
  LsText words = {0};
  if (at < 0) return;
  difference_words(session->run, session->other, &d->items[at], &words);
  putf(c, NULL, ROLE_CURSOR, "▸ %s of %s: %s", ls_group_digits((uint64_t)at + 1, digits[0]),
       ls_group_digits((uint64_t)d->item_count, digits[1]), ls_text_str(&words));
  ls_text_free(&words);
}

// The words at the right stay, and the title is cut.
static void draw_rule(Canvas *canvas, Rect rect, const char *title, const char *right) {
  enum { AROUND = 10 };   // of canvas_rule
  char cut[200];
  int room = LS_MAX(rect.w - AROUND - ls_utf8_width(right), 8);
  bool fits = ls_utf8_width(title) <= room;
  snprintf(cut, sizeof cut, "%.*s%s", (int)ls_utf8_within(title, fits ? room : room - 1), title, fits ? "" : "…");
  view_rule(canvas, rect, cut, right);
}

void view_difference(Session *session, Canvas *canvas, Rect rect) {
  const Difference *d = ses_difference(session);
  char title[200], more[32];
  snprintf(title, sizeof title, "beside %s", session->other_label);
  Column c = {.canvas = canvas, .body = view_rule(canvas, rect, title, NULL)};
  c.y = c.body.y;
  if (!d) return;
  draw_verdict(d, &c);
  if (!d->done) return;
  draw_here(session, d, &c);
  draw_kinds(d, &c);
  draw_buffers(session, d, &c);
  draw_lines(session, d, &c);
  draw_items(session, d, &c);
  if (!d->item_count) {
    c.y++;
    c.hidden += view_totals_table(session, canvas, (Rect){c.body.x + 2, c.y, c.body.w - 3, rows_left(&c)});
  }
  snprintf(more, sizeof more, "▾ %d more rows", c.hidden);
  if (c.hidden) draw_rule(canvas, rect, title, more);
}
