// roofline.c: two roofs.
#include "model/roofline.h"
#include "base/mem.h"

void roofline_of(const ArchProfile *arch, Roofline *out) {
  *out = (Roofline){.peak_gflops = arch->fp32_tflops * 1000, .bandwidth_gbs = arch->bandwidth_gbs};
  out->ridge = out->peak_gflops / out->bandwidth_gbs;
}

double roofline_attainable(const Roofline *roofs, double flops_per_byte) {
  return LS_MIN(roofs->peak_gflops, roofs->bandwidth_gbs * LS_MAX(flops_per_byte, 0));
}
