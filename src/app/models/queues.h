// queues.h: what the picture of queues shows: kernels in streams, and which block is on which SM when.
#ifndef LS_APP_MODELS_QUEUES_H
#define LS_APP_MODELS_QUEUES_H

#include "app/models/model.h"

enum { QUEUES_KERNELS = 24, QUEUES_BLOCKS = 512, QUEUES_PLACES = 32 };

// times in ms. start and end: of its first and last block; -1: it never began (bad queues do not happen).
typedef struct QueuesKernel { int stream, blocks, length, arrival, first, waiting, running, start,
                             end; bool high; } QueuesKernel;
typedef struct QueuesBlock { int kernel, place, start, end; } QueuesBlock;
typedef struct QueuesModel {
  int places, kernel_count, block_count, now, end;
  bool next_only, priorities;
  QueuesKernel kernels[QUEUES_KERNELS];
  QueuesBlock blocks[QUEUES_BLOCKS];
} QueuesModel;
void queues_model(const ModelValues *values, QueuesModel *out);

#endif
