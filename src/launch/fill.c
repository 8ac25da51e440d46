// fill.c: numbers as bits of a launch type, and the initial contents of buffers.
#include "launch/launch.h"

#include <math.h>
#include <string.h>
#include "base/mem.h"
#include "base/random.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "buffers are little-endian, as the GPU's are");

// Round to nearest even from the full double, so that there is one rounding only.
static uint16_t half_bits(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  uint16_t sign = (uint16_t)(bits >> 48 & 0x8000);
  int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
  uint64_t fraction = bits & ((1ull << 52) - 1);
  if (exponent == 1024) return (uint16_t)(sign | 0x7c00 | (fraction ? 0x200 : 0));
  if (exponent > 15) return (uint16_t)(sign | 0x7c00);
  if (exponent < -25) return sign;
  fraction |= 1ull << 52;
  int shift = exponent < -14 ? 42 - 14 - exponent : 42;
  uint64_t half = fraction >> shift, rest = fraction & ((1ull << shift) - 1), middle = 1ull << (shift - 1);
  if (rest > middle || (rest == middle && (half & 1))) half++;
  if (exponent >= -14) half += (uint64_t)(exponent + 14) << 10;
  return (uint16_t)(sign | half);
}

static double half_value(uint16_t bits) {
  int exponent = bits >> 10 & 31, fraction = bits & 0x3ff;
  double magnitude = exponent == 31 ? (fraction ? (double)NAN : (double)INFINITY)
                     : exponent     ? ldexp(1024 + fraction, exponent - 25)
                                    : ldexp(fraction, -24);
  return bits & 0x8000 ? -magnitude : magnitude;
}

static uint64_t whole_bits(double value, bool is_signed, int size) {
  if (isnan(value)) return 0;
  int width = 8 * size;
  if (is_signed) {
    double limit = ldexp(1, width - 1);
    int64_t top = (int64_t)(UINT64_MAX >> (65 - width));
    int64_t whole = value >= limit ? top : value <= -limit ? -top - 1 : (int64_t)value;
    return (uint64_t)whole & (UINT64_MAX >> (64 - width));
  }
  if (value <= 0) return 0;
  return value >= ldexp(1, width) ? UINT64_MAX >> (64 - width) : (uint64_t)value;
}

uint64_t launch_bits(LaunchType type, double value) {
  float single = (float)value;
  uint32_t bits32;
  uint64_t bits64;
  switch (type) {
    case LAUNCH_F16: return half_bits(value);
    case LAUNCH_F32: memcpy(&bits32, &single, sizeof bits32); return bits32;
    case LAUNCH_F64: memcpy(&bits64, &value, sizeof bits64); return bits64;
    case LAUNCH_I8: case LAUNCH_I16: case LAUNCH_I32: case LAUNCH_I64:
      return whole_bits(value, true, launch_type_size(type));
    default: return whole_bits(value, false, launch_type_size(type));
  }
}

double launch_value(LaunchType type, uint64_t bits) {
  float single;
  double value;
  uint32_t bits32 = (uint32_t)bits;
  switch (type) {
    case LAUNCH_U8: return (uint8_t)bits;
    case LAUNCH_I8: return (int8_t)bits;
    case LAUNCH_U16: return (uint16_t)bits;
    case LAUNCH_I16: return (int16_t)bits;
    case LAUNCH_U32: return (uint32_t)bits;
    case LAUNCH_I32: return (int32_t)bits;
    case LAUNCH_I64: return (double)(int64_t)bits;
    case LAUNCH_F16: return half_value((uint16_t)bits);
    case LAUNCH_F32: memcpy(&single, &bits32, sizeof single); return (double)single;
    case LAUNCH_F64: memcpy(&value, &bits, sizeof value); return value;
    default: return (double)bits;
  }
}

// A whole number as an element: cut to a whole type, rounded to a floating one.
static uint64_t index_bits(LaunchType type, uint64_t index) {
  return launch_type_is_float(type) ? launch_bits(type, (double)index) : index;
}

static void put(uint8_t *bytes, int size, uint64_t index, uint64_t bits) {
  memcpy(bytes + index * (uint64_t)size, &bits, (size_t)size);
}

enum { FILL_CHUNK = 1024 };         // elements at a time

// Elements first, first + 1, ... of the buffer, made of as many draws.
static void put_draws(const LaunchArg *arg, uint8_t *bytes, uint64_t first, const uint32_t *draws, uint64_t count) {
  int size = launch_type_size(arg->type);
  bool is_float = launch_type_is_float(arg->type);
  float units[FILL_CHUNK];
  if (is_float) ls_mt_units(draws, units, (size_t)count);
  if (arg->type == LAUNCH_F32) memcpy(bytes + first * sizeof *units, units, (size_t)count * sizeof *units);
  else if (!is_float && size == sizeof *draws)
    memcpy(bytes + first * sizeof *draws, draws, (size_t)count * sizeof *draws);
  else
    for (uint64_t i = 0; i < count; i++)
      put(bytes, size, first + i, is_float ? launch_bits(arg->type, (double)units[i]) : draws[i]);
}

static void fill_random(const LaunchArg *arg, uint8_t *bytes) {
  LsMt mt;
  uint32_t draws[FILL_CHUNK];
  ls_mt_seed(&mt, (uint32_t)arg->init_value);
  for (uint64_t first = 0, count; first < arg->count; first += count) {
    count = LS_MIN(arg->count - first, FILL_CHUNK);
    ls_mt_draw(&mt, draws, (size_t)count);
    put_draws(arg, bytes, first, draws, count);
  }
}

// The rest of a buffer goes on like its first elements.
static void repeat(uint8_t *bytes, size_t known, size_t size) {
  for (; known < size; known += LS_MIN(known, size - known)) memcpy(bytes + known, bytes, LS_MIN(known, size - known));
}

static void fill_count(const LaunchArg *arg, uint8_t *bytes, uint64_t modulus) {
  int size = launch_type_size(arg->type);
  uint64_t different = modulus ? LS_MIN(arg->count, modulus) : arg->count;
  for (uint64_t i = 0; i < different; i++) put(bytes, size, i, index_bits(arg->type, i));
  if (different) repeat(bytes, (size_t)(different * (uint64_t)size), (size_t)(arg->count * (uint64_t)size));
}

static void fill_const(const LaunchArg *arg, uint8_t *bytes) {
  int size = launch_type_size(arg->type);
  if (!arg->count) return;
  put(bytes, size, 0, launch_bits(arg->type, arg->init_value));
  repeat(bytes, (size_t)size, (size_t)(arg->count * (uint64_t)size));
}

bool launch_fill(const LaunchArg *arg, void *bytes) {
  size_t size = (size_t)arg->count * (size_t)launch_type_size(arg->type);
  switch (arg->init) {
    case LAUNCH_NONE: return false;
    case LAUNCH_ZERO: memset(bytes, 0, size); break;
    case LAUNCH_IOTA: fill_count(arg, bytes, 0); break;
    case LAUNCH_MOD: fill_count(arg, bytes, arg->init_value >= 1 ? (uint64_t)arg->init_value : 1); break;
    case LAUNCH_CONST: fill_const(arg, bytes); break;
    case LAUNCH_RANDOM: fill_random(arg, bytes); break;
    case LAUNCH_DATA: if (arg->data) memcpy(bytes, arg->data, size); break;
  }
  return true;
}
