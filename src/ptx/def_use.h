// def_use.h: what an instruction writes (its definitions) and what it reads (its uses).
//
//   for (PtxRef r = {0}; ptx_each_def(in, &r);)
//     if (r.kind == PTX_REF_REG) ...                 r.reg is a register that the instruction writes
//
// Both go through the operands in order, into vectors, argument lists and brackets, and give one name at a time. What
// is written and what is read stands in ops.def, row by row; nobody else lists opcodes for it.
//
// Memory is no definition and no use: ptx_role tells of an operand that it is an address and what happens there; the
// registers that the address is made of are uses. With a guard that is false nothing is written, so a definition of a
// guarded instruction may leave the old value.
#ifndef LS_PTX_DEF_USE_H
#define LS_PTX_DEF_USE_H

#include "ptx/module.h"

typedef enum PtxRefKind {
  PTX_REF_REG,       // register `reg` of the instruction's function
  PTX_REF_VAR,       // variable `var`: its address, or a call's argument or result
  PTX_REF_CARRY,     // the carry flag of .cc
} PtxRefKind;

typedef enum PtxRefWay { PTX_AS_VALUE, PTX_AS_ADDRESS, PTX_AS_GUARD } PtxRefWay;   // ADDRESS: the a of [a+4]

typedef struct PtxRef {
  uint8_t kind, way;       // PtxRefKind, PtxRefWay
  bool pair;               // the p of d|p
  bool element;            // of a vector, a list or brackets
  int reg, var;            // -1: not of this kind
  int operand;             // its place in the instruction; -1: guard, carry
  int step, leaf;          // of the walk: zero before it begins
} PtxRef;

// The next one; false: that were all. *ref is zero before the first.
bool ptx_each_def(const PtxInstr *in, PtxRef *ref);
bool ptx_each_use(const PtxInstr *in, PtxRef *ref);

bool ptx_defines(const PtxInstr *in, int reg);
bool ptx_reads_carry(const PtxInstr *in);

// What becomes of operand i. An ADDRESS or IMAGE: of what is there.
enum { PTX_ROLE_READ = 1, PTX_ROLE_WRITTEN = 2, PTX_ROLE_ADDRESS = 4, PTX_ROLE_IMAGE = 8 };
unsigned ptx_role(const PtxInstr *in, int operand);

// The first operand in brackets that is an address of memory; NULL: none is.
const PtxOperand *ptx_address(const PtxInstr *in);

// The letters of ops.def for a form; the parser keeps them in PtxInstr.roles.
const char *ptx_roles(const PtxInstr *in);

#endif
