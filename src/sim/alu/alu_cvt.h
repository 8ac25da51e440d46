// alu_cvt.h: what conversions of both kinds share: the frequent ones, which become vector code, and the general ones.
#ifndef LS_SIM_ALU_CVT_H
#define LS_SIM_ALU_CVT_H

#include "sim/alu/alu_halves.h"

#define T_8 (T_U8 | T_S8 | T_B8)

// Rows for each integer type: X(name, lane type, types, value of a lane).
#define ALU_FROM_SIGNED(X) \
  X(s8, U32, T_S8, (int8_t)a) X(s16, U32, T_S16, (int16_t)a) X(s32, I32, T_S32, a) X(s64, I64, T_S64, a)
#define ALU_FROM_UNSIGNED(X)                                                    \
  X(u8, U32, T_U8 | T_B8, a & 0xff) X(u16, U32, T_U16 | T_B16, a & 0xffff)  \
  X(u32, U32, T_U32 | T_B32, a) X(u64, U64, T_U64 | T_B64, a)

// A NaN changes its width as the bits of its fraction do: the upper ones stay, and it becomes quiet.
static inline F32 alu_narrow(F64 x) {
  const U64 bits = alu_bits64(x);
  const U32 nan = (U32)(bits >> 32 & 0x80000000) | 0x7fc00000 | (U32)(bits >> 29 & 0x7fffff);
  return x == x ? (F32)x : alu_f32(nan);
}

// Adding and taking away 2^52 rounds a smaller magnitude to an integer; larger ones are integers already.
static inline F64 alu_integral(uint8_t round, F64 x) {
  const F64 size = alu_f64(alu_bits64(x) & 0x7fffffffffffffff), two52 = 4503599627370496.0;
  const F64 nearest = (size + two52) - two52, down = nearest > size ? nearest - 1 : nearest;
  const F64 up = nearest < size ? nearest + 1 : nearest;
  const int negative = alu_bits64(x) >> 63 != 0;
  F64 r = nearest;
  if (round == PTX_RZI) r = down;
  if (round == PTX_RMI) r = negative ? up : down;
  if (round == PTX_RPI) r = negative ? down : up;
  r = size < two52 ? r : size;
  return alu_f64(alu_bits64(r) | (alu_bits64(x) & 0x8000000000000000));
}
#endif
