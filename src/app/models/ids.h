// ids.h: what the picture of block and thread numbers shows: a grid of blocks, and one thread with all its numbers.
//
//   block 0,0  block 1,0       rank of a thread in its block: (z * block_y + y) * block_x + x
//   0 1 2 3    0 1 2 3         warp = rank / 32, lane = rank % 32
//   4 5 6 7    4 5 6 7         of a block in its grid: y * grid_x + x
#ifndef LS_APP_MODELS_IDS_H
#define LS_APP_MODELS_IDS_H

#include "app/models/model.h"

enum { IDS_WARP = 32 };

typedef struct IdsModel {
  int grid_x, grid_y, size_x, size_y, size_z;   // blocks of the grid, threads of a block
  int block, block_x, block_y;                  // the chosen one: its rank, and blockIdx
  int rank, x, y, z;                            // the chosen thread: its rank in the block, and threadIdx
  int threads, warps;                           // of a block
} IdsModel;
void ids_model(const ModelValues *values, IdsModel *out);
static inline int ids_rank(const IdsModel *m, int x, int y, int z) { return (z * m->size_y + y) * m->size_x + x; }

#endif
