// random.h: MT19937 as published by Matsumoto and Nishimura (1998), the generator of the course's data.
#ifndef LS_BASE_RANDOM_H
#define LS_BASE_RANDOM_H

#include <stddef.h>
#include <stdint.h>

typedef struct LsMt { uint32_t state[624]; int next; } LsMt;
void ls_mt_seed(LsMt *mt, uint32_t seed);
uint32_t ls_mt_u32(LsMt *mt);
void ls_mt_draw(LsMt *mt, uint32_t *out, size_t count);   // the next ones, several at a time
// (float)draw * 2^-32, clamped to the largest float below 1.
void ls_mt_units(const uint32_t *draws, float *out, size_t count);
float ls_mt_f32(LsMt *mt);         // the same of the next draw

// By chance: from the system, or, where that has none, from the clock. For seeds and names, not for secrets.
uint64_t ls_random_bits(void);

// FNV-1a over bytes: names a text, nothing more.
uint64_t ls_hash64(const void *data, size_t size);

#endif
