// param_use.h: what becomes of the pointers that a kernel is given: which of them it loads through, and which it stores
// through, from its code alone.
//
// The registers of every function are followed from the pointer parameters of the kernel to the addresses of accesses,
// without regard to the order of instructions. Whatever comes out of memory may be any pointer, so the answer errs on
// the side of "may be".
#ifndef LS_PTX_PARAM_USE_H
#define LS_PTX_PARAM_USE_H

#include "ptx/module.h"

// Bit i stands for parameter i; PTX_ANY_PARAM for "any of them".
typedef uint64_t PtxParams;
#define PTX_ANY_PARAM (1ull << 63)
enum { PTX_PARAMS_MOST = 63 };

typedef struct PtxParamUse {
  PtxParams read, written;           // loads; stores and atomics (which are loads, too)
  PtxParams atomic;
  // of the first access through it, PTX_B8 and so on; of no meaning where it has none
  uint8_t type[PTX_PARAMS_MOST];
} PtxParamUse;

static inline bool ptx_param_in(PtxParams set, int param) {
  return param >= PTX_PARAMS_MOST || (set & (PTX_ANY_PARAM | 1ull << param));
}

// reached: a byte for each function of the module. Scratch memory comes from the arena.
void ptx_param_use(const PtxModule *module, int entry, const uint8_t *reached, LsArena *arena, PtxParamUse *use);
// Marks the functions that a kernel calls, or whose address it takes, and those that they call. reached is all zero
// before.
void ptx_reach(const PtxModule *module, int entry, uint8_t *reached);

#endif
