// tensor_oracle.h: sums of products as tensor cores make them, slowly: every term is a whole number of a few hundred bits,
// of which the low ones are cleared. Knows nothing of the emulator but the numbers of a rule.
#ifndef LS_TESTS_TENSOR_ORACLE_H
#define LS_TESTS_TENSOR_ORACLE_H

#include "sim/alu/tensor.h"

// Bits of d = c + a[0] b[0] + .. of `depth` products, each type as it stands in memory. most: products that the
// instruction takes at once, whatever the rule says.
uint64_t oracle_product(const TensorRule *rule, int most, const PtxType types[4], const uint64_t *a, const uint64_t *b,
                        int depth, uint64_t c);
// The same of m8n8k4 by multiply-adds of f32, each of which is rounded to the nearest.
uint64_t oracle_quad(const PtxType types[4], const uint64_t *a, const uint64_t *b, uint64_t c);

#endif
