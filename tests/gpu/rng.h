// rng.h: random numbers of the generated programs (SplitMix64 by Steele, Lea and Flood), and values worth trying.
#ifndef LS_TESTS_GPU_RNG_H
#define LS_TESTS_GPU_RNG_H

#include <stdbool.h>
#include <stdint.h>
#include "ptx/ptx.h"

typedef struct Rng { uint64_t state; } Rng;

uint64_t rng_next(Rng *rng);
uint32_t rng_below(Rng *rng, uint32_t limit);      // 0 .. limit - 1
bool rng_chance(Rng *rng, uint32_t one_in);

// Bits of a type: zeros, subnormals, infinities, NaNs, the ends of the range, small numbers, any bits.
uint64_t rng_value(Rng *rng, PtxType type);
// A second operand for `first`: often equal to it, beside it, or its negative.
uint64_t rng_partner(Rng *rng, PtxType type, uint64_t first);

#endif
