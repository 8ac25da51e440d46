// tensor.c: sums of products as tensor cores make them.
//
// A term is cut off by one conversion to an integer: its value, scaled so that the lowest bit that it keeps is worth 1,
// is exact in a double, and conversions cut toward zero. At most 16 terms below 2^27 fit into 32 bits.
#include "sim/alu/tensor.h"
#include <math.h>
#include <stddef.h>
#include <string.h>
#include "base/mem.h"
#include "sim/alu/alu.h"
#include "sim/alu/alu_halves.h"
#include "sim/alu/alu_soft.h"

enum { NO_LEAST = -1000, NOTHING = TENSOR_ZERO / 2, SPECIAL = TENSOR_SPECIAL / 2, AT_ONCE = 16 };

static const TensorRule rules[] = {
#define TENSOR(capability, operands, ...) {capability, PTX_##operands, __VA_ARGS__},
#include "sim/alu/tensor.def"
#undef TENSOR
};

const TensorRule *tensor_rule(int capability, PtxType operands) {
  const TensorRule *found = NULL;
  if (operands == PTX_E5M2) operands = PTX_E4M3;
  for (int i = 0; i < LS_COUNT(rules); i++)
    if (rules[i].operands == operands && (!found || rules[i].capability <= capability)) found = &rules[i];
  return found;
}

// ---- values --------------------------------------------------------------------------------------------------------

static uint64_t bits_of(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static double from_bits(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static double power_of_two(int exponent) { return from_bits((uint64_t)(exponent + 1023) << 52); }   // a normal one

static double single(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static double e4m3(uint32_t bits) {   // no infinities; all ones is a NaN
  int exponent = (int)(bits >> 3 & 15), fraction = (int)(bits & 7);
  double value = exponent ? (8 + fraction) * power_of_two(exponent - 10) : fraction * power_of_two(-9);
  if ((bits & 0x7f) == 0x7f) value = NAN;
  return bits & 0x80 ? -value : value;
}

double tensor_value(PtxType type, uint32_t bits) {
  switch (type) {
  case PTX_F16: return sim_f16_to_f32((uint16_t)bits);
  case PTX_BF16: return single(bits << 16);
  case PTX_TF32: return single(bits & 0xffffe000u);
  case PTX_E5M2: return sim_f16_to_f32((uint16_t)(bits << 8));
  case PTX_E4M3: return e4m3(bits);
  default: return single(bits);
  }
}

void tensor_values(PtxType type, const uint32_t *bits, double *values, int count) {
  switch (type) {
  case PTX_F16: for (int i = 0; i < count; i++) values[i] = (double)alu_half_value(bits[i]); break;
  case PTX_F32: for (int i = 0; i < count; i++) values[i] = single(bits[i]); break;
  default: for (int i = 0; i < count; i++) values[i] = tensor_value(type, bits[i]); break;
  }
}

uint32_t tensor_bits(PtxType type, double value) {
  float same = (float)value;
  uint32_t bits;
  if (isnan(value)) return (uint32_t)soft_format(type)->nan;
  if (type != PTX_F32) return (uint32_t)soft_convert(&soft_f64, soft_format(type), bits_of(value), PTX_RN);
  memcpy(&bits, &same, sizeof bits);
  return bits;
}

uint32_t tensor_cut_f16(double value) {
  if (isnan(value)) return tensor_bits(PTX_F16, value);
  return (uint32_t)soft_convert(&soft_f64, &soft_f16, bits_of(value), PTX_RZ);
}

int tensor_least(const TensorRule *rule, PtxType type) {
  switch (type) {
  case PTX_E4M3: return rule->by_halves ? -14 : -6;
  case PTX_F16: case PTX_E5M2: return -14;
  default: return -126;
  }
}

int16_t tensor_exponent(double value, int least) {
  int biased = (int)(bits_of(value) >> 52 & 0x7ff);
  if (biased == 0) return TENSOR_ZERO;   // none of these types has a value that is subnormal in a double
  if (biased == 0x7ff) return TENSOR_SPECIAL;
  return (int16_t)LS_MAX(biased - 1023, least);
}

// ---- one group -----------------------------------------------------------------------------------------------------

// A sum so far: what it keeps and how it is rounded.
typedef struct Sum { int fraction, least, most, reference; bool nearest; } Sum;

// Groups are of 4 products or a multiple of it.
static int largest_exponent(const int16_t *a, const int16_t *b, int count) {
  int16_t most[4] = {2 * TENSOR_ZERO, 2 * TENSOR_ZERO, 2 * TENSOR_ZERO, 2 * TENSOR_ZERO};
  for (int at = 0; at < count; at += 4)
    for (int k = 0; k < 4; k++) {
      int16_t exponent = (int16_t)(a[at + k] + b[at + k]);
      most[k] = LS_MAX(most[k], exponent);
    }
  return LS_MAX(LS_MAX(most[0], most[1]), LS_MAX(most[2], most[3]));
}

static int64_t cut_products(const double *a, const double *b, int count, double scale) {
  int64_t sum = 0;
  for (int at = 0; at < count; at += AT_ONCE) {
    int32_t part[4] = {0};
    for (int i = at; i < LS_MIN(at + AT_ONCE, count); i += 4)
      for (int k = 0; k < 4; k++) part[k] += (int32_t)(a[i + k] * b[i + k] * scale);
    sum += (int64_t)part[0] + part[1] + part[2] + part[3];
  }
  return sum;
}

// NaN or an infinity, as IEEE 754 has it: some term is one of them.
static double special_sum(TensorRow a, TensorRow b, int count, double c) {
  for (int k = 0; k < count; k++) c += a.values[k] * b.values[k];
  return c;
}

// total 2^lowest, cut off or rounded to what the sum keeps.
static double rounded(const Sum *sum, int64_t total, int lowest) {
  uint64_t size = (uint64_t)(total < 0 ? -total : total);
  if (!size) return 0;
  int exponent = 63 - __builtin_clzll(size) + lowest, cut = LS_MAX(exponent, sum->least) - sum->fraction - lowest;
  if (cut > 0) {
    uint64_t kept = size >> cut, rest = size - (kept << cut), half = 1ull << (cut - 1);
    size = (kept + (sum->nearest && (rest > half || (rest == half && (kept & 1))))) << cut;
  }
  double value = (double)size * power_of_two(lowest);
  if (value >= power_of_two(sum->most) * 2) value = INFINITY;
  return total < 0 && size ? -value : value;   // what rounds to zero is +0, of whatever sign it was
}

static double add_group(const TensorRule *rule, const Sum *sum, TensorRow a, TensorRow b, int count, double c) {
  int c_exponent = tensor_exponent(c, sum->least);
  int reference = LS_MAX(largest_exponent(a.exponents, b.exponents, count), c_exponent);
  if (reference > SPECIAL) return special_sum(a, b, count, c);
  if (reference < NOTHING) return 0;
  int lowest = LS_MAX(reference, sum->reference) - rule->bits;
  double scale = power_of_two(-lowest);
  int64_t total = cut_products(a.values, b.values, count, scale) + (int64_t)(c * scale);
  return rounded(sum, total, lowest);
}

// ---- all of them ---------------------------------------------------------------------------------------------------

static double chain(const TensorRule *rule, const Sum *sum, int group, TensorRow a, TensorRow b, int depth, double c) {
  for (int k = 0; k < depth; k += group) {
    TensorRow left = {a.values + k, a.exponents + k}, right = {b.values + k, b.exponents + k};
    c = add_group(rule, sum, left, right, LS_MIN(group, depth - k), c);
  }
  return c;
}

int tensor_place(const TensorRule *rule, int k, int depth) {
  return rule->by_halves ? k / 4 * 2 + k % 2 + k / 2 % 2 * (depth / 2) : k;
}

double tensor_sum(const TensorRule *rule, int group, PtxType type, TensorRow a, TensorRow b, int depth, double c) {
  Sum sum = {.fraction = rule->fraction, .least = -126, .most = 127, .reference = rule->least_f32};
  if (type == PTX_F16)
    sum = (Sum){.fraction = 10, .least = -14, .most = 15, .reference = rule->least_f16, .nearest = true};
  if (!rule->by_halves) return chain(rule, &sum, group, a, b, depth, c);
  double products = chain(rule, &sum, depth / 2, a, b, depth, 0);
  return tensor_value(type, tensor_bits(type, c + products));   // a double rounds a sum of two f32 or f16 as they would
}

// ---- four products without a tensor core ---------------------------------------------------------------------------

bool tensor_has_quads(int capability) { return capability < 80; }

static float pair(const double *a, const double *b) {
  return fmaf((float)a[1], (float)b[1], (float)(a[0] * b[0]));   // a product of two f16 is exact
}

double tensor_quad_sum(PtxType sum, const double *a, const double *b, double c) {
  float total = 0;
  if (sum == PTX_F16) {
    total = (float)c + pair(a, b);
    total += pair(a + 2, b + 2);
    return total;
  }
  for (int k = 0; k < 4; k++) total = fmaf((float)a[k], (float)b[k], total);
  total += (float)c;
  return total;
}
