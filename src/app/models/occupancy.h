// occupancy.h: what the picture of occupancy shows: the four limits, the register file, and a curve along one of them.
#ifndef LS_APP_MODELS_OCCUPANCY_H
#define LS_APP_MODELS_OCCUPANCY_H

#include "app/models/model.h"
#include "model/occ.h"

typedef enum OccupancyCurve { OCC_CURVE_THREADS, OCC_CURVE_REGISTERS, OCC_CURVE_SHARED } OccupancyCurve;
enum { OCC_CURVE_COLUMNS = 32 };

typedef struct OccupancyModel {
  const ArchProfile *arch;
  int threads, registers, shared;
  OccupancyCurve curve;
  Occupancy occ;
  OccFile file;
} OccupancyModel;
void occupancy_model(const ModelValues *values, OccupancyModel *out);
// The curve: columns from 0, the greatest value that each stands for, and what it gives.
int occupancy_curve_value(const OccupancyModel *model, int column);
int occupancy_curve_here(const OccupancyModel *model);   // the column of the present value
void occupancy_curve_at(const OccupancyModel *model, int column, Occupancy *out);

#endif
