// coherence.h: what the picture of coherence shows: operations one after the other, and the caches after each.
#ifndef LS_APP_MODELS_COHERENCE_H
#define LS_APP_MODELS_COHERENCE_H

#include "app/models/model.h"
#include "model/coherence.h"

enum { COHERENCE_OPS = 84 };

typedef struct CoherenceModel {
  CohProtocol protocol;
  int cores, chosen, step, op_count;      // step: operations that are done
  int64_t lease;
  CohOp ops[COHERENCE_OPS];
  Coherence after[COHERENCE_OPS + 1];     // after[i]: after i operations
  CohEvent events[COHERENCE_OPS];
} CoherenceModel;
// Takes some 200 KB: caller frees.
CoherenceModel *coherence_model(const ModelValues *values);
const char *coherence_protocol(CohProtocol protocol);

#endif
