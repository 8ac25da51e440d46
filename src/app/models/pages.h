// pages.h: what the picture of unified memory shows: pages, who has them, and what moving them costs.
#ifndef LS_APP_MODELS_PAGES_H
#define LS_APP_MODELS_PAGES_H

#include "app/models/model.h"

enum { PAGES_MOST = 512, PAGES_EVENTS = 2 * PAGES_MOST + 4 };

// Some pages move at once: by a fault of the GPU or the host that stops whoever wanted them, or because it was asked
// for.
typedef enum PagesKind { PAGES_GPU_FAULT, PAGES_HOST_FAULT, PAGES_PREFETCH, PAGES_COPY_IN, PAGES_COPY_OUT } PagesKind;
typedef struct PagesEvent { PagesKind kind; int first, count; double us; } PagesEvent;

typedef struct PagesModel {
  int pages, event_count, shown, faults;
  PagesEvent events[PAGES_EVENTS];
  bool on_gpu[PAGES_MOST];       // after the events that are shown
  double us, move_us, stall_us;  // of all events; moving alone; waiting for faults alone
} PagesModel;
void pages_model(const ModelValues *values, PagesModel *out);
const char *pages_kind(PagesKind kind);

#endif
