// care.h: operands that random code has to keep away from: where PTX leaves a result open, or where the driver's
// compiler (580, for CUDA 13.0) is known to go its own way. README.md shows an example of each. The vectors, where
// every instruction stands alone, take all operands.
#ifndef LS_TESTS_GPU_CARE_H
#define LS_TESTS_GPU_CARE_H

#include "forms.h"

typedef enum Care {
  CARE_NONE,
  CARE_NONZERO,     // a divisor: PTX says nothing of zero
  CARE_BYTE,        // of a field of 64 bits: beyond 255 the compiler does not take the low byte
  CARE_DISTANCE,    // of a shift: what a floating-point operation left in a register is converted to an integer
  CARE_ONE_NAN,     // f64 keeps one of several NaNs, and the compiler swaps operands: all NaNs become the same
  CARE_NUMBER,      // no NaN: the sign and payload of -NaN and |NaN| are open; of a NaN as a 64-bit integer, the value
  CARE_NOT_LEAST,   // the least integer has no negative: the compiler goes on with more bits
} Care;

Care care_of(const VecForm *form, int source);
// Writes instructions that put a harmless copy of register `from` into `to` (declared here, with %n, inside a block).
void care_copy(LsText *out, Care care, PtxType type, const char *from, const char *to);

bool care_leave_out(const VecForm *form);       // no use in random code at all
bool care_may_be_guarded(const VecForm *form);

#endif
