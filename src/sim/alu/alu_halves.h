// alu_halves.h: f16 and bf16 values to f32 and back, in a form that the compiler makes vector code of.
#ifndef LS_SIM_ALU_HALVES_H
#define LS_SIM_ALU_HALVES_H

#include "sim/alu/alu_lanes.h"

// Exact. NaN keeps its payload.
static inline F32 alu_half_value(U32 h) {
  const U32 sign = (h & 0x8000) << 16, magnitude = (h & 0x7fff) << 13, exponent = magnitude & 0x0f800000;
  const U32 normal = magnitude + (112u << 23), special = magnitude + (224u << 23);
  const U32 subnormal = alu_bits32(alu_f32(magnitude + (113u << 23)) - alu_f32(113u << 23));
  const U32 finite = exponent ? normal : subnormal;
  return alu_f32(sign | (exponent == 0x0f800000 ? special : finite));
}
static inline F32 alu_half_ftz(U32 h) { return alu_half_value(h & 0x7c00 ? h : h & 0x8000); }
static inline F32 alu_bfloat_value(U32 h) { return alu_f32(h << 16); }

// Rounded to nearest even. Adding 0.5 to a value below 2^-14 rounds it at 2^-24, the lowest bit of an f16.
static inline U32 alu_half_of(F32 x) {
  const U32 bits = alu_bits32(x), sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
  const U32 normal = (magnitude + 0xc8000fffu + (magnitude >> 13 & 1)) >> 13;
  const U32 subnormal = alu_bits32(alu_f32(magnitude) + 0.5f) - 0x3f000000;
  const U32 finite = magnitude < 0x38800000 ? subnormal : normal;
  const U32 rounded = sign | (magnitude >= 0x47800000 ? 0x7c00 : finite);
  return magnitude > 0x7f800000 ? 0x7fff : rounded;
}
static inline U32 alu_bfloat_of(F32 x) {
  const U32 bits = alu_bits32(x);
  const U32 rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  return (bits & 0x7fffffff) > 0x7f800000 ? 0x7fff : rounded;
}

#endif
