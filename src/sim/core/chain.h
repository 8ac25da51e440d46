// chain.h: what is known of the terms of a sum of chosen words (analysis/chains.c), once its accesses had their shapes.
#ifndef LS_SIM_CORE_CHAIN_H
#define LS_SIM_CORE_CHAIN_H

#include "sim/core/exec.h"

typedef struct SimChainTerm {
  uint64_t *times;            // of a shuffle, or of a shape at its one place
  const SimShape *shape;      // of a load; NULL: it is a shuffle
  const uint8_t *place;       // of the word that is loaded
  uint32_t out_of_range;      // of a shuffle: lanes that get nothing from another one
} SimChainTerm;

typedef struct SimChainPlan {
  SimChainTerm terms[SIM_CHAIN_LINKS];
  SimChainStep steps[SIM_CHAIN_LINKS];   // but for the lanes
  uint64_t version;           // SimExec.shape_version when it was made
  bool is_known;
  bool shuffles, loads, shuffles_first;   // some term does; shuffles come before loads
  uint8_t cares;              // of its shapes
  SimLateRead reads[SIM_CHAIN_LINKS]; int read_count;   // of shared memory, for checks to remember
  uint8_t patience;
  uint16_t skip;              // as of SimShapes: times to be passed over
} SimChainPlan;

#endif
