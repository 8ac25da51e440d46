// roofline.h: what the roofline shows: the roofs of one or two devices, a kernel's place below them, and measured points.
#ifndef LS_APP_MODELS_ROOFLINE_H
#define LS_APP_MODELS_ROOFLINE_H

#include "app/models/model.h"
#include "model/roofline.h"

enum { ROOFLINE_POINTS = 12, ROOFLINE_NAME = 24 };

// gflops 0: not measured; it stands on the roof.
typedef struct RooflinePoint { char name[ROOFLINE_NAME]; double intensity, gflops; } RooflinePoint;
typedef struct RooflineModel {
  const ArchProfile *arch, *beside;      // beside NULL: one device
  bool measured; RoofKind kind;          // roofs are of this kind, as measured; else of the data sheet
  bool not_measured;                     // asked for, but nobody has measured them
  Roofline roofs, others;
  double intensity, attainable, other_attainable;
  RooflinePoint points[ROOFLINE_POINTS]; int point_count;
} RooflineModel;
void roofline_model(const ModelValues *values, RooflineModel *out);

#endif
