// reuse.h: what the picture of reuse shows: how often each element of M and N has been read from global memory.
#ifndef LS_APP_MODELS_REUSE_H
#define LS_APP_MODELS_REUSE_H

#include "app/models/model.h"

enum { REUSE_MOST = 64 };

typedef struct ReuseModel {
  int width, tile;             // tile 0: every thread reads for itself
  int block;                   // rows and columns of a block of threads
  int row, col, step;          // a thread, by its element of P; steps of k that are done
  int64_t words, requests, sectors, shared_reads;   // of the whole product
} ReuseModel;
void reuse_model(const ModelValues *values, ReuseModel *out);
// How often an element of M (or N) has been read after the model's steps, by threads of all blocks.
int reuse_reads_m(const ReuseModel *model, int row, int k);
int reuse_reads_n(const ReuseModel *model, int k, int col);
// Elements of k that are in shared memory at this step: [from, to). Empty without tiles, and before the first step.
void reuse_tile_now(const ReuseModel *model, int *from, int *to);

#endif
