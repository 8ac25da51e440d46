// bankplan.c: which rows the picture of a shared access has, and how they fit.
#include "ui/views/focus/bankplan.h"
#include <stdio.h>
#include <stdlib.h>
#include "base/mem.h"

enum { MOST_PITCH = 6, STAGE_PITCH = 3, MOST_ROWS = 32, GOOD_ROWS = 8, FEW_BANKS = 4, LEGEND_WAVES = 4 };

static int by_number(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static void gather(BankPlan *b, BankMode mode) {
  const Banking *banking = &b->banking;
  bank_analyze(b->focus->event, mode, &b->banking);
  for (int i = 0; i < banking->word_count; i++) b->rows[i] = banking->words[i].word / (unsigned)banking->bank_count;
  qsort(b->rows, (size_t)banking->word_count, sizeof b->rows[0], by_number);
  for (int i = 0; i < banking->word_count; i++)
    if (i == 0 || b->rows[i] != b->rows[i - 1]) b->rows[b->row_count++] = b->rows[i];
  b->repeated = banking->distinct_words < banking->word_count;
  const Scene *scene = b->focus->scene;
  b->outside = b->focus->event == &scene->event ? scene->bounds.outside : scene->focus_bounds.outside;
  int lane = b->focus->session->lane;
  b->lit = -1;
  for (int i = 0; i < banking->word_count && lane >= 0; i++)
    if (banking->words[i].lanes >> lane & 1) b->lit = LS_MAX(b->lit, banking->words[i].wave);
}

static int queue_length(const BankPlan *b, int bank) {
  int count = 0;
  for (int i = 0; i < b->banking.word_count; i++)
    count += (int)(b->banking.words[i].word % (unsigned)b->banking.bank_count) == bank;
  return count;
}

static int longest_queue(const BankPlan *b) {
  int most = 0;
  for (int bank = 0; bank < b->banking.bank_count; bank++) {
    int length = queue_length(b, bank);
    most = LS_MAX(most, length);
  }
  return most;
}

static int queue_rows(const BankPlan *b, int bank) {
  return (queue_length(b, bank) + b->queue_across - 1) / b->queue_across;
}

int bankplan_queue(const BankPlan *b, int row, int *first) {
  int bank = 0;
  for (; bank + 1 < b->banking.bank_count && row >= queue_rows(b, bank); bank++) row -= queue_rows(b, bank);
  *first = row * b->queue_across;
  return bank;
}

// Few banks have all the work: their queues say more than rows of empty cells.
static bool is_queued(const BankPlan *b) {
  return b->banking.degree > 1 && b->banking.banks_used <= FEW_BANKS && b->banking.banks_used < b->banking.wavefronts;
}

// As many words of a queue beside one another as leave a lane's number and a gap.
static void measure(BankPlan *b) {
  int digits = snprintf(NULL, 0, "%llu", (unsigned long long)(b->row_count ? b->rows[b->row_count - 1] : 0));
  int label = LS_MAX(5 + digits, is_queued(b) ? 8 : 7), room = b->focus->body.w - FOCUS_INDENT - label - 1;
  b->x = b->focus->body.x + FOCUS_INDENT + label;
  b->across = b->banking.bank_count;
  // Seen from afar a number needs room, and its cell two columns.
  bool narrow = b->focus->session->stage && room / b->across < STAGE_PITCH && !is_queued(b);
  if (narrow) b->across /= 2;
  b->pitch = LS_CLAMP(room / b->across, 1, MOST_PITCH);
  int longest = longest_queue(b);
  b->queue_across = 32;
  while (b->queue_across > 8 && (room / b->queue_across < 3 || b->queue_across >= 2 * longest)) b->queue_across /= 2;
  b->queue_pitch = LS_CLAMP(room / b->queue_across, 3, LS_MAX(b->pitch, 4));
}

BankPlan *bankplan_new(Focus *focus, BankMode mode) {
  BankPlan *b = ls_alloc(sizeof *b);
  b->focus = focus;
  gather(b, mode);
  measure(b);
  return b;
}

// ---- fitting ---------------------------------------------------------------------------------------------------------

static bool may_show_rows(const BankPlan *b) { return !b->repeated && b->row_count <= MOST_ROWS; }

static BankForm brief_form(const BankPlan *b) {
  if (is_queued(b)) return BANK_BY_QUEUE;
  return may_show_rows(b) && b->row_count <= b->banking.wavefronts ? BANK_BY_ROW : BANK_BY_WAVE;
}

static BankForm whole_form(const BankPlan *b) {
  return is_queued(b) ? BANK_BY_QUEUE : may_show_rows(b) ? BANK_BY_ROW : BANK_BY_WAVE;
}

static int rows_of(const BankPlan *b, BankForm form) {
  if (form == BANK_BY_QUEUE) {
    int rows = 0;
    for (int bank = 0; bank < b->banking.bank_count; bank++) rows += queue_rows(b, bank);
    return rows;
  }
  return form == BANK_BY_ROW ? b->row_count : b->banking.wavefronts;
}

static bool has_legend(const BankPlan *b) {
  BankLegend legend;
  bankplan_legend(b, &legend);
  return legend.count > 0;
}

void bankplan_fit(BankPlan *b, int rows) {
  rows = LS_MAX(rows - 1, 0);   // of the header
  bool conflicts = b->banking.degree > 1;
  b->form = whole_form(b);
  if (rows_of(b, b->form) + conflicts > rows) b->form = brief_form(b);
  b->wanted = rows_of(b, b->form);
  b->load = conflicts && rows > LS_MIN(b->wanted, 2);
  rows -= b->load;
  b->legend = has_legend(b) && rows > b->wanted;
  rows -= b->legend;
  b->shown = b->wanted <= rows ? b->wanted : LS_MAX(rows - 1, 0);
  int most = b->focus->session->zoom ? 1 + (b->pitch + 1) / 2 : 2;   // cells of a terminal are twice as tall as wide
  b->step = b->wanted && b->wanted <= rows ? LS_CLAMP((rows + 1) / b->wanted, 1, most) : 1;
}

void bankplan_room(const BankPlan *b, FocusRoom *room) {
  int brief = rows_of(b, brief_form(b)), whole = rows_of(b, whole_form(b));
  int around = 2 + (b->banking.degree > 1), legend = has_legend(b);   // rule, header, words
  room->least = around + LS_MIN(brief, 2);
  room->good = around + (brief > GOOD_ROWS + 1 ? GOOD_ROWS + 1 : brief) + (brief > GOOD_ROWS + 1 ? 0 : legend);
  room->whole = around + whole + legend;
}

int bankplan_now(const BankPlan *b) {
  int waves = LS_MAX(b->banking.wavefronts, 1), now = 0;
  while (now + 1 < waves && focus_part(b->focus, now + 1, waves) > 0) now++;
  return now;
}

static int row_of_wave(const BankPlan *b, int wave) {
  if (b->form == BANK_BY_WAVE) return wave;
  if (b->form == BANK_BY_QUEUE) return LS_MIN(wave / b->queue_across, b->wanted - 1);
  uint64_t number = 0;
  for (int i = 0; i < b->banking.word_count; i++)
    if (b->banking.words[i].wave == wave) number = b->banking.words[i].word / (unsigned)b->banking.bank_count;
  int row = 0;
  while (row + 1 < b->row_count && b->rows[row] != number) row++;
  return row;
}

int bankplan_top(const BankPlan *b) {
  int wave = focus_plays(b->focus) ? bankplan_now(b) : b->lit;
  if (wave < 0 || b->shown >= b->wanted) return 0;
  return LS_CLAMP(row_of_wave(b, wave) - b->shown / 2, 0, b->wanted - b->shown);
}

// ---- the legend ------------------------------------------------------------------------------------------------------

// "0-15", "0-3,8-11"; "7 lanes" where there are many runs.
static void brief_lanes(uint32_t mask, char *out, size_t size) {
  enum { MOST_RUNS = 3 };
  uint32_t begins = mask & ~(mask << 1);
  if (__builtin_popcount(begins) > MOST_RUNS) {
    snprintf(out, size, "%d lanes", __builtin_popcount(mask));
    return;
  }
  size_t used = 0;
  for (uint32_t left = begins; left; left &= left - 1) {
    int first = __builtin_ctz(left), last = first;
    while (last < 31 && mask >> (last + 1) & 1) last++;
    used += (size_t)snprintf(out + used, size - used, first == last ? "%s%d" : "%s%d-%d", used ? "," : "", first, last);
  }
}

static void add(BankLegend *legend, int wave, const char *text) {
  if (legend->count >= LS_COUNT(legend->parts)) return;
  snprintf(legend->parts[legend->count].text, sizeof legend->parts[0].text, "%s", text);
  legend->parts[legend->count++].wave = wave;
}

// Whether every bank that is wanted has a word for every wavefront.
static bool all_collide(const Banking *banking) {
  if (banking->pass_count != 1 || !banking->conflicts) return false;
  for (int bank = 0; bank < banking->bank_count; bank++)
    if (banking->bank_lanes[bank] && banking->bank_words[bank] != banking->wavefronts) return false;
  return true;
}

static void add_waves(const BankPlan *b, bool collide, BankLegend *legend) {
  char text[80];
  add(legend, -1, collide ? "Lanes " : "Lanes by wavefront: ");
  for (int wave = 0; wave < b->banking.wave_count; wave++) {
    snprintf(text, sizeof text, "%s%d ", wave ? "  " : "", wave + 1);
    bool last = wave + 1 == b->banking.wave_count;
    if (wave || !collide) add(legend, -1, !collide ? text : last ? " and " : ", ");
    brief_lanes(b->banking.waves[wave].lanes, text, sizeof text);
    add(legend, wave, text);
  }
  snprintf(text, sizeof text, " want different words of the same %d banks.", b->banking.banks_used);
  if (collide) add(legend, -1, text);
}

static void add_queue(const BankPlan *b, BankLegend *legend) {
  char text[80];
  int bank = 0;
  while (!b->banking.bank_lanes[bank]) bank++;
  int used = b->banking.banks_used;
  if (used == 1) snprintf(text, sizeof text, "All lie in bank %d: it gives one word per wavefront.", bank);
  else snprintf(text, sizeof text, "All lie in %d banks: each gives one word per wavefront.", used);
  add(legend, -1, text);
}

// Two columns have no room for the sign of a word that several lanes want, but for lanes of one digit.
static bool has_underlines(const BankPlan *b) {
  bool any = false;
  for (int i = 0; i < b->banking.word_count && b->pitch == 2; i++) {
    uint32_t lanes = b->banking.words[i].lanes;
    any |= lanes & (lanes - 1) && __builtin_ctz(lanes) >= 10;
  }
  return any && !is_queued(b);
}

static int legend_width(const BankLegend *legend) {
  int width = 0;
  for (int i = 0; i < legend->count; i++) width += ls_utf8_width(legend->parts[i].text);
  return width;
}

void bankplan_legend(const BankPlan *b, BankLegend *legend) {
  const Banking *banking = &b->banking;
  legend->count = 0;
  int waves = banking->wave_count;
  bool few = waves > 1 && waves <= LEGEND_WAVES && waves == banking->wavefronts;
  for (int wave = 0; wave < banking->wave_count && few; wave++) few = banking->waves[wave].lanes != 0;
  if (is_queued(b)) add_queue(b, legend);
  else if (few) add_waves(b, all_collide(banking), legend);
  static const char note[] = "underlined: several lanes want the word", gap[] = "   ";
  int room = b->focus->body.w - 2 * FOCUS_INDENT;
  if (few && legend_width(legend) > room) legend->count = 0, add_waves(b, false, legend);
  if (legend_width(legend) > room) legend->count = 0;
  if (!has_underlines(b) || legend_width(legend) + (int)sizeof note + (int)sizeof gap > room) return;
  if (legend->count) add(legend, -1, gap);
  add(legend, -1, note);
}
