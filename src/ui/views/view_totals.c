// view_totals.c: two runs beside one another: their counters and how they compare.
#include <stdio.h>
#include <string.h>
#include "base/mem.h"
#include "ui/views/view.h"

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
  char digits[32];
  if (value < 100000) snprintf(out, size, "%s", ls_group_digits(value, digits));
  else if (value < 10000000) snprintf(out, size, "%.0fk", (double)value / 1e3);
  else snprintf(out, size, "%.0fM", (double)value / 1e6);
}

// How many times the right one is the left one; where one of them is zero there is no ratio.
static void ratio_words(uint64_t left, uint64_t right, char *out, size_t size) {
  if (left == right) snprintf(out, size, "=");
  else if (!left || !right) snprintf(out, size, "%s", left ? "gone" : "new");
  else if ((double)right / (double)left < 9.95) snprintf(out, size, "%.2g×", (double)right / (double)left);
  else {
    short_number((uint64_t)((double)right / (double)left + 0.5), out, size - 2);
    strcat(out, "×");
  }
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

// In rows, as many as fit: of two runs that should be the same. Returns how many did not.
int view_totals_table(Session *session, Canvas *canvas, Rect rect) {
  enum { LABELS = 16, NUMBER = 12 };
  const CounterSet *left = counters_total(session->run->counters), *right = counters_total(session->other->counters);
  int y = rect.y, last = rect.y + rect.h, hidden = 0;
  char digits[32];
  bool fits = rect.h >= 3 && rect.w >= LABELS + 2 * NUMBER;
  if (fits) {
    canvas_text(canvas, rect.x, y, ROLE_DIM, 0, "totals");
    canvas_text_right(canvas, rect.x + LABELS + NUMBER, y, ROLE_DIM, 0, "here");
    canvas_text_right(canvas, rect.x + LABELS + 2 * NUMBER, y++, ROLE_DIM, 0, "there");
  }
  for (int i = 0; i < LS_COUNT(rows); i++) {
    uint64_t a = left->value[rows[i].counter], b = right->value[rows[i].counter];
    if (!a && !b) continue;
    if (!fits || y >= last) {
      hidden++;
      continue;
    }
    Role role = a == b ? ROLE_TEXT : ROLE_CHANGED;
    canvas_text(canvas, rect.x, y, ROLE_DIM, 0, rows[i].label);
    canvas_text_right(canvas, rect.x + LABELS + NUMBER, y, role, 0, ls_group_digits(a, digits));
    canvas_text_right(canvas, rect.x + LABELS + 2 * NUMBER, y++, role, 0, ls_group_digits(b, digits));
  }
  return hidden;
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

// Rows that say something, where either run has counted: those that differ first.
static int counted_rows(const CounterSet *left, const CounterSet *right, int out[LS_COUNT(rows)]) {
  int count = 0;
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < LS_COUNT(rows); i++) {
      uint64_t a = left->value[rows[i].counter], b = right->value[rows[i].counter];
      if ((a || b) && (a == b) == pass) out[count++] = i;
    }
  return count;
}

static void say_more(Canvas *canvas, int x, int y, int width, int count) {
  char text[32];
  snprintf(text, sizeof text, "▾ %d more", count);
  canvas_text_cut(canvas, x, y, width, ROLE_DIM, 0, text);
}

// In a few rows across the window: "ld sectors  640 → 128  0.2×".
static void draw_across(Canvas *canvas, Rect body, const CounterSet *left, const CounterSet *right) {
  enum { ITEM = 38, LABEL = 15 };
  int which[LS_COUNT(rows)], count = counted_rows(left, right, which), columns = LS_MAX((body.w - 2) / ITEM, 1);
  int room = columns * body.h, shown = count <= room ? count : room - 1;
  for (int i = 0; i < shown; i++) {
    const TotalRow *row = &rows[which[i]];
    uint64_t a = left->value[row->counter], b = right->value[row->counter];
    char from[16], to[16], ratio[16];
    short_number(a, from, sizeof from);
    short_number(b, to, sizeof to);
    ratio_words(a, b, ratio, sizeof ratio);
    int x = body.x + 2 + i % columns * ITEM, y = body.y + i / columns;
    canvas_text(canvas, x, y, ROLE_DIM, 0, row->label);
    x = canvas_textf(canvas, x + LABEL, y, ROLE_TEXT, 0, "%s → %s", from, to);
    canvas_text(canvas, x + 2, y, ratio_role(row, a, b), 0, ratio);
  }
  if (shown < count)
    say_more(canvas, body.x + 2 + shown % columns * ITEM, body.y + shown / columns, ITEM, count - shown);
}

// Two rows for each: its name, and the numbers below it.
static void draw_down(Canvas *canvas, Rect body, const CounterSet *left, const CounterSet *right) {
  int which[LS_COUNT(rows)], count = counted_rows(left, right, which);
  int shown = 2 * count <= body.h ? count : LS_MAX((body.h - 1) / 2, 0);
  for (int i = 0; i < shown; i++) {
    const TotalRow *row = &rows[which[i]];
    draw_row(canvas, body, body.y + 2 * i, row, left->value[row->counter], right->value[row->counter]);
  }
  if (shown < count && body.h > 0) say_more(canvas, body.x + 1, body.y + 2 * shown, body.w - 2, count - shown);
}

void view_peer_totals(Session *session, Canvas *canvas, Rect rect) {
  enum { ACROSS = 56 };
  bool across = rect.w >= ACROSS;
  char title[200];
  snprintf(title, sizeof title, "totals · beside %s", session->other_label);
  Rect body = view_rule(canvas, rect, across ? title : "totals", NULL);
  if (!session->other || !session->run->counters || !session->other->counters) return;
  const CounterSet *left = counters_total(session->run->counters), *right = counters_total(session->other->counters);
  if (across) {
    draw_across(canvas, body, left, right);
    return;
  }
  int used = draw_names(session, canvas, body) + 1;
  draw_down(canvas, (Rect){body.x, body.y + used, body.w, LS_MAX(body.h - used, 0)}, left, right);
}
