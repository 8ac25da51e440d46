// matrix.h: matrices that lie in the registers of a warp: mma, wmma, ldmatrix, stmatrix, movmatrix.
//
// A fragment is the part of a matrix that one lane holds: `per_lane` elements, packed into registers from the low bits
// up. For mma the element of a lane lies where PTX ISA 9.7.14 says (g = lane / 4, t = lane % 4, e elements per register):
//
//   A  register r, element j:  row g + 8 (r % 2),  column 4 e (r / 2) + t e + j
//   B  register r, element j:  row 4 e r + t e + j,  column g
//   C, D  element i:           row g + 8 (i / 2),  column 2 t + i % 2
//
// For wmma it is not told, and lanes hold consecutive elements in the order of memory: lane l has those from l per_lane
// on, by rows or (A and B as the instruction says) by columns. A register beyond these holds them once more.
#ifndef LS_SIM_MATRIX_H
#define LS_SIM_MATRIX_H

#include "sim/internal.h"

typedef enum MatrixRole { MATRIX_A, MATRIX_B, MATRIX_C } MatrixRole;
enum { MATRIX_REGS = 16, MATRIX_MOST = 32 * 32, MATRIX_LANE_BYTES = 8 * MATRIX_REGS };

typedef struct MatrixFragment {
  uint8_t role, type;        // MatrixRole, PtxType of an element
  uint8_t bits, reg_bytes;   // of an element; of a register: 4 or 8
  bool opaque, by_column;    // wmma; the order of its elements
  int rows, cols, per_lane;
  int reg_count;
  uint32_t slots[MATRIX_REGS];
} MatrixFragment;

typedef struct MatrixShape { int m, n, k; } MatrixShape;

bool matrix_shape(const char *name, MatrixShape *shape);   // ".m16n8k16" anywhere in the name
// Takes the registers of an operand; false with d->why if they cannot be a fragment of this role and type.
bool matrix_fragment(SimDecoder *d, const PtxOperand *operand, MatrixRole role, int type, MatrixShape shape,
                     MatrixFragment *out);
void matrix_place(const MatrixFragment *f, int lane, int i, int *row, int *col);   // of element i of a lane
void matrix_take(Sim *sim, const MatrixFragment *f, uint8_t bytes[SIM_LANES][MATRIX_LANE_BYTES]);   // from registers
void matrix_give(Sim *sim, const MatrixFragment *f, uint8_t bytes[SIM_LANES][MATRIX_LANE_BYTES]);   // into registers
// The lanes that execute a matrix instruction together, 0 if some are still to come: see sim_gather_members.
SimWarpOp matrix_everybody(Sim *sim);

bool matrix_decode_move(SimDecoder *d);      // ldmatrix, stmatrix, movmatrix
bool matrix_decode_wmma(SimDecoder *d);      // wmma.load, wmma.store

#endif
