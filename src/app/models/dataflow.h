// dataflow.h: what the picture of dataflow shows: steps between host and device, and the copies that they cost.
#ifndef LS_APP_MODELS_DATAFLOW_H
#define LS_APP_MODELS_DATAFLOW_H

#include "app/models/model.h"

enum { DATAFLOW_STEPS = 64, DATAFLOW_NODES = 16 };

// What happens: a copy in or out, or work on the device or the host. wasted: a copy that need not be.
typedef enum FlowKind { FLOW_IN, FLOW_OUT, FLOW_GPU, FLOW_CPU } FlowKind;
typedef struct FlowStep { FlowKind kind; bool wasted; char name[32]; } FlowStep;

typedef struct DataflowModel {
  bool pipeline, kept;           // kept: what is on the device stays there
  int matrices, step_count, shown, copies, least;
  FlowStep steps[DATAFLOW_STEPS];
  int node_count, chosen;        // of a pipeline
  bool on_gpu[DATAFLOW_NODES];
  double megabytes, ms;          // of one copy; of all copies
} DataflowModel;
void dataflow_model(const ModelValues *values, DataflowModel *out);

#endif
