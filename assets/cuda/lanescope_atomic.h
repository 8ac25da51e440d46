// lanescope_atomic.h: atomic functions (CUDA C++ Programming Guide, "Atomic Functions"), relaxed; plain, _block and _system.
#pragma once
#pragma clang system_header

#include "lanescope_types.h"

// The compiler's own atomics of integers: it knows which memory a pointer is of, and writes atom.global or atom.shared. An exchange is
// volatile, else one whose result nobody reads would become a store.
#define LANESCOPE_FETCH(T, name, how) \
  LANESCOPE_DEVICE T name(T *at, T value) { return __atomic_fetch_##how(at, value, __ATOMIC_RELAXED); }
#define LANESCOPE_INTEGER(T) \
  LANESCOPE_FETCH(T, atomicAdd, add) \
  LANESCOPE_FETCH(T, atomicSub, sub) \
  LANESCOPE_FETCH(T, atomicMin, min) \
  LANESCOPE_FETCH(T, atomicMax, max) \
  LANESCOPE_FETCH(T, atomicAnd, and) \
  LANESCOPE_FETCH(T, atomicOr, or) \
  LANESCOPE_FETCH(T, atomicXor, xor) \
  LANESCOPE_DEVICE T atomicExch(T *at, T value) { return __atomic_exchange_n((volatile T *)at, value, __ATOMIC_RELAXED); } \
  LANESCOPE_DEVICE T atomicCAS(T *at, T expected, T value) { \
    __atomic_compare_exchange_n(at, &expected, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED); \
    return expected; \
  }
LANESCOPE_INTEGER(int)
LANESCOPE_INTEGER(unsigned)
LANESCOPE_INTEGER(unsigned long long)
LANESCOPE_FETCH(long long, atomicMin, min)
LANESCOPE_FETCH(long long, atomicMax, max)
LANESCOPE_FETCH(long long, atomicAnd, and)
LANESCOPE_FETCH(long long, atomicOr, or)
LANESCOPE_FETCH(long long, atomicXor, xor)
#undef LANESCOPE_INTEGER
#undef LANESCOPE_FETCH

LANESCOPE_DEVICE unsigned atomicInc(unsigned *at, unsigned limit) { return __nvvm_atom_inc_gen_ui(at, limit); }
LANESCOPE_DEVICE unsigned atomicDec(unsigned *at, unsigned limit) { return __nvvm_atom_dec_gen_ui(at, limit); }
LANESCOPE_DEVICE float atomicAdd(float *at, float value) { return __nvvm_atom_add_gen_f(at, value); }
LANESCOPE_DEVICE double atomicAdd(double *at, double value) { return __nvvm_atom_add_gen_d(at, value); }
LANESCOPE_DEVICE float atomicExch(float *at, float value) {
  return __builtin_bit_cast(float, __atomic_exchange_n((volatile int *)at, __builtin_bit_cast(int, value), __ATOMIC_RELAXED));
}
LANESCOPE_DEVICE unsigned short atomicCAS(unsigned short *at, unsigned short expected, unsigned short value) {
  unsigned short old;
  asm volatile("atom.cas.b16 %0, [%1], %2, %3;" : "=h"(old) : "l"(at), "h"(expected), "h"(value) : "memory");
  return old;
}

// ---- with a scope: any address, which the hardware sorts out ------------------------------------------------------------------------

#define LANESCOPE_SCOPED1(T, name, scope, op, reg) \
  LANESCOPE_DEVICE T name(T *at, T value) { \
    T old; \
    asm volatile("atom." scope "." op " %0, [%1], %2;" : "=" reg(old) : "l"(at), reg(value) : "memory"); \
    return old; \
  }
#define LANESCOPE_SCOPED_CAS(T, name, scope, op, reg) \
  LANESCOPE_DEVICE T name(T *at, T expected, T value) { \
    T old; \
    asm volatile("atom." scope "." op " %0, [%1], %2, %3;" : "=" reg(old) : "l"(at), reg(expected), reg(value) : "memory"); \
    return old; \
  }
#define LANESCOPE_SCOPED_SUB(T, add, name) LANESCOPE_DEVICE T name(T *at, T value) { return add(at, (T)(0 - value)); }
#define LANESCOPE_SCOPED_BITS(T, suffix, scope, size, reg) \
  LANESCOPE_SCOPED1(T, atomicAnd##suffix, scope, "and.b" size, reg) \
  LANESCOPE_SCOPED1(T, atomicOr##suffix, scope, "or.b" size, reg) \
  LANESCOPE_SCOPED1(T, atomicXor##suffix, scope, "xor.b" size, reg)
#define LANESCOPE_SCOPED_INT(T, suffix, scope, add, order, size, reg) \
  LANESCOPE_SCOPED_BITS(T, suffix, scope, size, reg) \
  LANESCOPE_SCOPED1(T, atomicAdd##suffix, scope, "add." add, reg) \
  LANESCOPE_SCOPED_SUB(T, atomicAdd##suffix, atomicSub##suffix) \
  LANESCOPE_SCOPED1(T, atomicMin##suffix, scope, "min." order, reg) \
  LANESCOPE_SCOPED1(T, atomicMax##suffix, scope, "max." order, reg) \
  LANESCOPE_SCOPED1(T, atomicExch##suffix, scope, "exch.b" size, reg) \
  LANESCOPE_SCOPED_CAS(T, atomicCAS##suffix, scope, "cas.b" size, reg)
#define LANESCOPE_SCOPED(suffix, scope) \
  LANESCOPE_SCOPED_INT(int, suffix, scope, "s32", "s32", "32", "r") \
  LANESCOPE_SCOPED_INT(unsigned, suffix, scope, "u32", "u32", "32", "r") \
  LANESCOPE_SCOPED_INT(unsigned long long, suffix, scope, "u64", "u64", "64", "l") \
  LANESCOPE_SCOPED_BITS(long long, suffix, scope, "64", "l") \
  LANESCOPE_SCOPED1(long long, atomicMin##suffix, scope, "min.s64", "l") \
  LANESCOPE_SCOPED1(long long, atomicMax##suffix, scope, "max.s64", "l") \
  LANESCOPE_SCOPED1(unsigned, atomicInc##suffix, scope, "inc.u32", "r") \
  LANESCOPE_SCOPED1(unsigned, atomicDec##suffix, scope, "dec.u32", "r") \
  LANESCOPE_SCOPED1(float, atomicAdd##suffix, scope, "add.f32", "f") \
  LANESCOPE_SCOPED1(double, atomicAdd##suffix, scope, "add.f64", "d") \
  LANESCOPE_SCOPED1(float, atomicExch##suffix, scope, "exch.b32", "f") \
  LANESCOPE_SCOPED_CAS(unsigned short, atomicCAS##suffix, scope, "cas.b16", "h")
LANESCOPE_SCOPED(_block, "cta")
LANESCOPE_SCOPED(_system, "sys")
#undef LANESCOPE_SCOPED
#undef LANESCOPE_SCOPED_INT
#undef LANESCOPE_SCOPED_BITS
#undef LANESCOPE_SCOPED_SUB
#undef LANESCOPE_SCOPED_CAS
#undef LANESCOPE_SCOPED1
