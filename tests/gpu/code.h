// code.h: random PTX instructions over a small pool of registers.
//
// Floating-point values have registers of their own and reach the others through mov, as in compiled code: the driver's
// compiler mistakes the type of a register that is used as both.
//
// A row holds one value of 64 bits for each register of the pool: %h0.. (16 bits), %g0.. (f16, bf16), %r0.. (32 bits,
// pairs of f16), %f0.. (f32), %d0.. (64 bits), %e0.. (f64), predicates %p0... Every thread loads its row before the
// first random instruction and stores one after the last.
// Only operations whose result PTX states to the bit are used; where PTX states nothing (a divisor of zero) the code
// keeps away from it.
#ifndef LS_TESTS_GPU_CODE_H
#define LS_TESTS_GPU_CODE_H

#include "forms.h"
#include "rng.h"

enum { CODE_HALVES = 4, CODE_WORDS = 7, CODE_DOUBLES = 5, CODE_PREDS = 4, CODE_FLOATS = 4, CODE_ROW = 32 };

typedef struct Code {
  Rng rng;
  LsText *out;
  const Forms *forms;
  bool full_warps;      // all 32 lanes of every warp stand here together
  bool has_row;         // %row is the address of the thread's row of inputs
} Code;

void code_declare(Code *code);                       // the registers of the pool
void code_load_row(Code *code);                      // from [%row]
void code_store_row(Code *code, const char *base);   // to [base]
void code_instruction(Code *code);
void code_instructions(Code *code, int least, int more);

// A random register of the pool: "%r5" for 32 bits, "%f2" for an f32, "%h1" for 8 and 16 bits, a predicate for 1 bit.
// Borrowed, a few at a time.
const char *code_reg(Code *code, int bits);
const char *code_reg_of(Code *code, PtxType type);
const char *code_other(Code *code, PtxType type, const char *taken);   // another one
// Copies text into the program; %d, %a, %b and %c become registers of the types' widths (NOTYPE: not used).
void code_fill(Code *code, const char *text, PtxType result, const PtxType operands[VEC_SOURCES]);

const char *code_slot_name(int slot);                // of a row: "%r3"
uint8_t *code_rows(Rng *rng, uint64_t threads);      // inputs; caller frees

#endif
