// matrices_sparse.c: metadata of sparse matrices.
#include "matrices_sparse.h"
#include <string.h>

enum { GROUP = 4, BITS = 4 };   // lanes that tell of two rows; bits that tell of a chunk

typedef struct Chunks { int elements, stored; } Chunks;

static Chunks chunks_of(const Matrices *m) {
  switch (m->types[MATRICES_A]) {
  case PTX_TF32: return (Chunks){2, 1};
  case PTX_S4: case PTX_U4: return (Chunks){8, 4};
  default: return (Chunks){4, 2};
  }
}

static int row_bits(const Matrices *m) { return m->shape.k / chunks_of(m).elements * BITS; }   // 16, 32 or 64

int sparsity_selectors(const Matrices *m) { return GROUP * 16 / row_bits(m); }

// The lane and the lowest bit that tell of a chunk (PTX ISA 9.7.14.6.2, figures of the metadata).
static int place_of(const Matrices *m, int row, int chunk, int *bit) {
  int first = row % 8 * GROUP + m->selector * row_bits(m) / 16;
  if (m->parts[MATRICES_A].bits > 8) {
    *bit = chunk % 4 * BITS + row / 8 * 16;
    return first + chunk / 4;
  }
  *bit = chunk % 8 * BITS;
  return first + chunk / 8 * 2 + row / 8;
}

static uint32_t valid_bits(const Matrices *m, Rng *rng) {
  bool ordered = strcmp(m->form->sparse, "sp") != 0;
  if (chunks_of(m).stored == 1) return rng_chance(rng, 2) ? 0x4 : 0xe;
  uint32_t first = rng_below(rng, 4), second = (first + 1 + rng_below(rng, 3)) % 4;
  return ordered && first > second ? second | first << 2 : first | second << 2;
}

void sparsity_fill(const Matrices *m, Rng *rng, uint32_t metadata[MATRIX_LANES]) {
  for (int lane = 0; lane < MATRIX_LANES; lane++) metadata[lane] = (uint32_t)rng_next(rng);
  for (int row = 0; row < m->shape.m; row++)
    for (int chunk = 0; chunk < row_bits(m) / BITS; chunk++) {
      int bit, lane = place_of(m, row, chunk, &bit);
      metadata[lane] = (metadata[lane] & ~(15u << bit)) | valid_bits(m, rng) << bit;
    }
}

int sparsity_column(const Matrices *m, const uint32_t metadata[MATRIX_LANES], int row, int i) {
  Chunks c = chunks_of(m);
  int chunk = i / c.stored, within = i % c.stored, bit, lane = place_of(m, row, chunk, &bit);
  uint32_t bits = metadata[lane] >> bit & 15;
  if (c.stored == 1) return chunk * c.elements + (bits == 0xe);
  if (c.stored == 4) return chunk * c.elements + 2 * (int)(bits >> (within / 2 * 2) & 3) + within % 2;
  return chunk * c.elements + (int)(bits >> (within * 2) & 3);
}
