// roofline.h: what a device can reach at an arithmetic intensity: the lower of two roofs.
//
//   Gflop/s        ____________  peak arithmetic
//                /
//              /   bandwidth x intensity
//            /
//           ----------|--------  flop per byte; they meet at the ridge
#ifndef LS_MODEL_ROOFLINE_H
#define LS_MODEL_ROOFLINE_H

#include "model/arch.h"

typedef struct Roofline {
  double peak_gflops, bandwidth_gbs;
  double ridge;               // flop per byte from which arithmetic is the limit
} Roofline;
void roofline_of(const ArchProfile *arch, Roofline *out);
double roofline_attainable(const Roofline *roofs, double flops_per_byte);   // Gflop/s

#endif
