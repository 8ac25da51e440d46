// rate.c: operations from tallies, bytes from sectors.
#include "model/rate.h"

#include "model/roofline.h"

// Operations that one lane does: 0 if it is no arithmetic.
static uint64_t steps_of(PtxOp op) {
  switch (op) {
  case PTX_OP_fma: case PTX_OP_mad: return 2;
  case PTX_OP_add: case PTX_OP_sub: case PTX_OP_mul: case PTX_OP_div: case PTX_OP_rcp: case PTX_OP_sqrt: case PTX_OP_rsqrt:
  case PTX_OP_sin: case PTX_OP_cos: case PTX_OP_ex2: case PTX_OP_lg2: case PTX_OP_tanh: return 1;
  default: return 0;
  }
}

static bool is_matrix(PtxOp op) { return op == PTX_OP_mma || op == PTX_OP_wmma || op == PTX_OP_wgmma; }

// Loads and stores of fragments compute nothing. Half the products of a sparse matrix are none; m8n8k4 of f16 is four.
static uint64_t matrix_flops(const PtxInstr *in) {
  enum { MOST = 512 };
  if (in->op == PTX_OP_wmma && !ptx_has(in, PTX_HAS_MMA)) return 0;
  bool real = in->shape.m <= MOST && in->shape.n <= MOST && in->shape.k <= MOST;
  uint64_t flops = real ? 2ull * in->shape.m * in->shape.n * in->shape.k : 0;
  if (ptx_has(in, PTX_HAS_SP)) flops /= 2;
  bool quads = in->op == PTX_OP_mma && in->shape.m == 8 && in->shape.k == 4 && in->type2 == PTX_F16;
  return quads ? 4 * flops : flops;
}

void rate_flops(const PtxModule *module, const TraceTally *tallies, int count, RateFlops *out) {
  *out = (RateFlops){0};
  for (int i = 0; i < count; i++) {
    if (tallies[i].pc < 0 || tallies[i].pc >= module->code_count) continue;
    const PtxInstr *in = &module->code[tallies[i].pc];
    uint64_t flops = steps_of((PtxOp)in->op) * tallies[i].lanes;
    switch ((PtxType)in->type) {
    case PTX_F16: case PTX_BF16: out->f16 += flops; break;
    case PTX_F16X2: case PTX_BF16X2: out->f16 += 2 * flops; break;
    case PTX_F32: out->f32 += flops; break;
    case PTX_F32X2: out->f32 += 2 * flops; break;
    case PTX_F64: out->f64 += flops; break;
    default: break;
    }
    if (is_matrix((PtxOp)in->op)) out->matrix += matrix_flops(in) * tallies[i].warps;
  }
}

uint64_t rate_flops_sum(const RateFlops *flops) { return flops->f16 + flops->f32 + flops->f64 + flops->matrix; }

uint64_t rate_bytes(const TraceCount *counts, int count) {
  uint64_t sectors = 0;
  for (int i = 0; i < count; i++)
    if (counts[i].space == TRACE_GLOBAL || counts[i].space == TRACE_LOCAL) sectors += counts[i].sectors;
  return sectors * 32;
}

void rate_of(uint64_t bytes, uint64_t flops, uint64_t nanoseconds, const ArchProfile *arch, Rate *out) {
  *out = (Rate){0};
  if (!nanoseconds) return;
  out->gbs = (double)bytes / (double)nanoseconds;
  out->gflops = (double)flops / (double)nanoseconds;
  if (bytes) out->flops_per_byte = (double)flops / (double)bytes;
  if (!arch) return;
  if (arch->bandwidth_gbs > 0) out->of_bandwidth = out->gbs / arch->bandwidth_gbs;
  if (arch->fp32_tflops > 0) out->of_peak = out->gflops / (arch->fp32_tflops * 1000);
  if (!bytes || arch->bandwidth_gbs <= 0) return;
  Roofline roofs;
  roofline_of(arch, &roofs);
  out->attainable_gflops = roofline_attainable(&roofs, out->flops_per_byte);
}
