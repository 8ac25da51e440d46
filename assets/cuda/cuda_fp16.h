// cuda_fp16.h: half numbers and pairs of them (CUDA Math API): conversions, arithmetic, comparisons, functions; for clang.
#pragma once
#pragma clang system_header

#include "cuda_runtime.h"

// Arithmetic is one instruction each.
#define LANESCOPE_H_TO_FLOAT(f, bits) asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(bits))
#define LANESCOPE_H_FROM(bits, rounding, f) asm("cvt." rounding ".f16.f32 %0, %1;" : "=h"(bits) : "f"(f))

struct __attribute__((aligned(2))) __half {
  unsigned short lanescope_bits;
  __half() = default;
  LANESCOPE_METHOD __half(float f) { LANESCOPE_H_FROM(lanescope_bits, "rn", f); }
  LANESCOPE_METHOD __half(double f) { asm("cvt.rn.f16.f64 %0, %1;" : "=h"(lanescope_bits) : "d"(f)); }
  LANESCOPE_METHOD __half(int i) : __half((float)i) {}
  LANESCOPE_METHOD __half(unsigned i) : __half((float)i) {}
  LANESCOPE_METHOD __half(long long i) : __half((float)i) {}
  LANESCOPE_METHOD operator float() const {
    float f;
    LANESCOPE_H_TO_FLOAT(f, lanescope_bits);
    return f;
  }
};
struct __attribute__((aligned(4))) __half2 {
  __half x, y;
  __half2() = default;
  LANESCOPE_METHOD __half2(__half a, __half b) : x(a), y(b) {}
};
typedef __half half;
typedef __half2 half2;

LANESCOPE_BOTH __half lanescope_as_half(unsigned short bits) {
  __half h;
  h.lanescope_bits = bits;
  return h;
}
LANESCOPE_BOTH __half2 lanescope_as_half2(unsigned bits) { return __builtin_bit_cast(__half2, bits); }
LANESCOPE_BOTH unsigned lanescope_bits(__half2 v) { return __builtin_bit_cast(unsigned, v); }

// ---- conversions -----------------------------------------------------------------------------------------------------------------

LANESCOPE_BOTH float __half2float(__half h) { return h; }
LANESCOPE_BOTH __half __float2half(float f) { return __half(f); }
LANESCOPE_BOTH __half __float2half_rn(float f) { return __half(f); }
LANESCOPE_BOTH __half __double2half(double f) { return __half(f); }
LANESCOPE_BOTH __half2 __float2half2_rn(float f) { return __half2(__half(f), __half(f)); }
LANESCOPE_BOTH __half2 __floats2half2_rn(float a, float b) { return __half2(__half(a), __half(b)); }
LANESCOPE_BOTH __half2 __float22half2_rn(float2 v) { return __half2(__half(v.x), __half(v.y)); }
LANESCOPE_BOTH float2 __half22float2(__half2 v) { return make_float2(v.x, v.y); }
LANESCOPE_BOTH __half2 __half2half2(__half h) { return __half2(h, h); }
LANESCOPE_BOTH __half2 __halves2half2(__half a, __half b) { return __half2(a, b); }
LANESCOPE_BOTH __half2 make_half2(__half a, __half b) { return __half2(a, b); }
LANESCOPE_BOTH __half __low2half(__half2 v) { return v.x; }
LANESCOPE_BOTH __half __high2half(__half2 v) { return v.y; }
LANESCOPE_BOTH float __low2float(__half2 v) { return v.x; }
LANESCOPE_BOTH float __high2float(__half2 v) { return v.y; }
LANESCOPE_BOTH __half2 __low2half2(__half2 v) { return __half2(v.x, v.x); }
LANESCOPE_BOTH __half2 __high2half2(__half2 v) { return __half2(v.y, v.y); }
LANESCOPE_BOTH __half2 __lowhigh2highlow(__half2 v) { return __half2(v.y, v.x); }
LANESCOPE_BOTH __half2 __lows2half2(__half2 a, __half2 b) { return __half2(a.x, b.x); }
LANESCOPE_BOTH __half2 __highs2half2(__half2 a, __half2 b) { return __half2(a.y, b.y); }
LANESCOPE_BOTH unsigned short __half_as_ushort(__half h) { return h.lanescope_bits; }
LANESCOPE_BOTH short __half_as_short(__half h) { return (short)h.lanescope_bits; }
LANESCOPE_BOTH __half __ushort_as_half(unsigned short bits) { return lanescope_as_half(bits); }
LANESCOPE_BOTH __half __short_as_half(short bits) { return lanescope_as_half((unsigned short)bits); }
LANESCOPE_BOTH __half __int2half_rn(int i) { return __half((float)i); }
LANESCOPE_BOTH __half __uint2half_rn(unsigned i) { return __half((float)i); }
LANESCOPE_BOTH int __half2int_rn(__half h) { return __float2int_rn(h); }
LANESCOPE_BOTH int __half2int_rz(__half h) { return __float2int_rz(h); }
LANESCOPE_BOTH unsigned __half2uint_rz(__half h) { return __float2uint_rz(h); }
#define LANESCOPE_ROUND(name, rounding) \
  LANESCOPE_BOTH __half __float2half_##name(float f) { \
    unsigned short bits; \
    LANESCOPE_H_FROM(bits, rounding, f); \
    return lanescope_as_half(bits); \
  }
LANESCOPE_ROUND(rz, "rz")
#undef LANESCOPE_ROUND

// ---- arithmetic ------------------------------------------------------------------------------------------------------------------

#define LANESCOPE_ARITHMETIC(name, ptx) \
  LANESCOPE_BOTH __half name(__half a, __half b) { \
    unsigned short d; \
    asm(ptx ".f16 %0, %1, %2;" : "=h"(d) : "h"(a.lanescope_bits), "h"(b.lanescope_bits)); \
    return lanescope_as_half(d); \
  } \
  LANESCOPE_BOTH __half2 name##2(__half2 a, __half2 b) { \
    unsigned d; \
    asm(ptx ".f16x2 %0, %1, %2;" : "=r"(d) : "r"(lanescope_bits(a)), "r"(lanescope_bits(b))); \
    return lanescope_as_half2(d); \
  }
LANESCOPE_ARITHMETIC(__hadd, "add")
LANESCOPE_ARITHMETIC(__hsub, "sub")
LANESCOPE_ARITHMETIC(__hmul, "mul")
LANESCOPE_ARITHMETIC(__hadd_rn, "add.rn")
LANESCOPE_ARITHMETIC(__hsub_rn, "sub.rn")
LANESCOPE_ARITHMETIC(__hmul_rn, "mul.rn")
LANESCOPE_ARITHMETIC(__hadd_sat, "add.sat")
LANESCOPE_ARITHMETIC(__hsub_sat, "sub.sat")
LANESCOPE_ARITHMETIC(__hmul_sat, "mul.sat")
#undef LANESCOPE_ARITHMETIC
LANESCOPE_BOTH __half __hfma(__half a, __half b, __half c) {
  unsigned short d;
  asm("fma.rn.f16 %0, %1, %2, %3;" : "=h"(d) : "h"(a.lanescope_bits), "h"(b.lanescope_bits), "h"(c.lanescope_bits));
  return lanescope_as_half(d);
}
LANESCOPE_BOTH __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
  unsigned d;
  asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(d) : "r"(lanescope_bits(a)), "r"(lanescope_bits(b)), "r"(lanescope_bits(c)));
  return lanescope_as_half2(d);
}
LANESCOPE_BOTH __half __hdiv(__half a, __half b) { return __half((float)a / (float)b); }
LANESCOPE_BOTH __half2 __h2div(__half2 a, __half2 b) { return __half2(__hdiv(a.x, b.x), __hdiv(a.y, b.y)); }
LANESCOPE_BOTH __half __hneg(__half a) { return lanescope_as_half(a.lanescope_bits ^ 0x8000); }
LANESCOPE_BOTH __half __habs(__half a) { return lanescope_as_half(a.lanescope_bits & 0x7fff); }
LANESCOPE_BOTH __half2 __hneg2(__half2 v) { return lanescope_as_half2(lanescope_bits(v) ^ 0x80008000u); }
LANESCOPE_BOTH __half2 __habs2(__half2 v) { return lanescope_as_half2(lanescope_bits(v) & 0x7fff7fffu); }
LANESCOPE_BOTH __half __hmin(__half a, __half b) { return __half(__builtin_fminf(a, b)); }
LANESCOPE_BOTH __half __hmax(__half a, __half b) { return __half(__builtin_fmaxf(a, b)); }
LANESCOPE_BOTH __half2 __hmin2(__half2 a, __half2 b) { return __half2(__hmin(a.x, b.x), __hmin(a.y, b.y)); }
LANESCOPE_BOTH __half2 __hmax2(__half2 a, __half2 b) { return __half2(__hmax(a.x, b.x), __hmax(a.y, b.y)); }

#define LANESCOPE_COMPARE(name, op) \
  LANESCOPE_BOTH bool __h##name(__half a, __half b) { return (float)a op (float)b; } \
  LANESCOPE_BOTH bool __hb##name##2(__half2 a, __half2 b) { return __h##name(a.x, b.x) && __h##name(a.y, b.y); } \
  LANESCOPE_BOTH __half2 __h##name##2(__half2 a, __half2 b) { \
    return __half2(__half(__h##name(a.x, b.x) ? 1.0f : 0.0f), __half(__h##name(a.y, b.y) ? 1.0f : 0.0f)); \
  }
LANESCOPE_COMPARE(eq, ==)
LANESCOPE_COMPARE(ne, !=)
LANESCOPE_COMPARE(lt, <)
LANESCOPE_COMPARE(le, <=)
LANESCOPE_COMPARE(gt, >)
LANESCOPE_COMPARE(ge, >=)
#undef LANESCOPE_COMPARE
LANESCOPE_BOTH bool __hisnan(__half a) { return (float)a != (float)a; }
LANESCOPE_BOTH int __hisinf(__half a) { return (a.lanescope_bits & 0x7fff) == 0x7c00 ? a.lanescope_bits & 0x8000 ? -1 : 1 : 0; }

#define LANESCOPE_OPERATOR(op, name) \
  LANESCOPE_BOTH __half operator op(__half a, __half b) { return name(a, b); } \
  LANESCOPE_BOTH __half &operator op##=(__half &a, __half b) { return a = name(a, b); }
#define LANESCOPE_OPERATOR2(op, name) \
  LANESCOPE_BOTH __half2 operator op(__half2 a, __half2 b) { return name(a, b); } \
  LANESCOPE_BOTH __half2 &operator op##=(__half2 &a, __half2 b) { return a = name(a, b); }
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
LANESCOPE_BOTH __half operator-(__half a) { return __hneg(a); }
LANESCOPE_BOTH __half2 operator-(__half2 a) { return __hneg2(a); }
#define LANESCOPE_OPERATOR(op) LANESCOPE_BOTH bool operator op(__half a, __half b) { return (float)a op (float)b; }
LANESCOPE_OPERATOR(==)
LANESCOPE_OPERATOR(!=)
LANESCOPE_OPERATOR(<)
LANESCOPE_OPERATOR(<=)
LANESCOPE_OPERATOR(>)
LANESCOPE_OPERATOR(>=)
#undef LANESCOPE_OPERATOR

// ---- functions, through float ------------------------------------------------------------------------------------------------------

#define LANESCOPE_FUNCTION(name, f) \
  LANESCOPE_BOTH __half h##name(__half a) { return __half(f((float)a)); } \
  LANESCOPE_BOTH __half2 h2##name(__half2 v) { return __half2(h##name(v.x), h##name(v.y)); }
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
  LANESCOPE_BOTH __half name(unsigned mask, __half value, lanes, int width = 32) { \
    return lanescope_as_half((unsigned short)name(mask, (unsigned)value.lanescope_bits, lane, width)); \
  } \
  LANESCOPE_BOTH __half2 name(unsigned mask, __half2 value, lanes, int width = 32) { \
    return lanescope_as_half2(name(mask, lanescope_bits(value), lane, width)); \
  }
LANESCOPE_SHUFFLE(__shfl_sync, int lane)
LANESCOPE_SHUFFLE(__shfl_up_sync, unsigned lane)
LANESCOPE_SHUFFLE(__shfl_down_sync, unsigned lane)
LANESCOPE_SHUFFLE(__shfl_xor_sync, int lane)
#undef LANESCOPE_SHUFFLE
LANESCOPE_BOTH __half __ldg(const __half *at) { return lanescope_as_half(__ldg((const unsigned short *)at)); }
LANESCOPE_BOTH __half2 __ldg(const __half2 *at) { return lanescope_as_half2(__ldg((const unsigned *)at)); }
LANESCOPE_BOTH __half atomicAdd(__half *at, __half value) {
  unsigned short old;
  asm volatile("atom.add.noftz.f16 %0, [%1], %2;" : "=h"(old) : "l"(at), "h"(value.lanescope_bits) : "memory");
  return lanescope_as_half(old);
}
LANESCOPE_BOTH __half2 atomicAdd(__half2 *at, __half2 value) {
  unsigned old;
  asm volatile("atom.add.noftz.f16x2 %0, [%1], %2;" : "=r"(old) : "l"(at), "r"(lanescope_bits(value)) : "memory");
  return lanescope_as_half2(old);
}
#undef LANESCOPE_H_FROM
#undef LANESCOPE_H_TO_FLOAT
