// of_run.h: values of a model that a run gives: its launch, its instructions, what it moved and computed, its pointers.
//
//   occupancy, waves   threads, shared memory, registers and blocks of the launch, on the run's device
//   latency            the first instructions of a warp: loads, arithmetic, and how far apart a result and its use are
//   roofline           a point: operations per byte, and, where the run or a recording of it was timed, its rate
//   spaces             the access at a step: into which window the pointer of each lane points
#ifndef LS_APP_MODELS_OF_RUN_H
#define LS_APP_MODELS_OF_RUN_H

#include "app/models/model.h"
#include "app/run/run.h"

enum { MODEL_ANY_STEP = -1 };

bool model_takes_run(const Model *model);
// The model before runs are put into it: its defaults, without the points that it shows as an example.
void model_of_run_begin(const Model *model, ModelValues *values);
// Changes the values that the run decides; the others stay. A point of the roofline comes behind those that `values`
// has already. step: where the run is looked at; MODEL_ANY_STEP: where there is something to see. False: the model
// takes nothing from a run, or this one has nothing of it: the message says what.
bool model_of_run(const Model *model, Run *run, int64_t step, ModelValues *values, LsErr *err);

#endif
