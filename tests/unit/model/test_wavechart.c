// test_wavechart.c: blocks on SMs over time, against charts drawn by hand and against sums over every moment.
#include "model/wavechart.h"

#include <math.h>

#include "base/mem.h"
#include "base/random.h"
#include "check.h"
#include "model/waves.h"

// ---- by hand -------------------------------------------------------------------------------------------------------

//   SM 0  slot 0   0000 3333 .
//         slot 1   11111111 .
//   SM 1  slot 0   2222 444444
static const TraceBlockTime hand[] = {{0, 0, 0, 40}, {1, 0, 0, 80}, {2, 1, 0, 40}, {3, 0, 40, 80}, {4, 1, 40, 100}};

static void drawn_by_hand(void) {
  WaveChart chart;
  wavechart_measured(hand, LS_COUNT(hand), 5, 2, NULL, 0, &chart);
  CHECK_INT(chart.slots, 2);
  CHECK_INT(chart.span, 100);
  CHECK_INT(chart.tail, 80);
  CHECK(!chart.computed);
  CHECK_INT(wavechart_count(&chart, 0), 2);
  CHECK_INT(wavechart_count(&chart, 1), 1);
  CHECK_INT(wavechart_count(&chart, 2), 2);
  CHECK_INT(wavechart_count(&chart, 3), 0);
  CHECK_INT(wavechart_block(&chart, 0, 1).block, 3);
  CHECK_INT(wavechart_block(&chart, 2, 1).end, 100);
  CHECK_INT(wavechart_busy(&chart, 0, 0, 100), 80);
  CHECK_INT(wavechart_busy(&chart, 0, 30, 90), 50);
  CHECK_INT(wavechart_busy(&chart, 3, 0, 100), 0);
  CHECK_INT(wavechart_find(&chart, 2, 39), 0);
  CHECK_INT(wavechart_find(&chart, 2, 40), 1);
  CHECK_INT(wavechart_find(&chart, 2, 100), 2);
  CHECK(chart.utilization > 0.6499 && chart.utilization < 0.6501);   // 40 + 80 + 40 + 40 + 60 of 2 x 2 x 100
  CHECK(chart.imbalance > 1.1110 && chart.imbalance < 1.1112);       // 100 / mean of 80 and 100
  CHECK_INT(chart.shortest, 40);
  CHECK_INT(chart.longest, 80);
  CHECK_INT(chart.mean, 52);
  int row;
  uint64_t n;
  CHECK(wavechart_place(&chart, 4, &row, &n) && row == 2 && n == 1);
  CHECK(!wavechart_place(&chart, 5, &row, &n));
  wavechart_free(&chart);
}

// ---- against every moment ------------------------------------------------------------------------------------------

enum { SMS = 5, SLOTS = 3, COUNT = 400 };

static int by_start(const void *a, const void *b) {
  const TraceBlockTime *left = a, *right = b;
  return left->start != right->start ? (left->start < right->start ? -1 : 1) : left->block < right->block ? -1 : 1;
}

static void run_somehow(TraceBlockTime *times, uint32_t seed) {
  LsMt random;
  uint64_t free_at[SMS * SLOTS] = {0};
  ls_mt_seed(&random, seed);
  for (uint32_t b = 0; b < COUNT; b++) {
    int slot = 0;
    for (int i = 1; i < SMS * SLOTS; i++)
      if (free_at[i] < free_at[slot]) slot = i;
    uint64_t start = free_at[slot] + ls_mt_u32(&random) % 3, took = ls_mt_u32(&random) % 30;   // some take no time at all
    times[b] = (TraceBlockTime){b, (uint16_t)(slot % SMS), start, start + took};
    free_at[slot] = start + took;
  }
  qsort(times, COUNT, sizeof *times, by_start);
}

static void no_two_at_once(void) {
  TraceBlockTime times[COUNT];
  for (uint32_t seed = 1; seed <= 20; seed++) {
    WaveChart chart;
    run_somehow(times, seed);
    wavechart_measured(times, COUNT, COUNT, SMS, NULL, 0, &chart);
    CHECK(chart.slots <= SLOTS);
    uint64_t seen = 0, total = 0;
    for (int row = 0; row < chart.sms * chart.slots; row++) {
      for (uint64_t n = 0; n < wavechart_count(&chart, row); n++, seen++) {
        WaveBlock block = wavechart_block(&chart, row, n);
        int at_row;
        uint64_t at;
        CHECK(n == 0 || wavechart_block(&chart, row, n - 1).end <= block.start);
        CHECK(wavechart_place(&chart, block.block, &at_row, &at) && at_row == row && at == n);
        total += block.end - block.start;
      }
      uint64_t sum = 0;
      for (uint64_t t = 0; t < chart.span; t++) sum += wavechart_busy(&chart, row, t, t + 1);
      CHECK_INT(sum, wavechart_busy(&chart, row, 0, chart.span));
    }
    CHECK_INT(seen, COUNT);
    double utilization = (double)total / ((double)chart.sms * chart.slots * (double)chart.span);
    CHECK(chart.utilization > utilization - 1e-9 && chart.utilization < utilization + 1e-9);
    wavechart_free(&chart);
  }
}

// ---- computed ------------------------------------------------------------------------------------------------------

static void computed_is_what_waves_say(void) {
  static const struct { uint64_t blocks; int sms, per_sm; } grids[] = {
      {1, 132, 8}, {132, 132, 1}, {1057, 132, 8}, {1056, 132, 8}, {5000, 80, 4}, {7, 2, 3}};
  for (int i = 0; i < LS_COUNT(grids); i++) {
    WaveChart chart;
    Waves waves;
    wavechart_computed(grids[i].blocks, grids[i].sms, grids[i].per_sm, &chart);
    waves_compute((int64_t)grids[i].blocks, grids[i].sms, grids[i].per_sm, &waves);
    CHECK_INT(chart.span, waves.waves * WAVE_UNIT);
    CHECK(chart.utilization > waves.utilization - 1e-9 && chart.utilization < waves.utilization + 1e-9);
    uint64_t seen = 0, busy = 0;
    for (int row = 0; row < chart.sms * chart.slots; row++) {
      uint64_t count = wavechart_count(&chart, row);
      busy += wavechart_busy(&chart, row, 0, chart.span);
      for (uint64_t n = 0; n < count; n++, seen++) {
        WaveBlock block = wavechart_block(&chart, row, n);
        int at_row;
        uint64_t at;
        CHECK(wavechart_place(&chart, block.block, &at_row, &at) && at_row == row && at == n);
        CHECK_INT(wavechart_find(&chart, row, block.start), n);
      }
    }
    CHECK_INT(seen, grids[i].blocks);
    CHECK_INT(busy, grids[i].blocks * WAVE_UNIT);
    wavechart_free(&chart);
  }
}

// A grid of 2^40 blocks is not laid out block by block.
static void huge_grids_are_only_computed(void) {
  WaveChart chart;
  wavechart_computed(UINT64_C(1) << 40, 132, 8, &chart);
  CHECK_INT(wavechart_busy(&chart, 5, 100 * WAVE_UNIT, 200 * WAVE_UNIT), 100 * WAVE_UNIT);
  CHECK(chart.utilization > 0.99 && chart.imbalance < 1.01);
  wavechart_free(&chart);
}

static void nothing_and_nonsense(void) {
  WaveChart chart;
  wavechart_measured(NULL, 0, 10, 132, NULL, 0, &chart);
  CHECK_INT(chart.span, 0);
  wavechart_free(&chart);
  wavechart_computed(0, 132, 8, &chart);
  CHECK_INT(chart.span, 0);
  wavechart_computed(10, 132, 0, &chart);
  CHECK_INT(chart.span, 0);
  TraceBlockTime crowd[100];   // a hundred blocks on one SM at once
  for (uint32_t i = 0; i < 100; i++) crowd[i] = (TraceBlockTime){i, 65535, 0, 10};
  wavechart_measured(crowd, 100, 100, 132, NULL, 0, &chart);
  CHECK_INT(chart.span, 0);
  wavechart_free(&chart);
  wavechart_measured(&(TraceBlockTime){4000000000u, 3, 5, 5}, 1, UINT64_C(1) << 47, 132, NULL, 0, &chart);
  CHECK_INT(chart.span, 5);
  wavechart_free(&chart);
}

// A block that was recorded in full ends long after the others: its slot and its SM tell nothing. If all were, all do.
static void recorded_blocks_are_left_out(void) {
  static const TraceBlock late[] = {{4, 100, 50}, {1, 0, 0}};   // of block 1 nothing was recorded
  static const TraceBlock all[] = {{0, 0, 9}, {1, 9, 9}, {2, 18, 9}, {3, 27, 9}, {4, 36, 9}};
  WaveChart chart;
  uint64_t n;
  int row;
  wavechart_measured(hand, LS_COUNT(hand), 5, 2, late, LS_COUNT(late), &chart);
  CHECK_INT(chart.slowed, 1);
  CHECK_INT(chart.span, 100);
  CHECK_INT(chart.end, 80);
  CHECK_INT(chart.tail, 80);
  CHECK_INT(chart.longest, 80);
  CHECK_INT(chart.mean, (40 + 80 + 40 + 40) / 4);
  CHECK(fabs(chart.utilization - 160.0 / (3 * 80)) < 1e-12);   // slots 0.0, 0.1 and 1.1, which stayed empty
  CHECK(fabs(chart.imbalance - 1) < 1e-12);
  CHECK(wavechart_place(&chart, 4, &row, &n) && wavechart_block(&chart, row, n).slowed);
  CHECK(wavechart_place(&chart, 2, &row, &n) && !wavechart_block(&chart, row, n).slowed);
  wavechart_free(&chart);
  wavechart_measured(hand, LS_COUNT(hand), 5, 2, all, LS_COUNT(all), &chart);
  CHECK(chart.slowed == 0 && chart.end == 100 && chart.tail == 80);
  wavechart_free(&chart);
}

static const Check checks[] = {
    {"drawn by hand", drawn_by_hand}, {"no two blocks at once in a slot", no_two_at_once},
    {"recorded blocks are left out", recorded_blocks_are_left_out},
    {"computed as waves say", computed_is_what_waves_say}, {"huge grids", huge_grids_are_only_computed},
    {"nothing and nonsense", nothing_and_nonsense},
};

int main(int argc, char **argv) { return check_main("wavechart", checks, LS_COUNT(checks), argc, argv); }
