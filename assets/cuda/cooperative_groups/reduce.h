// cooperative_groups/reduce.h: reduce() over a tile or over active lanes (CUDA C++ Programming Guide, "Cooperative Groups", "reduce").
#pragma once
#pragma clang system_header

#include "../cooperative_groups.h"

namespace cooperative_groups {
#define LANESCOPE_OPERATOR(name, expression) \
  template <typename T = void> struct name { \
    unsigned char lanescope_empty = 0; \
    LANESCOPE_MEMBER T operator()(T a, T b) const { return expression; } \
  };
LANESCOPE_OPERATOR(plus, a + b)
LANESCOPE_OPERATOR(less, a < b ? a : b)
LANESCOPE_OPERATOR(greater, a > b ? a : b)
LANESCOPE_OPERATOR(bit_and, a & b)
LANESCOPE_OPERATOR(bit_or, a | b)
LANESCOPE_OPERATOR(bit_xor, a ^ b)
#undef LANESCOPE_OPERATOR

// A butterfly: every lane of the tile ends with the result.
template <unsigned Size, typename P, typename T, typename Op>
LANESCOPE_DEVICE T reduce(const thread_block_tile<Size, P> &tile, T value, Op op) {
#pragma unroll
  for (int by = (int)Size / 2; by > 0; by /= 2) value = op(value, tile.shfl_xor(value, by));
  return value;
}

// Halves of what is left, for any number of lanes; then the first lane's value for all.
template <typename T, typename Op> LANESCOPE_DEVICE T reduce(const coalesced_group &group, T value, Op op) {
  for (unsigned left = group.size(); left > 1;) {
    unsigned half = (left + 1) / 2;
    T other = group.shfl_down(value, half);
    if (group.thread_rank() + half < left) value = op(value, other);
    left = half;
  }
  return group.shfl(value, 0);
}
}
