// tensor.h: how a tensor core sums products: to the bit, by a row per kind of device (tensor.def).
//
// Some products are summed at once, a group, together with the sum so far:
//
//   1. A product is exact. It counts with the sum of its operands' exponents and a significand in [1, 4); a subnormal
//      operand has the least exponent of its type. The sum so far is a term like the others.
//   2. The largest exponent of the terms that are not zero is the reference. Each term is cut off, toward zero, `bits`
//      below it.
//   3. The terms are added exactly. What comes of it is cut off to the fraction of an f32, or rounded to an f16.
//
// With f32 sums overflow is an infinity, too. A NaN that comes out is the one of the type of the sum.
#ifndef LS_SIM_TENSOR_H
#define LS_SIM_TENSOR_H

#include <stdbool.h>
#include <stdint.h>
#include "ptx/ptx.h"

typedef struct TensorRule {
  int capability;            // of the first devices that do it so: 10 major + minor
  PtxType operands;          // PTX_E4M3 stands for all of 8 bits
  int group;                 // products that are summed at once, in the order of k
  int bits;                  // that a term keeps below the largest exponent
  int fraction;              // bits of an f32 sum
  int least_f32, least_f16;  // the reference is no less than this
  bool by_halves;            // 8 bits as f16: bytes 0 and 1 of every four, then 2 and 3, and c is added to that sum
} TensorRule;

// The rule for operands of this type on a device of this compute capability; one that knows no such operands does as
// the first that do. NULL: not of a tensor core's floats.
const TensorRule *tensor_rule(int capability, PtxType operands);

enum { TENSOR_ZERO = -4096, TENSOR_SPECIAL = 16000 };   // exponents of zeros; of infinities and NaNs, also times a zero

// The exponent that a factor of a product counts with. least: the least of its type's normal numbers; of 8 bits it is
// f16's where they become that.
int16_t tensor_exponent(double value, int least);
int tensor_least(const TensorRule *rule, PtxType type);
double tensor_value(PtxType type, uint32_t bits);
void tensor_values(PtxType type, const uint32_t *bits, double *values, int count);
uint32_t tensor_bits(PtxType type, double value);   // f16, f32; rounds to nearest, and a NaN is canonical
uint32_t tensor_cut_f16(double value);              // toward zero: no finite value becomes infinite

// Factors in the order of k, but see tensor_place.
typedef struct TensorRow { const double *values; const int16_t *exponents; } TensorRow;

// Where the rows want product k of `depth`: rules that sum by halves want bytes 0 and 1 of every four in front.
int tensor_place(const TensorRule *rule, int k, int depth);

// The sum c + a[0] b[0] + ... of `depth` products, as a value of the type `sum`, f16 or f32.
// group: products at once, the rule's or fewer.
double tensor_sum(const TensorRule *rule, int group, PtxType sum, TensorRow a, TensorRow b, int depth, double c);

// m8n8k4 of f16 is an instruction of a tensor core on 7.0 and 7.5 only. From 8.0 on it is made of fused multiply-adds
// of f32 (read in its machine code): with f32 sums a chain of the products, then c; with f16 sums c, then two pairs of
// products, one after the other.
bool tensor_has_quads(int capability);
double tensor_quad_sum(PtxType sum, const double *a, const double *b, double c);

#endif
