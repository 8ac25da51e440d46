// slope.h: how the addresses of an instruction depend on threadIdx, on blockIdx and on the round of its loop, by the
// addresses that were seen.
//
//   address = base + threadIdx.x * thread[0] + threadIdx.y * thread[1] + threadIdx.z * thread[2]
//                  + blockIdx.x * block[0] + ... + round * round
//
// Every thread's first access in a block has to agree, or nothing is claimed of threads; every watched block has to
// agree, or nothing is claimed of blocks.
#ifndef LS_MODEL_SLOPE_H
#define LS_MODEL_SLOPE_H

#include "model/findings/finding.h"

typedef struct Slopes {
  bool threads_known; int64_t thread[3];   // bytes; 0 along an axis of one thread
  bool blocks_known; int64_t block[3];     // bytes; 0 along an axis of one block
  bool round_known; int64_t round;         // bytes from one execution by a warp to its next
} Slopes;
void slopes_of(const FindingsOf *of, int pc, Slopes *out);

#endif
