// alu_soft.c: floating point in integers, one value at a time. A finite value is taken apart into sign, significand
// (128 bits) and exponent of its lowest bit; operations are exact on those, apart from a lowest bit that stands for
// everything below it; `pack` rounds once.
#include "sim/alu/alu_soft.h"
#include <stdbool.h>
#include <stddef.h>

typedef unsigned __int128 Wide;

const SoftFormat soft_f16 = {16, 10, 0, 0x7fff, 0}, soft_bf16 = {16, 7, 0, 0x7fff, 0},
                 soft_f32 = {32, 23, 0, 0x7fffffff, 0}, soft_f64 = {64, 52, 0, 0xfff8000000000000, 1},
                 soft_tf32 = {32, 10, 13, 0x7fffffff, 0};

typedef enum Kind { ZERO, FINITE, INFINITE, NAN_KIND } Kind;
typedef struct Parts { Kind kind; bool negative; int exponent; Wide significand; } Parts;

const SoftFormat *soft_format(PtxType type) {
  static const SoftFormat *const formats[PTX_TYPE_COUNT] = {
      [PTX_F16] = &soft_f16, [PTX_F16X2] = &soft_f16, [PTX_BF16] = &soft_bf16, [PTX_BF16X2] = &soft_bf16,
      [PTX_TF32] = &soft_tf32, [PTX_F32] = &soft_f32, [PTX_F64] = &soft_f64};
  return type < PTX_TYPE_COUNT ? formats[type] : NULL;
}

static uint64_t sign_bit(const SoftFormat *f) { return 1ull << (f->bits - 1); }
static int exponent_width(const SoftFormat *f) { return f->bits - 1 - f->fraction - f->spare; }
static int bias(const SoftFormat *f) { return (1 << (exponent_width(f) - 1)) - 1; }
static uint64_t infinity(const SoftFormat *f) { return ((1ull << exponent_width(f)) - 1) << f->fraction << f->spare; }
static uint64_t largest(const SoftFormat *f) { return infinity(f) - (1ull << f->spare); }

static Parts unpack(const SoftFormat *f, uint64_t a) {
  Parts p = {FINITE, (a & sign_bit(f)) != 0, 0, 0};
  const uint64_t magnitude = (a & (sign_bit(f) - 1)) >> f->spare, inf = infinity(f) >> f->spare;
  if (magnitude >= inf) {
    p.kind = magnitude > inf || (a & (sign_bit(f) - 1)) > infinity(f) ? NAN_KIND : INFINITE;
    return p;
  }
  const int biased = (int)(magnitude >> f->fraction);
  p.significand = magnitude & ((1ull << f->fraction) - 1);
  if (biased) p.significand |= 1ull << f->fraction;
  p.exponent = (biased ? biased : 1) - bias(f) - f->fraction;
  if (p.significand == 0) p.kind = ZERO;
  return p;
}

static int top_bit(Wide x) {
  const uint64_t high = (uint64_t)(x >> 64);
  return high ? 127 - __builtin_clzll(high) : 63 - __builtin_clzll((uint64_t)x);
}
// What is shifted out to the right stays visible in the lowest bit.
static Wide shift_right_sticky(Wide x, int n) {
  if (n <= 0) return x;
  if (n > 127) return x != 0;
  return x >> n | ((x & (((Wide)1 << n) - 1)) != 0);
}

static uint64_t overflow(const SoftFormat *f, bool negative, PtxRound round) {
  const bool stays_finite = round == PTX_RZ || (round == PTX_RM && !negative) || (round == PTX_RP && negative);
  return (negative ? sign_bit(f) : 0) | (stays_finite ? largest(f) : infinity(f));
}
static bool rounds_up(bool negative, bool odd, int rest, PtxRound round) {
  // rest: what is cut off, in quarters: 0 nothing, 1 below a half, 2 a half, 3 above.
  switch (round) {
    case PTX_RZ: return false;
    case PTX_RM: return negative && rest;
    case PTX_RP: return !negative && rest;
    case PTX_RNA: return rest >= 2;
    default: return rest == 3 || (rest == 2 && odd);
  }
}

// Rounds significand * 2^exponent to the format.
static uint64_t pack(const SoftFormat *f, Parts p, PtxRound round) {
  const uint64_t sign = p.negative ? sign_bit(f) : 0;
  if (p.significand == 0) return sign;
  const int lowest = 1 - bias(f), top = top_bit(p.significand) + p.exponent;
  if (top > bias(f)) return overflow(f, p.negative, round);
  const int leading = top < lowest ? lowest : top, cut = leading - f->fraction - p.exponent;
  uint64_t kept;
  int rest = 0;
  if (cut <= 0) {
    kept = (uint64_t)(p.significand << -cut);
  } else {
    const Wide quarters = cut == 1 ? p.significand << 1 : shift_right_sticky(p.significand, cut - 2);
    kept = (uint64_t)(quarters >> 2);
    rest = (int)(quarters & 3);
  }
  if (rounds_up(p.negative, kept & 1, rest, round)) kept++;
  // The leading one of `kept`, if it has one, adds itself to the exponent field.
  const uint64_t magnitude = (((uint64_t)(leading + bias(f) - 1) << f->fraction) + kept) << f->spare;
  return magnitude >= infinity(f) ? overflow(f, p.negative, round) : sign | magnitude;
}

// Of several NaN operands the chips keep the second, then the third, then the first; of a quotient's the first.
static uint64_t quiet(const SoftFormat *f, uint64_t a) {
  return f->keeps_nan ? a | 1ull << (f->fraction - 1) : f->nan;
}

uint64_t soft_negate(const SoftFormat *f, uint64_t a) { return a ^ sign_bit(f); }
int soft_is_nan(const SoftFormat *f, uint64_t a) { return (a & (sign_bit(f) - 1)) > infinity(f); }

// x + y, either of which may be wider than the format; both finite and not zero.
static uint64_t sum(const SoftFormat *f, Parts x, Parts y, PtxRound round) {
  enum { TOP = 125 };  // room for a carry and, below, for the bits that decide the rounding
  const int xs = TOP - top_bit(x.significand), ys = TOP - top_bit(y.significand);
  x.significand <<= xs, x.exponent -= xs;
  y.significand <<= ys, y.exponent -= ys;
  if (x.exponent < y.exponent) {
    const Parts t = x;
    x = y, y = t;
  }
  y.significand = shift_right_sticky(y.significand, x.exponent - y.exponent);
  if (x.negative == y.negative) {
    x.significand += y.significand;
  } else if (x.significand >= y.significand) {
    x.significand -= y.significand;
  } else {
    x.significand = y.significand - x.significand;
    x.negative = y.negative;
  }
  if (x.significand == 0) x.negative = round == PTX_RM;
  return pack(f, x, round);
}

static uint64_t sum_of(const SoftFormat *f, Parts x, Parts y, PtxRound round) {
  if (x.kind == INFINITE && y.kind == INFINITE && x.negative != y.negative) return f->nan;
  if (x.kind == INFINITE || y.kind == INFINITE)
    return infinity(f) | ((x.kind == INFINITE ? x.negative : y.negative) ? sign_bit(f) : 0);
  if (x.kind == ZERO && y.kind == ZERO) {
    const bool negative = x.negative == y.negative ? x.negative : round == PTX_RM;
    return negative ? sign_bit(f) : 0;
  }
  if (x.kind == ZERO) return pack(f, y, round);
  if (y.kind == ZERO) return pack(f, x, round);
  return sum(f, x, y, round);
}

uint64_t soft_add(const SoftFormat *f, uint64_t a, uint64_t b, PtxRound round) {
  if (soft_is_nan(f, b)) return quiet(f, b);
  if (soft_is_nan(f, a)) return quiet(f, a);
  return sum_of(f, unpack(f, a), unpack(f, b), round);
}

// The exact product; NAN_KIND for infinity times zero.
static Parts product(Parts a, Parts b) {
  Parts p = {FINITE, a.negative != b.negative, a.exponent + b.exponent, a.significand * b.significand};
  if (a.kind == INFINITE || b.kind == INFINITE)
    p.kind = a.kind == ZERO || b.kind == ZERO ? NAN_KIND : INFINITE;
  else if (a.kind == ZERO || b.kind == ZERO)
    p.kind = ZERO;
  return p;
}

uint64_t soft_mul(const SoftFormat *f, uint64_t a, uint64_t b, PtxRound round) {
  if (soft_is_nan(f, b)) return quiet(f, b);
  if (soft_is_nan(f, a)) return quiet(f, a);
  const Parts p = product(unpack(f, a), unpack(f, b));
  if (p.kind == NAN_KIND) return f->nan;
  if (p.kind == INFINITE) return infinity(f) | (p.negative ? sign_bit(f) : 0);
  return pack(f, p, round);
}

uint64_t soft_fma(const SoftFormat *f, uint64_t a, uint64_t b, uint64_t c, PtxRound round) {
  if (soft_is_nan(f, b)) return quiet(f, b);
  if (soft_is_nan(f, c)) return quiet(f, c);
  if (soft_is_nan(f, a)) return quiet(f, a);
  const Parts p = product(unpack(f, a), unpack(f, b));
  if (p.kind == NAN_KIND) return f->nan;
  return sum_of(f, p, unpack(f, c), round);
}

uint64_t soft_div(const SoftFormat *f, uint64_t a, uint64_t b, PtxRound round) {
  if (soft_is_nan(f, a)) return quiet(f, a);
  if (soft_is_nan(f, b)) return quiet(f, b);
  const Parts x = unpack(f, a), y = unpack(f, b);
  const bool negative = x.negative != y.negative;
  const uint64_t sign = negative ? sign_bit(f) : 0;
  if (x.kind == y.kind && (x.kind == ZERO || x.kind == INFINITE)) return f->nan;
  if (x.kind == INFINITE || y.kind == ZERO) return sign | infinity(f);
  if (x.kind == ZERO || y.kind == INFINITE) return sign;
  const int shift = 126 - top_bit(x.significand);
  const Wide numerator = x.significand << shift, quotient = numerator / y.significand;
  const Wide sticky = numerator % y.significand != 0;
  return pack(f, (Parts){FINITE, negative, x.exponent - shift - y.exponent, quotient | sticky}, round);
}

uint64_t soft_sqrt(const SoftFormat *f, uint64_t a, PtxRound round) {
  if (soft_is_nan(f, a)) return quiet(f, a);
  const Parts x = unpack(f, a);
  if (x.kind == ZERO) return a;
  if (x.negative) return f->nan;
  if (x.kind == INFINITE) return a;
  int shift = 126 - top_bit(x.significand);
  shift -= (x.exponent - shift) & 1;
  Wide rest = x.significand << shift, root = 0;
  for (Wide bit = (Wide)1 << 126; bit; bit >>= 2) {
    const bool fits = rest >= root + bit;
    if (fits) rest -= root + bit;
    root = root >> 1 | (fits ? bit : 0);
  }
  return pack(f, (Parts){FINITE, false, (x.exponent - shift) / 2 - 1, root << 1 | (rest != 0)}, round);
}

uint64_t soft_from_int(const SoftFormat *f, int negative, uint64_t magnitude, PtxRound round) {
  return pack(f, (Parts){FINITE, negative && magnitude, 0, magnitude}, round);
}

uint64_t soft_convert(const SoftFormat *from, const SoftFormat *to, uint64_t a, PtxRound round) {
  const Parts x = unpack(from, a);
  const uint64_t sign = x.negative ? sign_bit(to) : 0;
  if (x.kind == NAN_KIND) return to->nan;
  if (x.kind == INFINITE) return sign | infinity(to);
  return pack(to, x, round);
}

uint64_t soft_flush(const SoftFormat *f, uint64_t a) { return a & infinity(f) ? a : a & sign_bit(f); }
uint64_t soft_saturate(const SoftFormat *f, uint64_t a) {
  const uint64_t one = (uint64_t)bias(f) << f->fraction << f->spare;
  if (soft_is_nan(f, a) || a & sign_bit(f)) return 0;
  return a > one ? one : a;
}
uint64_t soft_relu(const SoftFormat *f, uint64_t a) {
  if (soft_is_nan(f, a)) return f->nan;
  return a & sign_bit(f) ? 0 : a;
}
