// latency.h: what the picture of latency hiding shows: a program, the warps that run it, and who issues when.
#ifndef LS_APP_MODELS_LATENCY_H
#define LS_APP_MODELS_LATENCY_H

#include "app/models/model.h"
#include "model/scoreboard.h"

typedef struct LatencyModel {
  int program, warps, until;      // until: cycles that are shown
  ScorePolicy policy;
  ScoreCode code;
  ScoreRun run;
} LatencyModel;
void latency_model(const ModelValues *values, LatencyModel *out);
const char *latency_program_name(int program);
// How busy the scheduler is with another number of warps, 0 to 1.
double latency_busy(const LatencyModel *model, int warps);

#endif
