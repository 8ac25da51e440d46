// vec.h: what a real GPU answered, form by form (tests/unit/sim/vectors/*.vec), and the PTX that asks the same question again.
//
// A file holds the forms of one opcode:
//   form NAME
//   op TEXT         one instruction, or a { } block; %d is the result, %a %b %c are the operands
//   in TYPE ...
//   out TYPE
//   INPUT ... = OUTPUT      64 rows of hexadecimal digits; row i is thread i of one block
//   end
#ifndef LS_TESTS_VEC_H
#define LS_TESTS_VEC_H

#include <stdbool.h>
#include <stdint.h>
#include "base/error.h"
#include "base/text.h"
#include "ptx/ptx.h"

enum { VEC_ROWS = 64, VEC_SOURCES = 3 };

typedef struct VecForm {
  char name[80], op[256];
  PtxType in[VEC_SOURCES], out;
  int sources;
  uint64_t inputs[VEC_SOURCES][VEC_ROWS], outputs[VEC_ROWS];
} VecForm;

// All forms of a file; the caller frees them. NULL with an error if the file is not in this form.
VecForm *vec_read(const char *path, int *count, LsErr *err);
// Paths of all files in tests/ptx, sorted; the caller frees each and the array.
char **vec_files(int *count);

// An entry `form` with a parameter per operand and one for the result: buffers with an element per thread.
void vec_ptx(const VecForm *form, LsText *out);

#endif
