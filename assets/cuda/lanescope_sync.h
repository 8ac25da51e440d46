// lanescope_sync.h: barriers, fences, shuffles, votes, matches and reductions of a warp (CUDA C++ Programming Guide, "Synchronization
// Functions" to "Warp Reduce Functions").
#pragma once
#pragma clang system_header

#include "lanescope_types.h"

// ---- barriers and fences ---------------------------------------------------------------------------------------------------------

// The compiler's own __syncthreads() does not keep clang 14 from moving accesses of shared variables across it.
#define __syncthreads() lanescope_syncthreads()
LANESCOPE_DEVICE void lanescope_syncthreads() { asm volatile("bar.sync 0;" ::: "memory"); }
#define LANESCOPE_BARRIER(name, how) \
  LANESCOPE_DEVICE int __syncthreads_##name(int predicate) { \
    int result; \
    asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; bar.red." how ".pred q, 0, p; selp.s32 %0, 1, 0, q; }" \
                 : "=r"(result) : "r"(predicate) : "memory"); \
    return result; \
  }
LANESCOPE_BARRIER(and, "and")
LANESCOPE_BARRIER(or, "or")
#undef LANESCOPE_BARRIER
LANESCOPE_DEVICE int __syncthreads_count(int predicate) {
  int result;
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; bar.red.popc.u32 %0, 0, p; }" : "=r"(result) : "r"(predicate) : "memory");
  return result;
}
LANESCOPE_DEVICE void __threadfence_block() { asm volatile("membar.cta;" ::: "memory"); }
LANESCOPE_DEVICE void __threadfence() { asm volatile("membar.gl;" ::: "memory"); }
LANESCOPE_DEVICE void __threadfence_system() { asm volatile("membar.sys;" ::: "memory"); }
LANESCOPE_DEVICE void __syncwarp(unsigned mask = 0xffffffffu) { asm volatile("bar.warp.sync %0;" : : "ri"(mask) : "memory"); }

// ---- one value, of any type of 4 or 8 bytes, from lane to lane ---------------------------------------------------------------------

#define LANESCOPE_SHUFFLE32(T, name, lanes, mode, clamp) \
  LANESCOPE_DEVICE T name(unsigned mask, LANESCOPE_GIVEN(T) value, lanes, int width = 32) { \
    int bits, from = __builtin_bit_cast(int, value); \
    asm volatile("shfl.sync." mode ".b32 %0, %1, %2, %3, %4;" \
                 : "=r"(bits) : "r"(from), "ri"(lane), "ri"((32 - width) << 8 | (clamp)), "ri"(mask)); \
    return __builtin_bit_cast(T, bits); \
  }
#define LANESCOPE_SHUFFLE64(T, name, lanes) \
  LANESCOPE_DEVICE T name(unsigned mask, LANESCOPE_GIVEN(T) value, lanes, int width = 32) { \
    unsigned long long bits = __builtin_bit_cast(unsigned long long, value); \
    unsigned low = name(mask, (unsigned)bits, lane, width), high = name(mask, (unsigned)(bits >> 32), lane, width); \
    return __builtin_bit_cast(T, (unsigned long long)high << 32 | low); \
  }
#define LANESCOPE_SHUFFLES(name, lanes, mode, clamp) \
  LANESCOPE_SHUFFLE32(int, name, lanes, mode, clamp) \
  LANESCOPE_SHUFFLE32(unsigned, name, lanes, mode, clamp) \
  LANESCOPE_SHUFFLE32(float, name, lanes, mode, clamp) \
  LANESCOPE_SHUFFLE64(long, name, lanes) \
  LANESCOPE_SHUFFLE64(unsigned long, name, lanes) \
  LANESCOPE_SHUFFLE64(long long, name, lanes) \
  LANESCOPE_SHUFFLE64(unsigned long long, name, lanes) \
  LANESCOPE_SHUFFLE64(double, name, lanes)
LANESCOPE_SHUFFLES(__shfl_sync, int lane, "idx", 31)
LANESCOPE_SHUFFLES(__shfl_up_sync, unsigned lane, "up", 0)
LANESCOPE_SHUFFLES(__shfl_down_sync, unsigned lane, "down", 31)
LANESCOPE_SHUFFLES(__shfl_xor_sync, int lane, "bfly", 31)
#undef LANESCOPE_SHUFFLES
#undef LANESCOPE_SHUFFLE64
#undef LANESCOPE_SHUFFLE32

// ---- votes and matches -----------------------------------------------------------------------------------------------------------

LANESCOPE_DEVICE int __all_sync(unsigned mask, int predicate) { return __nvvm_vote_all_sync(mask, predicate != 0); }
LANESCOPE_DEVICE int __any_sync(unsigned mask, int predicate) { return __nvvm_vote_any_sync(mask, predicate != 0); }
LANESCOPE_DEVICE int __uni_sync(unsigned mask, int predicate) { return __nvvm_vote_uni_sync(mask, predicate != 0); }
LANESCOPE_DEVICE unsigned __ballot_sync(unsigned mask, int predicate) { return __nvvm_vote_ballot_sync(mask, predicate != 0); }
LANESCOPE_DEVICE unsigned __activemask() {
  unsigned mask;
  asm volatile("activemask.b32 %0;" : "=r"(mask));
  return mask;
}

#define LANESCOPE_MATCH(T, size, reg, bits_t) \
  LANESCOPE_DEVICE unsigned __match_any_sync(unsigned mask, T value) { \
    unsigned same; \
    asm volatile("match.any.sync.b" size " %0, %1, %2;" : "=r"(same) : reg(__builtin_bit_cast(bits_t, value)), "ri"(mask)); \
    return same; \
  } \
  LANESCOPE_DEVICE unsigned __match_all_sync(unsigned mask, T value, int *all) { \
    unsigned same; \
    asm volatile("{ .reg .pred p; match.all.sync.b" size " %0|p, %2, %3; selp.s32 %1, 1, 0, p; }" \
                 : "=r"(same), "=r"(*all) : reg(__builtin_bit_cast(bits_t, value)), "ri"(mask)); \
    return same; \
  }
LANESCOPE_MATCH(int, "32", "r", int)
LANESCOPE_MATCH(unsigned, "32", "r", int)
LANESCOPE_MATCH(float, "32", "r", int)
LANESCOPE_MATCH(long, "64", "l", long)
LANESCOPE_MATCH(unsigned long, "64", "l", long)
LANESCOPE_MATCH(long long, "64", "l", long)
LANESCOPE_MATCH(unsigned long long, "64", "l", long)
LANESCOPE_MATCH(double, "64", "l", long)
#undef LANESCOPE_MATCH

// ---- reductions (compute capability 8.0) -----------------------------------------------------------------------------------------

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define LANESCOPE_REDUCE(T, name, op) \
  LANESCOPE_DEVICE T __reduce_##name##_sync(unsigned mask, T value) { \
    T result; \
    asm volatile("redux.sync." op " %0, %1, %2;" : "=r"(result) : "r"(value), "ri"(mask)); \
    return result; \
  }
LANESCOPE_REDUCE(int, add, "add.s32")
LANESCOPE_REDUCE(int, min, "min.s32")
LANESCOPE_REDUCE(int, max, "max.s32")
LANESCOPE_REDUCE(unsigned, add, "add.u32")
LANESCOPE_REDUCE(unsigned, min, "min.u32")
LANESCOPE_REDUCE(unsigned, max, "max.u32")
LANESCOPE_REDUCE(unsigned, and, "and.b32")
LANESCOPE_REDUCE(unsigned, or, "or.b32")
LANESCOPE_REDUCE(unsigned, xor, "xor.b32")
#undef LANESCOPE_REDUCE
#endif
