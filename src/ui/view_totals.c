// view_totals.c: two runs beside one another: their counters and how they compare.
#include <stdarg.h>
#include <stdio.h>
#include "base/mem.h"
#include "ui/view.h"

typedef struct TotalRow { const char *label; CounterId counter; bool less_is_better; } TotalRow;
static const TotalRow rows[] = {
    {"warp instr.", COUNTER_WARP_INSTRUCTIONS, true},     {"ld requests", COUNTER_GLOBAL_LOAD_REQUESTS, true},
    {"ld sectors", COUNTER_GLOBAL_LOAD_SECTORS, true},    {"st sectors", COUNTER_GLOBAL_STORE_SECTORS, true},
    {"sh wavefronts", COUNTER_SHARED_LOAD_WAVEFRONTS, true}, {"ld conflicts", COUNTER_SHARED_LOAD_BANK_CONFLICTS, true},
    {"st conflicts", COUNTER_SHARED_STORE_BANK_CONFLICTS, true}, {"divergent", COUNTER_DIVERGENT_BRANCHES, true},
    {"barriers", COUNTER_BARRIERS, true},                 {"atomics", COUNTER_ATOMICS, true},
    {"queued", COUNTER_ATOMIC_CONFLICTS, true},           {"shuffles", COUNTER_SHUFFLES, false},
};

static void short_number(uint64_t value, char *out, size_t size) {
  if (value < 100000) snprintf(out, size, "%llu", (unsigned long long)value);
  else if (value < 10000000) snprintf(out, size, "%.0fk", (double)value / 1e3);
  else snprintf(out, size, "%.0fM", (double)value / 1e6);
}

// How many times the right one is the left one; where one of them is zero there is no ratio.
static void ratio_words(uint64_t left, uint64_t right, char *out, size_t size) {
  if (left == right) snprintf(out, size, "=");
  else if (!left || !right) snprintf(out, size, "%s", left ? "gone" : "new");
  else snprintf(out, size, "%.2g×", (double)right / (double)left);
}

static Role ratio_role(const TotalRow *row, uint64_t left, uint64_t right) {
  if (left == right || !row->less_is_better) return ROLE_DIM;
  return right < left ? ROLE_GOOD : ROLE_WAITING;
}

static void draw_row(Canvas *canvas, Rect body, int y, const TotalRow *row, uint64_t left, uint64_t right) {
  char a[16], b[16], ratio[16];
  short_number(left, a, sizeof a);
  short_number(right, b, sizeof b);
  ratio_words(left, right, ratio, sizeof ratio);
  canvas_text_cut(canvas, body.x + 1, y, body.w - 2, ROLE_DIM, 0, row->label);
  int third = (body.w - 2) / 3;
  canvas_text_right(canvas, body.x + 1 + third, y + 1, ROLE_TEXT, 0, a);
  canvas_text_right(canvas, body.x + 1 + 2 * third, y + 1, ROLE_TEXT, 0, b);
  canvas_text_right(canvas, body.x + body.w - 1, y + 1, ratio_role(row, left, right), 0, ratio);
}

// ---- the same code on two devices ------------------------------------------------------------------------------------

typedef struct Column { Canvas *canvas; Rect body; int y; } Column;

static bool put_line(Column *c, Role role, const char *format, ...) __attribute__((format(printf, 3, 4)));

// A line of words, over as many rows as they need; false where there is no room left.
static bool put_line(Column *c, Role role, const char *format, ...) {
  char text[160];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  Rect words = {c->body.x + 1, c->y, c->body.w - 2, 0};
  words.h = canvas_text_wrap(c->canvas, words, 0, role, 0, text);
  if (c->y + words.h > c->body.y + c->body.h) return false;
  c->y += canvas_text_wrap(c->canvas, words, 0, role, 0, text);
  return true;
}

static int line_of(const Session *session, int pc) {
  int file = 0, line = 0;
  return pc >= 0 && ptx_line_of(session->run->module, pc, &file, &line) ? line : 0;
}

static void draw_warps(Session *session, const Difference *d, Column *c) {
  char digits[32];
  if (!d->block_known) {
    put_line(c, ROLE_DIM, "block %u is recorded on one side only", session->block);
    return;
  }
  if (!d->differing)
    put_line(c, ROLE_GOOD, "block %u: all %s events%s the same, warp by warp", session->block,
             ls_group_digits(d->events, digits), d->cut_short ? " compared" : "");
  for (int w = 0; w < d->warp_count; w++) {
    const WarpDifference *warp = &d->warps[w];
    if (!warp->differs) continue;
    int left = line_of(session, warp->left_pc), right = line_of(session, warp->right_pc);
    if (left == right) put_line(c, ROLE_ALARM, "w%d from event %llu, line %d", w, (unsigned long long)warp->event, left);
    else put_line(c, ROLE_ALARM, "w%d from event %llu: line %d, line %d", w, (unsigned long long)warp->event, left, right);
  }
}

static void draw_lines(const Difference *d, Column *c) {
  char left[16], right[16];
  if (!d->line_count) put_line(c, ROLE_GOOD, "counters: the same on every line");
  for (int i = 0; i < d->line_count; i++) {
    const LineDifference *line = &d->lines[i];
    short_number(line->left, left, sizeof left);
    short_number(line->right, right, sizeof right);
    if (!put_line(c, ROLE_ALARM, "line %d: %s, %s %s", line->line, left, right, counter_def(line->counter)->name)) return;
  }
}

// Where they differ; returns the row below.
static int draw_difference(Session *session, Canvas *canvas, Rect body, int y) {
  const Difference *d = ses_difference(session);
  Column c = {canvas, body, y};
  if (!d || !d->same_code) return y;
  if (session->run->counters_complete && session->other->counters_complete) draw_lines(d, &c);
  draw_warps(session, d, &c);
  return c.y + 1;
}

// What is compared: the left run, and the right one in its own words. Returns rows used.
static int draw_names(Session *session, Canvas *canvas, Rect body) {
  char left[160];
  const char *title = session->run->info.title;
  snprintf(left, sizeof left, "%s, %s", title ? title : "this run", run_how(session->run));
  canvas_text_cut(canvas, body.x + 1, body.y, body.w - 2, ROLE_TEXT, STYLE_BOLD, left);
  canvas_text(canvas, body.x + 1, body.y + 1, ROLE_DIM, 0, "and");
  Rect words = {body.x + 1, body.y + 2, body.w - 2, 3};
  return 2 + LS_MIN(canvas_text_wrap(canvas, words, 0, ROLE_TITLE, 0, session->other_label), words.h);
}

void view_peer_totals(Session *session, Canvas *canvas, Rect rect) {
  Rect body = view_rule(canvas, rect, "totals", NULL);
  if (!session->other || !session->run->counters || !session->other->counters) return;
  const CounterSet *left = counters_total(session->run->counters), *right = counters_total(session->other->counters);
  int y = draw_difference(session, canvas, body, body.y + draw_names(session, canvas, body) + 1);
  for (int i = 0; i < LS_COUNT(rows) && y + 1 < body.y + body.h; i++) {
    uint64_t a = left->value[rows[i].counter], b = right->value[rows[i].counter];
    if (!a && !b) continue;
    draw_row(canvas, body, y, &rows[i], a, b);
    y += 2;
  }
}
