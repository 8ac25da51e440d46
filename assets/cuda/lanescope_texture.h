// lanescope_texture.h: texture and surface objects (CUDA C++ Programming Guide, "Texture Functions", "Surface Functions"): one, two and
// three dimensions, elements of 4 bytes and vectors of them; surfaces of 1 to 16 bytes.
#pragma once

#include "lanescope_types.h"

typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero = 0, cudaBoundaryModeClamp = 1, cudaBoundaryModeTrap = 2 };

// A fetch gives four values of one kind; the type asked for takes as many as it has members.
template <typename T> struct lanescope_texel;
#define LANESCOPE_TEXEL(T, kind, ...) \
  template <> struct lanescope_texel<T> { \
    typedef kind##4 quad; \
    LANESCOPE_MEMBER static T of(quad v) { T t = {__VA_ARGS__}; return t; } \
  };
LANESCOPE_TEXEL(float, float, v.x)
LANESCOPE_TEXEL(float1, float, v.x)
LANESCOPE_TEXEL(float2, float, v.x, v.y)
LANESCOPE_TEXEL(float4, float, v.x, v.y, v.z, v.w)
LANESCOPE_TEXEL(int, int, v.x)
LANESCOPE_TEXEL(int1, int, v.x)
LANESCOPE_TEXEL(int2, int, v.x, v.y)
LANESCOPE_TEXEL(int4, int, v.x, v.y, v.z, v.w)
LANESCOPE_TEXEL(unsigned, uint, v.x)
LANESCOPE_TEXEL(uint1, uint, v.x)
LANESCOPE_TEXEL(uint2, uint, v.x, v.y)
LANESCOPE_TEXEL(uint4, uint, v.x, v.y, v.z, v.w)
LANESCOPE_TEXEL(char, int, (char)v.x)
LANESCOPE_TEXEL(signed char, int, (signed char)v.x)
LANESCOPE_TEXEL(unsigned char, uint, (unsigned char)v.x)
LANESCOPE_TEXEL(uchar2, uint, (unsigned char)v.x, (unsigned char)v.y)
LANESCOPE_TEXEL(uchar4, uint, (unsigned char)v.x, (unsigned char)v.y, (unsigned char)v.z, (unsigned char)v.w)
LANESCOPE_TEXEL(short, int, (short)v.x)
LANESCOPE_TEXEL(unsigned short, uint, (unsigned short)v.x)
#undef LANESCOPE_TEXEL

#define LANESCOPE_FETCH(name, ptx, type, quad, out, at, in, ...) \
  LANESCOPE_DEVICE void name(quad *v, cudaTextureObject_t texture, __VA_ARGS__) { \
    asm volatile("tex." ptx "." type " {%0, %1, %2, %3}, [%4, " at "];" \
                 : out(v->x), out(v->y), out(v->z), out(v->w) : "l"(texture), in); \
  }
#define LANESCOPE_FETCHES(name, ptx, at, in, ...) \
  LANESCOPE_FETCH(name, ptx, "v4.f32.f32", float4, "=f", at, LANESCOPE_LIST in, __VA_ARGS__) \
  LANESCOPE_FETCH(name, ptx, "v4.s32.f32", int4, "=r", at, LANESCOPE_LIST in, __VA_ARGS__) \
  LANESCOPE_FETCH(name, ptx, "v4.u32.f32", uint4, "=r", at, LANESCOPE_LIST in, __VA_ARGS__)
#define LANESCOPE_LIST(...) __VA_ARGS__
LANESCOPE_FETCHES(lanescope_tex1, "1d", "{%5}", ("f"(x)), float x)
LANESCOPE_FETCHES(lanescope_tex2, "2d", "{%5, %6}", ("f"(x), "f"(y)), float x, float y)
LANESCOPE_FETCHES(lanescope_tex3, "3d", "{%5, %6, %7, %7}", ("f"(x), "f"(y), "f"(z)), float x, float y, float z)
LANESCOPE_FETCH(lanescope_texi, "1d", "v4.f32.s32", float4, "=f", "{%5}", "r"(x), int x)
LANESCOPE_FETCH(lanescope_texi, "1d", "v4.s32.s32", int4, "=r", "{%5}", "r"(x), int x)
LANESCOPE_FETCH(lanescope_texi, "1d", "v4.u32.s32", uint4, "=r", "{%5}", "r"(x), int x)
#undef LANESCOPE_FETCHES
#undef LANESCOPE_FETCH
#undef LANESCOPE_LIST

#define LANESCOPE_TEX(name, fetch, names, ...) \
  template <typename T> LANESCOPE_DEVICE T name(cudaTextureObject_t texture, __VA_ARGS__) { \
    typename lanescope_texel<T>::quad v; \
    fetch(&v, texture, LANESCOPE_NAMES names); \
    return lanescope_texel<T>::of(v); \
  } \
  template <typename T> LANESCOPE_DEVICE void name(T *to, cudaTextureObject_t texture, __VA_ARGS__) { \
    *to = name<T>(texture, LANESCOPE_NAMES names); \
  }
#define LANESCOPE_NAMES(...) __VA_ARGS__
LANESCOPE_TEX(tex1D, lanescope_tex1, (x), float x)
LANESCOPE_TEX(tex2D, lanescope_tex2, (x, y), float x, float y)
LANESCOPE_TEX(tex3D, lanescope_tex3, (x, y, z), float x, float y, float z)
LANESCOPE_TEX(tex1Dfetch, lanescope_texi, (x), int x)
#undef LANESCOPE_NAMES
#undef LANESCOPE_TEX

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
