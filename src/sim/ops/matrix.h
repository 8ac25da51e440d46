// matrix.h: matrices that lie in the registers of a warp: mma, wmma, ldmatrix, stmatrix, movmatrix.
//
// Fragments (fragment.h) are packed into registers from the low bits up. For mma the element of a lane lies where PTX ISA
// 9.7.14 says (g = lane / 4, t = lane % 4, e elements per register):
//
//   A  register r, element j:  row g + 8 (r % 2),  column 4 e (r / 2) + t e + j
//   B  register r, element j:  row 4 e r + t e + j,  column g
//   C, D  element i:           row g + 8 (i / 2),  column 2 t + i % 2
//
// A sparse A (sparse.h) lies like a dense one of half the columns. m8n8k4 of f16 is four products, each of lanes 4 q to
// 4 q + 3 and those 16 behind them (l = 4 for these, else 0). Rows of A and C and columns of B count on from product to
// product:
//
//   A  element i:  row t + l, column i; from columns: row i + l, column t          B: the same, transposed
//   C, D  element i:  row t + l, column i; of f32: row t % 2 + i / 2 % 2 * 2 + l, column i / 4 * 4 + t / 2 * 2 + i % 2
//
// A register of wmma beyond its elements holds them once more.
#ifndef LS_SIM_MATRIX_H
#define LS_SIM_MATRIX_H

#include "sim/core/exec.h"
#include "sim/decode/decode.h"
#include "sim/ops/fragment.h"

// Takes the registers of an operand; false with d->why if they cannot be a fragment of this role and type.
bool matrix_fragment(SimDecoder *d, const PtxOperand *operand, MatrixRole role, int type, PtxShape shape,
                     MatrixFragment *out);
void matrix_take(SimExec *exec, const MatrixFragment *f, uint8_t bytes[SIM_LANES][MATRIX_LANE_BYTES]);   // from registers
void matrix_give(SimExec *exec, const MatrixFragment *f, uint8_t bytes[SIM_LANES][MATRIX_LANE_BYTES]);   // into registers
// The lanes that execute a matrix instruction together, 0 if some are still to come: see sim_gather_members.
SimWarpOp matrix_everybody(SimProgram *program);

bool matrix_decode_move(SimDecoder *d);      // ldmatrix, stmatrix, movmatrix
bool matrix_decode_wmma(SimDecoder *d);      // wmma.load, wmma.store

#endif
