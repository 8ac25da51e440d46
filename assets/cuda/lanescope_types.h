// lanescope_types.h: the words of CUDA's language, its vector types, and dim3 (CUDA C++ Programming Guide, "C++ Language Extensions").
#pragma once
#pragma clang system_header

#include <stddef.h>

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
#define __grid_constant__
#define __noinline__ __attribute__((noinline))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define CUDART_CB
#define CUDARTAPI
#define CUDART_VERSION 12000
#define CUDA_VERSION 12000

// A function of these headers belongs to the line that calls it, in both cuts of the code: it has no lines of its own.
#define LANESCOPE_FN static __inline__ __attribute__((always_inline, nodebug, unused))
#define LANESCOPE_DEVICE LANESCOPE_FN __attribute__((device))
#define LANESCOPE_BOTH LANESCOPE_FN __attribute__((host, device))
#define LANESCOPE_METHOD __inline__ __attribute__((always_inline, nodebug, host, device))
#define LANESCOPE_MEMBER __inline__ __attribute__((always_inline, nodebug, device))

// How a value that goes from lane to lane is given. Of a parameter clang knows that it has a value, but a lane whose value nobody
// takes may have none, as in `int at; if (lane == 0) at = atomicAdd(n, 1);`: by value all lanes would become lane 0. Where nothing is
// optimized nothing is concluded.
#ifdef __OPTIMIZE__
#define LANESCOPE_GIVEN(...) const __VA_ARGS__ &
#else
#define LANESCOPE_GIVEN(...) __VA_ARGS__
#endif

// A choice without a branch, also where nothing is optimized: else lanes would part inside of functions that are one to whoever calls them.
#ifdef __OPTIMIZE__
#define LANESCOPE_PICK(condition, yes, no) ((condition) ? (yes) : (no))
#else
#define LANESCOPE_PICK(condition, yes, no) lanescope_pick((condition), (yes), (no))
#define LANESCOPE_SELECT(T, type, out, in) \
  LANESCOPE_DEVICE T lanescope_pick(bool condition, T yes, T no) { \
    T result; \
    asm("{ .reg .pred p; setp.ne.u32 p, %3, 0; selp." type " %0, %1, %2, p; }" : out(result) : in(yes), in(no), "r"((unsigned)condition)); \
    return result; \
  }
LANESCOPE_SELECT(float, "f32", "=f", "f")
LANESCOPE_SELECT(int, "b32", "=r", "r")
LANESCOPE_SELECT(unsigned, "b32", "=r", "r")
#undef LANESCOPE_SELECT
#endif

// ---- vector types: alignment as the guide's table "Alignment Requirements" says ---------------------------------------------------

#define LANESCOPE_VECTOR(T, name, align2, align4) \
  struct name##1 { T x; }; \
  struct __attribute__((aligned(align2))) name##2 { T x, y; }; \
  struct name##3 { T x, y, z; }; \
  struct __attribute__((aligned(align4))) name##4 { T x, y, z, w; }; \
  LANESCOPE_BOTH name##1 make_##name##1(T x) { return {x}; } \
  LANESCOPE_BOTH name##2 make_##name##2(T x, T y) { return {x, y}; } \
  LANESCOPE_BOTH name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; } \
  LANESCOPE_BOTH name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }

LANESCOPE_VECTOR(signed char, char, 2, 4)
LANESCOPE_VECTOR(unsigned char, uchar, 2, 4)
LANESCOPE_VECTOR(short, short, 4, 8)
LANESCOPE_VECTOR(unsigned short, ushort, 4, 8)
LANESCOPE_VECTOR(int, int, 8, 16)
LANESCOPE_VECTOR(unsigned, uint, 8, 16)
LANESCOPE_VECTOR(long, long, 16, 16)
LANESCOPE_VECTOR(unsigned long, ulong, 16, 16)
LANESCOPE_VECTOR(long long, longlong, 16, 16)
LANESCOPE_VECTOR(unsigned long long, ulonglong, 16, 16)
LANESCOPE_VECTOR(float, float, 8, 16)
LANESCOPE_VECTOR(double, double, 16, 16)
#undef LANESCOPE_VECTOR

struct dim3 {
  unsigned x, y, z;
  __attribute__((host, device, nodebug)) constexpr dim3(unsigned vx = 1, unsigned vy = 1, unsigned vz = 1) : x(vx), y(vy), z(vz) {}
  __attribute__((host, device, nodebug)) constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __attribute__((host, device, nodebug)) constexpr operator uint3() const { return uint3{x, y, z}; }
};

// ---- built-in variables: each member reads a special register of PTX --------------------------------------------------------------

#define LANESCOPE_SREG(member, reg) \
  __declspec(property(get = lanescope_##member)) unsigned member; \
  LANESCOPE_MEMBER static unsigned lanescope_##member() { return __nvvm_read_ptx_sreg_##reg(); }
#define LANESCOPE_BUILTIN(name, reg, other) \
  struct lanescope_##reg##_t { \
    LANESCOPE_SREG(x, reg##_x) \
    LANESCOPE_SREG(y, reg##_y) \
    LANESCOPE_SREG(z, reg##_z) \
    LANESCOPE_MEMBER operator uint3() const { return uint3{x, y, z}; } \
    LANESCOPE_MEMBER operator dim3() const { return dim3(x, y, z); } \
  }; \
  extern const __attribute__((device, weak, nodebug)) lanescope_##reg##_t name;

LANESCOPE_BUILTIN(threadIdx, tid, uint3)
LANESCOPE_BUILTIN(blockIdx, ctaid, uint3)
LANESCOPE_BUILTIN(blockDim, ntid, dim3)
LANESCOPE_BUILTIN(gridDim, nctaid, dim3)
#undef LANESCOPE_BUILTIN
#undef LANESCOPE_SREG
__attribute__((device, nodebug)) const int warpSize = 32;
