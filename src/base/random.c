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

static void refill(LsMt *mt) {
  for (int i = 0; i < MT_SIZE; i++) {
    uint32_t y = (mt->state[i] & 0x80000000u) | (mt->state[(i + 1) % MT_SIZE] & 0x7fffffffu);
    mt->state[i] = mt->state[(i + MT_SHIFT) % MT_SIZE] ^ (y >> 1) ^ (y & 1 ? 0x9908b0dfu : 0);
  }
  mt->next = 0;
}

uint32_t ls_mt_u32(LsMt *mt) {
  if (mt->next >= MT_SIZE) refill(mt);
  uint32_t y = mt->state[mt->next++];
  y ^= y >> 11;
  y ^= (y << 7) & 0x9d2c5680u;
  y ^= (y << 15) & 0xefc60000u;
  return y ^ (y >> 18);
}

float ls_mt_f32(LsMt *mt) {
  float x = (float)ls_mt_u32(mt) * 0x1p-32f;
  return x < 1.0f ? x : 0x1.fffffep-1f;
}

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
