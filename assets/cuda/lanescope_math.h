// lanescope_math.h: mathematical functions (CUDA C++ Programming Guide, "Mathematical Functions").
//
// What is an instruction is written as one. The functions that float code uses most are code of lanescope_mathf.h; the rest are
// calls of NVIDIA's libdevice by its names, which the emulator has (src/sim/ops/libdevice.def), and a GPU has not.
#pragma once
#pragma clang system_header

#include "lanescope_bits.h"

extern "C" {
#define LANESCOPE_LIBDEVICE(R, name, ...) __attribute__((device, const, nothrow)) R __nv_##name(__VA_ARGS__)
#define LANESCOPE_UNARY(name) LANESCOPE_LIBDEVICE(float, name##f, float); LANESCOPE_LIBDEVICE(double, name, double);
#define LANESCOPE_BINARY(name) LANESCOPE_LIBDEVICE(float, name##f, float, float); LANESCOPE_LIBDEVICE(double, name, double, double);
#define LANESCOPE_BESSEL(name) LANESCOPE_LIBDEVICE(float, name##f, int, float); LANESCOPE_LIBDEVICE(double, name, int, double);
#include "lanescope_math.def"
LANESCOPE_LIBDEVICE(float, norm3df, float, float, float);
LANESCOPE_LIBDEVICE(double, norm3d, double, double, double);
LANESCOPE_LIBDEVICE(float, rnorm3df, float, float, float);
LANESCOPE_LIBDEVICE(double, rnorm3d, double, double, double);
LANESCOPE_LIBDEVICE(float, norm4df, float, float, float, float);
LANESCOPE_LIBDEVICE(double, norm4d, double, double, double, double);
LANESCOPE_LIBDEVICE(float, rnorm4df, float, float, float, float);
LANESCOPE_LIBDEVICE(double, rnorm4d, double, double, double, double);
#undef LANESCOPE_LIBDEVICE
}

#include "lanescope_mathf.h"

// Each with the name for float, and the name of double for both, as C++ has it.
#define LANESCOPE_UNARY(name) \
  LANESCOPE_DEVICE float name##f(float x) { return lanescope_f_##name(x); } \
  LANESCOPE_DEVICE double name(double x) { return __nv_##name(x); } \
  LANESCOPE_DEVICE float name(float x) { return lanescope_f_##name(x); }
#define LANESCOPE_BINARY(name) \
  LANESCOPE_DEVICE float name##f(float x, float y) { return lanescope_f_##name(x, y); } \
  LANESCOPE_DEVICE double name(double x, double y) { return __nv_##name(x, y); } \
  LANESCOPE_DEVICE float name(float x, float y) { return lanescope_f_##name(x, y); }
#define LANESCOPE_BESSEL(name) \
  LANESCOPE_DEVICE float name##f(int n, float x) { return __nv_##name##f(n, x); } \
  LANESCOPE_DEVICE double name(int n, double x) { return __nv_##name(n, x); }
#include "lanescope_math.def"

// ---- what the compiler makes instructions of -----------------------------------------------------------------------------------------

#define LANESCOPE_PLAIN1(name) \
  LANESCOPE_DEVICE float name##f(float x) { return __builtin_##name##f(x); } \
  LANESCOPE_DEVICE double name(double x) { return __builtin_##name(x); } \
  LANESCOPE_DEVICE float name(float x) { return __builtin_##name##f(x); }
#define LANESCOPE_PLAIN2(name) \
  LANESCOPE_DEVICE float name##f(float x, float y) { return __builtin_##name##f(x, y); } \
  LANESCOPE_DEVICE double name(double x, double y) { return __builtin_##name(x, y); } \
  LANESCOPE_DEVICE float name(float x, float y) { return __builtin_##name##f(x, y); }
LANESCOPE_PLAIN1(sqrt)
LANESCOPE_PLAIN1(fabs)
LANESCOPE_PLAIN1(floor)
LANESCOPE_PLAIN1(ceil)
LANESCOPE_PLAIN1(trunc)
LANESCOPE_PLAIN1(rint)
LANESCOPE_PLAIN1(nearbyint)
LANESCOPE_PLAIN2(fmin)
LANESCOPE_PLAIN2(fmax)
LANESCOPE_PLAIN2(copysign)
#undef LANESCOPE_PLAIN1
#undef LANESCOPE_PLAIN2
LANESCOPE_DEVICE float fmaf(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
LANESCOPE_DEVICE double fma(double x, double y, double z) { return __builtin_fma(x, y, z); }
LANESCOPE_DEVICE float fma(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
LANESCOPE_DEVICE double rsqrt(double x) { return 1.0 / __builtin_sqrt(x); }
LANESCOPE_DEVICE float rsqrt(float x) { return rsqrtf(x); }
LANESCOPE_DEVICE float fdividef(float x, float y) { return x / y; }
LANESCOPE_DEVICE float saturate(float x) { return __saturatef(x); }

LANESCOPE_DEVICE float norm3df(float a, float b, float c) { return __nv_norm3df(a, b, c); }
LANESCOPE_DEVICE double norm3d(double a, double b, double c) { return __nv_norm3d(a, b, c); }
LANESCOPE_DEVICE float rnorm3df(float a, float b, float c) { return __nv_rnorm3df(a, b, c); }
LANESCOPE_DEVICE double rnorm3d(double a, double b, double c) { return __nv_rnorm3d(a, b, c); }
LANESCOPE_DEVICE float norm4df(float a, float b, float c, float d) { return __nv_norm4df(a, b, c, d); }
LANESCOPE_DEVICE double norm4d(double a, double b, double c, double d) { return __nv_norm4d(a, b, c, d); }
LANESCOPE_DEVICE float rnorm4df(float a, float b, float c, float d) { return __nv_rnorm4df(a, b, c, d); }
LANESCOPE_DEVICE double rnorm4d(double a, double b, double c, double d) { return __nv_rnorm4d(a, b, c, d); }

// ---- classes, integers, parts of numbers: T is float or double, f the end of the name of a float's function --------------------------------

LANESCOPE_DEVICE int lanescope_exponent(float x) { return (int)(__float_as_uint(x) >> 23 & 255) - 127; }
LANESCOPE_DEVICE int lanescope_exponent(double x) { return (int)(__double_as_longlong(x) >> 52 & 2047) - 1023; }
LANESCOPE_DEVICE float lanescope_power(float, int n) { return __int_as_float((n + 127) << 23); }
LANESCOPE_DEVICE double lanescope_power(double, int n) { return __longlong_as_double((long long)(n + 1023) << 52); }

// x * 2^n, rounded once: what is multiplied before the last step stays normal, or ends as 0 or infinity anyway. The exponents of
// normal numbers are -least to least + 1, and they have `digits` bits.
template <typename T> LANESCOPE_DEVICE T lanescope_scale(T x, int n, int least, int digits) {
  for (int i = 0; i < 2; i++) {
    if (n > least + 1) x *= lanescope_power(x, least + 1), n -= least + 1;
    if (n < -least) x *= lanescope_power(x, digits - least), n += least - digits;
  }
  return x * lanescope_power(x, n > least + 1 ? least + 1 : n < -least ? -least : n);
}

#define LANESCOPE_PARTS(T, f, least, digits) \
  LANESCOPE_DEVICE T ldexp##f(T x, int n) { return lanescope_scale(x, n, least, digits); } \
  LANESCOPE_DEVICE T scalbn##f(T x, int n) { return lanescope_scale(x, n, least, digits); } \
  LANESCOPE_DEVICE T scalbln##f(T x, long n) { return lanescope_scale(x, n > 9999 ? 9999 : n < -9999 ? -9999 : (int)n, least, digits); } \
  LANESCOPE_DEVICE int ilogb##f(T x) { \
    if (x == 0) return -2147483647 - 1; \
    if (!(__builtin_fabs(x) < (T)__builtin_inf())) return x != x ? -2147483647 - 1 : 2147483647; \
    int e = lanescope_exponent(x); \
    return e != lanescope_exponent((T)0) ? e : lanescope_exponent(x * lanescope_power(x, digits)) - digits; \
  } \
  LANESCOPE_DEVICE T logb##f(T x) { \
    if (x == 0) return -(T)__builtin_inf(); \
    return __builtin_fabs(x) < (T)__builtin_inf() ? (T)ilogb##f(x) : x * x; \
  } \
  LANESCOPE_DEVICE T frexp##f(T x, int *n) { \
    *n = 0; \
    if (x == 0 || !(__builtin_fabs(x) < (T)__builtin_inf())) return x + x; \
    *n = ilogb##f(x) + 1; \
    return lanescope_scale(x, -*n, least, digits); \
  } \
  LANESCOPE_DEVICE T modf##f(T x, T *whole) { \
    *whole = __builtin_trunc##f(x); \
    return __builtin_copysign##f(__builtin_fabs(x) < (T)__builtin_inf() ? x - *whole : x == x ? (T)0 : x, x); \
  } \
  LANESCOPE_DEVICE T round##f(T x) { \
    T whole = __builtin_trunc##f(x); \
    T more = __builtin_fabs##f(x - whole) >= (T)0.5 ? (T)1 : (T)0; \
    return __builtin_fabs(x) < (T)__builtin_inf() ? __builtin_copysign##f(__builtin_fabs##f(whole) + more, x) : x; \
  } \
  LANESCOPE_DEVICE T fdim##f(T x, T y) { return x <= y ? (T)0 : x - y; } \
  LANESCOPE_DEVICE T remquo##f(T x, T y, int *quotient) { \
    T ax = __builtin_fabs##f(x), ay = __builtin_fabs##f(y); \
    T rest = __nv_remainder##f(ax, ay), eight = __nv_fmod##f(ax, 8 * ay); \
    int q = (int)__builtin_rint##f((eight - rest) / ay) & 7; \
    *quotient = (x < 0) != (y < 0) ? -q : q; \
    return __builtin_copysign##f((T)1, x) * rest; \
  } \
  LANESCOPE_DEVICE T nan##f(const char *) { return (T)__builtin_nan(""); } \
  LANESCOPE_DEVICE void sincos##f(T x, T *sine, T *cosine) { *sine = sin##f(x), *cosine = cos##f(x); } \
  LANESCOPE_DEVICE void sincospi##f(T x, T *sine, T *cosine) { *sine = sinpi##f(x), *cosine = cospi##f(x); } \
  LANESCOPE_DEVICE long lround##f(T x) { return (long)round##f(x); } \
  LANESCOPE_DEVICE long long llround##f(T x) { return (long long)round##f(x); }
LANESCOPE_PARTS(float, f, 126, 24)
LANESCOPE_PARTS(double, , 1022, 53)
#undef LANESCOPE_PARTS
LANESCOPE_DEVICE long lrintf(float x) { return __float2ll_rn(x); }
LANESCOPE_DEVICE long lrint(double x) { return __double2ll_rn(x); }
LANESCOPE_DEVICE long long llrintf(float x) { return __float2ll_rn(x); }
LANESCOPE_DEVICE long long llrint(double x) { return __double2ll_rn(x); }

LANESCOPE_DEVICE float ldexp(float x, int n) { return ldexpf(x, n); }
LANESCOPE_DEVICE float frexp(float x, int *n) { return frexpf(x, n); }
LANESCOPE_DEVICE float modf(float x, float *whole) { return modff(x, whole); }
LANESCOPE_DEVICE float round(float x) { return roundf(x); }
LANESCOPE_DEVICE float fdim(float x, float y) { return fdimf(x, y); }
LANESCOPE_DEVICE long lround(float x) { return lroundf(x); }
LANESCOPE_DEVICE long lrint(float x) { return lrintf(x); }

#define LANESCOPE_CLASS(T) \
  LANESCOPE_DEVICE bool isnan(T x) { return x != x; } \
  LANESCOPE_DEVICE bool isinf(T x) { return __builtin_fabs(x) == __builtin_inf(); } \
  LANESCOPE_DEVICE bool isfinite(T x) { return __builtin_fabs(x) < __builtin_inf(); } \
  LANESCOPE_DEVICE bool signbit(T x) { return __builtin_bit_cast(long long, (double)x) < 0; }
#ifndef isnan
LANESCOPE_CLASS(float)
LANESCOPE_CLASS(double)
#endif
#undef LANESCOPE_CLASS

LANESCOPE_DEVICE int abs(int x) { return __builtin_elementwise_abs(x); }
LANESCOPE_DEVICE long abs(long x) { return __builtin_elementwise_abs(x); }
LANESCOPE_DEVICE long long abs(long long x) { return __builtin_elementwise_abs(x); }
LANESCOPE_DEVICE float abs(float x) { return __builtin_fabsf(x); }
LANESCOPE_DEVICE double abs(double x) { return __builtin_fabs(x); }
LANESCOPE_DEVICE long labs(long x) { return __builtin_elementwise_abs(x); }
LANESCOPE_DEVICE long long llabs(long long x) { return __builtin_elementwise_abs(x); }

// Of two integers the wider type, or the unsigned one, as arithmetic has it; of two floats the smaller or larger number, not the NaN.
#define LANESCOPE_EXTREMES(T) \
  LANESCOPE_BOTH T min(T a, T b) { return __builtin_elementwise_min(a, b); } \
  LANESCOPE_BOTH T max(T a, T b) { return __builtin_elementwise_max(a, b); }
#define LANESCOPE_MIXED(R, A, B) \
  LANESCOPE_BOTH R min(A a, B b) { return min((R)a, (R)b); } \
  LANESCOPE_BOTH R max(A a, B b) { return max((R)a, (R)b); }
LANESCOPE_EXTREMES(int)
LANESCOPE_EXTREMES(unsigned)
LANESCOPE_EXTREMES(long)
LANESCOPE_EXTREMES(unsigned long)
LANESCOPE_EXTREMES(long long)
LANESCOPE_EXTREMES(unsigned long long)
LANESCOPE_MIXED(unsigned, int, unsigned)
LANESCOPE_MIXED(unsigned, unsigned, int)
LANESCOPE_MIXED(unsigned long, long, unsigned long)
LANESCOPE_MIXED(unsigned long, unsigned long, long)
LANESCOPE_MIXED(unsigned long long, long long, unsigned long long)
LANESCOPE_MIXED(unsigned long long, unsigned long long, long long)
#undef LANESCOPE_EXTREMES
LANESCOPE_BOTH float min(float a, float b) { return __builtin_fminf(a, b); }
LANESCOPE_BOTH float max(float a, float b) { return __builtin_fmaxf(a, b); }
LANESCOPE_BOTH double min(double a, double b) { return __builtin_fmin(a, b); }
LANESCOPE_BOTH double max(double a, double b) { return __builtin_fmax(a, b); }
LANESCOPE_MIXED(double, float, double)
LANESCOPE_MIXED(double, double, float)
#undef LANESCOPE_MIXED
LANESCOPE_DEVICE unsigned umin(unsigned a, unsigned b) { return min(a, b); }
LANESCOPE_DEVICE unsigned umax(unsigned a, unsigned b) { return max(a, b); }

// ---- whole numbers as arguments, and namespace std -----------------------------------------------------------------------------------

template <typename T> struct lanescope_is { enum { whole = __is_integral(T), number = __is_arithmetic(T) }; };
template <typename A, typename B> struct lanescope_two { enum { differ = lanescope_is<A>::number && lanescope_is<B>::number && !__is_same(A, B) }; };
template <bool> struct lanescope_double {};
template <> struct lanescope_double<true> { typedef double type; };
#define LANESCOPE_UNARY(name) \
  template <typename T> LANESCOPE_DEVICE typename lanescope_double<lanescope_is<T>::whole>::type name(T x) { return name((double)x); }
#define LANESCOPE_BINARY(name) \
  template <typename A, typename B> \
  LANESCOPE_DEVICE typename lanescope_double<lanescope_two<A, B>::differ>::type name(A x, B y) { return name((double)x, (double)y); } \
  template <typename T> LANESCOPE_DEVICE typename lanescope_double<lanescope_is<T>::whole>::type name(T x, T y) { return name((double)x, (double)y); }
#define LANESCOPE_BESSEL(name)
#include "lanescope_math.def"
#define LANESCOPE_UNARY(name) \
  template <typename T> LANESCOPE_DEVICE typename lanescope_double<lanescope_is<T>::whole>::type name(T x) { return name((double)x); }
LANESCOPE_UNARY(sqrt)
LANESCOPE_UNARY(rsqrt)
LANESCOPE_UNARY(fabs)
LANESCOPE_UNARY(floor)
LANESCOPE_UNARY(ceil)
LANESCOPE_UNARY(round)
#undef LANESCOPE_UNARY

namespace std {
#define LANESCOPE_STD(name) using ::name; using ::name##f;
LANESCOPE_STD(sin) LANESCOPE_STD(cos) LANESCOPE_STD(tan) LANESCOPE_STD(asin) LANESCOPE_STD(acos) LANESCOPE_STD(atan) LANESCOPE_STD(atan2)
LANESCOPE_STD(sinh) LANESCOPE_STD(cosh) LANESCOPE_STD(tanh) LANESCOPE_STD(asinh) LANESCOPE_STD(acosh) LANESCOPE_STD(atanh)
LANESCOPE_STD(exp) LANESCOPE_STD(exp2) LANESCOPE_STD(expm1) LANESCOPE_STD(log) LANESCOPE_STD(log2) LANESCOPE_STD(log10) LANESCOPE_STD(log1p)
LANESCOPE_STD(pow) LANESCOPE_STD(sqrt) LANESCOPE_STD(cbrt) LANESCOPE_STD(hypot) LANESCOPE_STD(erf) LANESCOPE_STD(erfc)
LANESCOPE_STD(tgamma) LANESCOPE_STD(lgamma) LANESCOPE_STD(fabs) LANESCOPE_STD(floor) LANESCOPE_STD(ceil) LANESCOPE_STD(trunc)
LANESCOPE_STD(round) LANESCOPE_STD(rint) LANESCOPE_STD(nearbyint) LANESCOPE_STD(fmod) LANESCOPE_STD(remainder) LANESCOPE_STD(fma)
LANESCOPE_STD(fmin) LANESCOPE_STD(fmax) LANESCOPE_STD(fdim) LANESCOPE_STD(copysign) LANESCOPE_STD(ldexp) LANESCOPE_STD(frexp) LANESCOPE_STD(modf)
using ::abs; using ::isnan; using ::isinf; using ::isfinite; using ::signbit;
#undef LANESCOPE_STD
}
