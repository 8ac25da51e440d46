// lanescope_texture.h: texture and surface objects (CUDA C++ Programming Guide, "Texture Functions", "Surface Functions"): one, two and
// three dimensions, elements of 4 bytes and vectors of them; surfaces of 1 to 16 bytes.
#pragma once
#pragma clang system_header

#include "lanescope_types.h"

typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero = 0, cudaBoundaryModeClamp = 1, cudaBoundaryModeTrap = 2 };

// A fetch gives four values of one kind; the type asked for takes as many as it has members.
template <typename T> struct lanescope_texel;
#define LANESCOPE_TEXEL(T, kind, made) \
  template <> struct lanescope_texel<T> { \
    typedef kind one; \
    LANESCOPE_MEMBER static T of(kind x, kind y, kind z, kind w) { return made; } \
  };
LANESCOPE_TEXEL(float, float, x)
LANESCOPE_TEXEL(float1, float, make_float1(x))
LANESCOPE_TEXEL(float2, float, make_float2(x, y))
LANESCOPE_TEXEL(float4, float, make_float4(x, y, z, w))
LANESCOPE_TEXEL(int, int, x)
LANESCOPE_TEXEL(int1, int, make_int1(x))
LANESCOPE_TEXEL(int2, int, make_int2(x, y))
LANESCOPE_TEXEL(int4, int, make_int4(x, y, z, w))
LANESCOPE_TEXEL(unsigned, unsigned, x)
LANESCOPE_TEXEL(uint1, unsigned, make_uint1(x))
LANESCOPE_TEXEL(uint2, unsigned, make_uint2(x, y))
LANESCOPE_TEXEL(uint4, unsigned, make_uint4(x, y, z, w))
LANESCOPE_TEXEL(char, int, (char)x)
LANESCOPE_TEXEL(signed char, int, (signed char)x)
LANESCOPE_TEXEL(unsigned char, unsigned, (unsigned char)x)
LANESCOPE_TEXEL(uchar2, unsigned, make_uchar2((unsigned char)x, (unsigned char)y))
LANESCOPE_TEXEL(uchar4, unsigned, make_uchar4((unsigned char)x, (unsigned char)y, (unsigned char)z, (unsigned char)w))
LANESCOPE_TEXEL(short, int, (short)x)
LANESCOPE_TEXEL(unsigned short, unsigned, (unsigned short)x)
#undef LANESCOPE_TEXEL

#define LANESCOPE_TEX(name, dim, from, at, in, names, ...) \
  template <typename T, typename K = typename lanescope_texel<T>::one> struct lanescope_##name; \
  LANESCOPE_TEX_OF(name, float, dim ".v4.f32." from, "=f", at, in, __VA_ARGS__) \
  LANESCOPE_TEX_OF(name, int, dim ".v4.s32." from, "=r", at, in, __VA_ARGS__) \
  LANESCOPE_TEX_OF(name, unsigned, dim ".v4.u32." from, "=r", at, in, __VA_ARGS__) \
  template <typename T> LANESCOPE_DEVICE T name(cudaTextureObject_t texture, __VA_ARGS__) { \
    return lanescope_##name<T>::fetch(texture, LANESCOPE_LIST names); \
  } \
  template <typename T> LANESCOPE_DEVICE void name(T *to, cudaTextureObject_t texture, __VA_ARGS__) { \
    *to = lanescope_##name<T>::fetch(texture, LANESCOPE_LIST names); \
  }
#define LANESCOPE_TEX_OF(name, kind, ptx, out, at, in, ...) \
  template <typename T> struct lanescope_##name<T, kind> { \
    LANESCOPE_MEMBER static T fetch(cudaTextureObject_t texture, __VA_ARGS__) { \
      kind r, g, b, a; \
      asm volatile("tex." ptx " {%0, %1, %2, %3}, [%4, " at "];" : out(r), out(g), out(b), out(a) : "l"(texture), LANESCOPE_LIST in); \
      return lanescope_texel<T>::of(r, g, b, a); \
    } \
  };
#define LANESCOPE_LIST(...) __VA_ARGS__
LANESCOPE_TEX(tex1D, "1d", "f32", "{%5}", ("f"(x)), (x), float x)
LANESCOPE_TEX(tex2D, "2d", "f32", "{%5, %6}", ("f"(x), "f"(y)), (x, y), float x, float y)
LANESCOPE_TEX(tex3D, "3d", "f32", "{%5, %6, %7, %7}", ("f"(x), "f"(y), "f"(z)), (x, y, z), float x, float y, float z)
LANESCOPE_TEX(tex1Dfetch, "1d", "s32", "{%5}", ("r"(x)), (x), int x)
#undef LANESCOPE_TEX
#undef LANESCOPE_TEX_OF
#undef LANESCOPE_LIST

// ---- surfaces: x counts bytes; what is outside traps, or is zero, or is clamped ------------------------------------------------------

template <int Size> struct lanescope_surface;
#define LANESCOPE_SURFACE(size, T, ptx, list, outs, ins) \
  template <> struct lanescope_surface<size> { \
    typedef T bits; \
    LANESCOPE_SURFACE_MODE(ptx, list, outs, ins, zero) \
    LANESCOPE_SURFACE_MODE(ptx, list, outs, ins, clamp) \
    LANESCOPE_SURFACE_MODE(ptx, list, outs, ins, trap) \
  };
#define LANESCOPE_SURFACE_MODE(ptx, list, outs, ins, mode) \
  LANESCOPE_MEMBER static void load_##mode(bits *v, cudaSurfaceObject_t s, int x) { \
    asm volatile("suld.b.1d." ptx "." #mode " " list ", [%[s], {%[x]}];" : LANESCOPE_LIST outs : [s] "l"(s), [x] "r"(x)); \
  } \
  LANESCOPE_MEMBER static void load_##mode(bits *v, cudaSurfaceObject_t s, int x, int y) { \
    asm volatile("suld.b.2d." ptx "." #mode " " list ", [%[s], {%[x], %[y]}];" \
                 : LANESCOPE_LIST outs : [s] "l"(s), [x] "r"(x), [y] "r"(y)); \
  } \
  LANESCOPE_MEMBER static void store_##mode(const bits *v, cudaSurfaceObject_t s, int x) { \
    asm volatile("sust.b.1d." ptx "." #mode " [%[s], {%[x]}], " list ";" : : LANESCOPE_LIST ins, [s] "l"(s), [x] "r"(x) : "memory"); \
  } \
  LANESCOPE_MEMBER static void store_##mode(const bits *v, cudaSurfaceObject_t s, int x, int y) { \
    asm volatile("sust.b.2d." ptx "." #mode " [%[s], {%[x], %[y]}], " list ";" \
                 : : LANESCOPE_LIST ins, [s] "l"(s), [x] "r"(x), [y] "r"(y) : "memory"); \
  }
#define LANESCOPE_LIST(...) __VA_ARGS__
LANESCOPE_SURFACE(1, ushort1, "b8", "%[a]", ([a] "=h"(v->x)), ([a] "h"(v->x)))
LANESCOPE_SURFACE(2, ushort1, "b16", "%[a]", ([a] "=h"(v->x)), ([a] "h"(v->x)))
LANESCOPE_SURFACE(4, uint1, "b32", "%[a]", ([a] "=r"(v->x)), ([a] "r"(v->x)))
LANESCOPE_SURFACE(8, uint2, "v2.b32", "{%[a], %[b]}", ([a] "=r"(v->x), [b] "=r"(v->y)), ([a] "r"(v->x), [b] "r"(v->y)))
LANESCOPE_SURFACE(16, uint4, "v4.b32", "{%[a], %[b], %[c], %[d]}",
                  ([a] "=r"(v->x), [b] "=r"(v->y), [c] "=r"(v->z), [d] "=r"(v->w)),
                  ([a] "r"(v->x), [b] "r"(v->y), [c] "r"(v->z), [d] "r"(v->w)))
#undef LANESCOPE_SURFACE_MODE
#undef LANESCOPE_SURFACE
#undef LANESCOPE_LIST

#define LANESCOPE_SURF(dim, names, ...) \
  template <typename T> \
  LANESCOPE_DEVICE void surf##dim##read(T *to, cudaSurfaceObject_t s, __VA_ARGS__, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
    typedef lanescope_surface<sizeof(T)> S; \
    typename S::bits v; \
    if (mode == cudaBoundaryModeZero) S::load_zero(&v, s, LANESCOPE_NAMES names); \
    else if (mode == cudaBoundaryModeClamp) S::load_clamp(&v, s, LANESCOPE_NAMES names); \
    else S::load_trap(&v, s, LANESCOPE_NAMES names); \
    __builtin_memcpy(to, &v, sizeof(T)); \
  } \
  template <typename T> \
  LANESCOPE_DEVICE T surf##dim##read(cudaSurfaceObject_t s, __VA_ARGS__, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
    T value; \
    surf##dim##read(&value, s, LANESCOPE_NAMES names, mode); \
    return value; \
  } \
  template <typename T> \
  LANESCOPE_DEVICE void surf##dim##write(T value, cudaSurfaceObject_t s, __VA_ARGS__, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
    typedef lanescope_surface<sizeof(T)> S; \
    typename S::bits v = {}; \
    __builtin_memcpy(&v, &value, sizeof(T)); \
    if (mode == cudaBoundaryModeZero) S::store_zero(&v, s, LANESCOPE_NAMES names); \
    else if (mode == cudaBoundaryModeClamp) S::store_clamp(&v, s, LANESCOPE_NAMES names); \
    else S::store_trap(&v, s, LANESCOPE_NAMES names); \
  }
#define LANESCOPE_NAMES(...) __VA_ARGS__
LANESCOPE_SURF(1D, (x), int x)
LANESCOPE_SURF(2D, (x, y), int x, int y)
#undef LANESCOPE_NAMES
#undef LANESCOPE_SURF
