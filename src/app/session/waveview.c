// waveview.c: from a chart and a rectangle to rows and columns, and the chart in words.
#include "app/session/waveview.h"

#include <stdio.h>

#include "app/session/format.h"
#include "base/mem.h"

int waveview_first(const WaveView *view, int group, int *count) {
  int slots = view->chart->slots, first = group * view->group;
  if (view->rows == WAVES_SLOT) {
    *count = 1;
    return group;
  }
  *count = LS_CLAMP(view->chart->sms - first, 0, view->group) * slots;
  return first * slots;
}

uint64_t waveview_time(const WaveView *view, int column) {
  // In two parts, since width times column may not fit into 64 bits.
  uint64_t w = (uint64_t)view->cells.w, c = (uint64_t)column;
  return view->left + view->width / w * c + view->width % w * c / w;
}

static void place_cursor(const SesWaves *waves, uint32_t shown, WaveView *view) {
  uint64_t n, block = waves->block >= 0 ? (uint64_t)waves->block : shown;
  bool possible = view->chart->span && block <= UINT32_MAX;
  view->has_cursor = possible && wavechart_place(view->chart, (uint32_t)block, &view->cursor_row, &n);
  if (view->has_cursor) view->cursor = wavechart_block(view->chart, view->cursor_row, n);
}

static void place_rows(const SesWaves *waves, WaveView *view) {
  int sms = view->chart->sms, h = LS_MAX(view->cells.h, 1), fit = view->halves ? 2 * h : h;
  view->rows = waves->rows;
  view->halves = waves->rows == WAVES_ALL && sms > h;
  fit = view->halves ? 2 * h : h;
  view->group = waves->rows == WAVES_ALL ? (sms + fit - 1) / fit : 1;
  view->groups = waves->rows == WAVES_SLOT ? sms * view->chart->slots : (sms + view->group - 1) / view->group;
  int slot = view->has_cursor ? view->cursor_row : 0;
  int at = waves->rows == WAVES_SLOT ? slot : slot / view->chart->slots / view->group;
  view->top = LS_CLAMP(at - fit / 2, 0, LS_MAX(view->groups - fit, 0));
}

static void place_time(const SesWaves *waves, WaveView *view) {
  uint64_t span = view->chart->span;
  view->width = LS_MAX(span >> LS_CLAMP(waves->zoom, 0, WAVES_MOST_ZOOM), 1);
  uint64_t middle = view->has_cursor ? view->cursor.start + (view->cursor.end - view->cursor.start) / 2 : 0;
  uint64_t left = middle > view->width / 2 ? middle - view->width / 2 : 0;
  view->left = LS_MIN(left, span - LS_MIN(view->width, span));
}

void waveview_place(const WaveChart *chart, const SesWaves *waves, uint32_t shown, Rect rect, WaveView *view) {
  *view = (WaveView){.chart = chart};
  view->cells = (Rect){rect.x + WAVES_LABEL_W, rect.y + 2, LS_MAX(rect.w - WAVES_LABEL_W - 2, 1),
                       LS_MAX(rect.h - 2, 1)};
  place_cursor(waves, shown, view);
  if (!chart->span) return;
  place_rows(waves, view);
  place_time(waves, view);
}

void waveview_split(Rect rect, Rect *picture, Rect *words) {
  enum { WORDS = 4 };
  int h = LS_CLAMP(rect.h - 8, 1, WORDS);
  *picture = (Rect){rect.x, rect.y, rect.w, rect.h - h};
  *words = (Rect){rect.x, rect.y + rect.h - h, rect.w, h};
}

// ---- words ---------------------------------------------------------------------------------------------------------

void waveview_time_text(const WaveChart *chart, uint64_t time, char *out, size_t size) {
  if (chart->computed) snprintf(out, size, "%g", (double)time / WAVE_UNIT);
  else ses_format_ns(time, out, size);
}

static void measured_words(const WaveChart *chart, LsText *out) {
  char span[24], tail[24], least[24], most[24];
  waveview_time_text(chart, chart->end, span, sizeof span);
  waveview_time_text(chart, chart->end - chart->tail, tail, sizeof tail);
  waveview_time_text(chart, chart->shortest, least, sizeof least);
  waveview_time_text(chart, chart->longest, most, sizeof most);
  double share = 100.0 * (double)(chart->end - chart->tail) / (double)chart->end, used = 100 * chart->utilization;
  ls_text_addf(out, "%s%s; blocks took %s to %s. Tail, from when slots run dry: %s, %.0f%%. Slots used: %.*f%% of the "
               "time. Busiest SM: %.2f times the mean.", span,
               chart->stamped ? "" : " while traced", least, most, tail, share, used < 10, used, chart->imbalance);
  char digits[32];
  if (!chart->slowed) return;
  const char *slowed = ls_group_digits(chart->slowed, digits);
  if (chart->slowed == 1) ls_text_add(out, " Without the block that was recorded in full, which slowed it.");
  else ls_text_addf(out, " Without the %s blocks that were recorded in full, which slowed them.", slowed);
}

static void computed_words(const WaveChart *chart, LsText *out) {
  uint64_t rounds = chart->span / WAVE_UNIT, per_wave = (uint64_t)chart->sms * (uint64_t)chart->slots;
  uint64_t last = chart->blocks - (rounds - 1) * per_wave;
  double full = 100.0 * (double)last / (double)per_wave;
  char digits[32];
  ls_text_addf(out, "Computed, as if all blocks took equally long: %llu wave%s", (unsigned long long)rounds,
               rounds > 1 ? "s" : "");
  if (last == per_wave) ls_text_add(out, ", the last one full.");
  else if (rounds == 1) ls_text_addf(out, " that fills %.1f%% of the slots.", full);
  else
    ls_text_addf(out, ", the last with %s block%s, %.1f%% of what fits.", ls_group_digits(last, digits), last > 1 ?
                 "s" : "", full);
  double used = 100 * chart->utilization;
  ls_text_addf(out, " Slots used: %.*f%% of the time.", used < 10, used);
}

void waveview_words(const WaveChart *chart, LsText *out) {
  char digits[32];
  if (!chart->span) {
    ls_text_add(out, "Nothing is known of where these blocks run: a block of this launch does not fit on an SM.");
    return;
  }
  ls_text_addf(out, "%s block%s on %d SMs, %d at once on each. ", ls_group_digits(chart->blocks, digits),
               chart->blocks > 1 ? "s" : "", chart->sms, chart->slots);
  if (chart->computed) computed_words(chart, out);
  else measured_words(chart, out);
}
