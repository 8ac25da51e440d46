// sparse.c: where the stored elements of a sparse matrix stand.
#include "sim/ops/sparse.h"

enum { BITS = 4, INDEX = 2, GROUP = 4, HALF_ROWS = 8 };

bool sparse_form(PtxType type, int k, uint64_t selector, SparseForm *out) {
  *out = (SparseForm){.chunk = 4, .stored = 2, .together = 1};
  if (type == PTX_TF32) *out = (SparseForm){.chunk = 2, .stored = 1, .together = 1};
  if (type == PTX_U4 || type == PTX_S4) *out = (SparseForm){.chunk = 8, .stored = 4, .together = 2};
  int bits = k / out->chunk * BITS;   // of a row
  if (bits != 16 && bits != 32 && bits != 64) return false;
  out->lanes = (uint8_t)(bits / 16);
  out->whole_rows = type != PTX_F16 && type != PTX_BF16 && type != PTX_TF32;
  out->selector = (uint8_t)selector;
  return selector < (uint64_t)(GROUP / out->lanes);
}

static uint32_t chunk_bits(const SparseForm *form, const uint32_t *metadata, int row, int chunk) {
  int lower = row / HALF_ROWS, at = chunk * BITS;
  int lane = row % HALF_ROWS * GROUP + form->selector * form->lanes;
  if (form->whole_rows) return metadata[lane + at / 32 * 2 + lower] >> at % 32 & 15;
  return metadata[lane + at / 16] >> (at % 16 + 16 * lower) & 15;
}

int sparse_column(const SparseForm *form, const uint32_t metadata[SPARSE_LANES], int row, int i) {
  int chunk = i / form->stored, within = i % form->stored;
  uint32_t bits = chunk_bits(form, metadata, row, chunk);
  if (form->stored == 1) return chunk * form->chunk + (int)(bits >> 1 & 1);
  int index = (int)(bits >> within / form->together * INDEX & 3);
  return chunk * form->chunk + index * form->together + within % form->together;
}
