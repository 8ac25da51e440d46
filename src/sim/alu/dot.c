// dot.c: products of words in memory, added up for 32 lanes: the sums stay in the host's registers all the while.
// Compiled once per instruction set; the loops are of a form that becomes vector code.
#include "sim/alu/alu_lanes.h"
#include "sim/alu/lanes.h"

enum { HALF = 16 };

typedef float Float __attribute__((aligned(1), may_alias));

// Loops have no branches, and sums that begin somewhere else than they end: so each half of them becomes a vector.
#define ADD_PRODUCTS(low, high, from_low, from_high, one_at, row_at)                                          \
  do {                                                                                                        \
    const uint8_t *one_ = (one_at), *row_ = (row_at);                                                         \
    const float low_ = *(const Float *)(const void *)one_;                                                    \
    const float high_ = *(const Float *)(const void *)(one_ + at->one_high);                                  \
    const Float *lower_ = (const Float *)(const void *)row_;                                                  \
    const Float *upper_ = (const Float *)(const void *)(row_ + at->row_high);                                 \
    for (int i = 0; i < HALF; i++) (low)[i] = __builtin_fmaf(low_, lower_[i], (from_low)[i]);                 \
    for (int i = 0; i < HALF; i++) (high)[i] = __builtin_fmaf(high_, upper_[i], (from_high)[i]);              \
  } while (0)

// A sum that is no number stays one, so to look once at the end is enough (alu_float.def).
#define PUT_SUMS(to, low, high)                                                                               \
  do {                                                                                                        \
    const float none_ = alu_f32(0x7fffffff);                                                                  \
    for (int i = 0; i < HALF; i++) (to)[i] = (low)[i] == (low)[i] ? (low)[i] : none_;                         \
    for (int i = 0; i < HALF; i++) (to)[HALF + i] = (high)[i] == (high)[i] ? (high)[i] : none_;               \
  } while (0)

void ALU_NAME(sim_dot_terms)(float to[32], const float from[32], const SimDotPlaces *at);
void ALU_NAME(sim_dot_terms)(float to[32], const float from[32], const SimDotPlaces *at) {
  float low[HALF], high[HALF];
  const uint8_t *one = at->one, *row = at->row;
  const SimDotTerm *term = at->terms, *end = term + at->count;
  ADD_PRODUCTS(low, high, from, from + HALF, one + term->one, row + term->row);
  for (term++; term < end; term++) ADD_PRODUCTS(low, high, low, high, one + term->one, row + term->row);
  PUT_SUMS(to, low, high);
}

void ALU_NAME(sim_dot_rounds)(float to[32], const float from[32], const SimDotPlaces *at);
void ALU_NAME(sim_dot_rounds)(float to[32], const float from[32], const SimDotPlaces *at) {
  float low[HALF], high[HALF];
  const uint8_t *one = at->one, *row = at->row;
  const int64_t one_step = at->one_step, row_step = at->row_step;
  ADD_PRODUCTS(low, high, from, from + HALF, one, row);
  for (uint64_t left = at->rounds - 1; left > 0; left--) {
    one += one_step;
    row += row_step;
    ADD_PRODUCTS(low, high, low, high, one, row);
  }
  PUT_SUMS(to, low, high);
}
