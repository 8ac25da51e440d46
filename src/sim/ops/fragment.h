// fragment.h: the part of a matrix that one lane holds, and the places in memory that wmma.load and wmma.store take it from.
//
// The emulator works by this, and so does whoever tells a GPU's wmma from what stands in its registers: an address and a
// stride. How the elements of a fragment of mma lie is told in matrix.h. For wmma it is not told by anybody, and lanes hold
// consecutive elements in the order of memory: lane l has those from l per_lane on, by rows or (A and B as the instruction
// says) by columns.
#ifndef LS_SIM_FRAGMENT_H
#define LS_SIM_FRAGMENT_H

#include "ptx/module.h"

typedef enum MatrixRole { MATRIX_A, MATRIX_B, MATRIX_C } MatrixRole;
enum { MATRIX_LANES = 32, MATRIX_QUADS = 4, MATRIX_REGS = 16 };
enum { MATRIX_MOST = 32 * 32, MATRIX_LANE_BYTES = 8 * MATRIX_REGS };

typedef struct MatrixFragment {
  uint8_t role, type;        // MatrixRole, PtxType of an element
  uint8_t bits, reg_bytes;   // of an element; of a register: 4 or 8
  bool opaque, by_column;    // wmma; the order of its elements
  bool quads;                // four products side by side: A and C one below the other, B one beside the other
  int rows, cols, per_lane;
  int reg_count;
  uint32_t slots[MATRIX_REGS];
} MatrixFragment;

bool matrix_is_8x8(const PtxInstr *in);   // .m8n8: tiles of ldmatrix and its kin
bool matrix_in_quads(const PtxInstr *in);   // mma.m8n8k4 of f16: four products, each by two groups of four lanes
// What an operand of an instruction is, but for its slots; false if its registers cannot be a fragment of this role and type.
bool matrix_form(const PtxInstr *in, const PtxOperand *operand, MatrixRole role, int type, PtxShape shape, MatrixFragment *out);
void matrix_place(const MatrixFragment *f, int lane, int i, int *row, int *col);   // of element i of a lane

// A wmma.load or wmma.store: `chunk` bytes of each lane at a time, an access of memory each, `chunks` times.
typedef struct MatrixTransfer {
  MatrixFragment fragment;   // without slots
  bool load, by_column;      // the order of memory
  int chunk, chunks;
  int line;                  // elements from one row (or column) to the next, where the instruction does not say
  const PtxOperand *list, *address, *stride;   // stride may be NULL
} MatrixTransfer;

// False if this is none, or one of a form that is not known.
bool matrix_transfer(const PtxInstr *in, MatrixTransfer *out);
// How far behind the start of the matrix chunk i of a lane lies, in bytes.
uint64_t matrix_chunk_at(const MatrixTransfer *t, int lane, int i, uint32_t stride);

#endif
