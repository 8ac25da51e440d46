// alu_special.h: the special function unit of a GPU, to the bit: piecewise quadratics in fixed point.
//
// The unit knows rcp, rsqrt, sqrt, ex2, lg2, sin (cos) and tanh. It cuts the argument's range into 51 to 128 segments.
// With d the distance from the beginning of a segment, in 2^-17 of its length:
//
//   V = c0 * 2^15 + c1 * d + c2 * S(d) + rest    the result in fixed point; it is cut off after 24 significant bits
//   S(d)                                         d * d / 2^19, without the partial products that lie below 2^19
//
// So a square costs half the adders, and what is lost shows in the last bit of a result: why S is written down as rows
// of that multiplier. `rest` is one constant for a function, which balances the error of the whole. The form is that of
// S. Oberman, M. Siu, "A High-Performance Area-Efficient Multifunction Interpolator", ARITH 2005; widths and numbers
// (alu_special.def) were found by fitting.
//
//   sm_90         proved: every one of the 2^32 arguments of every function was compared with an H200's answer
//   all others    take the same tables; not judged
//
// All terms are integers that an I32 holds, or an f64 where it says so: exact, on every host, in any order.
#ifndef LS_SIM_ALU_SPECIAL_H
#define LS_SIM_ALU_SPECIAL_H

#include "sim/alu/alu_lanes.h"

enum { ALU_SEGMENTS = 128, ALU_TANH_SEGMENTS = 51, ALU_C2_BITS = 12 };

typedef uint16_t U16;

// c1 and c2 share a word: c1 / 2^c1_unit above ALU_C2_BITS bits of c2 / 2^c2_unit.
typedef struct AluSegments { I32 c0[ALU_SEGMENTS], slopes[ALU_SEGMENTS]; } AluSegments;
typedef struct AluForm { const AluSegments *table; I32 c1_unit, c2_unit, rest; } AluForm;

extern const AluSegments alu_rcp, alu_rsqrt, alu_sqrt, alu_ex2, alu_lg2, alu_sin;
#define ALU_RCP ((AluForm){&alu_rcp, 1, 2, 8092})
#define ALU_RSQRT ((AluForm){&alu_rsqrt, 1, 3, 32766})
#define ALU_SQRT ((AluForm){&alu_sqrt, 0, 1, 32767})
#define ALU_EX2 ((AluForm){&alu_ex2, 2, 2, 24456})
#define ALU_LG2 ((AluForm){&alu_lg2, 3, 4, 6696})
#define ALU_SIN ((AluForm){&alu_sin, 4, 4, 0})

// tanh bends more.
typedef struct AluTanh { I32 c0[ALU_TANH_SEGMENTS], c1[ALU_TANH_SEGMENTS], c2[ALU_TANH_SEGMENTS]; } AluTanh;
extern const AluTanh alu_tanh;

// S of 17 bits: the square of the upper 7 with rows for the lower ones, each cut off at the same column. All of it fits
// in 16 bits, and twice as many lanes in a vector.
// A row is the upper half of a product with one bit of 2 * lower, so no mask is to be made of that bit.
static inline U16 alu_row(U16 upper, U16 twice, int k) {
  return (U16)((U32)(U16)(upper << 9) * (U32)(U16)(twice & 128 >> k) >> 16);
}
static inline I32 alu_square(I32 d) {
  const U16 upper = (U16)(d >> 10 & 127), lower = (U16)(d >> 2 & 255), twice = (U16)(lower << 1);
  U16 s = (U16)(upper * (U16)(2 * upper + (lower >> 6)));
  s = (U16)(s + alu_row(upper, twice, 1));
  s = (U16)(s + alu_row(upper, twice, 2));
  s = (U16)(s + alu_row(upper, twice, 3));
  s = (U16)(s + alu_row(upper, twice, 4));
  s = (U16)(s + alu_row(upper, twice, 5));
  return (U16)(s + alu_row(upper, twice, 6));
}

// V in two words of 32 bits: high * 2^11 + the lower 11 bits of low.
typedef struct AluValue { I32 high, low; } AluValue;
static inline AluValue alu_interpolate(AluForm form, I32 segment, I32 d) {
  const I32 slopes = form.table->slopes[segment], c1 = (slopes >> ALU_C2_BITS) * (1 << form.c1_unit);
  const I32 c2 = ((I32)((U32)slopes << (32 - ALU_C2_BITS)) >> (32 - ALU_C2_BITS)) * (1 << form.c2_unit);
  const I32 low = c1 * (d & 2047) + c2 * alu_square(d) + form.rest;
  return (AluValue){form.table->c0[segment] * 16 + c1 * (d >> 11) + (low >> 11), low};
}

// The upper 24 bits of V, for functions whose V is of one binade.
static inline U32 alu_digits(AluForm form, I32 segment, I32 d) {
  return (U32)alu_interpolate(form, segment, d).high >> 6;
}

// The whole of V, below 2^42.
static inline F64 alu_interpolate_tanh(I32 segment, I32 d) {
  const F64 slope = (F64)alu_tanh.c1[segment] * (F64)d, bend = (F64)alu_tanh.c2[segment] * (F64)alu_square(d);
  return (F64)alu_tanh.c0[segment] * 32768 + slope + bend;
}

// 24 bits of a positive v, in units of 2^-point, as the bits of an f32.
static inline U32 alu_cut(F64 v, I32 point) {
  return (U32)(alu_bits64(v) >> 29) + ((U32)(127 - 1023 - point) << 23);
}

#endif
