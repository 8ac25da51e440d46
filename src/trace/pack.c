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
