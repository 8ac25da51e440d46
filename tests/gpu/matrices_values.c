// matrices_values.c: draws the elements of matrices: any, and those at whose edges a sum of products can go wrong.
#include "matrices_values.h"
#include "base/mem.h"

const char *matrices_mode_name(int mode) {
  static const char *const names[] = {"near", "wide", "cancel", "sparse", "low", "high", "special"};
  return names[mode];
}

// A float: sign, exponent, fraction, and bits below that count for nothing.
typedef struct Format {
  PtxType type;
  int exponent, fraction, spare;
  int low, high, spread;         // products of so many exponents from there on are at the ends of the sums
} Format;
static const Format formats[] = {
    {PTX_F16, 5, 10, 0, 0, 22, 9},      {PTX_E5M2, 5, 2, 0, 0, 22, 9},      {PTX_E4M3, 4, 3, 0, 0, 12, 4},
    {PTX_BF16, 8, 7, 0, 44, 183, 23},   {PTX_TF32, 8, 10, 13, 44, 183, 23}, {PTX_F32, 8, 23, 0, 0, 240, 15},
    {PTX_F64, 11, 52, 0, 486, 1528, 9},
};

static const Format *format_of(PtxType type) {
  for (int i = 0; i < LS_COUNT(formats); i++)
    if (formats[i].type == type) return &formats[i];
  return NULL;
}

static uint64_t below(Rng *rng, uint64_t limit) { return rng_below(rng, (uint32_t)limit); }
static uint64_t ones(int bits) { return (1ull << bits) - 1; }
static uint64_t bias(const Format *f) { return ones(f->exponent - 1); }
static uint64_t last(const Format *f) { return ones(f->exponent) - (f->type != PTX_E4M3); }   // that is finite

static uint64_t pack(const Format *f, Rng *rng, uint64_t exponent, uint64_t fraction) {
  uint64_t spare = f->spare ? rng_next(rng) & ones(f->spare) : 0, sign = rng_next(rng) & 1;
  uint64_t number = LS_MIN(exponent, last(f)) << f->fraction | fraction;
  if (f->type == PTX_E4M3 && number == ones(7)) number--;   // else it is a NaN
  return ((sign << (f->exponent + f->fraction) | number) << f->spare) | spare;
}

static uint64_t any_fraction(const Format *f, Rng *rng) {
  return rng_chance(rng, 6) ? 0 : rng_next(rng) & ones(f->fraction);
}

static uint64_t special(const Format *f, Rng *rng) {
  uint64_t sign = (rng_next(rng) & 1) << (f->exponent + f->fraction), top = ones(f->exponent) << f->fraction;
  uint64_t fraction = rng_next(rng) & ones(f->fraction);
  const uint64_t values[] = {0, 0, top, top | fraction, fraction};
  return (sign | values[below(rng, LS_COUNT(values))]) << f->spare;
}

static uint64_t factor(const Format *f, int mode, Rng *rng) {
  uint64_t one = bias(f), fraction = any_fraction(f, rng);
  switch (mode) {
  case MATRICES_WIDE: return pack(f, rng, below(rng, last(f) + 1), fraction);
  case MATRICES_SPARSE:
    if (below(rng, 3)) return 0;
    if (below(rng, 2)) one += below(rng, 25) - LS_MIN(one, 12);
    return pack(f, rng, one, below(rng, 2) ? 0 : fraction);
  case MATRICES_LOW: return pack(f, rng, (uint64_t)f->low + below(rng, (uint64_t)f->spread), fraction);
  case MATRICES_HIGH: return pack(f, rng, (uint64_t)f->high + below(rng, 9), fraction);
  case MATRICES_SPECIAL:
    if (rng_chance(rng, 24)) return special(f, rng);
    return pack(f, rng, below(rng, last(f) + 1), fraction);
  default: return pack(f, rng, one - 4 + below(rng, 8), fraction);
  }
}

static uint64_t addend(const Format *f, int mode, Rng *rng) {
  uint64_t one = bias(f), fraction = any_fraction(f, rng), deep = LS_MIN(one, 40);
  switch (mode) {
  case MATRICES_CANCEL: return pack(f, rng, one - LS_MIN(one, 30) + below(rng, 32), fraction);
  case MATRICES_SPARSE: return pack(f, rng, one - LS_MIN(one, 24) + below(rng, 49), fraction);
  case MATRICES_LOW:
    if (rng_chance(rng, 3)) return (rng_next(rng) & 1) << (f->exponent + f->fraction);
    return pack(f, rng, rng_chance(rng, 2) ? below(rng, 12) : one - deep + below(rng, deep + 5), fraction);
  case MATRICES_HIGH:
    if (rng_chance(rng, 4)) return 0;
    if (rng_chance(rng, 4)) fraction = ones(f->fraction);
    return pack(f, rng, last(f) - below(rng, 5), fraction);
  case MATRICES_SPECIAL:
    if (rng_chance(rng, 8)) return special(f, rng);
    return pack(f, rng, below(rng, last(f) + 1), fraction);
  default: return factor(f, mode, rng);
  }
}

static uint64_t whole(PtxType type, int mode, Rng *rng) {
  if (type == PTX_B1) return mode == MATRICES_HIGH ? rng_below(rng, 8) > 0 : rng_below(rng, 2);
  uint64_t bits = type == PTX_S32 ? 32 : type == PTX_S4 || type == PTX_U4 ? 4 : 8;
  uint64_t half = 1ull << (bits - 1);
  const uint64_t edges[] = {0, 1, half, half - 1, half - below(rng, 1 << bits / 2), 2 * half - 1};
  uint64_t value = mode == MATRICES_NEAR || !below(rng, 4) ? rng_next(rng) : edges[below(rng, LS_COUNT(edges))];
  return value & ones((int)bits);
}

// Products 2 i and 2 i + 1 are nearly alike, with unlike signs; of a sparse A most of them.
static void pair_up(const Format *f, const Matrices *m, Rng *rng, uint64_t *a, uint64_t *b) {
  uint64_t sign = 1ull << (f->exponent + f->fraction + f->spare), step = 1ull << f->spare;
  int depth = m->depth, rows = m->parts[MATRICES_A].rows, cols = m->parts[MATRICES_B].cols;
  int alike = m->form->sparse[0] ? 4 : 2;   // rows of b
  for (int k = 1; k < depth; k += 2)
    for (int row = 0; row < rows; row++)
      a[row * depth + k] = a[row * depth + k - 1] ^ (rng_chance(rng, 3) ? step : 0);
  for (int k = 0; k < m->shape.k; k++)
    for (int col = 0; k % alike && col < cols; col++)
      b[k * cols + col] = b[(k - k % alike) * cols + col] ^ (k % 2 ? sign : 0);
}

static void fill(PtxType type, bool adds, int mode, Rng *rng, uint64_t *to, int count) {
  const Format *f = format_of(type);
  for (int i = 0; i < count; i++)
    to[i] = !f ? whole(type, mode, rng) : adds ? addend(f, mode, rng) : factor(f, mode, rng);
}

void matrices_fill(const Matrices *m, int mode, Rng *rng, uint64_t *a, uint64_t *b, uint64_t *c) {
  const Format *f = format_of(m->types[MATRICES_A]), *g = format_of(m->types[MATRICES_B]);
  const MatrixFragment *parts = m->parts;
  fill(m->types[MATRICES_A], false, mode, rng, a, parts[MATRICES_A].rows * parts[MATRICES_A].cols);
  fill(m->types[MATRICES_B], false, mode, rng, b, parts[MATRICES_B].rows * parts[MATRICES_B].cols);
  fill(m->types[MATRICES_C], true, mode, rng, c, parts[MATRICES_C].rows * parts[MATRICES_C].cols);
  if (f && f == g && mode == MATRICES_CANCEL) pair_up(f, m, rng, a, b);
}
