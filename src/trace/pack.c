// pack.c: a number of each of 32 lanes in few bytes: loops without branches, compiled for each instruction set.
#include "trace/pack.h"
#include "base/loops.h"

enum { LANES = 32 };
#define TOP (1ull << 63)

LS_CLONES
bool trace_are_shifted(const uint64_t value[32], const uint64_t from[32], uint64_t by) {
  uint64_t wrong = 0;
  for (int i = 0; i < LANES; i++) wrong |= value[i] - from[i] - by;
  return !wrong;
}

// Some steps are looked at twice: whole vectors.
LS_CLONES
bool trace_are_in_steps(const uint64_t value[32], uint64_t step) {
  uint64_t wrong = 0;
  for (int i = 0; i < LANES - 8; i++) wrong |= value[i + 1] - value[i] - step;
  for (int i = LANES - 9; i < LANES - 1; i++) wrong |= value[i + 1] - value[i] - step;
  return !wrong;
}

// Compared as signed numbers, which more instruction sets can.
LS_CLONES
uint64_t trace_lowest(const uint64_t value[32]) {
  int64_t lowest = INT64_MAX;
  for (int i = 0; i < LANES; i++) {
    int64_t here = (int64_t)(value[i] ^ TOP);
    lowest = here < lowest ? here : lowest;
  }
  return (uint64_t)lowest ^ TOP;
}

LS_CLONES
uint64_t trace_bits_above(const uint64_t value[32], uint64_t less) {
  uint64_t bits = 0;
  for (int i = 0; i < LANES; i++) bits |= value[i] - less;
  return bits;
}

#define NARROW(bits, Type)                                                                                  \
  LS_CLONES                                                                                                 \
  static void narrow##bits(uint8_t *out, const uint64_t value[32], uint64_t less, int shift) {              \
    Type narrow[LANES];                                                                                     \
    for (int i = 0; i < LANES; i++) narrow[i] = (Type)((value[i] - less) >> shift);                         \
    memcpy(out, narrow, sizeof narrow);                                                                     \
  }
NARROW(8, uint8_t)
NARROW(16, uint16_t)
NARROW(32, uint32_t)

// Writes all bytes of a number, of which the next one covers what is too much.
static void narrow_any(uint8_t *out, const uint64_t value[32], uint64_t less, int shift, int width) {
  for (int i = 0; i < LANES; i++, out += width) {
    uint64_t number = (value[i] - less) >> shift;
    memcpy(out, &number, sizeof number);
  }
}

void trace_pack(TraceBytes *out, const uint64_t value[32], uint64_t less, int shift, int width) {
  uint8_t *at = trace_bytes_room(out, (size_t)(LANES * width) + sizeof *value);
  switch (width) {
  case 1: narrow8(at, value, less, shift); break;
  case 2: narrow16(at, value, less, shift); break;
  case 4: narrow32(at, value, less, shift); break;
  default: narrow_any(at, value, less, shift, width);
  }
  out->size += (size_t)(LANES * width);
}

LS_CLONES
uint64_t trace_narrow(uint32_t *restrict to, const uint64_t from[32]) {
  uint64_t bits = 0;
  for (int i = 0; i < LANES; i++) bits |= from[i];
  for (int i = 0; i < LANES; i++) to[i] = (uint32_t)from[i];
  return bits >> 32;
}

LS_CLONES
bool trace_are_same(const uint32_t value[32]) {
  uint32_t other = 0;
  for (int i = 0; i < LANES; i++) other |= value[i] ^ value[0];
  return !other;
}

// ---- numbers of some bits ------------------------------------------------------------------------------------------

LS_CLONES
uint64_t trace_bits_apart(const uint64_t value[32], uint64_t less, uint64_t *all) {
  uint64_t any = 0, common = UINT64_MAX;
  for (int i = 0; i < LANES; i++) {
    any |= value[i] - less;
    common &= value[i] - less;
  }
  *all = any;
  return any ^ common;
}

// 8, 4, 2 or 1 of the bits of each lane.
LS_CLONES
static uint8_t *put_bytes(uint8_t *out, const uint32_t number[32], int from) {
  uint8_t bytes[LANES];
  for (int i = 0; i < LANES; i++) bytes[i] = (uint8_t)(number[i] >> from);
  memcpy(out, bytes, sizeof bytes);
  return out + sizeof bytes;
}

LS_CLONES
static uint8_t *put_nibbles(uint8_t *out, const uint32_t number[32], int from) {
  uint8_t bytes[LANES / 2];
  for (int i = 0; i < LANES / 2; i++)
    bytes[i] = (uint8_t)((number[i] >> from & 15) | (number[i + 16] >> from & 15) << 4);
  memcpy(out, bytes, sizeof bytes);
  return out + sizeof bytes;
}

static uint8_t *put_pairs(uint8_t *out, const uint32_t number[32], int from) {
  for (int i = 0; i < LANES / 4; i++) {
    unsigned byte = 0;
    for (int k = 0; k < 4; k++) byte |= (number[i + 8 * k] >> from & 3) << 2 * k;
    out[i] = (uint8_t)byte;
  }
  return out + LANES / 4;
}

static uint8_t *put_bits(uint8_t *out, const uint32_t number[32], int from) {
  uint32_t bits = 0;
  for (int i = 0; i < LANES; i++) bits |= (number[i] >> from & 1) << i;
  memcpy(out, &bits, sizeof bits);
  return out + sizeof bits;
}

LS_CLONES
static void make_numbers(uint32_t *restrict number, const uint64_t value[32], uint64_t less, int shift) {
  for (int i = 0; i < LANES; i++) number[i] = (uint32_t)((value[i] - less) >> shift);
}

void trace_pack_bits(TraceBytes *out, const uint64_t value[32], uint64_t less, int shift, int bits) {
  uint32_t number[LANES];
  uint8_t *start = trace_bytes_room(out, LANES * sizeof *number), *at = start;
  int from = 0;
  make_numbers(number, value, less, shift);
  for (; from + 8 <= bits; from += 8) at = put_bytes(at, number, from);
  if (bits & 4) at = put_nibbles(at, number, from), from += 4;
  if (bits & 2) at = put_pairs(at, number, from), from += 2;
  if (bits & 1) at = put_bits(at, number, from);
  out->size += (size_t)(at - start);
}

// One piece of trace_pack_bits: `count` bits of each lane.
static const uint8_t *add_bits(uint32_t number[32], const uint8_t *in, int from, int count) {
  int bytes = LANES * count / 8;
  for (int i = 0; i < LANES && count > 1; i++)
    number[i] |= ((uint32_t)in[i % bytes] >> count * (i / bytes) & ((1u << count) - 1)) << from;
  for (int i = 0; i < LANES && count == 1; i++) number[i] |= ((uint32_t)in[i / 8] >> i % 8 & 1) << from;
  return in + bytes;
}

void trace_unpack_bits(const uint8_t *in, uint64_t value[32], uint64_t less, int shift, int bits) {
  uint32_t number[LANES] = {0};
  int from = 0;
  for (; from + 8 <= bits; from += 8) in = add_bits(number, in, from, 8);
  for (int count = 4; count; count /= 2)
    if (bits & count) in = add_bits(number, in, from, count), from += count;
  for (int i = 0; i < LANES; i++) value[i] = less + ((uint64_t)number[i] << shift);
}
