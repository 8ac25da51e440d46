// demo_vote.c: a question for a hall: what may be answered, how many did, and, when it is closed, how.
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "ui/pages/demo_page.h"
#include "ui/pages/rail.h"

enum { SIDE = 2, LETTER_W = 3, COUNT_W = 12, LEAST_BAR = 10, CLOCK_W = 8 };

static void embolden(Canvas *canvas, Rect rect) {
  for (int y = rect.y; y < rect.y + rect.h && y < canvas->rows; y++)
    for (int x = rect.x; x < rect.x + rect.w && x < canvas->cols; x++)
      canvas->cells[y * canvas->cols + x].style |= STYLE_BOLD;
}

static int longest_option(const DemoBeat *beat) {
  int longest = 0;
  for (int i = 0; i < beat->option_count; i++) longest = LS_MAX(longest, ls_utf8_width(beat->options[i]));
  return longest;
}

// One round of an option as a bar with its number, all of them in one color: none is the right one yet.
static void draw_bar(Canvas *canvas, Rect row, const Vote *vote, int round, int option) {
  int count = vote_count(vote, round, option), total = LS_MAX(vote_total(vote, round), 1);
  canvas_meter(canvas, row.x, row.y, row.w - COUNT_W, count, total, round == vote->round ? ROLE_SET0 : ROLE_SET5);
  canvas_textf(canvas, row.x + row.w - COUNT_W + 1, row.y, ROLE_TEXT, STYLE_BOLD, "%d, %d%%", count,
               (200 * count / total + 1) / 2);
}

// Rows that an option has, so that all of them fill the room.
static int option_height(const DemoBeat *beat, int rows, int rounds) {
  int least = LS_MAX(rounds, 1);
  return LS_CLAMP(rows / LS_MAX(beat->option_count, 1), least, least + 2);
}

static void draw_option(Canvas *canvas, Rect row, const DemoBeat *beat, const Vote *vote, int option, int text_w) {
  bool typing = vote && !vote->closed && vote->typed[vote->round][0] && vote_option_typed(vote) == option;
  canvas_textf(canvas, row.x, row.y, typing ? ROLE_CURSOR : ROLE_TITLE, STYLE_BOLD, "%c", 'A' + option);
  canvas_text_cut(canvas, row.x + LETTER_W, row.y, text_w, ROLE_TEXT, STYLE_BOLD, beat->options[option]);
  if (!vote || !vote->closed) return;
  Rect bar = {row.x + LETTER_W + text_w + 2, row.y, row.w - LETTER_W - text_w - 2, 1};
  for (int round = 0; round <= vote->round; round++, bar.y++) draw_bar(canvas, bar, vote, round, option);
}

static void draw_options(Canvas *canvas, Rect rect, const DemoBeat *beat, const Vote *vote) {
  bool closed = vote && vote->closed;
  int rounds = closed ? vote->round + 1 : 1, height = option_height(beat, rect.h, VOTE_ROUNDS);
  int room = closed ? rect.w - LETTER_W - COUNT_W - LEAST_BAR - 2 : rect.w - LETTER_W;
  int text_w = LS_MIN(longest_option(beat), LS_MAX(room, LEAST_BAR));
  for (int i = 0; i < beat->option_count && (i + 1) * rounds <= rect.h; i++)
    draw_option(canvas, (Rect){rect.x, rect.y + i * height, rect.w, height}, beat, vote, i, text_w);
}

// How many voted, and not how; how long it is open.
static void draw_state(const DemoPage *self, Canvas *canvas, Rect row, const Vote *vote) {
  int left = talk_seconds(&self->talk), total = vote ? vote_total(vote, vote->round) : 0;
  char words[80] = "";
  if (vote && vote->closed) snprintf(words, sizeof words, "%d votes%s", total, vote->round ? ", second round" : "");
  else if (total) snprintf(words, sizeof words, "%d vote%s%s", total, total == 1 ? "" : "s",
                           vote->round ? ", second round" : "");
  else if (vote && vote->round) snprintf(words, sizeof words, "second round");
  int x = canvas_text(canvas, row.x, row.y, ROLE_TEXT, 0, words), students = demo_net_students(self);
  bool fills = students > 0 && vote && !vote->closed;   // of those who follow; nobody knows how many hands there are
  int bar = LS_MIN(row.x + row.w / 2, row.x + row.w - CLOCK_W) - x - 2;
  if (fills && bar >= LEAST_BAR) canvas_meter(canvas, x + 2, row.y, bar, LS_MIN(total, students), students, ROLE_SET0);
  bool clock = left && !(vote && vote->closed);
  if (!clock) return;
  Role role = left < 0 ? ROLE_ALARM : left <= 10 ? ROLE_WAITING : ROLE_TEXT;
  char seconds[32];
  snprintf(seconds, sizeof seconds, left < 0 ? "time" : "%d s", left);
  canvas_text_right(canvas, row.x + row.w, row.y, role, STYLE_BOLD, seconds);
}

static int question_rows(const DemoBeat *beat, int width) {
  LsText text = {0};
  demo_text(beat, &text);
  int rows = rail_text(NULL, (Rect){0, 0, width, 0}, 0, 0, ls_text_str(&text), ROLE_TEXT);
  ls_text_free(&text);
  return rows;
}

// Rows besides the question: around it, the options, the state.
static int other_rows(const DemoBeat *beat) { return beat->option_count * VOTE_ROUNDS + 4; }

bool demo_vote_fits(DemoPage *self, const Canvas *canvas, LsText *why) {
  const DemoBeat *beat = talk_beat(&self->talk);
  int rows = question_rows(beat, canvas->cols - 2 * SIDE), most = canvas->rows - other_rows(beat);
  if (rows <= most) return true;
  ls_text_addf(why, "the question has %d rows, and there is room for %d beside its options", rows, most);
  return false;
}

void demo_draw_vote(DemoPage *self, Canvas *canvas) {
  const DemoBeat *beat = talk_beat(&self->talk);
  const Vote *vote = talk_vote(&self->talk);
  LsText text = {0};
  demo_text(beat, &text);
  int width = canvas->cols - 2 * SIDE, rows = question_rows(beat, width);
  int h = LS_CLAMP(rows, 1, LS_MAX(canvas->rows - other_rows(beat), 1)), left = canvas->rows - 4 - h;
  int taken = option_height(beat, left, VOTE_ROUNDS) * beat->option_count;   // the same with one round and with two
  Rect question = {SIDE, 1 + LS_MAX(left - taken, 0) / 2, width, h};
  rail_text(canvas, question, 0, 0, ls_text_str(&text), ROLE_TEXT);
  embolden(canvas, question);
  ls_text_free(&text);
  Rect options = {SIDE, question.y + question.h + 1, width, 0};
  options.h = canvas->rows - 2 - options.y;
  draw_options(canvas, options, beat, vote);
  draw_state(self, canvas, (Rect){SIDE, canvas->rows - 2, width, 1}, vote);
}
