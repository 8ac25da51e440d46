// wavechart.h: blocks on SMs over time: as a device ran them, or as it would if all blocks took equally long.
//
//   SM 0  slot 0 |  0 |  8 | 16 |        a row is a slot of an SM: what one of the blocks that run there at once ran
// in.
//         slot 1 |  4 | 12 |             Its blocks follow one another and never overlap.
//   SM 1  slot 0 |  1 |  9 |  .          The tail begins where the first slot that was used runs dry for good (.): from
//         ...                            then on the device empties.
//
// Time counts in nanoseconds if it was measured, else in blocks: one block takes WAVE_UNIT.
#ifndef LS_MODEL_WAVECHART_H
#define LS_MODEL_WAVECHART_H

#include <stdbool.h>
#include "trace/trace.h"

enum { WAVE_UNIT = 1000, WAVE_MOST_SLOTS = 64 };

typedef struct WaveBlock { uint64_t start, end; uint32_t block; bool slowed; } WaveBlock;   // slowed: see WaveChart

// One slot's blocks in the order of time. Private: go through the functions below, since a computed chart keeps none.
typedef struct WaveRow { uint64_t first; uint64_t count; } WaveRow;

// Blocks whose every event was recorded took longer than they do by themselves. Where others were not, `slowed` counts
// them, and the numbers below it are of the others: of the slots, and the SMs, that ran none of them.
typedef struct WaveChart {
  bool computed;
  bool stamped;                  // measured, of a run in which nothing else was recorded
  uint64_t blocks;
  int sms, slots;                // slots of an SM: the most blocks that were on one at once
  uint64_t span;                 // until the last block ended; 0: there is nothing to show
  double waves;                  // blocks / (sms x slots)
  uint64_t slowed;               // blocks that are left out of what follows
  uint64_t end;                  // until the last block ended: span, or sooner if only slowed ones were left
  uint64_t tail;                 // when the tail begins; end if all slots end together
  double utilization;            // time of blocks / (slots x end)
  double imbalance;              // longest time that an SM was busy / mean of all SMs
  uint64_t shortest, longest, mean;   // time of a block
  // Private.
  WaveBlock *items;              // by row, then by time
  uint64_t *busy_before;         // per item: time of the items before it in its row
  WaveRow *rows;                 // sms x slots
  struct WavePlace { uint32_t block; int row; uint64_t item; } *places;   // by block
  int place_count;
} WaveChart;

// times: as trace_block_times gives them, in the order of their start. Slots are found: a block takes the first one
// of its SM
// that is free. sms: of the device; more if a time says so. More than WAVE_MOST_SLOTS blocks at once on one SM are no
// device: the chart is empty then. recorded: the blocks that were recorded in full (trace_blocks).
void wavechart_measured(const TraceBlockTime *times, int count, uint64_t blocks, int sms, const TraceBlock *recorded,
                        int recorded_count, WaveChart *chart);
// List scheduling of equal blocks: block b goes to SM b % sms of its wave.
void wavechart_computed(uint64_t blocks, int sms, int blocks_per_sm, WaveChart *chart);
void wavechart_free(WaveChart *chart);

// Row sm * slots + slot. How many blocks it ran; the n-th of them; the first that ends after a time (the count if
// none does).
uint64_t wavechart_count(const WaveChart *chart, int row);
WaveBlock wavechart_block(const WaveChart *chart, int row, uint64_t n);
uint64_t wavechart_find(const WaveChart *chart, int row, uint64_t time);
// Time in [from, to) during which the row ran a block.
uint64_t wavechart_busy(const WaveChart *chart, int row, uint64_t from, uint64_t to);
// Where a block ran; false if that is not known.
bool wavechart_place(const WaveChart *chart, uint32_t block, int *row, uint64_t *n);

#endif
