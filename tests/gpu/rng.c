// rng.c: draws whole numbers, special floats and floats near 1, and partners that make good pairs with them.
#include "rng.h"
#include "base/mem.h"

uint64_t rng_next(Rng *rng) {
  uint64_t z = rng->state += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

uint32_t rng_below(Rng *rng, uint32_t limit) { return (uint32_t)((rng_next(rng) >> 32) * limit >> 32); }
bool rng_chance(Rng *rng, uint32_t one_in) { return rng_below(rng, one_in) == 0; }

// ---- floats: sign, exponent and fraction of one format -------------------------------------------------------------

typedef struct Format { int bits, fraction; } Format;
static const Format formats[PTX_TYPE_COUNT] = {
    [PTX_F16] = {16, 10}, [PTX_BF16] = {16, 7}, [PTX_F32] = {32, 23}, [PTX_F64] = {64, 52},
};

static uint64_t low(int bits) { return bits >= 64 ? ~0ull : (1ull << bits) - 1; }

// Zero, subnormal, least and greatest normal, one, infinity, quiet and signaling NaN.
static uint64_t special_float(Rng *rng, const Format *f) {
  const uint64_t inf = low(f->bits - 1 - f->fraction) << f->fraction, quiet = 1ull << (f->fraction - 1);
  const uint64_t one = low(f->bits - 2 - f->fraction) << f->fraction;
  const uint64_t least = 1ull << f->fraction, small = f->bits == 64 ? 0x380fffffc0000000 : least - 2;
  const uint64_t table[] = {
      0, 1, low(f->fraction), least, least + 1, inf - 1, one, one + 1, one - 1, one - 2, inf, inf | quiet, inf | 1,
      inf | (rng_next(rng) & low(f->fraction)), rng_next(rng) & low(f->fraction), one + least,
      small + ((rng_next(rng) & 7) << (f->bits == 64 ? 27 : 0)),  // about the least normal f32, if it is an f64
  };
  return table[rng_below(rng, LS_COUNT(table))];
}

// A number whose size is near 1, so that sums and products stay finite and round.
static uint64_t middle_float(Rng *rng, const Format *f) {
  const uint64_t bias = low(f->bits - 2 - f->fraction);
  const uint64_t exponent = bias - 12 + rng_below(rng, 25);
  return (exponent & low(f->bits - 1 - f->fraction)) << f->fraction | (rng_next(rng) & low(f->fraction));
}

static uint64_t float_value(Rng *rng, const Format *f) {
  const uint64_t sign = (rng_next(rng) & 1) << (f->bits - 1);
  switch (rng_below(rng, 4)) {
    case 0: return special_float(rng, f) | sign;
    case 1: return rng_next(rng) & low(f->bits);
    default: return middle_float(rng, f) | sign;
  }
}

// ---- whole numbers -------------------------------------------------------------------------------------------------

static uint64_t whole_value(Rng *rng, int bits) {
  const uint64_t power = 1ull << rng_below(rng, (uint32_t)bits);
  switch (rng_below(rng, 5)) {
    case 0: return (power + rng_below(rng, 3) - 1) & low(bits);
    case 1: return (0 - power + rng_below(rng, 3) - 1) & low(bits);
    case 2: return rng_below(rng, 70) & low(bits);
    default: return rng_next(rng) & low(bits) & (rng_chance(rng, 2) ? ~0ull : rng_next(rng));
  }
}

static PtxType half_of(PtxType type) {
  switch (type) {
    case PTX_F16X2: return PTX_F16;
    case PTX_BF16X2: return PTX_BF16;
    case PTX_U16X2: case PTX_S16X2: return PTX_U16;
    default: return PTX_NOTYPE;
  }
}

uint64_t rng_value(Rng *rng, PtxType type) {
  const PtxType half = half_of(type);
  if (half) return rng_value(rng, half) << 16 | rng_value(rng, half);
  if (formats[type].bits) return float_value(rng, &formats[type]);
  return whole_value(rng, type == PTX_PRED ? 1 : 8 * ptx_type_size(type));
}

uint64_t rng_partner(Rng *rng, PtxType type, uint64_t first) {
  const int bits = type == PTX_PRED ? 1 : 8 * ptx_type_size(type);
  switch (rng_below(rng, 10)) {
    case 0: return first;
    case 1: return (first + rng_below(rng, 5) - 2) & low(bits);
    case 2: return first ^ 1ull << (bits - 1);
    default: return rng_value(rng, type);
  }
}
