// registers.h: variables that clang -O0 keeps on the stack, put into registers, where nvcc -G has them.
#ifndef LS_DEVICE_REGISTERS_H
#define LS_DEVICE_REGISTERS_H

#include <stddef.h>

// The same PTX with every scalar of the stack whose address nobody takes in a register of its own, and the debug information saying
// so. What is an array, a structure, volatile, or looked at in pieces stays where it is, as does everything that this cannot read.
// Caller frees; *length is that of the result.
char *registers_from_stack(const char *ptx, size_t *length);

#endif
