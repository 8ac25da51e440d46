// alu_int.c: arithmetic of integers and bits on 32 lanes. The operations themselves are in alu_int.def.
#include "sim/alu/alu_lanes.h"

static inline I32 clamp_s32(I64 x) { return x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : (I32)x; }
static inline U32 distance_s32(I32 a, I32 b) { return a > b ? (U32)a - (U32)b : (U32)b - (U32)a; }
static inline U32 add_pair(U32 a, U32 b) { return ((a + b) & 0xffff) | ((a & 0xffff0000) + (b & 0xffff0000)); }
static inline U32 choose_pair(U32 a, U32 b, int low, int high) {
  return ((low ? a : b) & 0xffff) | ((high ? a : b) & 0xffff0000);
}

// The low 24 bits of both, as a 48-bit product.
static inline U64 product24_u(U32 a, U32 b) { return (U64)(a & 0xffffff) * (b & 0xffffff); }
static inline I64 product24_s(U32 a, U32 b) { return (I64)((I32)(a << 8) >> 8) * ((I32)(b << 8) >> 8); }

static inline I32 byte_of(U32 x, int k, int is_signed) {
  const U32 v = x >> (8 * k) & 0xff;
  return is_signed ? (int8_t)v : (I32)v;
}
// Written out: a loop in the loop over lanes would keep that from becoming vector code.
static inline U32 dot4(U32 a, U32 b, int sa, int sb) {
  return (U32)(byte_of(a, 0, sa) * byte_of(b, 0, sb) + byte_of(a, 1, sa) * byte_of(b, 1, sb) +
               byte_of(a, 2, sa) * byte_of(b, 2, sb) + byte_of(a, 3, sa) * byte_of(b, 3, sb));
}
static inline U32 dot2(U32 a, U32 b, int sa, int sb) {
  const I32 a0 = sa ? (int16_t)a : (I32)(a & 0xffff), a1 = sa ? (I32)a >> 16 : (I32)(a >> 16);
  return (U32)(a0 * byte_of(b, 0, sb)) + (U32)(a1 * byte_of(b, 1, sb));
}

// Adding 2^52 to a double below it leaves its integer in the low bits.
static const double two52 = 4503599627370496.0;
static inline double double_of_u32(U32 x) { return alu_f64(0x4330000000000000ull | x) - two52; }

// The quotient of doubles is off by less than 2^-53 of itself, an inexact one of 32-bit integers differs from the next
// integer by 2^-32 of itself or more: rounding down gives the integer quotient. A device gives all ones for x / 0.
static inline U32 quotient_u32(U32 a, U32 b) {
  const double q = double_of_u32(a) / double_of_u32(b ? b : 1), nearest = (q + two52) - two52;
  const double floor = nearest > q ? nearest - 1 : nearest;
  return b ? (U32)alu_bits64(floor + two52) : ~0u;
}
static inline U32 magnitude_s32(I32 a) { return a < 0 ? 0u - (U32)a : (U32)a; }
static inline I32 quotient_s32(I32 a, I32 b) {
  const U32 q = quotient_u32(magnitude_s32(a), magnitude_s32(b));
  return b == 0 ? -1 : (I32)((a ^ b) < 0 ? 0u - q : q);
}
static inline I32 remainder_s32(I32 a, I32 b) { return b ? (I32)((U32)a - (U32)quotient_s32(a, b) * (U32)b) : -1; }
// Shifts of the pair b:a; n is at most 32.
static inline U32 funnel_left(U32 a, U32 b, U32 n) { return (U32)((((U64)b << 32 | a) << n) >> 32); }
static inline U32 funnel_right(U32 a, U32 b, U32 n) { return (U32)(((U64)b << 32 | a) >> n); }

// Bit (a << 2 | b << 1 | c) of the table, 32 times at once.
static inline U32 lop3(U32 table, U32 a, U32 b, U32 c) {
#define ENTRY(k) (0u - (table >> (k) & 1))
#define PICK(c, one, zero) ((((one) ^ (zero)) & (c)) ^ (zero))
  const U32 b1 = PICK(b, PICK(c, ENTRY(7), ENTRY(6)), PICK(c, ENTRY(5), ENTRY(4)));
  const U32 b0 = PICK(b, PICK(c, ENTRY(3), ENTRY(2)), PICK(c, ENTRY(1), ENTRY(0)));
  return PICK(a, b1, b0);
#undef PICK
#undef ENTRY
}

static inline U64 ones_below(U32 n) { return n > 63 ? ~0ull : (1ull << (n & 63)) - 1; }
static inline U64 shift_left(U64 x, U32 n) { return n > 63 ? 0 : x << (n & 63); }

static inline U32 ones_below_32(U32 n) { return n > 31 ? ~0u : (1u << (n & 31)) - 1; }
static inline U32 shift_left_32(U32 x, U32 n) { return n > 31 ? 0 : x << (n & 31); }

static inline U32 field_u32(U32 a, U32 b, U32 c) {
  const U32 pos = b & 0xff;
  return (pos > 31 ? 0 : a >> (pos & 31)) & ones_below_32(c & 0xff);
}
static inline U64 field_u64(U64 a, U32 b, U32 c) {
  const U32 pos = b & 0xff;
  return (pos > 63 ? 0 : a >> (pos & 63)) & ones_below(c & 0xff);
}
static inline U32 low_bits(U32 a, U32 n) { return a & ones_below_32(n); }
static inline U32 low_bits_signed(U32 a, U32 n) {
  const U32 spare = n > 31 ? 0 : 32 - n;
  return n == 0 ? 0 : (U32)((I32)(a << (spare & 31)) >> (spare & 31));
}
static inline U32 field_s32(I32 a, U32 b, U32 c) {
  const U32 pos = b & 0xff;
  return low_bits_signed((U32)(a >> (pos > 31 ? 31 : pos)), c & 0xff);
}
static inline I64 field_s64(I64 a, U32 b, U32 c) {
  const U32 pos = b & 0xff, length = c & 0xff, spare = length > 63 ? 0 : 64 - length;
  const U64 field = (U64)(a >> (pos > 63 ? 63 : pos));
  return length == 0 ? 0 : (I64)(field << (spare & 63)) >> (spare & 63);
}
static inline U32 insert_32(U32 a, U32 b, U32 c, U32 e) {
  const U32 pos = c & 0xff, mask = ones_below_32(e & 0xff);
  return (b & ~shift_left_32(mask, pos)) | shift_left_32(a & mask, pos);
}
static inline U64 insert_64(U64 a, U64 b, U32 c, U32 e) {
  const U32 pos = c & 0xff;
  const U64 mask = ones_below(e & 0xff);
  return (b & ~shift_left(mask, pos)) | shift_left(a & mask, pos);
}
static inline U32 mask_of(U32 pos, U32 width) { return shift_left_32(ones_below_32(width), pos); }

static inline U32 ones_32(U32 x) {
  x -= x >> 1 & 0x55555555;
  x = (x & 0x33333333) + (x >> 2 & 0x33333333);
  x = (x + (x >> 4)) & 0x0f0f0f0f;
  // A multiplication would add these too, but compilers take it for a population count that few vector units have.
  x += x >> 8;
  return (x + (x >> 16)) & 0x3f;
}
static inline U32 leading_zeros_32(U32 x) {
  x |= x >> 1;
  x |= x >> 2;
  x |= x >> 4;
  x |= x >> 8;
  x |= x >> 16;
  return ones_32(~x);
}
static inline U32 leading_zeros_64(U64 x) {
  const U32 high = leading_zeros_32((U32)(x >> 32)), low = leading_zeros_32((U32)x);
  return high < 32 ? high : 32 + low;
}
static inline U32 shift_or_none(U32 zeros, U32 width) { return zeros == width ? ~0u : zeros; }
static inline U32 reverse_32(U32 x) {
  x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
  x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
  x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
  x = (x >> 8 & 0x00ff00ff) | (x & 0x00ff00ff) << 8;
  return x >> 16 | x << 16;
}

// Each nibble of the selector picks a byte of b:a; its high bit asks for that byte's sign instead.
static inline U32 permute(U32 a, U32 b, U32 selector) {
  const U64 bytes = (U64)b << 32 | a;
  U32 r = 0;
  for (int k = 0; k < 4; k++) {
    const U32 s = selector >> (4 * k) & 15;
    const U32 byte = (U32)(bytes >> (8 * (s & 7))) & 0xff, sign = (0u - (byte >> 7)) & 0xff;
    r |= (s & 8 ? sign : byte) << (8 * k);
  }
  return r;
}
static inline U32 clamp_edge_left(U32 s) { return 0x3000 | (s > 2 ? s : 2) << 8 | (s > 1 ? s : 1) << 4 | s; }
static inline U32 clamp_edge_right(U32 s) { return s << 12 | (s < 2 ? s : 2) << 8 | (s < 1 ? s : 1) << 4; }

static inline int at_least_zero(U32 f) { return alu_f32(f) >= 0; }
static inline int at_least_zero_ftz(U32 f) { return f & 0x7f800000 ? alu_f32(f) >= 0 : 1; }

#define QUICK1(name, D, A, expression, ...) ALU_QUICK1(name, D, A, expression)
#define QUICK2(name, D, A, B, expression, ...) ALU_QUICK2(name, D, A, B, expression)
#define QUICK3(name, D, A, B, C, expression, ...) ALU_QUICK3(name, D, A, B, C, expression)
#define LANE1(name, D, A, expression, ...) ALU_LANE1(name, D, A, expression)
#define LANE2(name, D, A, B, expression, ...) ALU_LANE2(name, D, A, B, expression)
#define LANE3(name, D, A, B, C, expression, ...) ALU_LANE3(name, D, A, B, C, expression)
#define LANE4(name, D, A, B, C, E, expression, ...) ALU_LANE4(name, D, A, B, C, E, expression)
#define SELECT(name, D, bits, ...) ALU_SELECT(name, D, bits)
#define PRED(name, expression, ...) ALU_PRED(name, expression)
#include "sim/alu/alu_int.def"
#undef QUICK1
#undef QUICK2
#undef QUICK3
#undef LANE1
#undef LANE2
#undef LANE3
#undef LANE4
#undef SELECT
#undef PRED

#define QUICK1(name, D, A, expression, ...) {__VA_ARGS__, .sources = 1, .run = name},
#define QUICK2(name, D, A, B, expression, ...) {__VA_ARGS__, .sources = 2, .run = name},
#define QUICK3(name, D, A, B, C, expression, ...) {__VA_ARGS__, .sources = 3, .run = name},
#define LANE1(name, D, A, expression, ...) {__VA_ARGS__, .sources = 1, .run = name},
#define LANE2(name, D, A, B, expression, ...) {__VA_ARGS__, .sources = 2, .run = name},
#define LANE3(name, D, A, B, C, expression, ...) {__VA_ARGS__, .sources = 3, .run = name},
#define LANE4(name, D, A, B, C, E, expression, ...) {__VA_ARGS__, .sources = 4, .run = name},
#define SELECT(name, D, bits, ...) {__VA_ARGS__, .sources = 3, .run = name},
#define PRED(name, expression, ...) {__VA_ARGS__, .run = name},
static const AluRow rows[] = {
#include "sim/alu/alu_int.def"
};

extern const AluTable ALU_NAME(alu_int);
const AluTable ALU_NAME(alu_int) = {rows, sizeof rows / sizeof rows[0]};
