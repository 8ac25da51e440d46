// view_banks.c: the words of a shared access in their banks, and the wavefronts that bring them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/mem.h"
#include "model/model.h"
#include "ui/views/focus/bankplan.h"

// ---- cells -----------------------------------------------------------------------------------------------------------

static int wave_count(const BankPlan *b) { return LS_MAX(b->banking.wavefronts, 1); }

static bool is_lit(const BankPlan *b, int wave) {
  if (focus_plays(b->focus)) return focus_part(b->focus, wave, wave_count(b)) > 0;
  return b->lit < 0 || b->lit == wave;
}

// Cells are as tall as rows stand apart; what is written into one stands in the middle.
static int cell_height(const BankPlan *b) { return LS_MAX(b->step - 1, 1); }
static int middle_of(Rect cell) { return cell.y + (cell.h - 1) / 2; }

// "7"; "0+" where several lanes want the word: one wavefront serves them all.
static void word_text(const BankPlan *b, const BankWord *word, int width, char out[16]) {
  uint32_t inside = word->lanes & ~b->outside;
  int inspected = b->focus->session->lane, lane = __builtin_ctz(inside ? inside : word->lanes);
  if (inspected >= 0 && word->lanes >> inspected & 1) lane = inspected;
  bool shared = word->lanes & (word->lanes - 1);
  if (shared && (lane < 10 || width > 2)) snprintf(out, 16, "%d+", lane);
  else snprintf(out, 16, "%2d", lane);
}

// One column has no room for a lane: it tells the wavefront.
static uint32_t wave_digit(const BankPlan *b, int wave) {
  if (b->banking.wavefronts < 2) return 0x2588;
  return wave < 9 ? (uint32_t)('1' + wave) : wave < 9 + 26 ? (uint32_t)('a' + wave - 9) : '+';
}

// Nobody who may have it wants the word: "▲", with the lane where there is room.
static void draw_outside(const BankPlan *b, const BankWord *word, Rect cell) {
  Canvas *canvas = b->focus->canvas;
  Role role = is_lit(b, word->wave) ? ROLE_ALARM : ROLE_DIM;
  if (cell.w > 2) canvas_textf(canvas, cell.x, middle_of(cell), role, STYLE_BOLD, "%2d▲", __builtin_ctz(word->lanes));
  else canvas_put(canvas, cell.x + cell.w - 1, middle_of(cell), 0x25b2, role, STYLE_BOLD);
}

// A word in a cell of so many columns. plain: on no ground, since it touches the one before.
static void draw_word(const BankPlan *b, const BankWord *word, Rect cell, bool plain) {
  Canvas *canvas = b->focus->canvas;
  int inspected = b->focus->session->lane;
  bool lit = is_lit(b, word->wave), shared = word->lanes & (word->lanes - 1);
  bool chosen = lit && inspected >= 0 && word->lanes >> inspected & 1;
  Role set = chosen ? ROLE_CURSOR : focus_turn(word->wave, wave_count(b));
  if (!(word->lanes & ~b->outside)) {
    draw_outside(b, word, cell);
    return;
  }
  if (cell.w == 1) {
    uint32_t code = wave_digit(b, word->wave);
    if (lit && code != 0x2588) canvas_background(canvas, cell, set);
    canvas_put(canvas, cell.x, middle_of(cell), code, !lit ? ROLE_DIM : code == 0x2588 ? set : ROLE_TEXT, 0);
    return;
  }
  char text[16];
  word_text(b, word, cell.w, text);
  int at = cell.x + LS_MAX(cell.w - ls_utf8_width(text), 0) / 2, middle = middle_of(cell);
  if (lit && (!plain || chosen)) canvas_background(canvas, cell, set);
  int style = (plain ? STYLE_BOLD : 0) | (shared && b->pitch == 2 ? STYLE_UNDERLINE : 0);
  at = canvas_text(canvas, at, middle, !lit ? ROLE_DIM : plain && !chosen ? set : ROLE_TEXT, style, text);
  bool beside = shared && cell.w == 2 && b->pitch > 2 && text[1] != '+';   // the sign goes into the gap
  if (beside) canvas_put(canvas, at, middle, '+', ROLE_DIM, 0);
}

static Rect bank_cell(const BankPlan *b, int bank, int y) {
  return (Rect){b->x + (bank - b->first) * b->pitch, y, b->pitch > 2 ? b->pitch - 1 : b->pitch, cell_height(b)};
}

// Numbers end in the second column of narrow cells, and stand in the middle of wide ones.
static int number_end(const BankPlan *b) { return b->pitch > 2 ? (b->pitch - 1 + 2) / 2 : b->pitch; }

static bool belongs(const BankPlan *b, const BankWord *word, int row) {
  return b->form == BANK_BY_WAVE ? word->wave == row : word->word / (unsigned)b->banking.bank_count == b->rows[row];
}

static void draw_place(const BankPlan *b, int row, int y) {
  const Focus *focus = b->focus;
  unsigned banks = (unsigned)b->banking.bank_count;
  int end = b->x + b->across * b->pitch + 1, room = focus->body.x + focus->body.w - 1 - end;
  if (b->form != BANK_BY_ROW || room < 8) return;
  LsText place = {0};
  focus_address(focus->info, TRACE_SHARED, b->rows[row] * banks * (unsigned)b->banking.word_bytes, true, &place);
  if (ls_utf8_width(ls_text_str(&place)) <= room) canvas_text(focus->canvas, end, y, ROLE_DIM, 0, ls_text_str(&place));
  ls_text_free(&place);
}

static void mark_tall(const BankPlan *b, int y) {
  for (int i = 0; i < cell_height(b); i++) canvas_tall(b->focus->canvas, y + i);
}

static void draw_row(const BankPlan *b, int row, int y) {
  mark_tall(b, y);
  const BankWord *of_bank[32] = {NULL};
  for (int i = 0; i < b->banking.word_count; i++) {
    const BankWord *word = &b->banking.words[i];
    if (belongs(b, word, row)) of_bank[word->word % (unsigned)b->banking.bank_count] = word;
  }
  uint64_t number = b->form == BANK_BY_WAVE ? (uint64_t)row + 1 : b->rows[row];
  int middle = middle_of(bank_cell(b, b->first, y));
  canvas_textf(b->focus->canvas, b->focus->body.x + FOCUS_INDENT, middle, ROLE_DIM, 0, "%s %llu",
               b->form == BANK_BY_WAVE ? "wave" : "row", (unsigned long long)number);
  bool plain = true;
  for (int bank = b->first; bank < b->first + b->across; bank++) {
    Rect cell = bank_cell(b, bank, y);
    plain = of_bank[bank] && b->pitch == 2 && bank > b->first && of_bank[bank - 1] && !plain;
    if (of_bank[bank]) draw_word(b, of_bank[bank], cell, plain);
    else canvas_put(b->focus->canvas, cell.x + number_end(b) - 1, middle, 0xb7, ROLE_GONE, 0);
  }
  draw_place(b, row, middle);
}

// ---- queues: a row per bank, its words in the order of their wavefronts ----------------------------------------------

static void draw_queue(const BankPlan *b, int row, int y) {
  mark_tall(b, y);
  int first, at = 0, bank = bankplan_queue(b, row, &first);
  int middle = y + (cell_height(b) - 1) / 2;
  if (first == 0)
    canvas_textf(b->focus->canvas, b->focus->body.x + FOCUS_INDENT, middle, ROLE_DIM, 0, "bank %d", bank);
  for (int i = 0; i < b->banking.word_count; i++) {
    const BankWord *word = &b->banking.words[i];
    if ((int)(word->word % (unsigned)b->banking.bank_count) != bank) continue;
    int place = at++ - first;
    if (place < 0 || place >= b->queue_across) continue;
    draw_word(b, word, (Rect){b->x + place * b->queue_pitch, y, b->queue_pitch - 1, cell_height(b)}, false);
  }
}

// ---- around the rows -------------------------------------------------------------------------------------------------

static void draw_banks(const BankPlan *b, int y) {
  canvas_text(b->focus->canvas, b->focus->body.x + FOCUS_INDENT, y, ROLE_DIM, 0, "bank");
  int every = b->pitch == 1 ? 8 : b->pitch == 2 ? 4 : 1;   // numbers that would touch are left out
  for (int bank = b->first; bank < b->first + b->across; bank += every) {
    int x = b->x + (bank - b->first) * b->pitch;
    if (b->pitch == 1) canvas_textf(b->focus->canvas, x, y, ROLE_DIM, 0, "%d", bank);
    else canvas_textf(b->focus->canvas, x + number_end(b) - 2, y, ROLE_DIM, 0, "%2d", bank);
  }
}

// Words that a bank has given so far, where one pass asks for all of them.
static int words_given(const BankPlan *b, int bank) {
  if (b->banking.pass_count != 1) return b->banking.bank_most[bank];
  int given = 0;
  for (int i = 0; i < b->banking.word_count; i++) {
    const BankWord *word = &b->banking.words[i];
    if ((int)(word->word % (unsigned)b->banking.bank_count) != bank) continue;
    given += !focus_plays(b->focus) || is_lit(b, word->wave);
  }
  return given;
}

// How many words each bank has to give; while it is played, how many it has given.
static void draw_load(const BankPlan *b, int y) {
  Canvas *canvas = b->focus->canvas;
  bool plays = focus_plays(b->focus) && b->banking.pass_count == 1;
  canvas_text(canvas, b->focus->body.x + FOCUS_INDENT, y, ROLE_DIM, 0, plays ? "given" : "words");
  for (int bank = b->first; bank < b->first + b->across; bank++) {
    int x = b->x + (bank - b->first) * b->pitch, given = words_given(b, bank), end = x + number_end(b);
    bool busy = b->banking.bank_most[bank] > 1;
    Role role = busy ? ROLE_ALARM : given ? ROLE_DIM : ROLE_GONE;
    if (b->pitch == 1) {
      if (busy) canvas_put(canvas, x, y, 0x25b2, ROLE_ALARM, 0);
      else canvas_put(canvas, x, y, 0xb7, ROLE_GONE, 0);
      continue;
    }
    if (!given && b->banking.degree > 9) canvas_put(canvas, end - 1, y, 0xb7, ROLE_GONE, 0);   // "032" is no number
    else canvas_textf(canvas, end - 2, y, role, busy ? STYLE_BOLD : 0, "%2d", given);
    if (busy && b->pitch > 2) canvas_put(canvas, end, y, 0x25b2, ROLE_ALARM, 0);
  }
}

static void draw_legend(const BankPlan *b, int y) {
  BankLegend legend;
  bankplan_legend(b, &legend);
  int x = b->focus->body.x + FOCUS_INDENT;
  for (int i = 0; i < legend.count; i++) {
    int wave = legend.parts[i].wave, begin = x;
    bool words = wave < 0, lit = !words && is_lit(b, wave);
    x = canvas_text(b->focus->canvas, x, y, words || lit ? ROLE_TEXT : ROLE_DIM, 0, legend.parts[i].text);
    if (lit) canvas_background(b->focus->canvas, (Rect){begin, y, x - begin, 1}, focus_turn(wave, wave_count(b)));
  }
}

// ---- the pane --------------------------------------------------------------------------------------------------------

static const char *const titles[] = {"shared banks", "shared banks · 8-byte words (Kepler)",
                                     "shared banks · 16 banks, half a warp at a time (CC 1.x)"};
static const char *const others[] = {"v Kepler", "v 16 banks", "v 32 banks"};

// As much as there is room for: the count, how many would do, the key that shows other banks.
static void draw_rule(BankPlan *b, Rect rect, int variant) {
  char count[64], would[64] = "", right[sizeof count + sizeof would + 32];
  const Banking *banking = &b->banking;
  int waves = banking->wavefronts, room = focus_rule_room(b->focus, rect, titles[variant]);
  bool plays = focus_plays(b->focus);
  if (plays || b->lit >= 0)
    focus_count(b->focus, "wavefront", (plays ? bankplan_now(b) : b->lit) + 1, waves, count, sizeof count);
  else snprintf(count, sizeof count, "%d wavefront%s", waves, waves == 1 ? "" : "s");
  if (banking->conflicts && !plays && b->lit < 0) snprintf(would, sizeof would, " where %d would do", banking->ideal);
  if ((int)(strlen(count) + strlen(would)) > room) *would = 0;
  bool fits = (int)(strlen(count) + strlen(would) + strlen("   ") + strlen(others[variant])) <= room;
  // Without conflicts nothing of it alarms.
  snprintf(right, sizeof right, "%s%s%s%s", banking->conflicts ? "" : count, would, fits ? "   " : "",
           fits ? others[variant] : "");
  focus_rule_alarm(b->focus, rect, titles[variant], banking->conflicts ? count : "", right);
}

static int draw_rows(const BankPlan *b, int y) {
  int top = bankplan_top(b);
  for (int i = 0; i < b->shown; i++, y += b->step) {
    if (b->form == BANK_BY_QUEUE) draw_queue(b, top + i, y);
    else draw_row(b, top + i, y);
  }
  if (b->shown && b->step > 1) y--;   // what follows the last row is near it
  const char *noun = b->form == BANK_BY_WAVE ? "wavefront" : "row";
  if (b->shown < b->wanted && b->focus->body.h > 0) focus_more(b->focus, y++, b->wanted - b->shown, noun);
  return y;
}

// From row y on; returns the row after it.
static int draw_half(const BankPlan *b, int y, int rows) {
  if (rows > 1) draw_banks(b, y++);
  if (b->load && b->form == BANK_BY_QUEUE) draw_load(b, y++);
  y = draw_rows(b, y);
  if (b->load && b->form != BANK_BY_QUEUE) draw_load(b, y++);
  return y;
}

// All banks beside one another, or on a narrow stage the first half above the second.
static void draw_table(BankPlan *b) {
  int y = b->focus->body.y, halves = b->banking.bank_count / b->across, rows = (b->focus->body.h - (halves - 1)) / halves;
  bankplan_fit(b, rows);
  for (b->first = 0; b->first < b->banking.bank_count; b->first += b->across) {
    bool last = b->first + b->across >= b->banking.bank_count;
    y = draw_half(b, y, rows) + !last;
  }
  b->first = 0;
  if (b->legend) draw_legend(b, y);
}

static const FocusPane pane = {FOCUS_BANKS,
                               "Banks of a shared access show here; this warp has made none yet. "
                               "Press n for the next event of interest."};

static int variant_of(const Session *session) {
  return (int)((unsigned)session->variant[FOCUS_BANKS] % LS_COUNT(titles));
}

void view_draw_banks(Session *session, Canvas *canvas, Rect rect) {
  Focus focus;
  if (!focus_begin(&pane, session, canvas, rect, &focus)) return;
  BankPlan *b = bankplan_new(&focus, (BankMode)variant_of(session));
  draw_rule(b, rect, variant_of(session));
  if (focus_fits(&focus, b->x - focus.body.x + b->pitch * b->across)) draw_table(b);
  free(b);
}

void view_room_banks(Session *session, int cols, FocusRoom *room) {
  Focus focus;
  if (!focus_room(&pane, session, cols, &focus, room)) return;
  BankPlan *b = bankplan_new(&focus, (BankMode)variant_of(session));
  if (cols >= b->x - focus.body.x + b->pitch * b->across) bankplan_room(b, room);
  room->parts = wave_count(b);
  free(b);
}
