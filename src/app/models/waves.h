// waves.h: what the picture of waves shows: on which SM the blocks of one or two kernels run, and when.
//
//   queue 8 9 10 11          a place is room for one block on an SM. The next block of the queue takes the first place
//   SM 0 |  0 |  8 |         that is free, on the SM with the lowest number. A block never moves.
//   SM 1 |  1 |  9 |
#ifndef LS_APP_MODELS_WAVES_H
#define LS_APP_MODELS_WAVES_H

#include "app/models/model.h"

// Ticks in the time of a plain block; it divides by all that a block can be cut into.
enum { WAVES_TICKS = 840, WAVES_CUT = 8 };

// number: its blockIdx, from 0
typedef struct WavesBlock { int kernel, number, place; int64_t start, end; } WavesBlock;
typedef struct WavesModel {
  int sms, per_sm, places;            // places: at place p runs what is on SM p % sms
  int blocks, second, cut;            // of both kernels, after they were cut
  bool even;                          // all blocks take equally long: then there are waves
  bool streams;                       // the second kernel need not wait for the first one
  int long_block, long_times;         // blockIdx of the first kernel; 1 times: no block is long
  WavesBlock *list;                   // in the order in which they begin: the first kernel's, then the second's
  int count;
  int64_t now, end, work, tail;       // end of the last block; ticks of all; from when on a place stays empty
} WavesModel;
void waves_model(const ModelValues *values, WavesModel *out);   // waves_model_free frees the list
void waves_model_free(WavesModel *model);
int64_t waves_total(const WavesModel *model);                  // blocks of both kernels
double waves_seconds(int64_t ticks);                           // in times of a plain block
double waves_used(const WavesModel *model);                    // share of the places' time, until the end
int waves_waiting(const WavesModel *model);                    // blocks that have not begun at `now`

#endif
