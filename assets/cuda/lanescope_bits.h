// lanescope_bits.h: functions of CUDA that are an instruction or two: bits and integers, conversions with a rounding, arithmetic with a
// rounding, approximate functions, loads and stores with a cache hint (CUDA Math API; PTX ISA for the instructions).
#pragma once
#pragma clang system_header

#include "lanescope_types.h"

#define LANESCOPE_ASM1(R, name, ptx, out, A, in) \
  LANESCOPE_DEVICE R name(A a) { \
    R result; \
    asm(ptx " %0, %1;" : out(result) : in(a)); \
    return result; \
  }
#define LANESCOPE_ASM2(R, name, ptx, out, A, in) \
  LANESCOPE_DEVICE R name(A a, A b) { \
    R result; \
    asm(ptx " %0, %1, %2;" : out(result) : in(a), in(b)); \
    return result; \
  }
#define LANESCOPE_ASM3(R, name, ptx, out, A, ina, B, inb, C, inc) \
  LANESCOPE_DEVICE R name(A a, B b, C c) { \
    R result; \
    asm(ptx " %0, %1, %2, %3;" : out(result) : ina(a), inb(b), inc(c)); \
    return result; \
  }

// ---- bits and integers -----------------------------------------------------------------------------------------------------------

LANESCOPE_DEVICE int __popc(unsigned x) { return __builtin_popcount(x); }
LANESCOPE_DEVICE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
LANESCOPE_DEVICE unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
LANESCOPE_DEVICE unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }
LANESCOPE_ASM1(int, __clz, "clz.b32", "=r", int, "r")
LANESCOPE_ASM1(int, __clzll, "clz.b64", "=r", long long, "l")
LANESCOPE_DEVICE int __ffs(int x) { return __clz((int)__brev((unsigned)(x & -x))) % 32 + (x != 0); }
LANESCOPE_DEVICE int __ffsll(long long x) { return __clzll((long long)__brevll((unsigned long long)x)) % 64 + (x != 0); }
LANESCOPE_ASM3(unsigned, lanescope_prmt, "prmt.b32", "=r", unsigned, "r", unsigned, "r", unsigned, "r")
LANESCOPE_DEVICE unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) { return lanescope_prmt(a, b, selector & 0x7777); }
LANESCOPE_ASM3(unsigned, __funnelshift_l, "shf.l.wrap.b32", "=r", unsigned, "r", unsigned, "r", unsigned, "r")
LANESCOPE_ASM3(unsigned, __funnelshift_lc, "shf.l.clamp.b32", "=r", unsigned, "r", unsigned, "r", unsigned, "r")
LANESCOPE_ASM3(unsigned, __funnelshift_r, "shf.r.wrap.b32", "=r", unsigned, "r", unsigned, "r", unsigned, "r")
LANESCOPE_ASM3(unsigned, __funnelshift_rc, "shf.r.clamp.b32", "=r", unsigned, "r", unsigned, "r", unsigned, "r")
LANESCOPE_DEVICE int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
LANESCOPE_DEVICE unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)((unsigned long long)a * b >> 32); }
LANESCOPE_ASM2(long long, __mul64hi, "mul.hi.s64", "=l", long long, "l")
LANESCOPE_ASM2(unsigned long long, __umul64hi, "mul.hi.u64", "=l", unsigned long long, "l")
LANESCOPE_ASM2(int, __mul24, "mul24.lo.s32", "=r", int, "r")
LANESCOPE_ASM2(unsigned, __umul24, "mul24.lo.u32", "=r", unsigned, "r")
LANESCOPE_ASM3(unsigned, __sad, "sad.s32", "=r", int, "r", int, "r", unsigned, "r")
LANESCOPE_ASM3(unsigned, __usad, "sad.u32", "=r", unsigned, "r", unsigned, "r", unsigned, "r")
LANESCOPE_ASM3(int, __dp4a, "dp4a.s32.s32", "=r", int, "r", int, "r", int, "r")
LANESCOPE_ASM3(unsigned, __dp4a, "dp4a.u32.u32", "=r", unsigned, "r", unsigned, "r", unsigned, "r")
LANESCOPE_ASM3(int, __dp2a_lo, "dp2a.lo.s32.s32", "=r", int, "r", int, "r", int, "r")
LANESCOPE_ASM3(unsigned, __dp2a_lo, "dp2a.lo.u32.u32", "=r", unsigned, "r", unsigned, "r", unsigned, "r")
LANESCOPE_ASM3(int, __dp2a_hi, "dp2a.hi.s32.s32", "=r", int, "r", int, "r", int, "r")
LANESCOPE_ASM3(unsigned, __dp2a_hi, "dp2a.hi.u32.u32", "=r", unsigned, "r", unsigned, "r", unsigned, "r")
LANESCOPE_DEVICE int __hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
LANESCOPE_DEVICE int __rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
LANESCOPE_DEVICE unsigned __uhadd(unsigned a, unsigned b) { return (unsigned)(((unsigned long long)a + b) >> 1); }
LANESCOPE_DEVICE unsigned __urhadd(unsigned a, unsigned b) { return (unsigned)(((unsigned long long)a + b + 1) >> 1); }

// ---- the same bits under another type ----------------------------------------------------------------------------------------------

LANESCOPE_DEVICE int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
LANESCOPE_DEVICE unsigned __float_as_uint(float x) { return __builtin_bit_cast(unsigned, x); }
LANESCOPE_DEVICE float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
LANESCOPE_DEVICE float __uint_as_float(unsigned x) { return __builtin_bit_cast(float, x); }
LANESCOPE_DEVICE long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
LANESCOPE_DEVICE double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
LANESCOPE_DEVICE int __double2hiint(double x) { return (int)(__double_as_longlong(x) >> 32); }
LANESCOPE_DEVICE int __double2loint(double x) { return (int)__double_as_longlong(x); }
LANESCOPE_DEVICE double __hiloint2double(int high, int low) {
  return __longlong_as_double((long long)((unsigned long long)(unsigned)high << 32 | (unsigned)low));
}

// ---- conversions: to an integer rounding is .rni .rzi .rpi .rmi, to a float .rn .rz .rp .rm ------------------------------------------

#define LANESCOPE_ROUNDINGS(R, name, ptx, types, out, A, in) \
  LANESCOPE_ASM1(R, name##_rn, ptx ".rn" types, out, A, in) \
  LANESCOPE_ASM1(R, name##_rz, ptx ".rz" types, out, A, in) \
  LANESCOPE_ASM1(R, name##_ru, ptx ".rp" types, out, A, in) \
  LANESCOPE_ASM1(R, name##_rd, ptx ".rm" types, out, A, in)
#define LANESCOPE_TO_INT(R, name, types, out, A, in) \
  LANESCOPE_ASM1(R, name##_rn, "cvt.rni" types, out, A, in) \
  LANESCOPE_ASM1(R, name##_rz, "cvt.rzi" types, out, A, in) \
  LANESCOPE_ASM1(R, name##_ru, "cvt.rpi" types, out, A, in) \
  LANESCOPE_ASM1(R, name##_rd, "cvt.rmi" types, out, A, in)
LANESCOPE_TO_INT(int, __float2int, ".s32.f32", "=r", float, "f")
LANESCOPE_TO_INT(unsigned, __float2uint, ".u32.f32", "=r", float, "f")
LANESCOPE_TO_INT(long long, __float2ll, ".s64.f32", "=l", float, "f")
LANESCOPE_TO_INT(unsigned long long, __float2ull, ".u64.f32", "=l", float, "f")
LANESCOPE_TO_INT(int, __double2int, ".s32.f64", "=r", double, "d")
LANESCOPE_TO_INT(unsigned, __double2uint, ".u32.f64", "=r", double, "d")
LANESCOPE_TO_INT(long long, __double2ll, ".s64.f64", "=l", double, "d")
LANESCOPE_TO_INT(unsigned long long, __double2ull, ".u64.f64", "=l", double, "d")
LANESCOPE_ROUNDINGS(float, __int2float, "cvt", ".f32.s32", "=f", int, "r")
LANESCOPE_ROUNDINGS(float, __uint2float, "cvt", ".f32.u32", "=f", unsigned, "r")
LANESCOPE_ROUNDINGS(float, __ll2float, "cvt", ".f32.s64", "=f", long long, "l")
LANESCOPE_ROUNDINGS(float, __ull2float, "cvt", ".f32.u64", "=f", unsigned long long, "l")
LANESCOPE_ROUNDINGS(double, __ll2double, "cvt", ".f64.s64", "=d", long long, "l")
LANESCOPE_ROUNDINGS(double, __ull2double, "cvt", ".f64.u64", "=d", unsigned long long, "l")
LANESCOPE_ROUNDINGS(float, __double2float, "cvt", ".f32.f64", "=f", double, "d")
LANESCOPE_DEVICE double __int2double_rn(int x) { return x; }
LANESCOPE_DEVICE double __uint2double_rn(unsigned x) { return x; }

// ---- arithmetic with a rounding --------------------------------------------------------------------------------------------------

#define LANESCOPE_ROUNDED2(T, name, ptx, type, out, in) \
  LANESCOPE_ASM2(T, name##_rn, ptx ".rn" type, out, T, in) \
  LANESCOPE_ASM2(T, name##_rz, ptx ".rz" type, out, T, in) \
  LANESCOPE_ASM2(T, name##_ru, ptx ".rp" type, out, T, in) \
  LANESCOPE_ASM2(T, name##_rd, ptx ".rm" type, out, T, in)
#define LANESCOPE_ROUNDED3(T, name, ptx, type, out, in) \
  LANESCOPE_ASM3(T, name##_rn, ptx ".rn" type, out, T, in, T, in, T, in) \
  LANESCOPE_ASM3(T, name##_rz, ptx ".rz" type, out, T, in, T, in, T, in) \
  LANESCOPE_ASM3(T, name##_ru, ptx ".rp" type, out, T, in, T, in, T, in) \
  LANESCOPE_ASM3(T, name##_rd, ptx ".rm" type, out, T, in, T, in, T, in)
LANESCOPE_ROUNDED2(float, __fadd, "add", ".f32", "=f", "f")
LANESCOPE_ROUNDED2(float, __fsub, "sub", ".f32", "=f", "f")
LANESCOPE_ROUNDED2(float, __fmul, "mul", ".f32", "=f", "f")
LANESCOPE_ROUNDED2(float, __fdiv, "div", ".f32", "=f", "f")
LANESCOPE_ROUNDED3(float, __fmaf, "fma", ".f32", "=f", "f")
LANESCOPE_ROUNDINGS(float, __frcp, "rcp", ".f32", "=f", float, "f")
LANESCOPE_ROUNDINGS(float, __fsqrt, "sqrt", ".f32", "=f", float, "f")
LANESCOPE_ROUNDED2(double, __dadd, "add", ".f64", "=d", "d")
LANESCOPE_ROUNDED2(double, __dsub, "sub", ".f64", "=d", "d")
LANESCOPE_ROUNDED2(double, __dmul, "mul", ".f64", "=d", "d")
LANESCOPE_ROUNDED2(double, __ddiv, "div", ".f64", "=d", "d")
LANESCOPE_ROUNDED3(double, __fma, "fma", ".f64", "=d", "d")
LANESCOPE_ROUNDINGS(double, __drcp, "rcp", ".f64", "=d", double, "d")
LANESCOPE_ROUNDINGS(double, __dsqrt, "sqrt", ".f64", "=d", double, "d")
LANESCOPE_DEVICE float __frsqrt_rn(float x) { return (float)(1.0 / __builtin_sqrt((double)x)); }

// ---- approximate functions -------------------------------------------------------------------------------------------------------

LANESCOPE_ASM1(float, __sinf, "sin.approx.f32", "=f", float, "f")
LANESCOPE_ASM1(float, __cosf, "cos.approx.f32", "=f", float, "f")
LANESCOPE_ASM1(float, lanescope_ex2, "ex2.approx.f32", "=f", float, "f")
LANESCOPE_ASM1(float, __log2f, "lg2.approx.f32", "=f", float, "f")
LANESCOPE_ASM1(float, rsqrtf, "rsqrt.approx.f32", "=f", float, "f")
LANESCOPE_ASM2(float, __fdividef, "div.approx.f32", "=f", float, "f")
LANESCOPE_ASM1(float, __saturatef, "cvt.sat.f32.f32", "=f", float, "f")
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 750
LANESCOPE_ASM1(float, __tanhf, "tanh.approx.f32", "=f", float, "f")
#endif
LANESCOPE_DEVICE float __tanf(float x) { return __fdividef(__sinf(x), __cosf(x)); }
LANESCOPE_DEVICE float __expf(float x) { return lanescope_ex2(x * 1.44269504f); }
LANESCOPE_DEVICE float __exp10f(float x) { return lanescope_ex2(x * 3.32192809f); }
LANESCOPE_DEVICE float __logf(float x) { return __log2f(x) * 0.693147181f; }
LANESCOPE_DEVICE float __log10f(float x) { return __log2f(x) * 0.301029996f; }
LANESCOPE_DEVICE float __powf(float x, float y) { return lanescope_ex2(y * __log2f(x)); }
LANESCOPE_DEVICE void __sincosf(float x, float *sine, float *cosine) { *sine = __sinf(x), *cosine = __cosf(x); }

// ---- loads and stores with a cache hint ----------------------------------------------------------------------------------------------

#define LANESCOPE_LOAD1(T, name, ptx, type, out) \
  LANESCOPE_DEVICE T name(const T *at) { \
    T x; \
    asm volatile(ptx "." type " %0, [%1];" : out(x) : "l"(at) : "memory"); \
    return x; \
  }
#define LANESCOPE_LOAD_BYTE(T, name, ptx, type) \
  LANESCOPE_DEVICE T name(const T *at) { \
    short x; \
    asm volatile(ptx "." type " %0, [%1];" : "=h"(x) : "l"(at) : "memory"); \
    return (T)x; \
  }
#define LANESCOPE_LOAD2(T, name, ptx, type, out) \
  LANESCOPE_DEVICE T name(const T *at) { \
    T v; \
    asm volatile(ptx ".v2." type " {%0, %1}, [%2];" : out(v.x), out(v.y) : "l"(at) : "memory"); \
    return v; \
  }
#define LANESCOPE_LOAD4(T, name, ptx, type, out) \
  LANESCOPE_DEVICE T name(const T *at) { \
    T v; \
    asm volatile(ptx ".v4." type " {%0, %1, %2, %3}, [%4];" : out(v.x), out(v.y), out(v.z), out(v.w) : "l"(at) : "memory"); \
    return v; \
  }
#define LANESCOPE_LOADS(name, ptx) \
  LANESCOPE_LOAD_BYTE(char, name, ptx, "s8") \
  LANESCOPE_LOAD_BYTE(signed char, name, ptx, "s8") \
  LANESCOPE_LOAD_BYTE(unsigned char, name, ptx, "u8") \
  LANESCOPE_LOAD1(short, name, ptx, "s16", "=h") \
  LANESCOPE_LOAD1(unsigned short, name, ptx, "u16", "=h") \
  LANESCOPE_LOAD1(int, name, ptx, "s32", "=r") \
  LANESCOPE_LOAD1(unsigned, name, ptx, "u32", "=r") \
  LANESCOPE_LOAD1(long, name, ptx, "s64", "=l") \
  LANESCOPE_LOAD1(unsigned long, name, ptx, "u64", "=l") \
  LANESCOPE_LOAD1(long long, name, ptx, "s64", "=l") \
  LANESCOPE_LOAD1(unsigned long long, name, ptx, "u64", "=l") \
  LANESCOPE_LOAD1(float, name, ptx, "f32", "=f") \
  LANESCOPE_LOAD1(double, name, ptx, "f64", "=d") \
  LANESCOPE_LOAD2(int2, name, ptx, "s32", "=r") \
  LANESCOPE_LOAD2(uint2, name, ptx, "u32", "=r") \
  LANESCOPE_LOAD2(float2, name, ptx, "f32", "=f") \
  LANESCOPE_LOAD2(double2, name, ptx, "f64", "=d") \
  LANESCOPE_LOAD2(longlong2, name, ptx, "s64", "=l") \
  LANESCOPE_LOAD2(ulonglong2, name, ptx, "u64", "=l") \
  LANESCOPE_LOAD4(int4, name, ptx, "s32", "=r") \
  LANESCOPE_LOAD4(uint4, name, ptx, "u32", "=r") \
  LANESCOPE_LOAD4(float4, name, ptx, "f32", "=f")
LANESCOPE_LOADS(__ldg, "ld.global.nc")
LANESCOPE_LOADS(__ldca, "ld.global.ca")
LANESCOPE_LOADS(__ldcg, "ld.global.cg")
LANESCOPE_LOADS(__ldcs, "ld.global.cs")
LANESCOPE_LOADS(__ldlu, "ld.global.lu")
LANESCOPE_LOADS(__ldcv, "ld.global.cv")

#define LANESCOPE_STORE1(T, name, ptx, type, in) \
  LANESCOPE_DEVICE void name(T *at, T x) { asm volatile(ptx "." type " [%0], %1;" : : "l"(at), in(x) : "memory"); }
#define LANESCOPE_STORE2(T, name, ptx, type, in) \
  LANESCOPE_DEVICE void name(T *at, T v) { asm volatile(ptx ".v2." type " [%0], {%1, %2};" : : "l"(at), in(v.x), in(v.y) : "memory"); }
#define LANESCOPE_STORE4(T, name, ptx, type, in) \
  LANESCOPE_DEVICE void name(T *at, T v) { \
    asm volatile(ptx ".v4." type " [%0], {%1, %2, %3, %4};" : : "l"(at), in(v.x), in(v.y), in(v.z), in(v.w) : "memory"); \
  }
#define LANESCOPE_STORES(name, ptx) \
  LANESCOPE_STORE1(char, name, ptx, "b8", "h") \
  LANESCOPE_STORE1(signed char, name, ptx, "b8", "h") \
  LANESCOPE_STORE1(unsigned char, name, ptx, "b8", "h") \
  LANESCOPE_STORE1(short, name, ptx, "s16", "h") \
  LANESCOPE_STORE1(unsigned short, name, ptx, "u16", "h") \
  LANESCOPE_STORE1(int, name, ptx, "s32", "r") \
  LANESCOPE_STORE1(unsigned, name, ptx, "u32", "r") \
  LANESCOPE_STORE1(long, name, ptx, "s64", "l") \
  LANESCOPE_STORE1(unsigned long, name, ptx, "u64", "l") \
  LANESCOPE_STORE1(long long, name, ptx, "s64", "l") \
  LANESCOPE_STORE1(unsigned long long, name, ptx, "u64", "l") \
  LANESCOPE_STORE1(float, name, ptx, "f32", "f") \
  LANESCOPE_STORE1(double, name, ptx, "f64", "d") \
  LANESCOPE_STORE2(int2, name, ptx, "s32", "r") \
  LANESCOPE_STORE2(uint2, name, ptx, "u32", "r") \
  LANESCOPE_STORE2(float2, name, ptx, "f32", "f") \
  LANESCOPE_STORE2(double2, name, ptx, "f64", "d") \
  LANESCOPE_STORE4(int4, name, ptx, "s32", "r") \
  LANESCOPE_STORE4(uint4, name, ptx, "u32", "r") \
  LANESCOPE_STORE4(float4, name, ptx, "f32", "f")
LANESCOPE_STORES(__stwb, "st.global.wb")
LANESCOPE_STORES(__stcg, "st.global.cg")
LANESCOPE_STORES(__stcs, "st.global.cs")
LANESCOPE_STORES(__stwt, "st.global.wt")

// ---- time and the end --------------------------------------------------------------------------------------------------------------

LANESCOPE_DEVICE long clock() {
  int ticks;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(ticks) : : "memory");
  return ticks;
}
LANESCOPE_DEVICE long long clock64() {
  long long ticks;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(ticks) : : "memory");
  return ticks;
}
LANESCOPE_DEVICE unsigned long long globaltimer() {
  unsigned long long ns;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns) : : "memory");
  return ns;
}
LANESCOPE_DEVICE void __nanosleep(unsigned ns) { asm volatile("nanosleep.u32 %0;" : : "r"(ns)); }
LANESCOPE_DEVICE void __trap() { asm volatile("trap;"); }
LANESCOPE_DEVICE void __brkpt() { asm volatile("brkpt;"); }
LANESCOPE_DEVICE unsigned __isGlobal(const void *p) { return __nvvm_isspacep_global(p); }
LANESCOPE_DEVICE unsigned __isShared(const void *p) { return __nvvm_isspacep_shared(p); }
LANESCOPE_DEVICE unsigned __isLocal(const void *p) { return __nvvm_isspacep_local(p); }
LANESCOPE_DEVICE unsigned __isConstant(const void *p) { return __nvvm_isspacep_const(p); }
LANESCOPE_DEVICE size_t __cvta_generic_to_shared(const void *p) {
  size_t at;
  asm("cvta.to.shared.u64 %0, %1;" : "=l"(at) : "l"(p));
  return at;
}
LANESCOPE_DEVICE size_t __cvta_generic_to_global(const void *p) {
  size_t at;
  asm("cvta.to.global.u64 %0, %1;" : "=l"(at) : "l"(p));
  return at;
}

// What the compiler makes of printf() and assert() in device code, and what the C library has for all.
extern "C" {
LANESCOPE_DEVICE void *memcpy(void *to, const void *from, size_t size) { return __builtin_memcpy(to, from, size); }
LANESCOPE_DEVICE void *memset(void *to, int value, size_t size) { return __builtin_memset(to, value, size); }
__device__ int vprintf(const char *, const char *);
__device__ int printf(const char *, ...);
__device__ void __assertfail(const char *expression, const char *file, unsigned line, const char *function, size_t char_size);
LANESCOPE_DEVICE void __assert_fail(const char *expression, const char *file, unsigned line, const char *function) {
  __assertfail(expression, file, line, function, sizeof(char));
}
}
