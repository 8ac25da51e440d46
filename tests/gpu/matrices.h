// matrices.h: programs that multiply small matrices, mma and wmma, with operands at the edges of their types.
//
// A program is an instruction and a kind of operands. Each warp has a tile of its own: it loads fragments of A, B and
// C, multiplies once and stores D. The fragments of mma lie in memory as lanes hold them, those of wmma as matrices: A
// by rows, B by columns, C and D by rows. A tile's input is A, B and C, its output D. A sparse A is of half the
// columns; behind C lies a word of metadata for each lane. The four products of m8n8k4 are one tile: A and C one below
// the other, B one beside the other.
#ifndef LS_TESTS_GPU_MATRICES_H
#define LS_TESTS_GPU_MATRICES_H

#include "batch.h"
#include "gpu_driver.h"
#include "sim/ops/fragment.h"

typedef struct MatricesForm {
  const char *shape, *types;       // "m16n8k16", "f32.f16.f16.f32": d, a, b, c
  bool wmma, clamps;
  const char *counts;              // ".and.popc": behind the types of bits; else ""
  const char *sparse;              // "sp", "sp::ordered_metadata"; else ""
  const char *layouts;             // "row.col": of A and B
} MatricesForm;

// A form, taken apart; the detail of a program.
typedef struct Matrices {
  const MatricesForm *form;
  PtxShape shape;
  PtxType types[4];                // d, a, b, c
  MatrixFragment parts[4];
  int depth, selector;             // products of a sum; whose metadata counts
  bool quads;                      // four products
  uint32_t tile_bytes, tiles;      // of the input; how many
} Matrices;
enum { MATRICES_MOST = 16 * 256, MATRICES_DEPTH = 256 };   // elements of a part; products of a sum
enum { MATRICES_D, MATRICES_A, MATRICES_B, MATRICES_C };

int matrices_programs(void);
// "tensor mma m16n8k16 f32.f16.f16.f32, wide"; the caller's to hold. number < matrices_programs().
void matrices_name(int number, char *name, size_t size);
// Appends program `number` with at least so many results.
void matrices_add(Batch *batch, int number, uint64_t seed, uint64_t results);
void matrices_batch_init(Batch *batch);   // with the version of PTX that has all of the forms

// Bits of the elements of A, B or C in a tile, by rows; and which element of D a place of the second buffer is.
void matrices_operands(const Matrices *m, const Buffers *before, int part, uint64_t tile, uint64_t *by_rows);
// The products of an element of D: a and b as matrices_operands gives them.
void matrices_factors(const Matrices *m, const Buffers *before, const uint64_t *a, const uint64_t *b, uint64_t tile,
                      int row, int col, uint64_t *left, uint64_t *right);
void matrices_result_at(const Matrices *m, uint64_t index, uint64_t *tile, int *row, int *col);

// What a device answers to the first tiles of every program, as a file for test_matrices: a line each, the program's
// name and the hash of its results.
enum { MATRICES_KEPT = 1, MATRICES_KEPT_SEED = 1 };   // results at least: a block of tiles
void matrices_keep_line(const Program *program, const uint8_t *results, uint64_t size, LsText *out);
bool matrices_keep(Gpu *gpu, int level, const char *path, LsErr *err);

#endif
