// alu_soft.h: floating point in integers: any of PTX's formats, any of its roundings, one value at a time.
//
// What the hot operations do with the processor's own arithmetic (round to nearest) is done here for the other roundings,
// without touching the floating-point environment. Values are bit patterns in the low bits of a uint64_t.
#ifndef LS_SIM_ALU_SOFT_H
#define LS_SIM_ALU_SOFT_H

#include <stdint.h>
#include "ptx/ptx.h"

typedef struct SoftFormat {
  int bits, fraction;    // width of the whole and of the stored significand
  int spare;             // low bits that are always zero (tf32 is the upper 19 bits of an f32)
  uint64_t nan;          // what an invalid operation gives
  int keeps_nan;         // a NaN operand comes out as itself, quieted (f64), rather than as `nan`
} SoftFormat;

extern const SoftFormat soft_f16, soft_bf16, soft_f32, soft_f64, soft_tf32;
const SoftFormat *soft_format(PtxType type);   // of a scalar or packed floating-point type; NULL for others

// All take PTX_RN, PTX_RZ, PTX_RM, PTX_RP or PTX_RNA (ties away from zero).
uint64_t soft_add(const SoftFormat *f, uint64_t a, uint64_t b, PtxRound round);
uint64_t soft_mul(const SoftFormat *f, uint64_t a, uint64_t b, PtxRound round);
uint64_t soft_fma(const SoftFormat *f, uint64_t a, uint64_t b, uint64_t c, PtxRound round);
uint64_t soft_div(const SoftFormat *f, uint64_t a, uint64_t b, PtxRound round);
uint64_t soft_sqrt(const SoftFormat *f, uint64_t a, PtxRound round);
uint64_t soft_from_int(const SoftFormat *f, int negative, uint64_t magnitude, PtxRound round);
uint64_t soft_convert(const SoftFormat *from, const SoftFormat *to, uint64_t a, PtxRound round);
uint64_t soft_negate(const SoftFormat *f, uint64_t a);

// Modifiers: subnormals to zero of the same sign; clamped to [0, 1] with NaN to 0; negative and NaN per .relu.
uint64_t soft_flush(const SoftFormat *f, uint64_t a);
uint64_t soft_saturate(const SoftFormat *f, uint64_t a);
uint64_t soft_relu(const SoftFormat *f, uint64_t a);
int soft_is_nan(const SoftFormat *f, uint64_t a);

#endif
