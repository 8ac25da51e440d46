// random.c: MT19937 and a byte hash.
#include "base/random.h"

#include <time.h>

#include "base/digest.h"

enum { MT_SIZE = 624, MT_SHIFT = 397 };

void ls_mt_seed(LsMt *mt, uint32_t seed) {
  mt->state[0] = seed;
  for (uint32_t i = 1; i < MT_SIZE; i++)
    mt->state[i] = 1812433253u * (mt->state[i - 1] ^ (mt->state[i - 1] >> 30)) + i;
  mt->next = MT_SIZE;
}

static uint32_t twisted(uint32_t high, uint32_t low, uint32_t far) {
  uint32_t y = (high & 0x80000000u) | (low & 0x7fffffffu);
  return far ^ (y >> 1) ^ ((0u - (y & 1)) & 0x9908b0dfu);
}

// In three stretches, so that no index goes round and a compiler does several elements at once.
static void refill(LsMt *mt) {
  uint32_t *state = mt->state;
  for (int i = 0; i < MT_SIZE - MT_SHIFT; i++) state[i] = twisted(state[i], state[i + 1], state[i + MT_SHIFT]);
  for (int i = MT_SIZE - MT_SHIFT; i < MT_SIZE - 1; i++)
    state[i] = twisted(state[i], state[i + 1], state[i + MT_SHIFT - MT_SIZE]);
  state[MT_SIZE - 1] = twisted(state[MT_SIZE - 1], state[0], state[MT_SHIFT - 1]);
  mt->next = 0;
}

static uint32_t tempered(uint32_t y) {
  y ^= y >> 11;
  y ^= (y << 7) & 0x9d2c5680u;
  y ^= (y << 15) & 0xefc60000u;
  return y ^ (y >> 18);
}

uint32_t ls_mt_u32(LsMt *mt) {
  if (mt->next >= MT_SIZE) refill(mt);
  return tempered(mt->state[mt->next++]);
}

void ls_mt_draw(LsMt *mt, uint32_t *out, size_t count) {
  while (count > 0) {
    if (mt->next >= MT_SIZE) refill(mt);
    size_t left = (size_t)(MT_SIZE - mt->next), some = count < left ? count : left;
    const uint32_t *state = mt->state + mt->next;
    for (size_t i = 0; i < some; i++) out[i] = tempered(state[i]);
    mt->next += (int)some;
    out += some;
    count -= some;
  }
}

static inline float unit(uint32_t draw) {
  float x = (float)draw * 0x1p-32f;
  return x < 1.0f ? x : 0x1.fffffep-1f;
}

void ls_mt_units(const uint32_t *draws, float *out, size_t count) {
  for (size_t i = 0; i < count; i++) out[i] = unit(draws[i]);
}

float ls_mt_f32(LsMt *mt) { return unit(ls_mt_u32(mt)); }

uint64_t ls_hash64(const void *data, size_t size) {
  const uint8_t *bytes = data;
  uint64_t hash = 14695981039346656037u;
  for (size_t i = 0; i < size; i++) hash = (hash ^ bytes[i]) * 1099511628211u;
  return hash;
}

uint64_t ls_random_bits(void) {
  uint64_t bits = 0;
  return ls_random_bytes(&bits, sizeof bits, NULL) ? bits : (uint64_t)time(NULL) * 0x9e3779b97f4a7c15u;
}
