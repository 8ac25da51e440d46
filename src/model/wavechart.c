// wavechart.c: slots of SMs, and what of their time they were used.
#include "model/wavechart.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

// ---- rows ----------------------------------------------------------------------------------------------------------

static uint64_t per_wave_of(const WaveChart *chart) { return (uint64_t)chart->sms * (uint64_t)chart->slots; }

// Which block of a computed wave a row runs.
static uint64_t turn_of(const WaveChart *chart, int row) {
  return (uint64_t)(row % chart->slots * chart->sms + row / chart->slots);
}

uint64_t wavechart_count(const WaveChart *chart, int row) {
  if (!chart->computed) return chart->rows[row].count;
  uint64_t per_wave = per_wave_of(chart), at = turn_of(chart, row);
  return at < chart->blocks ? (chart->blocks - at - 1) / per_wave + 1 : 0;
}

WaveBlock wavechart_block(const WaveChart *chart, int row, uint64_t n) {
  if (!chart->computed) return chart->items[chart->rows[row].first + n];
  uint64_t block = n * per_wave_of(chart) + turn_of(chart, row);
  return (WaveBlock){n * WAVE_UNIT, (n + 1) * WAVE_UNIT, (uint32_t)block, false};
}

uint64_t wavechart_find(const WaveChart *chart, int row, uint64_t time) {
  uint64_t count = wavechart_count(chart, row);
  if (chart->computed) return LS_MIN(time / WAVE_UNIT, count);
  const WaveBlock *items = chart->items + chart->rows[row].first;
  uint64_t low = 0, high = count;
  while (low < high) {
    uint64_t middle = low + (high - low) / 2;
    if (items[middle].end > time) high = middle;
    else low = middle + 1;
  }
  return low;
}

// Time of the row's blocks before `time`.
static uint64_t busy_until(const WaveChart *chart, int row, uint64_t time) {
  uint64_t n = wavechart_find(chart, row, time), count = wavechart_count(chart, row);
  if (chart->computed) return LS_MIN(time, count * WAVE_UNIT);
  if (!count) return 0;
  uint64_t at = chart->rows[row].first + LS_MIN(n, count - 1);
  const WaveBlock *item = &chart->items[at];
  uint64_t until = LS_MIN(time, item->end);   // the last one may have ended before
  return chart->busy_before[at] + (until > item->start ? until - item->start : 0);
}

uint64_t wavechart_busy(const WaveChart *chart, int row, uint64_t from, uint64_t to) {
  return to > from ? busy_until(chart, row, to) - busy_until(chart, row, from) : 0;
}

static int by_block(const void *a, const void *b) {
  uint32_t left = ((const struct WavePlace *)a)->block, right = ((const struct WavePlace *)b)->block;
  return left < right ? -1 : left > right;
}

bool wavechart_place(const WaveChart *chart, uint32_t block, int *row, uint64_t *n) {
  if (block >= chart->blocks || !chart->span) return false;
  if (chart->computed) {
    uint64_t per_wave = per_wave_of(chart), at = block % per_wave;
    *row = (int)(at % (uint64_t)chart->sms) * chart->slots + (int)(at / (uint64_t)chart->sms);
    *n = block / per_wave;
    return true;
  }
  struct WavePlace wanted = {.block = block};
  const struct WavePlace *place = bsearch(&wanted, chart->places, (size_t)chart->place_count, sizeof wanted, by_block);
  if (!place) return false;
  *row = place->row;
  *n = place->item - chart->rows[*row].first;
  return true;
}

void wavechart_free(WaveChart *chart) {
  free(chart->items);
  free(chart->busy_before);
  free(chart->rows);
  free(chart->places);
  *chart = (WaveChart){0};
}

// ---- computed ------------------------------------------------------------------------------------------------------

void wavechart_computed(uint64_t blocks, int sms, int blocks_per_sm, WaveChart *chart) {
  *chart = (WaveChart){.computed = true, .blocks = blocks, .sms = sms, .slots = blocks_per_sm};
  if (!blocks || sms <= 0 || blocks_per_sm <= 0) return;
  uint64_t per_wave = (uint64_t)sms * (uint64_t)blocks_per_sm, rounds = (blocks - 1) / per_wave + 1;
  chart->span = chart->end = rounds * WAVE_UNIT;
  chart->tail = blocks % per_wave && rounds > 1 ? (rounds - 1) * WAVE_UNIT : chart->span;
  chart->waves = (double)blocks / (double)per_wave;
  chart->utilization = (double)blocks / ((double)rounds * (double)per_wave);
  chart->shortest = chart->longest = chart->mean = WAVE_UNIT;
  // An SM is busy in every full wave, and in the last one if its share of that has any block.
  double busy = (double)(rounds - 1) + LS_MIN((double)(blocks - (rounds - 1) * per_wave) / (double)sms, 1.0);
  chart->imbalance = (double)rounds / busy;
}

// ---- measured ------------------------------------------------------------------------------------------------------

// What is known of an SM while its blocks are gone through in the order of their start.
// covered: its time up to here is in `busy`.
typedef struct SmState { uint64_t *free_at; int slots, capacity; uint64_t busy, covered; } SmState;

static int take_slot(SmState *sm, const TraceBlockTime *time) {
  int slot = 0;
  while (slot < sm->slots && sm->free_at[slot] > time->start) slot++;
  if (slot == WAVE_MOST_SLOTS) return slot;
  if (slot == sm->slots) LS_PUSH(sm->free_at, sm->slots, sm->capacity, 0);
  sm->free_at[slot] = time->end;
  uint64_t from = LS_MAX(time->start, sm->covered);
  if (time->end > from) sm->busy += time->end - from;
  sm->covered = LS_MAX(sm->covered, time->end);
  return slot;
}

// Gives every block its slot (slots[i] of times[i]); returns the most slots of an SM.
static int assign(const TraceBlockTime *times, int count, SmState *sms, int *slots) {
  int most = 1;
  for (int i = 0; i < count; i++) {
    slots[i] = take_slot(&sms[times[i].sm], &times[i]);
    most = LS_MAX(most, slots[i] + 1);
  }
  return most;
}

static void place_items(WaveChart *chart, const TraceBlockTime *times, int count, const int *slots,
                        const bool *slowed) {
  int rows = chart->sms * chart->slots;
  chart->rows = ls_alloc((size_t)rows * sizeof *chart->rows);
  chart->items = ls_alloc((size_t)count * sizeof *chart->items);
  chart->busy_before = ls_alloc((size_t)count * sizeof *chart->busy_before);
  chart->places = ls_alloc((size_t)count * sizeof *chart->places);
  chart->place_count = count;
  for (int i = 0; i < count; i++) chart->rows[times[i].sm * chart->slots + slots[i]].count++;
  for (int r = 1; r < rows; r++) chart->rows[r].first = chart->rows[r - 1].first + chart->rows[r - 1].count;
  for (int r = 0; r < rows; r++) chart->rows[r].count = 0;
  for (int i = 0; i < count; i++) {
    int row = times[i].sm * chart->slots + slots[i];
    WaveRow *r = &chart->rows[row];
    uint64_t at = r->first + r->count++;
    const WaveBlock *before = &chart->items[at - (r->count > 1)];
    chart->busy_before[at] = r->count > 1 ? chart->busy_before[at - 1] + before->end - before->start : 0;
    chart->items[at] = (WaveBlock){times[i].start, times[i].end, times[i].block, slowed[i]};
    chart->places[i] = (struct WavePlace){times[i].block, row, at};
  }
  qsort(chart->places, (size_t)count, sizeof *chart->places, by_block);
}

static int by_number(const void *a, const void *b) {
  uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
  return left < right ? -1 : left > right;
}

// Which blocks were recorded in full, unless all were: then they are slowed alike.
static uint64_t find_slowed(const TraceBlockTime *times, int count, const TraceBlock *recorded, int recorded_count,
                            bool *slowed) {
  uint32_t *numbers = ls_alloc(((size_t)recorded_count + 1) * sizeof *numbers);
  int kept = 0;
  uint64_t found = 0;
  for (int i = 0; i < recorded_count; i++) if (recorded[i].count) numbers[kept++] = recorded[i].block;
  qsort(numbers, (size_t)kept, sizeof *numbers, by_number);
  for (int i = 0; i < count; i++) {
    slowed[i] = kept && bsearch(&times[i].block, numbers, (size_t)kept, sizeof *numbers, by_number) != NULL;
    found += slowed[i];
  }
  free(numbers);
  if (found < (uint64_t)count) return found;
  memset(slowed, 0, (size_t)count * sizeof *slowed);
  return 0;
}

// How long the blocks took that count.
static void sum_blocks(WaveChart *chart, const TraceBlockTime *times, int count, const bool *slowed) {
  uint64_t total = 0, blocks = 0;
  chart->shortest = UINT64_MAX;
  for (int i = 0; i < count; i++) {
    uint64_t took = times[i].end - times[i].start;
    chart->span = LS_MAX(chart->span, times[i].end);
    if (slowed[i]) continue;
    chart->end = LS_MAX(chart->end, times[i].end);
    chart->shortest = LS_MIN(chart->shortest, took);
    chart->longest = LS_MAX(chart->longest, took);
    total += took;
    blocks++;
  }
  chart->mean = total / LS_MAX(blocks, 1);
}

static bool runs_slowed(const WaveChart *chart, int row) {
  const WaveBlock *items = chart->items + chart->rows[row].first;
  for (uint64_t i = 0; chart->slowed && i < chart->rows[row].count; i++) if (items[i].slowed) return true;
  return false;
}

static uint64_t row_time(const WaveChart *chart, int row) {
  uint64_t count = chart->rows[row].count, last = chart->rows[row].first + count - 1;
  return count ? chart->busy_before[last] + chart->items[last].end - chart->items[last].start : 0;
}

// Slots and SMs that ran no slowed block tell of the device.
static void sum_up(WaveChart *chart, const TraceBlockTime *times, int count, const SmState *sms, const bool *slowed) {
  uint64_t time = 0, busy = 0, busiest = 0;
  int places = 0, counted = 0;
  sum_blocks(chart, times, count, slowed);
  chart->tail = chart->end;
  for (int s = 0; s < chart->sms; s++) {
    bool left_out = false;
    for (int slot = 0; slot < chart->slots; slot++) {
      int row = s * chart->slots + slot;
      bool out = runs_slowed(chart, row);
      left_out |= out;
      if (out) continue;
      places++;
      time += row_time(chart, row);
      if (slot < sms[s].slots) chart->tail = LS_MIN(chart->tail, sms[s].free_at[slot]);
    }
    if (left_out) continue;
    counted++;
    busy += sms[s].busy;
    busiest = LS_MAX(busiest, sms[s].busy);
  }
  chart->waves = (double)count / ((double)chart->sms * chart->slots);
  if (chart->end && places) chart->utilization = (double)time / ((double)places * (double)chart->end);
  if (busy) chart->imbalance = (double)busiest * counted / (double)busy;
}

void wavechart_measured(const TraceBlockTime *times, int count, uint64_t blocks, int sms, const TraceBlock *recorded,
                        int recorded_count, WaveChart *chart) {
  *chart = (WaveChart){.blocks = blocks, .sms = LS_MAX(sms, 1)};
  for (int i = 0; i < count; i++) chart->sms = LS_MAX(chart->sms, times[i].sm + 1);
  if (!count) return;
  SmState *states = ls_alloc((size_t)chart->sms * sizeof *states);
  int *slots = ls_alloc((size_t)count * sizeof *slots);
  bool *slowed = ls_alloc((size_t)count * sizeof *slowed);
  chart->slots = assign(times, count, states, slots);
  if (chart->slots <= WAVE_MOST_SLOTS) {
    chart->slowed = find_slowed(times, count, recorded, recorded_count, slowed);
    place_items(chart, times, count, slots, slowed);
    sum_up(chart, times, count, states, slowed);
  }
  for (int s = 0; s < chart->sms; s++) free(states[s].free_at);
  free(states);
  free(slots);
  free(slowed);
}
