// column.h: a formula over all elements of buffers, worked out in C a chunk of elements at a time.
//
// A column is a node of a formula: the number of the element, a constant, elements of a buffer, or an operation on
// other columns. Nodes may be shared: each is worked out once per chunk. Arithmetic is Lua's: integers of 64 bits that
// wrap around, doubles, // and % that round down.
//
//   x + x[i - 1]:    ADD ─┬─ AT x ── INDEX
//                         └─ AT x ── SUBTRACT ─┬─ INDEX
//                                              └─ CONSTANT 1
//
// An element that there is none of (beyond the buffer, divided by the integer 0) is absent; what is made of it is, too,
// unless a PICK leaves it aside. Whoever needs an absent element tells why there is none.
#ifndef LS_SCRIPT_COLUMN_H
#define LS_SCRIPT_COLUMN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "launch/launch.h"

enum { COLUMN_CHUNK = 256, COLUMN_OPERANDS = 3, COLUMN_DEPTH = 1024 };
#define COLUMN_ENDLESS UINT64_MAX    // the length of a constant, or of the numbers of the elements

typedef enum ColumnOp {
#define COLUMN_OP(ID, name, operands, kind) COLUMN_##ID,
#include "script/column.def"
#undef COLUMN_OP
  COLUMN_OPS,                      // those above are element by element
  COLUMN_INDEX = COLUMN_OPS,       // the number of the element
  COLUMN_CONSTANT,
  COLUMN_TO_FLOAT,                 // of integers
  COLUMN_AT,                       // the element of a buffer whose number is operand 0
  COLUMN_PICK,                     // operand 1 where operand 0 is not 0, else operand 2
  COLUMN_PRODUCT,                  // of two matrices in rows, source[0] and source[1]: their element of this number
} ColumnOp;

typedef enum ColumnKind { COLUMN_ARITHMETIC, COLUMN_FLOAT, COLUMN_BITS, COLUMN_TRUTH } ColumnKind;
typedef struct ColumnDef { const char *name; int operands; ColumnKind kind; } ColumnDef;
const ColumnDef *column_def(ColumnOp op);            // of op < COLUMN_OPS

// Where elements are read; the bytes are borrowed.
typedef struct ColumnSource { const uint8_t *bytes; uint64_t count; LaunchType type; char name[48]; } ColumnSource;

typedef union ColumnValues { int64_t integer[COLUMN_CHUNK]; double number[COLUMN_CHUNK]; } ColumnValues;

typedef struct Column {
  ColumnOp op;
  bool is_float, any_absent;
  int depth;                       // of nodes below each other
  uint64_t length;                 // elements there are
  struct Column *operand[COLUMN_OPERANDS];   // borrowed
  ColumnSource source[2];
  uint64_t inner, width;           // of a product: its terms, and elements in a row of the result
  uint64_t chunk;                  // the one that values and absent are of; 0: none yet
  ColumnValues values;
  uint8_t absent[COLUMN_CHUNK];
} Column;

// The elements that are asked for, at most COLUMN_CHUNK of them. number: one that no chunk before had, from 1.
typedef struct ColumnChunk { int64_t at[COLUMN_CHUNK]; int count; uint64_t number, work; } ColumnChunk;

// Elements first, first + stride, ..., below count. False: there are none left.
bool column_chunk_begin(ColumnChunk *chunk, uint64_t first, uint64_t stride, uint64_t count, uint64_t number);

// Fill a node; operands of an operation that takes floats have to be of floats (COLUMN_TO_FLOAT).
void column_index(Column *column, uint64_t length);
void column_integer(Column *column, int64_t value);
void column_number(Column *column, double value);
void column_at(Column *column, const ColumnSource *source, Column *index);
void column_operate(Column *column, ColumnOp op, Column *const operands[], int count);
void column_product(Column *column, const ColumnSource *a, const ColumnSource *b, uint64_t inner, uint64_t width);

// Works out the chunk's elements, and adds to chunk->work what that took, in elements of nodes.
void column_evaluate(Column *column, ColumnChunk *chunk);
// Of an absent element of the chunk: "in[-1] does not exist: the buffer has elements 0 to 99".
void column_why_absent(const Column *column, const ColumnChunk *chunk, int lane, LsText *out);
static inline double column_value(const Column *column, int lane) {
  return column->is_float ? column->values.number[lane] : (double)column->values.integer[lane];
}

#endif
