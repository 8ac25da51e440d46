// roofline.h: what a device can reach at an arithmetic intensity: the lower of two roofs.
//
//   Gflop/s        ____________  peak arithmetic
//                /
//              /   bandwidth x intensity
//            /
//           ----------|--------  flop per byte; they meet at the ridge
#ifndef LS_MODEL_ROOFLINE_H
#define LS_MODEL_ROOFLINE_H

#include <stdbool.h>

#include "model/arch.h"

typedef struct Roofline {
  double peak_gflops, bandwidth_gbs;
  double ridge;               // flop per byte from which arithmetic is the limit
} Roofline;
void roofline_of(const ArchProfile *arch, Roofline *out);   // of its data sheet

typedef enum RoofKind {
#define ROOF(ID, ...) ROOF_##ID,
#include "model/roofs.def"
  ROOF_KINDS
} RoofKind;
const char *roof_name(RoofKind kind);                         // "fp32"
// As measured on such a device. False: nobody has, and *out is as it was.
bool roofline_measured(const ArchProfile *arch, RoofKind kind, Roofline *out);
double roofline_attainable(const Roofline *roofs, double flops_per_byte);   // Gflop/s

#endif
