// view_banks.c: the words of a shared access in their banks, and the wavefronts that bring them.
#include <stdio.h>
#include <stdlib.h>
#include "base/mem.h"
#include "model/model.h"
#include "ui/views/focus/focus.h"

// Columns are banks, rows are rows of words; a cell holds the lane that wants the word, in the color of its wavefront:
//   bank    0  1  2  3 ...
//   row 0   0  1  2  3 ...     + 0x0000
//   row 1   8  9 10 11 ...     + 0x0080
//   words   2▲ 2▲ 2▲ 2▲ ...
// Where more rows are touched than fit, words stand in the order in which their bank gives them, a row per wavefront.
enum { LABEL = 7, WAVE_COLUMNS = 56 };

typedef struct Banks {
  Focus *focus;
  Banking banking;
  uint64_t rows[BANK_MOST_WORDS]; int row_count;   // rows of words touched, ascending
  bool queued;               // a row per wavefront
  int pitch, x;              // columns per bank; of the first one
  int lit;                   // the wavefront that is played, or that of the inspected lane; -1: all
} Banks;

static int by_number(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static void gather(Banks *b, BankMode mode) {
  const Session *session = b->focus->session;
  const Banking *banking = &b->banking;
  bank_analyze(b->focus->event, mode, &b->banking);
  for (int i = 0; i < banking->word_count; i++) b->rows[i] = banking->words[i].word / (unsigned)banking->bank_count;
  qsort(b->rows, (size_t)banking->word_count, sizeof b->rows[0], by_number);
  for (int i = 0; i < banking->word_count; i++)
    if (i == 0 || b->rows[i] != b->rows[i - 1]) b->rows[b->row_count++] = b->rows[i];
  b->lit = -1;
  if (banking->conflicts && session->phase > 0)
    b->lit = LS_MIN((int)(session->phase * (double)banking->wavefronts), banking->wavefronts - 1);
  for (int i = 0; i < banking->word_count && session->lane >= 0; i++)
    if (banking->words[i].lanes >> session->lane & 1) b->lit = LS_MAX(b->lit, banking->words[i].wave);
}

// ---- cells -----------------------------------------------------------------------------------------------------------

// "7"; "0+" where several lanes want the word: one wavefront serves them all.
static void draw_word(const Banks *b, const BankWord *word, int y) {
  Canvas *canvas = b->focus->canvas;
  int bank = (int)(word->word % (unsigned)b->banking.bank_count), x = b->x + bank * b->pitch;
  int lane = __builtin_ctz(word->lanes);
  bool shared = word->lanes & (word->lanes - 1), lit = b->lit < 0 || b->lit == word->wave;
  char text[8];
  if (b->pitch == 1) {
    canvas_put(canvas, x, y, 0x2588, lit ? focus_set(word->wave) : ROLE_DIM, 0);
    return;
  }
  snprintf(text, sizeof text, shared && lane < 10 ? "%d+" : "%2d", lane);
  int style = shared && b->pitch == 2 ? STYLE_UNDERLINE : 0;
  if (lit) canvas_background(canvas, (Rect){x, y, 2, 1}, focus_set(word->wave));
  // Neighbors that touch are told apart by weight.
  if (b->pitch == 2 && bank % 2) style |= STYLE_BOLD;
  canvas_text(canvas, x, y, lit ? ROLE_TEXT : ROLE_DIM, style, text);
  if (shared && lane >= 10 && b->pitch > 2) canvas_put(canvas, x + 2, y, '+', ROLE_DIM, 0);
}

static void draw_empty(const Banks *b, int y) {
  for (int bank = 0; bank < b->banking.bank_count; bank++)
    canvas_put(b->focus->canvas, b->x + bank * b->pitch + (b->pitch > 1), y, 0xb7, ROLE_GONE, 0);
}

static void draw_row(const Banks *b, int row, int y) {
  const Focus *focus = b->focus;
  unsigned banks = (unsigned)b->banking.bank_count;
  int left = focus->body.x + FOCUS_INDENT, end = b->x + (int)banks * b->pitch + 1;
  draw_empty(b, y);
  uint64_t number = b->queued ? (uint64_t)row + 1 : b->rows[row];
  const char *word = b->queued ? "wave" : "row";
  canvas_textf(focus->canvas, left, y, ROLE_DIM, 0, "%.*s %llu", b->pitch > 2 ? 4 : 1, word, (unsigned long long)number);
  for (int i = 0; i < b->banking.word_count; i++) {
    bool here = b->queued ? b->banking.words[i].wave == row : b->banking.words[i].word / banks == b->rows[row];
    if (here) draw_word(b, &b->banking.words[i], y);
  }
  int room = focus->body.x + focus->body.w - 1 - end;
  if (b->queued || room < 8) return;
  LsText place = {0};
  focus_address(focus->info, TRACE_SHARED, b->rows[row] * banks * (unsigned)b->banking.word_bytes, true, &place);
  if (ls_utf8_width(ls_text_str(&place)) <= room) canvas_text(focus->canvas, end, y, ROLE_DIM, 0, ls_text_str(&place));
  ls_text_free(&place);
}

static void draw_banks(const Banks *b, int y) {
  canvas_text(b->focus->canvas, b->focus->body.x + FOCUS_INDENT, y, ROLE_DIM, 0, "bank");
  int every = b->pitch == 1 ? 8 : b->pitch == 2 ? 4 : 1;   // numbers that would touch are left out
  for (int bank = 0; bank < b->banking.bank_count; bank += every)
    canvas_textf(b->focus->canvas, b->x + bank * b->pitch, y, ROLE_DIM, 0, b->pitch > 1 ? "%2d" : "%d", bank);
}

// How many words a bank has to give, where that is more than one.
static void draw_load(const Banks *b, int y) {
  canvas_text(b->focus->canvas, b->focus->body.x + FOCUS_INDENT, y, ROLE_DIM, 0, "words");
  for (int bank = 0; bank < b->banking.bank_count; bank++) {
    int x = b->x + bank * b->pitch, most = b->banking.bank_most[bank];
    bool busy = most > 1;
    if (busy && b->pitch == 1) canvas_put(b->focus->canvas, x, y, 0x25b2, ROLE_ALARM, 0);
    if (!most || b->pitch == 1) continue;
    canvas_textf(b->focus->canvas, x, y, busy ? ROLE_ALARM : ROLE_DIM, busy ? STYLE_BOLD : 0, "%2d", most);
    if (busy && b->pitch > 2) canvas_put(b->focus->canvas, x + 2, y, 0x25b2, ROLE_ALARM, 0);
  }
}

// ---- wavefronts ------------------------------------------------------------------------------------------------------

static void draw_wave(const Banks *b, int wave, int y) {
  Canvas *canvas = b->focus->canvas;
  uint32_t served = b->banking.waves[wave].lanes, wants = b->focus->event->mask;
  bool lit = b->lit < 0 || b->lit == wave;
  int x = canvas_textf(canvas, b->focus->body.x + FOCUS_INDENT, y, ROLE_DIM, 0, "wavefront %-3d", wave + 1) + 1;
  canvas_lanes(canvas, x, y, wants, 0, 0);
  for (int lane = 0; lane < 32; lane++)
    if (served >> lane & 1) canvas_put(canvas, x + lane, y, 0x2588, lit ? focus_set(wave) : ROLE_DIM, 0);
  LsText text = {0};
  sentence_lanes(served, &text);
  int room = b->focus->body.x + b->focus->body.w - x - 35;
  const char *words = served ? ls_text_str(&text) : "a part of what lanes want";
  canvas_text_cut(canvas, x + 34, y, room, served && lit ? ROLE_TEXT : ROLE_DIM, 0, words);
  ls_text_free(&text);
}

static void draw_waves(const Banks *b, int y, int rows) {
  int count = b->banking.wave_count, shown = count <= rows ? count : rows - 1;
  if (count < 2 || rows < 2 || b->focus->body.w < WAVE_COLUMNS) return;
  for (int i = 0; i < shown; i++) draw_wave(b, i, y + i);
  if (shown < count) focus_more(b->focus, y + shown, count - shown, "wavefront");
}

// ---- the pane --------------------------------------------------------------------------------------------------------

static const char *const titles[] = {"shared banks", "shared banks · 8-byte words (Kepler)",
                                     "shared banks · 16 banks, half a warp at a time (CC 1.x)"};
static const char *const others[] = {"v Kepler", "v 16 banks", "v 32 banks"};

static void draw_rule(Banks *b, Rect rect, int variant) {
  char right[96], count[40];
  int waves = b->banking.wavefronts;
  if (b->lit >= 0) snprintf(count, sizeof count, "wavefront %d of %d", b->lit + 1, waves);
  else snprintf(count, sizeof count, "%d wavefront%s", waves, waves == 1 ? "" : "s");
  snprintf(right, sizeof right, "%s   %s", count, others[variant]);
  focus_rule(b->focus, rect, titles[variant], right);
}

// First of the rows shown: the wavefront that is lit stays in view.
static int top_row(const Banks *b, int wanted, int shown) {
  if (b->lit < 0 || shown >= wanted) return 0;
  int at = b->queued ? b->lit : 0;
  uint64_t row = 0;
  for (int i = 0; i < b->banking.word_count; i++)
    if (b->banking.words[i].wave == b->lit) row = b->banking.words[i].word / (unsigned)b->banking.bank_count;
  for (int i = 0; i < b->row_count && !b->queued; i++)
    if (b->rows[i] == row) at = i;
  return LS_CLAMP(at - shown / 2, 0, wanted - shown);
}

static void draw_table(Banks *b) {
  Rect body = b->focus->body;
  int y = body.y, rows = body.h - 1;      // below the header
  bool conflicts = b->banking.degree > 1;
  draw_banks(b, y++);
  int load = conflicts && rows >= 2;
  b->queued = b->row_count > rows - load && b->banking.wavefronts < b->row_count;
  int wanted = b->queued ? b->banking.wavefronts : b->row_count;
  bool tight = rows - load < 3;   // too little room to spend a row on saying what is missing
  int shown = wanted <= rows - load ? wanted : LS_MAX(rows - load - !tight, 1);
  int top = top_row(b, wanted, shown);
  for (int i = 0; i < shown; i++) draw_row(b, top + i, y + i);
  y += shown;
  if (shown < wanted && !tight) focus_more(b->focus, y++, wanted - shown, b->queued ? "wavefront" : "row");
  if (load) draw_load(b, y++);
  draw_waves(b, y + 1, body.y + body.h - y - 1);
}

static const FocusPane pane = {FOCUS_BANKS,
                               "Banks of a shared access show here; this warp has made none yet. "
                               "Press n for the next event of interest."};

void view_draw_banks(Session *session, Canvas *canvas, Rect rect) {
  Focus focus;
  if (!focus_begin(&pane, session, canvas, rect, &focus)) return;
  Banks *b = ls_alloc(sizeof *b);
  b->focus = &focus;
  int variant = (int)((unsigned)session->variant[FOCUS_BANKS] % LS_COUNT(titles));
  gather(b, (BankMode)variant);
  draw_rule(b, rect, variant);
  b->pitch = focus.wide || b->banking.bank_count == 16 ? 3 : rect.w >= FOCUS_LANES ? 2 : 1;
  b->x = focus.body.x + FOCUS_INDENT + LABEL;
  if (focus_fits(&focus, b->x - focus.body.x + b->pitch * b->banking.bank_count)) draw_table(b);
  free(b);
}

void view_room_banks(Session *session, int cols, FocusRoom *room) {
  (void)session, (void)cols;
  *room = (FocusRoom){.least = 6, .good = 10, .whole = 14, .parts = 1};
}
