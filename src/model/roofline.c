// roofline.c: two roofs.
#include "model/roofline.h"
#include "base/mem.h"

#include <string.h>

void roofline_of(const ArchProfile *arch, Roofline *out) {
  *out = (Roofline){.peak_gflops = arch->fp32_tflops * 1000, .bandwidth_gbs = arch->bandwidth_gbs};
  out->ridge = out->peak_gflops / out->bandwidth_gbs;
}

static const char *const names[] = {
#define ROOF(ID, name, ...) name,
#include "model/roofs.def"
};

typedef struct Measured { const char *profile; double bandwidth, peaks[ROOF_KINDS]; } Measured;
static const Measured measured[] = {
#define MEASURED(profile, bandwidth, ...) {profile, bandwidth, {__VA_ARGS__}},
#include "model/roofs.def"
};

const char *roof_name(RoofKind kind) { return names[LS_CLAMP((int)kind, 0, ROOF_KINDS - 1)]; }

bool roofline_measured(const ArchProfile *arch, RoofKind kind, Roofline *out) {
  for (int i = 0; i < LS_COUNT(measured); i++) {
    if (strcmp(measured[i].profile, arch->name) != 0) continue;
    *out = (Roofline){.peak_gflops = measured[i].peaks[kind], .bandwidth_gbs = measured[i].bandwidth};
    out->ridge = out->peak_gflops / out->bandwidth_gbs;
    return true;
  }
  return false;
}

double roofline_attainable(const Roofline *roofs, double flops_per_byte) {
  return LS_MIN(roofs->peak_gflops, roofs->bandwidth_gbs * LS_MAX(flops_per_byte, 0));
}
