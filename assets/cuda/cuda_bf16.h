// cuda_bf16.h: bfloat16 numbers and pairs of them (CUDA Math API): conversions, arithmetic, comparisons, functions; for clang.
#pragma once
#pragma clang system_header

#include "cuda_runtime.h"

// A float cut in half: its bits are a float's upper ones. Arithmetic goes through float, rounded once, for devices of every age.
#define LANESCOPE_H_TO_FLOAT(f, bits) (f = __uint_as_float((unsigned)(bits) << 16))
LANESCOPE_BOTH unsigned short lanescope_bf16(float f) {
  unsigned u = __float_as_uint(f);
  return f != f ? 0x7fff : (unsigned short)((u + 0x7fff + (u >> 16 & 1)) >> 16);
}

struct __attribute__((aligned(2))) __nv_bfloat16 {
  unsigned short lanescope_bits;
  __nv_bfloat16() = default;
  LANESCOPE_METHOD __nv_bfloat16(float f) { lanescope_bits = lanescope_bf16(f); }
  LANESCOPE_METHOD __nv_bfloat16(double f) { lanescope_bits = lanescope_bf16((float)f); }
  LANESCOPE_METHOD __nv_bfloat16(int i) : __nv_bfloat16((float)i) {}
  LANESCOPE_METHOD __nv_bfloat16(unsigned i) : __nv_bfloat16((float)i) {}
  LANESCOPE_METHOD __nv_bfloat16(long long i) : __nv_bfloat16((float)i) {}
  LANESCOPE_METHOD operator float() const {
    float f;
    LANESCOPE_H_TO_FLOAT(f, lanescope_bits);
    return f;
  }
};
struct __attribute__((aligned(4))) __nv_bfloat162 {
  __nv_bfloat16 x, y;
  __nv_bfloat162() = default;
  LANESCOPE_METHOD __nv_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) : x(a), y(b) {}
};
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

LANESCOPE_BOTH __nv_bfloat16 lanescope_as_bfloat16(unsigned short bits) {
  __nv_bfloat16 h;
  h.lanescope_bits = bits;
  return h;
}
LANESCOPE_BOTH __nv_bfloat162 lanescope_as_bfloat162(unsigned bits) { return __builtin_bit_cast(__nv_bfloat162, bits); }
LANESCOPE_BOTH unsigned lanescope_bits(__nv_bfloat162 v) { return __builtin_bit_cast(unsigned, v); }

// ---- conversions -----------------------------------------------------------------------------------------------------------------

LANESCOPE_BOTH float __bfloat162float(__nv_bfloat16 h) { return h; }
LANESCOPE_BOTH __nv_bfloat16 __float2bfloat16(float f) { return __nv_bfloat16(f); }
LANESCOPE_BOTH __nv_bfloat16 __float2bfloat16_rn(float f) { return __nv_bfloat16(f); }
LANESCOPE_BOTH __nv_bfloat16 __double2bfloat16(double f) { return __nv_bfloat16(f); }
LANESCOPE_BOTH __nv_bfloat162 __float2bfloat162_rn(float f) { return __nv_bfloat162(__nv_bfloat16(f), __nv_bfloat16(f)); }
LANESCOPE_BOTH __nv_bfloat162 __floats2bfloat162_rn(float a, float b) { return __nv_bfloat162(__nv_bfloat16(a), __nv_bfloat16(b)); }
LANESCOPE_BOTH __nv_bfloat162 __float22bfloat162_rn(float2 v) { return __nv_bfloat162(__nv_bfloat16(v.x), __nv_bfloat16(v.y)); }
LANESCOPE_BOTH float2 __bfloat1622float2(__nv_bfloat162 v) { return make_float2(v.x, v.y); }
LANESCOPE_BOTH __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 h) { return __nv_bfloat162(h, h); }
LANESCOPE_BOTH __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat162(a, b); }
LANESCOPE_BOTH __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat162(a, b); }
LANESCOPE_BOTH __nv_bfloat16 __low2bfloat16(__nv_bfloat162 v) { return v.x; }
LANESCOPE_BOTH __nv_bfloat16 __high2bfloat16(__nv_bfloat162 v) { return v.y; }
LANESCOPE_BOTH float __low2float(__nv_bfloat162 v) { return v.x; }
LANESCOPE_BOTH float __high2float(__nv_bfloat162 v) { return v.y; }
LANESCOPE_BOTH __nv_bfloat162 __low2bfloat162(__nv_bfloat162 v) { return __nv_bfloat162(v.x, v.x); }
LANESCOPE_BOTH __nv_bfloat162 __high2bfloat162(__nv_bfloat162 v) { return __nv_bfloat162(v.y, v.y); }
LANESCOPE_BOTH __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 v) { return __nv_bfloat162(v.y, v.x); }
LANESCOPE_BOTH __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(a.x, b.x); }
LANESCOPE_BOTH __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(a.y, b.y); }
LANESCOPE_BOTH unsigned short __bfloat16_as_ushort(__nv_bfloat16 h) { return h.lanescope_bits; }
LANESCOPE_BOTH short __bfloat16_as_short(__nv_bfloat16 h) { return (short)h.lanescope_bits; }
LANESCOPE_BOTH __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) { return lanescope_as_bfloat16(bits); }
LANESCOPE_BOTH __nv_bfloat16 __short_as_bfloat16(short bits) { return lanescope_as_bfloat16((unsigned short)bits); }
LANESCOPE_BOTH __nv_bfloat16 __int2bfloat16_rn(int i) { return __nv_bfloat16((float)i); }
LANESCOPE_BOTH __nv_bfloat16 __uint2bfloat16_rn(unsigned i) { return __nv_bfloat16((float)i); }
LANESCOPE_BOTH int __bfloat162int_rn(__nv_bfloat16 h) { return __float2int_rn(h); }
LANESCOPE_BOTH int __bfloat162int_rz(__nv_bfloat16 h) { return __float2int_rz(h); }
LANESCOPE_BOTH unsigned __bfloat162uint_rz(__nv_bfloat16 h) { return __float2uint_rz(h); }

// ---- arithmetic ------------------------------------------------------------------------------------------------------------------

#define LANESCOPE_ARITHMETIC(name, op) \
  LANESCOPE_BOTH __nv_bfloat16 name(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat16((float)a op (float)b); } \
  LANESCOPE_BOTH __nv_bfloat162 name##2(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(name(a.x, b.x), name(a.y, b.y)); }
LANESCOPE_ARITHMETIC(__hadd, +)
LANESCOPE_ARITHMETIC(__hsub, -)
LANESCOPE_ARITHMETIC(__hmul, *)
#undef LANESCOPE_ARITHMETIC
LANESCOPE_BOTH __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) {
  // The product of two is exact in float; that of a sum is not, so it is rounded to odd first (from double), then once.
  double sum = __builtin_fma((double)(float)a, (double)(float)b, (double)(float)c);
  float f = (float)sum;
  if ((double)f != sum && sum == sum && (__float_as_uint(f) & 1) == 0) {
    bool larger = __builtin_fabs((double)f) > __builtin_fabs(sum);
    f = __uint_as_float(__float_as_uint(f) + (larger ? -1u : 1u));
  }
  return __nv_bfloat16(f);
}
LANESCOPE_BOTH __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c) {
  return __nv_bfloat162(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
LANESCOPE_BOTH __nv_bfloat16 __hdiv(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat16((float)a / (float)b); }
LANESCOPE_BOTH __nv_bfloat162 __h2div(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(__hdiv(a.x, b.x), __hdiv(a.y, b.y)); }
LANESCOPE_BOTH __nv_bfloat16 __hneg(__nv_bfloat16 a) { return lanescope_as_bfloat16(a.lanescope_bits ^ 0x8000); }
LANESCOPE_BOTH __nv_bfloat16 __habs(__nv_bfloat16 a) { return lanescope_as_bfloat16(a.lanescope_bits & 0x7fff); }
LANESCOPE_BOTH __nv_bfloat162 __hneg2(__nv_bfloat162 v) { return lanescope_as_bfloat162(lanescope_bits(v) ^ 0x80008000u); }
LANESCOPE_BOTH __nv_bfloat162 __habs2(__nv_bfloat162 v) { return lanescope_as_bfloat162(lanescope_bits(v) & 0x7fff7fffu); }
LANESCOPE_BOTH __nv_bfloat16 __hmin(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat16(__builtin_fminf(a, b)); }
LANESCOPE_BOTH __nv_bfloat16 __hmax(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat16(__builtin_fmaxf(a, b)); }
LANESCOPE_BOTH __nv_bfloat162 __hmin2(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(__hmin(a.x, b.x), __hmin(a.y, b.y)); }
LANESCOPE_BOTH __nv_bfloat162 __hmax2(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(__hmax(a.x, b.x), __hmax(a.y, b.y)); }

#define LANESCOPE_COMPARE(name, op) \
  LANESCOPE_BOTH bool __h##name(__nv_bfloat16 a, __nv_bfloat16 b) { return (float)a op (float)b; } \
  LANESCOPE_BOTH bool __hb##name##2(__nv_bfloat162 a, __nv_bfloat162 b) { return __h##name(a.x, b.x) && __h##name(a.y, b.y); } \
  LANESCOPE_BOTH __nv_bfloat162 __h##name##2(__nv_bfloat162 a, __nv_bfloat162 b) { \
    return __nv_bfloat162(__nv_bfloat16(__h##name(a.x, b.x) ? 1.0f : 0.0f), __nv_bfloat16(__h##name(a.y, b.y) ? 1.0f : 0.0f)); \
  }
LANESCOPE_COMPARE(eq, ==)
LANESCOPE_COMPARE(ne, !=)
LANESCOPE_COMPARE(lt, <)
LANESCOPE_COMPARE(le, <=)
LANESCOPE_COMPARE(gt, >)
LANESCOPE_COMPARE(ge, >=)
#undef LANESCOPE_COMPARE
LANESCOPE_BOTH bool __hisnan(__nv_bfloat16 a) { return (float)a != (float)a; }
LANESCOPE_BOTH int __hisinf(__nv_bfloat16 a) { return (a.lanescope_bits & 0x7fff) == 0x7f80 ? a.lanescope_bits & 0x8000 ? -1 : 1 : 0; }

#define LANESCOPE_OPERATOR(op, name) \
  LANESCOPE_BOTH __nv_bfloat16 operator op(__nv_bfloat16 a, __nv_bfloat16 b) { return name(a, b); } \
  LANESCOPE_BOTH __nv_bfloat16 &operator op##=(__nv_bfloat16 &a, __nv_bfloat16 b) { return a = name(a, b); }
#define LANESCOPE_OPERATOR2(op, name) \
  LANESCOPE_BOTH __nv_bfloat162 operator op(__nv_bfloat162 a, __nv_bfloat162 b) { return name(a, b); } \
  LANESCOPE_BOTH __nv_bfloat162 &operator op##=(__nv_bfloat162 &a, __nv_bfloat162 b) { return a = name(a, b); }
LANESCOPE_OPERATOR(+, __hadd)
LANESCOPE_OPERATOR(-, __hsub)
LANESCOPE_OPERATOR(*, __hmul)
LANESCOPE_OPERATOR(/, __hdiv)
LANESCOPE_OPERATOR2(+, __hadd2)
LANESCOPE_OPERATOR2(-, __hsub2)
LANESCOPE_OPERATOR2(*, __hmul2)
LANESCOPE_OPERATOR2(/, __h2div)
#undef LANESCOPE_OPERATOR
#undef LANESCOPE_OPERATOR2
LANESCOPE_BOTH __nv_bfloat16 operator-(__nv_bfloat16 a) { return __hneg(a); }
LANESCOPE_BOTH __nv_bfloat162 operator-(__nv_bfloat162 a) { return __hneg2(a); }
#define LANESCOPE_OPERATOR(op) LANESCOPE_BOTH bool operator op(__nv_bfloat16 a, __nv_bfloat16 b) { return (float)a op (float)b; }
LANESCOPE_OPERATOR(==)
LANESCOPE_OPERATOR(!=)
LANESCOPE_OPERATOR(<)
LANESCOPE_OPERATOR(<=)
LANESCOPE_OPERATOR(>)
LANESCOPE_OPERATOR(>=)
#undef LANESCOPE_OPERATOR

// ---- functions, through float ------------------------------------------------------------------------------------------------------

#define LANESCOPE_FUNCTION(name, f) \
  LANESCOPE_BOTH __nv_bfloat16 h##name(__nv_bfloat16 a) { return __nv_bfloat16(f((float)a)); } \
  LANESCOPE_BOTH __nv_bfloat162 h2##name(__nv_bfloat162 v) { return __nv_bfloat162(h##name(v.x), h##name(v.y)); }
LANESCOPE_FUNCTION(sqrt, sqrtf)
LANESCOPE_FUNCTION(rsqrt, rsqrtf)
LANESCOPE_FUNCTION(rcp, 1.0f / )
LANESCOPE_FUNCTION(exp, expf)
LANESCOPE_FUNCTION(exp2, exp2f)
LANESCOPE_FUNCTION(exp10, exp10f)
LANESCOPE_FUNCTION(log, logf)
LANESCOPE_FUNCTION(log2, log2f)
LANESCOPE_FUNCTION(log10, log10f)
LANESCOPE_FUNCTION(sin, sinf)
LANESCOPE_FUNCTION(cos, cosf)
LANESCOPE_FUNCTION(tanh, tanhf)
LANESCOPE_FUNCTION(floor, floorf)
LANESCOPE_FUNCTION(ceil, ceilf)
LANESCOPE_FUNCTION(trunc, truncf)
LANESCOPE_FUNCTION(rint, rintf)
#undef LANESCOPE_FUNCTION

// ---- between lanes and in memory ---------------------------------------------------------------------------------------------------

#define LANESCOPE_SHUFFLE(name, lanes) \
  LANESCOPE_BOTH __nv_bfloat16 name(unsigned mask, __nv_bfloat16 value, lanes, int width = 32) { \
    return lanescope_as_bfloat16((unsigned short)name(mask, (unsigned)value.lanescope_bits, lane, width)); \
  } \
  LANESCOPE_BOTH __nv_bfloat162 name(unsigned mask, __nv_bfloat162 value, lanes, int width = 32) { \
    return lanescope_as_bfloat162(name(mask, lanescope_bits(value), lane, width)); \
  }
LANESCOPE_SHUFFLE(__shfl_sync, int lane)
LANESCOPE_SHUFFLE(__shfl_up_sync, unsigned lane)
LANESCOPE_SHUFFLE(__shfl_down_sync, unsigned lane)
LANESCOPE_SHUFFLE(__shfl_xor_sync, int lane)
#undef LANESCOPE_SHUFFLE
LANESCOPE_BOTH __nv_bfloat16 __ldg(const __nv_bfloat16 *at) { return lanescope_as_bfloat16(__ldg((const unsigned short *)at)); }
LANESCOPE_BOTH __nv_bfloat162 __ldg(const __nv_bfloat162 *at) { return lanescope_as_bfloat162(__ldg((const unsigned *)at)); }
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
LANESCOPE_BOTH __nv_bfloat16 atomicAdd(__nv_bfloat16 *at, __nv_bfloat16 value) {
  unsigned short old;
  asm volatile("atom.add.noftz.bf16 %0, [%1], %2;" : "=h"(old) : "l"(at), "h"(value.lanescope_bits) : "memory");
  return lanescope_as_bfloat16(old);
}
LANESCOPE_BOTH __nv_bfloat162 atomicAdd(__nv_bfloat162 *at, __nv_bfloat162 value) {
  unsigned old;
  asm volatile("atom.add.noftz.bf16x2 %0, [%1], %2;" : "=r"(old) : "l"(at), "r"(lanescope_bits(value)) : "memory");
  return lanescope_as_bfloat162(old);
}
#endif
#undef LANESCOPE_H_TO_FLOAT
