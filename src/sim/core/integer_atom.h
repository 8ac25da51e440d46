// integer_atom.h: what an atomic on an integer leaves in memory (PTX ISA: atom, red, red.async).
#ifndef LS_SIM_INTEGER_ATOM_H
#define LS_SIM_INTEGER_ATOM_H

#include <stdint.h>
#include "base/mem.h"
#include "ptx/ptx.h"

static inline uint64_t sim_integer_atom_signed(PtxMode op, int64_t old, int64_t b) {
  return (uint64_t)(op == PTX_AT_MIN ? LS_MIN(old, b) : LS_MAX(old, b));
}

static inline uint64_t sim_integer_atom_unsigned(PtxMode op, uint64_t old, uint64_t b) {
  switch (op) {
  case PTX_AT_ADD: return old + b;
  case PTX_AT_AND: return old & b;
  case PTX_AT_OR: return old | b;
  case PTX_AT_XOR: return old ^ b;
  case PTX_AT_MIN: return LS_MIN(old, b);
  case PTX_AT_MAX: return LS_MAX(old, b);
  case PTX_AT_INC: return old >= b ? 0 : old + 1;
  case PTX_AT_DEC: return old == 0 || old > b ? b : old - 1;
  default: return b;   // exch
  }
}

// 4 or 8 bytes, zero-extended; of a result of 4 bytes the low half counts.
static inline uint64_t sim_integer_atom(PtxMode op, PtxType type, uint64_t old, uint64_t b) {
  bool is_signed = (op == PTX_AT_MIN || op == PTX_AT_MAX) && ptx_type_is_signed(type);
  if (!is_signed) return sim_integer_atom_unsigned(op, old, b);
  if (ptx_type_size(type) == 4) return sim_integer_atom_signed(op, (int32_t)old, (int32_t)b);
  return sim_integer_atom_signed(op, (int64_t)old, (int64_t)b);
}

#endif
