// tensor_oracle.c: sums of products in whole numbers.
#include "tensor_oracle.h"
#include <string.h>
#include "base/mem.h"

// ---- whole numbers: bit 0 is worth 2^BOTTOM, below any product of two subnormals -------------------------------

enum { WORDS = 12, WORD = 64, BOTTOM = -300 };
typedef struct Whole { uint64_t w[WORDS]; } Whole;

static bool bit(const Whole *x, int at) { return x->w[at / WORD] >> at % WORD & 1; }

static int top(const Whole *x) {   // -1: it is 0
  for (int i = WORDS - 1; i >= 0; i--)
    if (x->w[i]) return i * WORD + WORD - 1 - __builtin_clzll(x->w[i]);
  return -1;
}

static void add(Whole *x, uint64_t number, int at) {
  unsigned __int128 carry = (unsigned __int128)number << at % WORD;
  for (int i = at / WORD; i < WORDS && carry; i++) {
    carry += x->w[i];
    x->w[i] = (uint64_t)carry;
    carry >>= WORD;
  }
}

static void add_whole(Whole *x, const Whole *y) {
  for (int i = 0; i < WORDS; i++)
    if (y->w[i]) add(x, y->w[i], i * WORD);
}

static int compare(const Whole *x, const Whole *y) {
  for (int i = WORDS - 1; i >= 0; i--)
    if (x->w[i] != y->w[i]) return x->w[i] < y->w[i] ? -1 : 1;
  return 0;
}

static void subtract(Whole *x, const Whole *y) {   // x is not less
  uint64_t borrow = 0;
  for (int i = 0; i < WORDS; i++) {
    unsigned __int128 less = (unsigned __int128)y->w[i] + borrow;
    borrow = x->w[i] < less;
    x->w[i] -= (uint64_t)less;
  }
}

static bool clear_below(Whole *x, int at) {   // whether there was something
  uint64_t any = 0;
  for (int i = 0; i < WORDS && i * WORD < at; i++) {
    uint64_t low = at - i * WORD >= WORD ? ~0ull : (1ull << (at - i * WORD)) - 1;
    any |= x->w[i] & low;
    x->w[i] &= ~low;
  }
  return any;
}

// ---- numbers -------------------------------------------------------------------------------------------------------

typedef struct Format { PtxType type; int exponent, fraction, spare; } Format;
static const Format formats[] = {{PTX_F16, 5, 10, 0},  {PTX_BF16, 8, 7, 0}, {PTX_TF32, 8, 10, 13},
                                 {PTX_E4M3, 4, 3, 0},  {PTX_E5M2, 5, 2, 0}, {PTX_F32, 8, 23, 0}};

typedef enum Kind { FINITE, INFINITE, NO_NUMBER } Kind;
typedef struct Number { Kind kind; bool negative; uint64_t significand; int lowest, exponent; } Number;

static const Format *format_of(PtxType type) {
  for (int i = 0; i < LS_COUNT(formats); i++)
    if (formats[i].type == type) return &formats[i];
  return NULL;
}

static int bias(const Format *f) { return (1 << (f->exponent - 1)) - 1; }

static Number decode(PtxType type, uint64_t bits) {
  const Format *f = format_of(type);
  uint64_t magnitude = bits >> f->spare, fraction = magnitude & ((1ull << f->fraction) - 1);
  int stored = (int)(magnitude >> f->fraction) & ((1 << f->exponent) - 1), all = (1 << f->exponent) - 1;
  Number n = {.negative = magnitude >> (f->fraction + f->exponent) & 1};
  n.significand = fraction | (stored ? 1ull << f->fraction : 0);
  n.exponent = (stored ? stored : 1) - bias(f);
  n.lowest = n.exponent - f->fraction;
  if (stored == all && type == PTX_E4M3) n.kind = fraction == 7 ? NO_NUMBER : FINITE;
  else if (stored == all) n.kind = fraction ? NO_NUMBER : INFINITE;
  return n;
}

static uint64_t encode(PtxType type, const Number *n) {
  const Format *f = format_of(type);
  uint64_t sign = (uint64_t)n->negative << (f->exponent + f->fraction), all = (1ull << f->exponent) - 1;
  if (n->kind == NO_NUMBER) return type == PTX_F16 ? 0x7fff : 0x7fffffff;
  if (n->kind == INFINITE) return sign | all << f->fraction;
  uint64_t significand = n->significand;
  int lowest = n->lowest;
  for (; significand >> (f->fraction + 1); lowest++) significand >>= 1;   // rounded up to the next power of two
  while (significand && lowest > 1 - bias(f) - f->fraction && !(significand >> f->fraction)) {
    significand <<= 1;
    lowest--;
  }
  uint64_t stored = significand >> f->fraction ? (uint64_t)(lowest + f->fraction + bias(f)) : 0;
  return sign | stored << f->fraction | (significand & ((1ull << f->fraction) - 1));
}

// The number nearest to x, or what is left when its low bits are cut off.
static Number rounded(PtxType type, int fraction, Whole x, bool negative, bool nearest) {
  const Format *f = format_of(type);
  int least = 1 - bias(f), leading = top(&x) + BOTTOM, at = LS_MAX(leading, least) - fraction - BOTTOM;
  bool half = at > 0 && bit(&x, at - 1), odd = bit(&x, at);
  bool more = clear_below(&x, at > 0 ? at - 1 : 0);
  clear_below(&x, at);
  if (nearest && half && (more || odd)) add(&x, 1, at);
  leading = top(&x) + BOTTOM;
  Number n = {.negative = negative, .lowest = at + BOTTOM, .exponent = LS_MAX(leading, least)};
  if (top(&x) >= 0 && leading > bias(f)) n.kind = INFINITE;
  for (int i = 0; i <= fraction + 1; i++) n.significand |= (uint64_t)bit(&x, at + i) << i;
  return n;
}

static Number convert(PtxType type, Number n) {
  Whole x = {0};
  if (n.kind != FINITE) return n;
  add(&x, n.significand, n.lowest - BOTTOM);
  return rounded(type, format_of(type)->fraction, x, n.negative, true);
}

// ---- sums ----------------------------------------------------------------------------------------------------------

static Number product(Number a, Number b) {
  Number n = {.negative = a.negative != b.negative, .significand = a.significand * b.significand,
              .lowest = a.lowest + b.lowest, .exponent = a.exponent + b.exponent};
  bool zero = (a.kind == FINITE && !a.significand) || (b.kind == FINITE && !b.significand);
  if (a.kind == NO_NUMBER || b.kind == NO_NUMBER) n.kind = NO_NUMBER;
  else if (a.kind == INFINITE || b.kind == INFINITE) n.kind = zero ? NO_NUMBER : INFINITE;
  return n;
}

static bool special(const Number *terms, int count, Number *result) {
  bool up = false, down = false, none = false;
  for (int i = 0; i < count; i++) {
    none |= terms[i].kind == NO_NUMBER;
    up |= terms[i].kind == INFINITE && !terms[i].negative;
    down |= terms[i].kind == INFINITE && terms[i].negative;
  }
  *result = (Number){.kind = none || (up && down) ? NO_NUMBER : INFINITE, .negative = down};
  return none || up || down;
}

// lowest: what is below it is cut off from each term.
static Number sum_from(const Number *terms, int count, int lowest, PtxType type, int fraction, bool nearest) {
  Whole sides[2] = {0};
  for (int i = 0; i < count; i++) {
    Whole term = {0};
    add(&term, terms[i].significand, terms[i].lowest - BOTTOM);
    clear_below(&term, lowest - BOTTOM);
    add_whole(&sides[terms[i].negative], &term);
  }
  bool negative = compare(&sides[0], &sides[1]) < 0;
  subtract(&sides[negative], &sides[!negative]);
  Number n = rounded(type, fraction, sides[negative], negative, nearest);
  if (n.kind != INFINITE && !n.significand) n.negative = false;   // as an H200 answers
  return n;
}

static Number group(const TensorRule *rule, PtxType type, const Number *terms, int count) {
  Number result;
  bool any = false;
  int reference = 0;
  if (special(terms, count, &result)) return result;
  for (int i = 0; i < count; i++) {
    if (!terms[i].significand) continue;
    reference = any ? LS_MAX(reference, terms[i].exponent) : terms[i].exponent;
    any = true;
  }
  reference = LS_MAX(reference, type == PTX_F16 ? rule->least_f16 : rule->least_f32);
  if (!any) return (Number){0};
  bool half = type == PTX_F16;
  return sum_from(terms, count, reference - rule->bits, type, half ? 10 : rule->fraction, half);
}

// Products from[0], from[1] ..
static Number chain(const TensorRule *rule, int at_once, PtxType type, const Number *products, int depth, Number c) {
  enum { MOST = 64 };
  Number terms[MOST + 1];
  for (int k = 0; k < depth; k += at_once) {
    memcpy(terms, products + k, (size_t)at_once * sizeof *terms);
    terms[at_once] = c;
    c = group(rule, type, terms, at_once + 1);
  }
  return c;
}

static Number plain_sum(PtxType type, Number x, Number y) {
  Number result, terms[2] = {x, y};
  if (special(terms, 2, &result)) return result;
  result = sum_from(terms, 2, BOTTOM, type, format_of(type)->fraction, true);
  if (!x.significand && !y.significand) result.negative = x.negative && y.negative;
  return result;
}

static Number all_products(const TensorRule *rule, int most, PtxType type, Number *products, int depth, Number c) {
  enum { MOST = 64 };
  Number ordered[MOST];
  if (!rule->by_halves) return chain(rule, LS_MIN(rule->group, most), type, products, depth, c);
  int count = 0;
  for (int half = 0; half < 2; half++)
    for (int k = 0; k < depth; k++)
      if (k / 2 % 2 == half) ordered[count++] = products[k];
  return plain_sum(type, c, chain(rule, depth / 2, type, ordered, depth, (Number){0}));
}

uint64_t oracle_quad(const PtxType types[4], const uint64_t *a, const uint64_t *b, uint64_t c) {
  bool halves = types[0] == PTX_F16 && types[3] == PTX_F16;
  Number sum = {0}, pairs[2], products[4];
  for (int k = 0; k < 4; k++) products[k] = product(decode(types[1], a[k]), decode(types[2], b[k]));
  for (int i = 0; i < 2; i++) pairs[i] = plain_sum(PTX_F32, products[2 * i], products[2 * i + 1]);
  for (int k = 0; k < 4; k++) sum = plain_sum(PTX_F32, products[k], sum);
  Number addend = decode(types[3], c);
  if (halves) sum = plain_sum(PTX_F32, plain_sum(PTX_F32, addend, pairs[0]), pairs[1]);
  else sum = plain_sum(PTX_F32, addend, sum);
  sum = convert(types[0], sum);
  return encode(types[0], &sum);
}

uint64_t oracle_product(const TensorRule *rule, int most, const PtxType types[4], const uint64_t *a, const uint64_t *b,
                        int depth, uint64_t c) {
  enum { MOST = 64 };
  Number products[MOST];
  PtxType type = types[0] == PTX_F16 && types[3] == PTX_F16 ? PTX_F16 : PTX_F32;
  for (int k = 0; k < depth; k++) {
    Number x = decode(types[1], a[k]), y = decode(types[2], b[k]);
    if (rule->by_halves) {   // as f16, in which none of these is subnormal but e5m2's
      x = types[1] == PTX_E4M3 ? convert(PTX_F16, x) : x;
      y = types[2] == PTX_E4M3 ? convert(PTX_F16, y) : y;
    }
    products[k] = product(x, y);
  }
  Number sum = all_products(rule, most, type, products, depth, convert(type, decode(types[3], c)));
  sum = convert(types[0], sum);
  return encode(types[0], &sum);
}
