// little.h: what the picture of Little's law shows: riders of an escalator, and bytes under way to an SM.
#ifndef LS_APP_MODELS_LITTLE_H
#define LS_APP_MODELS_LITTLE_H

#include "app/models/model.h"

typedef struct LittleModel {
  int riders, steps, seconds;    // of the escalator; seconds between two steps at its foot
  double ride, rate, most;       // seconds to the top; people a second, and the most there can be
  const ArchProfile *arch;
  int mhz, latency, loads;       // loads of 4 bytes a lane that each warp has under way
  double bytes, lines;           // an SM must have so much under way to use its share of the bandwidth
  int warps;                     // of 32 lanes: as many as that takes; 0: more than an SM holds
} LittleModel;
void little_model(const ModelValues *values, LittleModel *out);

#endif
