// tidy.h: PTX of clang brought nearer to what nvcc writes, where only the compiler's habits differ.
#ifndef LS_DEVICE_TIDY_H
#define LS_DEVICE_TIDY_H

#include <stddef.h>

// Both give a new text, which the caller frees; *length is that of the text before and of the result after.

// Of -O0: every scalar of the stack whose address nobody takes in a register of its own, and the debug information
// saying so. What is an array, a structure, volatile, or looked at in pieces stays where it is, as does everything that
// this cannot read.
char *tidy_stack(const char *ptx, size_t *length);

// Of -O2: a loop that ends with a branch out and a branch back gets one branch back, as ptxas would do.
char *tidy_branches(const char *ptx, size_t *length);

#endif
